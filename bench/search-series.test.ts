/** Goal: searches are judged by the medians of their runs, and told beside the peer's. */
import { expect, test } from "bun:test";
import { differences, offersIn } from "./search-check.ts";
import {
  type SearchSeries,
  searchGroups,
  searchRatioLines,
  searchVerdicts,
} from "./search-series.ts";
import type { CoreRun } from "./search-tasks.ts";
import type { Turn } from "./search-turns.ts";
import { runOf } from "./test-run.ts";

const search = (micros: number) => ({ micros, found: 1 });

const CORE: CoreRun = {
  ...{ startSeconds: 3, indexSeconds: 1, rssBytes: 500e6, peakRssBytes: 700e6 },
  searches: { all: search(12_000), large: search(300), small: search(20), one: search(5) },
  changes: { hold: 0.1, release: 0.2, cell: 1.5, month: 0.1 },
};

const run = (requestsPerSecond: number, cpu: Readonly<Record<string, number>>) =>
  runOf({ requestsPerSecond, cpuMicrosPerRequest: cpu });

const TURNS: readonly (readonly [Turn, ReturnType<typeof run>])[] = [
  ["small", run(11_000, { api: 90 })],
  ["same", run(10_500, { api: 90 })],
  ["large", run(9_900, { api: 94, worker: 5 })],
  ["city", run(400, { api: 2_000 })],
  ["quotes", run(9_000, { api: 60, "redis-server": 20 })],
  ["offers", run(5_000, { api: 200 })],
];
const PEER_TURNS: typeof TURNS = [
  ["peer", run(990, { postgres: 1_000, node: 300 })],
  ["peer city", run(40, { postgres: 20_000 })],
];

function seriesOf(turns: typeof TURNS, over: Partial<SearchSeries> = {}): SearchSeries {
  return {
    ...{ properties: 10_000, core: [CORE, { ...CORE, startSeconds: 5 }, CORE] },
    http: {
      runs: new Map(turns.map(([turn, one]) => [turn, [one]])),
      api: { rssBytes: 6e8, peakRssBytes: 8e8 },
    },
    imported: { properties: 10_000, seconds: 60 },
    ...over,
  };
}

test("every target of search has its verdict, by the medians", () => {
  const told = searchVerdicts(seriesOf(TURNS)).map(({ name, measured }) => [name, measured]);
  expect(told).toEqual([
    ...[9_900, 99, 1, 99 / 90].map((measured) => ["R1", measured]),
    ...[12, 300].map((measured) => ["R2", measured]),
    ...[500, 3, 60].map((measured) => ["R3", measured]),
    ...[80, 200].map((measured) => ["R4", measured]),
    ...[0.1, 0.2, 1.5, 0.1].map((measured) => ["R5", measured]),
  ]);
});

test("ratios are told where the peer took part, and what was not measured is not judged", () => {
  expect(searchRatioLines(seriesOf(TURNS))).toEqual([]);
  expect(searchRatioLines(seriesOf([...TURNS, ...PEER_TURNS]))).toEqual([
    ...["search_ratio=10.000", "search_500_ratio=10.000", "search_core_ratio=50.000"],
  ]);
  const none = seriesOf([], { core: [], http: null, imported: null });
  expect([searchVerdicts(none), searchGroups(none), searchRatioLines(none)]).toEqual([[], [], []]);
});

test("ours are held against the peer's, destination by destination", () => {
  const groups = searchGroups(seriesOf([...TURNS, ...PEER_TURNS]));
  expect(groups.map(({ id, baseline, lines }) => [id, baseline, lines.length])).toEqual([
    ["20", "PostgreSQL", 4],
    ["500", "PostgreSQL", 2],
    ["offers", null, 2],
    ["core", "a destination of 20", 4],
    ["index", "a hold", 4],
    ["replica", null, 2],
  ]);
});

test("an offer that only one of the two has, or has at another price, is found", () => {
  const offer = (amount: number, rate_plan_id = "p") => ({
    hotel_id: "h",
    best_offer: {
      ...{ room_type_id: "r", rate_plan_id },
      price_per_night: { amount, currency: "EUR" },
    },
  });
  const own = offersIn([offer(100), offer(90)]);
  expect(differences(own, offersIn([offer(90), offer(100)]))).toEqual([]);
  expect(differences(own, offersIn([offer(90), offer(101)]))).toEqual([
    ...["only ours: h r p 100 EUR", "only the peer's: h r p 101 EUR"],
  ]);
  expect(differences(own, offersIn([offer(90)]))).toHaveLength(1);
});
