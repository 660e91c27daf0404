/** Amounts as partners read them. */
import { exponentOf } from "../engine/core/money.ts";

/** `120.00` of 12000 cents, `120` of 120 yen, `1.250` of 1250 fils. Never through a float. */
export function decimalOf(amountMinor: number, currency: string): string {
  const decimals = exponentOf(currency);
  if (decimals === 0) return String(amountMinor);
  const digits = String(amountMinor).padStart(decimals + 1, "0");
  const units = digits.length - decimals;
  return `${digits.slice(0, units)}.${digits.slice(units)}`;
}
