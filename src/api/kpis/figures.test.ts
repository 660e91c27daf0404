/** Goal: rates and averages match the guide, by calendar period. Method: sums by hand. */
import { expect, test } from "bun:test";
import { dayOf } from "../../../engine/core/calendar.ts";
import { ACTIVITY_MEASURES, NIGHT_MEASURES } from "../../../jobs/kpis/measures.ts";
import type { DaySums } from "../../../jobs/kpis/reader.ts";
import { agentsOf, figuresOf, pickupOf } from "./figures.ts";

const day = (date: string) => dayOf(date);

function night(date: string, currency: string, amounts: Record<string, number>) {
  const values = NIGHT_MEASURES.map((measure) => amounts[measure] ?? 0);
  return { day: day(date), keys: [currency], values };
}

function activity(date: string, agent: string, amounts: Record<string, number>) {
  const values = ACTIVITY_MEASURES.map((measure) => amounts[measure] ?? 0);
  return { day: day(date), keys: [agent, "EUR"], values };
}

const SUMS: DaySums = {
  night: [
    night("2027-01-31", "EUR", { rooms_sold: 3, room_revenue: 30_001, bookings: 4, cancelled: 1 }),
    night("2027-02-01", "EUR", { rooms_sold: 1, room_revenue: 9_000, no_shows: 1, stays: 2 }),
    night("2027-02-01", "EUR", { stay_nights: 5, lead_days: 9, no_show_fees: 500 }),
  ],
  activity: [
    activity("2027-01-31", "ada", { holds: 4, holds_expired: 1, bookings_made: 2 }),
    activity("2027-02-01", "bob", { holds: 1, holds_released: 1, payments_failed: 1 }),
    activity("2027-02-01", "bob", { payments_captured: 2, refunds: 1, refunded: 700 }),
  ],
  // Five rooms for ever, one of them out of order from the 1st on.
  supply: [
    { day: day("2026-01-01"), keys: [], values: [5, 0] },
    { day: day("2027-02-01"), keys: [], values: [-1, 1] },
  ],
};
const RANGE = { first: day("2027-01-30"), last: day("2027-02-02") };

test("months are calendar months, and each figure covers its period", () => {
  const { items, total } = figuresOf(SUMS, RANGE, "month");
  expect(items.map(({ from, to }) => [from, to])).toEqual([
    ["2027-01-30", "2027-01-31"],
    ["2027-02-01", "2027-02-02"],
  ]);
  const [january, february] = items;
  expect(january).toMatchObject({
    ...{ rooms_available: 10, rooms_sold: 3, occupancy: 0.3, cancellation_rate: 0.25 },
    ...{ alos: null, hold_expiry_rate: 0.3333, payment_failure_rate: null },
  });
  expect(january!.by_currency).toMatchObject([{ currency: "EUR", adr: 10_000, revpar: 3_000 }]);
  expect(february).toMatchObject({
    ...{ rooms_available: 8, rooms_out_of_order: 2, rooms_sold: 1, occupancy: 0.125 },
    ...{ alos: 2.5, lead_time_days: 4.5, payment_failure_rate: 0.3333 },
  });
  expect(february!.by_currency).toMatchObject([{ no_show_fees: 500, refunds: 1, refunded: 700 }]);
  expect(total).toMatchObject({ rooms_available: 18, rooms_sold: 4, no_show_rate: 0.3333 });
});

test("weeks begin on Monday; a day is one calendar day", () => {
  const weeks = figuresOf(SUMS, RANGE, "week").items;
  expect(weeks.map(({ from }) => from)).toEqual(["2027-01-30", "2027-02-01"]);
  expect(figuresOf(SUMS, RANGE, "day").items).toHaveLength(4);
  expect(figuresOf(SUMS, RANGE, "total").items).toHaveLength(1);
});

test("amounts of two currencies are listed separately, and RevPAR is given for neither", () => {
  const pounds = night("2027-02-02", "GBP", { rooms_sold: 1, room_revenue: 8_000 });
  const { total } = figuresOf({ ...SUMS, night: [...SUMS.night, pounds] }, RANGE, "total");
  expect(total.rooms_sold).toBe(5);
  expect(
    total.by_currency.map(({ currency, room_revenue, revpar }) => {
      return [currency, room_revenue, revpar];
    }),
  ).toEqual([
    ["EUR", 39_001, null],
    ["GBP", 8_000, null],
  ]);
});

test("pickup is new business less cancellations, by currency", () => {
  const then = figuresOf({ ...SUMS, night: SUMS.night.slice(0, 1) }, RANGE, "total").total;
  const now = figuresOf({ ...SUMS, night: SUMS.night.slice(1) }, RANGE, "total").total;
  expect(pickupOf(now, then)).toEqual({
    rooms_sold: -2,
    by_currency: [{ currency: "EUR", rooms_sold: -2, room_revenue: -21_001 }],
  });
});

test("holds and bookings are counted by agent", () => {
  expect([...agentsOf(SUMS)]).toEqual([
    ["ada", { holds: 4, bookings: 2 }],
    ["bob", { holds: 1, bookings: 0 }],
  ]);
});
