import { expect, test } from "bun:test";
import { refusalOf } from "./publish.ts";

function reason(listings: number, before: number | null, acceptShrink = false) {
  const list = { listings, skipped: { count: 2, properties: [] } };
  const known = before === null ? null : { listings: before };
  return refusalOf(list as unknown as Parameters<typeof refusalOf>[0], known, acceptShrink)?.reason;
}

test("a list that shrank by more than a tenth is refused unless an operator has accepted it", () => {
  expect(reason(90, 100)).toBeUndefined();
  expect(reason(89, 100)).toBe("shrunken");
  expect(reason(89, 100, true)).toBeUndefined();
  expect(reason(9, 10)).toBeUndefined();
  expect(reason(8, 9)).toBe("shrunken");
  expect(reason(1, 1)).toBeUndefined();
  expect(reason(1_000, 10)).toBeUndefined();
  expect(reason(1, null)).toBeUndefined();
});

test("an empty list is always refused, also when accepted and also as the first list", () => {
  expect(reason(0, null)).toBe("no_property");
  expect(reason(0, 1, true)).toBe("no_property");
});
