/** A delivery: one event to one endpoint, in as many attempts as its schedule has. */
import type { Realm } from "../../engine/core/supply.ts";
import type { SentAttempt } from "./send.ts";

/** States in which something is still to be done. */
export const OPEN_STATES = ["pending", "in_flight", "scheduled"] as const;
export const DELIVERY_STATES = [
  ...OPEN_STATES,
  ...(["succeeded", "dead_lettered", "cancelled"] as const),
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why there is a delivery: the event itself, or somebody asked for it. */
export type DeliveryTrigger = "event" | "missing" | "manual" | "recover";

/** All instants are engine time, epoch milliseconds. */
export interface Delivery extends Realm {
  /** `dlv_…`, sorts by creation. */
  readonly delivery_id: string;
  readonly endpoint_id: string;
  /** The event's id, which every delivery of it has. */
  readonly webhook_id: string;
  /** Of the journal, where the event is. */
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
  /** Null when none is due: settled, in flight, or waiting for an earlier event of its subject. */
  readonly next_attempt_at: number | null;
  /** Of the last attempt that failed, or why it died without one. */
  readonly reason: string | null;
  readonly last_status: number | null;
  readonly settled_at: number | null;
  /** The delivery that it repeats. */
  readonly replay_of: string | null;
  /** The last delivery that repeats it; a dead letter that has one is handled. */
  readonly replayed_as: string | null;
  readonly trigger: DeliveryTrigger;
  /** With `per_subject`: the `webhook-id` of the event before, when that has died. */
  readonly after_dead_letter: string | null;
  /** What whoever discarded it has said. */
  readonly note: string | null;
}

/** One attempt, as it is kept. */
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

/** As the table has them. */
export const DELIVERY_COLUMNS = `delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
  prev_seq, kind, subject, property_id, event_at, created_at, state, attempts, next_attempt_at,
  reason, last_status, settled_at, replay_of, replayed_as, trigger, after_dead_letter, note`;

/**
 * What is open, in the words of the indexes of it: SQLite knows them by their words alone, and
 * other ones for the same walk all deliveries that there are.
 */
export const IS_OPEN = "state IN ('pending', 'in_flight', 'scheduled')";
