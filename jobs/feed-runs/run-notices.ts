/**
 * Notifies the tenant's event stream of ended runs. The notification is recorded in the run's row;
 * after a crash it is repeated under the same id, which the receiver detects.
 */
import type { Database } from "bun:sqlite";
import { every, type Service } from "../../src/lib/service.ts";
import { type FeedRun, RUN_COLUMNS, runOf, type StoredRun } from "./run.ts";

const LOOK_EVERY_MS = 1_000;
const BATCH_MAX = 100;

/** Passes on an ended run; it must be durable when this returns. */
export type NotifyRun = (run: FeedRun, servedRunId: string | null) => void;

/** Finds ended runs without a notification and passes them on. */
export function runNotices(
  db: Database,
  notify: NotifyRun,
  onError: (error: unknown) => void,
): Service {
  return every("feed run notices", LOOK_EVERY_MS, () => {
    try {
      notifyEnded(db, notify);
    } catch (error) {
      onError(error);
    }
  });
}

/** Notifies of the first ones, in the order of their ids. */
function notifyEnded(db: Database, notify: NotifyRun): void {
  const select = `SELECT ${RUN_COLUMNS}, (SELECT published_run FROM feed
      WHERE feed.tenant_id = run.tenant_id AND feed.partner = run.partner) AS served
    FROM run WHERE ended_at IS NOT NULL AND is_told = 0 ORDER BY run_id LIMIT ?`;
  type Found = StoredRun & { readonly served: string | null };
  for (const { served, ...run } of db.query<Found, [number]>(select).all(BATCH_MAX)) {
    notify(runOf(run), served);
    db.query("UPDATE run SET is_told = 1 WHERE run_id = ?").run(run.run_id);
  }
}
