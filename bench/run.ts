/**
 * `npm run bench`: private copies of the whole process tree under load, one series after the other,
 * then the table, the targets, and for the peers the ratios in a form that a program can read.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCeiling } from "./ceiling.ts";
import { allFeeds, type FeedSeries, feedBuildTable, feedVerdicts, measureFeeds } from "./feeds.ts";
import { Fixture } from "./fixture.ts";
import { measureFlow } from "./flow.ts";
import {
  type HoldSeries,
  measureHolds,
  measureWithKeys,
  ratioLines,
  verdictsOf,
} from "./hold-series.ts";
import type { Timing } from "./holds.ts";
import { describeMachine, fileSystemOf } from "./machine.ts";
import { BadOption, type Options, readOptions, USAGE } from "./options.ts";
import { measureReads } from "./reads.ts";
import { type Series, table, verdictLine } from "./report.ts";
import { measureStalls, type StallSeries, stallVerdicts } from "./stalls.ts";
import { onInterrupt, undoOnSignals } from "./teardown.ts";
import { allWebhooks, measureWebhooks, type WebhookSeries, webhookVerdicts } from "./webhooks.ts";

const ROOT = join(import.meta.dir, "..");
/** The other series are shown for orientation; holds are what is judged. */
const OTHER_RUNS_MAX = 3;
/** Idempotency keys and events of a full run. */
const FULL_COUNT = 10_000_000;

const NEEDS_FIXTURE = ["reads", "flow", "stalls", "holds"] as const;

/** A directory on a disk: an fsync in memory costs nothing and would flatter every figure. */
function workDirectory(): string {
  const inMemory = fileSystemOf(realpathSync(tmpdir())).type === "tmpfs";
  const parent = process.env.BENCH_DIR ?? (inMemory ? join(ROOT, "data") : tmpdir());
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "bench-"));
  // PostgreSQL runs as a user of its own and must be able to pass through.
  chmodSync(directory, 0o711);
  return directory;
}

async function measureAll(directory: string, options: Options): Promise<void> {
  const { parts, runs, seconds } = options;
  // Every run is of new processes, whose code is compiled while they warm up.
  const timing: Timing = { seconds, warmupSeconds: seconds / 2 };
  const otherRuns = Math.min(OTHER_RUNS_MAX, runs);
  const all: Series[] = [];
  if (parts.has("generator")) all.push(...(await measureCeiling(timing, otherRuns)));
  let holds: HoldSeries | null = null;
  let stalls: StallSeries | null = null;
  if (NEEDS_FIXTURE.some((part) => parts.has(part))) {
    console.log("seeding");
    const fixture = await Fixture.make(directory);
    if (parts.has("reads")) all.push(...(await measureReads(fixture, timing, otherRuns)));
    if (parts.has("flow")) all.push(await measureFlow(fixture, timing, otherRuns));
    if (parts.has("stalls")) {
      stalls = await measureStalls(fixture, timing, otherRuns);
      all.push(...Object.values(stalls));
    }
    if (parts.has("holds")) {
      const benchmark = { fixture, directory, timing, options };
      holds = await measureHolds(benchmark);
      all.push(...holds.all);
      if (options.full) all.push(...(await measureWithKeys(benchmark, FULL_COUNT)));
    }
  }
  let webhooks: WebhookSeries | null = null;
  if (parts.has("webhooks")) {
    webhooks = await measureWebhooks(directory, timing, otherRuns);
    all.push(...allWebhooks(webhooks));
  }
  let feeds: FeedSeries | null = null;
  if (parts.has("feeds")) {
    feeds = await measureFeeds(directory, timing, otherRuns);
    all.push(...allFeeds(feeds));
    console.log(`\n${feedBuildTable(feeds)}`);
  }
  if (all.length > 0) console.log(`\n${table(all)}\n`);
  if (parts.has("core")) await runCore(directory, options);
  if (stalls) for (const verdict of stallVerdicts(stalls)) console.log(verdictLine(verdict));
  if (webhooks) for (const verdict of webhookVerdicts(webhooks)) console.log(verdictLine(verdict));
  if (feeds) for (const verdict of feedVerdicts(feeds)) console.log(verdictLine(verdict));
  if (holds === null) return;
  for (const verdict of verdictsOf(holds)) console.log(verdictLine(verdict));
  for (const line of ratioLines(holds)) console.log(line);
}

/** In a process of its own: it needs a heap that nothing else has used. */
async function runCore(directory: string, { full }: Options): Promise<void> {
  const program = join(import.meta.dir, "core.ts");
  const scale = full ? ["--keys", String(FULL_COUNT), "--events", String(FULL_COUNT)] : [];
  const child = Bun.spawn([process.execPath, program, directory, ...scale], {
    stdout: "inherit",
    stderr: "inherit",
  });
  const isEnded = onInterrupt(() => child.kill());
  const exitCode = await child.exited;
  isEnded();
  if (exitCode !== 0) throw new Error("the benchmark of the core failed");
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const directory = workDirectory();
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const isRemoved = onInterrupt(remove);
  undoOnSignals();
  try {
    console.log(describeMachine(directory).join("\n"));
    await measureAll(directory, options);
    return 0;
  } finally {
    remove();
    isRemoved();
  }
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof BadOption ? `${error.message}\n\n${USAGE}` : error);
  process.exit(error instanceof BadOption ? 2 : 1);
}
