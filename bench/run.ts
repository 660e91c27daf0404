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
import { outputOf } from "./child.ts";
import type { CoreFigures } from "./core.ts";
import { measureFeeds } from "./feeds.ts";
import { Fixture } from "./fixture.ts";
import { measureFlow } from "./flow.ts";
import { measureHolds } from "./hold-series.ts";
import { describeMachine, fileSystemOf } from "./machine.ts";
import { BadOption, DRILLS, type Options, PROPERTIES, readRequest } from "./options.ts";
import { measurePages } from "./pages.ts";
import { needsSeeding, planOf } from "./plan.ts";
import { duration, Progress } from "./progress.ts";
import { draw, keep } from "./publish.ts";
import { measureReads } from "./reads.ts";
import type { Section, Taken } from "./result.ts";
import { measureScale } from "./scale.ts";
import { measureSearch } from "./search.ts";
import { measureStalls } from "./stalls.ts";
import { tablesOf } from "./table.ts";
import { onInterrupt, undoOnSignals } from "./teardown.ts";
import { remarkOn, timingOf } from "./timing.ts";
import { measureWebhooks } from "./webhooks.ts";

const ROOT = join(import.meta.dir, "..");
/** Replayed events. */
const EVENTS = 1_000_000;
const FULL_EVENTS = 10_000_000;

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

/** The parts in turn, each of them kept as soon as it was measured. */
class Session {
  readonly #bench: Bench;
  readonly #taken: Taken;
  readonly sections: Section[] = [];
  /** `holds_32_ratio=…` and others, for programs. */
  readonly ratioLines: string[] = [];
  readonly #failures: Error[] = [];

  constructor(bench: Bench, machine: readonly string[]) {
    const day = new Date().toISOString().slice(0, 10);
    const { command, seconds } = bench;
    this.#bench = bench;
    this.#taken = { day, version, command, seconds, machine };
  }

  /** Throws an AggregateError, after all parts, when series of some of them failed. */
  async measureAll(): Promise<void> {
    const bench = this.#bench;
    await this.#part("generator", () => measureCeiling(bench));
    if (needsSeeding(bench)) {
      const make = () => Fixture.make(bench.directory);
      const fixture = await bench.progress.step("seeding", "the supply that is sold", make);
      await this.#part("reads", () => measureReads(fixture, bench));
      await this.#part("flow", () => measureFlow(fixture, bench));
      await this.#part("stalls", () => measureStalls(fixture, bench));
      await this.#part("pages", () => measurePages(fixture, bench));
      // Before holds, which may add keys to the fixture.
      await this.#part("scale", () => measureScale(fixture, bench));
      await this.#part("holds", () => measureHolds(fixture, bench));
    }
    await this.#part("search", () => measureSearch(bench));
    await this.#part("webhooks", () => measureWebhooks(bench));
    await this.#part("feeds", () => measureFeeds(bench));
    await this.#part("core", () => measureCore(bench));
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, "some series failed");
  }

  async #part(part: Part, work: () => Promise<Measured>): Promise<void> {
    const { progress, only, out } = this.#bench;
    if (!only.hasPart(part)) return;
    progress.takeNotes();
    const { groups, verdicts, ratioLines = [], failures = [] } = await work();
    // What cannot be measured on this machine was said in a note.
    if (groups.length === 0 && verdicts.length === 0 && failures.length === 0) return;
    const section: Section = {
      ...{ part, taken: this.#taken, groups, verdicts, remarks: progress.takeNotes() },
      isWhole: only.isWhole(part) && isComplete(part, this.#bench) && failures.length === 0,
    };
    this.sections.push(section);
    this.ratioLines.push(...ratioLines);
    if (!keep(out, section)) {
      progress.note(`${part} was measured in part: the kept figures of the whole stay.`);
    }
    this.#failures.push(...failures);
  }
}

/** Whether everything that a part is compared with took part, and all properties were there. */
function isComplete(part: Part, { peers, before, properties, drills }: Options): boolean {
  if (part === "flow") return before !== null;
  if (part === "search") return peers && properties === PROPERTIES;
  if (part === "scale") return drills >= DRILLS;
  return part !== "holds" || peers;
}

/** In a process with the settings of the engine's, and a heap of its own. */
function measureCore({ directory, progress, full }: Bench): Promise<Measured> {
  const program = join(import.meta.dir, "core.ts");
  const args = [directory, String(full ? FULL_EVENTS : EVENTS)];
  return progress.step("core", "deciding, making durable, restarting", async () => {
    const env = { ...KEPT_MEMORY, ...process.env };
    const figures = JSON.parse(await outputOf(program, { args, env })) as CoreFigures;
    return { groups: [], ...figures };
  });
}

function progressOf(options: Options): Progress {
  const screen = {
    write: (text: string) => void process.stderr.write(text),
    columns: () => (process.stderr.isTTY && process.env.TERM !== "dumb" ? columnsOfStderr() : null),
  };
  return new Progress(planOf(options), screen);
}

const columnsOfStderr = () => process.stderr.columns || 80;

/** Fails before anything is measured when results cannot be written. */
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
    const timing = timingOf(options.seconds);
    const session = new Session({ ...options, directory, timing, progress }, machine);
    try {
      await session.measureAll();
    } finally {
      progress.end();
      print(session, options, [...machine, ...remarkOn(options.seconds)]);
    }
    process.stderr.write(`measured in ${duration(progress.elapsedSeconds)}; see ${place}\n`);
  } finally {
    progress.end();
    remove();
    isRemoved();
  }
}

function print(session: Session, { json }: Options, about: readonly string[]): void {
  const { sections, ratioLines } = session;
  if (json) {
    console.log(JSON.stringify({ sections }, null, 2));
    return;
  }
  const tables = tablesOf(sections, paintOf(process.stdout, process.env));
  console.log([about.join("\n"), tables, ratioLines.join("\n")].join("\n\n").trim());
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
  if (error instanceof BadOption) console.error("--help lists the options");
  process.exit(error instanceof BadOption ? 2 : 1);
}
