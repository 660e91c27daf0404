/** SQLite's write-ahead log of the journal, which only the engine folds back into the main file. */
import type { Database, Statement } from "bun:sqlite";
import { WRITER_BUSY_MS } from "./schema.ts";

const PAGE_BYTES = 4096;
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
const CHECKPOINT_EVERY_MS = 50;
const CHECKPOINT_BLOCKED_MS = 500;
const EMPTY_AGAIN_MS = 200;

interface WalState {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

export class Wal {
  readonly #db: Database;
  readonly #state: Statement<WalState, []>;
  readonly #checkpoint: Statement<WalState, []>;
  #checkpointAt = 0;
  /** When to try to empty it; null while nothing must leave it. */
  #emptiesFrom: number | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#state = db.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Bytes that are not yet in the main file. */
  bytes(): number {
    const wal = this.#state.get();
    return wal ? Math.max(0, wal.log - wal.checkpointed) * PAGE_BYTES : 0;
  }

  /** Empties it as soon as no reader uses it: old pages may have the keys of erased guests. */
  emptySoon(): void {
    this.#emptiesFrom = 0;
  }

  /** Checkpoints a large one; never waits for readers. */
  maybeCheckpoint(nowMs: number): void {
    if (this.#emptiesFrom !== null && nowMs >= this.#emptiesFrom) this.#empty(nowMs);
    if (nowMs < this.#checkpointAt) return;
    this.#checkpointAt = nowMs + CHECKPOINT_EVERY_MS;
    if (this.bytes() < CHECKPOINT_BYTES) return;
    const wal = this.#checkpoint.get();
    const isBlocked = wal !== null && wal.checkpointed < wal.log;
    if (isBlocked) this.#checkpointAt = nowMs + CHECKPOINT_BLOCKED_MS;
  }

  #empty(nowMs: number): void {
    this.#db.run("PRAGMA busy_timeout = 0");
    const wal = this.#db.query<WalState, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
    this.#db.run(`PRAGMA busy_timeout = ${WRITER_BUSY_MS}`);
    this.#emptiesFrom = wal?.busy === 0 ? null : nowMs + EMPTY_AGAIN_MS;
  }
}
