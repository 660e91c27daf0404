/**
 * Outcomes: results of commands. A refusal is a value with a code of the catalogue, never a throw.
 * Outcomes are journaled. They are rendered by a pure function of the outcome and of immutable
 * supply versions, so a replay is byte-identical after a restart: values of configuration, keys and
 * the request (trace id, docs base, receipts) are stored inside.
 */
import type { AuthorizationPolicy, AuthorizationState } from "./authorization-terms.ts";
import type { GuestErasedData, NoteData } from "./guest-terms.ts";
import type { ExcessNight, IncidentAction, IncidentState } from "./oversell-terms.ts";
import type { FrozenQuote, QuoteRequest, Stay } from "./price/quote.ts";
import type { Difference, OtherMethod, RefundReason, RefundState } from "./refund-words.ts";
import type { RefusalCode } from "./refusals.ts";
import type { AriUpdate, Mode, PropertyState } from "./supply.ts";

/**
 * Request bodies that fix a property, for the next actions of a refusal. Values that only the
 * operator knows are `<placeholders>`.
 */
export interface PropertyFixes {
  /** For its tree: a merge patch (RFC 7396). */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** For its nights. */
  readonly ari?: AriUpdate;
}

/** Ids and request bodies that next actions need and `detail` does not have. */
export type Hints = Readonly<{
  /** Prices the same stay again. */
  requote?: QuoteRequest;
  alternatives?: readonly QuoteRequest[];
  /** Make a property promotable, or close what is in use. */
  mending?: PropertyFixes;
  /** Highest price of a night, before taxes and fees, that needs no authorization. */
  max_price_per_night?: { readonly amount: number; readonly currency: string };
  /** A free slug similar to the requested one. */
  free_slug?: string;
  property_id?: string;
  quote_id?: string;
  hold_id?: string;
  booking_id?: string;
  incident_id?: string;
}>;

export interface Rejection {
  readonly code: RefusalCode;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Seconds; only for codes whose delay depends on state. */
  readonly retry_after?: number;
  readonly hints?: Hints;
}

export interface Refusal extends Rejection {
  readonly ok: false;
  readonly trace_id: string;
  /** Base of `docs_url`, without trailing slash. */
  readonly docs: string;
}

/** A signed receipt. The core sets the content with an empty `signature`; the shell signs it. */
export interface Receipt {
  readonly kind: "booking_confirmed" | "booking_cancelled" | "refund_issued";
  readonly issuer: string;
  readonly issued_at: string;
  readonly subject: Readonly<Record<string, string | number>>;
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  readonly kid: string;
  readonly signature: string;
  /** Signatures of the same content that anyone can verify. */
  readonly signatures: readonly ReceiptSignature[];
}

/** A detached signature over the receipt's canonical form. */
export interface ReceiptSignature {
  readonly alg: "ES256";
  /** A key of `/.well-known/jwks.json`. */
  readonly kid: string;
  /** r and s, 64 bytes in base64url (IEEE P1363). */
  readonly signature: string;
}

/** An error that prevents a promotion, or a warning. */
export interface PromotionReason {
  readonly code: string;
  /** JSON pointer into the property's tree. */
  readonly path: string;
  readonly severity: "error" | "warning";
  readonly message: string;
}

interface SuccessWith<K extends string, D> {
  readonly ok: true;
  readonly kind: K;
  readonly trace_id: string;
  readonly data: Readonly<D>;
}

/** The oversell incidents that a change opened; absent for none. */
interface Opened {
  /** The first of them. */
  readonly incident_ids?: readonly string[];
  readonly incidents?: number;
}

type PropertyData = {
  property_id: string;
  slug: string;
  state: "draft";
  mode: Mode;
  version: number;
  /** Null for a dry run. */
  seq: number | null;
  /** What a promotion would report. */
  warnings: readonly PromotionReason[];
  dry_run: boolean;
};
type ReplacedData = {
  property_id: string;
  slug: string;
  state: PropertyState;
  mode: Mode;
  version: number;
  /** Whether anything changed, or would change. */
  changed: boolean;
  dry_run: boolean;
  seq: number | null;
  warnings: readonly PromotionReason[];
  /** The first oversold nights; absent when none are oversold. */
  oversold?: readonly OversoldUnits[];
  /** Number of all oversold nights. */
  oversold_nights?: number;
} & Opened;
type DeletedData = {
  property_id: string;
  slug: string;
  state: "deleted";
  mode: Mode;
  version: number;
  seq: number;
};
type PromotionData = {
  property_id: string;
  state: PropertyState;
  dry_run: boolean;
  version: number;
  warnings: readonly PromotionReason[];
  seq: number | null;
};
type OffSaleData = {
  property_id: string;
  state: "suspended" | "archived";
  version: number;
  /** Null when it was already in this state. */
  seq: number | null;
};
/** A night with more sold and held units than effective capacity. */
export interface OversoldUnits {
  readonly room_type_id: string;
  readonly date: string;
  readonly sold: number;
  readonly held: number;
  readonly effective: number;
}
export interface OversoldNight extends OversoldUnits {
  /** Index in the update's `inventory` of the range that set the night. */
  readonly range: number;
}
type AriData = {
  property_id: string;
  /** Ranges applied, by list. */
  applied: { inventory: number; rates: number; restrictions: number; ceilings: number };
  /** Whether a night changed, or would change. */
  changed: boolean;
  seq: number | null;
  /** The first oversold nights; absent when none are oversold. */
  oversold?: readonly OversoldNight[];
  /** Number of all oversold nights. */
  oversold_nights?: number;
} & Opened;
type FxData = { base: string; rates: Readonly<Record<string, string>>; as_of: string; seq: number };
/** `expires_at` is an instant with `Z`. */
type HoldData = {
  hold_id: string;
  quote_id: string;
  state: "held";
  expires_at: string;
  property_id: string;
  room_type_id: string;
  stay: Stay;
  seq: number;
};
type BookingData = {
  booking_id: string;
  confirmation_code: string;
  state: "confirmed";
  hold_id: string;
  quote: FrozenQuote;
  /** Null when nothing was due now; `amount` in minor units. */
  payment: { payment_id: string; state: "captured"; amount: number; currency: string } | null;
  traveler_iss: string;
  created_at: string;
  version: number;
  seq: number;
};
type CancellationData = {
  booking_id: string;
  state: "cancelled";
  cancelled_at: string;
  fee: { amount: number; currency: string };
  /** Null when nothing is refunded; `state` is the refund's when the answer was given. */
  refund: {
    refund_id: string;
    amount: number;
    state: "pending" | "succeeded" | "failed";
    /** The provider's reason for `failed`, if it gave one. */
    provider_code?: string;
  } | null;
  /** What was refunded before, and what is kept in the end; absent when nothing was. */
  refunded_before?: { amount: number; currency: string };
  kept?: { amount: number; currency: string };
  /** Why nothing is refunded although the terms promise it; absent if it is. */
  withheld?: "dispute";
  policy: { hash: string; tier_index: number };
  /** The part of the fee that the property waived; only for a cancellation by the property. */
  waived_fee?: { amount: number; currency: string };
};

type RefundData = CancellationData["refund"];
type CheckedInData = { booking_id: string; state: "checked_in"; checked_in_at: string };
type UndoneData = { booking_id: string; state: "confirmed"; undone_at: string };
type NoShowData = {
  booking_id: string;
  state: "no_show";
  no_show_at: string;
  fee: { amount: number; currency: string };
  refund: RefundData;
  refunded_before?: { amount: number; currency: string };
  kept?: { amount: number; currency: string };
  withheld?: "dispute";
  policy: { hash: string };
  /** The first night that is on sale again; null for none. */
  free_from: string | null;
};
type CompletedData = {
  booking_id: string;
  state: "completed";
  completed_at: string;
  free_from: string | null;
};

/** Amounts in minor units; `quote` has the present price and terms. */
type ModificationData = {
  booking_id: string;
  state: "confirmed" | "checked_in";
  version: number;
  modified_at: string;
  quote: FrozenQuote;
  guest_changed: boolean;
  /** Null when the prices are equal. */
  difference: { kind: Difference; amount: number; currency: string } | null;
  refund: RefundData;
  /** Null when nothing changed. */
  seq: number | null;
};

/** A refund by the property, as of its answer; amounts in minor units. */
type OperatorRefundData = {
  refund_id: string;
  booking_id: string | null;
  payment_id: string;
  amount: number;
  currency: string;
  state: RefundState;
  reason: RefundReason;
  created_at: string;
  /** What can still be refunded. */
  remaining: number;
  retry_of?: string;
  /** The provider's reason for `failed`, if it gave one. */
  provider_code?: string;
  /** How the property gave the money back itself. */
  method?: OtherMethod;
};

/** An authorization after a decision; `max_amount` in minor units. */
type AuthorizationData = {
  authorization_id: string;
  state: AuthorizationState;
  max_amount: number;
  currency: string;
  expires_at: string;
  seq: number;
};

/** An oversell incident after a decision. */
type IncidentData = {
  incident_id: string;
  property_id: string;
  room_type_id: string;
  from: string;
  until: string;
  state: IncidentState;
  /** The first nights that are still oversold, and the number of all. */
  nights: readonly ExcessNight[];
  oversold_nights: number;
  action?: IncidentAction;
  booking_id?: string;
  refund?: { refund_id: string; amount: number; currency: string; state: "pending" };
  /** Null when nothing changed. */
  seq: number | null;
};

type ReleaseData = { hold_id: string; state: "released"; released_at: string };
/** For workers, and for rows without a caller. */
type InternalData = {
  payment_id?: string;
  refund_id?: string;
  hold_id?: string;
  base_date?: string;
  changed?: boolean;
  seq?: number;
};

/** Present when something prevents a promotion and a call can fix it. */
interface Fixable {
  readonly hints?: Pick<Hints, "mending">;
}

/**
 * Every success, by `kind`. Members of `data` are only ever added, so stored rows stay readable.
 */
interface TestClockData {
  /** What time it is in test mode, RFC 3339. */
  readonly now: string;
  /** Seconds that it is ahead of the engine. */
  readonly offset_s: number;
  /** Holds that expired by the move. */
  readonly expired: number;
  readonly seq: number;
}

export type Success =
  | (SuccessWith<"property", PropertyData> & Fixable)
  | (SuccessWith<"property_replaced", ReplacedData> & Fixable)
  | SuccessWith<"property_deleted", DeletedData>
  | SuccessWith<"promotion", PromotionData>
  | SuccessWith<"off_sale", OffSaleData>
  | SuccessWith<"ari", AriData>
  | SuccessWith<"fx", FxData>
  | SuccessWith<"hold", HoldData & { other_live_holds: readonly string[] }>
  | SuccessWith<"hold_extended", HoldData & { extensions: number }>
  | (SuccessWith<"hold_released", ReleaseData> & { readonly hints: Pick<Hints, "requote"> })
  | (SuccessWith<"booking", BookingData> & { readonly receipt: Receipt })
  | (SuccessWith<"cancellation", CancellationData> & { readonly receipt: Receipt })
  /** Answers that are older than the undo of a check-in have no `undo_until`. */
  | SuccessWith<"checked_in", CheckedInData & { undo_until?: string }>
  | SuccessWith<"check_in_undone", UndoneData>
  | SuccessWith<"no_show", NoShowData>
  | SuccessWith<"completed", CompletedData>
  | (SuccessWith<"modification", ModificationData> & { readonly receipt?: Receipt })
  | SuccessWith<"note_added", NoteData>
  | SuccessWith<"guest_erased", GuestErasedData>
  | (SuccessWith<"refund", OperatorRefundData> & { readonly receipt?: Receipt })
  | SuccessWith<"authorization", AuthorizationData>
  | SuccessWith<"incident", IncidentData>
  | SuccessWith<"authorization_policy", AuthorizationPolicy & { readonly seq: number }>
  | SuccessWith<"test_clock", TestClockData>
  | SuccessWith<"internal", InternalData>;

/** The success of one kind, e.g. `SuccessOf<"booking">`. */
export type SuccessOf<K extends Success["kind"]> = Extract<Success, { readonly kind: K }>;

export type Outcome = Success | Refusal;

/**
 * State of an idempotency key. `sealed`: final. `running`: its payment is open. `open`: the attempt
 * ended without a verdict (provider error), and the key may start another. `transient`:
 * the outcome was never journaled.
 */
export type KeyPhase = "sealed" | "running" | "open" | "transient";

/** An outcome with its JSON, which is made once, on demand. */
export class RenderedOutcome {
  readonly outcome: Outcome;
  #json: string | null = null;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.outcome);
    return this.#json;
  }
}
