/** Which steps a run of the benchmark consists of, for the estimate of what is left. */
import { CEILING_CONNECTIONS } from "./ceiling.ts";
import { buildCount, SIZES } from "./feed-builds.ts";
import { HOLD_TURNS as FEED_HOLD_TURNS, SERVED } from "./feed-turns.ts";
import { CONNECTIONS, contendersOf } from "./hold-series.ts";
import type { Options } from "./options.ts";
import type { Stage } from "./progress.ts";
import { READS } from "./reads.ts";
import { PREPARING, PREPARING_STEPS } from "./search-fixture.ts";
import { IMPORT_STEPS, PEER_FILL_STEPS } from "./search-tasks.ts";
import { turnsOf } from "./search-turns.ts";
import { SLOW_DISK, STAGE as SLOW_STAGE, sidesOf } from "./slow-disk.ts";
import { STALL_TURNS } from "./stalls.ts";
import { ARRIVAL_TURNS, HOLD_TURNS } from "./webhook-turns.ts";

/** Parts that start from the installation that is seeded first. */
const SEEDED = ["reads", "flow", "stalls", "holds"] as const;

export function needsSeeding({ only }: Pick<Options, "only">): boolean {
  return SEEDED.some((part) => only.hasPart(part));
}

/** Seconds that something took on a machine of two cores; only a first guess for another one. */
const SEED = 12;
const STEPS = 25;
const COPY = 4;
const PEER = 7;
const KEYS = 600;
const EVENTS = 45;
const DRAIN = 40;
const FILL = 4;
const SEARCH_CORE = 25;
const IMPORT_TENTH = 6;
const CORE = 200;
const FULL_CORE = 700;
const BUILD_SECONDS = { 100: 8, 1000: 30 } as const;

/** Every stage of a run, in the order in which it is measured. */
export function planOf(options: Options): Stage[] {
  const { only, seconds, runs, otherRuns: few, peers, before, full } = options;
  const run = (seconds * 4) / 3;
  const reads = Object.keys(READS).filter((name) => only.has("reads", name)).length;
  const ceilings = CEILING_CONNECTIONS.filter((n) => only.has("generator", String(n))).length;
  const connections = CONNECTIONS.filter((n) => only.has("holds", String(n))).length;
  const contenders = Array.from({ length: runs }, (_, round) => contendersOf(round, peers).length);
  const holds = contenders.reduce((sum, count) => sum + count, 0) * connections;
  const slowHolds = only.has("holds", SLOW_DISK) ? runs * sidesOf(peers).length : 0;
  const flows = only.hasPart("flow") ? runs * (before === null ? 1 : 2) : 0;
  const keyRuns = full ? runs * connections : 0;
  const stage = (name: string, steps: number, stepSeconds: number): Stage[] =>
    steps > 0 ? [{ name, steps, stepSeconds }] : [];
  return [
    ...stage("generator", ceilings * few, run),
    ...stage("seeding", needsSeeding(options) ? 1 : 0, SEED),
    ...stage("reads", reads * few, run + COPY / Math.max(1, reads)),
    ...stage("steps of a hold", only.has("reads", "steps") ? 1 : 0, STEPS),
    ...stage("flow, seeding", flows > runs ? 1 : 0, SEED),
    ...stage("flow", flows, run + COPY),
    ...stage("stalls", only.hasPart("stalls") ? few * STALL_TURNS.length : 0, run + COPY),
    ...stage("holds", holds, run + (peers ? PEER : COPY)),
    ...stage(SLOW_STAGE, slowHolds, run + (peers ? PEER : COPY)),
    ...stage("holds with keys", keyRuns > 0 ? keyRuns + 1 : 0, run + KEYS / (keyRuns + 1)),
    ...(only.hasPart("search") ? searchStages(options, { runs: few, run }) : []),
    ...(only.hasPart("webhooks")
      ? [
          ...stage("webhooks, preparing", 1, EVENTS),
          ...stage("webhooks, backlog", few, DRAIN),
          ...stage("webhooks", few * (HOLD_TURNS.length + ARRIVAL_TURNS.length), run + COPY),
        ]
      : []),
    ...(only.hasPart("feeds") ? feedStages(few, run) : []),
    ...stage("core", only.hasPart("core") ? 1 : 0, full ? FULL_CORE : CORE),
  ];
}

function searchStages({ only, peers }: Options, { runs, run }: Record<"runs" | "run", number>) {
  const has = (name: string) => only.has("search", name);
  const peerSteps = has("http") && peers ? PEER_FILL_STEPS : 0;
  return [
    { name: PREPARING, steps: PREPARING_STEPS, stepSeconds: FILL },
    { name: "search, core", steps: has("core") ? runs : 0, stepSeconds: SEARCH_CORE },
    { name: "search, peer", steps: peerSteps, stepSeconds: PEER },
    { name: "search", steps: has("http") ? runs * turnsOf(peers).length : 0, stepSeconds: run },
    { name: "search, import", steps: has("import") ? IMPORT_STEPS : 0, stepSeconds: IMPORT_TENTH },
  ].filter(({ steps }) => steps > 0);
}

function feedStages(runs: number, run: number): Stage[] {
  const builds = SIZES.map((size) => {
    const steps = runs * buildCount(size);
    return { name: `builds of ${size}`, steps, stepSeconds: BUILD_SECONDS[size] };
  });
  const turns = SERVED.length + FEED_HOLD_TURNS.length;
  return [
    { name: "feeds, preparing", steps: SIZES.length + 1, stepSeconds: SEED },
    ...builds,
    { name: "feeds", steps: runs * turns, stepSeconds: run + COPY },
  ];
}
