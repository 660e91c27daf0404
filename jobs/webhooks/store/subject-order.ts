/**
 * Order of the events of a subject (`ordering: per_subject`): one at a time.
 *
 * Invariant: of a subject's open deliveries to an endpoint only the first has a due time. Settling
 * it sets the due time of the next one in the same transaction, so waiting deliveries cost nothing.
 * Replays are not ordered: an operator wants them now.
 */
import type { Database } from "bun:sqlite";
import { type Delivery, IS_OPEN } from "./delivery.ts";

type Settled = Pick<Delivery, "endpoint_id" | "subject" | "seq" | "replay_of" | "webhook_id">;

/** Makes the next delivery due; notes in it that this one died, if it did. */
export function releaseNext(
  db: Database,
  { endpoint_id, subject, replay_of, webhook_id }: Settled,
  { isDead, nowMs }: { readonly isDead: boolean; readonly nowMs: number },
): void {
  if (replay_of !== null) return;
  db.query(
    `UPDATE delivery SET next_attempt_at = ?1, after_dead_letter = ?2
     WHERE delivery_id = (
       SELECT delivery_id FROM delivery
       WHERE endpoint_id = ?3 AND subject = ?4 AND ${IS_OPEN} AND replay_of IS NULL
       ORDER BY seq LIMIT 1)
     AND state = 'pending' AND next_attempt_at IS NULL`,
  ).run(nowMs, isDead ? webhook_id : null, endpoint_id, subject);
}

/** Whether a new delivery must wait for an earlier one. */
export function hasToWait(db: Database, endpointId: string, subject: string): boolean {
  const select = `SELECT 1 FROM delivery
    WHERE endpoint_id = ? AND subject = ? AND ${IS_OPEN} AND replay_of IS NULL LIMIT 1`;
  return db.query(select).get(endpointId, subject) !== null;
}

/** Position of a reordering: by subject, then by event. */
export interface ReorderPosition {
  readonly subject: string;
  readonly seq: number;
}

/** Deliveries reordered in one transaction. */
const SLICE_ROWS = 500;

/** Applies a changed ordering to the next slice of open deliveries. Null after the last slice. */
export function reorder(
  db: Database,
  endpointId: string,
  ordering: "none" | "per_subject",
  after: ReorderPosition,
  nowMs: number,
): ReorderPosition | null {
  type Open = ReorderPosition & Pick<Delivery, "delivery_id" | "next_attempt_at">;
  const select = `SELECT delivery_id, subject, seq, next_attempt_at FROM delivery
    WHERE endpoint_id = ? AND (subject, seq) > (?, ?) AND ${IS_OPEN} AND state <> 'in_flight'
    AND replay_of IS NULL ORDER BY subject, seq LIMIT ?`;
  const open = db
    .query<Open, [string, string, number, number]>(select)
    .all(endpointId, after.subject, after.seq, SLICE_ROWS);
  const earlier = db.query<object, [string, string, number]>(
    `SELECT 1 FROM delivery WHERE endpoint_id = ? AND subject = ? AND seq < ? AND ${IS_OPEN}
     AND replay_of IS NULL LIMIT 1`,
  );
  const release = db.query("UPDATE delivery SET next_attempt_at = ? WHERE delivery_id = ?");
  const wait = db.query(
    "UPDATE delivery SET next_attempt_at = NULL, state = 'pending' WHERE delivery_id = ?",
  );
  for (const { delivery_id, subject, seq, next_attempt_at } of open) {
    const isWaiting = next_attempt_at === null;
    if (ordering === "none") {
      if (isWaiting) release.run(nowMs, delivery_id);
    } else if (!isWaiting && earlier.get(endpointId, subject, seq)) {
      wait.run(delivery_id);
    }
  }
  const last = open.at(-1);
  return open.length === SLICE_ROWS && last ? { subject: last.subject, seq: last.seq } : null;
}
