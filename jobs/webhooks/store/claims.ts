/**
 * Deliveries in flight: taken, sent and settled.
 *
 * Invariant: a delivery is settled in one transaction with its attempt, and only from `in_flight`
 * or together with the delivery whose message covers it. After a crash between sending and that
 * transaction, the next worker finds the delivery in flight and sends it again with the same id.
 */
import type { Database } from "bun:sqlite";
import {
  DELIVERY_COLUMNS,
  type Delivery,
  IS_OPEN,
  type Reason,
  type SentAttempt,
} from "./delivery.ts";
import { type RetrySchedule, retryDelayMs } from "./retry.ts";
import { releaseNext } from "./subject-order.ts";

const HOUR_MS = 3_600_000;
/** Failing endpoints are tried more often. A longer gap means that the worker did not run. */
const UNTRIED_MS_MAX = 86_400_000;

/** The result of a delivery that was taken. */
export interface Ended {
  readonly delivery: Delivery;
  readonly at: number;
  /** Deliveries of its subject that the same message covers: they succeed with it. */
  readonly covered?: readonly Delivery[];
  /** Null when the delivery ends without an attempt, for `reason`. */
  readonly attempt: SentAttempt | null;
  readonly reason: Reason | null;
}

/** A dead letter in the queue on Redis, without data of the event. */
export type DeadLetter = Pick<
  Delivery,
  "delivery_id" | "endpoint_id" | "webhook_id" | "kind" | "reason"
>;

export class Claims {
  readonly #db: Database;
  readonly #schedule: RetrySchedule;

  constructor(db: Database, schedule: RetrySchedule) {
    this.#db = db;
    this.#schedule = schedule;
  }

  /** Makes deliveries due that were in flight when the last worker ended. Returns how many. */
  reclaim(nowMs: number): number {
    return this.#write(() => {
      const update = `UPDATE delivery SET next_attempt_at = ?,
          state = CASE attempts WHEN 0 THEN 'pending' ELSE 'scheduled' END
        WHERE state = 'in_flight'`;
      return this.#db.query(update).run(nowMs).changes;
    });
  }

  /** Returns deliveries that were taken and not tried; they are due at `nowMs`. */
  giveBack(deliveries: readonly Delivery[], nowMs: number): void {
    if (deliveries.length === 0) return;
    const update = `UPDATE delivery SET next_attempt_at = ?,
        state = CASE attempts WHEN 0 THEN 'pending' ELSE 'scheduled' END
      WHERE delivery_id = ? AND state = 'in_flight'`;
    this.#write(() => {
      for (const { delivery_id } of deliveries) this.#db.query(update).run(nowMs, delivery_id);
    });
  }

  /** When the endpoint's next delivery is due; null without one. */
  nextDueAt(endpointId: string): number | null {
    const select = `SELECT min(next_attempt_at) AS at FROM delivery
      WHERE endpoint_id = ? AND next_attempt_at IS NOT NULL`;
    return this.#db.query<{ at: number | null }, [string]>(select).get(endpointId)?.at ?? null;
  }

  /** Takes due deliveries, the longest due first. */
  take(endpointId: string, limit: number, nowMs: number): Delivery[] {
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery
      WHERE endpoint_id = ? AND next_attempt_at <= ? ORDER BY next_attempt_at, seq LIMIT ?`;
    const update = `UPDATE delivery SET state = 'in_flight', next_attempt_at = NULL
      WHERE delivery_id = ?`;
    return this.#write(() => {
      const due = this.#db
        .query<Delivery, [string, number, number]>(select)
        .all(endpointId, nowMs, limit);
      for (const { delivery_id } of due) this.#db.query(update).run(delivery_id);
      return due;
    });
  }

  /** Deliveries of the same subject that wait for this one, in their order. */
  waitingFor({ endpoint_id, subject }: Delivery, limit: number): Delivery[] {
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery
      WHERE endpoint_id = ? AND subject = ? AND ${IS_OPEN} AND replay_of IS NULL
      AND state = 'pending' AND next_attempt_at IS NULL ORDER BY seq LIMIT ?`;
    return this.#db
      .query<Delivery, [string, string, number]>(select)
      .all(endpoint_id, subject, limit);
  }

  /** Stores the results of taken deliveries. Returns the ids of the new dead letters. */
  settle(ended: readonly Ended[], nowMs: number): string[] {
    return this.#write(() => {
      const dead: string[] = [];
      for (const each of ended) {
        if (this.#settleOne(each, nowMs)) dead.push(each.delivery.delivery_id);
      }
      return dead;
    });
  }

  /**
   * Ends at most `limit` open deliveries of an endpoint without sending them: those due since
   * before `dueBefore`, or all. Returns their ids.
   */
  giveUp(
    endpointId: string,
    {
      state,
      reason,
      limit,
      dueBefore,
      nowMs,
    }: {
      readonly state: "dead_lettered" | "cancelled";
      readonly reason: Reason;
      readonly limit: number;
      readonly dueBefore: number | null;
      readonly nowMs: number;
    },
  ): string[] {
    const [which, values] =
      dueBefore === null
        ? ([`${IS_OPEN} AND state <> 'in_flight'`, [endpointId]] as const)
        : (["next_attempt_at < ?", [endpointId, dueBefore]] as const);
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery
      WHERE endpoint_id = ? AND ${which} LIMIT ?`;
    return this.#write(() => {
      const found = this.#db.query<Delivery, (string | number)[]>(select).all(...values, limit);
      for (const delivery of found) {
        this.#end(delivery, { state, reason, status: delivery.last_status, attempts: 0, nowMs });
        if (state === "dead_lettered") this.#count(delivery, { dead_lettered: 1 }, nowMs);
      }
      return found.map(({ delivery_id }) => delivery_id);
    });
  }

  /** Endpoints with open deliveries, deleted ones included. */
  endpointsWithOpen(): string[] {
    const select = `SELECT min(endpoint_id) AS id FROM delivery
      WHERE endpoint_id > ? AND ${IS_OPEN}`;
    const next = this.#db.query<{ id: string | null }, [string]>(select);
    const found: string[] = [];
    for (let id = next.get("")?.id; id; id = next.get(id)?.id) found.push(id);
    return found;
  }

  /** The newest dead letters without a replay. */
  deadLetters(limit: number): DeadLetter[] {
    const select = `SELECT delivery_id, endpoint_id, webhook_id, kind, reason FROM delivery
      WHERE state = 'dead_lettered' AND replayed_as IS NULL ORDER BY delivery_id DESC LIMIT ?`;
    return this.#db.query<DeadLetter, [number]>(select).all(limit);
  }

  /** Number of dead letters without a replay, at most `max`. */
  countDeadLetters(max: number): number {
    const select = `SELECT count(*) AS n FROM (SELECT 1 FROM delivery
      WHERE state = 'dead_lettered' AND replayed_as IS NULL LIMIT ?)`;
    return this.#db.query<{ n: number }, [number]>(select).get(max)!.n;
  }

  /** The id of the endpoint's oldest open delivery, or null. */
  oldestOpen(endpointId: string): string | null {
    const select = `SELECT min(delivery_id) AS id FROM delivery
      WHERE endpoint_id = ? AND ${IS_OPEN}`;
    return this.#db.query<{ id: string | null }, [string]>(select).get(endpointId)?.id ?? null;
  }

  /** Changes when another connection has written. */
  dataVersion(): number {
    const pragma = "PRAGMA data_version";
    return this.#db.query<{ data_version: number }, []>(pragma).get()!.data_version;
  }

  /** True when the last attempt failed. */
  isFailing(endpointId: string): boolean {
    return this.failingSince(endpointId) !== null;
  }

  /** Time of the first failure since the last success; null when the last attempt succeeded. */
  failingSince(endpointId: string): number | null {
    const select = "SELECT failing_since FROM progress WHERE endpoint_id = ?";
    type Found = { readonly failing_since: number | null };
    return this.#db.query<Found, [string]>(select).get(endpointId)?.failing_since ?? null;
  }

  /** True when it became a dead letter. */
  #settleOne({ delivery, covered = [], at, attempt, reason }: Ended, nowMs: number): boolean {
    if (attempt === null) {
      const status = delivery.last_status;
      if (reason === "nothing_to_send") {
        this.#end(delivery, { state: "cancelled", reason, status, attempts: 0, nowMs });
        return false;
      }
      this.#end(delivery, { state: "dead_lettered", reason, status, attempts: 0, nowMs });
      this.#count(delivery, { dead_lettered: 1 }, at);
      return true;
    }
    const attempts = delivery.attempts + 1;
    this.#insertAttempt(delivery, attempts, at, attempt);
    this.#noteHealth(delivery.endpoint_id, attempt.ok ? null : at);
    const { ok, status, latency_ms, retry_after_s } = attempt;
    const delayMs =
      ok || attempt.reason === "gone"
        ? null
        : retryDelayMs(this.#schedule, { attempts, retry_after_s });
    const isDead = !ok && delayMs === null;
    const figures = {
      attempts: 1,
      succeeded: Number(ok),
      dead_lettered: Number(isDead),
      latency_ms,
    };
    this.#count(delivery, figures, at);
    if (delayMs === null) {
      const state = ok ? "succeeded" : "dead_lettered";
      this.#end(delivery, { state, reason: attempt.reason, status, attempts: 1, nowMs });
      for (const each of ok ? covered : []) this.#endCovered(each, at, attempt, nowMs);
      return isDead;
    }
    this.#db
      .query(
        `UPDATE delivery SET state = 'scheduled', attempts = ?, next_attempt_at = ?, reason = ?,
           last_status = ? WHERE delivery_id = ? AND state = 'in_flight'`,
      )
      .run(attempts, nowMs + delayMs, attempt.reason, status, delivery.delivery_id);
    return false;
  }

  /** A delivery that an operator settled meanwhile stays unchanged. */
  #endCovered(delivery: Delivery, at: number, attempt: SentAttempt, nowMs: number): void {
    const { status } = attempt;
    const to = { state: "succeeded", reason: null, status, attempts: 1, nowMs } as const;
    const nth = delivery.attempts + 1;
    if (this.#end(delivery, to)) this.#insertAttempt(delivery, nth, at, attempt);
  }

  /** False when it was settled already. */
  #end(
    delivery: Delivery,
    to: {
      readonly state: "succeeded" | "dead_lettered" | "cancelled";
      readonly reason: Reason | null;
      readonly status: number | null;
      /** Attempts to add: 0 or 1. */
      readonly attempts: number;
      readonly nowMs: number;
    },
  ): boolean {
    const { changes } = this.#db
      .query(
        `UPDATE delivery SET state = ?, reason = ?, last_status = ?, attempts = attempts + ?,
           settled_at = ?, next_attempt_at = NULL WHERE delivery_id = ? AND settled_at IS NULL`,
      )
      .run(to.state, to.reason, to.status, to.attempts, to.nowMs, delivery.delivery_id);
    if (changes === 0) return false;
    const isDead = to.state !== "succeeded" && to.reason !== "nothing_to_send";
    releaseNext(this.#db, delivery, { isDead, nowMs: to.nowMs });
    return true;
  }

  #insertAttempt(delivery: Delivery, nth: number, at: number, attempt: SentAttempt): void {
    const { latency_ms, reason, status, address, request_id, excerpt } = attempt;
    const headers = [attempt.request_headers, attempt.response_headers] as const;
    const [requested, responded] = headers.map((each) => JSON.stringify(each));
    this.#db
      .query("INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        ...([delivery.delivery_id, nth, at, latency_ms, reason, status] as const),
        ...([address, request_id, requested!, responded!, excerpt] as const),
      );
  }

  /** After a long time without attempts, the time of failing starts anew. */
  #noteHealth(endpointId: string, failedAt: number | null): void {
    const update =
      failedAt === null
        ? "UPDATE progress SET failing_since = ?2, failed_at = ?2 WHERE endpoint_id = ?1"
        : `UPDATE progress SET failed_at = ?2, failing_since =
             CASE WHEN failed_at > ?2 - ${UNTRIED_MS_MAX} THEN ifnull(failing_since, ?2) ELSE ?2 END
           WHERE endpoint_id = ?1`;
    this.#db.query(update).run(endpointId, failedAt);
  }

  #count(
    { endpoint_id }: Delivery,
    add: Partial<Record<"attempts" | "succeeded" | "dead_lettered" | "latency_ms", number>>,
    at: number,
  ): void {
    const { attempts = 0, succeeded = 0, dead_lettered = 0, latency_ms = 0 } = add;
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
    this.#db
      .query(
        `INSERT INTO hourly VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
         ON CONFLICT (endpoint_id, hour) DO UPDATE SET attempts = attempts + ?3,
           succeeded = succeeded + ?4, dead_lettered = dead_lettered + ?5,
           latency_ms = latency_ms + ?6, latency_ms_max = max(latency_ms_max, ?6)`,
      )
      .run(endpoint_id, hour, attempts, succeeded, dead_lettered, latency_ms);
  }

  #write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}
