/**
 * `npm run bench`: private copies of the whole process tree under load, one part after the other,
 * then the tables, the targets, and for the peers the ratios in a form that a program can read.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../package.json";
import { paintOf } from "../src/lib/terminal.ts";
import { KEPT_MEMORY } from "../src/ops/supervisor/children.ts";
import type { Bench, Measured } from "./bench.ts";
import type { Part } from "./catalogue.ts";
import { measureCeiling } from "./ceiling.ts";
import type { CoreFigures } from "./core.ts";
import { measureFeeds } from "./feeds.ts";
import { Fixture } from "./fixture.ts";
import { measureFlow } from "./flow.ts";
import {
  measureHolds,
  measureWithKeys,
  ratioLines,
  verdictsOf,
  writerRemarks,
} from "./hold-series.ts";
import { describeMachine, fileSystemOf } from "./machine.ts";
import { BadOption, type Options, PROPERTIES, readRequest } from "./options.ts";
import { needsSeeding, planOf } from "./plan.ts";
import { duration, Progress } from "./progress.ts";
import { measureReads } from "./reads.ts";
import type { Section, Taken } from "./result.ts";
import { draw, keep } from "./results.ts";
import { measureSearch } from "./search.ts";
import { searchGroups, searchRatioLines, searchVerdicts } from "./search-series.ts";
import { measureSlowHolds, SLOW_DISK, type SlowHolds } from "./slow-disk.ts";
import { measureStalls } from "./stalls.ts";
import { tablesOf } from "./table.ts";
import { onInterrupt, undoOnSignals } from "./teardown.ts";
import { remarkOn, timingOf } from "./timing.ts";
import { measureWebhooks } from "./webhooks.ts";

const ROOT = join(import.meta.dir, "..");
/** Events of a full run, and idempotency keys present at its holds. */
const FULL_COUNT = 10_000_000;
/** Three years of 100,000 commands a day. */
const KEYS_OF_YEARS = "100000000";

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

/** One benchmark: its parts in turn, each of them kept as soon as it was measured. */
class Session {
  readonly #options: Options;
  readonly #bench: Bench;
  readonly #taken: Taken;
  readonly #ratios: string[] = [];
  readonly sections: Section[] = [];

  constructor(options: Options, bench: Bench, machine: readonly string[]) {
    const day = new Date().toISOString().slice(0, 10);
    this.#options = options;
    this.#bench = bench;
    const { command, seconds } = options;
    this.#taken = { day, version, command, seconds, machine };
  }

  /** `holds_32_ratio=…`, `search_ratio=…`: ours ÷ the peer that counts. */
  get ratios(): readonly string[] {
    return this.#ratios;
  }

  async measureAll(): Promise<void> {
    const bench = this.#bench;
    await this.#part("generator", () => measureCeiling(bench));
    if (needsSeeding(this.#options)) {
      const make = () => Fixture.make(bench.directory);
      const fixture = await bench.progress.step("seeding", "the supply that is sold", make);
      await this.#part("reads", () => measureReads(fixture, bench));
      await this.#part("flow", () => this.#flow(fixture));
      await this.#part("stalls", () => measureStalls(fixture, bench));
      await this.#part("holds", () => this.#holds(fixture));
    }
    await this.#part("search", () => this.#search());
    await this.#part("webhooks", () => measureWebhooks(bench));
    await this.#part("feeds", () => measureFeeds(bench));
    await this.#part("core", () => this.#core());
  }

  async #part(part: Part, work: () => Promise<Measured>): Promise<void> {
    const { only, out } = this.#options;
    const { progress } = this.#bench;
    if (!only.hasPart(part)) return;
    progress.takeNotes();
    const { groups, verdicts } = await work();
    const section: Section = {
      ...{ part, taken: this.#taken, groups, verdicts, remarks: progress.takeNotes() },
      isWhole: only.isWhole(part) && this.#isComplete(part),
    };
    this.sections.push(section);
    if (keep(out, section)) return;
    progress.note(`${part} was measured in part: what is kept of the whole stays as it is.`);
  }

  /** Whether all that a part is held against has taken part, and all properties were there. */
  #isComplete(part: Part): boolean {
    const { peers, before, properties } = this.#options;
    if (part === "flow") return before !== null;
    if (part === "search") return peers && properties === PROPERTIES;
    return part !== "holds" || peers;
  }

  async #search(): Promise<Measured> {
    const series = await measureSearch(this.#bench);
    this.#ratios.push(...searchRatioLines(series));
    return { groups: searchGroups(series), verdicts: searchVerdicts(series) };
  }

  async #holds(fixture: Fixture): Promise<Measured> {
    const series = await measureHolds(fixture, this.#bench);
    this.#ratios.push(...ratioLines(series));
    for (const remark of writerRemarks(series)) this.#bench.progress.note(remark);
    const slow = await this.#slowHolds(fixture);
    this.#ratios.push(...(slow?.ratioLines ?? []));
    const verdicts = [...verdictsOf(series), ...(slow?.verdicts ?? [])];
    const groups = [...series.groups, ...(slow === null ? [] : [slow.group])];
    if (!this.#options.full) return { groups, verdicts };
    const withKeys = await measureWithKeys(fixture, this.#bench, FULL_COUNT);
    return { groups: [...groups, withKeys], verdicts };
  }

  async #flow(fixture: Fixture): Promise<Measured> {
    const { group, verdicts, ratioLines } = await measureFlow(fixture, this.#bench);
    this.#ratios.push(...ratioLines);
    return { groups: [group], verdicts };
  }

  async #slowHolds(fixture: Fixture): Promise<SlowHolds | null> {
    if (!this.#options.only.has("holds", SLOW_DISK)) return null;
    return measureSlowHolds(fixture, this.#bench);
  }

  /** In a process like that of the engine: of its settings, and with a heap of its own. */
  async #core(): Promise<Measured> {
    const { directory, progress } = this.#bench;
    const program = join(import.meta.dir, "core.ts");
    const count = String(FULL_COUNT);
    const scale = this.#options.full ? ["--events", count, "--key-runs", KEYS_OF_YEARS] : [];
    const output = await progress.step("core", "deciding, making durable, restarting", async () => {
      const child = Bun.spawn([process.execPath, program, directory, ...scale], {
        env: { ...KEPT_MEMORY, ...process.env },
        stdout: "pipe",
        stderr: "inherit",
      });
      const isEnded = onInterrupt(() => child.kill());
      const text = await new Response(child.stdout).text();
      const exitCode = await child.exited;
      isEnded();
      if (exitCode !== 0) throw new Error("the benchmark of the core failed");
      return text;
    });
    const { verdicts, ratioLines, remarks } = JSON.parse(output) as CoreFigures;
    for (const remark of remarks) progress.note(remark);
    this.#ratios.push(...ratioLines);
    return { groups: [], verdicts };
  }
}

function progressOf(options: Options): Progress {
  const screen = {
    write: (text: string) => void process.stderr.write(text),
    columns: () => (process.stderr.isTTY && process.env.TERM !== "dumb" ? columnsOfStderr() : null),
  };
  return new Progress(planOf(options), screen);
}

const columnsOfStderr = () => process.stderr.columns || 80;

/** Who cannot write results should not learn it after half an hour. */
function prepareOut(out: string): void {
  try {
    draw(out);
  } catch (error) {
    throw new BadOption(`results cannot be written to ${out}: ${(error as Error).message}`);
  }
}

async function measure(options: Options): Promise<void> {
  const progress = progressOf(options);
  prepareOut(options.out);
  const directory = workDirectory();
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const isRemoved = onInterrupt(remove);
  const place = join(options.out, "RESULTS.md");
  onInterrupt(() => {
    progress.end();
    const passed = duration(progress.elapsedSeconds);
    process.stderr.write(`interrupted after ${passed}; parts that had ended are in ${place}\n`);
  });
  undoOnSignals();
  try {
    const machine = describeMachine(directory);
    const { seconds, runs, otherRuns, only, peers, before, properties } = options;
    const timing = timingOf(seconds);
    const counts = { runs: otherRuns, holdRuns: runs };
    const bench: Bench = {
      directory,
      timing,
      ...counts,
      properties,
      only,
      peers,
      before,
      progress,
    };
    const session = new Session(options, bench, machine);
    await session.measureAll();
    progress.end();
    tell(session, options, [...machine, ...remarkOn(seconds)]);
    process.stderr.write(`measured in ${duration(progress.elapsedSeconds)}; see ${place}\n`);
  } finally {
    progress.end();
    remove();
    isRemoved();
  }
}

function tell({ sections, ratios }: Session, { json }: Options, about: readonly string[]): void {
  if (json) {
    console.log(JSON.stringify({ sections }, null, 2));
    return;
  }
  const parts = [about.join("\n"), tablesOf(sections, paintOf(process.stdout, process.env))];
  console.log(
    ["", ...parts, ...(ratios.length > 0 ? [ratios.join("\n")] : [])].join("\n\n").trim(),
  );
}

async function main(): Promise<number> {
  const request = readRequest(process.argv.slice(2), process.env);
  if (request.kind === "print") process.stdout.write(request.text);
  if (request.kind === "draw") draw(request.out);
  if (request.kind === "measure") await measure(request.options);
  return 0;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof BadOption ? `bench: ${error.message}` : error);
  if (error instanceof BadOption) console.error("--help tells what it takes");
  process.exit(error instanceof BadOption ? 2 : 1);
}
