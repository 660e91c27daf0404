/** A state survives encoding and decoding; derived parts are rebuilt. */
import { expect, test } from "bun:test";
import {
  AGENT,
  beginBooking,
  cancelBooking,
  commandMeta,
  createProperty,
  frozenQuote,
  HOLD_TTL_MS,
  NOON,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  TENANT,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import type { State } from "../state/state.ts";
import { decodeState, encodeState } from "./state-codec.ts";

const TREE = propertyTree();
const ROOM = TREE.room_types[0]!;
const range = {
  room_type_id: ROOM.id,
  from: dateOf(dayIn(30)),
  to: dateOf(dayIn(33)),
};

/** One of everything: supply, a held and a confirming hold, a cancellation that waits. */
function busyWorld() {
  const rate_plan_id = ROOM.rate_plans[0]!.id;
  const world = given(
    createProperty(TREE),
    promoteProperty(TREE),
    updateAri(TREE, {
      inventory: [{ ...range, capacity: 9, out_of_order: 1, overbooking_limit: 2 }],
      rates: [{ rate_plan_id, from: range.from, to: range.to, amount: 12_300, extra_adult: 5 }],
      restrictions: [
        { ...range, cta: false, min_los_arrival: 1, min_advance_days: 0, los_pattern: "Y" },
        { ...range, rate_plan_id, ctd: false },
      ],
      ceilings: [
        { ...range, ceiling: 8, release: { strategy: "rolling", days_before: 3 } },
        { ...range, agent_id: AGENT, ceiling: 7, release: { at: range.from, strategy: "fixed" } },
      ],
    }),
    { ...commandMeta(), type: "SetFxRates", base: "EUR", rates: { USD: "1.08" } },
  );
  const place = () => {
    const quote = frozenQuote(TREE);
    const hold_id = world.when(placeHold(quote)).text("hold_id");
    return { hold_id, quote_id: quote.quote_id };
  };
  place();
  const confirming = beginBooking(place());
  world.when(confirming);
  const paid = world.when(beginBooking(place())).text("payment_id");
  const booking = world.when(paymentResult(paid, "captured")).text("booking_id");
  world.when(cancelBooking(booking));
  return { world, confirming };
}

function read(state: State, tracksExpiry = true): State {
  return decodeState([...encodeState(state)], { tracksExpiry });
}

test("a decoded state encodes to the same bytes", () => {
  const { state } = busyWorld().world;
  expect([...encodeState(read(state))]).toEqual([...encodeState(state)]);
  expect(state.awaitingRefund.size).toBe(1);
});

test("lookups that are not written are rebuilt", () => {
  const { world, confirming } = busyWorld();
  const { state } = world;
  const restored = read(state);
  expect(restored.runningKeys).toEqual(state.runningKeys);
  expect(restored.refundsByKey).toEqual(state.refundsByKey);
  expect(restored.runningKeys.has(confirming.key ?? "")).toBe(true);
  expect(restored.tenant(TENANT)).toEqual(state.tenant(TENANT));
  for (const { quote } of state.holds.values()) {
    const idsIn = ({ holds }: State) => {
      return Array.from(holds.onQuote(quote.quote_id), ({ hold_id }) => hold_id);
    };
    expect(idsIn(restored)).toEqual(idsIn(state));
  }
});

test("the payment that has waited longest is first again, whatever its id", () => {
  const world = given(
    createProperty(TREE),
    promoteProperty(TREE),
    updateAri(TREE, { inventory: [{ ...range, capacity: 9 }] }),
  );
  const paymentIds = Array.from({ length: 8 }, () => {
    const quote = frozenQuote(TREE);
    const hold_id = world.when(placeHold(quote)).text("hold_id");
    return world.when(beginBooking({ hold_id, quote_id: quote.quote_id })).text("payment_id");
  });
  expect(paymentIds).not.toEqual(paymentIds.toSorted());
  const restored = read(world.state);
  expect([...restored.payments.keys()]).toEqual(paymentIds);
  expect([...restored.runningKeys.values()]).toEqual(paymentIds);
});

test("held holds become due after a restart, confirming ones do not", () => {
  const { world } = busyWorld();
  world.state = read(world.state);
  world.at(NOON + HOLD_TTL_MS);
  const types: string[] = [];
  for (let due = world.due(); due; due = world.due()) types.push(due.types.join(" "));
  expect(types).toEqual(["hold.expired", ""]);
});

test("a replica keeps no expiries", () => {
  expect(read(busyWorld().world.state, false).holds.expiries).toBeNull();
});

test("a chunk of an unknown name is refused", () => {
  const chunks = [{ name: "novelty", text: "{}" }];
  expect(() => decodeState(chunks, { tracksExpiry: false })).toThrow("unknown snapshot chunk");
});
