/**
 * Finds in the journal what guests are to be written about. The journal is the only source: a mail
 * can neither precede the booking that it tells of nor be lost with a process or with Redis.
 */
import type { Row } from "../../engine/core/events.ts";
import type { Head } from "../../engine/shell/head.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import type { LetterKind } from "./letter.ts";
import type { DueMail, MailStore } from "./mail-store.ts";

/** Rows that are looked through at once: some milliseconds. */
const SLICE_ROWS = 1_000;

const KINDS: Readonly<Record<string, LetterKind>> = {
  "booking.confirmed": "confirmation",
  "booking.cancelled": "cancellation",
};
const [CONFIRMED, CANCELLED] = Object.keys(KINDS).map((type) => JSON.stringify(type));

/** A mail as the journal makes it due. */
type FoundMail = Omit<DueMail, "tries">;

/** The journal as a follower reads it. */
export type FollowedJournal = Pick<Replica, "rowsNaming" | "chainAt" | "watchRows">;

export interface FollowerOptions {
  readonly store: Pick<MailStore, "place" | "add">;
  readonly journal: FollowedJournal;
  readonly messageIdOf: (of: { readonly booking_id: string }, kind: LetterKind) => string;
}

export class JournalFollower {
  readonly #options: FollowerOptions;
  /** The last row that was looked through, and the last that the file has. */
  #row: number;
  #keptRow: number;
  /** Of rows that were folded since the file was written. */
  #found: FoundMail[] = [];
  #lastFound = 0;

  /**
   * Goes on where the file stands. When the journal has another row there (rows were given up, or a
   * back-up was restored), it is read again from where the file began: what is known stays known.
   *
   * @throws Error when the file has no beginning yet.
   */
  constructor(options: FollowerOptions) {
    this.#options = options;
    const { store, journal } = options;
    const place = store.place();
    if (!place) throw new Error("a mail store without a beginning is followed");
    const isSame = place.row === 0 || journal.chainAt(place.row) === place.chain;
    this.#row = isSame ? place.row : this.#withinJournal(place.first_row);
    this.#keptRow = this.#row;
    journal.watchRows((row) => this.#see(row));
  }

  /** The last row, of those read by this process, that made a mail due. */
  get lastFound(): number {
    return this.#lastFound;
  }

  /** Reads the next rows that were not seen as they were folded; true when there are more. */
  readSlice(): boolean {
    const { store, journal } = this.#options;
    const from = this.#row;
    const { rows, through } = journal.rowsNaming([CONFIRMED!, CANCELLED!], from, SLICE_ROWS);
    const row = Math.max(from, through);
    const mails = [...this.#found, ...rows.flatMap((each) => this.#mailsOf(each))];
    // Few rows that say nothing are read again after a crash: cheaper than a write each time.
    if (mails.length > 0 || row - this.#keptRow >= SLICE_ROWS) {
      store.add(mails, headAt(journal, row));
      this.#keptRow = row;
    }
    this.#found = [];
    this.#row = row;
    if (rows.length > 0) this.#lastFound = rows.at(-1)!.row;
    return row - from === SLICE_ROWS;
  }

  /** A row that goes on from those that were looked through need not be read again. */
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
      const message_id = this.#options.messageIdOf({ booking_id }, kind);
      return [{ booking_id, kind, tenant_id, mode, created_at: stamp, message_id }];
    });
  }

  #withinJournal(row: number): number {
    const { through } = this.#options.journal.rowsNaming([CONFIRMED!, CANCELLED!], row, 0);
    return Math.min(row, through);
  }
}

function headAt(journal: FollowedJournal, row: number): Head {
  return { row, chain: journal.chainAt(row)! };
}
