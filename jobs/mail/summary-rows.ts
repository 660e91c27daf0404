/**
 * Daily summaries of operators in `mail.db`: one row per operator and local date.
 *
 * Invariants: a row exists before its mail is sent, and an operator has one per date, so neither a
 * restart nor a changed hour sends a second mail. A row leaves `pending` once and for good.
 */
import type { Database } from "bun:sqlite";
import type { MailFailure } from "../../engine/core/mail-failure.ts";

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

/** A summary to send. */
export interface DueSummary {
  readonly agent_id: string;
  /** Day number of the local date on which it is sent; it is about the day before. */
  readonly day: number;
  /** Epoch milliseconds, engine time. */
  readonly created_at: number;
  /** Number of tries so far. */
  readonly tries: number;
}

/**
 * Why a summary waits or was given up. `not_counted`: the key figures are still being counted.
 * `unsubscribed`: the operator no longer wants or may read it. `expired`: a day has passed.
 */
export type SummaryFailure = MailFailure | "not_counted" | "unsubscribed" | "expired";

export class SummaryRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Makes the summary of a date due, once. */
  take(agent_id: string, day: number, nowMs: number): void {
    const insert = `INSERT INTO summary (agent_id, day, created_at, next_try_at)
      VALUES ($agent_id, $day, $now, $now) ON CONFLICT DO NOTHING`;
    this.#db.query(insert).run({ agent_id, day, now: nowMs });
  }

  /** Summaries due at `nowMs`, oldest first. */
  due(nowMs: number): DueSummary[] {
    const select = `SELECT agent_id, day, created_at, tries FROM summary
      WHERE state = 'pending' AND next_try_at <= ? ORDER BY next_try_at`;
    return this.#db.query<DueSummary, [number]>(select).all(nowMs);
  }

  /** Records the handover of a mail. */
  sent(summary: DueSummary): void {
    this.#end(summary, "sent", null);
  }

  /** Gives a summary up. */
  giveUp(summary: DueSummary, reason: SummaryFailure): void {
    this.#end(summary, "given_up", reason);
  }

  /** Plans the next try. */
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
