/** A night shows the values that decisions use. */
import { expect, test } from "bun:test";
import {
  AGENT,
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { unitsLeft } from "../availability/availability.ts";
import { priceInputAt } from "../availability/quoting.ts";
import { dateOf } from "../calendar.ts";
import { findOffer } from "../state/state.ts";
import { planCells, roomCell } from "./cells.ts";

const TREE = propertyTree({
  room_types: [roomType({ default_inventory: 4, overbooking_limit: 1 })],
});
const ROOM = TREE.room_types[0]!;
const PLAN = ROOM.rate_plans[0]!;
const from = dateOf(dayIn(30));
const to = dateOf(dayIn(31));

test("a night shows what is set, taken and left, and the default where nothing is set", () => {
  const range = { room_type_id: ROOM.id, from, to };
  const release = { strategy: "rolling", days_before: 2 } as const;
  const world = given(
    createProperty(TREE),
    promoteProperty(TREE),
    updateAri(TREE, {
      inventory: [{ ...range, capacity: 3, out_of_order: 1 }],
      rates: [{ rate_plan_id: PLAN.id, from, to: from, amount: 7_700 }],
      restrictions: [
        { ...range, cta: true, min_los_arrival: 2 },
        { ...range, rate_plan_id: PLAN.id, cta: false },
      ],
      ceilings: [
        { ...range, ceiling: 2, release },
        { ...range, agent_id: AGENT, to: from, ceiling: 1 },
      ],
    }),
  );
  world.when(updateAri(TREE, { restrictions: [{ ...range, cta: null }] }));
  world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 2) })));
  const property = world.state.property(REALM, TREE.id)!;
  const room = property.rooms.get(ROOM.id)!;
  expect(roomCell(ROOM, room, dayIn(30))).toEqual({
    ...{ capacity: 3, out_of_order: 1, overbooking_limit: 1, effective: 3 },
    ...{ sold: 0, held: 1, left: 2, oversold: 0, restrictions: { min_los_arrival: 2 } },
    ceilings: [
      { rate_plan_id: null, agent_id: null, limit: 2, used: 1, release },
      { rate_plan_id: null, agent_id: AGENT, limit: 1, used: 1, release: null },
    ],
  });
  expect(roomCell(ROOM, room, dayIn(32))).toEqual({
    ...{ capacity: 4, out_of_order: 0, overbooking_limit: 1, effective: 5 },
    ...{ sold: 0, held: 0, left: 5, oversold: 0, restrictions: {}, ceilings: [] },
  });
  const offer = findOffer(property, ROOM.id, PLAN.id);
  if (typeof offer === "string") throw new Error(offer);
  const base = PLAN.base_rate_per_night;
  expect(planCells(offer, dayIn(30), 2)).toMatchObject([
    { amount: 7_700, rate_source: "date_override", restrictions: { cta: false } },
    { amount: base, rate_source: "base", restrictions: { cta: false } },
  ]);
  const asked = {
    checkInDay: dayIn(31),
    nights: 2,
    party: { adults: 1, children: [] },
    todayDay: null,
  };
  expect(planCells(offer, dayIn(31), 2).map(({ amount }) => amount)).toEqual([
    ...priceInputAt(offer, asked).nightly,
  ]);
  expect(unitsLeft(offer, { ...asked, agentId: "another", todayDay: dayIn(0) })).toBe(1);
});
