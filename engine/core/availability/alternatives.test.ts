/** Every alternative can be held, nearest dates first. */
import { expect, test } from "bun:test";
import {
  AGENT,
  createProperty,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import { findOffer } from "../state/state.ts";
import type { AriUpdate } from "../supply.ts";
import { alternativesTo } from "./alternatives.ts";

const ROOMS = ["a", "b", "c", "d"].map((id) =>
  roomType({
    id,
    rate_plans: [ratePlan({ id: `${id}-flex` }), ratePlan({ id: `${id}-early` })],
  }),
);
const TREE = propertyTree({ room_types: ROOMS });
const QUERY = {
  checkInDay: dayIn(30),
  nights: 2,
  party: { adults: 2, children: [] },
  agentId: AGENT,
};

function alternatives(ari: AriUpdate, todayDay = dayIn(0), isLive = true) {
  const promoted = isLive ? [promoteProperty(TREE)] : [];
  const world = given(createProperty(TREE), ...promoted, updateAri(TREE, ari));
  const offer = findOffer(world.state.property(REALM, TREE.id)!, "a", "a-flex");
  if (typeof offer === "string") throw new Error(offer);
  return alternativesTo(offer, { ...QUERY, todayDay });
}

function closed(room_type_id: string, fromDay: number, toDay: number) {
  return { room_type_id, from: dateOf(dayIn(fromDay)), to: dateOf(dayIn(toDay)), stop_sell: true };
}

test("the two nearest stays of the room are offered, later before earlier, then two other rooms", () => {
  const found = alternatives({ restrictions: [closed("a", 30, 31)] });
  expect(found.map(({ kind, sellable }) => [kind, sellable])).toEqual([
    ["dates", 2],
    ["dates", 2],
    ["room_type", 2],
    ["room_type", 2],
  ]);
  expect(found.map(({ quote }) => quote)).toMatchObject([
    { room_type_id: "a", rate_plan_id: "a-flex", stay: stayIn(32, 2) },
    { room_type_id: "a", rate_plan_id: "a-flex", stay: stayIn(28, 2) },
    { room_type_id: "b", rate_plan_id: "b-flex", stay: stayIn(30, 2) },
    { room_type_id: "c", rate_plan_id: "c-flex", stay: stayIn(30, 2) },
  ]);
});

test("for a too short stay the required length is offered before other dates", () => {
  const on = { room_type_id: "a", from: dateOf(dayIn(30)), to: dateOf(dayIn(33)) };
  const restrictions = [
    { ...on, to: on.from, min_los_arrival: 3 },
    { ...on, from: dateOf(dayIn(32)), min_stay_through: 4 },
  ];
  const [first] = alternatives({ restrictions });
  expect(first).toMatchObject({ kind: "dates", quote: { stay: stayIn(30, 4) } });
});

test("stays beyond the horizon are not offered, as no quote accepts them", () => {
  const found = alternatives({ restrictions: [closed("a", 30, 31)] }, dayIn(30 + 1 - 730));
  expect(found.map(({ quote }) => quote.stay)).toEqual([
    stayIn(28, 2),
    stayIn(27, 2),
    stayIn(30, 2),
    stayIn(30, 2),
  ]);
});

test("stays that begin before the earliest day are not offered", () => {
  const found = alternatives({ restrictions: [closed("a", 30, 31)] }, dayIn(30));
  const dates = found.filter(({ kind }) => kind === "dates").map(({ quote }) => quote.stay);
  expect(dates).toEqual([stayIn(32, 2), stayIn(33, 2)]);
});

test("stays more than two weeks away and rooms that are also full are not offered", () => {
  const found = alternatives({ restrictions: ROOMS.map(({ id }) => closed(id, 1, 60)) });
  expect(found).toEqual([]);
});

test("another room is offered by the first of its plans that can be held", () => {
  const restrictions = [
    closed("a", 1, 60),
    { ...closed("b", 30, 30), rate_plan_id: "b-flex" },
    closed("c", 31, 31),
  ];
  const found = alternatives({ restrictions }).map(({ quote }) => quote.rate_plan_id);
  expect(found).toEqual(["b-early", "d-flex"]);
});

test("a property that is not on sale has no alternatives", () => {
  expect(alternatives({}, dayIn(0), false)).toEqual([]);
});
