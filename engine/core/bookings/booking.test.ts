/** Booking up to the provider call: the order of refusals, one booking per hold. */
import { expect, test } from "bun:test";
import {
  AGENT,
  beginBooking,
  createProperty,
  frozenQuote,
  HOLD_TTL_MS,
  NOON,
  OTHER_AGENT,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  stayIn,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import type { Consent } from "../consent.ts";

const TREE = propertyTree();
const ROOM = TREE.room_types[0]!.id;

function held(over: Parameters<typeof frozenQuote>[1] = {}) {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const placed = world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 2), ...over })));
  return { world, hold: { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") } };
}

test("booking an amount due makes the hold wait for one payment of exactly that amount", () => {
  const { world, hold } = held({ due_now: 12_345 });
  const begun = world.when(beginBooking(hold));
  begun.recorded("payment.pending");
  expect(begun.decision.phase).toBe("running");
  expect(begun.event("payment.pending")).toMatchObject({
    hold_id: hold.hold_id,
    attempt: 1,
    amount: 12_345,
    currency: "EUR",
    method: "card",
  });
  expect(begun.decision.subjectKey?.wrapped_key).toBe("wrapped");
  expect(world.state.holds.get(hold.hold_id)?.state).toBe("confirming");
  expect(world.cell(TREE.id, ROOM, dayIn(30))).toEqual({ held: 1, sold: 0 });
});

test("a confirming hold does not expire", () => {
  const { world, hold } = held();
  world.when(beginBooking(hold));
  expect(world.at(NOON + HOLD_TTL_MS).due()).toBeNull();
});

test("nothing due: begin and confirmation are one row without a payment", () => {
  const { world, hold } = held({ due_now: 0 });
  const booked = world.when(beginBooking(hold));
  booked.recorded("booking.confirmed");
  expect(booked.decision.phase).toBe("sealed");
  expect(booked.data).toMatchObject({ state: "confirmed", payment: null, version: 1 });
  expect(booked.outcome).toMatchObject({
    receipt: { kind: "booking_confirmed", subject: { captured: 0, total: 20_000 } },
  });
  const stored = world.records.booking(booked.text("booking_id"));
  expect(stored).toMatchObject({ state: "confirmed", hold_id: hold.hold_id, payment_id: null });
  expect(world.cell(TREE.id, ROOM, dayIn(31))).toEqual({ held: 0, sold: 1 });
});

test("an unknown or foreign hold is not found, before any other check", () => {
  const { world, hold } = held();
  const wrong = { hold_id: "hld_unknown", quote_id: "qt_other" };
  world.when(beginBooking(wrong)).refused("hold_not_found", { hold_id: "hld_unknown" });
  const actor = { kind: "agent", id: OTHER_AGENT } as const;
  world.when(beginBooking(hold, { actor })).refused("hold_not_found");
});

test("the hold's state is checked before the quote, the quote before authorization", () => {
  const { world, hold } = held();
  const limits = { max_open_holds: null, max_booking_amount: { amount: 0, currency: "EUR" } };
  const mismatched = { ...hold, quote_id: "qt_other" };
  world.when(beginBooking(mismatched, { limits })).refused("quote_mismatch", mismatched);
  const required = { ok: false, code: "authorization_required" };
  expect(world.when(beginBooking(hold, { limits })).outcome).toMatchObject(required);
  world.at(NOON + HOLD_TTL_MS);
  world.when(beginBooking(mismatched, { limits })).refused("hold_expired");
});

test("the token's amount is checked before the hold's state, and the refusal is not sealed", () => {
  const { world, hold } = held();
  const detail = { reason: "audience_mismatch", claim: "max_amount" };
  const boundTo = (max_amount: number) => ({ consent: { claims: { max_amount } } });
  const bound = beginBooking(hold, boundTo(19_999));
  expect(world.when(bound).refused("delegation_invalid", detail).decision.phase).toBe("transient");
  const actor = { kind: "agent", id: OTHER_AGENT } as const;
  world.when({ ...bound, actor }).refused("hold_not_found");
  expect(world.when(beginBooking(hold, boundTo(20_000))).outcome.ok).toBe(true);
  world.when(beginBooking(hold, boundTo(19_999))).refused("delegation_invalid", detail);
});

test("a token of another agent or hold, or an expired one, books nothing and reveals nothing", () => {
  const { world, hold } = held();
  const { hold_id } = hold;
  const book = (consent: Consent, of = hold) => world.when(beginBooking(of, { consent }));
  for (const of of [hold, { ...hold, hold_id: "hld_unknown" }]) {
    for (const claim of ["azp", "client_id", "hold_id"] as const) {
      const detail = { reason: "audience_mismatch", claim };
      const refused = book({ claims: { [claim]: "another" }, is_expired: true }, of);
      expect(refused.refused("delegation_invalid", detail).decision.phase).toBe("transient");
    }
    book({ claims: {}, is_expired: true }, of).refused("delegation_invalid", { reason: "expired" });
  }
  const claims = { azp: AGENT, client_id: AGENT, hold_id, max_amount: 20_000 };
  expect(book({ claims }).outcome.ok).toBe(true);
});

test("a second booking of a confirming or consumed hold is refused", () => {
  const { world, hold } = held();
  const payment = world.when(beginBooking(hold)).text("payment_id");
  const confirming = { hold_id: hold.hold_id, state: "confirming" };
  world.when(beginBooking(hold)).refused("hold_not_active", confirming);
  const booking_id = world.when(paymentResult(payment, "captured")).text("booking_id");
  const consumed = { hold_id: hold.hold_id, state: "consumed", booking_id };
  world.when(beginBooking(hold)).refused("hold_not_active", consumed);
});

test("the quote's expiry no longer matters once the hold is placed", () => {
  const { world, hold } = held({ expires_at: NOON + 1_000 });
  expect(world.at(NOON + 2_000).when(beginBooking(hold)).outcome.ok).toBe(true);
});

test("an amount above the agent's limit, or in another currency, needs an authorization", () => {
  const { world, hold } = held();
  const at = (amount: number, currency = "EUR") => {
    const limits = { max_open_holds: null, max_booking_amount: { amount, currency } };
    return world.when(beginBooking(hold, { limits })).outcome;
  };
  expect(at(19_999)).toMatchObject({
    code: "authorization_required",
    detail: {
      policy: "max_booking_amount",
      amount: 20_000,
      currency: "EUR",
      threshold: { amount: 19_999, currency: "EUR" },
    },
    hints: { max_price_per_night: { amount: 9_999, currency: "EUR" } },
  });
  expect(at(90_000, "USD")).toMatchObject({ code: "authorization_required" });
  expect(at(20_000).ok).toBe(true);
});

test("an authorization that was never given is invalid, also where none is needed", () => {
  const { world, hold } = held();
  const command = beginBooking(hold, { authorization_id: "aut_1" });
  const detail = { reason: "unknown", authorization_id: "aut_1" };
  world.when(command).refused("booking_authorization_invalid", detail);
});

test("a confirmation code that the tenant has used is not used again", () => {
  const { world, hold } = held({ due_now: 0 });
  const random = "0123456789abcdef0123456789abcdef";
  const first = world.when(beginBooking(hold, { random }));
  const placed = world.when(placeHold(frozenQuote(TREE, { due_now: 0 })));
  const other = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  const second = world.at(NOON + 1).when(beginBooking(other, { random }));
  expect(second.text("confirmation_code")).not.toBe(first.text("confirmation_code"));
});

test("the property books its own holds alone, and without a payment only what is not due", () => {
  const { world, hold } = held({ due_now: 500 });
  const at = (pays_at_property: boolean, id: string = AGENT) =>
    world.when(beginBooking(hold, { desk: { pays_at_property }, actor: { kind: "operator", id } }));
  at(false, "agt_ops").refused("resource_access_denied", { reason: "hold_of_another" });
  at(true).refused("conflict", { reason: "payment_due", due_now: 500, currency: "EUR" });
  at(false).recorded("payment.pending");
});
