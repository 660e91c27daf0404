/** Goal: property data describes rooms and rates correctly, within the partners' limits. */
import { expect, test } from "bun:test";
import type { MealPlan, RatePlan, RoomType } from "../engine/core/supply.ts";
import { propertyTree, ratePlan, roomType } from "../test/support/builders.ts";
import { propertyDataSet } from "./property-data.ts";

function written(room: Partial<RoomType>, plan: Partial<RatePlan> = {}): string {
  const rate_plans = [ratePlan(plan)];
  const tree = propertyTree({ room_types: [roomType({ rate_plans, ...room })] });
  return propertyDataSet(tree, { language: "en", refundEnds: () => null });
}

const told = (element: string, xml: string) =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text]) => text);

test("breakfast is included in every meal plan that contains it", () => {
  const isIncluded = (meal_plan: MealPlan) => told("BreakfastIncluded", written({}, { meal_plan }));
  for (const board of ["breakfast", "half_board", "full_board", "all_inclusive"] as const) {
    expect(isIncluded(board)).toEqual(["1"]);
  }
  expect(isIncluded("room_only")).toEqual(["0"]);
});

test("an occupancy above the partners' maximum is written as the maximum", () => {
  const capacity = (max_occupancy: number) => told("Capacity", written({ max_occupancy }));
  expect([capacity(1), capacity(20), capacity(24)]).toEqual([["1"], ["20"], ["20"]]);
});

test("photos are those with an address valid for every reader, ten at most", () => {
  const good = Array.from({ length: 12 }, (_, n) => `https://images.example/${n}.jpg?a=1&b=%20`);
  const bad = ["http://images.example/1.jpg", "https://images.example/ä.jpg", "https://a b/"];
  const found = told("URL", written({ images: [...bad, ...good] }));
  expect(found).toEqual(good.slice(0, 10).map((url) => url.replace("&", "&amp;")));
});

test("a name without printable text is replaced by the code; a description is left out", () => {
  const blank = "\u0000 \ud800\n";
  const xml = written(
    { code: "DBL", name: blank, description: blank },
    { code: "FLEX", name: blank },
  );
  expect(
    [...xml.matchAll(/<(\w+)><Text text="([^"]*)"/g)].map(([, of, text]) => [of, text]),
  ).toEqual([
    ["Name", "DBL"],
    ["Name", "FLEX"],
  ]);
});
