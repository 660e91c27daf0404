/**
 * The process that searches without anything around it: `SearchCore` as JSON is its argument,
 * `CoreRun` as JSON is what it prints. It opens the journal as a replica does, from its snapshot,
 * and needs a heap that nothing else has used.
 */
import { dateOf } from "../engine/core/calendar.ts";
import type { EventOf } from "../engine/core/events/event.ts";
import { moveUnits, roomOf, type UnitMove } from "../engine/core/holds/units.ts";
import { applyAri } from "../engine/core/properties/ari-fold.ts";
import type { SearchQuery, SearchScope } from "../engine/core/search/query.ts";
import { search } from "../engine/core/search/search.ts";
import { indexOf } from "../engine/core/search/search-index.ts";
import type { PropertyEntry, State } from "../engine/core/state/state.ts";
import type { Realm } from "../engine/core/supply.ts";
import { Replica } from "../engine/log/replica.ts";
import { Random } from "../src/ops/demo/random.ts";
import { peakRssBytes, rssBytes } from "./cpu.ts";
import { summarize } from "./samples.ts";
import { cityOf, LARGE_CITY, supplyOf } from "./search-tenant.ts";
import { TODAY } from "./tenant.ts";

export interface SearchCore {
  readonly journal: string;
  readonly tenant_id: string;
}

export type Searched = "all" | "large" | "small" | "one";
export type Change = "hold" | "release" | "cell" | "month";

/** What one process measured. */
export interface CoreRun {
  /** Until the first search could be answered. */
  readonly startSeconds: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  /** CPU of one search, microseconds, the median. */
  readonly searches: Readonly<Record<Searched, number>>;
  /** CPU that the index adds to a change, microseconds a night. */
  readonly changes: Readonly<Record<Change, number>>;
}

const CHANGES: readonly Change[] = ["hold", "release", "cell", "month"];

/** Searches of a sample, so that it takes long enough to be measured, and samples. */
const SIZES: Readonly<Record<Searched, readonly [calls: number, samples: number]>> = {
  ...{ all: [1, 60], large: [20, 50], small: [100, 80], one: [500, 60] },
};
const STAYS = 97;
const STAY_NIGHTS = 3;
/** Holds, releases and updates of one night; of a month as many nights. */
const CHANGES_EACH = 30_000;
const MONTH = 30;
const ROUNDS = 7;
/** For the allocator to give back what it does not need. */
const SETTLE_MS = 2_000;

function cpuMicrosNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The `n`-th search: three nights for two. */
function queryOf(searched: Searched, n: number): SearchQuery {
  const first = TODAY + 2 + ((n * 37) % 300);
  const stay = { check_in: dateOf(first), check_out: dateOf(first + STAY_NIGHTS) };
  const asked = { stay, guests: { adults: 2, children: [] } };
  if (searched === "all") return asked;
  if (searched === "one") {
    return { ...asked, destination: { type: "property", value: supplyOf(n % 10).tree.slug } };
  }
  const value = searched === "large" ? LARGE_CITY : cityOf(0);
  return { ...asked, destination: { type: "area", value } };
}

function measureSearches(state: State, realm: Realm, searched: Searched): number {
  const scope: SearchScope = {
    ...realm,
    actor: { kind: "agent", id: "agt_benchmark" },
    nowMs: Date.now(),
  };
  const [calls, samples] = SIZES[searched];
  const queries = Array.from({ length: STAYS }, (_, n) => queryOf(searched, n));
  const micros: number[] = [];
  let [found, asked] = [0, 0];
  // As many before: the compiler is done with the code only after some dozens of large searches.
  for (let sample = -samples; sample < samples; sample += 1) {
    const before = cpuMicrosNow();
    for (let call = 0; call < calls; call += 1) {
      found += search(state, queries[asked++ % STAYS]!, scope).results.length;
    }
    if (sample >= 0) micros.push((cpuMicrosNow() - before) / calls);
  }
  if (found === 0) throw new Error("the searches found nothing");
  return summarize(micros).median;
}

interface Move extends UnitMove {
  readonly property_id: string;
  readonly room_type_id: string;
}

/** Stays of three nights at random rooms. */
function movesOf(properties: readonly PropertyEntry[], realm: Realm): Move[] {
  const random = new Random("search moves");
  return Array.from({ length: CHANGES_EACH }, () => {
    const { tree } = random.pick(properties);
    const room = random.pick(tree.room_types);
    const firstDay = TODAY + random.int(2, 300);
    return {
      ...{ ...realm, property_id: tree.id, room_type_id: room.id, agent_id: "agt_benchmark" },
      ...{ rate_plan_id: room.rate_plans[0]!.id, firstDay, nights: STAY_NIGHTS },
    };
  });
}

/** Sets nights to their present values: the measurement leaves everything as it was. */
function updateOf(state: State, move: Move, nights: number): EventOf<"ari.changed"> {
  const { property_id, room_type_id, firstDay } = move;
  const room = state.property(move, property_id)!.rooms.get(room_type_id)!;
  const inventory = Array.from({ length: nights }, (_, i) => {
    const day = dateOf(firstDay + i);
    return { room_type_id, from: day, to: day, capacity: room.capacity.get(firstDay + i) };
  });
  return { type: "ari.changed", seq: 0, data: { property_id, ari: { inventory } } };
}

/** What the fold takes for each change with the index and without it: the index costs the rest. */
function measureChanges(state: State, realm: Realm): Record<Change, number> {
  const { index, properties } = state.tenant(realm.tenant_id);
  const moves = movesOf([...properties[realm.mode].values()], realm);
  const [cells, months] = [1, MONTH].map((nights) =>
    moves.slice(0, CHANGES_EACH / nights).map((move) => updateOf(state, move, nights)),
  );
  const each = <T>(items: readonly T[], change: (item: T) => void) => {
    for (const item of items) change(item);
  };
  // A hold is taken back before the index is put back: it never misses one.
  const works: Readonly<Record<Change, () => void>> = {
    hold: () => each(moves, (move) => moveUnits(state, roomOf(state, move), move, 1, 0)),
    release: () => each(moves, (move) => moveUnits(state, roomOf(state, move), move, -1, 0)),
    cell: () => each(cells!, (update) => applyAri(state, update, realm)),
    month: () => each(months!, (update) => applyAri(state, update, realm)),
  };
  const kept = index[realm.mode];
  const taken: Record<Change, number[]> = { hold: [], release: [], cell: [], month: [] };
  for (let round = -2; round < ROUNDS; round += 1) {
    const spent: Record<Change, number> = { hold: 0, release: 0, cell: 0, month: 0 };
    for (const sign of [1, -1]) {
      index[realm.mode] = sign === 1 ? kept : null;
      for (const change of CHANGES) {
        const before = cpuMicrosNow();
        works[change]();
        spent[change] += sign * (cpuMicrosNow() - before);
      }
    }
    index[realm.mode] = kept;
    if (round >= 0) for (const change of CHANGES) taken[change].push(spent[change]);
  }
  const perNight = (change: Change, nights: number) => summarize(taken[change]).median / nights;
  return {
    hold: perNight("hold", CHANGES_EACH * STAY_NIGHTS),
    release: perNight("release", CHANGES_EACH * STAY_NIGHTS),
    cell: perNight("cell", cells!.length),
    month: perNight("month", months!.length * MONTH),
  };
}

async function measure({ journal, tenant_id }: SearchCore): Promise<CoreRun> {
  const realm: Realm = { tenant_id, mode: "live" };
  const startMs = performance.now();
  const { state } = new Replica(journal);
  indexOf(state, realm);
  const startSeconds = (performance.now() - startMs) / 1000;
  const peak = peakRssBytes(process.pid);
  Bun.gc(true);
  await Bun.sleep(SETTLE_MS);
  const settled = rssBytes(process.pid);
  const micros = (searched: Searched) => measureSearches(state, realm, searched);
  return {
    ...{ startSeconds, rssBytes: settled, peakRssBytes: peak },
    searches: {
      ...{ all: micros("all"), large: micros("large") },
      ...{ small: micros("small"), one: micros("one") },
    },
    changes: measureChanges(state, realm),
  };
}

console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]!) as SearchCore)));
