/**
 * What the rest of the system asks of a journal, in its own words: nothing here knows in what the
 * rows are kept. `journal-reader.ts` and `journal.ts` keep them in SQLite.
 */
import type { Row } from "../core/events.ts";
import type { StoredBlock } from "./block.ts";
import type { Head } from "./head.ts";
import type { EncodedRow } from "./stored-row.ts";

/** A row with the journal's chain up to it. */
export interface ChainedRow {
  readonly row: Row;
  /** 64 hex digits. */
  readonly chain: string;
}

/** What the text of a row must have, as it stands in JSON. */
export interface RowWords {
  readonly word: string;
  readonly oneOf: readonly string[];
}

/** Blocks as they are stored, none of them checked yet. */
export interface BlockPage {
  readonly blocks: readonly StoredBlock[];
  /** There may be more. */
  readonly isFull: boolean;
}

/**
 * The reading half. Each answer is read whole: nothing stays open behind it, so no reader keeps the
 * writer waiting. What is handed out as a row was checked; each throws Damage where one is not what
 * was written.
 */
export interface JournalReader {
  /** The last row and the chain up to it. */
  head(): Head;
  /** The blocks of the rows after `row`, in order; the first may begin before. */
  pageAfter(row: number): BlockPage;
  row(row: number): Row | null;
  /** The rows of these numbers, in order; what is not there is left out. */
  rows(numbers: Iterable<number>): ChainedRow[];
  /** The chain up to a row, 64 hex digits; null when there is no such row. */
  chainAt(row: number): string | null;
  /** At most `limit` rows from `first` on. */
  rowsFrom(first: number, limit: number): ChainedRow[];
  /** The rows from `first` to `last` whose text has the words; no other is decoded. */
  rowsBetween(first: number, last: number, words: RowWords): ChainedRow[];
}

/**
 * The writing half, for an engine. Of all that have taken an epoch only the last may write; the
 * others find out before they have written or answered anything.
 */
export interface JournalWriter {
  /** The last row that was committed, and the chain up to it. */
  readonly head: Head;
  /** Becomes the one writer, from the head as it is now; the number of its epoch. */
  takeEpoch(): number;
  /** @throws Fenced when another engine has taken the epoch since. */
  checkFence(): void;
  /** Why a group failed: Fenced where another engine took over, else `error`. */
  causeOf(error: unknown): unknown;
  /**
   * Makes the rows of a group durable, with what `writeBeside` writes, or nothing of either.
   *
   * @throws Fenced as `checkFence`; after any other error the caller must read anew what is there.
   */
  append(rows: readonly EncodedRow[], writeBeside: () => void): void;
  /** The last row that was stored under a key, or null; Damage when it is not what was written. */
  byKey(key: string): Row | null;
  /** Tells followers how far it is, when all is folded: a crash may have come before that. */
  witness(): void;
  /** After a full disk: true when a write succeeds now. */
  probe(): boolean;
  /** Between groups: what must be done now and then so that readers stay quick. */
  maybeCheckpoint(nowMs: number): void;
}
