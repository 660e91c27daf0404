/**
 * Rows of long ago leave the database while the service runs. The worker writes a segment when
 * there are rows for a whole one, in steps with rests between them; the engine, which alone may
 * write to the database, lets the rows go, a frame between two groups.
 *
 * The two meet in the directory of the segments alone: a file that has its name is whole, and the
 * next one is written when its rows have left. Either may die at any point and goes on.
 */

import {
  lastArchivable,
  nextToRemove,
  redundantSegment,
  removeRows,
  SEGMENT_SIZE,
  type SegmentSize,
  writeSegment,
} from "./archiving.ts";
import { Damage, Fenced } from "./damage.ts";
import type { Journal } from "./journal.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { runInSlices } from "./run-in-slices.ts";
import { openForReading } from "./schema.ts";
import { every, type Log, type Service } from "./service.ts";

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 60_000;
/** Between two frames that leave: some milliseconds each, with an fsync. */
const FRAME_EVERY_MS = 50;

export interface ArchiverOptions {
  readonly journalPath: string;
  readonly journalId: string;
  /** Younger rows are not sealed. */
  readonly afterDays: number;
  /** Engine time. */
  readonly now: () => number;
  readonly size?: SegmentSize;
  readonly log: Log;
}

/** Writes segments; the worker's part. */
export class Archiver implements Service {
  readonly id = "archiver";
  readonly #options: ArchiverOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.run());
  #isRunning = false;
  #isStopped = false;

  constructor(options: ArchiverOptions) {
    this.#options = options;
  }

  /** Looks now and every minute. */
  start(): void {
    this.#timer.start();
  }

  /** Writes the next segment when there are rows for a whole one; failures are logged. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    try {
      await this.#seal();
    } catch (error) {
      this.#options.log("error", "no segment was written", { error: String(error) });
    } finally {
      this.#isRunning = false;
    }
  }

  async #seal(): Promise<void> {
    const { journalPath, afterDays, now, size = SEGMENT_SIZE, log } = this.#options;
    using db = openForReading(journalPath);
    const journal = new SqliteJournalReader(db);
    const sealed = journal.archivedHead();
    const isWhole = (last: number) => last - sealed.row >= size.rows;
    if (!isWhole(journal.head().row) || nextToRemove(journalPath, sealed)) return;
    const base = { ...this.#options, journal };
    const through = lastArchivable(base, now() - afterDays * DAY_MS);
    if (!isWhole(through)) return;
    const steps = writeSegment({ ...base, through, size }, sealed);
    // Not begun, or ended early, it leaves nothing behind.
    const made = await runInSlices(steps, () => this.#isStopped);
    if (made) log("info", "rows archived", { ...made });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer.stop();
  }
}

const NOT_REMOVED = "archived rows cannot be removed from the database";

export interface ArchivedRowRemoverOptions {
  readonly journal: Journal;
  readonly journalPath: string;
  /** Another engine took over: nothing may be written any more. */
  readonly onFatal: (error: unknown) => void;
  readonly log: Log;
}

/** Lets sealed rows leave the database; the engine's part. */
export class ArchivedRowRemover implements Service {
  readonly id = "archived rows";
  readonly #options: ArchivedRowRemoverOptions;
  #timer: Timer | undefined;
  #steps: Generator<number> | null = null;

  constructor(options: ArchivedRowRemoverOptions) {
    this.#options = options;
  }

  /** Looks for a segment every minute, and lets a frame of it go twenty times a second. */
  start(): void {
    this.#timer = setTimeout(
      () => {
        if (this.step()) this.start();
      },
      this.#steps ? FRAME_EVERY_MS : LOOK_EVERY_MS,
    );
  }

  /** Lets the next frame go, if any is to; false when none may any more. */
  step(): boolean {
    const { journal, journalPath, log } = this.#options;
    try {
      if (!this.#steps) {
        const file = nextToRemove(journalPath, journal.archived);
        this.#steps = file && removeRows(journal, file);
      }
      if (this.#steps?.next().done) {
        this.#steps = null;
        log("info", "archived rows removed from the database", { row: journal.archived.row });
      }
      journal.maybeCheckpoint(performance.now());
      return true;
    } catch (error) {
      this.#steps = null;
      return this.#failed(error);
    }
  }

  /** True when it may be tried again later, as after a full disk: nothing has left. */
  #failed(error: unknown): boolean {
    const { journal, log, onFatal } = this.#options;
    const cause = journal.causeOf(error);
    if (cause instanceof Fenced) onFatal(cause);
    else log("error", NOT_REMOVED, { error: String(error), ...this.#remedyOf(cause) });
    return !(cause instanceof Fenced || cause instanceof Damage);
  }

  #remedyOf(cause: unknown) {
    const { journal, journalPath } = this.#options;
    const waste = redundantSegment(cause, journalPath, journal.archived);
    return waste ? { remedy: `remove ${waste} and restart: it is written anew` } : {};
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
