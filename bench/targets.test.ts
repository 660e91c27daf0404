/** Goal: every target is judged by the medians of the right series. */
import { expect, test } from "bun:test";
import { DOCUMENT, sampleOfBuild, WHOLE_RUN } from "./feed-builds.ts";
import { feedVerdicts } from "./feeds.ts";
import { flowFigures } from "./flow.ts";
import {
  contendersOf,
  groupsOf,
  holdRatioLines,
  holdVerdicts,
  writerRemarks,
} from "./hold-series.ts";
import { longestPauseMs } from "./hold-stream.ts";
import { isMet, type Verdict } from "./result.ts";
import { Samples, sampleOf } from "./samples.ts";
import { addDrills, percentile, scaleGroups, scaleRatioLines, scaleVerdicts } from "./scale.ts";
import { DRILL_KINDS } from "./scale-drills.ts";
import { addCoreRun, searchGroups, searchRatioLines, searchVerdicts } from "./search.ts";
import { differences, offersIn } from "./search-check.ts";
import type { CoreRun } from "./search-core.ts";
import { searchTurns } from "./search-http.ts";
import { stallVerdicts } from "./stalls.ts";
import { runOf } from "./test-run.ts";
import { webhookVerdicts } from "./webhooks.ts";

type Figures = Partial<Parameters<typeof sampleOf>[0]>;

/** Samples of `[group, series, runs…]`. */
function samplesOf(...all: readonly (readonly [string, string, ...Figures[]])[]): Samples {
  const samples = new Samples();
  for (const [group, series, ...runs] of all) {
    for (const run of runs) samples.add(group, series, sampleOf(runOf(run)));
  }
  return samples;
}

const short = (verdicts: readonly Verdict[]) =>
  verdicts.map((verdict) => {
    const { name, measured, target } = verdict;
    return [name, Number(measured.toPrecision(3)), target, isMet(verdict)];
  });

const speed = (requestsPerSecond: number, cpuMicrosPerRequest = { api: 60, engine: 30 }) => {
  return { requestsPerSecond, cpuMicrosPerRequest };
};
const THEIRS = { cpuMicrosPerRequest: { bun: 40, "redis-server": 40 } };

const HOLDS = ["32", "256"].flatMap((id) => [
  [id, "ours spread", speed(3_000)] as const,
  [id, "ours hot", speed(2_000)] as const,
  [id, "peer 2", { requestsPerSecond: 2_500, ...THEIRS }] as const,
  [id, "peer 1b", { requestsPerSecond: 900, ...THEIRS }] as const,
]);
const SLOW = [
  ["slow-disk", "ours", { ...speed(3_300), p99Ms: 30 }],
  ["slow-disk", "peer 2", speed(2_000)],
] as const;

test("holds are judged against the peers, and by the CPU of all processes and of the writer", () => {
  expect(short(holdVerdicts(samplesOf(...HOLDS, ...SLOW)))).toEqual([
    ["T1", 1.2, 0.75, true],
    ["T1", 1.2, 1, true],
    ["T1", 3.33, 3, true],
    ["T1", 3.33, 5, false],
    ["T1w", 0.75, 0.7, false],
    ["T3", 0.667, 0.9, false],
    ["T3", 0.667, 0.9, false],
    ["T4", 1.13, 1.5, true],
    ["T4", 1.13, 1, false],
    ["T2", 1.65, 1.5, true],
    ["T2", 30, 25, false],
  ]);
  const [, hot] = HOLDS;
  const alone = samplesOf(HOLDS[0]!, hot!);
  expect(holdVerdicts(alone).map(({ text }) => text)).toEqual(["hot ÷ spread, 32 connections"]);
});

test("the ratios of holds are available in a machine-readable form", () => {
  const samples = samplesOf(...HOLDS, ...SLOW, ["256", "ours hot", speed(4_000)]);
  expect(holdRatioLines(samples)).toEqual([
    ...["holds_32_ratio=1.200", "holds_256_ratio=1.200"],
    ...["holds_32_ratio_1b=3.333", "holds_256_ratio_1b=3.333", "writer_ratio=0.750"],
    // The lower one: a hot room type must keep its speed at either number of connections.
    ...["hot_ratio=0.667", "t2_ratio=1.650"],
  ]);
  expect(holdRatioLines(samplesOf(HOLDS[0]!))).toEqual([]);
});

test("a remark says from how many cores on the serial process is the limit", () => {
  const run = { cpuMicrosPerRequest: { api: 75, engine: 25 } };
  expect(writerRemarks(samplesOf(["256", "ours spread", run]))).toEqual([
    "ours spread, 256 connections: 25 of 100 µs a hold are of engine; from 4.0 cores on it is the limit, 40,000 holds a second.",
  ]);
});

test("each level of holds is a group, compared with peer 2 where peer 2 was measured", () => {
  const groups = groupsOf(samplesOf(...HOLDS, SLOW[0]));
  expect(groups.map(({ id, baseline, lines }) => [id, baseline, lines.length])).toEqual([
    ["32", "peer 2", 4],
    ["256", "peer 2", 4],
    ["slow-disk", null, 1],
  ]);
});

test("peer 1b takes part in the first rounds, and peer 2 in all of them", () => {
  const counts = [0, 1, 2].map((round) => contendersOf({ id: "32" }, round, true).length);
  expect(counts).toEqual([4, 4, 3]);
  expect(contendersOf({ id: "256" }, 0, false)).toEqual(["ours spread", "ours hot"]);
  expect(contendersOf({ id: "slow-disk" }, 0, true)).toEqual(["ours", "peer 2"]);
});

test("whole flows are compared with those of the earlier commit", () => {
  const ours = ["flow", "32 agents", speed(500), speed(600)] as const;
  const before = flowFigures(samplesOf(ours, ["flow", "before", speed(200)]), "before");
  expect(before.ratioLines).toEqual(["flow_ratio=2.750"]);
  expect(short(before.verdicts)).toEqual([["T10", 2.75, 2, true]]);
  const alone = flowFigures(samplesOf(ours), null);
  expect([alone.verdicts, alone.ratioLines, alone.groups[0]!.baseline]).toEqual([[], [], null]);
});

test("a stall is judged by the quiet p99 of the same rounds", () => {
  const p99 = (...all: number[]) => all.map((p99Ms) => ({ p99Ms }));
  const samples = samplesOf(
    ["holds", "no other is busy", ...p99(10, 12, 20)],
    ["holds", "another imports properties", ...p99(30)],
    ["holds", "another sends 512 KiB of rates in a row", ...p99(40, 44)],
  );
  expect(short(stallVerdicts(samples))).toEqual([
    ["stalls", 2.5, 3, true],
    ["stalls", 3.5, 3, false],
  ]);
});

test("deliveries are judged by their medians, holds and arrivals by those of the quiet turns", () => {
  const samples = samplesOf(
    ["holds", "nothing to deliver", speed(1_000), speed(1_000)],
    ["holds", "a backlog being delivered", speed(900)],
    ["arrivals", "all endpoints healthy", { p99Ms: 100 }],
    ["arrivals", "12 others in trouble", { p99Ms: 120 }],
  );
  for (const [speed, workerPeakMb] of [
    [2_100, 150],
    [2_500, 190],
    [1_900, 160],
  ] as const) {
    const figures = { speed, workerPeakMb };
    samples.add("drain", "a backlog of 100000 deliveries", { figures });
  }
  expect(short(webhookVerdicts(samples))).toEqual([
    ["webhooks", 2_100, 2_000, true],
    ["webhooks", 160, 200, true],
    ["webhooks", 0.9, 0.8, true],
    ["webhooks", 1.2, 1.1, false],
  ]);
});

test("feeds are judged by the medians of builds, in megabytes, and of holds beside them", () => {
  const samples = samplesOf(
    ["served", "not modified, 0 kB", speed(2_100)],
    ["holds", "no feed is built", speed(1_000)],
    ["holds", "feeds are built all the time", speed(800)],
  );
  const built = { bytes: 90e6, itineraries: 21_000, bundles: 250_000, cpuSeconds: 1 };
  const memory = { growthBytes: 40e6, peakRssBytes: 150e6 };
  for (const seconds of [1, 2, 1.5]) {
    samples.add("builds-100", DOCUMENT, sampleOfBuild({ ...built, ...memory, seconds }));
  }
  const whole = { ...built, ...memory, seconds: 1, growthBytes: 70e6 };
  samples.add("builds-100", WHOLE_RUN, sampleOfBuild(whole));
  expect(short(feedVerdicts(samples))).toEqual([
    ["T8", 60, 50, true],
    ["T8", 40, 64, true],
    ["T8", 70, 64, false],
    ["feeds", 2_100, 2_000, true],
    ["feeds", 0.8, 0.9, false],
  ]);
  expect(samples.median("builds-100", DOCUMENT, "cpuMsPerThousand")).toBeCloseTo(47.6, 1);
});

const CORE: CoreRun = {
  ...{ startSeconds: 3, rssBytes: 500e6, peakRssBytes: 700e6 },
  searches: { all: 12_000, large: 300, small: 20, one: 5 },
  changes: { hold: 0.1, release: 0.2, cell: 1.5, month: 0.1 },
};

function searchSamples(hasPeer: boolean): Samples {
  const turns = searchTurns(10_000);
  const cpu = (requestsPerSecond: number, cpuMicrosPerRequest: Record<string, number>) => {
    return { requestsPerSecond, cpuMicrosPerRequest };
  };
  const runs = {
    small: cpu(11_000, { api: 90 }),
    same: cpu(10_500, { api: 90 }),
    large: cpu(9_900, { api: 94, worker: 5 }),
    city: cpu(400, { api: 2_000 }),
    quotes: cpu(9_000, { api: 60, "redis-server": 20 }),
    offers: cpu(5_000, { api: 200 }),
    ...(hasPeer && {
      peer: cpu(990, { postgres: 1_000, node: 300 }),
      "peer city": cpu(40, { postgres: 20_000 }),
    }),
  };
  const samples = samplesOf(
    ...Object.entries(runs).map(([turn, run]) => {
      const { group, name } = turns[turn as keyof typeof turns];
      return [group, name, run] as const;
    }),
  );
  for (const startSeconds of [3, 5, 3]) addCoreRun(samples, 10_000, { ...CORE, startSeconds });
  samples.add("imported", "imported", { figures: { startSeconds: 60 } });
  return samples;
}

test("every target of search has its verdict, by the medians", () => {
  const verdicts = searchVerdicts(searchSamples(false), 10_000);
  expect(verdicts.map(({ name, measured }) => [name, measured])).toEqual([
    ...[9_900, 99, 1, 99 / 90].map((measured) => ["R1", measured]),
    ...[12, 300].map((measured) => ["R2", measured]),
    ...[500, 3, 60].map((measured) => ["R3", measured]),
    ...[80, 200].map((measured) => ["R4", measured]),
    ...[0.1, 0.2, 1.5, 0.1].map((measured) => ["R5", measured]),
  ]);
});

test("searches have ratios and a base where the peer took part", () => {
  expect(searchRatioLines(searchSamples(false), 10_000)).toEqual([]);
  const beside = searchSamples(true);
  expect(searchRatioLines(beside, 10_000)).toEqual([
    ...["search_ratio=10.000", "search_500_ratio=10.000", "search_core_ratio=50.000"],
  ]);
  const groups = searchGroups(beside, 10_000);
  expect(groups.map(({ id, baseline, lines }) => [id, baseline, lines.length])).toEqual([
    ["20", "PostgreSQL", 4],
    ["500", "PostgreSQL", 2],
    ["offers", null, 2],
    ["core", "a destination of 20", 4],
    ["index", "a hold", 4],
    ["replica", null, 1],
  ]);
});

test("an offer that only one side has, or has at another price, is found", () => {
  const offer = (amount: number) => ({
    hotel_id: "h",
    best_offer: {
      ...{ room_type_id: "r", rate_plan_id: "p" },
      price_per_night: { amount, currency: "EUR" },
    },
  });
  const own = offersIn([offer(100), offer(90)]);
  expect(differences(own, offersIn([offer(90), offer(100)]))).toEqual([]);
  expect(differences(own, offersIn([offer(90), offer(101)]))).toEqual([
    ...["only ours: h r p 100 EUR", "only the peer's: h r p 101 EUR"],
  ]);
});

const SHARED = "PostgreSQL and a standby";
const drill = (firstMs: number, lost = 0) => ({ firstMs, pauseMs: 900, waitMs: 2_000, lost });

function scaleSamples(): Samples {
  const samples = samplesOf(
    ["lone", "embedded", { p50Ms: 1, p99Ms: 4 }],
    ["lone", SHARED, { p50Ms: 2, p99Ms: 16 }],
    ["many", "embedded", speed(3_000)],
    ["many", SHARED, speed(1_200)],
    ["search", "embedded", speed(1_000)],
    ["search", SHARED, speed(960)],
  );
  const [killed, suspended, database, handover] = DRILL_KINDS;
  addDrills(samples, killed!, [drill(2_100), drill(2_300)]);
  addDrills(samples, suspended!, [drill(2_100), drill(3_300), drill(2_200)]);
  addDrills(samples, database!, [drill(4_000, 1)]);
  addDrills(samples, handover!, [drill(5)]);
  return samples;
}

test("several machines are judged against one, and by the slowest of a few takeovers", () => {
  expect(short(scaleVerdicts(scaleSamples())).map(([, ...each]) => each)).toEqual([
    [2, 3, true],
    [4, 3, false],
    [0.4, 0.5, false],
    [0.96, 0.95, true],
    [2_300, 3_000, true],
    [3_300, 3_000, false],
    [4_000, 5_000, true],
    [900, 1_000, true],
    ...[
      [0, 0, true],
      [0, 0, true],
      [1, 0, false],
      [0, 0, true],
    ],
  ]);
  expect(scaleRatioLines(scaleSamples())).toEqual([
    ...["scale_lone_p50_ratio=2.000", "scale_lone_p99_ratio=4.000"],
    ...["scale_holds_ratio=0.400", "scale_search_ratio=0.960"],
  ]);
  const sizes = scaleGroups(scaleSamples()).map(({ id, lines }) => `${id} ${lines.length}`);
  expect(sizes).toEqual(["lone 2", "many 2", "search 2", "first 3", "pauses 1", "waits 4"]);
});

test("a percentile is one of the values, and a pause may have no acknowledgement at its ends", () => {
  const values = [5, 1, 4, 2, 3];
  expect([0.5, 0.99].map((share) => percentile(values, share))).toEqual([3, 5]);
  const acknowledged = [5, 30, 20, 90].map((endedMs) => ({ endedMs }));
  expect(longestPauseMs(acknowledged, 10, 40)).toBe(10);
  expect(longestPauseMs(acknowledged, 31, 89)).toBe(58);
});
