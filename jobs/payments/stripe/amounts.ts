/**
 * Stripe's smallest units. They are those of ISO 4217, except for three currencies
 * (docs.stripe.com/currencies, "Special cases" and "Zero-decimal currencies").
 */
import { exponentOf } from "../../../engine/core/price/money.ts";

const EXPONENTS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

function factorOf(currency: string): number {
  const exponent = EXPONENTS[currency] ?? exponentOf(currency);
  return 10 ** (exponent - exponentOf(currency));
}

/** Minor units of ISO 4217 as Stripe's units; a fraction when Stripe cannot express the amount. */
export function toStripeAmount(amount: number, currency: string): number {
  return amount * factorOf(currency);
}

/** Stripe's units as minor units of ISO 4217. */
export function fromStripeAmount(amount: number, currency: string): number {
  return amount / factorOf(currency);
}
