/**
 * Order among the events of a subject (`ordering: per_subject`): one at a time.
 *
 * Maintained invariant: of a subject's open deliveries to such an endpoint only the first has an
 * instant at which it is due; whatever settles it names the next one in the same transaction. So a
 * delivery that waits costs nothing until it is its turn, however many wait. Replays are outside:
 * whoever asks for one wants it now.
 */
import type { Database } from "bun:sqlite";
import type { Delivery } from "./delivery.ts";

const OPEN = "state IN ('pending', 'in_flight', 'scheduled')";

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
       WHERE endpoint_id = ?3 AND subject = ?4 AND ${OPEN} AND replay_of IS NULL
       ORDER BY seq LIMIT 1)
     AND state = 'pending' AND next_attempt_at IS NULL`,
  ).run(nowMs, isDead ? webhook_id : null, endpoint_id, subject);
}

/** Whether a new delivery has to wait for one of before. */
export function hasToWait(db: Database, endpointId: string, subject: string): boolean {
  const select = `SELECT 1 FROM delivery
    WHERE endpoint_id = ? AND subject = ? AND ${OPEN} AND replay_of IS NULL LIMIT 1`;
  return db.query(select).get(endpointId, subject) !== null;
}

/** Applies an endpoint's ordering to what is open, after it was changed. */
export function reorder(
  db: Database,
  endpointId: string,
  ordering: "none" | "per_subject",
  nowMs: number,
): void {
  const mine = "endpoint_id = ?1 AND state IN ('pending', 'scheduled') AND replay_of IS NULL";
  if (ordering === "none") {
    const release = `UPDATE delivery SET next_attempt_at = ?2
      WHERE ${mine} AND next_attempt_at IS NULL`;
    db.query(release).run(endpointId, nowMs);
    return;
  }
  db.query(
    `UPDATE delivery SET next_attempt_at = NULL, state = 'pending' WHERE ${mine} AND EXISTS (
       SELECT 1 FROM delivery AS earlier WHERE earlier.endpoint_id = ?1
       AND earlier.subject = delivery.subject AND earlier.seq < delivery.seq
       AND earlier.state IN ('pending', 'in_flight', 'scheduled') AND earlier.replay_of IS NULL)`,
  ).run(endpointId);
}
