/** Units that a channel has left: exactly so many can be taken afterwards, whatever is sold. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given, type Scenario } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import { ceilingLeft } from "../state/room-state.ts";
import { findOffer, type Offer } from "../state/state.ts";
import type { NamedAri, UnitsLeftRange } from "../supply.ts";
import { roomCell } from "./cells.ts";

const PLANS = [ratePlan(), ratePlan({ id: "plan-fix", code: "FIX" })];
const TREE = propertyTree({
  room_types: [roomType({ default_inventory: 3, overbooking_limit: 2, rate_plans: PLANS })],
});
const NIGHTS = 6;

const on = (first: number, length = 0) => ({
  ...{ from: dateOf(dayIn(20 + first)), to: dateOf(dayIn(20 + first + length)) },
});
const nights = fc
  .tuple(fc.nat(NIGHTS - 1), fc.nat(3))
  .map(([first, length]) => on(first, Math.min(length, NIGHTS - 1 - first)));
const inventory = fc
  .tuple(nights, fc.nat(9), fc.nat(4), fc.option(fc.nat(3)))
  .map(([range, capacity, out_of_order, overbooking_limit]) => {
    return { room_type_id: "room-double", ...range, capacity, out_of_order, overbooking_limit };
  });
const left = fc
  .tuple(nights, fc.nat(5), fc.constantFrom(null, "FLEX", "FIX"))
  .map(([range, units, rate_plan_id]): UnitsLeftRange => {
    return { room_type_id: "DBL", rate_plan_id, ...range, left: units };
  });
const holds = fc.array(fc.tuple(fc.nat(NIGHTS - 2), fc.boolean()), { maxLength: 4 });

function hold(world: Scenario, first: number, isFix: boolean): void {
  const rate_plan_id = isFix ? "plan-fix" : "plan-flex";
  const stay = stayIn(20 + first, 2);
  world.when(placeHold(frozenQuote(TREE, { stay, rate_plan_id })));
}

function offerOf({ state }: Scenario, planId = "plan-flex"): Offer {
  return findOffer(state.property(REALM, TREE.id)!, "room-double", planId) as Offer;
}

/** Units of the room type left on a night, ceilings aside. */
function leftOn(world: Scenario, first: number): number {
  const { roomType, room } = offerOf(world);
  return roomCell(roomType, room, dayIn(20 + first)).left;
}

/** The last value of each night, by room type and plan. */
function lastOf(ranges: readonly UnitsLeftRange[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { from, to, rate_plan_id, left: units } of ranges) {
    for (let first = 0; first < NIGHTS; first += 1) {
      const date = on(first).from;
      if (from <= date && date <= to) found.set(`${rate_plan_id ?? ""} ${first}`, units);
    }
  }
  return found;
}

test("after an update exactly the units left can be taken, of the room type and of each plan", () => {
  let isLowered = false;
  fc.assert(
    fc.property(
      fc.array(inventory, { maxLength: 3 }),
      holds,
      fc.array(left, { minLength: 1, maxLength: 5 }),
      holds,
      fc.array(left, { maxLength: 3 }),
      (before, taken, ranges, more, later) => {
        const world = given(createProperty(TREE), promoteProperty(TREE));
        world.when(updateAri(TREE, { inventory: before }));
        const rounds = [
          [taken, ranges],
          [more, later],
        ] as const;
        for (const [stays, units_left] of rounds) {
          for (const [first, isFix] of stays) hold(world, first, isFix);
          const came = world.when(updateAri(TREE, { units_left }));
          for (const each of came.types) expect(each).toBe("ari.changed");
          const { room, roomType } = offerOf(world);
          for (const [key, units] of lastOf(units_left)) {
            const [code, first] = key.split(" ") as [string, string];
            const day = dayIn(20 + Number(first));
            if (code === "") {
              expect(leftOn(world, Number(first))).toBe(units);
              isLowered ||= room.overbooking.get(day) < roomType.overbooking_limit;
              continue;
            }
            const planId = code === "FIX" ? "plan-fix" : "plan-flex";
            const ceiling = room.ceilings.find(({ rate_plan_id }) => rate_plan_id === planId)!;
            expect(ceilingLeft(ceiling, room, day, dayIn(0))).toBe(units);
          }
          const again = world.when(updateAri(TREE, { units_left }));
          expect(again.data).toMatchObject({ changed: false });
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(isLowered).toBeTrue();
});

test("units left are journaled as capacities and ceilings by id, one range per run of nights", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  hold(world, 2, true);
  const units_left = [
    { room_type_id: "DBL", ...on(0, 5), left: 4 },
    { room_type_id: "DBL", rate_plan_id: "FIX", ...on(0, 5), left: 1 },
  ];
  const event = world.when(updateAri(TREE, { units_left })).event("ari.changed");
  const room = { room_type_id: "room-double" };
  const plan = { ...room, rate_plan_id: "plan-fix", agent_id: null };
  expect(event.ari).toEqual({
    inventory: [
      { ...room, ...on(0, 1), capacity: 2 },
      { ...room, ...on(2, 1), capacity: 3 },
      { ...room, ...on(4, 1), capacity: 2 },
    ],
    ceilings: [
      { ...plan, ...on(0, 1), ceiling: 1 },
      { ...plan, ...on(2, 1), ceiling: 2 },
      { ...plan, ...on(4, 1), ceiling: 1 },
    ],
  });
});

test("a hold between the message and its decision keeps its unit", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  // The sender counted before the hold; what it has left is left beside the hold.
  const update = updateAri(TREE, { units_left: [{ room_type_id: "DBL", ...on(0, 5), left: 1 }] });
  hold(world, 0, false);
  world.when(update);
  expect([0, 1, 2].map((first) => leftOn(world, first))).toEqual([1, 1, 1]);
});

test("unknown names, dates and too many nights of units left are refused by path", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const paths = (...units_left: UnitsLeftRange[]) => {
    const { outcome } = world.when(updateAri(TREE, { units_left } satisfies NamedAri));
    if (outcome.ok) return [];
    return (outcome.detail.field_errors as { path: string }[]).map(({ path }) => path);
  };
  const far = { from: "2099-01-01", to: "2099-01-02" };
  expect(
    paths(
      { room_type_id: "NONE", ...on(0), left: 1 },
      { room_type_id: "DBL", rate_plan_id: "NONE", ...on(0), left: 1 },
      { room_type_id: "DBL", ...far, left: 1 },
    ),
  ).toEqual(["/units_left/2/to", "/units_left/0/room_type_id", "/units_left/1/rate_plan_id"]);
  const year = { room_type_id: "DBL", ...on(0, 364), left: 1 };
  expect(paths(...Array.from({ length: 54 }, () => year))).toEqual([]);
  expect(paths(...Array.from({ length: 55 }, () => year))).toEqual([""]);
});
