/**
 * The daily summaries of operators in `mail.db`: one row for each operator and local date.
 *
 * Maintained invariants: a row is there before its mail is sent, and an operator has one a date, so
 * no restart and no change of the hour makes a second mail; a row leaves `pending` once and for
 * good.
 */
import type { Database } from "bun:sqlite";
import type { MailFailure } from "./mail.ts";

export const SUMMARIES_TABLE = `
  CREATE TABLE summary (
    agent_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'given_up')),
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    reason TEXT,
    PRIMARY KEY (agent_id, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX summary_pending ON summary (next_try_at) WHERE state = 'pending';`;

/** A summary that is to be sent. */
export interface DueSummary {
  readonly agent_id: string;
  /** The local date on which it is sent, as a day number; it tells of the day before. */
  readonly day: number;
  /** Epoch milliseconds, engine time. */
  readonly created_at: number;
  /** How often it was tried. */
  readonly tries: number;
}

/**
 * Why a summary waits or is never sent. `not_counted`: the key figures are still being counted;
 * `unsubscribed`: the operator no longer wants or may read it; `expired`: a day has passed.
 */
export type SummaryFailure = MailFailure | "not_counted" | "unsubscribed" | "expired";

export class SummaryRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Makes the summary of a date due; one that is known stays as it is. */
  take(agent_id: string, day: number, nowMs: number): void {
    const insert = `INSERT INTO summary (agent_id, day, created_at, next_try_at)
      VALUES ($agent_id, $day, $now, $now) ON CONFLICT DO NOTHING`;
    this.#db.query(insert).run({ agent_id, day, now: nowMs });
  }

  /** Those that are to be tried at `nowMs`, oldest first. */
  due(nowMs: number): DueSummary[] {
    const select = `SELECT agent_id, day, created_at, tries FROM summary
      WHERE state = 'pending' AND next_try_at <= ? ORDER BY next_try_at`;
    return this.#db.query<DueSummary, [number]>(select).all(nowMs);
  }

  /** The mail was handed over. */
  sent(summary: DueSummary): void {
    this.#end(summary, "sent", null);
  }

  /** It is never sent. */
  giveUp(summary: DueSummary, reason: SummaryFailure): void {
    this.#end(summary, "given_up", reason);
  }

  /** It is tried again at `next_try_at`. */
  postpone({ agent_id, day }: DueSummary, reason: SummaryFailure, next_try_at: number): void {
    const update = `UPDATE summary SET tries = tries + 1, reason = $reason,
      next_try_at = $next_try_at WHERE agent_id = $agent_id AND day = $day AND state = 'pending'`;
    this.#db.query(update).run({ agent_id, day, reason, next_try_at });
  }

  #end({ agent_id, day }: DueSummary, state: string, reason: SummaryFailure | null): void {
    const update = `UPDATE summary SET state = $state, reason = $reason, tries = tries + 1
      WHERE agent_id = $agent_id AND day = $day AND state = 'pending'`;
    this.#db.query(update).run({ agent_id, day, state, reason });
  }
}
