/** Rounding and conversion against exact rational arithmetic on bigints. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  convert,
  divideHalfUp,
  exponentOf,
  type FxTable,
  percentOf,
  scaleHalfUp,
} from "./money.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/** True when `result` is numerator / denominator rounded to nearest, halves away from zero. */
function isHalfUp(result: number, numerator: bigint, denominator: bigint): boolean {
  const twiceError = 2n * (BigInt(result) * denominator - numerator);
  const outward = numerator < 0n ? -twiceError : twiceError;
  return outward <= denominator && outward > -denominator;
}

test("exponents are those of ISO 4217", () => {
  expect(["JPY", "KRW", "EUR", "KWD", "CLF"].map(exponentOf)).toEqual([0, 0, 2, 3, 4]);
});

test("division rounds half up, away from zero for negative amounts", () => {
  expect([5, 15, 14, -5, -15, -14, 0].map((n) => divideHalfUp(n, 10))).toEqual([
    1, 2, 1, -1, -2, -1, 0,
  ]);
  expect(Object.is(divideHalfUp(-1, 10), 0)).toBe(true);
});

test("division is exact for all safe integers", () => {
  const amount = fc.integer({ min: -MAX, max: MAX });
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: MAX }), (numerator, denominator) => {
      const result = divideHalfUp(numerator, denominator);
      expect(isHalfUp(result, BigInt(numerator), BigInt(denominator))).toBe(true);
    }),
    {
      examples: [
        [MAX, 2],
        [-MAX, 2],
        [MAX - 1, MAX],
      ],
    },
  );
});

test("a percentage is exact when the product exceeds 2^53", () => {
  expect(percentOf(9_007_199_254_740_991, 5_000)).toBe(4_503_599_627_370_496);
  expect(percentOf(12_000, -500)).toBe(-600);
  const amount = fc.integer({ min: -MAX, max: MAX });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (value, bps) => {
      const product = BigInt(value) * BigInt(bps);
      expect(isHalfUp(percentOf(value, bps), product, 10_000n)).toBe(true);
      const share = scaleHalfUp(value, bps, 10_000 + bps);
      expect(isHalfUp(share, product, BigInt(10_000 + bps))).toBe(true);
    }),
  );
});

const FX: FxTable = {
  base: "EUR",
  rates: { USD: "1.08", JPY: "163.27", KWD: "0.3317", GBP: "0.85", XXX: "0", YYY: "1,5" },
  as_of: "2026-12-01T00:00:00.000Z",
};

test("a conversion uses the table's rate and the exponents of both currencies", () => {
  expect(convert(38_700, "EUR", "USD", FX)).toEqual({ amount: 41_796, fx_rate: "1.0800" });
  expect(convert(10_000, "EUR", "JPY", FX)).toEqual({ amount: 16_327, fx_rate: "163.2700" });
  expect(convert(16_327, "JPY", "EUR", FX)).toEqual({ amount: 10_000, fx_rate: "0.006125" });
  expect(convert(10_000, "EUR", "KWD", FX)).toEqual({ amount: 33_170, fx_rate: "0.3317" });
  expect(convert(8_500, "GBP", "USD", FX)).toEqual({ amount: 10_800, fx_rate: "1.270588" });
});

test("the same currency needs no table", () => {
  expect(convert(123, "EUR", "EUR", null)).toEqual({ amount: 123, fx_rate: "1.0000" });
});

test("a conversion without a usable rate is null, never a guess", () => {
  expect(convert(1, "EUR", "USD", null)).toBeNull();
  for (const currency of ["CHF", "XXX", "YYY", "toString"]) {
    expect(convert(1, "EUR", currency, FX)).toBeNull();
    expect(convert(1, currency, "EUR", FX)).toBeNull();
  }
  expect(convert(MAX, "EUR", "USD", FX)).toBeNull();
});

test("a conversion and its reverse differ only by rounding", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (amount) => {
      const there = convert(amount, "EUR", "USD", FX)!;
      const back = convert(there.amount, "USD", "EUR", FX)!;
      expect(Math.abs(back.amount - amount)).toBeLessThanOrEqual(1);
    }),
  );
});
