/**
 * Finds due mails to guests in the journal. The journal is the only source, so a mail never
 * precedes its booking and is not lost with a process or with Redis.
 */
import type { Row } from "../../engine/core/events/event.ts";
import type { Head } from "../../engine/log/head.ts";
import type { Replica } from "../../engine/log/replica.ts";
import type { LetterKind } from "./letter.ts";
import type { DueMail, MailStore } from "./mail-store.ts";

/** Rows read at once: some milliseconds. */
const SLICE_ROWS = 1_000;

const KINDS: Readonly<Record<string, LetterKind>> = {
  "booking.confirmed": "confirmation",
  "booking.modified": "modification",
  "booking.cancelled": "cancellation",
};
const WORDS = Object.keys(KINDS).map((type) => JSON.stringify(type));

/** A due mail as found in the journal. */
type FoundMail = Omit<DueMail, "tries">;

/** The parts of the replica that the follower uses. */
export type FollowedJournal = Pick<Replica, "rowsNaming" | "chainAt" | "watchRows">;

export interface FollowerOptions {
  readonly store: Pick<MailStore, "position" | "add">;
  readonly journal: FollowedJournal;
  /** `nth` distinguishes the changes of a booking. */
  readonly messageIdOf: (
    of: { readonly booking_id: string },
    kind: LetterKind,
    nth?: string,
  ) => string;
}

export class JournalFollower {
  readonly #options: FollowerOptions;
  /** The last row read, and the last one in the file. */
  #row: number;
  #keptRow: number;
  /** Found in rows that were folded since the last write. */
  #found: FoundMail[] = [];
  #lastFound = 0;

  /**
   * Continues at the file's position. If the journal has another row there (rows were given up or a
   * back-up was restored), it reads again from the file's first row; known mails stay.
   *
   * @throws Error when `begin` was not called.
   */
  constructor(options: FollowerOptions) {
    this.#options = options;
    const { store, journal } = options;
    const position = store.position();
    if (!position) throw new Error("begin must be called before mails are followed");
    const isSame = position.row === 0 || journal.chainAt(position.row) === position.chain;
    this.#row = isSame ? position.row : this.#withinJournal(position.first_row);
    this.#keptRow = this.#row;
    journal.watchRows((row) => this.#see(row));
  }

  /** The last row with a due mail that this process has read. */
  get lastFound(): number {
    return this.#lastFound;
  }

  /** Reads the next rows that were not seen while being folded; true when there are more. */
  readSlice(): boolean {
    const { store, journal } = this.#options;
    const from = this.#row;
    const { rows, through } = journal.rowsNaming(WORDS, from, SLICE_ROWS);
    const row = Math.max(from, through);
    const mails = [...this.#found, ...rows.flatMap((each) => this.#mailsOf(each))];
    // After a crash, reading a few rows again is cheaper than a write per slice.
    if (mails.length > 0 || row - this.#keptRow >= SLICE_ROWS) {
      store.add(mails, headAt(journal, row));
      this.#keptRow = row;
    }
    this.#found = [];
    this.#row = row;
    if (rows.length > 0) this.#lastFound = rows.at(-1)!.row;
    return row - from === SLICE_ROWS;
  }

  /** Reads a row while it is folded, if it follows the last one read. */
  #see(row: Row): void {
    if (row.row !== this.#row + 1) return;
    this.#row = row.row;
    const mails = this.#mailsOf(row);
    if (mails.length === 0) return;
    this.#found.push(...mails);
    this.#lastFound = row.row;
  }

  #mailsOf({ events, stamp, tenant_id, mode }: Row): FoundMail[] {
    return events.flatMap((event) => {
      const kind = KINDS[event.type];
      if (kind === undefined) return [];
      const { booking_id } = event.data as { readonly booking_id: string };
      const nth = event.type === "booking.modified" ? String(event.data.version) : undefined;
      const message_id = this.#options.messageIdOf({ booking_id }, kind, nth);
      return [{ booking_id, kind, tenant_id, mode, created_at: stamp, message_id }];
    });
  }

  #withinJournal(row: number): number {
    const { through } = this.#options.journal.rowsNaming(WORDS, row, 0);
    return Math.min(row, through);
  }
}

function headAt(journal: FollowedJournal, row: number): Head {
  return { row, chain: journal.chainAt(row)! };
}
