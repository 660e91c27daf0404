/**
 * Which mails are due to guests, and what became of them, in a SQLite file of its own (WAL). It
 * holds ids, instants and reasons, nothing of the guest. Only where it begins is made durable at
 * once: what else a power cut takes is found in the journal again, and at worst sent once more.
 * Copies that operators ask for are counted for an hour; `summary` has the daily summaries.
 *
 * Maintained invariants: a booking has at most one mail of each kind, so rows of the journal may be
 * read twice; the place up to which the journal was read moves in the transaction that adds what
 * was found, so nothing is left out; a mail leaves `pending` once and for good.
 */
import type { Database } from "bun:sqlite";
import type { Mode } from "../../engine/core/supply.ts";
import type { Head } from "../../engine/shell/head.ts";
import { openStoreFile } from "../store-file.ts";
import { LETTER_KINDS, type LetterKind } from "./letter.ts";
import type { MailFailure } from "./mail.ts";
import { SUMMARIES_TABLE, SummaryRows } from "./summary-rows.ts";

/** A mail that is due to the guest of a booking. */
export interface DueMail {
  readonly booking_id: string;
  readonly kind: LetterKind;
  readonly tenant_id: string;
  readonly mode: Mode;
  /** When it happened, engine time. */
  readonly created_at: number;
  readonly message_id: string;
  /** How often it was tried. */
  readonly tries: number;
}

/** Why a mail was given up. `expired`: it could not be sent for days. */
type GivenUp = MailFailure | "expired";

/** Mails that wait or were given up; `oldest_at`: when the oldest became due, engine time. */
export interface UnsentMails {
  readonly state: "pending" | "given_up";
  readonly count: number;
  readonly oldest_at: number | null;
}

const FORMAT = 1;
const BUSY_TIMEOUT_MS = 5_000;
const SCHEMA = `
  CREATE TABLE place (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    first_row INTEGER NOT NULL,
    row INTEGER NOT NULL,
    chain TEXT NOT NULL
  ) STRICT;
  CREATE TABLE mail (
    booking_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN (${LETTER_KINDS.map((kind) => `'${kind}'`).join(", ")})),
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    created_at INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'given_up')),
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    reason TEXT,
    status INTEGER,
    settled_at INTEGER,
    PRIMARY KEY (booking_id, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE copy (
    id INTEGER PRIMARY KEY,
    booking_id TEXT NOT NULL,
    taken_at INTEGER NOT NULL
  ) STRICT;
  ${SUMMARIES_TABLE}
  CREATE INDEX mail_pending ON mail (mode, next_try_at) WHERE state = 'pending';
  CREATE INDEX mail_unsent ON mail (state, created_at) WHERE state <> 'sent';
  CREATE INDEX copy_of ON copy (booking_id, taken_at);`;

const COLUMNS = "booking_id, kind, tenant_id, mode, created_at, message_id, tries";

/**
 * Whatever was planned later than this is due now: the clock was set back since. Longer than any
 * time between two tries.
 */
const AHEAD_MS_MAX = 2 * 3_600_000;

/** Of the mails of one booking so many copies are sent in any hour. */
export const COPIES_MAX = 3;
export const COPIES_WINDOW_MS = 3_600_000;

/** `retryInMs`: when the next copy may be sent. */
type TakenCopy =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly retryInMs: number };

export class MailStore {
  readonly #db: Database;
  /** The daily summaries of operators. */
  readonly summaries: SummaryRows;

  /**
   * Opens or creates the file at `path`, as `openStoreFile` does.
   *
   * @throws OtherFormat, and what SQLite says of a file that is none of its own.
   */
  constructor(path: string) {
    this.#db = openStoreFile(path, {
      ...{ tables: SCHEMA, format: FORMAT, synchronous: "normal", busyTimeoutMs: BUSY_TIMEOUT_MS },
    });
    this.summaries = new SummaryRows(this.#db);
  }

  /**
   * Makes a new file begin after `head`: what was booked before is not written about. Whoever lets
   * bookings in calls it before; of several the first decides.
   */
  begin({ row, chain }: Head): void {
    const insert = "INSERT INTO place VALUES (1, $row, $row, $chain) ON CONFLICT DO NOTHING";
    this.#db.run("PRAGMA synchronous = FULL");
    this.#db.query(insert).run({ row, chain });
    this.#db.run("PRAGMA synchronous = NORMAL");
  }

  /** Up to where the journal was read, and where the file began; null before `begin`. */
  place(): (Head & { readonly first_row: number }) | null {
    const select = "SELECT row, chain, first_row FROM place";
    return this.#db.query<Head & { first_row: number }, []>(select).get();
  }

  /** Adds what was found up to `head`; mails that are known are left as they are. */
  add(mails: readonly Omit<DueMail, "tries">[], { row, chain }: Head): void {
    const insert = this.#db.query(
      `INSERT INTO mail (booking_id, kind, tenant_id, mode, created_at, message_id, next_try_at)
       VALUES ($booking_id, $kind, $tenant_id, $mode, $created_at, $message_id, $created_at)
       ON CONFLICT DO NOTHING`,
    );
    const move = this.#db.query("UPDATE place SET row = $row, chain = $chain");
    this.#db
      .transaction(() => {
        for (const mail of mails) insert.run({ ...mail });
        move.run({ row, chain });
      })
      .immediate();
  }

  /** What is due at `nowMs`, oldest first; a cancellation waits for its booking's confirmation. */
  due(mode: Mode, nowMs: number, limit: number): DueMail[] {
    const select = `SELECT ${COLUMNS} FROM mail AS due WHERE state = 'pending' AND mode = $mode
      AND (next_try_at <= $now OR next_try_at > $now + ${AHEAD_MS_MAX})
      AND (kind = 'confirmation' OR NOT EXISTS (
        SELECT 1 FROM mail WHERE booking_id = due.booking_id AND kind = 'confirmation'
        AND state = 'pending'))
      ORDER BY next_try_at LIMIT $limit`;
    const found = this.#db.query<DueMail, { mode: Mode; now: number; limit: number }>(select);
    return found.all({ mode, now: nowMs, limit });
  }

  /** It is with whoever takes mails. */
  sent({ booking_id, kind }: DueMail, at: number): void {
    const update = `UPDATE mail SET state = 'sent', tries = tries + 1, reason = NULL, status = NULL,
      settled_at = $at WHERE booking_id = $booking_id AND kind = $kind AND state = 'pending'`;
    this.#db.query(update).run({ booking_id, kind, at });
  }

  /** It is tried again at `next_try_at`. */
  postpone(
    { booking_id, kind }: DueMail,
    failure: { readonly reason: MailFailure; readonly status: number | null },
    next_try_at: number,
  ): void {
    const update = `UPDATE mail SET tries = tries + 1, reason = $reason, status = $status,
      next_try_at = $next_try_at
      WHERE booking_id = $booking_id AND kind = $kind AND state = 'pending'`;
    const { reason, status } = failure;
    this.#db.query(update).run({ booking_id, kind, reason, status, next_try_at });
  }

  /** It is never sent. */
  giveUp(
    { booking_id, kind }: DueMail,
    end: { readonly reason: GivenUp; readonly status: number | null },
    at: number,
  ): void {
    const update = `UPDATE mail SET state = 'given_up', tries = tries + 1, reason = $reason,
      status = $status, settled_at = $at
      WHERE booking_id = $booking_id AND kind = $kind AND state = 'pending'`;
    const { reason, status } = end;
    this.#db.query(update).run({ booking_id, kind, reason, status, at });
  }

  /** Those that were not sent; by an index alone. */
  unsent(): UnsentMails[] {
    const select = this.#db.query<UnsentMails, [string]>(
      `SELECT state, count(*) AS count, min(created_at) AS oldest_at FROM mail
       WHERE state <> 'sent' AND state = ?`,
    );
    return (["pending", "given_up"] as const).map((state) => ({ ...select.get(state)!, state }));
  }

  /**
   * Takes the place of a copy that an operator asks for, unless the booking has had its copies of
   * this hour; it is taken before the copy is sent, so calls at once share the places.
   */
  takeCopy(booking_id: string, nowMs: number): TakenCopy {
    const over = "DELETE FROM copy WHERE taken_at <= $from OR taken_at > $ahead";
    const taken = this.#db.query<{ count: number; oldest: number | null }, [string]>(
      "SELECT count(*) AS count, min(taken_at) AS oldest FROM copy WHERE booking_id = ?",
    );
    const insert = "INSERT INTO copy (booking_id, taken_at) VALUES ($booking_id, $at) RETURNING id";
    return this.#db
      .transaction((): TakenCopy => {
        this.#db
          .query(over)
          .run({ from: nowMs - COPIES_WINDOW_MS, ahead: nowMs + COPIES_WINDOW_MS });
        const { count, oldest } = taken.get(booking_id)!;
        if (count >= COPIES_MAX) {
          return { ok: false, retryInMs: oldest! + COPIES_WINDOW_MS - nowMs };
        }
        const { id } = this.#db
          .query<{ id: number }, { booking_id: string; at: number }>(insert)
          .get({ booking_id, at: nowMs })!;
        return { ok: true, id };
      })
      .immediate();
  }

  /** The copy was not sent. */
  giveBackCopy(id: number): void {
    this.#db.query("DELETE FROM copy WHERE id = ?").run(id);
  }

  close(): void {
    this.#db.close();
  }
}
