/** Feeds built in the test's own process, from supply that was folded and never stored. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dateOf } from "../../engine/core/calendar.ts";
import type { State } from "../../engine/core/state/state.ts";
import type { AriUpdate, PropertyTree } from "../../engine/core/supply.ts";
import { build, type FeedOrder } from "../../feeds/build.ts";
import type { FeedManifest } from "../../feeds/manifest.ts";
import { profileOf } from "../../feeds/partners.ts";
import { type Encoding, type StoredDocument, storedAri, storedList } from "../../feeds/stored.ts";
import { type Fault, verify } from "../../feeds/verify.ts";
import { type GeneratedProperty, generateProperties } from "../../src/ops/demo/generator.ts";
import {
  createProperty,
  NOON,
  policyTerms,
  promoteProperty,
  propertyTree,
  ratePlan,
  roomType,
  TENANT,
  updateAri,
} from "./builders.ts";
import { dayIn, given } from "./given.ts";

const TIMINGS = { open_ms: 0, build_ms: 0, verify_ms: 0, cpu_ms: 0, peak_rss_bytes: 0 };

/** Hotels as a demo has them, with nights from the day of `NOON` on. */
export function demoHotels(count: number, seed = 9): GeneratedProperty[] {
  const options = { count, seed, startDate: dateOf(dayIn(0)), nights: 120 };
  return [...generateProperties(options)];
}

/** The state in which these properties are live. */
export function liveState(hotels: readonly GeneratedProperty[]): State {
  const commands = hotels.flatMap(({ property, ari }) => [
    createProperty(property),
    updateAri(property, ari),
    promoteProperty(property),
  ]);
  return given(...commands).state;
}

const uuid = (n: number) => `7f0c1c9e-3c55-4d1b-9a53-${String(n).padStart(12, "0")}`;

function hotel(n: number, currency: string, amount: number, over: Partial<PropertyTree> = {}) {
  const plans = (room: number) => [
    ratePlan({ id: uuid(n + room + 3), currency, base_rate_per_night: amount }),
    ratePlan({
      ...{ id: uuid(n + room + 4), code: "FIX", name: "Fixed", currency, meal_plan: "room_only" },
      ...{ base_rate_per_night: amount - 7, cancellation_kind: "non_refundable" },
    }),
  ];
  return propertyTree({
    id: uuid(n),
    slug: `hotel-${n}`,
    default_currency: currency,
    policies: [policyTerms(), policyTerms({ cancellation_kind: "non_refundable" })],
    room_types: [
      roomType({ id: uuid(n + 1), rate_plans: plans(10) }),
      roomType({
        ...{ id: uuid(n + 2), code: "SGL", name: "Single", rate_plans: plans(20) },
        ...{ max_occupancy: 1, included_occupancy: 1 },
      }),
    ],
    ...over,
  });
}

const closedFor = (tree: PropertyTree, first: number, last: number): AriUpdate => ({
  restrictions: tree.room_types.map(({ id }) => ({
    ...{ room_type_id: id, stop_sell: true },
    ...{ from: dateOf(dayIn(first)), to: dateOf(dayIn(last)) },
  })),
});

/** Yen without decimals, dinars with three, clocks that are set back, and a closed season. */
export function oddHotels(): GeneratedProperty[] {
  const tokyo = hotel(100, "JPY", 14_800, { timezone: "Asia/Tokyo" });
  const kuwait = hotel(200, "KWD", 31_250, { timezone: "Asia/Kuwait" });
  // New York sets its clocks back in the night to 2026-11-01, the sixty-first of the ninety days.
  const newYork = hotel(300, "USD", 25_900, { timezone: "America/New_York" });
  const closed = hotel(400, "EUR", 9_900);
  return [
    ...[tokyo, kuwait, newYork].map((property) => ({ property, ari: {} })),
    { property: closed, ari: closedFor(closed, 20, 40) },
  ];
}

/** The files of a feed, and what is served of them. */
export class BuiltFeed implements Disposable {
  readonly directory: string;
  readonly manifest: FeedManifest;

  constructor(state: State, over: Partial<Omit<FeedOrder, "directory">> = {}) {
    this.directory = mkdtempSync(join(tmpdir(), "feed-"));
    const work = build(
      {
        ...{ profile: profileOf("google")!, tenantId: TENANT, runId: "run_1", nowMs: NOON },
        ...{ siteUrl: "https://stay.example.com", language: "en", ...over },
        directory: this.directory,
      },
      { state, row: state.row, journalId: "j".repeat(32) },
    );
    this.manifest = { ...ended(work), timings: TIMINGS };
  }

  stored(name: "list" | number, encoding: Encoding = "identity"): StoredDocument {
    const { directory, manifest } = this;
    if (name === "list") return storedList(directory, manifest, encoding);
    return storedAri(directory, manifest, name, encoding);
  }

  /** The document as it is sent; its size is as it was announced. */
  async bytes(name: "list" | number, encoding: Encoding = "identity"): Promise<Buffer> {
    const stored = this.stored(name, encoding);
    const bytes = Buffer.from(await new Response(stored.body()).arrayBuffer());
    if (bytes.length !== stored.bytes) throw new Error(`${bytes.length}, not ${stored.bytes}`);
    return bytes;
  }

  async text(name: "list" | number): Promise<string> {
    return (await this.bytes(name)).toString();
  }

  /** What verification says of the files. */
  verified(manifest: FeedManifest = this.manifest): Fault | null {
    return ended(verify(manifest, { directory: this.directory, isTimeUp: () => false }));
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Runs a generator to its end. */
export function ended<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}
