/** Goal: the searched tenant is as documented, and the same in every run. */
import { expect, test } from "bun:test";
import { eachDay } from "../engine/core/ranges.ts";
import { treeProblems } from "../src/api/properties/tree-problems.ts";
import {
  CITY_SIZE,
  cityOf,
  GRAND_ROOM_TYPES,
  grandSupply,
  LARGE_CITY,
  LARGE_CITY_SIZE,
  NIGHTS,
  smallCitiesOf,
  suppliesOf,
  supplyOf,
} from "./search-tenant.ts";
import { TODAY } from "./tenant.ts";

test("a property depends on its number only, not on the size of the tenant", () => {
  const texts = (count: number) => [...suppliesOf(count)].map((each) => JSON.stringify(each));
  expect(texts(4).slice(0, 2)).toEqual(texts(2));
  expect(new Set([...suppliesOf(30)].map(({ tree }) => tree.id)).size).toBe(30);
});

test("cities have 20 properties each, and one has 500", () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 1_000; index += 1) {
    counts.set(cityOf(index), (counts.get(cityOf(index)) ?? 0) + 1);
  }
  expect(counts.get(LARGE_CITY)).toBe(LARGE_CITY_SIZE);
  counts.delete(LARGE_CITY);
  expect([...counts.values()]).toEqual(smallCitiesOf(1_000).map(() => CITY_SIZE));
  expect([...counts.keys()]).toEqual(smallCitiesOf(1_000));
  expect([smallCitiesOf(20), smallCitiesOf(540)]).toEqual([[cityOf(0)], [cityOf(0), cityOf(520)]]);
});

test("every plan has an amount for each of 400 nights, as hoteliers write them", () => {
  for (const { tree, ari } of suppliesOf(10)) {
    const amounts = new Map<string, Map<number, number>>();
    for (const { rate_plan_id, amount, ...nights } of ari.rates!) {
      const ofPlan = amounts.get(rate_plan_id) ?? new Map<number, number>();
      eachDay(nights, TODAY, (day) => ofPlan.set(day, amount!));
      amounts.set(rate_plan_id, ofPlan);
    }
    expect(tree.room_types.map(({ rate_plans }) => rate_plans.length)).toEqual([3, 3, 3, 3]);
    expect(amounts.size).toBe(12);
    for (const ofPlan of amounts.values()) {
      expect(ofPlan.size).toBe(NIGHTS);
      for (const amount of ofPlan.values()) {
        expect(amount).toBeGreaterThanOrEqual(6_000);
        expect(amount).toBeLessThanOrEqual(45_000);
        expect(amount % 10).toBe(0);
      }
      expect(new Set(ofPlan.values()).size).toBeGreaterThan(5);
    }
  }
});

test("the trees can be imported, also under other ids", () => {
  for (const { tree } of [...suppliesOf(10), grandSupply()]) expect(treeProblems(tree)).toEqual([]);
  expect(grandSupply().tree.room_types).toHaveLength(GRAND_ROOM_TYPES);
  const other = supplyOf(3, "import");
  expect(other.tree.id).not.toBe(supplyOf(3).tree.id);
  expect(other.tree.name).toBe(supplyOf(3).tree.name);
});
