/** What calls take and give. Made of the OpenAPI document, and held equal by a test. */

/**
 * Status of an agent or issuer. Calls and tokens are accepted only while `active`; `revoked` is
 * final.
 */
export type AccessState = "active" | "suspended" | "revoked";

/** The caller or part of the service that did it. */
export interface Actor {
  /** `agent`, `operator`, … or `system`. */
  readonly kind: string;
  /** Id of the agent or operator, or the part of the service. */
  readonly id: string;
}

/** Another guest. */
export interface AdditionalGuest {
  /**
   * text of 1 to 200 characters, not blank and without control characters: a name as in the
   * passport
   */
  readonly full_name: string;
}

/** An offer that can be held instead: `quote` is a body for `POST /v1/quotes`. */
export interface Alternative {
  /** Other dates for the same room, or another room on the same dates. */
  readonly kind: "dates" | "room_type";
  /** Units that can be held now. */
  readonly sellable: number;
  readonly quote: QuoteRequest;
}

/** The refusal and its recovery. */
export interface ApiError {
  readonly code: ErrorCode;
  /** For people; do not parse it. */
  readonly message: string;
  readonly detail: ErrorDetail;
  /** How to recover. */
  readonly remediation: string;
  /** Seconds to wait, as in the `Retry-After` header. */
  readonly retry_after: number | null;
  /** Page of the code. */
  readonly docs_url: string;
  /** W3C trace id; report it to the operator. */
  readonly trace_id: string;
  /** Recovery calls, most useful first. */
  readonly next_actions: readonly NextAction[];
}

/** The frozen terms, and the tier that applied. */
export interface AppliedPolicy {
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
}

/** Inventory, rates, restrictions or ceilings of a property changed. */
export interface AriChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "ari.changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AriChangedEventData;
}

/** Data of the event. */
export interface AriChangedEventData {
  /** The property. */
  readonly property_id: string;
  /** Date in the property's own zone. */
  readonly from: string | null;
  /** Date in the property's own zone. */
  readonly to: string | null;
  readonly counts: AriCounts;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
  /** The ranges as they were sent; other values did not change. */
  readonly ari?: Readonly<Record<string, unknown>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
}

/** Ranges of each list. */
export interface AriCounts {
  /** Ranges of inventory. */
  readonly inventory: number;
  /** Ranges of rates. */
  readonly rates: number;
  /** Ranges of restrictions. */
  readonly restrictions: number;
  /** Ranges of ceilings. */
  readonly ceilings: number;
}

/** Everything that happened to a booking, in order. */
export interface Audit {
  /** The booking. */
  readonly booking_id: string;
  readonly traveler: Traveler;
  readonly events: readonly AuditEvent[];
}

/**
 * `hash` is the SHA-256 of the canonical JSON (RFC 8785) of the other members, `prev_hash` that
 * of the previous event.
 */
export type AuditEvent =
  | AuditedHoldCreated
  | AuditedHoldExtended
  | AuditedHoldReleased
  | AuditedHoldExpired
  | AuditedPaymentPending
  | AuditedPaymentReferenced
  | AuditedPaymentCaptured
  | AuditedPaymentFailed
  | AuditedPaymentUnknown
  | AuditedPaymentOutcomeUnknown
  | AuditedPaymentDisputed
  | AuditedPaymentDisputeClosed
  | AuditedBookingConfirmed
  | AuditedBookingModified
  | AuditedBookingCancelled
  | AuditedBookingCheckedIn
  | AuditedBookingNoShow
  | AuditedBookingCompleted
  | AuditedGuestErased
  | AuditedRefundRequested
  | AuditedRefundSucceeded
  | AuditedRefundFailed
  | AuditedRefundSettledElsewhere
  | AuditedAuthorizationConsumed
  | AuditedAuthorizationReturned
  | AuditedInventoryOversellActionTaken;

/** A booking used an authorization. */
export interface AuditedAuthorizationConsumed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "authorization.consumed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedAuthorizationConsumedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedAuthorizationConsumedData {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** The payment. */
  readonly payment_id: string | null;
}

/** The payment failed; the authorization can be used again. */
export interface AuditedAuthorizationReturned {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "authorization.returned";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedAuthorizationReturnedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedAuthorizationReturnedData {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string;
}

/** A booking was cancelled; its units are on sale again. */
export interface AuditedBookingCancelled {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.cancelled";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCancelledData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCancelledData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  /** The refund. */
  readonly refund_id: string | null;
  /** The caller's reason code. */
  readonly reason_code: string | null;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly receipt: Receipt;
  readonly desk?: DeskDecision | undefined;
  /** The issuer of the traveler's token. */
  readonly iss?: string | undefined;
}

/** The guest of a booking has checked in. */
export interface AuditedBookingCheckedIn {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCheckedInData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCheckedInData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
}

/** The guest of a booking has checked out; unused nights are on sale again. */
export interface AuditedBookingCompleted {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCompletedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCompletedData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
}

/** A booking was confirmed, with its receipt. */
export interface AuditedBookingConfirmed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.confirmed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingConfirmedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingConfirmedData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly receipt: Receipt;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  /** The issuer of the traveler's token. */
  readonly iss: string;
}

/** A booking's stay, room, plan, party or guest was changed. */
export interface AuditedBookingModified {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.modified";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingModifiedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingModifiedData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly before: BookedStay;
  readonly after: BookedStay;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly difference: PriceDifference;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** The refund. */
  readonly refund_id: string | null;
  readonly receipt: ReceiptOrNull;
  /** The guest's data or special requests were changed. */
  readonly guest_changed?: boolean | undefined;
}

/** The guest of a booking did not arrive; future nights are on sale again. */
export interface AuditedBookingNoShow {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingNoShowData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingNoShowData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** The refund. */
  readonly refund_id: string | null;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
}

/** The guest's data of a booking was erased for good. */
export interface AuditedGuestErased {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "guest.erased";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedGuestErasedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedGuestErasedData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
  /** Counts the object's changes. */
  readonly version: number;
}

/** Units were held for a short time. */
export interface AuditedHoldCreated {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.created";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldCreatedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldCreatedData {
  /** The hold. */
  readonly hold_id: string;
  readonly quote: FrozenTerms;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** A hold expired; its units are on sale again. */
export interface AuditedHoldExpired {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.expired";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldExpiredData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldExpiredData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expired_at: string;
}

/** A hold was extended. */
export interface AuditedHoldExtended {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.extended";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldExtendedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldExtendedData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** Number of extensions. */
  readonly extensions: number;
}

/** A hold was released; its units are on sale again. */
export interface AuditedHoldReleased {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.released";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldReleasedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldReleasedData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly released_at: string;
}

/** An operator acted on an oversell incident; it stays open while guests lack a room. */
export interface AuditedInventoryOversellActionTaken {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "inventory.oversell_action_taken";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedInventoryOversellActionTakenData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedInventoryOversellActionTakenData {
  /** The oversell incident. */
  readonly incident_id: string;
  readonly action: IncidentAction;
  /** The booking. */
  readonly booking_id: string | null;
}

/** The payment was captured. */
export interface AuditedPaymentCaptured {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.captured";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentCapturedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentCapturedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** The bank decided a dispute: `won` by the property, or `lost`. */
export interface AuditedPaymentDisputeClosed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.dispute_closed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentDisputeClosedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentDisputeClosedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** What the bank decided. */
  readonly outcome: "won" | "lost";
}

/** The guest's bank disputes the payment: what is not refunded yet is withheld. */
export interface AuditedPaymentDisputed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.disputed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentDisputedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentDisputedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly disputed: number;
  /** The bank's reason, a word of the payment provider. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly due_by: string | null;
}

/** The payment definitively failed. */
export interface AuditedPaymentFailed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentFailedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentFailedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** State of the hold after it. */
  readonly hold_state: "held" | "expired";
}

/** The payment provider gave no definitive answer in time; the hold was released. */
export interface AuditedPaymentOutcomeUnknown {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.outcome_unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentUnknownData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** A payment was started; its hold waits for the result. */
export interface AuditedPaymentPending {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.pending";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentPendingData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentPendingData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Payment method of the booking. */
  readonly method: string;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  /** The issuer of the traveler's token. */
  readonly iss: string;
}

/** The payment provider registered the payment as `provider_ref`. */
export interface AuditedPaymentReferenced {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.referenced";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentReferencedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentReferencedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's reference of the payment. */
  readonly provider_ref: string;
}

/** The payment outcome is not known yet; the provider is queried again. */
export interface AuditedPaymentUnknown {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentUnknownData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentUnknownData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
}

/** The payment provider declined a refund, or could not complete it after its success. */
export interface AuditedRefundFailed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundFailedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundFailedData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** The refund had succeeded: its receipt is void, the amount is refundable again. */
  readonly after_success?: boolean | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly amount?: number | undefined;
}

/** A refund was requested. */
export interface AuditedRefundRequested {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.requested";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundRequestedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundRequestedData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The property. */
  readonly property_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
}

/** The property gave the money of a failed refund back itself, with its receipt. */
export interface AuditedRefundSettledElsewhere {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.settled_elsewhere";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundSettledElsewhereData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundSettledElsewhereData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly method: OtherMethod;
  readonly receipt: Receipt;
}

/** A refund succeeded, with its receipt. */
export interface AuditedRefundSucceeded {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.succeeded";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundSucceededData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundSucceededData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly receipt: Receipt;
}

/** An operator approved an authorization; one booking may use it. */
export interface AuthorizationApprovedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.approved";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AuthorizationApprovedEventData;
}

/** Data of the event. */
export interface AuthorizationApprovedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: "approved";
}

/** Who approves; travelers cannot in this version. */
export type AuthorizationApprover = "operator";

/** A booking used an authorization. */
export interface AuthorizationConsumedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.consumed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AuthorizationConsumedEventData;
}

/** Data of the event. */
export interface AuthorizationConsumedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  readonly state: "consumed";
}

/** The tenant changed which bookings need an authorization. */
export interface AuthorizationPolicyChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization_policy.changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AuthorizationPolicyChangedEventData;
}

/** Data of the event. */
export interface AuthorizationPolicyChangedEventData {
  readonly required_when: AuthorizationRequiredWhen;
  readonly over: MoneyOrNull;
  readonly approver: AuthorizationApprover;
  /** Seconds until a request expires. */
  readonly ttl_s: number;
  /** Allowed excess over the requested total, hundredths of a percent. */
  readonly tolerance_bps: number;
}

/** A booking needs an authorization: an operator must approve it. */
export interface AuthorizationRequestedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.requested";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AuthorizationRequestedEventData;
}

/** Data of the event. */
export interface AuthorizationRequestedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly policy: AuthorizationRule;
  readonly threshold: MoneyOrNull;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number | null;
  /** Minor units of the currency (ISO 4217). */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  readonly state: "pending";
}

/**
 * Which bookings need an authorization: none, those above `over`, all, or those whose
 * cancellation right after the booking would refund nothing.
 */
export type AuthorizationRequiredWhen = "never" | "over_amount" | "always" | "non_refundable";

/** The payment failed; the authorization can be used again. */
export interface AuthorizationReturnedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.returned";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AuthorizationReturnedEventData;
}

/** Data of the event. */
export interface AuthorizationReturnedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string;
  readonly state: "approved";
}

/** An operator revoked an authorization; no booking can use it. */
export interface AuthorizationRevokedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.revoked";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: AuthorizationRevokedEventData;
}

/** Data of the event. */
export interface AuthorizationRevokedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  readonly state: "revoked";
}

/** The rule that requires it: of the agent's limits, or of the tenant's policy. */
export type AuthorizationRule =
  | "max_booking_amount"
  | "over_amount"
  | "always"
  | "non_refundable"
  | null;

/** Units that can be held now, or why none can. */
export interface Availability {
  /** Units that can be held now. */
  readonly sellable: number;
  readonly blocking?: readonly Blocking[] | undefined;
  readonly alternatives?: readonly Alternative[] | undefined;
}

/** A night that cannot be sold, and why. */
export interface Blocking {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Why the night cannot be sold. */
  readonly reason:
    | "no_vacancy"
    | "stop_sell"
    | "cta"
    | "ctd"
    | "min_los"
    | "max_los"
    | "min_stay_through"
    | "max_stay_through"
    | "min_advance"
    | "max_advance"
    | "stay_pattern"
    | "occupancy_exceeded"
    | "children_not_supported"
    | "ceiling_reached"
    | "property_not_live";
  /** Units of the night. */
  readonly capacity?: number | undefined;
  /** Units sold. */
  readonly sold?: number | undefined;
  /** Units held. */
  readonly held?: number | undefined;
  /** Maximum number of sold and held units. */
  readonly ceiling?: number | undefined;
  /** Units sold and held under the ceiling. */
  readonly used?: number | undefined;
  /** The ceiling's unsold units were released. */
  readonly released?: boolean | undefined;
  /** The maximum or minimum. */
  readonly limit?: number | undefined;
  /** Of `stay_pattern`: Y or N per number of nights; the last for longer stays too. */
  readonly pattern?: string | undefined;
}

export interface BookRequest {
  /** text of 1 to 64 characters: data.hold_id of the hold */
  readonly hold_id: string;
  /** text of 1 to 64 characters: data.quote_id of the quote */
  readonly quote_id: string;
  readonly guest: Guest;
  readonly payment: PaymentInput;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests?: string | undefined;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A stay of a booking with its price. */
export interface BookedStay {
  readonly stay: Stay;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
}

/** A confirmed booking. */
export interface Booking {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly payment: Payment;
  readonly traveler: Traveler;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly state: "confirmed";
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** The authorization that a booking used. */
export interface BookingApproval {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The operator that approved it. */
  readonly approved_by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly approved_at: string;
}

/** The authorization that a booking used. */
export type BookingApprovalOrNull = {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The operator that approved it. */
  readonly approved_by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly approved_at: string;
} | null;

/** A booking was cancelled; its units are on sale again. */
export interface BookingCancelledEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.cancelled";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: BookingCancelledEventData;
}

/** Data of the event. */
export interface BookingCancelledEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  /** The refund. */
  readonly refund_id: string | null;
  /** The caller's reason code. */
  readonly reason_code: string | null;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly receipt: Receipt;
  readonly desk?: DeskDecision | undefined;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "cancelled";
  /** The agent that cancelled it. */
  readonly cancelled_by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly cancelled_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A change of the booking. */
export interface BookingChange {
  /** Counts the object's changes. */
  readonly version: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Type of the event; the audit has its data. */
  readonly type: string;
}

/** The guest of a booking has checked in. */
export interface BookingCheckedInEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: BookingCheckedInEventData;
}

/** Data of the event. */
export interface BookingCheckedInEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly checked_in_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The guest of a booking has checked out; unused nights are on sale again. */
export interface BookingCompletedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: BookingCompletedEventData;
}

/** Data of the event. */
export interface BookingCompletedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly completed_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A booking was confirmed, with its receipt. */
export interface BookingConfirmedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.confirmed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: BookingConfirmedEventData;
}

/** Data of the event. */
export interface BookingConfirmedEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly receipt: Receipt;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  readonly state: "confirmed";
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A booking with its history, refunds and receipts. */
export interface BookingDetail {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly payment: Payment;
  readonly traveler: Traveler;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly state: BookingState;
  readonly guest: GuestOrNull;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests: string | null;
  readonly authorization: BookingApprovalOrNull;
  readonly history: readonly BookingChange[];
  readonly refunds: readonly Refund[];
  readonly cancellation: CancellationRecord;
  readonly no_show: NoShowRecord;
  readonly receipts: readonly Receipt[];
}

/** A booking's stay, room, plan, party or guest was changed. */
export interface BookingModifiedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.modified";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: BookingModifiedEventData;
}

/** Data of the event. */
export interface BookingModifiedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly before: BookedStay;
  readonly after: BookedStay;
  readonly difference: PriceDifference;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** The refund. */
  readonly refund_id: string | null;
  readonly receipt: ReceiptOrNull;
  /** The guest's data or special requests were changed. */
  readonly guest_changed?: boolean | undefined;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The guest of a booking did not arrive; future nights are on sale again. */
export interface BookingNoShowEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: BookingNoShowEventData;
}

/** Data of the event. */
export interface BookingNoShowEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** The refund. */
  readonly refund_id: string | null;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly no_show_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** State of the stay. */
export type BookingState =
  | "confirmed"
  | "checked_in"
  | "completed"
  | "cancelled"
  | "no_show"
  | "relocated";

export interface CancelRequest {
  /** The caller's reason code. */
  readonly reason_code?: string | undefined;
  /** Free text, stored encrypted. */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A cancelled booking and its refund. */
export interface Cancellation {
  /** The booking. */
  readonly booking_id: string;
  readonly state: "cancelled";
  /** RFC 3339, UTC, milliseconds. */
  readonly cancelled_at: string;
  readonly fee: Money;
  readonly refund: RefundSummary;
  readonly refunded_before?: Money | undefined;
  readonly kept?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
  readonly policy: AppliedPolicy;
  readonly waived_fee?: Money | undefined;
}

/** Fee of `cancel` now, by the booking's terms. */
export interface CancellationCost {
  readonly fee: Money;
  readonly refund: Money;
  /** When the fee changes; null: never. */
  readonly until: string | null;
}

/**
 * `free_until_cutoff`: free of charge up to a time before check-in. `fee_from_booking`: a fee
 * from booking on. `non_refundable`: nothing is refunded.
 */
export type CancellationKind = "free_until_cutoff" | "fee_from_booking" | "non_refundable";

/** Fee and refund of a cancellation at an instant. */
export interface CancellationQuote {
  /** The booking. */
  readonly booking_id: string;
  readonly state: BookingState;
  /** Whether a cancellation would succeed now. */
  readonly is_cancellable: boolean;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly fee: Money;
  readonly refund: Money;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly next_cutoff_at: string | null;
  readonly policy: PolicyHash;
}

/** Result of a cancellation. */
export type CancellationRecord = {
  /** RFC 3339, UTC, milliseconds. */
  readonly cancelled_at: string;
  readonly fee: Money;
  readonly refund: RefundOwed;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  readonly refunded_before?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
  /** The caller's reason code. */
  readonly reason_code: string | null;
  /** The caller's note; of the property, its reason. */
  readonly note: string | null;
  readonly waived_fee?: Money | undefined;
} | null;

/** The fee of a cancellation up to `cutoff_at`. */
export interface CancellationTier {
  /** ISO 8601 duration before the anchor. */
  readonly until: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly cutoff_at: string;
  readonly penalty: Penalty;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
}

/**
 * `free_cancellation`: offers that can still be cancelled free of charge; else terms of one
 * kind.
 */
export type CancellationWish =
  | "free_cancellation"
  | "free_until_cutoff"
  | "fee_from_booking"
  | "non_refundable";

/** A child by its age at check-in. */
export interface Child {
  /** Full years at check-in. */
  readonly age: number;
}

/** An agent has a new credential; the previous one works until `retire_at`. */
export interface CredentialRotatedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "credential.rotated";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: CredentialRotatedEventData;
}

/** Data of the event. */
export interface CredentialRotatedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The credential. */
  readonly credential_id: string;
  /** The replaced credential. */
  readonly previous_credential_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly retire_at: string;
}

/** Tokens of an issuer are accepted again, or no longer. */
export interface DelegationIssuerStatusChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "delegation_issuer.status_changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: DelegationIssuerStatusChangedEventData;
}

/** Data of the event. */
export interface DelegationIssuerStatusChangedEventData {
  /** The issuer. */
  readonly issuer_id: string;
  /** The issuer, as in its tokens. */
  readonly iss: string;
  readonly status: AccessState;
  readonly previous_status: AccessState;
}

/** Of a derived plan: how its nights follow another plan. */
export interface DerivedPrice {
  /** a UUID in lower case */
  readonly rate_plan_id: string;
  /** Basis points of the followed amount that are added; -1000 is 10 % less. */
  readonly bps?: number | undefined;
  /** Minor units per night that are added, instead of `bps`. */
  readonly amount?: number | undefined;
  /** The result is a multiple of these minor units; 100 are whole euros. */
  readonly round_to: number;
  readonly rounding: Rounding;
  /** Display name of the followed plan. */
  readonly name: string;
}

/** Only if the property cancelled: the waived part of the fee. */
export interface DeskDecision {
  /** Minor units of the currency (ISO 4217). */
  readonly waived_fee: number;
}

/** An area by name, or one property. */
export interface Destination {
  /** one of area, property */
  readonly type: "area" | "property";
  /**
   * text: for an area the name of a place (`Munich`, `München`, `Madrid, Spain`, `USA`, `JFK`)
   * or a point as a URI of RFC 5870 (`geo:41.3874,2.1686;u=3000`: within 3,000 metres); for a
   * property its id, slug or name
   */
  readonly value: string;
}

/**
 * What the property does when a changed stay has another price: `refund` the difference, `waive`
 * it (the price stays), or charge it `at_property`.
 */
export type Difference = "refund" | "waive" | "at_property";

/** The total in the requested currency; never charged. */
export type DisplayTotal = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Decimal text. */
  readonly fx_rate: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly fx_as_of: string;
  readonly source: "admin_table";
} | null;

/** Error code; never renamed. */
export type ErrorCode =
  | "validation_failed"
  | "unauthenticated"
  | "delegation_required"
  | "delegation_invalid"
  | "delegation_issuer_unknown"
  | "payment_failed"
  | "forbidden"
  | "resource_access_denied"
  | "principal_kind_not_allowed"
  | "property_not_found"
  | "room_type_not_found"
  | "rate_plan_not_found"
  | "quote_not_found"
  | "hold_not_found"
  | "booking_not_found"
  | "oversell_incident_not_found"
  | "agent_not_found"
  | "credential_not_found"
  | "booking_authorization_not_found"
  | "delegation_issuer_not_found"
  | "webhook_endpoint_not_found"
  | "webhook_delivery_not_found"
  | "conflict"
  | "idempotency_conflict"
  | "allocation_failed"
  | "allotment_exhausted"
  | "oversell_not_detected"
  | "quote_mismatch"
  | "hold_not_active"
  | "booking_not_cancellable"
  | "booking_not_modifiable"
  | "booking_modification_price_change"
  | "authorization_required"
  | "booking_authorization_invalid"
  | "no_capturable_payment"
  | "payment_not_refundable"
  | "refund_exceeds_remaining"
  | "property_not_promotable"
  | "policy_not_found_for_rate_plan"
  | "webhook_delivery_not_replayable"
  | "quote_expired"
  | "hold_expired"
  | "rate_limited"
  | "internal_error"
  | "payment_provider_error"
  | "notification_delivery_failed"
  | "service_not_configured"
  | "upstream_unavailable"
  | "payment_timeout";

/** Ids, states and amounts; each code's page lists its fields. */
export interface ErrorDetail {
  /** With `validation_failed`: all errors. */
  readonly field_errors?: readonly FieldError[] | undefined;
  /** True for a refusal that `Test-Scenario` asked for. */
  readonly simulated?: boolean | undefined;
}

/** A failure; match on `error.code`. */
export interface ErrorEnvelope {
  readonly error: ApiError;
}

/** An event, the same by pull, stream and webhook. */
export type Event =
  | PropertyCreatedEvent
  | PropertyReplacedEvent
  | PropertyDeletedEvent
  | PropertyPromotedEvent
  | PropertySuspendedEvent
  | PropertyArchivedEvent
  | AriChangedEvent
  | FxChangedEvent
  | CredentialRotatedEvent
  | DelegationIssuerStatusChangedEvent
  | WebhookEndpointDisabledEvent
  | WebhookEndpointRecoveredEvent
  | FeedGeneratedEvent
  | FeedFailedEvent
  | PaymentsReconciledEvent
  | HoldCreatedEvent
  | HoldExtendedEvent
  | HoldReleasedEvent
  | HoldExpiredEvent
  | PaymentPendingEvent
  | PaymentReferencedEvent
  | PaymentCapturedEvent
  | PaymentFailedEvent
  | PaymentUnknownEvent
  | PaymentOutcomeUnknownEvent
  | PaymentDisputedEvent
  | PaymentDisputeClosedEvent
  | BookingConfirmedEvent
  | BookingModifiedEvent
  | BookingCancelledEvent
  | BookingCheckedInEvent
  | BookingNoShowEvent
  | BookingCompletedEvent
  | GuestErasedEvent
  | RefundRequestedEvent
  | RefundSucceededEvent
  | RefundFailedEvent
  | RefundSettledElsewhereEvent
  | AuthorizationRequestedEvent
  | AuthorizationApprovedEvent
  | AuthorizationRevokedEvent
  | AuthorizationConsumedEvent
  | AuthorizationReturnedEvent
  | AuthorizationPolicyChangedEvent
  | InventoryOversellDetectedEvent
  | InventoryOversellAcknowledgedEvent
  | InventoryOversellActionTakenEvent
  | InventoryOversellResolvedEvent
  | InventoryOversellAcceptedEvent
  | TestClockSetEvent;

/** What an event is about. */
export interface EventSubject {
  readonly type: SubjectType;
  /** Opaque id. */
  readonly id: string;
  /** The subject's version after the event. */
  readonly version: number | null;
}

/** A night with more units taken than there are. */
export interface ExcessNight {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Units that may be taken. */
  readonly capacity: number;
  /** Units. */
  readonly sold: number;
  /** Units. */
  readonly held: number;
  /** Units taken above `capacity`. */
  readonly excess: number;
}

/** A hold with its new `expires_at`. */
export interface ExtendedHold {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  readonly state: "held";
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** Number of extensions. */
  readonly extensions: number;
}

/** A fee of this stay. */
export interface FeeLine {
  /** Code of the fee. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  readonly basis: TaxBasis;
  /** Basis points, where it is a percentage. */
  readonly rate_bps?: number | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly unit_amount?: number | undefined;
  /** True if the rate already includes it. */
  readonly included_in_rate: boolean;
  readonly collect: TaxCollection;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** Whether it applies to every guest. */
  readonly mandatory: boolean;
}

/** A build of a partner feed failed; the previous feed stays published. */
export interface FeedFailedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "feed.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: FeedFailedEventData;
}

/** Data of the event. */
export interface FeedFailedEventData {
  /** The partner of the feed. */
  readonly partner: string;
  /** The build. */
  readonly run_id: string;
  readonly trigger: FeedTrigger;
  readonly reason: FeedFailure;
  /** Properties in the failed build. */
  readonly listings: number | null;
  /** The published build; null without one. */
  readonly published_run_id: string | null;
}

/**
 * Why it failed: nothing to list; more than a tenth fewer listings than before, which an
 * operator may accept; failed checks; timeout; or an interrupted build.
 */
export type FeedFailure = "no_property" | "shrunken" | "invalid" | "timed_out" | "crashed";

/** A new build of a partner feed was published. */
export interface FeedGeneratedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "feed.generated";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: FeedGeneratedEventData;
}

/** Data of the event. */
export interface FeedGeneratedEventData {
  /** The partner of the feed. */
  readonly partner: string;
  /** The build. */
  readonly run_id: string;
  readonly trigger: FeedTrigger;
  /** `seq` of the last event in the feed. */
  readonly as_of_seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly as_of: string;
  /** Properties in it. */
  readonly listings: number;
}

/**
 * Cause: a request without a feed, the nightly build, a missed nightly build, its age, a change
 * of its contents, or an operator.
 */
export type FeedTrigger = "first" | "nightly" | "made_up" | "age" | "change" | "operator";

/** An error in a request. */
export interface FieldError {
  /** JSON pointer in the body, `?name` of a query parameter, or a header's name. */
  readonly path: string;
  /** For people; do not parse it. */
  readonly message: string;
  /** The expected value. */
  readonly expected: string;
}

/** A value that only the caller has. */
export interface FillIn {
  /**
   * JSON pointer in `body_hint` (empty: the whole body), `?name` of a query parameter, or the
   * name of a header to add.
   */
  readonly path: string;
  /** Description of the value. */
  readonly meaning: string;
}

/** The quote that was held. */
export interface FrozenTerms {
  /** The quote. */
  readonly quote_id: string;
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown: PriceBreakdown;
  readonly policy_snapshot: PolicySnapshot;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** The tenant's exchange rates were replaced. */
export interface FxChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "fx.changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: FxChangedEventData;
}

/** Data of the event. */
export interface FxChangedEventData {
  /** ISO 4217 code. */
  readonly base: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly as_of: string;
  /** Units of each currency for one of `base`, as decimal text. */
  readonly rates?: Readonly<Record<string, string>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
}

/** Coordinates in degrees (WGS 84). */
export type Geo = {
  /** Latitude, degrees north. */
  readonly lat: number;
  /** Longitude, degrees east. */
  readonly lng: number;
} | null;

/** The guest's data for the hotel. */
export interface Guest {
  readonly primary: PrimaryGuest;
  readonly additional?: readonly AdditionalGuest[] | undefined;
}

/** The guest's data of a booking was erased for good. */
export interface GuestErasedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "guest.erased";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: GuestErasedEventData;
}

/** Data of the event. */
export interface GuestErasedEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The guest's data for the hotel. */
export type GuestOrNull = {
  readonly primary: PrimaryGuest;
  readonly additional?: readonly AdditionalGuest[] | undefined;
} | null;

/** Who stays. */
export interface Guests {
  /** Travelers of 18 years or older. */
  readonly adults: number;
  readonly children?: readonly Child[] | undefined;
}

/** Who stays. */
export type GuestsOrNull = {
  /** Travelers of 18 years or older. */
  readonly adults: number;
  readonly children?: readonly Child[] | undefined;
} | null;

/** A room reserved until `expires_at`. */
export interface Hold {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  readonly state: "held";
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** Other live holds of the caller on the same quote, newest first. */
  readonly other_live_holds: readonly string[];
}

/** Units were held for a short time. */
export interface HoldCreatedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.created";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: HoldCreatedEventData;
}

/** Data of the event. */
export interface HoldCreatedEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  readonly state: "held";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

/** A hold in any state. */
export interface HoldDetail {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  readonly state: HoldState;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly total: Money;
  /** Number of extensions. */
  readonly extensions: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly ended_at: string | null;
  /** The booking. */
  readonly booking_id: string | null;
  readonly payment: HoldPayment;
}

/** A hold expired; its units are on sale again. */
export interface HoldExpiredEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.expired";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: HoldExpiredEventData;
}

/** Data of the event. */
export interface HoldExpiredEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expired_at: string;
  readonly state: "expired";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

/** A hold was extended. */
export interface HoldExtendedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.extended";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: HoldExtendedEventData;
}

/** Data of the event. */
export interface HoldExtendedEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** Number of extensions. */
  readonly extensions: number;
  readonly state: "held";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

/** The current or last payment. */
export type HoldPayment = {
  /** The payment. */
  readonly payment_id: string;
  readonly state: PaymentState;
} | null;

/** A hold was released; its units are on sale again. */
export interface HoldReleasedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.released";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: HoldReleasedEventData;
}

/** Data of the event. */
export interface HoldReleasedEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly released_at: string;
  readonly state: "released";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

export interface HoldRequest {
  /** text of 1 to 64 characters: data.quote_id of the quote */
  readonly quote_id: string;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** `confirming`: its payment is in progress. `consumed`: it became a booking. */
export type HoldState = "held" | "confirming" | "consumed" | "released" | "expired";

/**
 * `relocate` and `upgrade` move a booking to another room type at its price, `restore_capacity`
 * sets nights, `cancel_with_refund` cancels a booking and refunds everything, `accept` leaves
 * the nights oversold.
 */
export type IncidentAction =
  | "relocate"
  | "upgrade"
  | "restore_capacity"
  | "cancel_with_refund"
  | "accept";

/** What opened an incident. */
export type IncidentCause = "availability_update" | "property_change" | "scan";

/** What ended an incident: an operator's action, or what freed the units. */
export type IncidentEnding =
  | "relocate"
  | "upgrade"
  | "restore_capacity"
  | "cancel_with_refund"
  | "accept"
  | "capacity"
  | "cancellation"
  | "no_show"
  | "departure"
  | "modification"
  | "hold_ended"
  | "passed";

/** An operator accepted that these nights are oversold. */
export interface InventoryOversellAcceptedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_accepted";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: InventoryOversellAcceptedEventData;
}

/** Data of the event. */
export interface InventoryOversellAcceptedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: "dismissed";
}

/** An operator works on an oversell incident. */
export interface InventoryOversellAcknowledgedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_acknowledged";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: InventoryOversellAcknowledgedEventData;
}

/** Data of the event. */
export interface InventoryOversellAcknowledgedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: "acknowledged";
}

/** An operator acted on an oversell incident; it stays open while guests lack a room. */
export interface InventoryOversellActionTakenEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_action_taken";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: InventoryOversellActionTakenEventData;
}

/** Data of the event. */
export interface InventoryOversellActionTakenEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly action: IncidentAction;
  /** The booking. */
  readonly booking_id: string | null;
}

/** More units are taken on some nights of a room type than there are. */
export interface InventoryOversellDetectedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_detected";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: InventoryOversellDetectedEventData;
}

/** Data of the event. */
export interface InventoryOversellDetectedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly cause: IncidentCause;
  /** The first oversold nights. */
  readonly nights: readonly ExcessNight[];
  readonly state: "open";
}

/** No night of an oversell incident is oversold any more. */
export interface InventoryOversellResolvedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_resolved";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: InventoryOversellResolvedEventData;
}

/** Data of the event. */
export interface InventoryOversellResolvedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly reason: IncidentEnding;
  readonly state: "resolved";
}

/** A place with properties on sale. */
export interface KnownPlace {
  /** Value of a `destination` of type `area`. */
  readonly value: string;
  /** Name as the properties write it. */
  readonly name: string;
  readonly kind: PlaceKind;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Properties on sale there. */
  readonly properties: number;
  /** Metres from the requested point to the nearest of them. */
  readonly distance_m?: number | undefined;
}

/** A place with properties on sale. */
export type KnownPlaceOrNull = {
  /** Value of a `destination` of type `area`. */
  readonly value: string;
  /** Name as the properties write it. */
  readonly name: string;
  readonly kind: PlaceKind;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Properties on sale there. */
  readonly properties: number;
  /** Metres from the requested point to the nearest of them. */
  readonly distance_m?: number | undefined;
} | null;

/**
 * The fee of a cancellation after the last tier, before `cutoff_at` (the anchor). In a quote
 * made after the anchor it is the fee of `no_show`, and `cutoff_at` is null.
 */
export interface LateCancellation {
  /** RFC 3339, UTC, milliseconds. */
  readonly cutoff_at: string | null;
  readonly penalty: Penalty;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
}

/** Meals included in the rate. */
export type MealPlan = "room_only" | "breakfast" | "half_board" | "full_board" | "all_inclusive";

/** HTTP method. */
export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";

/** `live`: real stays and money. `test`: a separate sandbox. */
export type Mode = "live" | "test";

/** Whether and until when the booking can be changed. */
export interface ModificationRule {
  /** RFC 3339, UTC, milliseconds. */
  readonly allowed_until: string | null;
  /** Rule for changes. */
  readonly rule: "same_length_same_total" | "none";
}

/** An amount with its currency. */
export interface Money {
  /** Minor units of the currency. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** An amount with its currency. */
export type MoneyOrNull = {
  /** Minor units of the currency. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** For each constraint the values that find results with all else unchanged; null for none. */
export type NearestConstraints = {
  /** The highest star rating of a property with an offer. */
  readonly min_star_rating: number | null;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities: readonly string[] | null;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: readonly string[] | null;
  readonly meal_plan: readonly MealPlan[] | null;
  readonly cancellation: readonly CancellationKind[] | null;
  /** Best possible refund of a cancellation. */
  readonly refundability: readonly Refundability[] | null;
  readonly max_price_per_night: MoneyOrNull;
} | null;

/** Changes with which the search finds results; each replaces one member. */
export interface NearestSearches {
  /** Nearest first, at most two. */
  readonly stays: readonly Stay[];
  readonly guests: GuestsOrNull;
  readonly constraints: NearestConstraints;
  readonly place: KnownPlaceOrNull;
}

/** A possible next call. */
export interface NextAction {
  readonly rel: Rel;
  readonly method: Method;
  /** Path of this service. */
  readonly href: string;
  /**
   * Body to send unchanged, including its `idempotency_key`, after `fill_in`; values that only
   * the caller has are placeholders `<description>`.
   */
  readonly body_hint?: Readonly<Record<string, unknown>> | undefined;
  /** Values to fill in; absent if the call is complete. */
  readonly fill_in?: readonly FillIn[] | undefined;
  /**
   * JSON pointers of differences from the caller's request: `/destination`, `/stay/check_in`.
   * Absent without differences. Actions with `changes` come last.
   */
  readonly changes?: readonly string[] | undefined;
  readonly cost?: CancellationCost | undefined;
  /** After this the call is useless. */
  readonly expires_at?: string | undefined;
}

/** The price of one night and its parts. */
export interface NightPrice {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Minor units of the currency (ISO 4217). */
  readonly base: number;
  /** Charge for extra adults. */
  readonly occupancy: number;
  /** Charge for children. */
  readonly children: number;
  readonly adjustments: readonly PriceAdjustment[];
  /** Minor units of the currency (ISO 4217). */
  readonly subtotal: number;
  readonly rate_source: RateSource;
}

/** Why properties have no offer. */
export interface NoResultReason {
  /** The part of the search that excludes them. */
  readonly kind: "place" | "dates" | "rate" | "party" | "units" | "restriction" | "constraint";
  /** Why the best offer failed. */
  readonly reason:
    | "not_on_sale"
    | "dates_past"
    | "beyond_horizon"
    | "no_rate"
    | "party_too_large"
    | "sold_out"
    | "stop_sell"
    | "cta"
    | "ctd"
    | "min_los"
    | "max_los"
    | "min_stay_through"
    | "max_stay_through"
    | "min_advance"
    | "max_advance"
    | "stay_pattern"
    | "ceiling_reached"
    | "min_star_rating"
    | "amenities"
    | "bed_type"
    | "meal_plan"
    | "cancellation"
    | "refundability"
    | "max_price_per_night";
  /** Number of properties with this reason. */
  readonly properties: number;
}

/** Why a search has no results, and changes that find some. */
export type NoResults = {
  /** Properties of the destination that the credential may see. */
  readonly considered: number;
  /** Number of properties counted in the reasons: all, or a sample of 1,000. */
  readonly judged: number;
  /** Each property is counted once; most properties first. */
  readonly reasons: readonly NoResultReason[];
  readonly nearest: NearestSearches;
} | null;

/** Result of a no-show. */
export type NoShowRecord = {
  /** RFC 3339, UTC, milliseconds. */
  readonly no_show_at: string;
  readonly fee: Money;
  readonly refund: RefundOwed;
  readonly refunded_before?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
} | null;

/** The fee of a cancellation from `anchor` on, or of a no-show. */
export interface NoShowTerms {
  readonly penalty: Penalty;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
}

/** The cheapest matching room and rate. */
export interface Offer {
  /** The room type. */
  readonly room_type_id: string;
  /** Display name of the room type. */
  readonly room_type_name: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Display name of the rate plan. */
  readonly rate_plan_name: string;
  readonly meal_plan: MealPlan;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: string | null;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  readonly price_per_night: Money;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Total of the stay with taxes and fees, as in its quote. */
  readonly total: number;
  /** Part of the total captured at booking, minor units. */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** Units that can be held; 9 means as many or more. */
  readonly sellable: number;
  readonly cancellation: OfferTerms;
}

/** Cancellation terms of a booking made now. */
export interface OfferTerms {
  readonly refundability: Refundability;
  /** End of free cancellation; null when a fee already applies. */
  readonly free_until: string | null;
}

/** Cancellation terms of a booking made now. */
export interface OfferTermsInWords {
  readonly refundability: Refundability;
  /** End of free cancellation; null when a fee already applies. */
  readonly free_until: string | null;
  /** The terms in words, as in its quote. */
  readonly description: string;
}

/** How the property gave the money back itself. */
export type OtherMethod = "bank_transfer" | "card_terminal" | "cash" | "voucher" | "other";

/** The payment of a booking. */
export type Payment = {
  /** The payment. */
  readonly payment_id: string;
  readonly state: PaymentState;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded?: number | undefined;
} | null;

/** The payment was captured. */
export interface PaymentCapturedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.captured";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentCapturedEventData;
}

/** Data of the event. */
export interface PaymentCapturedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: "captured";
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The bank decided a dispute: `won` by the property, or `lost`. */
export interface PaymentDisputeClosedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.dispute_closed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentDisputeClosedEventData;
}

/** Data of the event. */
export interface PaymentDisputeClosedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** What the bank decided. */
  readonly outcome: "won" | "lost";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The guest's bank disputes the payment: what is not refunded yet is withheld. */
export interface PaymentDisputedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.disputed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentDisputedEventData;
}

/** Data of the event. */
export interface PaymentDisputedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly disputed: number;
  /** The bank's reason, a word of the payment provider. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly due_by: string | null;
  readonly state: "disputed";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The payment definitively failed. */
export interface PaymentFailedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentFailedEventData;
}

/** Data of the event. */
export interface PaymentFailedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** State of the hold after it. */
  readonly hold_state: "held" | "expired";
  readonly state: "failed";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The payment. */
export interface PaymentInput {
  /** text of 1 to 40 characters: how it is paid, such as card */
  readonly method: string;
  /**
   * The payment provider's token, never a card number. The sandbox provider accepts any text;
   * these tokens simulate results: - `tok_test_ok`: The payment is captured and the booking
   * confirmed, as with any token not named here. - `tok_test_declined`: `402 payment_failed`
   * with `provider_code` `card_declined`. The hold stays: book again with another token and a
   * new key. - `tok_test_insufficient_funds`: `402 payment_failed` with `provider_code`
   * `insufficient_funds`. The hold stays. - `tok_test_provider_error`: `502
   * payment_provider_error`: nothing was charged. The same key starts a new attempt, which fails
   * as well; the hold can be booked with another token and a new key. -
   * `tok_test_timeout_then_captured`: `504 payment_timeout` after 10 seconds, and the capture a
   * second later. The same key then answers `201` with the booking. -
   * `tok_test_timeout_then_failed`: `504 payment_timeout` after 10 seconds, then a decline. The
   * same key then answers `402 payment_failed`. - `tok_test_refund_fails`: The payment is
   * captured; every refund of it fails: a cancellation stands and answers `refund.state`
   * `failed`. - `tok_test_slow_9s`: The payment is captured after 9 seconds, just within the 10
   * of a booking.
   */
  readonly provider_token: string;
  /** two letters (ISO 3166-1) */
  readonly billing_country?: string | undefined;
}

/** The payment provider gave no definitive answer in time; the hold was released. */
export interface PaymentOutcomeUnknownEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.outcome_unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentUnknownEventData;
}

/** A payment was started; its hold waits for the result. */
export interface PaymentPendingEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.pending";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentPendingEventData;
}

/** Data of the event. */
export interface PaymentPendingEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Payment method of the booking. */
  readonly method: string;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  readonly state: "pending";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The payment provider registered the payment as `provider_ref`. */
export interface PaymentReferencedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.referenced";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentReferencedEventData;
}

/** Data of the event. */
export interface PaymentReferencedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's reference of the payment. */
  readonly provider_ref: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** `unknown`: no definitive answer of the payment provider yet. */
export type PaymentState =
  | "pending"
  | "authorized"
  | "captured"
  | "partially_refunded"
  | "refunded"
  | "failed"
  | "voided"
  | "unknown"
  | "disputed";

/** The payment outcome is not known yet; the provider is queried again. */
export interface PaymentUnknownEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentUnknownEventData;
}

/** Data of the event. */
export interface PaymentUnknownEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  readonly state: "unknown";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/**
 * The provider's charges were compared with the journal, daily or after a restore: orphans are
 * charges missing in the journal, differences are payments with another state at the provider,
 * or `missing` there.
 */
export interface PaymentsReconciledEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payments.reconciled";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PaymentsReconciledEventData;
}

/** Data of the event. */
export interface PaymentsReconciledEventData {
  readonly orphan_totals: readonly PaymentsReconciledEventDataOrphanTotal[];
  readonly orphans: readonly PaymentsReconciledEventDataOrphan[];
  /** Number of differences. */
  readonly difference_count: number;
  readonly differences: readonly PaymentsReconciledEventDataDifference[];
}

/** A charge whose state differs between provider and journal. */
export interface PaymentsReconciledEventDataDifference {
  /** The payment. */
  readonly payment_id: string;
  /** `amount`, `currency`, `state` and `refunded`. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** `amount`, `currency`, `state` and `refunded`. */
  readonly journal: Readonly<Record<string, unknown>>;
}

/** A charge missing in the journal. */
export interface PaymentsReconciledEventDataOrphan {
  /** The payment. */
  readonly payment_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** State of the charge. */
  readonly state: string;
}

/** Total of missing charges in one currency and state. */
export interface PaymentsReconciledEventDataOrphanTotal {
  /** State of the charges. */
  readonly state: "open" | "standing" | "refunded" | "void";
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of charges. */
  readonly charges: number;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
}

/** The retained part of the prepaid amount. */
export interface Penalty {
  /** Whether a fee is kept. */
  readonly kind: "none" | "percentage";
  /** Basis points of the prepaid amount. */
  readonly bps?: number | undefined;
}

/** Kind of place. */
export type PlaceKind = "city" | "region" | "country" | "district" | "landmark";

/** Places where properties are on sale. */
export interface PlaceList {
  readonly items: readonly KnownPlace[];
}

/** Hash of the frozen terms. */
export interface PolicyHash {
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/**
 * Cancellation terms frozen with the quote. Of `tiers` and then `after_last_tier`, the first row
 * whose `cutoff_at` is in the future applies; from `anchor` on, `no_show` applies.
 */
export interface PolicySnapshot {
  /** The frozen version. */
  readonly policy_version: string;
  readonly cancellation_kind: CancellationKind;
  readonly refundability: Refundability;
  /** IANA zone, such as `Europe/Madrid`, of the property's dates and times. */
  readonly timezone: string;
  /** Check-in with its local offset. */
  readonly anchor: string;
  readonly tiers: readonly CancellationTier[];
  readonly after_last_tier: LateCancellation;
  readonly no_show: NoShowTerms;
  readonly fee_basis: "prepaid_total";
  readonly modification: ModificationRule;
  /** Information for parents, in words. */
  readonly child_policy_text: string | null;
  /** The terms in a sentence for the traveler. */
  readonly description: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly captured_at: string;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** A discount or surcharge by the stay or its booking. */
export interface PriceAdjustment {
  /** Code. */
  readonly code: string;
  /** Text on the guest's bill. */
  readonly label: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
}

/**
 * `room_subtotal` + taxes and fees that are not included = `total` = `due_now` +
 * `due_at_property`.
 */
export interface PriceBreakdown {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Decimal places of the currency. */
  readonly minor_unit: number;
  readonly nights: readonly NightPrice[];
  /** Minor units of the currency (ISO 4217). */
  readonly room_subtotal: number;
  readonly taxes: readonly TaxLine[];
  readonly fees: readonly FeeLine[];
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Captured at booking, minor units. */
  readonly due_now: number;
  /** Empty today. */
  readonly due_later: readonly Readonly<Record<string, unknown>>[];
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** What the property has added to the total, or taken off, in a modification; minor units. */
  readonly adjustment?: number | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly per_night_average: number;
  readonly rounding: "half_up_per_line";
  readonly derived_from?: DerivedPrice | undefined;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
  readonly display?: DisplayTotal | undefined;
}

/** Another price, and what is done. */
export type PriceDifference = {
  readonly kind: Difference;
  /** The new price less the former one, minor units. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** The hotel's contact. */
export interface PrimaryGuest {
  /**
   * text of 1 to 200 characters, not blank and without control characters: a name as in the
   * passport
   */
  readonly full_name: string;
  /** an e-mail address */
  readonly email: string;
  /** E.164, as `+34911234567`. */
  readonly phone?: string | undefined;
}

/** A property was archived; its bookings stay valid. */
export interface PropertyArchivedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.archived";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PropertyStateEventData;
}

/** A property was created as a draft. */
export interface PropertyCreatedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.created";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PropertyCreatedEventData;
}

/** Data of the event. */
export interface PropertyCreatedEventData {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** Number of room types. */
  readonly room_type_count: number;
  /** Number of rate plans. */
  readonly rate_plan_count: number;
  /** The property with its room types and plans. */
  readonly tree?: Readonly<Record<string, unknown>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
  readonly state: "draft";
}

/** A draft was deleted; its slug is free again. */
export interface PropertyDeletedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.deleted";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PropertyDeletedEventData;
}

/** Data of the event. */
export interface PropertyDeletedEventData {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly state: "deleted";
  /** Counts the object's changes. */
  readonly version: number;
}

/** A room type and rate plan for the stay. */
export interface PropertyOffer {
  /** The room type. */
  readonly room_type_id: string;
  /** Display name of the room type. */
  readonly room_type_name: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Display name of the rate plan. */
  readonly rate_plan_name: string;
  readonly meal_plan: MealPlan;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: string | null;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  readonly price_per_night: Money;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Total of the stay with taxes and fees, as in its quote. */
  readonly total: number;
  /** Part of the total captured at booking, minor units. */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** Units that can be held now. */
  readonly sellable: number;
  readonly cancellation: OfferTermsInWords;
  readonly quote: QuoteRequestOrNull;
  readonly display: DisplayTotal;
  /** Why it cannot be held; empty when it can. */
  readonly blocking: readonly Blocking[];
  /** The same offer on the nearest sellable dates. */
  readonly alternatives: readonly Alternative[];
}

/** All offers of a property for a stay: sellable ones first, cheapest first, then the others. */
export interface PropertyOffers {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly items: readonly PropertyOffer[];
}

/** A property changed its state; only `live` is on sale. */
export interface PropertyPromotedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.promoted";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PropertyStateEventData;
}

/** A property was changed: its tree was replaced. */
export interface PropertyReplacedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.replaced";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PropertyReplacedEventData;
}

/** Data of the event. */
export interface PropertyReplacedEventData {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** Number of room types. */
  readonly room_type_count: number;
  /** Number of rate plans. */
  readonly rate_plan_count: number;
  /** The property with its room types and plans. */
  readonly tree?: Readonly<Record<string, unknown>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
  /** Counts the object's changes. */
  readonly version: number;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
}

/** Only `live` is on sale. */
export type PropertyState = "draft" | "live" | "suspended" | "archived";

/** Data of the event. */
export interface PropertyStateEventData {
  /** The property. */
  readonly property_id: string;
  readonly state: PropertyState;
  /** Counts the object's changes. */
  readonly version: number;
}

/** A property was taken off sale; a promotion puts it back. */
export interface PropertySuspendedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.suspended";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: PropertyStateEventData;
}

/** A signature that the published keys verify. */
export interface PublicSignature {
  readonly alg: "ES256";
  /** Id of a key in `/.well-known/jwks.json`. */
  readonly kid: string;
  /** r and s, 64 bytes, base64url. */
  readonly signature: string;
}

/** Price and terms, frozen until `expires_at`. */
export interface Quote {
  /** The quote. */
  readonly quote_id: string;
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown: PriceBreakdown;
  readonly policy_snapshot: PolicySnapshot;
  readonly availability: Availability;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** A stay to price. */
export interface QuoteRequest {
  /** text of 1 to 120 characters: a property's id or slug */
  readonly hotel_id: string;
  /** text of 1 to 64 characters: the id or code of one of its room types */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A stay to price. */
export type QuoteRequestOrNull = {
  /** text of 1 to 120 characters: a property's id or slug */
  readonly hotel_id: string;
  /** text of 1 to 64 characters: the id or code of one of its room types */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
} | null;

/** Whether the price is set by date or by the plan, or follows another plan. */
export type RateSource = "date_override" | "base" | "derived";

/** Signed proof of a change; see `verify_receipt`. */
export interface Receipt {
  readonly kind: ReceiptKind;
  /** Address of the signing service. */
  readonly issuer: string;
  /** RFC 3339, UTC, milliseconds; signed as text: send it back unchanged. */
  readonly issued_at: string;
  /** Subject of the receipt: ids and hashes as texts, amounts as numbers. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** SHA-256 of the receipt without its signatures, in canonical form (RFC 8785). */
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  /** Signing key; `receipt-v1` by default. */
  readonly kid?: string | undefined;
  /** HMAC-SHA256 of `payload_hash`, base64url; `verify_receipt` checks it. */
  readonly signature: string;
  /** Signatures of the canonical form, verifiable with the published keys. */
  readonly signatures?: readonly PublicSignature[] | undefined;
}

/** Kind of the proof. */
export type ReceiptKind = "booking_confirmed" | "booking_cancelled" | "refund_issued";

/** Signed proof of a change; see `verify_receipt`. */
export type ReceiptOrNull = {
  readonly kind: ReceiptKind;
  /** Address of the signing service. */
  readonly issuer: string;
  /** RFC 3339, UTC, milliseconds; signed as text: send it back unchanged. */
  readonly issued_at: string;
  /** Subject of the receipt: ids and hashes as texts, amounts as numbers. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** SHA-256 of the receipt without its signatures, in canonical form (RFC 8785). */
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  /** Signing key; `receipt-v1` by default. */
  readonly kid?: string | undefined;
  /** HMAC-SHA256 of `payload_hash`, base64url; `verify_receipt` checks it. */
  readonly signature: string;
  /** Signatures of the canonical form, verifiable with the published keys. */
  readonly signatures?: readonly PublicSignature[] | undefined;
} | null;

/** A refund. */
export interface Refund {
  /** The refund. */
  readonly refund_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The payment. */
  readonly payment_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: RefundState;
  /** Why it is refunded. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Why it failed; null otherwise. */
  readonly failure_reason: string | null;
  /** Next step after a failure; null otherwise. */
  readonly next_step: string | null;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
  /** Opaque id. */
  readonly retried_by?: string | undefined;
  readonly method?: OtherMethod | undefined;
  /** The refund failed after its success: its receipt proves nothing. */
  readonly receipt_void?: boolean | undefined;
}

/** The payment provider declined a refund, or could not complete it after its success. */
export interface RefundFailedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: RefundFailedEventData;
}

/** Data of the event. */
export interface RefundFailedEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** The refund had succeeded: its receipt is void, the amount is refundable again. */
  readonly after_success?: boolean | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly state: "failed";
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
}

/** The refund; `refund_id` is null if nothing is refunded. */
export interface RefundOwed {
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** The refund. */
  readonly refund_id: string | null;
}

/**
 * Why it is refunded; `late_capture`: captured after its hold had ended; from `requested` on: by
 * the property.
 */
export type RefundReason =
  | "cancellation"
  | "no_show"
  | "late_capture"
  | "modification"
  | "requested"
  | "service"
  | "goodwill"
  | "duplicate"
  | "other";

/** A refund was requested. */
export interface RefundRequestedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.requested";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: RefundRequestedEventData;
}

/** Data of the event. */
export interface RefundRequestedEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The property. */
  readonly property_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
  readonly state: "pending";
  /** The agent. */
  readonly agent_id: string;
}

/** The property gave the money of a failed refund back itself, with its receipt. */
export interface RefundSettledElsewhereEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.settled_elsewhere";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: RefundSettledElsewhereEventData;
}

/** Data of the event. */
export interface RefundSettledElsewhereEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly method: OtherMethod;
  readonly receipt: Receipt;
  readonly state: "succeeded";
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
}

/** `pending` until the payment provider has answered. */
export type RefundState = "pending" | "succeeded" | "failed";

/** A refund succeeded, with its receipt. */
export interface RefundSucceededEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.succeeded";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: RefundSucceededEventData;
}

/** Data of the event. */
export interface RefundSucceededEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly receipt: Receipt;
  readonly state: "succeeded";
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
}

/** The refund. */
export type RefundSummary = {
  /** The refund. */
  readonly refund_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly state: RefundState;
  /** Why it failed, if it did. */
  readonly failure_reason?: string | undefined;
  /** Next step after a failure. */
  readonly next_step?: string | undefined;
} | null;

/** The refundable part of the prepaid amount if cancelled now: all, part or nothing. */
export type Refundability = "refundable" | "partially_refundable" | "non_refundable";

/** Purpose of a call; a closed vocabulary. */
export type Rel =
  | "search"
  | "quote"
  | "requote"
  | "create_hold"
  | "confirm"
  | "cancel"
  | "release"
  | "extend"
  | "retry"
  | "get"
  | "get_audit"
  | "get_refund"
  | "issue_refund";

/** A released hold. */
export interface ReleasedHold {
  /** The hold. */
  readonly hold_id: string;
  readonly state: "released";
  /** RFC 3339, UTC, milliseconds. */
  readonly released_at: string;
}

/** To the next multiple of `round_to`, or the next higher or lower one. */
export type Rounding = "half_up" | "up" | "down";

/** Results of a search: complete, best first. */
export interface Search {
  readonly results: readonly SearchResult[];
  readonly no_results: NoResults;
  /** Only for a destination of type `property`. */
  readonly misses?: readonly SearchMiss[] | undefined;
  /**
   * Only for an unknown place: known places, most similar first; or if no property is around the
   * point: the nearest places.
   */
  readonly suggestions?: readonly KnownPlace[] | undefined;
}

/** Constraints on offers. */
export interface SearchConstraints {
  readonly max_price_per_night?: Money | undefined;
  readonly meal_plan?: MealPlan | undefined;
  readonly cancellation?: CancellationWish | undefined;
  /** a number from 0 to 7: minimum stars; unrated hotels have less than 0 */
  readonly min_star_rating?: number | undefined;
  /**
   * codes of at most 20 amenities (`wifi`, `pool`); the property and the room type together have
   * all of them
   */
  readonly amenities?: readonly string[] | undefined;
  /** words in the room's bed type: `king`, `2 single beds` */
  readonly bed_type?: string | undefined;
  readonly refundability?: Refundability | undefined;
}

/** Why a requested property has no offer. */
export interface SearchMiss {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  readonly blocking: readonly Blocking[];
  readonly alternatives: readonly Alternative[];
}

export interface SearchRequest {
  readonly destination?: Destination | undefined;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly constraints?: SearchConstraints | undefined;
  readonly sort?: SortOrder | undefined;
}

/** A property with its cheapest offer for the stay. */
export interface SearchResult {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** Its page for travelers is `/book/{slug}`. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** Official stars, 0 to 7. */
  readonly star_rating: number | null;
  readonly address: ShortAddress;
  readonly geo: Geo;
  /** Its first image. */
  readonly image: string | null;
  /** Metres from the requested point; null without a point. */
  readonly distance_m: number | null;
  /**
   * Score; 1 is best. 0.5 is the middle of the results, 0.25 less at ten times the total; a star
   * or free cancellation counts as 15 % of the price, a kilometre from the point as a tenth of
   * it.
   */
  readonly rank_score: number;
  /** Reasons for its rank. */
  readonly explanation: readonly string[];
  readonly best_offer: Offer;
}

/** Short address. */
export interface ShortAddress {
  /** Name of the city. */
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/**
 * Order of results. `rank`: best first; `price`: lowest total first; `distance`: nearest to the
 * point first, by rank without a point. By default, results around a point are ordered by
 * distance, all others by rank.
 */
export type SortOrder = "rank" | "price" | "distance";

/** Nights from `check_in` up to, not including, `check_out`. */
export interface Stay {
  /** Date in the property's own zone. */
  readonly check_in: string;
  /** Date in the property's own zone. */
  readonly check_out: string;
}

/** Type of an event's subject. */
export type SubjectType =
  | "property"
  | "hold"
  | "payment"
  | "booking"
  | "refund"
  | "authorization"
  | "incident"
  | "credential"
  | "delegation_issuer"
  | "webhook_endpoint"
  | "feed"
  | "tenant";

/** Basis of a tax or fee; `percent` is of the price, in basis points. */
export type TaxBasis = "percent" | "per_stay" | "per_night" | "per_person" | "per_person_per_night";

/** `prepaid`: captured at booking. `at_property`: paid by the guest at the property. */
export type TaxCollection = "prepaid" | "at_property";

/** A tax of this stay. */
export interface TaxLine {
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  readonly basis: TaxBasis;
  /** Basis points, where it is a percentage. */
  readonly rate_bps?: number | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly unit_amount?: number | undefined;
  /** True if the rate already includes it. */
  readonly included_in_rate: boolean;
  readonly collect: TaxCollection;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
}

/** The test clock of the tenant was advanced or reset. */
export interface TestClockSetEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "test_clock.set";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: TestClockSetEventData;
}

/** Data of the event. */
export interface TestClockSetEventData {
  /** Seconds that test mode is ahead from here on. */
  readonly offset_s: number;
  /** Seconds that it was ahead before. */
  readonly previous_offset_s: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
}

/** The traveler who gave consent, by token or on the page. */
export interface Traveler {
  /** The issuer of the traveler's token; `<BASE_URL>/checkout` of the checkout page. */
  readonly iss: string;
  /** The traveler; null after an erasure. */
  readonly sub: string | null;
}

/** A receipt with a valid signature. */
export interface VerifiedReceipt {
  /** True; an invalid receipt is refused instead. */
  readonly valid: boolean;
  readonly kind: ReceiptKind;
  /** Subject of the receipt: ids and hashes as texts, amounts as numbers. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** RFC 3339, UTC, milliseconds. */
  readonly issued_at: string;
  /** Address of the signing service. */
  readonly issuer: string;
  /** Id of the signing key. */
  readonly kid: string;
}

/** A webhook endpoint was disabled; it receives nothing until it is resumed. */
export interface WebhookEndpointDisabledEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "webhook.endpoint_disabled";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: WebhookEndpointDisabledEventData;
}

/** Data of the event. */
export interface WebhookEndpointDisabledEventData {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /**
   * `gone`: it answered 410. `failing`: no success for days. `backlog`: paused with too many or
   * too old events. `operator`: disabled by an operator.
   */
  readonly reason: "gone" | "failing" | "backlog" | "operator";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** A webhook endpoint receives events again after it was disabled. */
export interface WebhookEndpointRecoveredEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "webhook.endpoint_recovered";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  readonly subject: EventSubject;
  readonly data: WebhookEndpointRecoveredEventData;
}

/** Data of the event. */
export interface WebhookEndpointRecoveredEventData {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly disabled_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}
