/** What agents do before they hold: look at a property, search, ask for a price. */
import { join } from "node:path";
import { CITIES } from "../src/ops/demo/catalogue.ts";
import type { ApiSteps, StepSamples } from "./api-steps.ts";
import type { Bench, Measured } from "./bench.ts";
import { outputOf } from "./child.ts";
import type { Fixture } from "./fixture.ts";
import type { Installation } from "./installation.ts";
import { assertAllGood, drive, type LoadOptions } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { groupOf } from "./report.ts";
import type { Group } from "./result.ts";
import { searchBody } from "./search-body.ts";
import { summarize } from "./stats.ts";
import { CITY, requestOf } from "./tenant.ts";
import type { Timing } from "./timing.ts";

const CONNECTIONS = 32;
/** Enough different bodies that no cache of answers could help. */
const SEARCHES = 1_200;
const QUOTES = 10_000;

/** What is read, under the names that `--only` knows. */
export const READS = {
  property: "GET /v1/properties/{id}",
  limited: "the same, limited agent",
  token: "the same, access token",
  mcp: "POST /mcp, get_property",
  search: "POST /v1/search, 5–6 properties",
  "search-large": "POST /v1/search, 20 properties × 10 room types",
  quotes: "POST /v1/quotes",
} as const;
type Read = keyof typeof READS;

type Request = Pick<LoadOptions, "method" | "bodies"> & {
  readonly path: string;
  /** Whose call it is; the demo agent's, which has no limits, where left out. */
  readonly bearer?: string;
};

/** The same agent with a limit that it never reaches: what being counted costs. */
async function limitedSecret({ baseUrl, demo }: Installation): Promise<string> {
  const limits = { rpm: 1_000_000, burst: 100_000, max_open_quotes: null };
  const response = await fetch(`${baseUrl}/v1/admin/agents`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${demo.admin.secret}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "Limited", kind: "agent", limits }),
  });
  const { data } = (await response.json()) as { data: { credential: { secret: string } } };
  return data.credential.secret;
}

async function accessToken({ baseUrl, demo }: Installation): Promise<string> {
  const { agent_id, secret } = demo.agent;
  const client = { client_id: agent_id, client_secret: secret };
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", ...client }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function requestsOf(copy: Installation): Promise<Readonly<Record<Read, Request>>> {
  const id = copy.demo.properties.find(({ mode }) => mode === "live")!.id;
  const property: Request = { method: "GET", path: `/v1/properties/${id}`, bodies: [] };
  const post = (path: string, count: number, body: (i: number) => string): Request => {
    return { method: "POST", path, bodies: Array.from({ length: count }, (_, i) => body(i)) };
  };
  const cityOf = (i: number) => CITIES[i % CITIES.length]!.name;
  const params = { name: "get_property", arguments: { property: id } };
  const toolCall = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return {
    property,
    limited: { ...property, bearer: await limitedSecret(copy) },
    token: { ...property, bearer: await accessToken(copy) },
    mcp: post("/mcp", 1, () => toolCall),
    search: post("/v1/search", SEARCHES, (i) => JSON.stringify(searchBody(i, cityOf(i)))),
    "search-large": post("/v1/search", SEARCHES, (i) => JSON.stringify(searchBody(i, CITY))),
    quotes: post("/v1/quotes", QUOTES, (i) => JSON.stringify(requestOf(i, "spread"))),
  };
}

const GROUPS: readonly Omit<Group, "lines">[] = [
  {
    ...{ id: "property", title: `a property, ${CONNECTIONS} connections`, compares: "speed" },
    baseline: READS.property,
  },
  {
    ...{ id: "offers", title: `search and quotes, ${CONNECTIONS} connections`, compares: "speed" },
    baseline: null,
  },
];

function groupIdOf(read: Read): string {
  return ["search", "search-large", "quotes"].includes(read) ? "offers" : "property";
}

/**
 * Measures the reading routes and quotes, each on a fresh copy, over 32 connections.
 *
 * @throws Error when an answer is not 2xx.
 */
export async function measureReads(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { timing, runs, only, progress } = bench;
  const series = new Map<Read, Run[]>();
  const asked = (Object.keys(READS) as Read[]).filter((read) => only.has("reads", read));
  for (let round = 0; round < runs; round += 1) {
    await fixture.withCopy(null, async (copy) => {
      const requests = await requestsOf(copy);
      for (const read of asked) {
        const work = () => measureRead(copy, requests[read], timing);
        const run = await progress.run("reads", { what: READS[read], round, of: runs }, work);
        assertAllGood(READS[read], run);
        series.set(read, [...(series.get(read) ?? []), run]);
      }
    });
  }
  const groups = GROUPS.map((about) => {
    const all = [...series].filter(([read]) => groupIdOf(read) === about.id);
    const named = all.map(([read, measured]) => ({ name: READS[read], runs: measured }));
    return groupOf(about, named);
  });
  const steps = only.has("reads", "steps") ? [await measureSteps(fixture, bench)] : [];
  return { groups: [...groups.filter(({ lines }) => lines.length > 0), ...steps], verdicts: [] };
}

/** What each step of the life of a request costs, in a process that does nothing else. */
function measureSteps(fixture: Fixture, { progress }: Bench): Promise<Group> {
  return progress.step("steps of a hold", "the api without its server", () =>
    fixture.withCopy("spread", async ({ dataDir, demo }) => {
      const quotesPath = join(dataDir, "quote-ids.json");
      const ids = fixture.quotes.spread.map(({ quote_id }) => quote_id);
      await Bun.write(quotesPath, JSON.stringify(ids));
      const asked: ApiSteps = { dataDir, secret: demo.agent.secret, quotesPath };
      const output = await outputOf(join(import.meta.dir, "api-steps.ts"), asked);
      const samples = JSON.parse(output) as StepSamples;
      return {
        ...{ id: "steps", title: "steps of POST /v1/holds in the api, 32 calls at once" },
        ...{ compares: "callMicros", baseline: samples.at(-1)!.name },
        lines: samples.map(({ name, micros }) => {
          const figures = { callMicros: summarize(micros) };
          return { name, runs: micros.length, figures, cpuByProcess: {} };
        }),
      };
    }),
  );
}

function measureRead(copy: Installation, request: Request, timing: Timing): Promise<Run> {
  const { path, method, bodies, bearer = copy.demo.agent.secret } = request;
  const accept = "application/json, text/event-stream";
  const headers = { authorization: `Bearer ${bearer}`, accept };
  const url = `${copy.baseUrl}${path}`;
  const load = { url, headers, method, bodies, connections: CONNECTIONS, ...timing };
  return measure(copy, (onMeasuring) => drive(load, onMeasuring));
}
