import { expect, test } from "bun:test";
import fc from "fast-check";
import { exponentOf } from "../engine/core/price/money.ts";
import { decimalOf } from "./amounts.ts";

test.each([
  [12_000, "EUR", "120.00"],
  [5, "EUR", "0.05"],
  [0, "EUR", "0.00"],
  [120, "JPY", "120"],
  [0, "JPY", "0"],
  [1_250, "KWD", "1.250"],
  [7, "KWD", "0.007"],
  [Number.MAX_SAFE_INTEGER, "USD", "90071992547409.91"],
])("%p of %s is %s", (amountMinor, currency, text) => {
  expect(decimalOf(amountMinor, currency)).toBe(text);
});

test("every amount reads back as it was written", () => {
  const currency = fc.constantFrom("EUR", "JPY", "KWD");
  fc.assert(
    fc.property(fc.maxSafeNat(), currency, (amountMinor, code) => {
      const text = decimalOf(amountMinor, code);
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/);
      expect(text.split(".")[1]?.length ?? 0).toBe(exponentOf(code));
      expect(Number(text.replace(".", ""))).toBe(amountMinor);
    }),
  );
});
