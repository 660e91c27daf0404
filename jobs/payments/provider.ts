/**
 * The port to a payment provider. A payment is two calls: `create` moves no
 * money and returns a reference, `confirm` takes the money. So after a crash between or during the
 * calls, the result can be read by reference. Where references follow from our keys, the two calls
 * may be one.
 *
 * A reply with `ok: false` is never an outcome: the payment stays open until `read` or
 * `cancel` gives a definitive answer. Amounts are minor units, currencies ISO 4217 codes.
 *
 * The provider outlives our journal. It keeps what each charge is for and can list its charges, so
 * a restored journal can find charges that it lost.
 */
import type { Dispute } from "../../engine/core/records.ts";
import type { Mode } from "../../engine/core/supply.ts";

/** State of a payment at the provider; the last three are final. */
export type ChargeState = "created" | "processing" | "captured" | "declined" | "cancelled";

/** State of a payment; `code` and `message` are the provider's, for a decline. */
export interface ChargeReport<State extends ChargeState = ChargeState> {
  readonly state: State;
  readonly code?: string;
  readonly message?: string;
}

/** No verdict: the call failed, timed out, or named an unknown reference. */
export interface ProviderFailure {
  readonly ok: false;
  readonly error: "provider_error" | "timeout" | "not_found";
  readonly code?: string;
}

export type ProviderReply<T> = ({ readonly ok: true } & T) | ProviderFailure;

/** What a charge is for; the provider stores it. */
export interface ChargeAbout {
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Idempotency key of the booking, equal in all attempts to pay for it. */
  readonly booking_key: string;
}

/** A charge in the provider's list. */
export interface ListedCharge {
  readonly ref: string;
  /** The payment id. */
  readonly key: string;
  /** Null for charges of versions that did not send it. */
  readonly about: ChargeAbout | null;
  readonly amount: number;
  readonly currency: string;
  readonly state: ChargeState;
  /** Sum of the succeeded refunds. */
  readonly refunded: number;
  /** Whether a bank has ever disputed it; absent for no. */
  readonly isDisputed?: true;
}

export interface ChargePage {
  readonly charges: readonly ListedCharge[];
  /** Cursor of the next page; null on the last. */
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

export interface Registration {
  readonly ref: string;
}

export interface ConfirmCharge {
  readonly ref: string;
  /** `<payment_id>-<attempt>`. */
  readonly key: string;
  /** Ends the wait, not the payment: after an abort the money may still be taken. */
  readonly signal: AbortSignal;
  /**
   * Whether the journal still waits for the payment. Asked between the two by a provider that
   * first reserves money and then takes it.
   */
  readonly isWanted: () => boolean;
}

export type TakeCharge = CreateCharge & Pick<ConfirmCharge, "signal">;

/**
 * `create` and `confirm` in one call, for a provider whose references follow from keys. The key is
 * in the journal with the payment, so after a crash a repeated `create` returns the same reference
 * and changes nothing.
 */
export interface AtOnce {
  /** The reference that `create` returns for a key. */
  refOf(key: string): string;
  /** `create`, then `confirm`; may fail as either. */
  take(input: TakeCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>>;
}

export interface RefundCharge {
  readonly ref: string;
  /** The refund id. */
  readonly key: string;
  readonly amount: number;
  /** Currency of the payment. */
  readonly currency: string;
}

/** State of a refund. A pending one succeeds or fails later; a succeeded one may still fail. */
export interface RefundReport {
  readonly state: "pending" | "succeeded" | "failed";
  /** The provider's reason for `failed`. */
  readonly code?: string;
}

/** A dispute about a captured payment. */
export interface DisputeReport extends Omit<Dispute, "dispute_id"> {
  /** The payment id. */
  readonly key: string;
}

export interface PaymentProvider {
  /** Absent for providers that assign references. */
  readonly atOnce?: AtOnce;
  /**
   * Registers the payment and moves no money. The same key always gives the same reference. A
   * decline is final: amount, currency or token cannot be charged, and nothing was registered.
   */
  create(input: CreateCharge): Promise<ProviderReply<Registration | ChargeReport<"declined">>>;
  /**
   * Takes the money at most once per reference, whatever the number of calls and keys. Refused
   * while another charge of the same booking key holds money: `provider_error` with code
   * `earlier_charge_stands`. Only a journal that lost charges can ask for a second one.
   */
  confirm(input: ConfirmCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>>;
  /** Reads the state of a payment; changes nothing. */
  read(ref: string): Promise<ProviderReply<ChargeReport>>;
  /**
   * Ensures that no money will be taken, or returns the earlier verdict. While the provider is
   * deciding: `provider_error` with code `processing`; try again.
   */
  cancel(ref: string): Promise<ProviderReply<ChargeReport<"cancelled" | "captured" | "declined">>>;
  /** Refunds money. Idempotent by key; all refunds together never exceed the captured amount. */
  refund(input: RefundCharge): Promise<ProviderReply<RefundReport>>;
  /** Reads the state of a refund; changes nothing. `not_found` when it was never made. */
  readRefund(input: Pick<RefundCharge, "ref" | "key">): Promise<ProviderReply<RefundReport>>;
  /**
   * Reads a dispute by the provider's id, or the last one about the charge with a reference;
   * absent for providers without disputes. `not_found` also for a mere inquiry, and for payments
   * of others.
   */
  readDispute?(id: string): Promise<ProviderReply<DisputeReport>>;
  /** Charges created, decided or refunded since an instant (epoch ms), page by page. */
  changedSince(sinceMs: number, page: string | null): Promise<ProviderReply<ChargePage>>;
  /** Ends every wait with `timeout` and frees the provider's resources. */
  close(): void;
}

/** A page of the provider on which a person's card is authorized for one payment. */
export interface OpenPaymentPage extends Pick<CreateCharge, "amount" | "currency"> {
  /** Secret, and of one payment: the same key returns the same page. */
  readonly key: string;
  readonly about: Pick<ChargeAbout, "tenant_id" | "mode">;
  /** What is paid, as the person reads it. */
  readonly title: string;
  /** Where the person comes back to, paid or not. */
  readonly returnUrl: string;
}

/**
 * `authorized`: money is reserved and not taken; `token` is the `provider_token` of a booking that
 * takes it, once. `ended`: nothing is reserved here, and nothing can be.
 */
export type PaymentPageState =
  | { readonly state: "open"; readonly url: string }
  | { readonly state: "authorized"; readonly token: string }
  | { readonly state: "ended" };

/** Pages of the provider, for a checkout that must never see a card's number. */
export interface PaymentPages {
  /** Where they are, as a source of a content security policy. */
  readonly origin: string;
  open(
    input: OpenPaymentPage,
  ): Promise<ProviderReply<{ readonly ref: string; readonly url: string }>>;
  read(ref: string): Promise<ProviderReply<PaymentPageState>>;
  /** Ends the page; what it has reserved is given back unless a payment has taken it over. */
  end(ref: string): Promise<ProviderReply<object>>;
}

/** Settings of the installation that a provider may need. */
export interface ProviderSettings {
  /** Absolute path, for providers with files. */
  readonly dataDir: string;
  readonly stripeSecretKey: string | null;
  /** Address of Stripe's API. */
  readonly stripeApiUrl: string;
}

/** An entry of the registry in `providers.ts`. */
export interface ProviderEntry {
  /** The missing setting or part; null when the provider is ready. */
  missing(settings: ProviderSettings): string | null;
  /**
   * Opens the provider; called only when nothing is missing. `asksForEarlier`: the journal may have
   * lost charges, so `confirm` must look for earlier ones even if that is slow.
   */
  open(
    settings: ProviderSettings,
    asksForEarlier: boolean,
  ): PaymentProvider | Promise<PaymentProvider>;
  /** Absent for a provider without pages; called only when nothing is missing. */
  openPages?(settings: ProviderSettings): Promise<PaymentPages>;
}
