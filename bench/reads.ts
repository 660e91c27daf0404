/** What agents do before they hold: look at a property, search, ask for a price. */
import { CITIES } from "../src/demo/catalogue.ts";
import type { Fixture } from "./fixture.ts";
import type { Timing } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { assertAllGood, drive, type LoadOptions } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import type { Series } from "./report.ts";
import { searchBody } from "./search-body.ts";
import { CITY, requestOf } from "./tenant.ts";

const CONNECTIONS = 32;
/** Enough different bodies that no cache of answers could help. */
const SEARCHES = 1_200;
const QUOTES = 10_000;

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

async function requestsOf(copy: Installation): Promise<Readonly<Record<string, Request>>> {
  const id = copy.demo.properties.find(({ mode }) => mode === "live")!.id;
  const property: Request = { method: "GET", path: `/v1/properties/${id}`, bodies: [] };
  const post = (path: string, count: number, body: (i: number) => string): Request => {
    return { method: "POST", path, bodies: Array.from({ length: count }, (_, i) => body(i)) };
  };
  const cityOf = (i: number) => CITIES[i % CITIES.length]!.name;
  const params = { name: "get_property", arguments: { property: id } };
  const toolCall = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return {
    "GET /v1/properties/{id}": property,
    "GET /v1/properties/{id}, limited agent": { ...property, bearer: await limitedSecret(copy) },
    "GET /v1/properties/{id}, access token": { ...property, bearer: await accessToken(copy) },
    "POST /mcp, get_property": post("/mcp", 1, () => toolCall),
    "POST /v1/search, 5–6 properties": post("/v1/search", SEARCHES, (i) =>
      JSON.stringify(searchBody(i, cityOf(i))),
    ),
    "POST /v1/search, 20 properties × 10 room types": post("/v1/search", SEARCHES, (i) =>
      JSON.stringify(searchBody(i, CITY)),
    ),
    "POST /v1/quotes": post("/v1/quotes", QUOTES, (i) => JSON.stringify(requestOf(i, "spread"))),
  };
}

/**
 * Measures the reading routes and quotes, each on a fresh copy, over 32 connections.
 *
 * @throws Error when an answer is not 2xx.
 */
export async function measureReads(
  fixture: Fixture,
  timing: Timing,
  runs: number,
): Promise<Series[]> {
  const series = new Map<string, Run[]>();
  for (let run = 0; run < runs; run += 1) {
    await fixture.withCopy(null, async (copy) => {
      for (const [name, request] of Object.entries(await requestsOf(copy))) {
        const { path, method, bodies, bearer = copy.demo.agent.secret } = request;
        const url = `${copy.baseUrl}${path}`;
        const accept = "application/json, text/event-stream";
        const headers = { authorization: `Bearer ${bearer}`, accept };
        const load = { url, headers, method, bodies, connections: CONNECTIONS, ...timing };
        const result = await measure(copy, (onMeasuring) => drive(load, onMeasuring));
        assertAllGood(name, result);
        series.set(name, [...(series.get(name) ?? []), result]);
      }
    });
  }
  return [...series].map(([name, measured]) => ({ name, runs: measured }));
}
