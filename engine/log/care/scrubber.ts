/**
 * The scrubber, in the worker: reads all data that a start skips, at its own start, then once a
 * day, or hourly while there is damage, in slices with pauses. Findings are only reported: calls
 * that need a damaged row are refused, all others work.
 *
 * Maintained invariant: a finding is reported until a later complete pass no longer finds it, also
 * across restarts.
 */

import { runInSlices } from "../../../src/lib/run-in-slices.ts";
import { every, type Log, type Service } from "../../../src/lib/service.ts";
import { Damage } from "../../core/damage.ts";
import { BEGINNING, type Head } from "../head.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { openForReading } from "../schema.ts";
import { readingJournal } from "./damage.ts";
import { type Found, type Pass, readPass, writePass } from "./scrub-file.ts";
import {
  hasPlace,
  type ScrubTarget,
  scrubbingAids,
  scrubbingRows,
  scrubbingSegments,
} from "./scrubbing.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_EVERY_MS = 60_000;
/** Interval of writing the progress; a killed worker repeats this much. */
const NOTE_EVERY_MS = 5_000;

export interface ScrubberOptions {
  readonly journalPath: string;
  readonly journalId: string;
  /** Engine time. */
  readonly now: () => number;
  /** Called with each finding, and at the start with known ones. */
  readonly onFound: (found: Found) => void;
  readonly log: Log;
}

export class Scrubber implements Service {
  readonly id = "scrubber";
  readonly #options: ScrubberOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.run());
  #pass: Pass;
  /** The first pass of a process is always due. */
  #isFirst = true;
  #isRunning = false;
  #isStopped = false;
  #notedAtMs = 0;

  constructor(options: ScrubberOptions) {
    this.#options = options;
    const { journalPath, journalId } = options;
    this.#pass = readPass(journalPath, journalId) ?? passOf(journalId);
  }

  /** Progress, and all known damage. */
  get pass(): Pass {
    return this.#pass;
  }

  /** All known damage: of this pass and, until it ends, of the one before. */
  get found(): readonly Found[] {
    const { found, before, endedAtMs } = this.#pass;
    const isAgain = ({ damage, text }: Found) =>
      found.some((one) => one.damage === damage && one.text === text);
    return endedAtMs === null ? [...before.filter((one) => !isAgain(one)), ...found] : found;
  }

  /** Checks now and every minute whether a pass is due. */
  start(): void {
    for (const found of this.found) this.#options.onFound(found);
    this.#timer.start();
  }

  /** Continues or begins a pass that is due; failures are logged and tried again. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#isStopped || !this.#isDue()) return;
    this.#isRunning = true;
    try {
      await this.#scrub();
    } catch (error) {
      this.#options.log("error", "the journal was not read through", { error: String(error) });
    } finally {
      this.#isRunning = false;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer.stop();
  }

  #isDue(): boolean {
    const { endedAtMs, found } = this.#pass;
    if (this.#isFirst || endedAtMs === null) return true;
    const agoMs = this.#options.now() - endedAtMs;
    // A file that was copied back is noticed within an hour, without a restart.
    const afterMs = found.length > 0 ? HOUR_MS : DAY_MS;
    // Negative: the clock was set back; one pass too many does no harm.
    return agoMs >= afterMs || agoMs < 0;
  }

  async #scrub(): Promise<void> {
    const { journalPath, journalId, log, now } = this.#options;
    const startedMs = performance.now();
    using db = openForReading(journalPath);
    const journal = new SqliteJournalReader(db);
    const of = { journalPath, journalId, journal };
    this.#pass = this.#nextPass(journal);
    const isWhole = await this.#readThrough(of);
    const aids = isWhole && (await runInSlices(scrubbingAids(of), () => this.#isStopped));
    if (!aids) return;
    for (const problem of aids) log("warn", "damage repaired without an operator", { problem });
    this.#note({ endedAtMs: now() });
    this.#isFirst = false;
    const ms = Math.round(performance.now() - startedMs);
    const { through, found } = this.#pass;
    log("info", "the journal was read through", { row: through, damaged: found.length, ms });
  }

  /** Reads segments, then the rows of the database; false when stopped before the end. */
  async #readThrough(of: ScrubTarget): Promise<boolean> {
    if (!(await this.#take(scrubbingSegments(of, this.#pass.place)))) return false;
    const archived = of.journal.archivedHead();
    // After a damaged segment the rows of the database are still read.
    if (this.#pass.place.row < archived.row) this.#note({ place: archived });
    const { place, through } = this.#pass;
    return await this.#take(scrubbingRows(of, place, through));
  }

  /** Takes steps until the end or damage, which is reported; false when stopped. */
  async #take(steps: Generator<Head, void>): Promise<boolean> {
    try {
      return (await runInSlices(this.#noting(steps), () => this.#isStopped)) !== null;
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.#report(error);
      return true;
    }
  }

  #report({ damage, text }: Damage): void {
    const found = { damage, text };
    this.#options.onFound(found);
    this.#note({ found: [...this.#pass.found, found] });
  }

  *#noting(steps: Generator<Head, void>): Generator<Head, true> {
    for (;;) {
      const { done, value } = readingJournal(() => steps.next());
      if (done) return true;
      const isTime = performance.now() - this.#notedAtMs >= NOTE_EVERY_MS;
      if (isTime) this.#note({ place: value });
      else this.#pass = { ...this.#pass, place: value };
      yield value;
    }
  }

  /** The unfinished pass, if the journal still has its position; otherwise a new one. */
  #nextPass(journal: SqliteJournalReader): Pass {
    const { place, endedAtMs } = this.#pass;
    const isBegun = endedAtMs === null && place.row > 0;
    if (isBegun && hasPlace(journal, place)) return this.#pass;
    const formerEndedAtMs = endedAtMs ?? this.#pass.formerEndedAtMs;
    const { row: through } = journal.head();
    const pass = passOf(this.#options.journalId);
    return { ...pass, through, formerEndedAtMs, before: this.found };
  }

  #note(change: Partial<Pass>): void {
    this.#pass = { ...this.#pass, ...change };
    this.#notedAtMs = performance.now();
    try {
      writePass(this.#options.journalPath, this.#pass);
    } catch {
      // As on a full disk: the next worker reads it all again and finds the same.
    }
  }
}

function passOf(journalId: string): Pass {
  const none = { endedAtMs: null, formerEndedAtMs: 0, found: [], before: [] };
  return { journalId, place: BEGINNING, through: 0, ...none };
}
