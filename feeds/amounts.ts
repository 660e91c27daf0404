/** Amounts in the decimal form of partner documents. */
import { exponentOf } from "../engine/core/price/money.ts";

/** Formats amounts of one currency. */
export type Decimals = (amountMinor: number) => string;

/** Fractions are cached: a document has millions of amounts. */
function writerOf(currency: string): Decimals {
  const decimals = exponentOf(currency);
  if (decimals === 0) return String;
  const unit = 10 ** decimals;
  const fractions = Array.from({ length: unit }, (_, fraction) => {
    return `.${String(fraction).padStart(decimals, "0")}`;
  });
  return (amountMinor) => {
    const fraction = amountMinor % unit;
    return (amountMinor - fraction) / unit + fractions[fraction]!;
  };
}

const writers = new Map<string, Decimals>();

/** `120.00` for 12000 cents, `120` for 120 yen, `1.250` for 1250 fils. Amounts are not negative. */
export function decimalsOf(currency: string): Decimals {
  let writer = writers.get(currency);
  if (writer === undefined) {
    writer = writerOf(currency);
    writers.set(currency, writer);
  }
  return writer;
}

/** Formats one amount. */
export function decimalOf(amountMinor: number, currency: string): string {
  return decimalsOf(currency)(amountMinor);
}

/** Minor units of a decimal such as `120.00`; null when it is malformed or has a smaller part. */
export function minorOf(decimal: string, currency: string): number | null {
  const [, units, fraction = ""] = /^(\d{1,10})(?:\.(\d{1,10}))?$/.exec(decimal) ?? [];
  if (units === undefined) return null;
  const decimals = exponentOf(currency);
  const smaller = fraction.slice(decimals);
  if (!/^0*$/.test(smaller)) return null;
  return Number(units + fraction.slice(0, decimals).padEnd(decimals, "0"));
}
