import { expect, test } from "bun:test";
import { dayOf } from "../engine/core/calendar.ts";
import type { PolicyTerms, PropertyTree } from "../engine/core/supply.ts";
import { policyTerms, propertyTree, ratePlan } from "../test/support/builders.ts";
import { refundEndsFrom } from "./refund.ts";

function end(terms: Partial<PolicyTerms>, over: Partial<PropertyTree> = {}, first = "2026-06-01") {
  const full = policyTerms(terms);
  const plan = ratePlan({ cancellation_kind: full.cancellation_kind });
  return refundEndsFrom(dayOf(first), 90)(propertyTree({ policies: [full], ...over }), plan);
}

test("hours before check-in become days and a local time", () => {
  const hours = (free: number) => end({ free_cancellation_hours_before_checkin: free });
  expect(hours(48)).toEqual({ daysBefore: 2, time: "15:00:00" });
  expect(hours(0)).toEqual({ daysBefore: 0, time: "15:00:00" });
  expect(hours(16)).toEqual({ daysBefore: 1, time: "23:00:00" });
  expect(hours(1.5)).toEqual({ daysBefore: 0, time: "13:30:00" });
});

test("a property without a check-in time uses 15:00", () => {
  expect(end({}, { checkin_time: null })).toEqual({ daysBefore: 2, time: "15:00:00" });
});

test("a rate that is never fully refundable or that partners cannot express has no refund end", () => {
  expect(end({ cancellation_kind: "non_refundable" })).toBeNull();
  expect(end({ cancellation_kind: "fee_from_booking" })).toBeNull();
  expect(end({ free_cancellation_hours_before_checkin: 181 * 24 })).toBeNull();
  expect(end({}, { policies: [] })).toBeNull();
});

test("if clocks are set forward in between, the end that is valid for every check-in is written", () => {
  // In Madrid 2026-03-29 has 23 hours: 48 hours before 15:00 on the 30th it is 14:00.
  expect(end({}, {}, "2026-03-01")).toEqual({ daysBefore: 2, time: "14:00:00" });
  expect(end({}, {}, "2026-04-01")).toEqual({ daysBefore: 2, time: "15:00:00" });
  expect(end({}, { timezone: "Asia/Tokyo" }, "2026-03-01")).toEqual({
    daysBefore: 2,
    time: "15:00:00",
  });
});

test("an end that is moved to the day before is written as one day earlier", () => {
  // 24 hours before half past midnight on the 30th it is half past eleven on the 28th.
  const terms = { free_cancellation_hours_before_checkin: 24 };
  const late = { checkin_time: "00:30" };
  expect(end(terms, late, "2026-03-01")).toEqual({ daysBefore: 2, time: "23:30:00" });
  expect(end(terms, late, "2026-04-01")).toEqual({ daysBefore: 1, time: "00:30:00" });
});
