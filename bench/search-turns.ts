/**
 * Searches, quotes and offers over HTTP: both tenants and the peer run side by side and are asked
 * in turns, so that whatever else the machine does falls on all of them alike. Only what is read is
 * measured, so no run needs a copy of its own.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunningProgram } from "./baselines/peers.ts";
import { startSearchPeer } from "./baselines/search-peer.ts";
import type { Bench } from "./bench.ts";
import { peakRssBytes, processName, rssBytes } from "./cpu.ts";
import type { Installation } from "./installation.ts";
import { assertAllGood, drive, type LoadOptions } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { shown } from "./result.ts";
import { searchBody } from "./search-body.ts";
import { assertSameOffers, type Searcher } from "./search-check.ts";
import type { SearchFixture } from "./search-fixture.ts";
import { PEER_FILL_STEPS } from "./search-tasks.ts";
import {
  CITY_SIZE,
  cityOf,
  GRAND_ROOM_TYPES,
  grandSupply,
  LARGE_CITY,
  LARGE_CITY_SIZE,
  smallCitiesOf,
} from "./search-tenant.ts";
import { inSteps } from "./steps.ts";
import { onInterrupt } from "./teardown.ts";
import { warmedUpBy } from "./timing.ts";

export const CONNECTIONS = 32;
/**
 * To the large destination: what is still under way when the warm-up ends is worked off in the
 * measured part, and there a search may take a fiftieth of a second.
 */
export const FEW_CONNECTIONS = 8;
/** Enough different bodies that no cache of answers could help. */
const BODIES = 1_200;
/** Searches whose results are quoted. */
const QUOTED = 60;

export const TURNS = [
  ...["small", "same", "large", "peer", "city", "peer city", "quotes", "offers"],
] as const;
export type Turn = (typeof TURNS)[number];

/** Who takes part in a round. */
export function turnsOf(hasPeers: boolean): Turn[] {
  return TURNS.filter((turn) => hasPeers || !turn.startsWith("peer"));
}

/** What its peer is called. */
export const PEER = "PostgreSQL";

/** As they are told of; the peer has as many properties as the large tenant. */
export function turnNames(properties: number): Record<Turn, string> {
  return {
    small: `ours, a tenant of ${CITY_SIZE}`,
    same: `ours, a tenant of ${shown(properties, 0)}, the same destination`,
    large: `ours, a tenant of ${shown(properties, 0)}, all such destinations in turn`,
    peer: PEER,
    city: `ours, a tenant of ${shown(properties, 0)}`,
    "peer city": PEER,
    quotes: "POST /v1/quotes",
    offers: `GET /v1/properties/{id}/offers, ${GRAND_ROOM_TYPES} room types × 3 plans`,
  };
}

const FEW = `a destination of ${CITY_SIZE}, `;
const MANY = `a destination of ${LARGE_CITY_SIZE}, `;
const DESTINATIONS: Readonly<Record<Turn, string>> = {
  ...{
    small: FEW,
    same: FEW,
    large: FEW,
    peer: FEW,
    city: MANY,
    "peer city": MANY,
    quotes: "",
    offers: "",
  },
};

/** Memory of the process that answers at the large tenant. */
export interface ApiMemory {
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

export interface HttpRuns {
  readonly runs: ReadonlyMap<Turn, readonly Run[]>;
  readonly api: ApiMemory;
}

/** Everyone who is asked; no peer where there is none. */
interface Sides {
  readonly small: Installation;
  readonly large: Installation;
  readonly peer: RunningProgram | null;
}

/** All rounds. Throws when an answer is not 2xx, or the peer finds something else than we do. */
export async function measureTurns(fixture: SearchFixture, bench: Bench): Promise<HttpRuns> {
  const peer = bench.peers ? await startPeer(bench) : null;
  const isPeerStopped = onInterrupt(() => peer?.stop());
  try {
    return await fixture.withBoth((small, large) => runAll({ small, large, peer }, bench));
  } finally {
    await peer?.stop();
    isPeerStopped();
  }
}

async function startPeer({ directory, properties, progress }: Bench) {
  const workDir = join(directory, "search-peer");
  mkdirSync(workDir);
  const what = `${properties} properties for ${PEER}`;
  const about = { stage: "search, peer", what, steps: PEER_FILL_STEPS };
  const start = (onStep: () => void) => startSearchPeer({ workDir, properties }, onStep);
  const peer = await inSteps(progress, about, start);
  if (peer === null) progress.note("The peer of searches cannot run on this machine.");
  return peer;
}

async function runAll(sides: Sides, { runs, timing, progress, properties }: Bench) {
  const { large, peer } = sides;
  const cities = smallCitiesOf(properties);
  const checked = (n: number) => (n % 10 === 0 ? LARGE_CITY : cities[(n * 7) % cities.length]!);
  if (peer) await assertSameOffers(searcherOf(large), searcherOf(peer), checked);
  const requests = await requestsOf(sides, cities);
  const names = turnNames(properties);
  const turns = turnsOf(peer !== null);
  const measured = new Map<Turn, Run[]>();
  for (let round = 0; round < runs; round += 1) {
    for (const turn of turns) {
      const length = warmedUpBy(timing, warmupOf(turn));
      const load = { ...requests[turn], ...length, connections: connectionsOf(turn) };
      const what = `${DESTINATIONS[turn]}${names[turn]}`;
      const run = await progress.run("search", { what, round, of: runs }, () =>
        measure(servedBy(sides, turn), (onMeasuring) => drive(load, onMeasuring)),
      );
      assertAllGood(what, run);
      measured.set(turn, [...(measured.get(turn) ?? []), run]);
    }
  }
  return { runs: measured, api: apiMemory(large) };
}

const isOfCity = (turn: Turn) => turn === "city" || turn === "peer city";

function connectionsOf(turn: Turn): number {
  return isOfCity(turn) ? FEW_CONNECTIONS : CONNECTIONS;
}

/** A search is more work than a hold, one of 500 properties as much as many of 20. */
const warmupOf = (turn: Turn) => (isOfCity(turn) ? 1 / 50 : 1 / 3);

/** The property of twenty room types is the small tenant's. */
function servedBy({ small, large, peer }: Sides, turn: Turn): Installation | RunningProgram {
  if (turn.startsWith("peer")) return peer!;
  return turn === "small" || turn === "offers" ? small : large;
}

function searcherOf(side: Installation | RunningProgram): Searcher {
  if ("origin" in side) return { url: `${side.origin}/v1/search`, headers: side.headers };
  const headers = { authorization: `Bearer ${side.demo.second_tenant.agent.secret}` };
  return { url: `${side.baseUrl}/v1/search`, headers };
}

type Request = Pick<LoadOptions, "url" | "method" | "headers" | "bodies">;

async function requestsOf(sides: Sides, cities: readonly string[]): Promise<Record<Turn, Request>> {
  const search = (side: Installation | RunningProgram, cityAt: (n: number) => string): Request => {
    const bodies = Array.from({ length: BODIES }, (_, n) =>
      JSON.stringify(searchBody(n, cityAt(n))),
    );
    return { ...searcherOf(side), method: "POST", bodies };
  };
  const { small, large } = sides;
  const peer = sides.peer ?? large;
  const anyCity = (n: number) => cities[n % cities.length]!;
  const { stay } = searchBody(1, "");
  const { url, headers } = searcherOf(large);
  const asked = `check_in=${stay.check_in}&check_out=${stay.check_out}&adults=2`;
  const path = `/v1/properties/${grandSupply().tree.id}/offers?${asked}`;
  return {
    small: search(small, () => cityOf(0)),
    same: search(large, () => cityOf(0)),
    large: search(large, anyCity),
    peer: search(peer, anyCity),
    city: search(large, () => LARGE_CITY),
    "peer city": search(peer, () => LARGE_CITY),
    quotes: {
      ...{ url: url.replace("search", "quotes"), headers, method: "POST" },
      bodies: await quoteBodies(searcherOf(large), anyCity),
    },
    offers: { ...searcherOf(small), url: `${small.baseUrl}${path}`, method: "GET", bodies: [] },
  };
}

/** A quote for each result of some searches: all of them can be had. */
async function quoteBodies(
  { url, headers }: Searcher,
  cityAt: (n: number) => string,
): Promise<string[]> {
  const bodies: string[] = [];
  for (let n = 0; n < QUOTED; n += 1) {
    const { destination, ...asked } = searchBody(n, cityAt(n));
    const body = JSON.stringify({ destination, ...asked });
    const json = { ...headers, "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers: json, body });
    const { data } = (await answer.json()) as {
      data: { results: { hotel_id: string; best_offer: Record<string, string> }[] };
    };
    for (const { hotel_id, best_offer } of data.results) {
      const { room_type_id, rate_plan_id } = best_offer;
      const guests = { adults: asked.guests.adults, children: [] };
      bodies.push(JSON.stringify({ hotel_id, room_type_id, rate_plan_id, ...asked, guests }));
    }
  }
  return bodies;
}

function apiMemory({ pids }: Installation): ApiMemory {
  const [pid] = pids.filter((each) => processName(each) === "api");
  if (pid === undefined) throw new Error("the service has no api process");
  return { rssBytes: rssBytes(pid), peakRssBytes: peakRssBytes(pid) };
}
