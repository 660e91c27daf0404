/** Goal: a summary covers the day before and the operator's properties. Method: sums by hand. */
import { expect, test } from "bun:test";
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import { NIGHT_MEASURES } from "../../../jobs/kpis/measures.ts";
import type { FiguresAsked } from "../../../jobs/kpis/reader.ts";
import { dataOf } from "./daily-summaries.ts";

const properties = {
  live: new Map([
    ["alba", {}],
    ["breva", {}],
  ]),
  test: new Map(),
};
const state = { tenants: new Map([["acme", { properties }]]) };
const replica = { state, head: { row: 7, chain: "" }, catchUp: () => true };

/** A room is sold every night in every property, and someone arrives every day. */
function kpisOn(asked: FiguresAsked[]) {
  return {
    sums(question: FiguresAsked) {
      asked.push(question);
      const { firstDay, lastDay, propertyIds } = question;
      const counted: readonly string[] = ["rooms_sold", "bookings"];
      const night = Array.from({ length: lastDay - firstDay + 1 }, (_, nth) => ({
        ...{ day: firstDay + nth, keys: ["EUR"] },
        values: NIGHT_MEASURES.map((each) => (counted.includes(each) ? propertyIds.length : 0)),
      }));
      return { night, activity: [], supply: [] };
    },
  };
}

test.each([
  ["all properties", null, ["alba", "breva"]],
  ["those that it may see", ["breva", "elsewhere"], ["breva"]],
] as const)("an operator is told of %s, yesterday and since the first", (_, property_ids, seen) => {
  const asked: FiguresAsked[] = [];
  const who = { tenant_id: "acme", mode: "live", property_ids } as const;
  const today = dayOf("2026-12-01");
  const matter = dataOf(who, today, { replica: replica as never, kpis: kpisOn(asked) })!;
  expect(matter).toMatchObject({
    ...{ day: today - 1, properties: seen.length, arrivalsToday: seen.length },
    ofDay: { rooms_sold: seen.length },
    ofMonth: { rooms_sold: 30 * seen.length },
  });
  expect(asked.map(({ firstDay, lastDay }) => [dateOf(firstDay), dateOf(lastDay)])).toEqual([
    ["2026-11-30", "2026-11-30"],
    ["2026-11-01", "2026-11-30"],
    ["2026-12-01", "2026-12-01"],
  ]);
  for (const { propertyIds, realm, row } of asked) {
    expect([propertyIds, realm, row]).toEqual([[...seen], { tenant_id: "acme", mode: "live" }, 7]);
  }
});

test("there is no summary while the journal is still being read or counted", () => {
  const who = { tenant_id: "acme", mode: "live", property_ids: null } as const;
  const given = { replica: replica as never, kpis: { sums: () => null } };
  expect(dataOf(who, 20_000, given)).toBeNull();
  const behind = { ...replica, catchUp: () => false } as never;
  expect(dataOf(who, 20_000, { replica: behind, kpis: kpisOn([]) })).toBeNull();
});
