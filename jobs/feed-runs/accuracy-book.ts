/** The last accuracy check of each published feed, in `feeds.db`. */
import type { Database } from "bun:sqlite";
import type { Outcome } from "../../feeds/requote.ts";

export interface Accuracy {
  /** The run that was checked. */
  readonly run_id: string;
  /** Engine time, epoch milliseconds. */
  readonly checked_at: number;
  /** Selects the same itineraries of the document again. */
  readonly seed: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Nothing of the tenant has changed since the build, so all prices must match. */
  readonly is_unchanged: boolean;
  /** `wrong`: never correct. `stale`: too much has changed since. */
  readonly alarm: "wrong" | "stale" | null;
}

/** Number of itineraries of a check. */
export function checkedIn({ outcomes }: Pick<Accuracy, "outcomes">): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** The share of itineraries that differ, from 0 to 1. */
export function wrongShareOf(accuracy: Pick<Accuracy, "outcomes">): number {
  const checked = checkedIn(accuracy);
  return checked === 0 ? 0 : 1 - accuracy.outcomes.equal / checked;
}

export class AccuracyBook {
  readonly #db: Database;

  /** `db`: a connection of `openFeeds`. */
  constructor(db: Database) {
    this.#db = db;
  }

  /** The last check of a feed; null before the first. */
  last(tenantId: string, partner: string): Accuracy | null {
    const select = "SELECT result FROM accuracy WHERE tenant_id = ? AND partner = ?";
    const found = this.#db.query<{ result: string }, [string, string]>(select);
    const row = found.get(tenantId, partner);
    return row && (JSON.parse(row.result) as Accuracy);
  }

  note(tenantId: string, partner: string, accuracy: Accuracy): void {
    const insert = `INSERT OR REPLACE INTO accuracy (tenant_id, partner, checked_at, result)
      VALUES (?, ?, ?, ?)`;
    const result = JSON.stringify(accuracy);
    this.#db.query(insert).run(tenantId, partner, accuracy.checked_at, result);
  }
}
