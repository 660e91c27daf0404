/**
 * The port to whoever moves the money (domain §1, "Saga"). Every payment is two calls: `create`
 * moves nothing and yields a reference, `confirm` takes the money. So a worker that dies between
 * the two, or in the middle of the second, can always ask by reference what became of it. Where
 * references follow from our own keys the two may be one.
 *
 * A reply with `ok: false` is never an outcome (rules §7): the payment stays open until `read` or
 * `cancel` gives a definitive answer. Amounts are minor units, currencies ISO 4217 codes.
 *
 * The provider outlives our journal: it keeps what each charge is about, and can be asked what it
 * knows, so that a journal that was restored learns of charges that it has lost.
 */
import type { Mode } from "../../engine/core/supply.ts";

/** Where a payment stands at the provider; the last three never change again. */
export type ChargeState = "created" | "processing" | "captured" | "declined" | "cancelled";

/** What is known about a payment; `code` and `message` are the provider's words on a decline. */
export interface ChargeReport<State extends ChargeState = ChargeState> {
  readonly state: State;
  readonly code?: string;
  readonly message?: string;
}

/** No verdict: the call failed, was not answered in time, or named an unknown reference. */
export interface ProviderFailure {
  readonly ok: false;
  readonly error: "provider_error" | "timeout" | "not_found";
  readonly code?: string;
}

export type ProviderReply<T> = ({ readonly ok: true } & T) | ProviderFailure;

/** What a charge is for, kept by the provider with it. */
export interface ChargeAbout {
  readonly tenant_id: string;
  readonly mode: Mode;
  /** The idempotency key of the booking: the same for all attempts to pay for it. */
  readonly booking_key: string;
}

/** A charge as the provider knows it. */
export interface ListedCharge {
  readonly ref: string;
  /** The payment id. */
  readonly key: string;
  /** Null for charges of versions that did not say. */
  readonly about: ChargeAbout | null;
  readonly amount: number;
  readonly currency: string;
  readonly state: ChargeState;
  /** Sum of the refunds that succeeded. */
  readonly refunded: number;
}

export interface ChargePage {
  readonly charges: readonly ListedCharge[];
  /** Where the next page begins; null when there is none. */
  readonly next: string | null;
}

export interface CreateCharge {
  /** The payment id. */
  readonly key: string;
  readonly about: ChargeAbout;
  readonly amount: number;
  readonly currency: string;
  /** The client's `payment.provider_token`; never stored or logged in clear. */
  readonly token: string;
  /** The client's `payment.method`, opaque. */
  readonly method: string;
}

export interface ConfirmCharge {
  readonly ref: string;
  /** `<payment_id>-<attempt>`. */
  readonly key: string;
  /** Ends the wait, not the payment: after an abort the money may still be taken. */
  readonly signal: AbortSignal;
}

export type TakeCharge = CreateCharge & Pick<ConfirmCharge, "signal">;

/**
 * `create` and `confirm` in one step, of a provider at which a reference follows from its key. The
 * key is in the journal with the payment, so that whoever dies in the middle can be followed: to
 * create it again tells the reference, and changes nothing.
 */
export interface AtOnce {
  /** What `create` answers for a key. */
  refOf(key: string): string;
  /** As `create` and then `confirm`; a failure may be of either. */
  take(input: TakeCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>>;
}

export interface RefundCharge {
  readonly ref: string;
  /** The refund id. */
  readonly key: string;
  readonly amount: number;
}

export interface RefundReport {
  readonly state: "succeeded" | "failed";
  /** The provider's reason for `failed`. */
  readonly code?: string;
}

export interface PaymentProvider {
  /** Absent at a provider that gives references of its own. */
  readonly atOnce?: AtOnce;
  /** Registers the payment and moves no money. The same key always gives the same reference. */
  create(input: CreateCharge): Promise<ProviderReply<{ readonly ref: string }>>;
  /**
   * Takes the money at most once per reference, however often and with whatever key, and never
   * while another charge of the same booking key stands: `provider_error` with code
   * `earlier_charge_stands`.
   */
  confirm(input: ConfirmCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>>;
  /** Asks what became of a payment; changes nothing. */
  read(ref: string): Promise<ProviderReply<ChargeReport>>;
  /**
   * Makes sure no money will be taken, or tells that the verdict had already fallen. While the
   * provider is still deciding this is `provider_error` with code `processing`: come again.
   */
  cancel(ref: string): Promise<ProviderReply<ChargeReport<"cancelled" | "captured" | "declined">>>;
  /** Gives money back. Idempotent by key; all refunds together never exceed what was captured. */
  refund(input: RefundCharge): Promise<ProviderReply<RefundReport>>;
  /** Charges that were made, decided or refunded since an instant (epoch ms), page by page. */
  changedSince(sinceMs: number, page: string | null): Promise<ProviderReply<ChargePage>>;
  /** Ends every wait with `timeout` and frees the provider's resources. */
  close(): void;
}

/** What an installation has set that a provider may need; the configuration's own names. */
export interface ProviderSettings {
  /** Absolute path; for providers that keep something. */
  readonly dataDir: string;
  readonly stripeSecretKey: string | null;
}

/** A provider as the registry (`providers.ts`) has it. */
export interface ProviderEntry {
  /** The name of what lacks before it can take payments; null when it is ready. */
  missing(settings: ProviderSettings): string | null;
  /** Opens it; called only when nothing is missing. */
  open(settings: ProviderSettings): PaymentProvider;
}
