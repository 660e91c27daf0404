/**
 * An intent that a person has authorized on Stripe's page, until a payment takes it over. It has
 * the key of its page, which only this service knows, and the token of a booking repeats that key:
 * the id of an intent alone takes no money.
 */
import Stripe from "stripe";
import type { CreateCharge } from "../provider.ts";
import { toStripeAmount } from "./amounts.ts";
import { isServerFault } from "./reports.ts";

/** Whether money is reserved that no payment has taken over. */
export function isFree({ status, metadata }: Stripe.PaymentIntent): boolean {
  return status === "requires_capture" && metadata.payment_id === undefined;
}

/** The `provider_token` of the booking that takes the intent over. */
export function tokenOf({ id, metadata }: Stripe.PaymentIntent): string {
  return `${id}.${metadata.page_key}`;
}

/** The id of the intent that a token of a page names; null for every other token. */
export function intentOfPage({ token }: Pick<CreateCharge, "token">): string | null {
  return /^(pi_\w+)\.\w+$/.exec(token)?.[1] ?? null;
}

/**
 * Writes the payment's id into the intent, once: all payments use the same key for this call, and
 * Stripe refuses it with other parameters. False for an intent that is not for this charge, or that
 * another payment has. Throws when Stripe does not say.
 */
export async function takeOver(client: Stripe, id: string, charge: CreateCharge): Promise<boolean> {
  const key = `${id}-taken`;
  const taken = async (idempotencyKey: string) => {
    const metadata = { payment_id: charge.key, booking_key: charge.about.booking_key };
    await client.paymentIntents.update(id, { metadata }, { idempotencyKey });
    return true;
  };
  try {
    const intent = await client.paymentIntents.retrieve(id);
    if (!isFor(intent, charge)) return false;
    if (intent.metadata.payment_id === charge.key) return true;
    if (!isFree(intent)) return false;
    return await taken(key);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError || isUnknown(error)) return false;
    if (!isServerFault(error)) throw error;
    // Stripe repeats a 500 for a day, whether it had an effect or not.
    const { metadata } = await client.paymentIntents.retrieve(id);
    if (metadata.payment_id !== undefined) return metadata.payment_id === charge.key;
    return await taken(`${key}.2`);
  }
}

/** Whether it was authorized on the page of the token, for this amount. */
function isFor(intent: Stripe.PaymentIntent, charge: CreateCharge): boolean {
  const { amount, currency, metadata } = intent;
  const { tenant_id, mode } = charge.about;
  return (
    metadata.page_key !== undefined &&
    charge.token === tokenOf(intent) &&
    metadata.tenant_id === tenant_id &&
    metadata.mode === mode &&
    amount === toStripeAmount(charge.amount, charge.currency) &&
    currency === charge.currency.toLowerCase()
  );
}

function isUnknown(error: unknown): boolean {
  return (error as Stripe.errors.StripeError).code === "resource_missing";
}
