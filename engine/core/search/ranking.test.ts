/** Ranking is smooth: small differences and added offers have small effects. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FxTable } from "../price/money.ts";
import { comparedTo, distanceText, PlaceWords, type Rankable, ranked } from "./ranking.ts";

function candidate(amount: number, over: Partial<Rankable> = {}): Rankable {
  const rest = { currency: "EUR", stars: null, isFree: false, distance_m: null };
  return { id: `p${amount}`, amount, ...rest, ...over };
}

/** Ids, best first. */
function idsInOrder(found: readonly Rankable[]): string[] {
  return Array.from(ranked(found, comparedTo(found, null)).order, (place) => found[place]!.id);
}

function scores(found: readonly Rankable[]): number[] {
  return [...ranked(found, comparedTo(found, null)).scores];
}

test("a slightly higher price scores slightly lower, also between two offers", () => {
  const [cheap, dear] = scores([candidate(10_000), candidate(10_100)]) as [number, number];
  expect(cheap - dear).toBeGreaterThan(0);
  expect(cheap - dear).toBeLessThan(0.01);
  // So what a person would rather pay a little more for goes first.
  const better = candidate(10_100, { stars: 5, isFree: true });
  expect(idsInOrder([candidate(10_000), better])[0]).toBe(better.id);
});

test("a price change of one percent changes the score by at most one percent, in any list", () => {
  const amounts = fc.array(fc.integer({ min: 100, max: 1_000_000 }), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(amounts, fc.nat({ max: 19 }), (prices, at) => {
      const which = at % prices.length;
      const dearer = prices.map((price, i) => (i === which ? Math.ceil(price * 1.01) : price));
      const [before, after] = [prices, dearer].map((each) =>
        scores(each.map((amount, i) => candidate(amount, { id: `p${i}` }))),
      );
      // A price among small amounts is rounded up by more than its percentage.
      const step = Math.max(0.01, 1 / prices[which]!);
      expect(Math.abs(before![which]! - after![which]!)).toBeLessThanOrEqual(step);
    }),
  );
});

const result = fc.record({
  amount: fc.integer({ min: 1, max: 200_000 }),
  stars: fc.option(fc.integer({ min: 1, max: 5 })),
  isFree: fc.boolean(),
  distance_m: fc.option(fc.nat({ max: 20_000 })),
});

test("price and distance sort ascending, missing values last, ties by rank", () => {
  const entry = fc.record({
    amount: fc.integer({ min: 1, max: 4 }),
    currency: fc.constantFrom("EUR", "EUR", "XTS"),
    stars: fc.option(fc.integer({ min: 1, max: 5 })),
    isFree: fc.boolean(),
    distance_m: fc.option(fc.nat({ max: 3 })),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
      const found = entries.map((each, i) => ({ ...each, id: `p${i}` }));
      const prices = comparedTo(found, null);
      const byRank = ranked(found, prices);
      const keys = {
        price: (at: number) => (Number.isNaN(prices[at]) ? Infinity : prices[at]!),
        distance: (at: number) => found[at]!.distance_m ?? Infinity,
      };
      for (const sort of ["price", "distance"] as const) {
        const expected = Object.entries(
          Object.groupBy(byRank.order, (at) => String(keys[sort](at)).padStart(9)),
        ).sort(([a], [b]) => Number(a) - Number(b));
        const sorted = ranked(found, prices, sort);
        expect([...sorted.order]).toEqual(expected.flatMap(([, places]) => places!));
        expect(sorted.scores).toEqual(byRank.scores);
        expect(sorted.positions).toEqual(byRank.positions);
      }
    }),
  );
});

test("an added offer never changes the order of two others, even at a hundred times the price", () => {
  const many = fc.array(result, { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(many, fc.array(result, { minLength: 1, maxLength: 10 }), (some, others) => {
      const dearer = others.map((each) => ({ ...each, amount: each.amount * 100 }));
      const before = some.map(({ amount, ...rest }, i) =>
        candidate(amount, { ...rest, id: `${i}` }),
      );
      for (const added of [others, dearer]) {
        const all = [
          ...before,
          ...added.map(({ amount, ...rest }, i) => candidate(amount, { ...rest, id: `+${i}` })),
        ];
        expect(idsInOrder(all).filter((id) => !id.startsWith("+"))).toEqual(idsInOrder(before));
      }
    }),
  );
});

test("scores fall with the order, lie from 0 to 1 and have four decimals", () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 30 }), (some) => {
      const found = some.map(({ amount, ...rest }, i) =>
        candidate(amount, { ...rest, id: `${i}` }),
      );
      const { order, scores } = ranked(found, comparedTo(found, null));
      const scored = Array.from(order, (place) => scores[place]!);
      expect(new Set(order).size).toBe(found.length);
      expect(scored).toEqual(scored.toSorted((a, b) => b - a));
      for (const score of scored) {
        expect(score >= 0 && score <= 1).toBe(true);
        expect(Number(score.toFixed(4))).toBe(score);
      }
    }),
  );
});

test("equal scores sort by price, then by id; offers without a comparable price come last", () => {
  const same = ["c", "a", "d", "b"].map((id) => candidate(10_000, { id }));
  expect(idsInOrder(same)).toEqual(["a", "b", "c", "d"]);
  // A ten-thousandth of the score is a thousandth of the price.
  const near = [10_003, 10_002, 10_001, 10_000].map((amount) => candidate(amount));
  const foreign = candidate(7, { id: "foreign", currency: "JPY" });
  expect(new Set(scores([foreign, ...near])).size).toBe(1);
  const ids = ["p10000", "p10001", "p10002", "p10003", "foreign"];
  expect(idsInOrder([foreign, ...near])).toEqual(ids);
});

test("a star, free cancellation and a kilometre have their documented weights", () => {
  const first = (...found: Rankable[]) => idsInOrder(found)[0]!;
  const plain = candidate(10_000, { id: "plain" });
  for (const over of [{ stars: 1 }, { isFree: true }]) {
    expect(first(plain, candidate(11_400, { id: "better", ...over }))).toBe("better");
    expect(first(plain, candidate(11_600, { id: "better", ...over }))).toBe("plain");
  }
  const near = candidate(10_950, { id: "near", distance_m: 0 });
  expect(first(near, candidate(10_000, { id: "far", distance_m: 1_000 }))).toBe("near");
  expect(first(near, candidate(9_900, { id: "far", distance_m: 1_000 }))).toBe("far");
  expect([350, 999, 1_000, 1_249].map((metres) => distanceText(metres, "the point"))).toEqual([
    ...["350 m from the point", "999 m from the point"],
    ...["1.0 km from the point", "1.2 km from the point"],
  ]);
});

test("a price that cannot be converted ranks as an average one", () => {
  const found = [1_000, 10_000, 100_000].map((amount) => candidate(amount));
  const foreign = candidate(5, { currency: "JPY" });
  const [cheap, middle, dear, unknown] = scores([...found, foreign]) as [
    number,
    number,
    number,
    number,
  ];
  expect(cheap).toBeGreaterThan(unknown);
  expect(unknown).toBe(middle);
  expect(dear).toBeLessThan(unknown);
  const { positions, of } = ranked([...found, foreign], comparedTo([...found, foreign], null));
  expect([[...positions], of]).toEqual([[1, 2, 3, 0], 3]);
  const said = new PlaceWords(of).at(positions[3]!, "JPY");
  expect(said).toBe("No exchange rate to compare its price in JPY");
});

test("prices in one currency are compared without a table, others by its rates", () => {
  const JPY = { currency: "JPY" };
  const yen = [candidate(900, { currency: "JPY" }), candidate(700, { currency: "JPY" })];
  expect([...comparedTo(yen, null)]).toEqual([900, 700]);
  const fx: FxTable = { base: "EUR", rates: { JPY: "160" }, as_of: "2026-01-01T00:00:00.000Z" };
  const mixed = [candidate(10_000), candidate(16_000, { currency: "JPY" })];
  expect([...comparedTo(mixed, fx)]).toEqual([10_000, 10_000]);
  // By its base, however many have another: else one more result would make it another currency.
  const mostly = [candidate(10_000), ...[16_000, 32_000].map((of) => candidate(of, JPY))];
  expect([...comparedTo(mostly, fx)]).toEqual([10_000, 10_000, 20_000]);
  const foreign = candidate(5, { currency: "KWD" });
  expect([...comparedTo([...mixed, foreign], fx)]).toEqual([10_000, 10_000, Number.NaN]);
});

test("ranks are explained in words, equal prices in equal words", () => {
  const words = new PlaceWords(24);
  const told = Array.from({ length: 24 }, (_, i) => words.at(i + 1, "EUR"));
  expect([111, 112, 113, 121].map((at) => words.at(at, "EUR").split(" ")[0]!)).toEqual([
    ...["111th", "112th", "113th", "121st"],
  ]);
  expect(told[0]).toBe("Cheapest of 24");
  const ordinals = told.slice(1).map((text) => text.split(" ")[0]);
  expect(ordinals.join(" ")).toBe(
    "2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th " +
      "21st 22nd 23rd 24th",
  );
  const found = [candidate(5, { id: "x" }), candidate(5, { id: "y" }), candidate(9)];
  expect([...ranked(found, comparedTo(found, null)).positions]).toEqual([1, 1, 3]);
});
