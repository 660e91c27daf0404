/**
 * Stripe's hosted page (Checkout): it asks for the card and for 3-D Secure, and authorizes an
 * intent with manual capture. A booking captures that intent; nothing else does, so that a person
 * who pays too late pays nothing.
 */
import type Stripe from "stripe";
import type {
  OpenPaymentPage,
  PaymentPageState,
  PaymentPages,
  ProviderReply,
} from "../provider.ts";
import { toStripeAmount } from "./amounts.ts";
import { openClient, type StripeAccount } from "./client.ts";
import { isFree, tokenOf } from "./page-intent.ts";
import { failure, failureOf } from "./reports.ts";

const STRIPE_API = "https://api.stripe.com";
const STRIPE_PAGES = "https://checkout.stripe.com";

/** Stripe's hosted pages. */
export class StripePages implements PaymentPages {
  readonly origin: string;
  readonly #client: Stripe;

  /** Opens a client; no call is made. */
  constructor(account: StripeAccount) {
    const { origin } = new URL(account.apiUrl);
    this.origin = origin === STRIPE_API ? STRIPE_PAGES : origin;
    this.#client = openClient(account);
  }

  open(page: OpenPaymentPage): Promise<ProviderReply<{ ref: string; url: string }>> {
    return asked(async () => {
      const options = { idempotencyKey: page.key };
      const { id, url } = await this.#client.checkout.sessions.create(termsOf(page), options);
      return url === null ? failure("page_without_url") : { ok: true, ref: id, url };
    });
  }

  read(ref: string): Promise<ProviderReply<PaymentPageState>> {
    return asked<PaymentPageState>(
      async () => {
        const { session, intent } = await this.#whole(ref);
        const { status, url } = session;
        if (status === "open" && url !== null) return { ok: true, state: "open", url };
        if (intent === null || !isFree(intent)) return { ok: true, state: "ended" };
        return { ok: true, state: "authorized", token: tokenOf(intent) };
      },
      { ok: true, state: "ended" },
    );
  }

  end(ref: string): Promise<ProviderReply<object>> {
    return asked(
      async () => {
        const { session, intent } = await this.#whole(ref);
        if (session.status === "open") {
          await this.#client.checkout.sessions.expire(ref);
        } else if (intent !== null && isFree(intent)) {
          await this.#client.paymentIntents.cancel(intent.id);
        }
        return { ok: true };
      },
      { ok: true },
    );
  }

  async #whole(ref: string) {
    const expand = ["payment_intent"];
    const session = await this.#client.checkout.sessions.retrieve(ref, { expand });
    const { payment_intent } = session;
    return { session, intent: typeof payment_intent === "string" ? null : payment_intent };
  }
}

/** A call, its errors as failures; `ifUnknown` about a page that the account does not have. */
async function asked<T>(
  call: () => Promise<ProviderReply<T>>,
  ifUnknown?: ProviderReply<T>,
): Promise<ProviderReply<T>> {
  try {
    return await call();
  } catch (error) {
    const failed = failureOf(error);
    return failed.error === "not_found" ? (ifUnknown ?? failed) : failed;
  }
}

function termsOf({
  key,
  about,
  amount,
  currency,
  title,
  returnUrl,
}: OpenPaymentPage): Stripe.Checkout.SessionCreateParams {
  const price_data = {
    currency: currency.toLowerCase(),
    unit_amount: toStripeAmount(amount, currency),
    product_data: { name: title },
  };
  const { tenant_id, mode } = about;
  return {
    mode: "payment",
    // No other currency than that of the quote, and nothing that is paid days later.
    ...{ adaptive_pricing: { enabled: false }, allowed_payment_method_types: ["card"] },
    line_items: [{ quantity: 1, price_data }],
    payment_intent_data: {
      capture_method: "manual",
      metadata: { tenant_id, mode, page_key: key },
    },
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
}
