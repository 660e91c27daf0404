/** Goal: staged changes are exactly the nights whose value becomes another one. */
import { expect, test } from "bun:test";
import { type Change, runsOf, updateOf } from "./changes.ts";
import type { Nights } from "./nights.ts";
import { bulkChanges, bulkOf, cellChanges, cellName, datesOf } from "./staged.ts";

const DATES = ["2026-12-03", "2026-12-04", "2026-12-05", "2026-12-06"];

function night(date: string) {
  const restrictions = date === "2026-12-04" ? { stop_sell: true } : {};
  const plan = (rate_plan_id: string) => ({
    ...{ rate_plan_id, code: rate_plan_id, currency: "EUR", restrictions: {}, changed: null },
    ...{ amount: 10_000, extra_adult: 0, rate_source: "property" },
  });
  return {
    ...{ date, capacity: 5, out_of_order: 0, overbooking_limit: 0, effective: 5 },
    ...{ sold: 0, held: 0, left: 5, oversold: 0, ceilings: [], changed: null, restrictions },
    rate_plans: [plan("flex"), plan("fix")],
  };
}

const nights = {
  room_types: ["double", "suite"].map((room_type_id) => {
    return { room_type_id, code: room_type_id, name: room_type_id, nights: DATES.map(night) };
  }),
} as unknown as Nights;

const cell = (rate_plan_id: string | null, field: "amount" | "capacity", date: string) =>
  cellName({ room_type_id: "double", rate_plan_id, field, date });

function bulk(fields: Record<string, string>) {
  const form = { from: DATES[0]!, to: DATES[3]!, target: "", how: "set", value: "", ...fields };
  const read = bulkOf(new Map(Object.entries(form)));
  if (typeof read === "string") throw new Error(read);
  return bulkChanges(read, nights);
}

test("cells are changes where their value is another one, whatever else the form has", () => {
  const form = new Map([
    [cell("flex", "amount", "2026-12-03"), "100.00"],
    [cell("flex", "amount", "2026-12-04"), " 99,90 "],
    [cell(null, "capacity", "2026-12-03"), "5"],
    [cell(null, "capacity", "2026-12-05"), ""],
    ["cell:amount:nowhere:flex:2026-12-03", "1"],
    ["cell:name:double:flex:2026-12-03", "1"],
    ["property_id", "1"],
  ]);
  expect(datesOf(form)).toEqual({ from: "2026-12-03", to: "2026-12-05" });
  const { changes, problems } = cellChanges(form, nights);
  expect(problems).toEqual([]);
  expect(changes.map(({ field, date, before, after }) => [field, date, before, after])).toEqual([
    ["amount", "2026-12-04", 10_000, 9_990],
    ["capacity", "2026-12-05", 5, null],
  ]);
});

test("what is no value is named, and is no change", () => {
  const form = new Map([
    [cell("flex", "amount", "2026-12-03"), "1.999"],
    // Thousands in some countries.
    [cell("flex", "amount", "2026-12-04"), "1.500"],
    [cell(null, "capacity", "2026-12-03"), "-1"],
  ]);
  expect(cellChanges(form, nights)).toEqual({
    changes: [],
    problems: [
      'double, flex, 2026-12-03: "1.999" is no price',
      'double, flex, 2026-12-04: "1.500" is no price',
      'double, 2026-12-03: "-1" is no whole number',
    ],
  });
});

test("many nights change by days of the week, room and plan", () => {
  const all = bulk({ field: "amount", value: "90" }).changes;
  expect(all).toHaveLength(2 * 2 * 4);
  const fridays = bulk({ field: "amount", value: "90", weekday_4: "yes" }).changes;
  expect(new Set(fridays.map(({ date }) => date))).toEqual(new Set(["2026-12-04"]));
  const one = bulk({ field: "amount", value: "90", target: "suite:fix" }).changes;
  expect(
    new Set(one.map(({ room_type_id, rate_plan_id }) => [room_type_id, rate_plan_id].join())),
  ).toEqual(new Set(["suite,fix"]));
  const closed = bulk({ field: "stop_sell=yes", target: "double" }).changes;
  expect(closed.map(({ date }) => date)).toEqual(DATES.filter((date) => date !== "2026-12-04"));
  expect(closed.every(({ rate_plan_id }) => rate_plan_id === null)).toBe(true);
});

test("a percentage is of each night's own price, rounded half up, and never below nothing", () => {
  const of = (value: string) => bulk({ field: "amount", how: "percent", value }).changes[0]?.after;
  expect(of("+10")).toBe(11_000);
  expect(of("-7,5")).toBe(9_250);
  expect(of("-100")).toBe(0);
  expect(of("-200")).toBe(0);
  expect(of("0")).toBeUndefined();
  expect(bulk({ field: "amount", how: "percent", value: "0.01" }).changes[0]!.after).toBe(10_001);
});

test("following nights with one value are one range of the update", () => {
  const change = (
    date: string,
    after: number,
    field: "amount" | "capacity" = "amount",
  ): Change => ({
    ...{ room_type_id: "double", rate_plan_id: field === "amount" ? "flex" : null, field },
    ...{ date, before: 1, after },
  });
  const changes = [
    change("2026-12-06", 7),
    change("2026-12-03", 9),
    change("2026-12-04", 9),
    change("2026-12-05", 8),
    change("2026-12-03", 2, "capacity"),
    change("2026-12-05", 2, "capacity"),
  ];
  expect(runsOf(changes).map(({ field, from, to, after }) => [field, from, to, after])).toEqual([
    ["amount", "2026-12-03", "2026-12-04", 9],
    ["amount", "2026-12-05", "2026-12-05", 8],
    ["amount", "2026-12-06", "2026-12-06", 7],
    ["capacity", "2026-12-03", "2026-12-03", 2],
    ["capacity", "2026-12-05", "2026-12-05", 2],
  ]);
  const range = (from: string, to: string) => ({ room_type_id: "double", from, to });
  expect(updateOf(changes)).toEqual({
    inventory: [
      { ...range("2026-12-03", "2026-12-03"), capacity: 2 },
      { ...range("2026-12-05", "2026-12-05"), capacity: 2 },
    ],
    rates: [
      { ...range("2026-12-03", "2026-12-04"), rate_plan_id: "flex", amount: 9 },
      { ...range("2026-12-05", "2026-12-05"), rate_plan_id: "flex", amount: 8 },
      { ...range("2026-12-06", "2026-12-06"), rate_plan_id: "flex", amount: 7 },
    ],
  });
});
