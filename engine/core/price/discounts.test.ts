/** Of its discounts a stay has the one that takes most off, alone and with its name. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createProperty,
  NOON,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { type MadeQuote, makeQuote, priceInputAt } from "../availability/quoting.ts";
import { dateOf } from "../calendar.ts";
import { findOffer, type Offer } from "../state/state.ts";
import type { Discount, Weekday } from "../supply.ts";
import { discountFor, isTimedDiscount } from "./discounts.ts";
import { breakdownOf, price, priceShares, priceTotals } from "./price.ts";

const on = (inDays: number) => dateOf(dayIn(inDays));
const NAMES: readonly Weekday[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** What a discount takes off a night, by dates as text. */
function takenOff(discount: Discount, base: number, day: number): number {
  const date = dateOf(day);
  const weekday = NAMES[new Date(`${date}T00:00Z`).getUTCDay()]!;
  if (discount.stay_from !== undefined && date < discount.stay_from) return 0;
  if (discount.stay_until !== undefined && date > discount.stay_until) return 0;
  if (discount.days_of_week && !discount.days_of_week.includes(weekday)) return 0;
  const share = discount.bps === undefined ? 0 : Math.round((base * -discount.bps) / 10_000);
  return Math.min(base, discount.bps === undefined ? -discount.amount! : share);
}

function isHad(discount: Discount, booked: number, checkIn: number, nights: number): boolean {
  const { booked_from = "", booked_until = "9999" } = discount;
  const { min_advance_days: least = 0, max_advance_days: most = 9_999 } = discount;
  const { min_nights = 1, max_nights = 999 } = discount;
  const ahead = checkIn - booked;
  const isOnTime = booked_from <= dateOf(booked) && dateOf(booked) <= booked_until;
  return (
    isOnTime && least <= ahead && ahead <= most && min_nights <= nights && nights <= max_nights
  );
}

/** Most limits are absent, or hardly any stay would have a discount. */
const maybe = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
const date = fc.integer({ min: -2, max: 12 }).map(on);
const count = fc.integer({ min: 0, max: 6 });
const discount: fc.Arbitrary<Discount> = fc
  .record({
    change: fc.oneof(
      fc.record({ bps: fc.integer({ min: -10_000, max: -1 }) }),
      fc.record({ amount: fc.integer({ min: -12_000, max: -1 }) }),
    ),
    booked_from: maybe(date),
    booked_until: maybe(date),
    min_advance_days: maybe(count),
    max_advance_days: maybe(count),
    min_nights: maybe(fc.integer({ min: 1, max: 4 })),
    max_nights: maybe(fc.integer({ min: 1, max: 4 })),
    stay_from: maybe(date),
    stay_until: maybe(date),
    days_of_week: maybe(fc.subarray([...NAMES], { minLength: 1 })),
  })
  .map(({ change, ...limits }) => {
    const set = Object.entries(limits).filter(([, value]) => value !== undefined);
    return { code: "D", label: "Deal", ...change, ...Object.fromEntries(set) };
  });

const coded = (discounts: readonly Discount[]) =>
  discounts.map((each, i) => ({ ...each, code: `D${i}`, label: `Deal ${i}` }));
const discounts = fc.array(discount, { minLength: 1, maxLength: 4 }).map(coded);
const stay = fc.record({
  booked: fc.integer({ min: 0, max: 4 }),
  ahead: fc.integer({ min: 0, max: 6 }),
  nightly: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 5 }),
});

test("the discount that takes most off a stay is found, by any of its limits", () => {
  let applied = 0;
  fc.assert(
    fc.property(discounts, stay, (all, { booked, ahead, nightly }) => {
      const [todayDay, checkInDay] = [dayIn(booked), dayIn(booked + ahead)];
      const nights = nightly.length;
      const offs = all.map((each) => {
        const isFor = isHad(each, todayDay, checkInDay, nights);
        return nightly.map((base, i) => (isFor ? takenOff(each, base, checkInDay + i) : 0));
      });
      const sums = offs.map((each) => each.reduce((sum, off) => sum + off, 0));
      const most = Math.max(...sums);
      const found = discountFor(all, nightly, { todayDay, checkInDay, nights });
      if (most === 0) return expect(found).toBeNull();
      applied += 1;
      const first = sums.indexOf(most);
      expect(found!.discount.code).toBe(`D${first}`);
      expect(nightly.map((_, i) => 0 - found!.off(i))).toEqual(offs[first]!);
    }),
    { numRuns: 3_000 },
  );
  expect(applied).toBeGreaterThan(500);
});

const EARLY: Discount = {
  ...{ code: "EARLY", label: "Booked in spring", bps: -1_500 },
  booked_until: on(0),
};
const LONG: Discount = { code: "LONG", label: "Three nights", amount: -1_000, min_nights: 3 };

function offerOf(all: readonly Discount[]): Offer {
  const adjustments = [{ code: "LOS", label: "LOS", min_nights: 2, bps: -500 }];
  const plan = ratePlan({ base_rate_per_night: 10_000, adjustments, discounts: all });
  const rooms = [roomType({ rate_plans: [plan] })];
  const tree = propertyTree({ id: "p", policies: [policyTerms()], room_types: rooms });
  const { state } = given(createProperty(tree), promoteProperty(tree));
  return findOffer(state.property(REALM, "p")!, rooms[0]!.id, plan.id) as Offer;
}

function quoted(offer: Offer, nowMs: number, nights: number): MadeQuote {
  const { tree } = offer.property;
  const ids = { room_type_id: offer.roomType.id, rate_plan_id: offer.plan.id };
  const request = { hotel_id: tree.id, ...ids, stay: stayIn(30, nights) };
  const making = { ...REALM, quote_id: "q", agent_id: "a", nowMs, ttlMs: 1 };
  const guests = { adults: 2, children: [] };
  const made = makeQuote(offer, { ...request, guests }, { ...making, sha256: (text) => text });
  return made as MadeQuote;
}

test("a night names its discount after the length of stay, and none is added to another", () => {
  const offer = offerOf([EARLY, LONG]);
  const linesOf = (nowMs: number, nights: number) => {
    const [night] = quoted(offer, nowMs, nights).unfolded.price_breakdown.nights;
    return night!.adjustments.map(({ code, amount }) => [code, amount]);
  };
  const DAY_MS = 86_400_000;
  expect(linesOf(NOON, 1)).toEqual([["EARLY", -1_500]]);
  expect(linesOf(NOON, 3)).toEqual([
    ["LOS", -500],
    ["EARLY", -1_500],
  ]);
  expect(linesOf(NOON + DAY_MS, 1)).toEqual([]);
  expect(linesOf(NOON + DAY_MS, 3)).toEqual([
    ["LOS", -500],
    ["LONG", -1_000],
  ]);
});

test("a frozen quote keeps its discount when its time is over", () => {
  const offer = offerOf([EARLY]);
  const { quote, unfolded } = quoted(offer, NOON, 2);
  expect(quote.total).toBe(16_000);
  expect(breakdownOf(offer.property.tree, quote)).toEqual(unfolded.price_breakdown);
});

test("every sum of a price has the discount of its own length of stay", () => {
  fc.assert(
    fc.property(discounts, fc.integer({ min: 1, max: 5 }), (all, longest) => {
      const offer = offerOf(all);
      const at = { checkInDay: dayIn(3), party: { adults: 2, children: [] }, todayDay: dayIn(1) };
      const whole = priceInputAt(offer, { ...at, nights: longest });
      const undiscounted = { ...whole, todayDay: null };
      for (let nights = 1; nights <= longest; nights += 1) {
        const own = price(priceInputAt(offer, { ...at, nights }));
        const { base, tax, fees } = priceShares(whole, nights);
        expect(base + tax + fees).toBe(own.total);
      }
      expect(priceTotals(whole).total).toBe(price(whole).total);
      expect(price(whole).total).toBeLessThanOrEqual(price(undiscounted).total);
      const codes = price(whole).nights.flatMap(({ adjustments }) =>
        adjustments.flatMap(({ code }) => (code === "LOS" ? [] : [code])),
      );
      expect(new Set(codes).size).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
});

test("a discount by the day of the booking changes at midnight, one by the stay does not", () => {
  expect([EARLY, { ...LONG, max_advance_days: 3 }].map(isTimedDiscount)).toEqual([true, true]);
  expect(isTimedDiscount({ ...LONG, stay_from: on(0), days_of_week: ["mon"] })).toBe(false);
});
