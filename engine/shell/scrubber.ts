/**
 * Reads through all that a start does not, in the worker: at its start, then once a day, or once an
 * hour where there is damage, with rests between slices of some milliseconds. What it finds is
 * told, and nothing is done about it: whoever needs a damaged row is refused by name, everybody
 * else goes on.
 *
 * Maintained invariant: what a pass has found is told until a later pass has read everything and
 * found it no more, also across starts; so a restart does not make damage look mended.
 */
import { Damage, readingJournal } from "./damage.ts";
import { BEGINNING, type Head } from "./head.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { runInSlices } from "./run-in-slices.ts";
import { openForReading } from "./schema.ts";
import { type Found, type Pass, readPass, writePass } from "./scrub-file.ts";
import {
  hasPlace,
  type ScrubTarget,
  scrubbingAids,
  scrubbingRows,
  scrubbingSegments,
} from "./scrubbing.ts";
import { every, type Log, type Service } from "./service.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_EVERY_MS = 60_000;
/** How far it is is noted this often; a worker that is killed reads so much again. */
const NOTE_EVERY_MS = 5_000;

export interface ScrubberOptions {
  readonly journalPath: string;
  readonly journalId: string;
  /** Engine time. */
  readonly now: () => number;
  /** Called with each damage when it is found, and at the start with those that are known. */
  readonly onFound: (found: Found) => void;
  readonly log: Log;
}

export class Scrubber implements Service {
  readonly id = "scrubber";
  readonly #options: ScrubberOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.run());
  #pass: Pass;
  /** A pass goes on or is due whatever the one before said: this process has ended none. */
  #isFirst = true;
  #isRunning = false;
  #isStopped = false;
  #notedAtMs = 0;

  constructor(options: ScrubberOptions) {
    this.#options = options;
    const { journalPath, journalId } = options;
    this.#pass = readPass(journalPath, journalId) ?? passOf(journalId);
  }

  /** How far it is, and all damage that is known of. */
  get pass(): Pass {
    return this.#pass;
  }

  /** All damage that is known of: of this pass and, until it has ended, of the one before. */
  get found(): readonly Found[] {
    const { found, before, endedAtMs } = this.#pass;
    const isAgain = ({ damage, text }: Found) =>
      found.some((one) => one.damage === damage && one.text === text);
    return endedAtMs === null ? [...before.filter((one) => !isAgain(one)), ...found] : found;
  }

  /** Looks now and every minute whether a pass is due. */
  start(): void {
    for (const found of this.found) this.#options.onFound(found);
    this.#timer.start();
  }

  /** Goes on with a pass, or begins one that is due; failures are logged and met again. */
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
    // A file that was copied back is to be seen soon, without a restart.
    const afterMs = found.length > 0 ? HOUR_MS : DAY_MS;
    // Below 0 the clock was set back: better once too often.
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
    for (const problem of aids) log("warn", "damage that mends itself", { problem });
    this.#note({ endedAtMs: now() });
    this.#isFirst = false;
    const ms = Math.round(performance.now() - startedMs);
    const { through, found } = this.#pass;
    log("info", "the journal was read through", { row: through, damaged: found.length, ms });
  }

  /** Segments, then the rows of the database; false when it was stopped before the end. */
  async #readThrough(of: ScrubTarget): Promise<boolean> {
    if (!(await this.#take(scrubbingSegments(of, this.#pass.place)))) return false;
    const sealed = of.journal.archivedHead();
    // Behind a damaged segment the rows of the database are read all the same.
    if (this.#pass.place.row < sealed.row) this.#note({ place: sealed });
    const { place, through } = this.#pass;
    return await this.#take(scrubbingRows(of, place, through));
  }

  /** Goes from place to place until the end or damage, which is told; false when stopped. */
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

  /** The pass that has not ended, if the journal still has its place; else a new one. */
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
      // As on a full disk: whoever is started next reads it all again, and finds the same.
    }
  }
}

/** The first one, before its first step. */
function passOf(journalId: string): Pass {
  const none = { endedAtMs: null, formerEndedAtMs: 0, found: [], before: [] };
  return { journalId, place: BEGINNING, through: 0, ...none };
}
