/**
 * The journal as other modules use it, independent of storage. `journal-reader.ts` and `journal.ts`
 * implement it with SQLite.
 */
import type { Row } from "../core/events/event.ts";
import type { Beside } from "./beside.ts";
import type { StoredBlock } from "./block.ts";
import type { Head } from "./head.ts";
import type { EncodedRow } from "./stored-row.ts";

/** A row with the chain up to it. */
export interface ChainedRow {
  readonly row: Row;
  /** 64 hex digits. */
  readonly chain: string;
}

/** Texts that the JSON of a row must contain: `word` and one of `oneOf`. */
export interface RowWords {
  readonly word: string;
  readonly oneOf: readonly string[];
}

/** Blocks as stored, not checked yet. */
export interface BlockPage {
  readonly blocks: readonly StoredBlock[];
  /** There may be more. */
  readonly isFull: boolean;
}

/**
 * The reading half. Each answer is read whole and nothing stays open, so no reader delays the
 * writer. Returned rows are checked; methods throw Damage for a damaged one.
 */
export interface JournalReader {
  head(): Head;
  /** The blocks of the rows after `row`, in order; the first may begin before. */
  pageAfter(row: number): BlockPage;
  row(row: number): Row | null;
  /** The rows of these numbers, in order; missing ones are left out. */
  rows(numbers: Iterable<number>): ChainedRow[];
  /** The chain up to a row, 64 hex digits; null for a missing row. */
  chainAt(row: number): string | null;
  /** At most `limit` rows from `first` on. */
  rowsFrom(first: number, limit: number): ChainedRow[];
  /** The rows from `first` to `last` that contain the words; others are not decoded. */
  rowsBetween(first: number, last: number, words: RowWords): ChainedRow[];
}

/**
 * The writing half, for an engine. Only the last engine to take an epoch may write; others are
 * fenced before they write or answer anything.
 */
export interface JournalWriter {
  /** The last committed row, and the chain up to it. */
  readonly head: Head;
  /**
   * Answers that need no row may leave after it; undefined: at once.
   *
   * @throws Fenced when another engine has taken the epoch since.
   */
  checkFence(): PromiseLike<void> | undefined;
  /** The cause of a failed group: Fenced if another engine took over, otherwise `error`. */
  causeOf(error: unknown): unknown;
  /**
   * Commits the rows of a group with what is beside them, or nothing. Undefined: all of it is
   * durable. Otherwise it is when the promise resolves, and the caller appends nothing before; a
   * rejection says that the outcome is unknown, so that only another epoch may go on.
   *
   * @throws Fenced as `checkFence`; after any other error the caller must read the journal again.
   */
  append(rows: readonly EncodedRow[], beside: Beside): PromiseLike<void> | undefined;
  /** The last row stored under a key, or null; Damage when it is damaged. */
  byKey(key: string): Row | null;
  /** After recovery: shows followers the head, because a crash may have come before that. */
  witness(): void;
  /** After a full disk: whether a write succeeds now. Throws Fenced as `checkFence`. */
  probe(): boolean;
  /** Between groups: periodic work that keeps readers fast. */
  maybeCheckpoint(nowMs: number): void;
}
