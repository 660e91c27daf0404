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

type Request = Pick<LoadOptions, "method" | "bodies"> & { readonly path: string };

function requestsOf({ demo }: Installation): Readonly<Record<string, Request>> {
  const id = demo.properties.find(({ mode }) => mode === "live")!.id;
  const post = (path: string, count: number, body: (i: number) => string): Request => {
    return { method: "POST", path, bodies: Array.from({ length: count }, (_, i) => body(i)) };
  };
  const cityOf = (i: number) => CITIES[i % CITIES.length]!.name;
  return {
    "GET /v1/properties/{id}": { method: "GET", path: `/v1/properties/${id}`, bodies: [] },
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
      for (const [name, { path, method, bodies }] of Object.entries(requestsOf(copy))) {
        const url = `${copy.baseUrl}${path}`;
        const headers = { authorization: `Bearer ${copy.demo.agent.secret}` };
        const load = { url, headers, method, bodies, connections: CONNECTIONS, ...timing };
        const result = await measure(copy, (onMeasuring) => drive(load, onMeasuring));
        assertAllGood(name, result);
        series.set(name, [...(series.get(name) ?? []), result]);
      }
    });
  }
  return [...series].map(([name, measured]) => ({ name, runs: measured }));
}
