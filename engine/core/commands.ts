/**
 * Commands: what the api and the workers ask of the engine, as plain JSON with imperative names. A
 * command carries everything that the pure core cannot know: the caller, its limits, 16 random
 * bytes, the frozen quote. The engine adds only the stamp.
 */
import type { AuthorizationPolicy } from "./authorization-terms.ts";
import type { GuestChange, StayChange } from "./change-terms.ts";
import type { Consent } from "./consent.ts";
import type { Notice } from "./events/event.ts";
import type { Rejection } from "./outcomes.ts";
import type { IncidentAction } from "./oversell-terms.ts";
import type { Actor, EncryptedFields, GuestHashes, Traveler } from "./parties.ts";
import type { FrozenQuote, QuoteRequest } from "./price/quote.ts";
import type { RecordKind } from "./record-damage.ts";
import type { Dispute } from "./records.ts";
import type { OperatorReason, OtherMethod } from "./refund-words.ts";
import type { Mode, NamedAri, PropertyTree } from "./supply.ts";

/** Limits of the calling agent, from the control store; null means unlimited. */
export interface AgentLimits {
  readonly max_open_holds: number | null;
  readonly max_booking_amount: { readonly amount: number; readonly currency: string } | null;
}

export interface CommandMeta {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  /** The properties that the caller may reach; absent: all of its tenant and mode. */
  readonly property_ids?: readonly string[];
  readonly trace_id: string;
  /** Base of `docs_url` for refusals, without trailing slash. */
  readonly docs: string;
  /** 32 hex characters = 16 random bytes; ids are derived from the first journaled attempt's. */
  readonly random: string;
  /** Command id = hash(tenant, scope, key), 32 hex characters; absent for unkeyed commands. */
  readonly key?: string;
  /**
   * True when the client sent no key and the api generated one: no row is written without events.
   */
  readonly is_anonymous?: boolean;
  /** HMAC of the canonical body, 32 hex characters; present exactly when `key` is. */
  readonly body_hash?: string;
  /** Milliseconds left when the envelope was sent; absent for results, which never lapse. */
  readonly time_left_ms?: number;
}

export interface CreateProperty extends CommandMeta {
  readonly type: "CreateProperty";
  readonly tree: PropertyTree;
  /** Whether the payment provider is ready. */
  readonly payments_configured: boolean;
  /** Decides, but changes nothing. */
  readonly dry_run?: boolean;
}
/** Replaces a property's tree by a whole one; the api has already applied a merge patch. */
export interface ReplaceProperty extends CommandMeta {
  readonly type: "ReplaceProperty";
  readonly property_id: string;
  /** Null when the api knew no such property. */
  readonly tree: PropertyTree | null;
  /** The version that the tree was made from; 0 for an unknown property. */
  readonly base_version: number;
  /** The version that the caller has seen; null accepts any. */
  readonly expected_version: number | null;
  readonly payments_configured: boolean;
  readonly dry_run: boolean;
}
/** Deletes a draft. */
export interface DeleteProperty extends CommandMeta {
  readonly type: "DeleteProperty";
  readonly property_id: string;
  readonly expected_version: number | null;
}
export interface PromoteProperty extends CommandMeta {
  readonly type: "PromoteProperty";
  readonly property_id: string;
  readonly dry_run: boolean;
  readonly payments_configured: boolean;
}
/** Takes a live property off sale; a promotion puts it back. */
export interface SuspendProperty extends CommandMeta {
  readonly type: "SuspendProperty";
  readonly property_id: string;
}
/** Takes a property off sale for good. */
export interface ArchiveProperty extends CommandMeta {
  readonly type: "ArchiveProperty";
  readonly property_id: string;
}
export interface UpdateAri extends CommandMeta {
  readonly type: "UpdateAri";
  readonly property_id: string;
  readonly ari: NamedAri;
  /** Number of an event: refuse when a cell of the update was set after it. */
  readonly if_unchanged_since?: number;
  readonly dry_run?: boolean;
}
export interface SetFxRates extends CommandMeta {
  readonly type: "SetFxRates";
  /** Units of each currency for one unit of `base`, as decimal strings. */
  readonly base: string;
  readonly rates: Readonly<Record<string, string>>;
}
/** Moves the test clock of the tenant, in test mode only. */
export interface AdvanceTestClock extends CommandMeta {
  readonly type: "AdvanceTestClock";
  /** Seconds to add; null sets the clock back to the engine's time. */
  readonly advance_s: number | null;
}
/**
 * A change in the control store that subscribers receive as an event, sent afterwards.
 */
export interface RecordNotice extends CommandMeta {
  readonly type: "RecordNotice";
  readonly notice: Notice;
}
export interface PlaceHold extends CommandMeta {
  readonly type: "PlaceHold";
  readonly quote_id: string;
  /** Null when the api found none; `missing` says why. */
  readonly quote: FrozenQuote | null;
  readonly missing?: "quote_not_found" | "quote_expired";
  readonly ttl_ms: number;
  readonly limits: AgentLimits;
}
export interface ExtendHold extends CommandMeta {
  readonly type: "ExtendHold";
  readonly hold_id: string;
  readonly ttl_ms: number;
}
export interface ReleaseHold extends CommandMeta {
  readonly type: "ReleaseHold";
  readonly hold_id: string;
}
export interface BeginBooking extends CommandMeta {
  readonly type: "BeginBooking";
  readonly hold_id: string;
  readonly quote_id: string;
  readonly limits: AgentLimits;
  readonly authorization_id?: string;
  readonly consent: Consent;
  readonly traveler: Traveler;
  readonly method: string;
  readonly billing_country?: string;
  /** Guest data, traveler subject and provider token. */
  readonly encrypted: EncryptedFields;
  /** Data key wrapped by the installation's master key; stored outside the journal. */
  readonly wrapped_key: string;
  /** Hashes by which the guest can be found; stored beside the key. */
  readonly guest: GuestHashes;
  /** By the property itself, of a hold of its own; nothing may be due of what it pays later. */
  readonly desk?: { readonly pays_at_property: boolean };
}
/** An operator's note, encrypted in the api under a data key of its own. */
export interface SealedNote {
  readonly encrypted: EncryptedFields;
  readonly wrapped_key: string;
}
/** An operator allows a booking before an agent asks. */
export interface GrantAuthorization extends CommandMeta {
  readonly type: "GrantAuthorization";
  readonly agent_id: string;
  /** Whether the control store has the agent in the caller's tenant and mode. */
  readonly has_agent: boolean;
  readonly request: QuoteRequest;
  /** Null for any traveler. */
  readonly traveler_hash: string | null;
  /** Minor units. */
  readonly max_amount: number;
  readonly currency: string;
  /** The policy's by default. */
  readonly ttl_s?: number;
  readonly note?: SealedNote;
}
export interface ApproveAuthorization extends CommandMeta {
  readonly type: "ApproveAuthorization";
  readonly authorization_id: string;
  /** Minor units; what was asked for by default. */
  readonly max_amount?: number;
  readonly note?: SealedNote;
}
export interface RevokeAuthorization extends CommandMeta {
  readonly type: "RevokeAuthorization";
  readonly authorization_id: string;
}
export interface SetAuthorizationPolicy extends CommandMeta, AuthorizationPolicy {
  readonly type: "SetAuthorizationPolicy";
}
export interface CancelBooking extends CommandMeta {
  readonly type: "CancelBooking";
  readonly booking_id: string;
  readonly consent: Consent;
  readonly traveler: Traveler;
  readonly reason_code?: string;
  /** The note, encrypted under the booking's own data key. */
  readonly encrypted?: EncryptedFields;
}
/**
 * A cancellation by the property itself. It needs no consent of the traveler: consent binds agents.
 */
export interface CancelAtDesk extends CommandMeta {
  readonly type: "CancelAtDesk";
  readonly booking_id: string;
  /** Refunds the whole payment, whatever fee the frozen terms have. */
  readonly waives_fee: boolean;
  /** The reason, encrypted under the booking's own data key; absent after an erasure. */
  readonly encrypted?: EncryptedFields;
}
/** What the desk records of a stay; the command needs nothing but the booking. */
interface OnStay<T extends string> extends CommandMeta {
  readonly type: T;
  readonly booking_id: string;
}
export type CheckInGuest = OnStay<"CheckInGuest">;
export type UndoCheckIn = OnStay<"UndoCheckIn">;
export type RecordNoShow = OnStay<"RecordNoShow">;
export type CompleteStay = OnStay<"CompleteStay">;
/**
 * A change of a booking. The api prices the new stay; the engine decides whether the booking may
 * change, and takes the nights.
 */
export interface ModifyBooking extends CommandMeta {
  readonly type: "ModifyBooking";
  readonly booking_id: string;
  /** The version that the api read; a booking changed since then is a conflict. */
  readonly base_version: number;
  /** The version that the caller has seen; null accepts any. */
  readonly expected_version: number | null;
  /** Null when stay, party, room and plan are kept. */
  readonly stay: StayChange | null;
  /** What changes of the guest's data, under the booking's own data key. */
  readonly guest?: GuestChange;
  /** Why the api made no change of the request; only a known key has another answer. */
  readonly refused?: Rejection;
}
/** A cancellation by the guest, for the refund that the guest was shown, minor units. */
export type CancelByGuest = OnStay<"CancelByGuest"> & { readonly expected_refund: number };
/** A note of the property about a booking. */
export interface AddBookingNote extends OnStay<"AddBookingNote"> {
  /** The text, encrypted under the booking's own data key; absent after an erasure. */
  readonly encrypted?: EncryptedFields;
}
/** Deletes the key of a booking's personal data. */
export type EraseGuest = OnStay<"EraseGuest">;
/** Looks for oversold nights of a room type around a date, and opens an incident for them. */
export interface ScanOversell extends CommandMeta {
  readonly type: "ScanOversell";
  readonly property_id: string;
  readonly room_type_id: string;
  readonly date: string;
}
export interface AcknowledgeIncident extends CommandMeta {
  readonly type: "AcknowledgeIncident";
  readonly incident_id: string;
}
/** What an operator does about an oversell incident; the member of the action is set. */
export interface ResolveIncident extends CommandMeta {
  readonly type: "ResolveIncident";
  readonly incident_id: string;
  readonly action: IncidentAction;
  /** Of `relocate`, `upgrade` and `cancel_with_refund`. */
  readonly booking_id?: string;
  /** Of `relocate` and `upgrade`: the change to another room type, without a difference. */
  readonly move?: Pick<ModifyBooking, "stay" | "base_version" | "refused">;
  /** Goodwill refund with it, minor units. */
  readonly compensation?: number;
  /** Of `restore_capacity`. */
  readonly ari?: NamedAri;
  /** Of `accept`. */
  readonly note?: SealedNote;
}
/** A refund by the property; `amount` in minor units, null for all that remains. */
export interface RefundPayment extends CommandMeta {
  readonly type: "RefundPayment";
  readonly booking_id: string;
  readonly amount: number | null;
  readonly reason: OperatorReason;
  /** The note, encrypted under the booking's own data key. */
  readonly encrypted?: EncryptedFields;
}
/** A failed refund once more, as a new refund: the provider answers a known id as before. */
export interface RetryRefund extends CommandMeta {
  readonly type: "RetryRefund";
  readonly refund_id: string;
}
/** The property gave the money of a failed refund back itself. */
export interface SettleRefundElsewhere extends CommandMeta {
  readonly type: "SettleRefundElsewhere";
  readonly refund_id: string;
  readonly method: OtherMethod;
  readonly encrypted?: EncryptedFields;
}
/**
 * The provider's reference of a payment, journaled before a charge whose id alone cannot find it.
 */
export interface RecordPaymentReference extends CommandMeta {
  readonly type: "RecordPaymentReference";
  readonly payment_id: string;
  readonly provider_ref: string;
}
export interface RecordPaymentResult extends CommandMeta {
  readonly type: "RecordPaymentResult";
  readonly payment_id: string;
  /**
   * `captured` | `declined` (a definitive refusal) | `provider_error` (the provider answered an
   * error inside the request's budget and the payment was then cancelled there) |
   * `cancelled` (reconciliation cancelled it at the provider) | `unknown` (no verdict yet).
   */
  readonly result: "captured" | "declined" | "provider_error" | "cancelled" | "unknown";
  /** Absent when it was journaled before or follows from the payment's id. */
  readonly provider_ref?: string;
  readonly provider_code?: string;
  readonly provider_message?: string;
}
export interface RecordRefundResult extends CommandMeta {
  readonly type: "RecordRefundResult";
  readonly refund_id: string;
  readonly result: "succeeded" | "failed";
  readonly provider_code?: string;
}
/** A dispute about a captured payment, as the provider has it. */
export interface RecordDispute extends CommandMeta, Dispute {
  readonly type: "RecordDispute";
  readonly payment_id: string;
}
/** Makes the engine check a record that another process found damaged. */
export interface CheckRecord extends CommandMeta {
  readonly type: "CheckRecord";
  readonly kind: RecordKind;
  readonly id: string;
}

const BULK: readonly Command["type"][] = [
  ...(["CreateProperty", "ReplaceProperty", "DeleteProperty", "UpdateAri"] as const),
  ...(["PromoteProperty", "SuspendProperty", "ArchiveProperty"] as const),
];

/**
 * Whether a command changes supply. Such commands can be large and come by the ten thousand, and no
 * guest waits for them: they keep their order, and all other commands go first.
 */
export function isBulk({ type }: Pick<Command, "type">): boolean {
  return BULK.includes(type);
}

export type Command =
  | CreateProperty
  | ReplaceProperty
  | DeleteProperty
  | PromoteProperty
  | SuspendProperty
  | ArchiveProperty
  | UpdateAri
  | SetFxRates
  | AdvanceTestClock
  | RecordNotice
  | PlaceHold
  | ExtendHold
  | ReleaseHold
  | BeginBooking
  | GrantAuthorization
  | ApproveAuthorization
  | RevokeAuthorization
  | SetAuthorizationPolicy
  | CancelBooking
  | CancelAtDesk
  | CancelByGuest
  | CheckInGuest
  | UndoCheckIn
  | RecordNoShow
  | CompleteStay
  | ModifyBooking
  | AddBookingNote
  | EraseGuest
  | ScanOversell
  | AcknowledgeIncident
  | ResolveIncident
  | RefundPayment
  | RetryRefund
  | SettleRefundElsewhere
  | RecordPaymentReference
  | RecordPaymentResult
  | RecordRefundResult
  | RecordDispute
  | CheckRecord;
