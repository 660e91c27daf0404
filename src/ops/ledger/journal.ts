/** The journal of `DATA_DIR` as the ledger reads it: with or without a running service. */
import { Damage } from "../../../engine/core/damage.ts";
import type { Row } from "../../../engine/core/events/event.ts";
import { BEGINNING, type Head } from "../../../engine/log/head.ts";
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { blocksAfter } from "../../../engine/log/journal-tail.ts";
import { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { journalPath, readConfig } from "../../config.ts";
import type { Environment } from "../../settings-reader.ts";
import { mustBeThere } from "../admin/journal-file.ts";
import { refusedByDamage } from "../roles/damage-refusal.ts";

export class LedgerJournal implements Disposable {
  readonly records: RecordReaderOn;
  readonly #db;
  readonly #reader;
  #head: Head = BEGINNING;

  constructor(path: string) {
    this.#db = openForReading(path);
    this.#reader = new SqliteJournalReader(this.#db);
    this.records = new RecordReaderOn(this.#db);
  }

  /** The last row that `rows` has passed. */
  get row(): number {
    return this.#head.row;
  }

  /**
   * The rows after those that were read before whose line `isWanted`, in order; each block is
   * checked. Nothing stays open between two blocks, and no more than one is in memory.
   *
   * @throws Damage when a block is damaged.
   */
  *rows(isWanted: (line: string) => boolean): Generator<Row> {
    for (const block of blocksAfter(this.#reader, this.#head)) {
      for (let row = block.first; row <= block.last; row += 1) {
        if (isWanted(block.lineOf(row))) yield block.foldRowAt(row);
      }
      this.#head = { row: block.last, chain: block.chainAt(block.last) };
    }
  }

  /** Reads the journal and its records as they are at one instant, while a service writes both. */
  atOneInstant<T>(work: () => T): T {
    this.#db.run("BEGIN");
    try {
      return work();
    } finally {
      this.#db.run("ROLLBACK");
    }
  }

  /** The rows from `first` on that name the word. Throws as `rows`. */
  rowsNaming(word: string, first: number): Row[] {
    const { row: last } = this.#reader.head();
    const found = this.#reader.rowsBetween(first, last, { word, oneOf: [""] });
    return found.map(({ row }) => row);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

/** Runs `work` on the journal of `DATA_DIR`. Throws a StartRefused without one, or for damage. */
export function onJournal<T>(env: Environment, work: (journal: LedgerJournal) => T): T {
  const path = journalPath(readConfig(env).dataDir);
  mustBeThere(path);
  try {
    using journal = new LedgerJournal(path);
    return work(journal);
  } catch (cause) {
    throw cause instanceof Damage ? refusedByDamage(cause, path) : cause;
  }
}
