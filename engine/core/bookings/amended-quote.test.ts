/** What a changed stay costs, and that a booking can be changed back whatever it was changed to. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createProperty,
  NOON,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  roomType,
  stayIn,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { type MadeQuote, makeQuote } from "../availability/quoting.ts";
import type { FrozenQuote, QuoteRequest } from "../price/quote.ts";
import type { Difference } from "../refund-words.ts";
import { findOffer, type Offer } from "../state/state.ts";
import type { TaxRule } from "../supply.ts";
import { amendedQuote } from "./amended-quote.ts";

/** Adults pay it at the property: the party changes it, and nothing that is prepaid. */
const CITY_TAX: TaxRule = {
  code: "city",
  name: "City tax",
  kind: "tax",
  basis: "per_person_per_night",
  amount: 300,
  included_in_rate: false,
  collect: "at_property",
};
const TREE = propertyTree({
  tax_rules: [CITY_TAX],
  policies: [policyTerms()],
  room_types: [roomType()],
});
const [ROOM] = TREE.room_types;
const property = given(createProperty(TREE), promoteProperty(TREE)).state.property(REALM, TREE.id)!;
const OFFER = findOffer(property, ROOM!.id, ROOM!.rate_plans[0]!.id) as Offer;

function request(nights: number, adults: number): QuoteRequest {
  const ids = { hotel_id: TREE.id, room_type_id: ROOM!.id, rate_plan_id: OFFER.plan.id };
  return { ...ids, stay: stayIn(30, nights), guests: { adults, children: [] } };
}

const making = {
  ...REALM,
  quote_id: "q",
  agent_id: "a",
  nowMs: NOON,
  inHouseDay: null,
  sha256: () => "0".repeat(64),
};
const priced = (asked: QuoteRequest) =>
  (makeQuote(OFFER, asked, { ...making, ttlMs: 1 }) as MadeQuote).quote;

function amended(quote: FrozenQuote, asked: QuoteRequest, difference: Difference | null) {
  const made = amendedQuote(OFFER, asked, { ...making, quote, difference });
  if (typeof made === "string") throw new Error(made);
  return made.quote;
}

test("a stay that was extended at the property's charge is shortened again", () => {
  const booked = priced(request(2, 2));
  const longer = amended(booked, request(3, 2), "at_property")!;
  expect(longer.due_now).toBe(booked.due_now);
  const { total, due_now, due_at_property } = amended(longer, request(2, 2), "refund")!;
  expect({ total, due_now, due_at_property }).toEqual({
    ...{ total: booked.total, due_now: booked.due_now },
    due_at_property: booked.due_at_property,
  });
});

test("what is cheaper at the property alone is charged less there, and nothing is refunded", () => {
  const booked = priced(request(2, 2));
  const fewer = amended(booked, request(2, 1), "refund")!;
  expect(fewer.total).toBe(booked.total - 600);
  expect(fewer.due_now).toBe(booked.due_now);
});

test("after any changes a lower price can be refunded, a higher one charged at the property", () => {
  const change = fc.record({
    nights: fc.integer({ min: 1, max: 6 }),
    adults: fc.integer({ min: 1, max: 3 }),
    difference: fc.constantFrom("refund", "waive", "at_property", null),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let quote = priced(request(3, 2));
      for (const { nights, adults, difference } of changes) {
        const asked = request(nights, adults);
        const present = priced(asked).total;
        const fitting = present < quote.total ? "refund" : "at_property";
        const after = amended(quote, asked, fitting)!;
        expect(after.total).toBe(present);
        expect(after.due_now).toBeLessThanOrEqual(quote.due_now);
        expect(after.due_at_property).toBe(after.total - after.due_now);
        expect(after.due_at_property).toBeGreaterThanOrEqual(0);
        const kept = amended(quote, asked, "waive")!;
        expect([kept.total, kept.due_now]).toEqual([quote.total, quote.due_now]);
        quote = amended(quote, asked, difference) ?? quote;
      }
    }),
  );
});
