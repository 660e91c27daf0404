/**
 * What a command came to. A refusal is a value with one of the catalogue's codes, never a throw.
 * Outcomes are journaled and rendered by a pure function of themselves and immutable supply
 * versions, so a replay is byte-identical after any restart: every value that comes from
 * configuration, keys or the request (trace id, docs base, receipts) is stored inside.
 */
import type { FrozenQuote, QuoteRequest, Stay } from "./quote.ts";
import type { RefusalCode } from "./refusals.ts";
import type { AriUpdate, Mode, PropertyState } from "./supply.ts";

/**
 * Bodies that mend a property, so that the answer which tells of a fault leads to the call that
 * mends it. What the operator alone knows stands as `<what it is>`.
 */
export interface Mending {
  /** Of its tree, a merge patch (RFC 7396). */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Of its nights. */
  readonly ari?: AriUpdate;
}

/** Ids and ready bodies that recovery calls need and `detail` does not carry. */
export type Hints = Readonly<{
  /** Prices the same stay again. */
  requote?: QuoteRequest;
  alternatives?: readonly QuoteRequest[];
  /** Bodies that make a property promotable, or let go what is in use. */
  mending?: Mending;
  /** What a night may cost, before taxes and fees, for the agent to book without authorization. */
  max_price_per_night?: { readonly amount: number; readonly currency: string };
  /** Like the one that was asked for, and not taken. */
  free_slug?: string;
  property_id?: string;
  quote_id?: string;
  hold_id?: string;
  booking_id?: string;
}>;

export interface Rejection {
  readonly code: RefusalCode;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Seconds; only where rules §9 gives the code a number that depends on state. */
  readonly retry_after?: number;
  readonly hints?: Hints;
}

export interface Refusal extends Rejection {
  readonly ok: false;
  readonly trace_id: string;
  /** Base of `docs_url`, without trailing slash. */
  readonly docs: string;
}

/** Spec 2.4. `signature` is empty between the core, which fixes the content, and the shell. */
export interface Receipt {
  readonly kind: "booking_confirmed" | "booking_cancelled" | "refund_issued";
  readonly issuer: string;
  readonly issued_at: string;
  readonly subject: Readonly<Record<string, string | number>>;
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  readonly kid: string;
  readonly signature: string;
  /** The same signed with a key that anyone can look up. */
  readonly signatures: readonly ReceiptSignature[];
}

/** A signature over the receipt's canonical form alone: detached, in no container. */
export interface ReceiptSignature {
  readonly alg: "ES256";
  /** Of the key set at `/.well-known/jwks.json`. */
  readonly kid: string;
  /** r and s, 64 bytes in base64url (IEEE P1363). */
  readonly signature: string;
}

/** One reason against a promotion, or a warning beside one. */
export interface PromotionReason {
  readonly code: string;
  /** JSON pointer into the property's tree. */
  readonly path: string;
  readonly severity: "error" | "warning";
  readonly message: string;
}

interface Made<K extends string, D> {
  readonly ok: true;
  readonly kind: K;
  readonly trace_id: string;
  readonly data: Readonly<D>;
}

type PropertyData = {
  property_id: string;
  slug: string;
  state: "draft";
  mode: Mode;
  version: number;
  /** Null of a dry run, which makes nothing. */
  seq: number | null;
  /** What a promotion would say. */
  warnings: readonly PromotionReason[];
  dry_run: boolean;
};
type ReplacedData = {
  property_id: string;
  slug: string;
  state: PropertyState;
  mode: Mode;
  version: number;
  /** Whether anything is, or would be, another than before. */
  changed: boolean;
  dry_run: boolean;
  /** Null when nothing was changed. */
  seq: number | null;
  warnings: readonly PromotionReason[];
  /** The first of the nights that the tree has left oversold; absent when there is none. */
  oversold?: readonly OversoldUnits[];
  /** How many they are in all. */
  oversold_nights?: number;
};
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
  /** Null when nothing changed. */
  seq: number | null;
};
/** A property that is off sale. */
type OffSaleData = {
  property_id: string;
  state: "suspended" | "archived";
  version: number;
  /** Null when it was so already. */
  seq: number | null;
};
/** More is sold and held than there is: somebody must move. */
export interface OversoldUnits {
  readonly room_type_id: string;
  readonly date: string;
  readonly sold: number;
  readonly held: number;
  readonly effective: number;
}
/** By which part of an update. */
export interface OversoldNight extends OversoldUnits {
  /** Place in the update's `inventory` of the range that has set it. */
  readonly range: number;
}
type AriData = {
  property_id: string;
  /** Ranges applied, by list. */
  applied: { inventory: number; rates: number; restrictions: number; ceilings: number };
  /** Whether a night is, or would be, different from before. */
  changed: boolean;
  /** Null when nothing was changed. */
  seq: number | null;
  /** The first of the nights that the update has left oversold; absent when there is none. */
  oversold?: readonly OversoldNight[];
  /** How many they are in all. */
  oversold_nights?: number;
};
type FxData = { base: string; rates: Readonly<Record<string, string>>; as_of: string; seq: number };
/** A hold as its outcomes tell of it; `expires_at` is an instant with `Z`. */
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
  /** Null when nothing goes back; `state` is the refund's when the answer was given. */
  refund: {
    refund_id: string;
    amount: number;
    state: "pending" | "succeeded" | "failed";
    /** The provider's reason for `failed`, where it gave one. */
    provider_code?: string;
  } | null;
  policy: { hash: string; tier_index: number };
  /** What of the fee the property has waived; absent unless it cancelled itself. */
  waived_fee?: { amount: number; currency: string };
};

type RefundData = CancellationData["refund"];
type CheckedInData = { booking_id: string; state: "checked_in"; checked_in_at: string };
type NoShowData = {
  booking_id: string;
  state: "no_show";
  no_show_at: string;
  fee: { amount: number; currency: string };
  refund: RefundData;
  policy: { hash: string };
  /** The first night that is on sale again; null when none is. */
  free_from: string | null;
};
type CompletedData = {
  booking_id: string;
  state: "completed";
  completed_at: string;
  free_from: string | null;
};

type ReleaseData = { hold_id: string; state: "released"; released_at: string };
/** For workers, and for rows that answer nobody. */
type InternalData = {
  payment_id?: string;
  refund_id?: string;
  hold_id?: string;
  base_date?: string;
  /** Whether the command changed anything. */
  changed?: boolean;
  seq?: number;
};

/** Present where something stands against a promotion and a call can mend it. */
interface Mendable {
  readonly hints?: Pick<Hints, "mending">;
}

/** Every success, by `kind`. Members of `data` are only ever added: stored rows stay readable. */
export type Success =
  | (Made<"property", PropertyData> & Mendable)
  | (Made<"property_replaced", ReplacedData> & Mendable)
  | Made<"property_deleted", DeletedData>
  | Made<"promotion", PromotionData>
  | Made<"off_sale", OffSaleData>
  | Made<"ari", AriData>
  | Made<"fx", FxData>
  | Made<"hold", HoldData & { other_live_holds: readonly string[] }>
  | Made<"hold_extended", HoldData & { extensions: number }>
  | (Made<"hold_released", ReleaseData> & { readonly hints: Pick<Hints, "requote"> })
  | (Made<"booking", BookingData> & { readonly receipt: Receipt })
  | (Made<"cancellation", CancellationData> & { readonly receipt: Receipt })
  | Made<"checked_in", CheckedInData>
  | Made<"no_show", NoShowData>
  | Made<"completed", CompletedData>
  | Made<"internal", InternalData>;

/** The success of one kind, e.g. `SuccessOf<"booking">`. */
export type SuccessOf<K extends Success["kind"]> = Extract<Success, { readonly kind: K }>;

export type Outcome = Success | Refusal;

/**
 * Where an idempotency key stands: `sealed` for ever, `running` while its payment is open,
 * `open` when the attempt ended without a verdict (rules §7, provider error) and the same key may
 * start another one. `transient` outcomes were never journaled.
 */
export type KeyPhase = "sealed" | "running" | "open" | "transient";
