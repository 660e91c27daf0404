/**
 * The journal: one row for each decided command, in blocks chained by hash (`block.ts`). Only
 * `append` writes rows.
 *
 * Maintained invariant: a crash can lose an unanswered group as a whole, never part of one: all of
 * a group is in one transaction with one fsync.
 *
 * Fence: every transaction first reads the epoch and the head. An engine that was suspended past
 * its successor's start finds other values and throws `Fenced` before it writes or answers
 * anything.
 */

import type { Database, Statement } from "bun:sqlite";
import { rmSync } from "node:fs";
import { Damage } from "../core/damage.ts";
import type { Row } from "../core/events/event.ts";
import type { Outcome } from "../core/outcomes.ts";
import { lossRow } from "./acceptance.ts";
import { type Beside, NOTHING_BESIDE } from "./beside.ts";
import { BesideWriter } from "./beside-writer.ts";
import { Block, blocksOf, mustEqualCopies, packedBlock, type StoredBlock } from "./block.ts";
import { Fenced, readingJournal } from "./care/damage.ts";
import { type Head, HeadWitness } from "./head.ts";
import type { JournalWriter } from "./journal-port.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { Keys } from "./keys/keys.ts";
import {
  archivedHead,
  IS_COPY,
  JOURNAL_ID,
  LANES,
  newJournalId,
  noteArchived,
  noteProjected,
  readMeta,
} from "./meta.ts";
import { PACKED_FROM_BYTES } from "./payload.ts";
import { JOURNAL_FORMAT, openForWriting } from "./schema.ts";
import type { EncodedRow } from "./stored-row.ts";
import { Wal } from "./wal.ts";

/** The path of a journal's witness. */
export function headPath(path: string): string {
  return path.replace(/\.db$/, ".head");
}

export interface JournalOptions {
  readonly lanes: number;
  /** From this size on the text of a block is packed; default `PACKED_FROM_BYTES`. */
  readonly packedFromBytes?: number;
  /** Path of the list of erased guests, which a restore repeats; null for none. */
  readonly erasures?: string | null;
  /**
   * The journal that the database is a copy of; null for one of its own. A copy that loses its last
   * rows with the power gets them again, so its commits need no fsync.
   */
  readonly copyOf?: string | null;
}

export class Journal implements JournalWriter {
  readonly db: Database;
  readonly #reader: SqliteJournalReader;
  #id: string;
  readonly #insert: Statement<unknown, [number, Uint8Array | null, Uint8Array, number, string]>;
  readonly #fence: Statement<{ epoch: string; head: number | null }, []>;
  readonly #beside: BesideWriter;
  /** Filled by recovery and by every commit. */
  #keys: Keys;
  readonly #packedFromBytes: number;
  readonly #path: string;
  readonly #witnessPath: string;
  #witness: HeadWitness;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #wal: Wal;
  #epoch = "0";
  #head: Head;
  #groups = 0;

  /**
   * Opens or creates the journal.
   *
   * @throws Damage when it cannot be read, is a copy of another journal, or has another format or
   *   number of lanes.
   */
  constructor(path: string, options: JournalOptions) {
    const { copyOf = null, erasures = null } = options;
    this.db = readingJournal(() => openForWriting(path, copyOf === null ? "FULL" : "NORMAL"));
    this.#reader = readingJournal(() => new SqliteJournalReader(this.db));
    this.#head = readingJournal(() => this.#reader.head());
    this.#id = this.#meta(JOURNAL_ID, copyOf ?? newJournalId());
    this.#mustBeOf(copyOf);
    const format = this.#meta("format", String(JOURNAL_FORMAT));
    if (format !== String(JOURNAL_FORMAT)) {
      const message = `format ${format}, this version reads format ${JOURNAL_FORMAT}`;
      throw new Damage("journal_unreadable", message);
    }
    const lanes = this.#meta(LANES, String(options.lanes));
    if (lanes !== String(options.lanes)) {
      const message = `made with LANES=${lanes}, started with ${options.lanes}`;
      throw new Damage("lanes_changed", message);
    }
    this.#insert = this.db.prepare(
      "INSERT INTO journal(row, key, payload, crc, chain) VALUES (?, ?, ?, ?, ?)",
    );
    this.#fence = this.db.prepare(
      `SELECT (SELECT value FROM meta WHERE name = 'epoch') AS epoch,
              ifnull((SELECT max(row) FROM journal),
                (SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'sealed')) AS head`,
    );
    const onErased = () => this.#wal.emptySoon();
    this.#beside = readingJournal(() => new BesideWriter(this.db, erasures, onErased));
    this.#begin = this.db.prepare("BEGIN IMMEDIATE");
    this.#end = this.db.prepare("COMMIT");
    this.#wal = new Wal(this.db);
    this.#path = path;
    this.#packedFromBytes = options.packedFromBytes ?? PACKED_FROM_BYTES;
    this.#keys = new Keys(path, this.#id);
    this.#witnessPath = headPath(path);
    this.#witness = new HeadWitness(this.#witnessPath, this.#id);
  }

  /**
   * Continues under a new id, so that witnesses of lost rows no longer count, and writes a row that
   * describes the loss. Only after an operator accepted the loss; queues of the old id are never
   * read again.
   */
  restartAfterLoss(lost: string): void {
    const id = newJournalId();
    const row = this.#head.row + 1;
    const stamp = row === 1 ? 0 : this.#reader.row(row - 1)!.stamp;
    const data = { after_row: row - 1, lost, journal_id: id, former_id: this.#id };
    this.#commit(this.blocksOf([lossRow(row, stamp, data)]), () => {
      this.db.run("UPDATE meta SET value = ? WHERE name = 'journal_id'", [id]);
    });
    this.#id = id;
    // Runs of the old id have lost rows, whose numbers are used again.
    this.#keys = new Keys(this.#path, id);
    this.#witness.close();
    rmSync(this.#witnessPath, { force: true });
    this.#witness = new HeadWitness(this.#witnessPath, this.#id);
    this.#witness.write(this.#head);
  }

  get keys(): Keys {
    return this.#keys;
  }

  get id(): string {
    return this.#id;
  }

  get head(): Head {
    return this.#head;
  }

  /** The head of the archived rows: rows after it are in the database. */
  get archived(): Head {
    return archivedHead(this.db);
  }

  get groups(): number {
    return this.#groups;
  }

  /**
   * Becomes the single writer, from the present head: every older engine is fenced from here on.
   *
   * @throws Damage when the stored epoch is not a number: engines could not be told apart.
   */
  takeEpoch(): number {
    const take = this.db.transaction(() => {
      const next = Number(this.#meta("epoch", "0")) + 1;
      if (!Number.isSafeInteger(next))
        throw new Damage("journal_unreadable", "epoch is not a number");
      this.db.run("UPDATE meta SET value = ? WHERE name = 'epoch'", [String(next)]);
      this.#head = this.#reader.head();
      return next;
    });
    const next = readingJournal(() => take.immediate());
    this.#epoch = String(next);
    return next;
  }

  /**
   * Writes the witness after recovery: an engine that crashed may have committed rows that it did
   * not witness, and this one answers for them without another commit.
   */
  witness(): void {
    this.#witness.write(this.#head);
  }

  /**
   * The last row stored under a key, or null.
   *
   * @throws Damage when the row does not match its CRC or has another key.
   */
  byKey(key: string): Row | null {
    if (!this.#keys.isComplete) this.#readKeys();
    const row = this.#keys.find(Buffer.from(key, "hex"));
    const found = row === 0 ? null : this.#reader.row(row);
    // A run or memory has a row that the journal lacks: the key must not count as new.
    if (row === 0 || found?.key?.key === key) return found;
    throw new Damage("journal_row_damaged", `the row of key ${key} has another key`);
  }

  /** A journal that was opened without recovery reads its keys at the first look-up. */
  #readKeys(): void {
    this.#keys.openRuns(this.#reader, () => {});
    this.#keys.read(this.#reader, this.#head.row);
    this.#keys.isComplete = true;
  }

  /** The last outcome stored under a key, or null. */
  outcomeOf(key: string): Outcome | null {
    return this.byKey(key)?.outcome ?? null;
  }

  /**
   * Commits a group: fence, rows, projections, one fsync.
   *
   * @throws Fenced when another engine took over; any SQLite error unchanged. Nothing of the group
   * is durable then, unless the error came from COMMIT itself: the caller must read the journal
   * again.
   */
  append(
    rows: readonly EncodedRow[],
    beside: Beside = NOTHING_BESIDE,
  ): PromiseLike<void> | undefined {
    this.apply(this.blocksOf(rows), beside);
    return undefined;
  }

  /** The rows of a group as blocks that follow the head. */
  blocksOf(rows: readonly EncodedRow[]): StoredBlock[] {
    return blocksOf(rows, this.#head.chain, this.#packedFromBytes);
  }

  /** As `append`, for blocks that follow the head: a copy gets those of its journal. */
  apply(blocks: readonly StoredBlock[], beside: Beside): void {
    this.#commit(blocks, () => this.#beside.write(beside));
  }

  #commit(blocks: readonly StoredBlock[], writeBeside: () => void): void {
    this.#begin.run();
    try {
      this.checkFence();
      for (const block of blocks) this.#write(block);
      const { row, chain } = blocks.at(-1) ?? this.#head;
      // Noted first: after a row that changes the journal's id, the records still count as those of
      // the old id. They include lost rows and must be rebuilt.
      if (blocks.length > 0) noteProjected(this.db, { row, chain });
      writeBeside();
      this.#end.run();
      for (const block of blocks) if (block.keys) this.#keys.setBlock(block.keys, block.row);
      this.#head = { row, chain };
    } catch (error) {
      // After SQLITE_FULL the transaction has already ended; another statement would auto-commit.
      if (this.db.inTransaction) this.db.run("ROLLBACK");
      throw error;
    }
    this.#groups += 1;
    this.#witness.write(this.#head);
  }

  #write({ row, keys, payload, crc, chain }: StoredBlock): void {
    this.#insert.run(row, keys, payload, crc, chain);
  }

  /**
   * Removes the first blocks of the database, given as a durable segment has them.
   *
   * @throws Damage when they differ from the database's; Fenced as `checkFence`. Nothing is removed
   * then.
   */
  removeArchived(copies: readonly StoredBlock[]): void {
    const end = copies.at(-1);
    if (!end || end.row >= this.#head.row) throw new Error("the last block cannot be removed");
    this.#moveStart(() => {
      const before = archivedHead(this.db);
      mustEqualCopies(this.#reader.storedBetween(before.row, end.row), copies, before);
      this.db.query("DELETE FROM journal WHERE row <= ?").run(end.row);
      return end;
    });
  }

  /**
   * Restores blocks of a segment, the last ones that were removed; they continue from `before`.
   *
   * @throws Damage when the database's rows do not continue from them; Fenced as `checkFence`.
   */
  restoreArchived(copies: readonly StoredBlock[], before: Head): void {
    this.#moveStart(() => {
      let place = before;
      for (const stored of copies) {
        const block = new Block(stored);
        block.mustContinue(place);
        place = { row: block.last, chain: block.chainAt(block.last) };
        this.#write(packedBlock(stored, this.#packedFromBytes));
      }
      if (Bun.deepEquals(place, archivedHead(this.db))) return before;
      const message = `the database does not continue from row ${place.row} of the segment`;
      throw new Damage("segment_damaged", message);
    });
  }

  /** Moves rows out of the database or back, and notes the new archived head. */
  #moveStart(move: () => Head): void {
    this.db
      .transaction(() => {
        this.checkFence();
        noteArchived(this.db, move());
      })
      .immediate();
  }

  /** @throws Fenced when another engine took over: this one must not write or answer any more. */
  checkFence(): undefined {
    const fence = this.#fence.get();
    if (fence?.epoch !== this.#epoch || (fence.head ?? 0) !== this.#head.row) {
      const found = `found epoch ${fence?.epoch} row ${fence?.head}`;
      throw new Fenced(`epoch ${this.#epoch} row ${this.#head.row}, ${found}`);
    }
  }

  /**
   * The cause of a failed group: Fenced if another engine took over, otherwise `error`. A fenced
   * engine decides on outdated memory and its successor's records, and may fail anywhere there;
   * reported as a fault, it would be restarted over its successor. A moved head with the same epoch
   * is not a fence here: it may be a commit that only seemed to fail.
   */
  causeOf(error: unknown): unknown {
    try {
      if (this.#fence.get()?.epoch !== this.#epoch) this.checkFence();
    } catch (fence) {
      if (fence instanceof Fenced) return fence;
    }
    return error;
  }

  /** Whether a write succeeds now; the probe row is in `meta`. Throws Fenced as `checkFence`. */
  probe(): boolean {
    this.checkFence();
    try {
      this.db.run("INSERT OR REPLACE INTO meta(name, value) VALUES ('probe', ?)", [
        "x".repeat(8192),
      ]);
      return true;
    } catch {
      return false;
    }
  }

  /** Bytes of the write-ahead log that are not yet in the main file. */
  walBytes(): number {
    return this.#wal.bytes();
  }

  /** Between groups: checkpoints a large WAL; never waits for readers. */
  maybeCheckpoint(nowMs: number): void {
    this.#keys.maybeRefresh(this.#reader, nowMs);
    this.#wal.maybeCheckpoint(nowMs);
  }

  close(): void {
    this.#witness.close();
    this.db.close();
  }

  /**
   * A copy must never lead by itself, and a journal of its own is never made anew as copies are.
   *
   * @throws Damage when it is the other one, or a copy of another journal.
   */
  #mustBeOf(copyOf: string | null): void {
    if (copyOf !== null && this.#head.row === 0) this.#meta(IS_COPY, "true");
    const isCopy = readingJournal(() => readMeta(this.db, IS_COPY)) !== null;
    if (isCopy !== (copyOf !== null)) {
      const found = isCopy
        ? "is a copy of a journal in PostgreSQL"
        : "is not a copy of another one";
      throw new Damage("journal_of_other_store", `this journal ${found}`);
    }
    if (isCopy && copyOf !== this.#id) {
      throw new Damage("journal_unreadable", `a copy of journal ${this.#id}, not of ${copyOf}`);
    }
  }

  /** A setting; written with `initial` while the journal is empty, damage when missing later. */
  #meta(name: string, initial: string): string {
    const value = readingJournal(() => {
      if (this.#head.row === 0) {
        this.db.run("INSERT OR IGNORE INTO meta(name, value) VALUES (?, ?)", [name, initial]);
      }
      return readMeta(this.db, name);
    });
    if (value === null) throw new Damage("journal_unreadable", `meta ${name} is missing`);
    return value;
  }
}
