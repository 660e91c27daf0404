/**
 * Due mails to guests and their results, in a SQLite file (WAL) with ids, times and reasons and no
 * guest data. Only the start position is durable at once; what a power cut loses is found in the
 * journal again and at worst sent twice. Copies requested by operators are counted for an hour.
 *
 * Invariants: a booking has at most one mail per kind, so rows may be read twice. The position
 * moves in the transaction that adds the mails found, so none is missed. A mail leaves `pending`
 * once and for good.
 */
import type { Database } from "bun:sqlite";
import type { MailFailure } from "../../engine/core/mail-failure.ts";
import type { Mode } from "../../engine/core/supply.ts";
import type { Head } from "../../engine/log/head.ts";
import { openStoreFile } from "../../src/lib/store-file.ts";
import { LETTER_KINDS, type LetterKind } from "./letter.ts";
import { SUMMARIES_TABLE, SummaryRows } from "./summary-rows.ts";

/** A due mail to the guest of a booking. */
export interface DueMail {
  readonly booking_id: string;
  readonly kind: LetterKind;
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Time of the event, engine time. */
  readonly created_at: number;
  readonly message_id: string;
  /** Number of tries so far. */
  readonly tries: number;
}

/** Why a mail was given up. `expired`: it could not be sent for days. */
type GivenUp = MailFailure | "expired";

/** Counts of unsent mails; `oldest_at`: when the oldest became due, engine time. */
export interface UnsentMails {
  readonly state: "pending" | "given_up";
  readonly count: number;
  readonly oldest_at: number | null;
}

const FORMAT = 2;
const BUSY_TIMEOUT_MS = 5_000;
const MAIL_TABLE = `CREATE TABLE mail (
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
  CREATE INDEX mail_pending ON mail (mode, next_try_at) WHERE state = 'pending';
  CREATE INDEX mail_unsent ON mail (state, created_at) WHERE state <> 'sent';`;
const SCHEMA = `
  CREATE TABLE place (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    first_row INTEGER NOT NULL,
    row INTEGER NOT NULL,
    chain TEXT NOT NULL
  ) STRICT;
  ${MAIL_TABLE}
  CREATE TABLE copy (
    id INTEGER PRIMARY KEY,
    booking_id TEXT NOT NULL,
    taken_at INTEGER NOT NULL
  ) STRICT;
  ${SUMMARIES_TABLE}
  CREATE INDEX copy_of ON copy (booking_id, taken_at);`;

/** Format 1 (0.3.0) knows no mails about changes. */
const FROM_1_TO_2 = `
  ALTER TABLE mail RENAME TO mail_1;
  DROP INDEX mail_pending;
  DROP INDEX mail_unsent;
  ${MAIL_TABLE}
  INSERT INTO mail SELECT * FROM mail_1;
  DROP TABLE mail_1;`;

const COLUMNS = "booking_id, kind, tenant_id, mode, created_at, message_id, tries";

/** Not a later one that has taken its place meanwhile. */
const THIS_MAIL = `booking_id = $booking_id AND kind = $kind AND message_id = $message_id
  AND state = 'pending'`;

/**
 * A try planned later than this is due now: the clock was set back. Longer than any retry delay.
 */
const AHEAD_MS_MAX = 2 * 3_600_000;

/** Copies of a booking's mails per hour. */
export const COPIES_MAX = 3;
export const COPIES_WINDOW_MS = 3_600_000;

/** `retryInMs`: time until the next copy may be sent. */
type TakenCopy =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly retryInMs: number };

export class MailStore {
  readonly #db: Database;
  /** Daily summaries of operators. */
  readonly summaries: SummaryRows;

  /**
   * Opens or creates the file at `path`, as `openStoreFile` does.
   *
   * @throws StartRefused when the file is damaged or has another format.
   */
  constructor(path: string) {
    this.#db = openStoreFile(path, {
      ...{ tables: SCHEMA, format: FORMAT, upgrades: [FROM_1_TO_2] },
      ...{ synchronous: "normal", busyTimeoutMs: BUSY_TIMEOUT_MS, isOfWorker: true },
    });
    this.summaries = new SummaryRows(this.#db);
  }

  /**
   * Makes a new file start after `head`; earlier bookings get no mails. Call it before bookings are
   * accepted; only the first call counts.
   */
  begin({ row, chain }: Head): void {
    const insert = "INSERT INTO place VALUES (1, $row, $row, $chain) ON CONFLICT DO NOTHING";
    this.#db.run("PRAGMA synchronous = FULL");
    this.#db.query(insert).run({ row, chain });
    this.#db.run("PRAGMA synchronous = NORMAL");
  }

  /** Position in the journal, and the start of the file; null before `begin`. */
  position(): (Head & { readonly first_row: number }) | null {
    const select = "SELECT row, chain, first_row FROM place";
    return this.#db.query<Head & { first_row: number }, []>(select).get();
  }

  /**
   * Adds mails found up to `head`; known mails stay unchanged. A later change of a booking takes
   * the place of an earlier one, and a cancellation of one that is not sent: the letter is about
   * the booking as it is.
   */
  add(mails: readonly Omit<DueMail, "tries">[], { row, chain }: Head): void {
    const insert = this.#db.query(
      `INSERT INTO mail (booking_id, kind, tenant_id, mode, created_at, message_id, next_try_at)
       VALUES ($booking_id, $kind, $tenant_id, $mode, $created_at, $message_id, $created_at)
       ON CONFLICT DO UPDATE SET created_at = $created_at, message_id = $message_id,
         next_try_at = $created_at, state = 'pending', tries = 0, reason = NULL, status = NULL,
         settled_at = NULL
         WHERE kind = 'modification' AND message_id <> $message_id`,
    );
    const overtake = this.#db.query(
      "DELETE FROM mail WHERE booking_id = ? AND kind = 'modification' AND state = 'pending'",
    );
    const move = this.#db.query("UPDATE place SET row = $row, chain = $chain");
    this.#db
      .transaction(() => {
        for (const mail of mails) {
          insert.run({ ...mail });
          if (mail.kind === "cancellation") overtake.run(mail.booking_id);
        }
        move.run({ row, chain });
      })
      .immediate();
  }

  /** Mails due at `nowMs`, oldest first; the others wait for their booking's confirmation. */
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

  /** Records the handover of a mail. */
  sent({ booking_id, kind, message_id }: DueMail, at: number): void {
    const update = `UPDATE mail SET state = 'sent', tries = tries + 1, reason = NULL, status = NULL,
      settled_at = $at WHERE ${THIS_MAIL}`;
    this.#db.query(update).run({ booking_id, kind, message_id, at });
  }

  /** Plans the next try. */
  postpone(
    { booking_id, kind, message_id }: DueMail,
    failure: { readonly reason: MailFailure; readonly status: number | null },
    next_try_at: number,
  ): void {
    const update = `UPDATE mail SET tries = tries + 1, reason = $reason, status = $status,
      next_try_at = $next_try_at
      WHERE ${THIS_MAIL}`;
    const { reason, status } = failure;
    this.#db.query(update).run({ booking_id, kind, message_id, reason, status, next_try_at });
  }

  /** Gives a mail up. */
  giveUp(
    { booking_id, kind, message_id }: DueMail,
    end: { readonly reason: GivenUp; readonly status: number | null },
    at: number,
  ): void {
    const update = `UPDATE mail SET state = 'given_up', tries = tries + 1, reason = $reason,
      status = $status, settled_at = $at
      WHERE ${THIS_MAIL}`;
    const { reason, status } = end;
    this.#db.query(update).run({ booking_id, kind, message_id, reason, status, at });
  }

  /** Unsent mails; uses only an index. */
  unsent(): UnsentMails[] {
    const select = this.#db.query<UnsentMails, [string]>(
      `SELECT state, count(*) AS count, min(created_at) AS oldest_at FROM mail
       WHERE state <> 'sent' AND state = ?`,
    );
    return (["pending", "given_up"] as const).map((state) => ({ ...select.get(state)!, state }));
  }

  /**
   * Counts a copy before it is sent, unless the booking has had its copies of this hour; so
   * concurrent calls share the limit.
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

  /** Uncounts a copy that was not sent. */
  giveBackCopy(id: number): void {
    this.#db.query("DELETE FROM copy WHERE id = ?").run(id);
  }

  close(): void {
    this.#db.close();
  }
}
