/**
 * Tells how runs have ended, to whoever listens to the tenant's events. That a run was told stands
 * in its row: after a crash it is told again, under the same id, which the other side knows.
 */
import type { Database } from "bun:sqlite";
import { every, type Service } from "../../engine/shell/service.ts";
import { type FeedRun, RUN_COLUMNS, runOf, type StoredRun } from "./run.ts";

const LOOK_EVERY_MS = 1_000;
const TOLD_AT_ONCE_MAX = 100;

/** Passes a run on that has ended; once that is durable, it is told. */
export type TellRun = (run: FeedRun, servedRunId: string | null) => void;

/** Looks for runs that have ended and are not told. */
export function telling(db: Database, tell: TellRun, onError: (error: unknown) => void): Service {
  return every("feed telling", LOOK_EVERY_MS, () => {
    try {
      tellEnded(db, tell);
    } catch (error) {
      onError(error);
    }
  });
}

/** Tells of the first of them, in the order of their ids. */
function tellEnded(db: Database, tell: TellRun): void {
  const select = `SELECT ${RUN_COLUMNS}, (SELECT published_run FROM feed
      WHERE feed.tenant_id = run.tenant_id AND feed.partner = run.partner) AS served
    FROM run WHERE ended_at IS NOT NULL AND is_told = 0 ORDER BY run_id LIMIT ?`;
  type Found = StoredRun & { readonly served: string | null };
  for (const { served, ...run } of db.query<Found, [number]>(select).all(TOLD_AT_ONCE_MAX)) {
    tell(runOf(run), served);
    db.query("UPDATE run SET is_told = 1 WHERE run_id = ?").run(run.run_id);
  }
}
