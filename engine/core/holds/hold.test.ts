/** Holds: the order of refusals, reasons per night, units moved. */
import { expect, test } from "bun:test";
import {
  AGENT,
  beginBooking,
  createProperty,
  extendHold,
  frozenQuote,
  HOLD_TTL_MS,
  NOON,
  OTHER_AGENT,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
  QUOTE_TTL_MS,
  ratePlan,
  releaseHold,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import type { Command } from "../commands.ts";
import type { Hints } from "../outcomes.ts";
import type { AriUpdate } from "../supply.ts";

const SUITE = roomType({
  id: "room-suite",
  default_inventory: 1,
  rate_plans: [ratePlan({ id: "plan-suite" })],
});
const TREE = propertyTree({ room_types: [roomType(), SUITE] });
const ROOM = TREE.room_types[0]!.id;
const STAY = stayIn(30, 2);
const NIGHT_1 = STAY.check_in;
const NIGHT_2 = stayIn(31, 1).check_in;
const OPERATOR = { kind: "operator", id: "agt_ops" } as const;
const BOB = { kind: "agent", id: OTHER_AGENT } as const;

function onSale(...more: readonly AriUpdate[]) {
  const updates = more.map((ari) => updateAri(TREE, ari));
  return given(createProperty(TREE), promoteProperty(TREE), ...updates);
}

function quote(over: Parameters<typeof frozenQuote>[1] = {}) {
  return frozenQuote(TREE, { stay: STAY, ...over });
}

function held(world = onSale()) {
  const placed = world.when(placeHold(quote()));
  return { world, holdId: placed.text("hold_id"), quoteId: placed.text("quote_id") };
}

const range = { room_type_id: ROOM, from: NIGHT_1, to: NIGHT_1 };

test("a hold takes one unit of every night, check-out excluded, in one event", () => {
  const world = onSale();
  const placed = world.when(placeHold(quote()));
  placed.recorded("hold.created");
  expect(placed.decision.phase).toBe("sealed");
  expect(placed.data).toMatchObject({
    state: "held",
    expires_at: new Date(NOON + HOLD_TTL_MS).toISOString(),
    property_id: TREE.id,
    stay: STAY,
    seq: 3,
    other_live_holds: [],
  });
  const held = [29, 30, 31, 32].map((day) => world.cell(TREE.id, ROOM, dayIn(day)).held);
  expect(held).toEqual([0, 1, 1, 0]);
});

test("a quote that the API did not find is refused with the reason the API gives", () => {
  const world = onSale();
  const lost = { ...placeHold(quote()), quote: null };
  world.when(lost).refused("quote_not_found", { quote_id: lost.quote_id });
  const missing = "quote_expired";
  world.when({ ...placeHold(quote()), quote: null, missing }).refused("quote_expired");
});

test("a quote of another tenant, mode or agent is refused as unknown", () => {
  const world = onSale();
  world.when(placeHold(quote(), { tenant_id: OTHER_TENANT })).refused("quote_not_found");
  world.when(placeHold(quote(), { mode: "test" })).refused("quote_not_found");
  world.when(placeHold(quote(), { actor: BOB })).refused("quote_not_found");
  expect(world.when(placeHold(quote(), { actor: OPERATOR })).outcome.ok).toBe(true);
});

test("a quote is expired from the millisecond of its expiry on", () => {
  const world = onSale();
  const last = placeHold(quote());
  expect(world.at(NOON + QUOTE_TTL_MS - 1).when(last).outcome.ok).toBe(true);
  const late = placeHold(quote());
  const expired_at = new Date(NOON + QUOTE_TTL_MS).toISOString();
  world
    .at(NOON + QUOTE_TTL_MS)
    .when(late)
    .refused("quote_expired", { expired_at });
});

test("an expired quote is refused before the cap, the cap before restrictions", () => {
  const world = onSale({ restrictions: [{ ...range, stop_sell: true }] });
  const limits = { max_open_holds: 0, max_booking_amount: null };
  const old = placeHold(quote({ expires_at: NOON }), { limits });
  world.when(old).refused("quote_expired");
  world.when(placeHold(quote(), { limits })).refused("rate_limited");
  world.when(placeHold(quote())).refused("allocation_failed", { reason: "restriction" });
});

test("a refusal by the cap on open holds gives the wait and is never sealed", () => {
  const { world } = held();
  const limits = { max_open_holds: 1, max_booking_amount: null };
  const capped = world.at(NOON + 60_400).when(placeHold(quote(), { limits }));
  capped.refused("rate_limited", { policy: "max_open_holds", limit: 1, open: 1 });
  expect(capped.decision.phase).toBe("transient");
  expect(capped.outcome).toMatchObject({ retry_after: 840 });
});

test("a missing property, room type or plan is named", () => {
  const world = onSale();
  world.when(placeHold(quote({ property_id: "gone" }))).refused("property_not_found");
  world.when(placeHold(quote({ room_type_id: "gone" }))).refused("room_type_not_found");
  const foreignPlan = quote({ rate_plan_id: "plan-suite" });
  world.when(placeHold(foreignPlan)).refused("rate_plan_not_found");
});

test("a draft cannot be held", () => {
  const world = given(createProperty(TREE));
  const blocking = [{ date: NIGHT_1, reason: "property_not_live" }];
  const refused = world.when(placeHold(quote()));
  refused.refused("allocation_failed", { reason: "restriction", blocking, alternatives: [] });
});

test("restrictions are checked before ceilings, ceilings before units", () => {
  const world = onSale({ inventory: [{ ...range, capacity: 0 }] });
  world.when(placeHold(quote())).refused("allocation_failed", { reason: "no_units" });
  world.when(updateAri(TREE, { ceilings: [{ ...range, ceiling: 0 }] }));
  world.when(placeHold(quote())).refused("allotment_exhausted", { ceiling: 0, used: 0 });
  world.when(updateAri(TREE, { restrictions: [{ ...range, cta: true }] }));
  world.when(placeHold(quote())).refused("allocation_failed", { reason: "restriction" });
});

test("a full night is named with its numbers, and alternatives that can be held are offered", () => {
  const world = onSale({ inventory: [{ ...range, from: NIGHT_2, to: NIGHT_2, capacity: 1 }] });
  world.when(placeHold(quote()));
  const refused = world.when(placeHold(quote()));
  const full = { date: NIGHT_2, reason: "no_vacancy", capacity: 1, sold: 0, held: 1 };
  refused.refused("allocation_failed", { reason: "no_units", blocking: [full] });
  expect(refused.outcome).toMatchObject({
    detail: {
      alternatives: [
        { kind: "dates", sellable: 1, quote: { stay: stayIn(29, 2) } },
        { kind: "dates", sellable: 2, quote: { stay: stayIn(32, 2) } },
        { kind: "room_type", sellable: 1, quote: { room_type_id: SUITE.id, stay: STAY } },
      ],
    },
    hints: { requote: { hotel_id: TREE.id, stay: STAY } },
  });
});

test("an exhausted ceiling names its nights and its scope", () => {
  const world = onSale({ ceilings: [{ ...range, ceiling: 1 }] });
  world.when(placeHold(quote()));
  world.when(placeHold(quote())).refused("allotment_exhausted", {
    dates: [NIGHT_1],
    ceiling: 1,
    used: 1,
    blocking: [{ date: NIGHT_1, reason: "ceiling_reached", ceiling: 1, used: 1 }],
  });
});

test("other live holds of the same agent on the quote are listed, newest first", () => {
  const world = onSale({ inventory: [{ ...range, to: NIGHT_2, capacity: 9 }] });
  const shared = quote();
  const first = world.when(placeHold(shared)).text("hold_id");
  world.at(NOON + 1).when(placeHold(shared, { actor: OPERATOR }));
  const second = world.at(NOON + 2).when(placeHold(shared));
  expect(second.data.other_live_holds).toEqual([first]);
  const third = world.at(NOON + 3).when(placeHold(shared));
  expect(third.data.other_live_holds).toEqual([second.text("hold_id"), first]);
});

test("extending adds a TTL to the old expiry, at most twice", () => {
  const { world, holdId } = held();
  world.at(NOON + 60_000);
  const once = world.when(extendHold(holdId));
  once.recorded("hold.extended");
  const expires_at = new Date(NOON + 2 * HOLD_TTL_MS).toISOString();
  expect(once.data).toMatchObject({ state: "held", expires_at, extensions: 1 });
  world.when(extendHold(holdId));
  const third = world.when(extendHold(holdId));
  third.refused("conflict", { reason: "max_extensions", extensions: 2 });
});

test("extending needs no free unit", () => {
  const { world, holdId } = held();
  world.when(updateAri(TREE, { inventory: [{ ...range, capacity: 0 }] }));
  expect(world.when(extendHold(holdId)).outcome.ok).toBe(true);
});

test("an extended hold expires at its new time, not at its old one", () => {
  const { world, holdId } = held();
  world.when(extendHold(holdId));
  expect(world.at(NOON + 2 * HOLD_TTL_MS - 1).due()).toBeNull();
  world
    .at(NOON + 2 * HOLD_TTL_MS)
    .due()
    ?.recorded("hold.expired");
  expect(world.cell(TREE.id, ROOM, dayIn(30)).held).toBe(0);
});

test("releasing returns every night once; the second release is answered with the first", () => {
  const { world, holdId } = held();
  const first = world.at(NOON + 5_000).when(releaseHold(holdId));
  first.recorded("hold.released");
  const again = world.at(NOON + 9_000).when(releaseHold(holdId));
  again.recorded();
  expect(again.data).toEqual(first.data);
  expect(again.decision.phase).toBe("sealed");
  expect(world.cell(TREE.id, ROOM, dayIn(30))).toEqual({ held: 0, sold: 0 });
});

test("a due hold is expired for every caller, journaled or not", () => {
  const { world, holdId, quoteId } = held();
  world.at(NOON + HOLD_TTL_MS);
  const detail = { hold_id: holdId, expired_at: new Date(NOON + HOLD_TTL_MS).toISOString() };
  const uses = () => [
    extendHold(holdId),
    releaseHold(holdId),
    beginBooking({ hold_id: holdId, quote_id: quoteId }),
  ];
  for (const command of uses()) world.when(command).refused("hold_expired", detail);
  world.due()?.recorded("hold.expired");
  for (const command of uses()) world.when(command).refused("hold_expired", detail);
});

test("the same stay is offered again as long as it has not begun at the property", () => {
  const { world, holdId, quoteId } = held();
  const dayMs = 86_400_000;
  const checkInMs = NOON + 30 * dayMs;
  const requote = (command: Command) => {
    const { hints } = world.when(command).outcome as { readonly hints?: Hints };
    return hints?.requote?.stay;
  };
  const uses = () => [
    releaseHold(holdId),
    beginBooking({ hold_id: holdId, quote_id: quoteId }),
    placeHold(quote({ expires_at: NOON })),
  ];
  world.at(checkInMs);
  for (const command of uses()) expect(requote(command)).toEqual(STAY);
  world.at(checkInMs + dayMs);
  for (const command of uses()) expect(requote(command)).toBeUndefined();
});

test("a released, confirming or consumed hold is not active", () => {
  const released = held();
  released.world.when(releaseHold(released.holdId));
  const detail = { hold_id: released.holdId, state: "released" };
  released.world.when(extendHold(released.holdId)).refused("hold_not_active", detail);

  const { world, holdId, quoteId } = held();
  world.when(beginBooking({ hold_id: holdId, quote_id: quoteId }));
  for (const command of [extendHold(holdId), releaseHold(holdId)]) {
    world.when(command).refused("hold_not_active", { hold_id: holdId, state: "confirming" });
  }

  const free = onSale();
  const placed = free.when(placeHold(quote({ due_now: 0 })));
  const ids = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  const booking_id = free.when(beginBooking(ids)).text("booking_id");
  const consumed = { state: "consumed", booking_id };
  free.when(releaseHold(ids.hold_id)).refused("hold_not_active", consumed);
});

test("a hold of another tenant, mode or agent is refused as unknown", () => {
  const { world, holdId } = held();
  for (const make of [extendHold, releaseHold]) {
    world.when(make("hld_unknown")).refused("hold_not_found", { hold_id: "hld_unknown" });
    world.when(make(holdId, { tenant_id: OTHER_TENANT })).refused("hold_not_found");
    world.when(make(holdId, { mode: "test" })).refused("hold_not_found");
    world.when(make(holdId, { actor: BOB })).refused("hold_not_found");
  }
  const agent = world.state.holds.get(holdId)?.agent_id;
  expect(agent).toBe(AGENT);
  expect(world.when(releaseHold(holdId, { actor: OPERATOR })).outcome.ok).toBe(true);
});
