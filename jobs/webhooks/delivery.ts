/** A delivery: one event for one endpoint. */
import type { Realm } from "../../engine/core/supply.ts";
import type { SentAttempt } from "./send.ts";

/** States of unsettled deliveries. */
export const OPEN_STATES = ["pending", "in_flight", "scheduled"] as const;
export const DELIVERY_STATES = [
  ...OPEN_STATES,
  ...(["succeeded", "dead_lettered", "cancelled"] as const),
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What caused the delivery: the event, or a request. */
export type DeliveryTrigger = "event" | "missing" | "manual" | "recover";

/** All instants are engine time, epoch milliseconds. */
export interface Delivery extends Realm {
  /** `dlv_…`, sorts by creation. */
  readonly delivery_id: string;
  readonly endpoint_id: string;
  /** The event's id, equal in all its deliveries. */
  readonly webhook_id: string;
  /** Row of the journal with the event. */
  readonly row: number;
  readonly seq: number;
  readonly prev_seq: number;
  readonly kind: string;
  /** `booking:bkg_…`. */
  readonly subject: string;
  readonly property_id: string | null;
  readonly event_at: number;
  readonly created_at: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Null when settled, in flight, or waiting for an earlier event of its subject. */
  readonly next_attempt_at: number | null;
  /** Of the last failed attempt, or of the end without an attempt. */
  readonly reason: string | null;
  readonly last_status: number | null;
  readonly settled_at: number | null;
  /** The delivery that this one replays. */
  readonly replay_of: string | null;
  /** The last replay of this one; a dead letter with a replay is handled. */
  readonly replayed_as: string | null;
  readonly trigger: DeliveryTrigger;
  /** With `per_subject`: `webhook-id` of the previous event, if it is a dead letter. */
  readonly after_dead_letter: string | null;
  /** The operator's note on a cancelled delivery. */
  readonly note: string | null;
}

/** One attempt, as stored. */
export interface StoredAttempt
  extends Pick<
    SentAttempt,
    | "latency_ms"
    | "reason"
    | "status"
    | "address"
    | "request_id"
    | "request_headers"
    | "response_headers"
    | "excerpt"
  > {
  /** From 1. */
  readonly nth: number;
  readonly at: number;
}

/** In the order of the table. */
export const DELIVERY_COLUMNS = `delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
  prev_seq, kind, subject, property_id, event_at, created_at, state, attempts, next_attempt_at,
  reason, last_status, settled_at, replay_of, replayed_as, trigger, after_dead_letter, note`;

/**
 * Open deliveries, in the exact text of the partial indexes: SQLite matches them by text. With
 * other text a query scans the whole table.
 */
export const IS_OPEN = "state IN ('pending', 'in_flight', 'scheduled')";
