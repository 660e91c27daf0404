/** Provider results: one row each, at most one capture and one booking per hold. */
import { expect, test } from "bun:test";
import {
  beginBooking,
  commandMeta,
  createProperty,
  frozenQuote,
  HOLD_TTL_MS,
  NOON,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  refundResult,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { decodeState, encodeState } from "../codec/state-codec.ts";
import type { RecordPaymentReference } from "../commands.ts";

const TREE = propertyTree();
const ROOM = TREE.room_types[0]!.id;
const DAY_MS = 86_400_000;

function confirming(actor = { kind: "agent", id: "agt_ann" } as const) {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const placed = world.when(placeHold(frozenQuote(TREE, { due_now: 7_000 })));
  const hold = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  const command = beginBooking(hold, { actor });
  const paymentId = world.when(command).text("payment_id");
  return { world, hold, command, paymentId };
}

function cell({ world }: ReturnType<typeof confirming>) {
  return world.cell(TREE.id, ROOM, dayIn(30));
}

test("a capture confirms the booking and seals the 201 under the booking's own key", () => {
  const scene = confirming();
  const { world, hold, command, paymentId } = scene;
  const done = world.when(paymentResult(paymentId, "captured"));
  done.recorded("payment.captured", "booking.confirmed");
  expect(done.decision).toMatchObject({
    phase: "sealed",
    key: { key: command.key, body_hash: command.body_hash, agent_id: "agt_ann" },
  });
  const payment = { payment_id: paymentId, state: "captured", amount: 7_000, currency: "EUR" };
  expect(done.data).toMatchObject({ state: "confirmed", hold_id: hold.hold_id, payment });
  expect(done.outcome.trace_id).toBe(command.trace_id);
  expect(world.state.holds.has(hold.hold_id)).toBe(false);
  expect(world.records.hold(hold.hold_id)?.state).toBe("consumed");
  expect(world.records.payment(paymentId)?.state).toBe("captured");
  expect(cell(scene)).toEqual({ held: 0, sold: 1 });
});

test("an operator who books an agent's hold stays the owner of the key", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const placed = world.when(placeHold(frozenQuote(TREE)));
  const hold = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  const actor = { kind: "operator", id: "agt_ops" } as const;
  const paymentId = world.when(beginBooking(hold, { actor })).text("payment_id");
  const done = world.when(paymentResult(paymentId, "captured"));
  expect(done.decision.key?.agent_id).toBe("agt_ops");
  expect(world.records.booking(done.text("booking_id"))?.agent_id).toBe("agt_ann");
});

test("a result for a settled payment changes nothing", () => {
  const { world, paymentId } = confirming();
  world.when(paymentResult(paymentId, "captured"));
  for (const result of [
    "captured",
    "declined",
    "cancelled",
    "provider_error",
    "unknown",
  ] as const) {
    const late = world.when(paymentResult(paymentId, result));
    late.recorded();
    expect(late.data).toEqual({ payment_id: paymentId, changed: false });
  }
  world.when(paymentResult("pay_unknown", "captured")).recorded();
});

test.each(["declined", "cancelled"] as const)("%s releases the hold and seals a 402", (result) => {
  const scene = confirming();
  const { world, hold, command, paymentId } = scene;
  const came = world.when({
    ...paymentResult(paymentId, result),
    provider_code: "card_declined",
    provider_message: "No funds.",
  });
  came.recorded("payment.failed");
  expect(came.outcome).toMatchObject({
    ok: false,
    code: "payment_failed",
    docs: command.docs,
    detail: {
      ...{ hold_id: hold.hold_id, payment_id: paymentId },
      provider_message: "No funds.",
    },
  });
  expect(came.decision).toMatchObject({ phase: "sealed", key: { key: command.key } });
  expect(world.state.holds.get(hold.hold_id)?.state).toBe("held");
  expect(cell(scene)).toEqual({ held: 1, sold: 0 });
  expect(world.when(beginBooking(hold)).event("payment.pending").attempt).toBe(2);
});

test("a provider error leaves the key open for another attempt on the same hold", () => {
  const { world, hold, command, paymentId } = confirming();
  const came = world.at(NOON + 1_000).when(paymentResult(paymentId, "provider_error"));
  expect(came.outcome).toMatchObject({ code: "payment_provider_error", retry_after: 2 });
  expect(came.decision).toMatchObject({ phase: "open", key: { key: command.key } });
  const again = world.when(command).event("payment.pending");
  expect(again).toMatchObject({ attempt: 2, hold_id: hold.hold_id });
  expect(again.payment_id).not.toBe(paymentId);
});

test.each(["declined", "provider_error"] as const)("%s past the TTL expires the hold", (result) => {
  const scene = confirming();
  const { world, hold, paymentId } = scene;
  const came = world.at(NOON + HOLD_TTL_MS).when(paymentResult(paymentId, result));
  came.recorded("payment.failed", "hold.expired");
  expect(came.event("payment.failed").hold_state).toBe("expired");
  expect(world.records.hold(hold.hold_id)?.state).toBe("expired");
  expect(cell(scene)).toEqual({ held: 0, sold: 0 });
});

test("a hold released before its TTL still expires at it", () => {
  const { world, paymentId } = confirming();
  world.at(NOON + HOLD_TTL_MS).due();
  world.at(NOON + HOLD_TTL_MS - 1);
  world.when(paymentResult(paymentId, "declined"));
  world
    .at(NOON + HOLD_TTL_MS)
    .due()
    ?.recorded("hold.expired");
  expect(world.due()).toBeNull();
});

test("unknown is noted once and keeps the hold waiting", () => {
  const { world, hold, paymentId } = confirming();
  world.when(paymentResult(paymentId, "unknown")).recorded("payment.unknown");
  world.when(paymentResult(paymentId, "unknown")).recorded();
  expect(world.state.holds.get(hold.hold_id)?.state).toBe("confirming");
  world
    .when(paymentResult(paymentId, "captured"))
    .recorded("payment.captured", "booking.confirmed");
});

test("the provider's reference is journaled once, while the payment is open", () => {
  const { world, paymentId } = confirming();
  const { key: _key, body_hash: _hash, ...meta } = commandMeta();
  const reference = (provider_ref: string): RecordPaymentReference => ({
    ...{ ...meta, type: "RecordPaymentReference", payment_id: paymentId, provider_ref },
  });
  world.when(reference("ch_1")).recorded("payment.referenced");
  world.when(reference("ch_2")).recorded();
  expect(world.records.payment(paymentId)?.provider_ref).toBe("ch_1");
});

test.each([
  ["captured", ["payment.captured", "booking.confirmed"]],
  ["declined", ["payment.failed"]],
  ["unknown", ["payment.unknown"]],
] as const)("a reference that comes with the verdict %s precedes it in its row", (...row) => {
  const [result, events] = row;
  const { world, paymentId } = confirming();
  const verdict = { ...paymentResult(paymentId, result), provider_ref: "ch_1" };
  world.when(verdict).recorded("payment.referenced", ...events);
  expect(world.records.payment(paymentId)?.provider_ref).toBe("ch_1");
});

test("a known reference is not journaled again with the verdict", () => {
  const { world, paymentId } = confirming();
  const verdict = (result: "unknown" | "captured", provider_ref: string) => ({
    ...{ ...paymentResult(paymentId, result), provider_ref },
  });
  world.when(verdict("unknown", "ch_1")).recorded("payment.referenced", "payment.unknown");
  world.when(verdict("captured", "ch_2")).recorded("payment.captured", "booking.confirmed");
  expect(world.records.payment(paymentId)?.provider_ref).toBe("ch_1");
});

test("after 24 hours without a verdict the units are returned and the key is answered", () => {
  const scene = confirming();
  const { world, hold, command, paymentId } = scene;
  world.at(NOON + DAY_MS - 1);
  expect(world.due()?.types).toEqual(["horizon.advanced"]);
  expect(world.due()).toBeNull();
  const gaveUp = world.at(NOON + DAY_MS).due();
  gaveUp?.recorded("payment.outcome_unknown", "hold.expired");
  expect(gaveUp?.decision).toMatchObject({ phase: "sealed", key: { key: command.key } });
  expect(gaveUp?.outcome).toMatchObject({
    code: "payment_failed",
    detail: { reason: "outcome_unknown", hold_id: hold.hold_id, payment_id: paymentId },
  });
  expect(world.records.payment(paymentId)?.state).toBe("unknown");
  expect(cell(scene)).toEqual({ held: 0, sold: 0 });
  expect(world.due()).toBeNull();
});

test("a capture found after that is refunded in full, without a booking", () => {
  const { world, paymentId } = confirming();
  world.at(NOON + DAY_MS);
  while (world.due());
  const late = world.when(paymentResult(paymentId, "captured"));
  late.recorded("payment.captured", "refund.requested");
  const asked = late.event("refund.requested");
  expect(asked).toMatchObject({ booking_id: null, amount: 7_000, reason: "late_capture" });
  const done = world.when(refundResult(asked.refund_id, "succeeded"));
  done.recorded("refund.succeeded");
  expect(done.event("refund.succeeded").receipt.kind).toBe("refund_issued");
  expect(world.records.payment(paymentId)).toMatchObject({ state: "refunded", refunded: 7_000 });
});

test("a refusal found after that only closes the payment", () => {
  const { world, paymentId } = confirming();
  world.at(NOON + DAY_MS);
  while (world.due());
  world.when(paymentResult(paymentId, "cancelled")).recorded("payment.failed");
  expect(world.records.payment(paymentId)?.state).toBe("failed");
});

test("a code of an open payment is given to no other booking, also after a restart", () => {
  const { world, command } = confirming();
  const codes = [false, true].map((isRestarted) => {
    if (isRestarted) {
      world.state = decodeState([...encodeState(world.state)], { tracksExpiry: true });
    }
    const day = isRestarted ? 5 : 8;
    const stay = { check_in: `2026-10-0${day}`, check_out: `2026-10-0${day + 1}` };
    const placed = world.when(placeHold(frozenQuote(TREE, { stay })));
    const hold = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
    const { random } = command;
    world.at(world.stamp + 1);
    world.when(beginBooking(hold, { random, key: `${day}`.padEnd(32, "0") }));
    return [...world.state.payments.values()].at(-1)?.confirmation_code;
  });
  const [first] = world.state.payments.values();
  expect(new Set([first?.confirmation_code, ...codes]).size).toBe(3);
});

test("neither a booking nor a tick iterates over the open payments", () => {
  const { world, paymentId } = confirming();
  const { payments } = world.state;
  const walk = (): never => {
    throw new Error("walked");
  };
  Object.assign(payments, { values: walk, entries: walk, keys: walk, forEach: walk });
  Object.defineProperty(payments, Symbol.iterator, { value: walk });
  const placed = world.when(placeHold(frozenQuote(TREE)));
  const hold = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  world.when(beginBooking(hold, { key: "b".repeat(32) })).recorded("payment.pending");
  expect(world.due()).toBeNull();
  world
    .at(NOON + DAY_MS)
    .due()
    ?.recorded("horizon.advanced");
  expect(world.due()?.event("payment.outcome_unknown").payment_id).toBe(paymentId);
});
