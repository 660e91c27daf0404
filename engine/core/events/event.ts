/**
 * Events: facts in the past tense, with one public shape in the journal, audits and webhooks.
 * `data` may be published (never guest data); `secret` is needed only to fold the event and is left
 * out of every answer.
 *
 * Maintained invariant: an event carries everything that the in-memory state needs to apply it, so
 * a replica folds the journal without reading another table.
 */
import type { KeyPhase, Outcome } from "../outcomes.ts";
import type { Actor } from "../parties.ts";
import type { Stay } from "../price/quote.ts";
import type { Mode } from "../supply.ts";
import { AUTHORIZATION_EVENTS, type AuthorizationSecrets } from "./authorizations.ts";
import { BOOKING_EVENTS, type BookingSecrets } from "./bookings.ts";
import { HOLD_EVENTS } from "./holds.ts";
import { INCIDENT_EVENTS, type IncidentSecrets } from "./incidents.ts";
import type { DataOf } from "./members.ts";
import { NOTICES } from "./notices.ts";
import { PAYMENT_EVENTS, type PaymentSecrets, REFUND_EVENTS } from "./payments.ts";
import { type JournaledSupply, PROPERTY_EVENTS, type SupplySecrets } from "./properties.ts";
import { TEST_CLOCK_EVENTS } from "./test-clock.ts";

/** The declarations of all public events. */
export const EVENTS = {
  ...PROPERTY_EVENTS,
  ...NOTICES,
  ...HOLD_EVENTS,
  ...PAYMENT_EVENTS,
  ...BOOKING_EVENTS,
  ...REFUND_EVENTS,
  ...AUTHORIZATION_EVENTS,
  ...INCIDENT_EVENTS,
  ...TEST_CLOCK_EVENTS,
} as const;
export type PublicKind = keyof typeof EVENTS;

/** Internal events about time and loss; they belong to no tenant. */
interface InternalData {
  readonly "horizon.advanced": { readonly base_day: number };
  /** An operator accepted a start with the clock out of bounds; instants are RFC 3339. */
  readonly "clock.corrected": { readonly from: string; readonly to: string };
  /** An operator accepted the loss of rows; the journal continues under a new id. */
  readonly "loss.accepted": {
    readonly after_row: number;
    readonly lost: string;
    readonly journal_id: string;
    readonly former_id: string;
  };
}
interface InternalSecrets {
  readonly "clock.corrected": {
    /** What is open and not in memory, but corrected too; 0.3.0 had no authorizations. */
    readonly secret: {
      readonly refund_ids: readonly string[];
      readonly authorization_ids?: readonly string[];
    };
  };
  /** Open authorizations when the clock is set back; none when it is advanced. */
  readonly "test_clock.set": { readonly secret: { readonly authorization_ids: readonly string[] } };
}

interface Journaled extends JournaledSupply, InternalData {}
interface Secrets
  extends SupplySecrets,
    PaymentSecrets,
    BookingSecrets,
    AuthorizationSecrets,
    IncidentSecrets,
    InternalSecrets {}

export type EventType = PublicKind | keyof InternalData;

/** The data of an event without types of the wire. */
type JournaledOf<T extends EventType> = T extends keyof Journaled
  ? Journaled[T]
  : T extends PublicKind
    ? DataOf<(typeof EVENTS)[T]["data"]>
    : never;

type EventByType = {
  readonly [T in EventType]: {
    readonly type: T;
    /** Dense per (tenant, mode): 1, 2, 3 …. */
    readonly seq: number;
    readonly data: JournaledOf<T>;
  } & (T extends keyof Secrets ? Secrets[T] : unknown);
};

/** The events of some types, e.g. `EventOf<"hold.created">`. */
export type EventOf<T extends EventType> = EventByType[T];
export type Event = EventByType[EventType];

/** A notice before it has a seq. */
export type Notice = {
  readonly [T in keyof typeof NOTICES]: { readonly type: T; readonly data: JournaledOf<T> };
}[keyof typeof NOTICES];

export interface Units {
  readonly property_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly stay: Stay;
}

/** Units of which the nights from `free_from` on are freed; null frees none. */
export interface FreedUnits extends Units {
  readonly agent_id: string;
  readonly free_from: string | null;
}

/**
 * One journal row: all consequences of one command, all or nothing. System rows (expiry, horizon,
 * clock, loss) have the `system` actor; the last three belong to no tenant (`""`).
 */
export interface Row {
  readonly row: number;
  /** Engine time, epoch milliseconds; lower than in the row before only with `clock.corrected`. */
  readonly stamp: number;
  /** What the test clock of its realm adds to the stamp; absent where it is not moved. */
  readonly clock_offset_ms?: number;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  readonly trace_id: string;
  /** The idempotency key that this row sets, and its phase; or both null. */
  readonly key: KeyRef | null;
  readonly phase: KeyPhase | null;
  readonly events: readonly Event[];
  /** The answer of the key; null when the row sets no key. */
  readonly outcome: Outcome | null;
}

/** When a row happened for its realm, epoch milliseconds. */
export function timeOf(row: Pick<Row, "stamp" | "clock_offset_ms">): number {
  return row.stamp + (row.clock_offset_ms ?? 0);
}

/** An idempotency key with the values that a repeated request must match. */
export interface KeyRef {
  /** 32 hex digits: hash(tenant, scope, key). */
  readonly key: string;
  /** 32 hex digits: HMAC of the canonical body. */
  readonly body_hash: string;
  /** The agent that first used the key. */
  readonly agent_id: string;
}
