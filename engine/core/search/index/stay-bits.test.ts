import { expect, test } from "bun:test";
import {
  createProperty,
  promoteProperty,
  propertyTree,
  REALM,
} from "../../../../test/support/builders.ts";
import { given } from "../../../../test/support/given.ts";
import { indexOf } from "../search-index.ts";
import { StayBits } from "./stay-bits.ts";

test("a stay that reaches beyond the window, departure included, needs the full check", () => {
  const { state } = given(createProperty(propertyTree()), promoteProperty(propertyTree()));
  const index = indexOf(state, REALM);
  const isJudged = (checkInDay: number, nights: number) => {
    const bits = new StayBits(index, { checkInDay, nights });
    expect(bits.isFree(0)).toBe(true);
    return bits.isMarked(0);
  };
  const { firstDay, endDay } = index;
  expect([isJudged(firstDay, 2), isJudged(endDay - 3, 2)]).toEqual([false, false]);
  expect([isJudged(firstDay - 1, 2), isJudged(endDay - 2, 2)]).toEqual([true, true]);
});
