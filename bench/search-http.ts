/**
 * Searches, quotes and offers over HTTP: both tenants and the peer run side by side and are asked
 * in turns, so that other load of the machine affects all of them alike. Only reads are measured,
 * so no run needs a copy of its own.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunningProgram } from "./baselines/peers.ts";
import { startSearchPeer } from "./baselines/search-peer.ts";
import type { Bench } from "./bench.ts";
import { peakRssBytes, processName, rssBytes } from "./cpu.ts";
import type { Installation } from "./installation.ts";
import type { LoadOptions } from "./load.ts";
import { measureLoad } from "./measure.ts";
import { shown } from "./result.ts";
import { type Samples, sampleOf } from "./samples.ts";
import { searchBody } from "./search-body.ts";
import { assertSameOffers, type Searcher, searched } from "./search-check.ts";
import type { SearchFixture } from "./search-fixture.ts";
import { CITY_SIZE, cityOf, grandSupply, LARGE_CITY, smallCitiesOf } from "./search-tenant.ts";
import { onInterrupt } from "./teardown.ts";
import { warmedUpBy } from "./timing.ts";

export const CONNECTIONS = 32;
/**
 * To the large destination: requests in transit at the end of the warm-up are answered in the
 * measured part, and there a search may take a fiftieth of a second.
 */
export const FEW_CONNECTIONS = 8;
/** Enough different bodies that no cache of answers could help. */
const BODIES = 1_200;
/** Searches whose results are quoted. */
const QUOTED = 60;
export const PEER = "PostgreSQL";

/** Groups of the results. */
export type SearchGroup = "20" | "500" | "offers";

/** A kind of request: its group, its line, and the side that answers it. */
export interface SearchTurn {
  readonly group: SearchGroup;
  readonly name: string;
  readonly side: "small" | "large" | "peer";
}

/** The lines, for a large tenant of `properties`; the peer has the same properties. */
export function searchTurns(properties: number) {
  const large = `ours, a tenant of ${shown(properties, 0)}`;
  return {
    small: { group: "20", name: `ours, a tenant of ${CITY_SIZE}`, side: "small" },
    same: { group: "20", name: `${large}, the same destination`, side: "large" },
    large: { group: "20", name: `${large}, all such destinations in turn`, side: "large" },
    peer: { group: "20", name: PEER, side: "peer" },
    city: { group: "500", name: large, side: "large" },
    "peer city": { group: "500", name: PEER, side: "peer" },
    quotes: { group: "offers", name: "POST /v1/quotes", side: "large" },
    offers: {
      ...{ group: "offers", side: "small" },
      name: "GET /v1/properties/{id}/offers, 20 room types × 3 plans",
    },
  } as const satisfies Readonly<Record<string, SearchTurn>>;
}
type TurnName = keyof ReturnType<typeof searchTurns>;

/** The turns of a round. */
export function turnsOf(hasPeers: boolean): TurnName[] {
  const all = Object.entries(searchTurns(0)) as [TurnName, SearchTurn][];
  return all.filter(([, { side }]) => hasPeers || side !== "peer").map(([name]) => name);
}

/** No peer where it cannot run or is not wanted. */
interface Sides {
  readonly small: Installation;
  readonly large: Installation;
  readonly peer: RunningProgram | null;
}

/** Measures all rounds. Throws when an answer is not 2xx, or the peer finds other offers. */
export async function measureOverHttp(
  fixture: SearchFixture,
  bench: Bench,
  samples: Samples,
): Promise<void> {
  const peer = bench.peers ? await startPeer(bench) : null;
  const isPeerStopped = onInterrupt(() => peer?.stop());
  try {
    await fixture.withBoth((small, large) => runAll({ small, large, peer }, bench, samples));
  } finally {
    await peer?.stop();
    isPeerStopped();
  }
}

async function startPeer({ directory, properties, progress }: Bench) {
  const workDir = join(directory, "search-peer");
  mkdirSync(workDir);
  const start = () => startSearchPeer({ workDir, properties });
  const peer = await progress.step("search, peer", `${properties} properties for ${PEER}`, start);
  if (peer === null) progress.note("The peer of searches cannot run on this machine.");
  return peer;
}

async function runAll(sides: Sides, bench: Bench, samples: Samples): Promise<void> {
  const { runs, timing, progress, properties } = bench;
  const { large, peer } = sides;
  const cities = smallCitiesOf(properties);
  const checked = (n: number) => (n % 10 === 0 ? LARGE_CITY : cities[(n * 7) % cities.length]!);
  if (peer) await assertSameOffers(searcherOf(large), searcherOf(peer), checked);
  const requests = await requestsOf(sides, cities);
  const turns = searchTurns(properties);
  for (let round = 0; round < runs; round += 1) {
    for (const turn of turnsOf(peer !== null)) {
      const { group, name, side } = turns[turn];
      const what = group === "offers" ? name : `a destination of ${group}, ${name}`;
      const load = { ...requests[turn], ...lengthOf(group, timing) };
      const work = () => measureLoad(sides[side]!, load);
      const run = await progress.run("search", { what, round, of: runs }, work);
      samples.add(group, name, sampleOf(run));
    }
  }
  const pid = large.pids.find((each) => processName(each) === "api")!;
  const figures = { rssMb: rssBytes(pid) / 1e6, peakRssMb: peakRssBytes(pid) / 1e6 };
  samples.add("replica", "in the api, after its searches", { figures });
}

/** A search is more work than a hold, one of 500 properties as much as many of 20. */
function lengthOf(group: SearchGroup, timing: Bench["timing"]) {
  return group === "500"
    ? { connections: FEW_CONNECTIONS, ...warmedUpBy(timing, 1 / 50) }
    : { connections: CONNECTIONS, ...warmedUpBy(timing, 1 / 3) };
}

function searcherOf(side: Installation | RunningProgram): Searcher {
  if ("origin" in side) return { url: `${side.origin}/v1/search`, headers: side.headers };
  const headers = { authorization: `Bearer ${side.demo.second_tenant.agent.secret}` };
  return { url: `${side.baseUrl}/v1/search`, headers };
}

type Request = Pick<LoadOptions, "url" | "method" | "headers" | "bodies">;

async function requestsOf(
  { small, large, peer }: Sides,
  cities: readonly string[],
): Promise<Record<TurnName, Request>> {
  const search = (side: Installation | RunningProgram, cityAt: (n: number) => string): Request => {
    const bodies = Array.from({ length: BODIES }, (_, n) =>
      JSON.stringify(searchBody(n, cityAt(n))),
    );
    return { ...searcherOf(side), method: "POST", bodies };
  };
  const anyCity = (n: number) => cities[n % cities.length]!;
  const { stay } = searchBody(1, "");
  const asked = `check_in=${stay.check_in}&check_out=${stay.check_out}&adults=2`;
  const path = `/v1/properties/${grandSupply().tree.id}/offers?${asked}`;
  const { url, headers } = searcherOf(large);
  const bodies = await quoteBodies(searcherOf(large), anyCity);
  return {
    small: search(small, () => cityOf(0)),
    same: search(large, () => cityOf(0)),
    large: search(large, anyCity),
    peer: search(peer ?? large, anyCity),
    city: search(large, () => LARGE_CITY),
    "peer city": search(peer ?? large, () => LARGE_CITY),
    quotes: { url: url.replace("search", "quotes"), headers, method: "POST", bodies },
    offers: { ...searcherOf(small), url: `${small.baseUrl}${path}`, method: "GET", bodies: [] },
  };
}

/** A quote for each result of some searches; none is refused. */
async function quoteBodies(side: Searcher, cityAt: (n: number) => string): Promise<string[]> {
  const bodies: string[] = [];
  for (let n = 0; n < QUOTED; n += 1) {
    const { destination, ...asked } = searchBody(n, cityAt(n));
    for (const { hotel_id, best_offer } of await searched(side, { destination, ...asked })) {
      const { room_type_id, rate_plan_id } = best_offer;
      const guests = { adults: asked.guests.adults, children: [] };
      bodies.push(JSON.stringify({ hotel_id, room_type_id, rate_plan_id, ...asked, guests }));
    }
  }
  return bodies;
}
