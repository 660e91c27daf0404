/**
 * Integer money: amounts are safe integers in minor units of an ISO 4217 currency, rates are basis
 * points or decimal strings. Every division rounds half up, which for negative amounts means away
 * from zero, so that a discount and its reversal have the same size. Floats never hold a fraction.
 */

/** ISO 4217 currencies whose minor unit is not a hundredth. */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF"].map(withExponent(0)),
  ...["UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"].map(withExponent(0)),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map(withExponent(3)),
  ...["CLF", "UYW"].map(withExponent(4)),
]);

function withExponent(exponent: number): (currency: string) => [string, number] {
  return (currency) => [currency, exponent];
}

/** Decimal places of a currency's minor unit (ISO 4217): JPY 0, EUR 2, KWD 3. */
export function exponentOf(currency: string): number {
  return EXPONENTS.get(currency) ?? 2;
}

/** Half of the exact range: a quotient that is one too large still has an exact product. */
const QUICK_MAX = 2 ** 52;

/** The remainder by a product: `%` on numbers beyond 32 bits calls into C. */
function quickHalfUp(numerator: number, denominator: number): number {
  const magnitude = Math.abs(numerator);
  let quotient = Math.floor(magnitude / denominator);
  let remainder = magnitude - quotient * denominator;
  if (remainder < 0) {
    quotient -= 1;
    remainder += denominator;
  } else if (remainder >= denominator) {
    quotient += 1;
    remainder -= denominator;
  }
  if (remainder * 2 >= denominator) quotient += 1;
  return numerator < 0 ? 0 - quotient : quotient;
}

/** Safe integer divided by a positive safe integer, rounded half up. */
export function divideHalfUp(numerator: number, denominator: number): number {
  if (Math.abs(numerator) < QUICK_MAX && denominator < QUICK_MAX) {
    return quickHalfUp(numerator, denominator);
  }
  // The remainder of safe integers is exact, and so is the division of the rest; the plain quotient
  // could already be rounded up to the next integer.
  const remainder = numerator % denominator;
  const quotient = (numerator - remainder) / denominator;
  const rounds = Math.abs(remainder) * 2 >= denominator;
  // `+ 0` turns a negative zero into zero.
  return (rounds ? quotient + Math.sign(numerator) : quotient) + 0;
}

function divideBigHalfUp(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const quotient = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -quotient : quotient;
}

/**
 * amount · factor / denominator, rounded half up once. The product may exceed 2^53; the result
 * must not.
 */
export function scaleHalfUp(amount: number, factor: number, denominator: number): number {
  const product = amount * factor;
  if (Math.abs(product) <= Number.MAX_SAFE_INTEGER) return divideHalfUp(product, denominator);
  return Number(divideBigHalfUp(BigInt(amount) * BigInt(factor), BigInt(denominator)));
}

/** `bps` basis points of an amount, rounded half up. */
export function percentOf(amount: number, bps: number): number {
  return scaleHalfUp(amount, bps, 10_000);
}

/** Admin table of exchange rates. */
export interface FxTable {
  readonly base: string;
  /** Units of each currency for one unit of `base`, decimal strings. */
  readonly rates: Readonly<Record<string, string>>;
  /** RFC 3339 UTC. */
  readonly as_of: string;
}

/** A decimal as `digits / 10^scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function rateOf(currency: string, fx: FxTable): Decimal | null {
  if (currency === fx.base) return { digits: 1n, scale: 0 };
  const match = /^(\d+)(?:\.(\d+))?$/.exec(fx.rates[currency] ?? "");
  if (match === null) return null;
  const fraction = match[2] ?? "";
  const digits = BigInt(`${match[1]}${fraction}`);
  return digits > 0n ? { digits, scale: fraction.length } : null;
}

/** Rate with at least 4 and at most 6 decimals, rounded half up. */
function rateText(numerator: bigint, denominator: bigint): string {
  const millionths = divideBigHalfUp(numerator * 1_000_000n, denominator);
  const fraction = (millionths % 1_000_000n).toString().padStart(6, "0");
  const decimals = fraction.slice(0, 4) + fraction.slice(4).replace(/0+$/, "");
  return `${millionths / 1_000_000n}.${decimals}`;
}

/**
 * Converts minor units of `from` to minor units of `to`, rounded half up once, with the rate used
 * (units of `to` for one unit of `from`). Null when a rate is unknown or malformed, or the result
 * is not a safe integer. For display and comparison only, never for charges.
 */
export function convert(
  amountMinor: number,
  from: string,
  to: string,
  fx: FxTable | null,
): { amount: number; fx_rate: string } | null {
  if (from === to) return { amount: amountMinor, fx_rate: "1.0000" };
  if (fx === null) return null;
  const source = rateOf(from, fx);
  const target = rateOf(to, fx);
  if (source === null || target === null) return null;
  const numerator = target.digits * 10n ** BigInt(source.scale);
  const denominator = source.digits * 10n ** BigInt(target.scale);
  const amount = Number(
    divideBigHalfUp(
      BigInt(amountMinor) * numerator * 10n ** BigInt(exponentOf(to)),
      denominator * 10n ** BigInt(exponentOf(from)),
    ),
  );
  if (!Number.isSafeInteger(amount)) return null;
  return { amount, fx_rate: rateText(numerator, denominator) };
}
