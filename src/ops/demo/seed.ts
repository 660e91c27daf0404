/**
 * Seeds the demo through the service's own HTTP API. Every write is idempotent: after a crash the
 * same seeding runs again.
 */
import type { Mode } from "../../../engine/core/supply.ts";
import { AdminClient } from "./admin-client.ts";
import type { DateWindow } from "./ari.ts";
import type { DemoAgent, DemoFile, DemoProperty } from "./demo-file.ts";
import { type GeneratedProperty, generateProperties } from "./generator.ts";
import { scenarioProperty } from "./scenario.ts";
import fx from "./tables/fx.json" with { type: "json" };

export interface SeedOptions {
  readonly baseUrl: string;
  /** Credentials of both tenants; its `properties` are ignored. */
  readonly demo: DemoFile;
  readonly log: (line: string) => void;
  /** Live hotels of the first tenant; default 66, which is the most. */
  readonly hotels?: number;
  /** Nights of ARI from today (UTC); default 400. */
  readonly nights?: number;
  /** Default 1. */
  readonly seed?: number;
}

const LIVE_COUNT = 66;
const TEST_COUNT = 2;
const SECOND_TENANT_COUNT = 3;
const NIGHTS = 400;
const CONCURRENCY = 8;
/** Lines per import call: a few hundred kilobytes. */
const IMPORT_LINES = 32;

interface Group {
  readonly name: string;
  readonly mode: Mode;
  readonly operator: DemoAgent;
  readonly properties: readonly GeneratedProperty[];
}

interface ImportAnswer {
  readonly items: readonly {
    readonly line: number;
    readonly property_id?: string;
    readonly error?: { readonly code: string };
  }[];
}

/**
 * Creates, prices and promotes all demo properties and sets exchange rates. Resolves with the first
 * tenant's properties, for `demo.json`; rejects after pending calls have ended, with an error that
 * names the failing call, its status and error code.
 */
export async function seedDemo(options: SeedOptions): Promise<{ properties: DemoProperty[] }> {
  const { demo, seed = 1, nights = NIGHTS, hotels = LIVE_COUNT } = options;
  const window = { startDate: new Date().toISOString().slice(0, 10), nights };
  const groups = demoGroups(demo, { seed, hotels }, window);
  for (const group of groups) {
    const client = new AdminClient({
      baseUrl: options.baseUrl,
      secret: group.operator.secret,
      keyPrefix: `demo-${seed}`,
    });
    await client.call({ method: "PUT", path: "/v1/admin/fx", body: JSON.stringify(fx) });
    await importProperties(client, group.properties);
    await eachConcurrently(group.properties, (item) => openForSale(client, item));
    options.log(`demo: ${group.properties.length} properties, ${group.name}`);
  }
  const own = groups.filter((group) => group.operator !== demo.second_tenant.admin);
  return { properties: own.flatMap(summarize) };
}

function demoGroups(
  demo: DemoFile,
  { seed, hotels }: Required<Pick<SeedOptions, "seed" | "hotels">>,
  window: DateWindow,
): Group[] {
  const generated = (count: number, tenantSalt: string, firstPosition = 0) => [
    ...generateProperties({ ...window, seed, count, tenantSalt, firstPosition }),
  ];
  return [
    {
      name: "live",
      mode: "live",
      operator: demo.admin,
      properties: generated(hotels, "live"),
    },
    {
      name: "test mode",
      mode: "test",
      operator: demo.test_admin,
      properties: [scenarioProperty({ ...window, seed }), ...generated(TEST_COUNT, "test")],
    },
    {
      name: "live, second tenant",
      mode: "live",
      operator: demo.second_tenant.admin,
      // Beyond the first tenant's positions, so that slugs are unique.
      properties: generated(SECOND_TENANT_COUNT, "second", LIVE_COUNT),
    },
  ];
}

function summarize({ mode, properties }: Group): DemoProperty[] {
  return properties.map(({ property: { id, slug } }) => ({ id, slug, mode }));
}

/** `conflict` on a line: an earlier seeding created the property. */
async function importProperties(
  client: AdminClient,
  items: readonly GeneratedProperty[],
): Promise<void> {
  const path = "/v1/admin/properties/import";
  for (let from = 0; from < items.length; from += IMPORT_LINES) {
    const lines = items.slice(from, from + IMPORT_LINES);
    const body = lines.map(({ property }) => `${JSON.stringify(property)}\n`).join("");
    const contentType = "application/x-ndjson";
    const answer = (await client.call({ method: "POST", path, body, contentType })) as ImportAnswer;
    for (const { line, error } of answer.items) {
      if (!error || error.code === "conflict") continue;
      throw new Error(`POST ${path} answered 200 but refused line ${line}: ${error.code}`);
    }
  }
}

async function openForSale(client: AdminClient, { property, ari }: GeneratedProperty) {
  const path = `/v1/admin/properties/${property.id}`;
  await client.call({ method: "PUT", path: `${path}/ari`, body: JSON.stringify(ari) });
  await client.call({ method: "POST", path: `${path}/promote`, body: "{}" });
}

/**
 * Runs `work` on every item, eight at a time. All lanes share one generator, which a failing lane
 * closes, so nothing new starts after a failure; resolves when every lane has ended.
 */
async function eachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const queue = (function* () {
    yield* items;
  })();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, lane));
  const failed = lanes.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}
