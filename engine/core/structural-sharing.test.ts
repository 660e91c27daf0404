import { expect, test } from "bun:test";
import fc from "fast-check";
import { propertyTree, ratePlan, roomType } from "../../test/support/builders.ts";
import { differenceOf, structuralSharing, versionAfter } from "./structural-sharing.ts";

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test("an equal value is the previous object, whatever the order of its members", () => {
  const tree = propertyTree();
  expect(structuralSharing(tree, copyOf(tree))).toBe(tree);
  const turned = Object.fromEntries(Object.entries(copyOf(tree)).reverse()) as typeof tree;
  expect(structuralSharing(tree, turned)).toBe(tree);
});

test("changed parts are new objects, the rest is shared with the previous value", () => {
  const suite = roomType({ id: "suite", rate_plans: [ratePlan({ id: "plan-suite" })] });
  const tree = propertyTree({ room_types: [roomType(), suite] });
  const sent = copyOf({ ...tree, room_types: [tree.room_types[0]!, { ...suite, name: "Loft" }] });
  const next = structuralSharing(tree, sent);
  expect(next).toEqual(sent);
  expect(next.room_types[0]).toBe(tree.room_types[0]!);
  expect(next.room_types[1]!.rate_plans).toBe(suite.rate_plans);
  expect(next.address).toBe(tree.address);
});

test("added and removed members, longer and shorter lists and null are differences", () => {
  for (const [before, after] of [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [{ a: null }, { a: {} }],
    [[], {}],
    [{ a: undefined }, {}],
  ] as const) {
    const next = structuralSharing<unknown>(before, after);
    expect(next).not.toBe(before);
    expect(next).toEqual(after);
  }
});

test("a version is rebuilt from the one before it and its own differences", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const pairs = fc.oneof(
    fc.tuple(json, json),
    fc.tuple(fc.array(json), fc.array(json)),
    fc.tuple(fc.dictionary(fc.constantFrom(..."ab_"), json), json),
  );
  fc.assert(
    fc.property(pairs, ([before, sent]) => {
      const after = structuralSharing<unknown>(before, sent);
      const stored = copyOf(differenceOf(before, after));
      const again = versionAfter<unknown>(before, stored);
      expect(JSON.stringify(again)).toBe(JSON.stringify(after));
      if (after === before) expect(again).toBe(before);
    }),
    { numRuns: 500 },
  );
});
