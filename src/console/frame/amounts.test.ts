import { expect, test } from "bun:test";
import { decimalOf } from "../../../feeds/amounts.ts";
import { formOf, minorTyped } from "./amounts.ts";

test.each([
  ["12", "EUR", 1200],
  ["12.5", "EUR", 1250],
  [" 12,50 ", "EUR", 1250],
  ["0.29", "EUR", 29],
  ["1.005", "KWD", 1005],
  ["1250", "JPY", 1250],
  ["9999999999.99", "EUR", 999999999999],
])("%s of %s is %p minor units", (text, currency, minor) => {
  expect(minorTyped(text, currency)).toBe(minor);
});

test("more decimals than the currency has are refused, and so is what is no plain number", () => {
  for (const [text, currency] of [
    ...[["12.505", "EUR"] as const, ["12.0", "JPY"] as const, ["1.0000", "KWD"] as const],
    ...[["99999999999", "EUR"] as const, ["12.500", "EUR"] as const],
    ...["", "-1", "+1", "1e3", "1,234.50", "1 000", "0x10", "12.", ".5", "٣", "12 EUR"].map(
      (each) => [each, "EUR"] as const,
    ),
  ]) {
    expect({ text, minor: minorTyped(text, currency) }).toEqual({ text, minor: null });
  }
});

test("what is written of an amount is read as the same amount", () => {
  for (const currency of ["EUR", "JPY", "KWD", "CLF"]) {
    for (const minor of [0, 1, 9, 10, 99, 100, 12_345, 999_999_999]) {
      expect(minorTyped(decimalOf(minor, currency), currency)).toBe(minor);
    }
  }
});

test("the form of an amount is an amount of the currency", () => {
  for (const currency of ["EUR", "JPY", "KWD"]) {
    expect(minorTyped(formOf(currency).split(" ").at(-1)!, currency)).toBePositive();
  }
});
