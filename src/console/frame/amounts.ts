/** Amounts as people type them. */
import { exponentOf } from "../../../engine/core/price/money.ts";
import { minorOf } from "../../../feeds/amounts.ts";

/**
 * Minor units of a decimal number with a point or a comma; null when it is none, or has more
 * decimals than the currency: `12.500` euro may be meant as thousands.
 */
export function minorTyped(text: string, currency: string): number | null {
  const decimal = text.trim().replace(",", ".");
  const [, fraction = ""] = decimal.split(".");
  return fraction.length > exponentOf(currency) ? null : minorOf(decimal, currency);
}

/** An amount for the API. What is no amount stays text, which the API refuses. */
export function moneyTyped(text: string, typedCurrency: string) {
  const currency = typedCurrency.trim().toUpperCase();
  return { amount: minorTyped(text, currency) ?? text, currency };
}

/** What an amount must look like, with an example as the last word. */
export function formOf(currency: string): string {
  const digits = exponentOf(currency);
  if (digits === 0) return `whole ${currency}, such as 1250`;
  return `${currency} with at most ${digits} decimals, such as 12.${"5".padEnd(digits, "0")}`;
}
