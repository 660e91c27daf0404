import { expect, test } from "bun:test";
import { isLess, priceKey } from "./price-order.ts";

test("prices are compared in one currency; unconvertible ones come last, ordered among themselves", () => {
  const fx = { base: "EUR", rates: { USD: "2" }, as_of: "2026-09-01T12:00:00.000Z" };
  const offers = [
    { amount: 100, currency: "EUR", id: "b" },
    { amount: 150, currency: "USD", id: "a" },
    { amount: 200, currency: "USD", id: "a" },
    { amount: 1, currency: "XAF", id: "d" },
    { amount: 1, currency: "JPY", id: "e" },
    { amount: 2, currency: "JPY", id: "c" },
  ];
  const keyed = offers.map((offer) => ({ offer, key: priceKey(offer, "EUR", fx) }));
  keyed.sort((a, b) => (isLess(a.key, b.key) ? -1 : 1));
  const order = [1, 2, 0, 4, 5, 3];
  expect(keyed.map(({ offer }) => offer)).toEqual(order.map((at) => offers[at]!));
  for (const { key } of keyed) expect(isLess(key, key)).toBe(false);
});
