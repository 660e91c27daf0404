/**
 * The services that archive while others work: the worker writes a segment when there are enough
 * rows, in steps with pauses; the engine, the only writer of the database, removes the rows, a
 * frame between two groups. They share only the directory of segments: a file with a segment's name
 * is complete, and the next one is written when its rows are removed.
 */

import { runInSlices } from "../../../src/lib/run-in-slices.ts";
import { every, type Log, type Service } from "../../../src/lib/service.ts";
import { Damage } from "../../core/damage.ts";
import { Fenced } from "../care/damage.ts";
import type { Journal } from "../journal.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { openForReading } from "../schema.ts";
import {
  lastArchivable,
  nextToRemove,
  redundantSegment,
  removeRows,
  SEGMENT_SIZE,
  type SegmentSize,
  writeSegment,
} from "./archiving.ts";

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 60_000;
/** Pause between two frames; each takes some milliseconds, with an fsync. */
const FRAME_EVERY_MS = 50;

export interface ArchiverOptions {
  readonly journalPath: string;
  readonly journalId: string;
  /** Younger rows are not archived. */
  readonly afterDays: number;
  /** Engine time. */
  readonly now: () => number;
  readonly size?: SegmentSize;
  readonly log: Log;
}

/** Writes segments; runs in the worker. */
export class Archiver implements Service {
  readonly id = "archiver";
  readonly #options: ArchiverOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.run());
  #isRunning = false;
  #isStopped = false;

  constructor(options: ArchiverOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  /** Writes the next segment when there are enough rows; failures are logged. */
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
    const archived = journal.archivedHead();
    const isWhole = (last: number) => last - archived.row >= size.rows;
    if (!isWhole(journal.head().row) || nextToRemove(journalPath, archived)) return;
    const base = { ...this.#options, journal };
    const through = lastArchivable(base, now() - afterDays * DAY_MS);
    if (!isWhole(through)) return;
    const steps = writeSegment({ ...base, through, size }, archived);
    // A segment that is not finished leaves nothing behind.
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
  /** Another engine took over: this one must not write any more. */
  readonly onFatal: (error: unknown) => void;
  readonly log: Log;
}

/** Removes archived rows from the database; runs in the engine. */
export class ArchivedRowRemover implements Service {
  readonly id = "archived rows";
  readonly #options: ArchivedRowRemoverOptions;
  #timer: Timer | undefined;
  #steps: Generator<number> | null = null;

  constructor(options: ArchivedRowRemoverOptions) {
    this.#options = options;
  }

  /** Looks for a segment every minute, and removes a frame of it twenty times a second. */
  start(): void {
    this.#timer = setTimeout(
      () => {
        if (this.step()) this.start();
      },
      this.#steps ? FRAME_EVERY_MS : LOOK_EVERY_MS,
    );
  }

  /** Removes the next frame, if there is one; false when it must not continue. */
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

  /** True when it may be tried again later, as after a full disk: nothing was removed. */
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
    return waste ? { remedy: `remove ${waste} and restart: it is written again` } : {};
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
