/**
 * Deletes deliveries that were settled long ago, a slice at a time. Dead letters without a replay
 * are kept longer, open deliveries without limit.
 */
import type { Database } from "bun:sqlite";
import { timeDigits } from "../../../engine/core/ids.ts";
import { every, type Log, type Service } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";

const STEP_EVERY_MS = 1_000;
/** Pause after a full pass. */
const REST_MS = 600_000;
/** Rows checked in one transaction. */
const SLICE_ROWS = 500;
const DAY_MS = 86_400_000;
const DEAD_LETTERS_KEPT_DAYS = 90;

export interface RetentionOptions {
  readonly db: Database;
  readonly keptDays: number;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export class Retention implements Service {
  readonly id = "webhook retention";
  readonly #options: RetentionOptions;
  readonly #timer = every(this.id, STEP_EVERY_MS, () => this.#step());
  /** The last delivery that was checked. */
  #after = "";
  #restsUntilMs = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  stop(): void {
    this.#timer.stop();
  }

  #step(): void {
    const { now, log } = this.#options;
    if (performance.now() < this.#restsUntilMs) return;
    try {
      if (this.cut(now())) return;
      this.#restsUntilMs = performance.now() + REST_MS;
    } catch (error) {
      if (!isBusy(error)) log("warn", "cannot delete old deliveries", { error: String(error) });
    }
  }

  /** Checks the next slice; false after the last one, and the next call starts a new pass. */
  cut(nowMs: number): boolean {
    const { db, keptDays } = this.#options;
    const idBefore = (days: number) => `dlv_${timeDigits(Math.max(0, nowMs - days * DAY_MS))}`;
    const [settledBefore, deadBefore] = [keptDays, Math.max(keptDays, DEAD_LETTERS_KEPT_DAYS)].map(
      idBefore,
    ) as [string, string];
    type Old = { readonly delivery_id: string; readonly is_over: number };
    const old = db
      .query<Old, [string, string, string, number]>(
        `SELECT delivery_id, settled_at IS NOT NULL AND (delivery_id < ?1
           OR state <> 'dead_lettered' OR replayed_as IS NOT NULL) AS is_over
         FROM delivery WHERE delivery_id > ?2 AND delivery_id < ?3 ORDER BY delivery_id LIMIT ?4`,
      )
      .all(deadBefore, this.#after, settledBefore, SLICE_ROWS);
    const over = JSON.stringify(old.filter(({ is_over }) => is_over).map((row) => row.delivery_id));
    db.transaction(() => {
      for (const table of ["attempt", "delivery"]) {
        const ids = "delivery_id IN (SELECT value FROM json_each(?))";
        db.query(`DELETE FROM ${table} WHERE ${ids}`).run(over);
      }
      db.query("DELETE FROM hourly WHERE hour < ?").run(nowMs - keptDays * DAY_MS);
      const searches = "DELETE FROM refill WHERE done_at < ?";
      db.query(searches).run(nowMs - keptDays * DAY_MS);
    }).immediate();
    const hasMore = old.length === SLICE_ROWS;
    this.#after = hasMore ? old.at(-1)!.delivery_id : "";
    return hasMore;
  }
}
