/**
 * Order among the events of a subject (`ordering: per_subject`): one at a time.
 *
 * Maintained invariant: of a subject's open deliveries to such an endpoint only the first has an
 * instant at which it is due; whatever settles it names the next one in the same transaction. So a
 * delivery that waits costs nothing until it is its turn, however many wait. Replays are outside:
 * whoever asks for one wants it now.
 */
import type { Database } from "bun:sqlite";
import { type Delivery, IS_OPEN } from "./delivery.ts";

type Settled = Pick<Delivery, "endpoint_id" | "subject" | "seq" | "replay_of" | "webhook_id">;

/** Lets the next one go; of one that has died, or was given up, it says so. */
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

/** Whether a new delivery has to wait for one of before. */
export function hasToWait(db: Database, endpointId: string, subject: string): boolean {
  const select = `SELECT 1 FROM delivery
    WHERE endpoint_id = ? AND subject = ? AND ${IS_OPEN} AND replay_of IS NULL LIMIT 1`;
  return db.query(select).get(endpointId, subject) !== null;
}

/** How far an endpoint's open deliveries were put in order: by subject, then by event. */
export interface Place {
  readonly subject: string;
  readonly seq: number;
}

/** Deliveries put in order in one transaction. */
const SLICE_ROWS = 500;

/**
 * Applies an endpoint's ordering, after it was changed, to the next slice of what is open. Null
 * when that was the last.
 */
export function reorder(
  db: Database,
  endpointId: string,
  ordering: "none" | "per_subject",
  after: Place,
  nowMs: number,
): Place | null {
  type Open = Place & Pick<Delivery, "delivery_id" | "next_attempt_at">;
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
