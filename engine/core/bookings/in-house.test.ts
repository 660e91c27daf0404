/** A guest in the house leaves earlier or later: nights, rules and prices of the changed stay. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  atDesk,
  createProperty,
  frozenQuote,
  modifyBooking,
  NOON,
  placeHold,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  roomType,
  stayIn,
  suspendProperty,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { makeQuote } from "../availability/quoting.ts";
import { dayOf } from "../calendar.ts";
import { breakdownOf } from "../price/price.ts";
import type { FrozenQuote, QuoteRequest, Stay } from "../price/quote.ts";
import type { Difference } from "../refund-words.ts";
import { findOffer, type Offer } from "../state/state.ts";
import type { Discount } from "../supply.ts";
import { amendedQuote } from "./amended-quote.ts";

const DAY_MS = 86_400_000;
const SUITE = roomType({ id: "room-suite", code: "STE" });
const TREE = propertyTree({
  room_types: [roomType({ default_inventory: 1 }), SUITE],
  policies: [policyTerms()],
});
const [ROOM] = TREE.room_types;
/** Three nights from day 30 on. */
const STAY = stayIn(30, 3);
const WAIVE = { difference: "waive" as const };

/** Three nights, and a guest who is there since the evening of the first day. */
function inHouse() {
  const { world, quote, bookingId } = bookedAt(TREE, { stay: STAY });
  const on = (day: number) => world.at(NOON + day * DAY_MS + 6 * 3_600_000);
  on(30).when(atDesk("CheckInGuest", bookingId)).recorded("booking.checked_in");
  const change = (stay: Stay, over: Partial<FrozenQuote> = {}) => {
    const { version: base_version } = world.records.booking(bookingId)!;
    return world.when(
      modifyBooking(bookingId, moved(quote, stay, over), { base_version, stay: WAIVE }),
    );
  };
  const sold = (days: readonly number[]) =>
    days.map((day) => world.cell(TREE.id, ROOM!.id, dayIn(day)).sold);
  const hold = (stay: Stay) =>
    world.when(placeHold(frozenQuote(TREE, { stay, created_at: world.stamp })));
  return { world, quote, bookingId, on, change, hold, sold };
}

function moved(quote: FrozenQuote, stay: Stay, over: Partial<FrozenQuote>): FrozenQuote {
  const nights = dayOf(stay.check_out) - dayOf(stay.check_in);
  const nightly = new Array<number>(nights).fill(10_000);
  return frozenQuote(TREE, { ...quote, stay, nightly, sources: "b".repeat(nights), ...over });
}

const NIGHTS = [30, 31, 32, 33, 34];

test("the departure moves to a later day and to an earlier one; the guest stays checked in", () => {
  const { world, bookingId, on, change, hold, sold } = inHouse();
  on(31);
  const longer = change(stayIn(30, 5)).recorded("booking.modified");
  expect(longer.data).toMatchObject({ state: "checked_in", version: 3 });
  expect(sold(NIGHTS)).toEqual([1, 1, 1, 1, 1]);
  on(32);
  change(stayIn(30, 2)).recorded("booking.modified");
  expect(sold(NIGHTS)).toEqual([1, 1, 0, 0, 0]);
  hold(stayIn(32, 3)).recorded("hold.created");
  expect(world.records.booking(bookingId)).toMatchObject({ state: "checked_in", version: 4 });
  const left = world.when(atDesk("CompleteStay", bookingId)).recorded("booking.completed");
  expect(left.data).toMatchObject({ free_from: null });
  expect(sold([30, 31])).toEqual([1, 1]);
});

test("arrival, party, room and plan stay; each is named by where it is in the request", () => {
  const { change, on } = inHouse();
  on(31);
  const suite = { room_type_id: SUITE.id, rate_plan_id: "plan-other" };
  const guests = { adults: 2, children: [{ age: 4 }] };
  for (const [stay, over, fixed] of [
    [stayIn(31, 2), {}, ["/stay/check_in"]],
    [STAY, { guests }, ["/guests"]],
    [STAY, suite, ["/room_type_id", "/rate_plan_id"]],
  ] as const) {
    change(stay, over).refused("booking_not_modifiable", { reason: "in_house", fixed });
  }
});

test("a departure is today at the earliest, as the property's clock shows it", () => {
  const { world, change, sold } = inHouse();
  // Madrid is two hours ahead: this is the first minute of day 32.
  world.at(dayIn(32) * DAY_MS - 2 * 3_600_000);
  const detail = { reason: "check_out_passed", earliest: stayIn(32, 1).check_in };
  change(stayIn(30, 1)).refused("booking_not_modifiable", detail);
  change(stayIn(30, 2)).recorded("booking.modified");
  expect(sold([30, 31, 32])).toEqual([1, 1, 0]);
});

test("each new night needs a unit; the refusal names it, and offers no other arrival", () => {
  const { on, change, hold, sold } = inHouse();
  on(31);
  hold(stayIn(34, 1)).recorded("hold.created");
  const refused = change(stayIn(30, 5));
  const blocking = [{ date: stayIn(34, 1).check_in, reason: "no_vacancy" }];
  refused.refused("allocation_failed", { reason: "no_units", blocking, alternatives: [] });
  change(stayIn(30, 4)).recorded("booking.modified");
  expect(sold(NIGHTS)).toEqual([1, 1, 1, 1, 0]);
});

test("rules of the arrival and of kept nights are over; those of new nights and the departure bind", () => {
  const { world, on, change } = inHouse();
  on(31);
  const at = (day: number) => {
    const date = stayIn(day, 1).check_in;
    return { room_type_id: ROOM!.id, from: date, to: date };
  };
  const arrival = { cta: true, min_advance_days: 9, los_pattern: "N", max_los_arrival: 1 };
  const kept = { stop_sell: true, min_stay_through: 9, ctd: true };
  const restrictions = [
    { ...at(30), ...arrival },
    ...[31, 32].map((day) => ({ ...at(day), ...kept })),
  ];
  world.when(updateAri(TREE, { restrictions }));
  change(stayIn(30, 4)).recorded("booking.modified");
  world.when(updateAri(TREE, { restrictions: [{ ...at(34), stop_sell: true }] }));
  const closed = [{ date: at(34).from, reason: "stop_sell" }];
  change(stayIn(30, 5)).refused("allocation_failed", { reason: "restriction", blocking: closed });
  world.when(
    updateAri(TREE, {
      restrictions: [
        { ...at(34), stop_sell: null },
        { ...at(35), ctd: true },
      ],
    }),
  );
  const bound = [{ date: at(35).from, reason: "ctd" }];
  change(stayIn(30, 5)).refused("allocation_failed", { reason: "restriction", blocking: bound });
});

test("a guest may leave a hotel that is off sale, and stays no longer there", () => {
  const { world, on, change } = inHouse();
  on(31);
  world.when(suspendProperty(TREE)).recorded("property.suspended");
  const blocking = [{ date: STAY.check_in, reason: "property_not_live" }];
  change(stayIn(30, 4)).refused("allocation_failed", { reason: "restriction", blocking });
  change(stayIn(30, 2)).recorded("booking.modified");
});

test("the data of a guest in the house changes as before the arrival", () => {
  const { world, bookingId } = inHouse();
  const guest = { encrypted: { guest: "sealed again" }, wrapped_key: "wrapped" };
  const change = { ...modifyBooking(bookingId, null, { base_version: 2 }), guest };
  expect(world.when(change).data).toMatchObject({ state: "checked_in", guest_changed: true });
  const same = world.when(modifyBooking(bookingId, null, { base_version: 3 })).recorded();
  expect(same.data).toMatchObject({ state: "checked_in", version: 3, seq: null });
});

test("an undo after a changed departure leaves the changed stay", () => {
  const { world, bookingId, change, sold } = inHouse();
  change(stayIn(30, 2)).recorded("booking.modified");
  world.when(atDesk("UndoCheckIn", bookingId)).recorded("booking.check_in_undone");
  expect(world.records.booking(bookingId)).toMatchObject({ state: "confirmed", version: 4 });
  expect(sold([30, 31, 32])).toEqual([1, 1, 0]);
});

/** Needs thirty days from the booking to the arrival. */
const EARLY: Discount = {
  ...{ code: "early", label: "Early booking", bps: -1_000 },
  min_advance_days: 30,
};
const EARLY_TREE = propertyTree({
  policies: [policyTerms()],
  room_types: [roomType({ rate_plans: [{ ...ROOM!.rate_plans[0]!, discounts: [EARLY] }] })],
});
const OFFER = (() => {
  const { state } = given(createProperty(EARLY_TREE), promoteProperty(EARLY_TREE));
  const property = state.property(REALM, EARLY_TREE.id)!;
  const [room] = EARLY_TREE.room_types;
  return findOffer(property, room!.id, room!.rate_plans[0]!.id) as Offer;
})();
const BASE = OFFER.plan.base_rate_per_night;
const MAKING = { ...REALM, quote_id: "q", agent_id: "a", sha256: () => "0".repeat(64) };

function request(nights: number): QuoteRequest {
  const ids = { room_type_id: OFFER.roomType.id, rate_plan_id: OFFER.plan.id };
  const guests = { adults: 2, children: [] };
  return { hotel_id: EARLY_TREE.id, ...ids, stay: stayIn(30, nights), guests };
}

/** A booked stay whose nights cost otherwise than today. */
function bookedFor(nightly: readonly number[], extra_adult: FrozenQuote["extra_adult"] = 0) {
  const made = makeQuote(OFFER, request(nightly.length), {
    ...{ ...MAKING, nowMs: NOON, ttlMs: 1 },
    booked: { nightly, extraAdult: extra_adult, sources: "o".repeat(nightly.length) },
  });
  if (typeof made === "string") throw new Error(made);
  return made.quote;
}

function amended(quote: FrozenQuote, nights: number, day: number, difference: Difference) {
  const nowMs = NOON + day * DAY_MS;
  const made = amendedQuote(OFFER, request(nights), {
    ...{ ...MAKING, quote, difference, nowMs, inHouseDay: dayIn(day) },
  });
  if (typeof made === "string") throw new Error(made);
  return made;
}

test("slept nights keep their booked rate and discount, later ones have today's rate", () => {
  const before = bookedFor([7_000, 8_000, 9_000]);
  const { quote } = amended(before, 4, 31, "at_property");
  expect(quote).toMatchObject({ nightly: [7_000, BASE, BASE, BASE], sources: "obbb" });
  const { nights } = breakdownOf(EARLY_TREE, quote!);
  expect(nights.map(({ adjustments }) => adjustments.map(({ code }) => code))).toEqual(
    [1, 2, 3, 4].map(() => ["early"]),
  );
  expect(quote!.created_at).toBe(before.created_at);
});

test("a guest who leaves after one night pays the booked price of that night", () => {
  const before = bookedFor([7_000, 8_000, 9_000]);
  const { quote, priced } = amended(before, 1, 31, "refund");
  expect(priced).toEqual({ total: 6_300, nights: 1 });
  expect(before.total - quote!.total).toBe(15_300);
});

test("of any changed departure the frozen price is what its parts add up to", () => {
  const rates = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 6 });
  const extras = fc.oneof(fc.constant(0), fc.constant(500), fc.constant("by night"));
  fc.assert(
    fc.property(
      rates,
      extras,
      fc.nat(8),
      fc.integer({ min: 1, max: 9 }),
      (nightly, extra, day, nights) => {
        const extra_adult =
          extra === "by night" ? nightly.map((_, nth) => nth * 100) : Number(extra);
        const before = bookedFor(nightly, extra_adult);
        const { quote, priced } = amended(before, nights, 30 + day, "waive");
        const slept = Math.min(day, nights, nightly.length);
        expect(quote!.nightly.slice(0, slept)).toEqual(nightly.slice(0, slept));
        expect(quote!.nightly.slice(slept)).toEqual(new Array(nights - slept).fill(BASE));
        expect(quote!.sources).toHaveLength(nights);
        expect(breakdownOf(EARLY_TREE, quote!).total).toBe(priced.total);
      },
    ),
    { numRuns: 200 },
  );
});
