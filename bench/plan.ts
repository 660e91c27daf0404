/** The steps of a benchmark, for the estimate of the remaining time. */
import { CEILING_CONNECTIONS } from "./ceiling.ts";
import { SIZES } from "./feed-builds.ts";
import { FEED_HOLD_TURNS, SERVED } from "./feeds.ts";
import { contendersOf, LEVELS } from "./hold-series.ts";
import type { Options } from "./options.ts";
import { CONSOLE_TURNS, PAGE_KINDS } from "./pages.ts";
import type { Stage } from "./progress.ts";
import { READS } from "./reads.ts";
import { LOADS, SIDES } from "./scale.ts";
import { DRILL_KINDS, drillsOf } from "./scale-drills.ts";
import { PREPARING_STEPS } from "./search-fixture.ts";
import { turnsOf } from "./search-http.ts";
import { STALL_TURNS } from "./stalls.ts";
import { WEBHOOK_TURNS } from "./webhooks.ts";

const PAGES = Object.keys(PAGE_KINDS).length;

/** Parts that start from the installation that is seeded first. */
const SEEDED = ["reads", "flow", "stalls", "pages", "holds", "scale"] as const;

export function needsSeeding({ only }: Pick<Options, "only">): boolean {
  return SEEDED.some((part) => only.hasPart(part));
}

/** Seconds on a machine of two cores: first estimates, which the first steps correct. */
const SEED = 12;
const COPY = 4;
const PAGE = 3;
const SHOWN = 12;
const PEER = 7;
const PEER_FILL = 77;
const KEYS = 600;
const EVENTS = 45;
const DRAIN = 40;
const FILL = 15;
const SEARCH_CORE = 25;
const IMPORT = 60;
const CORE = 200;
const FULL_CORE = 500;
const BUILD = { 100: 8, 1000: 30 } as const;

function holdStages({ only, holdRuns, peers, full }: Options, run: number): Stage[] {
  const levels = LEVELS.filter(({ id }) => only.has("holds", id));
  const rounds = Array.from({ length: holdRuns }, (_, round) => round);
  const stages = levels.map((level): Stage => {
    const steps = rounds.flatMap((round) => contendersOf(level, round, peers)).length;
    return { name: level.stage, steps, stepSeconds: run + (peers ? PEER : COPY) };
  });
  // Both numbers of connections are one stage.
  const merged = Map.groupBy(stages, ({ name }) => name);
  const keyed = full ? holdRuns * levels.filter(({ wrapper }) => wrapper.length === 0).length : 0;
  return [
    ...[...merged.values()].map((all) => ({
      ...all[0]!,
      steps: all.reduce((sum, { steps }) => sum + steps, 0),
    })),
    {
      ...{ name: "holds with keys", steps: keyed > 0 ? keyed + 1 : 0 },
      stepSeconds: run + KEYS / (keyed + 1),
    },
  ];
}

function scaleStages(options: Options, run: number): Stage[] {
  const { only, holdRuns } = options;
  const loads = Object.values(LOADS).filter(({ series }) => only.has("scale", series));
  const drills = DRILL_KINDS.filter(({ series }) => only.has("scale", series));
  return [
    { name: "scale, seeding", steps: only.hasPart("scale") ? 1 : 0, stepSeconds: SEED },
    { name: "scale", steps: loads.length * SIDES.length * holdRuns, stepSeconds: run + COPY * 2 },
    ...drills.map((kind) => {
      const { stage, stepSeconds } = kind;
      return { name: stage, steps: drillsOf(kind, options), stepSeconds };
    }),
  ];
}

/** Every stage of a benchmark, in the order in which it is measured. */
export function planOf(options: Options): Stage[] {
  const { only, seconds, holdRuns, runs, peers, before, full } = options;
  const run = (seconds * 4) / 3;
  const has = (part: Parameters<typeof only.hasPart>[0], steps: number) =>
    only.hasPart(part) ? steps : 0;
  const count = (part: Parameters<typeof only.has>[0], names: readonly (string | number)[]) =>
    names.filter((name) => only.has(part, String(name))).length;
  const served = Object.keys(SERVED).length + FEED_HOLD_TURNS.length;
  const stages: readonly (Stage | readonly [string, steps: number, stepSeconds: number])[] = [
    ["generator", count("generator", CEILING_CONNECTIONS) * runs, run],
    ["seeding", needsSeeding(options) ? 1 : 0, SEED],
    ["reads", count("reads", Object.keys(READS)) * runs, run + 1],
    ["flow, seeding", has("flow", before === null ? 0 : 1), SEED],
    ["flow", has("flow", holdRuns * (before === null ? 1 : 2)), run + COPY],
    ["stalls", has("stalls", runs * STALL_TURNS.length), run + COPY],
    ["pages", count("pages", ["server"]) * PAGES * runs, PAGE],
    ["pages, browser", count("pages", ["browser"]) * (PAGES + 1) * runs, SHOWN],
    ["pages, consoles", count("pages", ["consoles"]) * CONSOLE_TURNS.length * runs, run + COPY],
    ...scaleStages(options, run),
    ...holdStages(options, run),
    ["search, preparing", has("search", PREPARING_STEPS), FILL],
    ["search, core", count("search", ["core"]) * runs, SEARCH_CORE],
    ["search, peer", peers ? count("search", ["http"]) : 0, PEER_FILL],
    ["search", count("search", ["http"]) * runs * turnsOf(peers).length, run],
    ["search, import", count("search", ["import"]), IMPORT],
    ["webhooks, preparing", has("webhooks", 1), EVENTS],
    ["webhooks, backlog", has("webhooks", runs), DRAIN],
    ["webhooks", has("webhooks", runs * WEBHOOK_TURNS), run + COPY],
    ["feeds, preparing", has("feeds", SIZES.length + 1), SEED],
    ...SIZES.map((size) => [`builds of ${size}`, has("feeds", runs * 2), BUILD[size]] as const),
    ["feeds", has("feeds", runs * served), run + COPY],
    ["core", has("core", 1), full ? FULL_CORE : CORE],
  ];
  return stages
    .map((stage): Stage => {
      if ("name" in stage) return stage;
      const [name, steps, stepSeconds] = stage;
      return { name, steps, stepSeconds };
    })
    .filter(({ steps }) => steps > 0);
}
