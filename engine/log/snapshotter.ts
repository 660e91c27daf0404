/**
 * Writes snapshots from a replica, so that a start of the engine folds seconds of rows instead of
 * all; before each snapshot it writes key runs up to about there, so that a start reads no older
 * keys. It never touches the engine.
 *
 * The fold runs in short slices. Encoding and writing block the process: 44 ms at demo size, 0.9 s
 * with 100,000 open holds (109 MB).
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import { KeyRunKeeper } from "./keys/key-run-keeper.ts";
import type { Replica } from "./replica.ts";
import { snapshotFiles, writeSnapshot } from "./snapshot.ts";

const CATCH_UP_EVERY_MS = 5_000;
const SLICE_MS = 20;
/**
 * A snapshot is due when there are new rows and the last one is old, or when there are many new
 * rows, but not more often than the spacing: under load one snapshot would follow another.
 */
const ROWS_MAX = 200_000;
const SPACING_MS = 60_000;
const AGE_MS_MAX = 600_000;
/** At a stop fewer rows are enough: a start is likely to follow. */
const ROWS_AT_STOP = 5_000;
const STOP_CATCH_UP_MS = 200;
/** A last snapshot may take this long; it is skipped when less time is left. */
const SNAPSHOT_MS = 1_200;

export interface SnapshotterOptions {
  /** Other users may fold it meanwhile: the snapshot is then newer. */
  readonly replica: Pick<Replica, "catchUp" | "head" | "journal" | "journalId" | "state">;
  readonly journalPath: string;
  /** New rows that make a snapshot due; default 200,000. */
  readonly rowsMax?: number;
  /** How long the keys of refusals are kept. */
  readonly keptDays: number;
  /** Engine time. */
  readonly now: () => number;
  /** Milliseconds that never jump; default `performance.now`. */
  readonly monotonicMs?: () => number;
  /** Called repeatedly while a snapshot is written, which blocks the process. */
  readonly onProgress?: () => void;
  readonly log: Log;
}

export class Snapshotter implements Service {
  readonly id = "snapshotter";
  readonly #options: SnapshotterOptions;
  readonly #monotonicMs: () => number;
  readonly #timer = every(this.id, CATCH_UP_EVERY_MS, () => void this.run());
  readonly #keyRuns: KeyRunKeeper;
  #lastRow: number;
  #lastMs: number;
  #isStopped = false;
  #isRunning = false;

  /** Removes half-written files of a killed process. */
  constructor(options: SnapshotterOptions) {
    this.#options = options;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    const { journalPath, replica } = options;
    removeHalfWritten(journalPath);
    const { keptDays, now: nowMs, log } = options;
    const { journalId, journal } = replica;
    const of = { journalPath, journalId, journal };
    this.#keyRuns = new KeyRunKeeper({ ...of, keptDays, nowMs, log });
    const own = snapshotFiles(journalPath).find((file) => file.journalId === replica.journalId);
    this.#lastRow = own?.row ?? 0;
    this.#lastMs = this.#monotonicMs();
  }

  /** Looks for new rows now and every 5 s. */
  start(): void {
    this.#timer.start();
  }

  /**
   * Folds new rows and writes a snapshot when one is due. Failures are logged and the next run
   * tries again: without snapshots starts are slow, nothing is lost.
   */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.#isStopped && !this.#options.replica.catchUp(SLICE_MS)) await nextTurn();
      const ageMs = this.#monotonicMs() - this.#lastMs;
      if (this.#isStopped || ageMs < SPACING_MS) return;
      const rowsLeast = ageMs >= AGE_MS_MAX ? 1 : (this.#options.rowsMax ?? ROWS_MAX);
      if (!this.#isDue(rowsLeast)) return;
      await this.#coverKeys();
      if (!this.#isStopped) this.#writeIf(rowsLeast);
    } catch (error) {
      this.#options.log("error", "no snapshot was written", { error: String(error) });
    } finally {
      this.#isRunning = false;
    }
  }

  /** Writes a last snapshot if it saves time and time is left. */
  drain(untilMs: number): void {
    this.stop();
    if (untilMs - performance.now() < SNAPSHOT_MS) return;
    try {
      if (this.#options.replica.catchUp(STOP_CATCH_UP_MS)) this.#writeIf(ROWS_AT_STOP);
    } catch (error) {
      this.#options.log("error", "no snapshot was written", { error: String(error) });
    }
  }

  stop(): void {
    this.#timer.stop();
    this.#keyRuns.stop();
    this.#isStopped = true;
  }

  #isDue(rowsLeast: number): boolean {
    return this.#options.replica.head.row - this.#lastRow >= rowsLeast;
  }

  /** Without new runs keys stay in memory, and a start reads them from the journal. */
  async #coverKeys(): Promise<void> {
    try {
      await this.#keyRuns.cover(this.#options.replica.head.row);
    } catch (error) {
      this.#options.log("error", "no run of keys was written", { error: String(error) });
    }
  }

  #writeIf(rowsLeast: number): void {
    const { replica, journalPath, onProgress, log } = this.#options;
    const { head } = replica;
    if (!this.#isDue(rowsLeast)) return;
    const startedMs = performance.now();
    writeSnapshot(journalPath, replica.journalId, head, replica.state, onProgress);
    const ms = Math.round(performance.now() - startedMs);
    this.#lastRow = head.row;
    this.#lastMs = this.#monotonicMs();
    log("info", "snapshot written", { row: head.row, ms });
  }
}

/** A snapshot gets its name only when it is complete. */
function removeHalfWritten(journalPath: string): void {
  const folder = dirname(journalPath);
  const start = `${basename(journalPath, ".db")}.snapshot-`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(start) && name.endsWith(".tmp")) rmSync(join(folder, name));
  }
}
