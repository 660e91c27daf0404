/**
 * The journal of a leader: its rows are in PostgreSQL first, then in this machine's copy, which
 * answers all that is read. The engine and every reader of the machine use the copy as they use the
 * database of one machine.
 *
 * Maintained invariants:
 * - A row is in the copy only after PostgreSQL has it, so a copy is never ahead of its journal.
 * - After any doubt nothing more is appended in this epoch: the process ends, and whoever takes the
 *   next epoch waits on the shard's row for an append that is still under way, and so knows.
 */
import type { Row } from "../core/events/event.ts";
import type { Beside } from "../log/beside.ts";
import { Fenced } from "../log/care/damage.ts";
import type { Head } from "../log/head.ts";
import type { Journal } from "../log/journal.ts";
import type { JournalWriter } from "../log/journal-port.ts";
import type { EncodedRow } from "../log/stored-row.ts";
import type { SharedJournal, Taken } from "./shared-journal.ts";

/** A candidate takes the lead when it has seen no sign of life for this long. */
export const TAKEOVER_MS = 2_000;
/** How often a leader gives one. */
const BEAT_EVERY_MS = 500;
/**
 * For this long after a sign of life was sent nobody else can lead: less than `TAKEOVER_MS`, by as
 * much as two steady clocks could differ.
 */
const TRUSTED_MS = 1_500;

export interface PostgresJournalOptions {
  readonly shared: SharedJournal;
  /** At the head that was taken. */
  readonly copy: Journal;
  readonly taken: Taken;
  /** The lead is lost or in doubt: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export class PostgresJournal implements JournalWriter {
  readonly id = "postgres journal";
  readonly #shared: SharedJournal;
  readonly #copy: Journal;
  readonly #epoch: number;
  readonly #onFatal: (error: unknown) => void;
  /** `performance.now()` when the last sign of life that arrived was sent. */
  #aliveAtMs: number;
  #timer: Timer | undefined;

  constructor({ shared, copy, taken, onFatal }: PostgresJournalOptions) {
    this.#shared = shared;
    this.#copy = copy;
    this.#epoch = taken.epoch;
    this.#onFatal = onFatal;
    // Nothing is trusted before the first sign of life of its own.
    this.#aliveAtMs = Number.NEGATIVE_INFINITY;
  }

  get head(): Head {
    return this.#copy.head;
  }

  start(): void {
    let isBeating = false;
    this.#timer = setInterval(() => {
      // It may wait for an append that waits for a standby.
      if (isBeating) return;
      isBeating = true;
      const ended = () => {
        isBeating = false;
      };
      this.#beat().then(ended, this.#onFatal);
    }, BEAT_EVERY_MS);
  }

  /** Gives the lead up, to any candidate; call when no append is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#shared.handOver(this.#epoch);
  }

  async #beat(): Promise<void> {
    const sentMs = performance.now();
    if (!(await this.#shared.beat(this.#epoch))) throw this.#fenced();
    this.#aliveAtMs = sentMs;
  }

  #fenced(): Fenced {
    return new Fenced(`epoch ${this.#epoch} row ${this.head.row}, another machine leads`);
  }

  /**
   * At once while nobody else can lead; otherwise after a sign of life.
   *
   * @throws Fenced, also by the promise.
   */
  checkFence(): Promise<void> | undefined {
    // The next engine of this machine takes over at once, and the copy first.
    this.#copy.checkFence();
    return performance.now() - this.#aliveAtMs < TRUSTED_MS ? undefined : this.#beat();
  }

  causeOf(error: unknown): unknown {
    return error;
  }

  async append(rows: readonly EncodedRow[], beside: Beside): Promise<void> {
    const blocks = this.#copy.blocksOf(rows);
    const sentMs = performance.now();
    const place = { epoch: this.#epoch, head: this.head };
    if (blocks.length > 0 && !(await this.#shared.append(place, blocks, beside))) {
      throw this.#fenced();
    }
    this.#copy.apply(blocks, beside);
    if (blocks.length > 0) this.#aliveAtMs = sentMs;
    else await this.checkFence();
  }

  byKey(key: string): Row | null {
    return this.#copy.byKey(key);
  }

  witness(): void {
    this.#copy.witness();
  }

  /** A full disk of PostgreSQL ends the process: the next start finds whether it takes writes. */
  probe(): boolean {
    return true;
  }

  maybeCheckpoint(nowMs: number): void {
    this.#copy.maybeCheckpoint(nowMs);
  }
}
