/**
 * Limits the backlog of paused endpoints: an endpoint with too many or too old waiting deliveries
 * is disabled. Its open deliveries become dead letters, and later events are not stored for it.
 * After a resume, `recover` and `replay-missing` deliver both.
 */
import type { Database } from "bun:sqlite";
import { timeDigits } from "../../../engine/core/ids.ts";
import { every, type Log, type Service } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";
import type { Endpoint, EndpointBook } from "../endpoint.ts";
import { IS_OPEN } from "../store/delivery.ts";

const POLL_EVERY_MS = 60_000;
/** A delivery takes about 1.7 kB on disk. */
export const WAITING_MAX = 50_000;
export const WAITING_DAYS_MAX = 14;
const DAY_MS = 86_400_000;

interface BacklogOptions {
  readonly db: Database;
  readonly book: Pick<EndpointBook, "all" | "disable">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Checks once a minute. */
export function backlogLimit(options: BacklogOptions): Service {
  return every("webhook backlog", POLL_EVERY_MS, () => {
    try {
      limitBacklogs(options);
    } catch (error) {
      const fields = { error: String(error) };
      if (!isBusy(error)) options.log("warn", "cannot limit webhook backlogs", fields);
    }
  });
}

/** Disables the paused endpoints with a backlog over a limit; returns their ids. */
export function limitBacklogs({ db, book, now }: Omit<BacklogOptions, "log">): string[] {
  const isOver = ({ endpoint_id }: Endpoint) =>
    isOlder(db, endpoint_id, now() - WAITING_DAYS_MAX * DAY_MS) || isLarger(db, endpoint_id);
  const over = book.all().filter((endpoint) => endpoint.state === "paused" && isOver(endpoint));
  for (const { endpoint_id } of over) book.disable(endpoint_id, "backlog");
  return over.map(({ endpoint_id }) => endpoint_id);
}

/** Whether an open delivery is older than `sinceMs`; ids sort by creation. */
function isOlder(db: Database, endpointId: string, sinceMs: number): boolean {
  const oldest = `SELECT 1 FROM delivery WHERE endpoint_id = ? AND ${IS_OPEN}
    AND delivery_id < ? LIMIT 1`;
  return db.query(oldest).get(endpointId, `dlv_${timeDigits(Math.max(0, sinceMs))}`) !== null;
}

/** Reads at most one index entry beyond the limit. */
function isLarger(db: Database, endpointId: string): boolean {
  const beyond = `SELECT 1 FROM delivery WHERE endpoint_id = ? AND ${IS_OPEN}
    ORDER BY delivery_id LIMIT 1 OFFSET ?`;
  return db.query(beyond).get(endpointId, WAITING_MAX) !== null;
}
