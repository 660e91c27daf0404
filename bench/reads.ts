/** What agents do before they hold: read a property, search, ask for a price. */
import { CITIES } from "../src/ops/demo/catalogue.ts";
import type { Bench, Measured } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import type { Installation } from "./installation.ts";
import type { LoadOptions } from "./load.ts";
import { measureLoad } from "./measure.ts";
import { Samples, sampleOf } from "./samples.ts";
import { searchBody } from "./search-body.ts";
import { CITY, requestOf } from "./tenant.ts";

const CONNECTIONS = 32;
/** Enough different bodies that no cache of answers could help. */
const SEARCHES = 1_200;
const QUOTES = 10_000;

/** Group and line of each read, under the names that `--only` knows. */
export const READS = {
  property: ["property", "GET /v1/properties/{id}"],
  limited: ["property", "the same, limited agent"],
  token: ["property", "the same, access token"],
  mcp: ["property", "POST /mcp, get_property"],
  search: ["offers", "POST /v1/search, 5–6 properties"],
  "search-large": ["offers", "POST /v1/search, 20 properties × 10 room types"],
  quotes: ["offers", "POST /v1/quotes"],
} as const;
type Read = keyof typeof READS;

type Request = Pick<LoadOptions, "method" | "bodies"> & {
  readonly path: string;
  /** Without it the call is the demo agent's, which has no limits. */
  readonly bearer?: string;
};

/** The same agent with a limit that it never reaches: what counting costs. */
async function limitedSecret({ baseUrl, demo }: Installation): Promise<string> {
  const limits = { rpm: 1_000_000, burst: 100_000, max_open_quotes: null };
  const headers = {
    authorization: `Bearer ${demo.admin.secret}`,
    "content-type": "application/json",
  };
  const body = JSON.stringify({ name: "Limited", kind: "agent", limits });
  const response = await fetch(`${baseUrl}/v1/admin/agents`, { method: "POST", headers, body });
  const { data } = (await response.json()) as { data: { credential: { secret: string } } };
  return data.credential.secret;
}

async function accessToken({ baseUrl, demo }: Installation): Promise<string> {
  const { agent_id, secret } = demo.agent;
  const client = { client_id: agent_id, client_secret: secret };
  const body = new URLSearchParams({ grant_type: "client_credentials", ...client });
  const response = await fetch(`${baseUrl}/oauth/token`, { method: "POST", body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function requestsOf(copy: Installation): Promise<Readonly<Record<Read, Request>>> {
  const id = copy.demo.properties.find(({ mode }) => mode === "live")!.id;
  const property: Request = { method: "GET", path: `/v1/properties/${id}`, bodies: [] };
  const post = (path: string, count: number, bodyAt: (i: number) => object): Request => {
    const bodies = Array.from({ length: count }, (_, i) => JSON.stringify(bodyAt(i)));
    return { method: "POST", path, bodies };
  };
  const cityAt = (i: number) => CITIES[i % CITIES.length]!.name;
  const params = { name: "get_property", arguments: { property: id } };
  const toolCall = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return {
    property,
    limited: { ...property, bearer: await limitedSecret(copy) },
    token: { ...property, bearer: await accessToken(copy) },
    mcp: post("/mcp", 1, () => toolCall),
    search: post("/v1/search", SEARCHES, (i) => searchBody(i, cityAt(i))),
    "search-large": post("/v1/search", SEARCHES, (i) => searchBody(i, CITY)),
    quotes: post("/v1/quotes", QUOTES, (i) => requestOf(i, "spread")),
  };
}

/**
 * Measures the reading routes and quotes, each round on a fresh copy, over 32 connections.
 *
 * @throws Error when an answer is not 2xx.
 */
export async function measureReads(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { timing, runs, only, progress } = bench;
  const samples = new Samples();
  const asked = (Object.keys(READS) as Read[]).filter((read) => only.has("reads", read));
  for (let round = 0; round < runs; round += 1) {
    await fixture.withCopy(null, async (copy) => {
      const requests = await requestsOf(copy);
      for (const read of asked) {
        const [group, what] = READS[read];
        const { path, bearer = copy.demo.agent.secret, ...request } = requests[read];
        const accept = "application/json, text/event-stream";
        const headers = { authorization: `Bearer ${bearer}`, accept };
        const url = `${copy.baseUrl}${path}`;
        const load = { url, headers, ...request, connections: CONNECTIONS, ...timing };
        const work = () => measureLoad(copy, load);
        const run = await progress.run("reads", { what, round, of: runs }, work);
        samples.add(group, what, sampleOf(run));
      }
    });
  }
  const [, baseline] = READS.property;
  const at = `${CONNECTIONS} connections`;
  const groups = [
    ...samples.group({ id: "property", title: `a property, ${at}`, compares: "speed", baseline }),
    ...samples.group({
      ...{ id: "offers", title: `search and quotes, ${at}` },
      ...{ compares: "speed", baseline: null },
    }),
  ];
  return { groups, verdicts: [] };
}
