/** Who counts as adult or child, and the effect on the room's occupancy. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { propertyTree, roomType } from "../../../test/support/builders.ts";
import type { ChildBand, PropertyTree } from "../supply.ts";
import { countParty, type PartyCount, partyProblem } from "./occupancy.ts";
import type { Party } from "./quote.ts";

const INFANT: ChildBand = {
  min_age: 0,
  max_age: 2,
  pricing: "free",
  counts_toward_occupancy: false,
  max_count: 1,
};
const CHILD: ChildBand = {
  min_age: 3,
  max_age: 11,
  pricing: "percent_bps",
  value: 5_000,
  counts_toward_occupancy: true,
};

const ROOM = roomType({ id: "r1", max_occupancy: 3, rate_plans: [] });

function treeWith(childBands: readonly ChildBand[]): PropertyTree {
  return propertyTree({ tax_rules: [], child_bands: childBands, room_types: [ROOM] });
}

const TREE = treeWith([INFANT, CHILD]);

function party(adults: number, ...ages: number[]): Party {
  return { adults, children: ages.map((age) => ({ age })) };
}

test("adults above the included occupancy are extra", () => {
  expect(countParty(TREE, ROOM, party(2)).extraAdults).toBe(0);
  expect(countParty(TREE, ROOM, party(4))).toEqual({
    adults: 4,
    extraAdults: 2,
    occupants: 4,
    childBands: [],
  });
});

test("a child belongs to the band of its age, both ends included", () => {
  expect(countParty(TREE, ROOM, party(2, 2, 3, 11))).toEqual({
    adults: 2,
    extraAdults: 0,
    occupants: 4,
    childBands: [INFANT, CHILD, CHILD],
  });
});

test("a child outside every band counts as an adult", () => {
  expect(countParty(TREE, ROOM, party(2, 12))).toMatchObject({ adults: 3, extraAdults: 1 });
  expect(countParty(treeWith([]), ROOM, party(1, 0, 5))).toMatchObject({
    adults: 3,
    occupants: 3,
    childBands: [],
  });
});

test("a child beyond a band's max_count counts as an adult", () => {
  expect(countParty(TREE, ROOM, party(2, 1, 0))).toEqual({
    adults: 3,
    extraAdults: 1,
    occupants: 3,
    childBands: [INFANT],
  });
});

test("only guests who count toward the occupancy can make the room too small", () => {
  expect(partyProblem(TREE, ROOM, party(3, 1))).toBeNull();
  expect(partyProblem(TREE, ROOM, party(3, 1, 1))).toBe("occupancy_exceeded");
  expect(partyProblem(TREE, ROOM, party(2, 5))).toBeNull();
  expect(partyProblem(TREE, ROOM, party(2, 5, 5))).toBe("occupancy_exceeded");
});

test("the order of the children makes no difference and no child is lost", () => {
  const ages = fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), ages, (adults, list) => {
      const count = countParty(TREE, ROOM, party(adults, ...list));
      const reversed = countParty(TREE, ROOM, party(adults, ...list.toReversed()));
      expect(count.adults + count.childBands.length).toBe(adults + list.length);
      expect(bandAges(reversed)).toEqual(bandAges(count));
    }),
  );
});

function bandAges({ childBands }: PartyCount): number[] {
  return childBands.map((band) => band.min_age).toSorted((a, b) => a - b);
}
