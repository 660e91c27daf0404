/** A delivery: one event for one endpoint; its attempts, and why they fail. */
import { createHash, randomBytes } from "node:crypto";
import { deriveId } from "../../../engine/core/ids.ts";
import type { Realm } from "../../../engine/core/supply.ts";

/** An id of a delivery, a search (`rfl`) or a bulk replay (`rcv`); sorts by creation. */
export function newId(prefix: "dlv" | "rfl" | "rcv", nowMs: number): string {
  return deriveId(prefix, nowMs, randomBytes(16).toString("hex"));
}

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

/** In the order of the table. */
export const DELIVERY_COLUMNS = `delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
  prev_seq, kind, subject, property_id, event_at, created_at, state, attempts, next_attempt_at,
  reason, last_status, settled_at, replay_of, replayed_as, trigger, after_dead_letter, note`;

/**
 * Open deliveries, in the exact text of the partial indexes: SQLite matches them by text. With
 * other text a query scans the whole table.
 */
export const IS_OPEN = "state IN ('pending', 'in_flight', 'scheduled')";

/**
 * Why an attempt failed or a delivery became a dead letter, in classes an operator can act on: by
 * reason, its description.
 */
export const REASONS = {
  address: "Events may not be sent to this address.",
  dns: "The host name does not resolve to a permitted address.",
  connect: "The connection was refused or failed.",
  tls: "TLS failed: certificate, host name or protocol.",
  timeout: "No answer within the time limit.",
  invalid_answer: "The answer is cut off, is not HTTP, or does not confirm a partner message.",
  http_4xx: "The receiver refused the request.",
  http_5xx: "The receiver failed.",
  gone: "The receiver answered 410: it wants no more events.",
  too_many_redirects: "The receiver answered with a redirect; redirects are not followed.",
  payload_refused: "The receiver refused the payload: 413 or 422.",
  endpoint_disabled: "The endpoint was disabled before the delivery was made.",
  endpoint_narrowed: "The endpoint's filter no longer includes the property.",
  event_lost: "The journal no longer contains the event.",
  nothing_to_send: "All affected nights are in the past.",
} as const;

export type Reason = keyof typeof REASONS;

/** The reason of a status; null for success, which is 2xx only. */
export function reasonOfStatus(status: number): Reason | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "too_many_redirects";
  if (status === 410) return "gone";
  if (status === 413 || status === 422) return "payload_refused";
  if (status >= 400 && status < 500) return "http_4xx";
  return status >= 500 && status < 600 ? "http_5xx" : "invalid_answer";
}

type Headers = Readonly<Record<string, string>>;

/** The result of an attempt. */
export interface SentAttempt {
  readonly ok: boolean;
  /** Null on success. */
  readonly reason: Reason | null;
  /** Null without an answer. */
  readonly status: number | null;
  /** Until the headers of the answer, or until the failure. */
  readonly latency_ms: number;
  /** The IP address called; null when no connection was tried. */
  readonly address: string | null;
  /** Sent as `x-request-id`, for the receiver's log. */
  readonly request_id: string;
  /** Secrets and the tenant's own headers are masked. */
  readonly request_headers: Headers;
  /** Limited in number and length; secrets are masked. */
  readonly response_headers: Headers;
  /** The first KiB of the body as printable text. */
  readonly excerpt: string;
  /** From `Retry-After`, at most a day; null without it. */
  readonly retry_after_s: number | null;
}

/** An attempt, as stored. */
export interface StoredAttempt extends Omit<SentAttempt, "ok" | "retry_after_s"> {
  /** From 1. */
  readonly nth: number;
  readonly at: number;
}

/**
 * The public id of a journal: `journal_id` of pulls and streams, 32 hex digits. It changes after a
 * restore or a loss of rows, because event numbers may then be used again for other events.
 */
export function historyId(installationId: string, journalId: string): string {
  const digest = createHash("sha256").update(`${installationId}:${journalId}`).digest("hex");
  return digest.slice(0, 32);
}
