import { expect, test } from "bun:test";
import { dateOf } from "../engine/core/calendar.ts";
import type { AriUpdate, PropertyTree } from "../engine/core/supply.ts";
import { ratePlan, roomType } from "../test/support/builders.ts";
import { dayIn } from "../test/support/given.ts";
import { onSale, singleRoom, smallHotel } from "../test/support/small-hotel.ts";
import { bundlesOf } from "./bundles.ts";
import { type StepName, stepsOf } from "./ladder.ts";
import { profileOf } from "./partners.ts";
import { parsed } from "./reading/element.ts";
import { itineraryOf } from "./reading/itinerary.ts";
import { type Now, outcomeOf } from "./requote.ts";
import { ResultWriter } from "./transaction.ts";

const TREE = smallHotel({
  room_types: [
    roomType({
      rate_plans: [
        ratePlan({ extra_adult_per_night: 2_000 }),
        ratePlan({ id: "plan-fix", code: "FIX", cancellation_kind: "non_refundable" }),
      ],
    }),
    singleRoom(),
  ],
});

const nights = { from: dateOf(dayIn(0)), to: dateOf(dayIn(9)) };
const DOUBLE = { room_type_id: "room-double", ...nights };
const SOLD_OUT: AriUpdate = { inventory: [{ ...DOUBLE, capacity: 0 }] };
const DEARER: AriUpdate = { rates: [{ rate_plan_id: "plan-fix", ...nights, amount: 10_001 }] };
const CLOSED: AriUpdate = {
  restrictions: [{ ...DOUBLE, rate_plan_id: "plan-fix", stop_sell: true }],
};

interface Served {
  readonly partner?: string;
  readonly step?: StepName;
  readonly tree?: PropertyTree;
}

/** What the document says of two nights from the fifth day on. */
function served(updates: readonly AriUpdate[], over: Served = {}) {
  const { partner = "google", step = "all_rates", tree = TREE } = over;
  const profile = profileOf(partner)!;
  const [checkInDay, stayNights] = [dayIn(4), 2];
  const asked = { checkInDay, nights: stayNights, agentId: partner, todayDay: dayIn(0) };
  const bundles = bundlesOf(onSale(tree, ...updates), asked);
  const told = stepsOf(profile)
    .find(({ name }) => name === step)!
    .select(bundles);
  const xml = new ResultWriter(profile).result(tree, dateOf(checkInDay), stayNights, told);
  return itineraryOf(parsed(xml, "Result"));
}

function now(updates: readonly AriUpdate[], over: Partial<Now> = {}): Now {
  const property = onSale(TREE, ...updates);
  return { property, todayDay: dayIn(0), agentId: "google", isWhole: true, ...over };
}

test("unchanged prices are equal, whatever the document leaves out", () => {
  for (const updates of [[], [SOLD_OUT], [DEARER], [CLOSED]]) {
    for (const step of ["all_rates", "two_rates_per_room", "lowest_rate"] as const) {
      const isWhole = step === "all_rates";
      expect({
        step,
        outcome: outcomeOf(served(updates, { step }), now(updates, { isWhole })),
      }).toEqual({ step, outcome: "equal" });
    }
  }
});

test("a rate that differs by a cent is a changed price", () => {
  expect(outcomeOf(served([]), now([DEARER]))).toBe("price_changed");
  expect(outcomeOf(served([DEARER]), now([]))).toBe("price_changed");
  const cheaper: AriUpdate = { rates: [{ rate_plan_id: "plan-fix", ...nights, amount: 9_999 }] };
  const told = served([], { step: "lowest_rate" });
  expect(outcomeOf(told, now([DEARER], { isWhole: false }))).toBe("equal");
  expect(outcomeOf(told, now([cheaper], { isWhole: false }))).toBe("price_changed");
});

test("the same total with other shares is a changed price", () => {
  const [fee, ...others] = TREE.tax_rules.toReversed();
  const tree = { ...TREE, tax_rules: [{ ...fee!, kind: "tax" as const }, ...others] };
  expect(outcomeOf(served([], { tree }), now([]))).toBe("price_changed");
});

test("a removed, closed, sold-out or past rate is no longer sellable", () => {
  const told = served([]);
  expect(outcomeOf(told, now([CLOSED]))).toBe("no_longer_sellable");
  expect(outcomeOf(told, now([SOLD_OUT]))).toBe("no_longer_sellable");
  expect(outcomeOf(told, now([], { todayDay: dayIn(5) }))).toBe("no_longer_sellable");
  expect(outcomeOf(told, now([], { property: undefined }))).toBe("no_longer_sellable");
  const [room] = TREE.room_types;
  const without = { ...TREE, room_types: [{ ...room!, rate_plans: [room!.rate_plans[0]!] }] };
  expect(outcomeOf(told, now([], { property: onSale(without) }))).toBe("no_longer_sellable");
  const lowest = served([], { step: "lowest_rate" });
  expect(outcomeOf(lowest, now([SOLD_OUT], { isWhole: false }))).toBe("no_longer_sellable");
});

test("a stay that becomes sellable is reported, except where a short document leaves it out", () => {
  expect(outcomeOf(served([CLOSED]), now([]))).toBe("now_sellable");
  expect(outcomeOf(served([SOLD_OUT]), now([]))).toBe("now_sellable");
  expect(outcomeOf(served([CLOSED]), now([], { isWhole: false }))).toBe("equal");
  const nothing = { ...served([]), bundles: [], price: null };
  expect(outcomeOf(nothing, now([], { isWhole: false }))).toBe("now_sellable");
});

test("a ceiling of one partner removes a rate for that partner only", () => {
  const ceiling: AriUpdate = {
    ceilings: [{ ...DOUBLE, rate_plan_id: null, agent_id: "google", ceiling: 0 }],
  };
  expect(outcomeOf(served([]), now([ceiling]))).toBe("no_longer_sellable");
  expect(outcomeOf(served([]), now([ceiling], { agentId: "bing" }))).toBe("equal");
});
