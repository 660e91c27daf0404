/** Cancellation and refunds: fee + refund = paid amount; units return in the same row. */
import { expect, test } from "bun:test";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  AGENT,
  cancelBooking,
  cancelByGuest,
  NOON,
  OTHER_AGENT,
  OTHER_TENANT,
  propertyTree,
  refundResult,
} from "../../../test/support/builders.ts";
import { dayIn } from "../../../test/support/given.ts";
import type { Consent } from "../consent.ts";

const TREE = propertyTree();
const ROOM = TREE.room_types[0]!.id;
const HOUR_MS = 3_600_000;
const REFUND_WAIT_MS = 4_500;

const booked = (over?: Parameters<typeof bookedAt>[1]) => bookedAt(TREE, over);

test("a free cancellation returns units and requests the whole refund in one row", () => {
  const { world, bookingId, paymentId } = booked();
  const came = world.when(cancelBooking(bookingId, { reason_code: "changed_plans" }));
  came.recorded("booking.cancelled", "refund.requested");
  expect(came.decision.phase).toBe("running");
  expect(came.event("booking.cancelled")).toMatchObject({
    ...{ fee: 0, refund: 8_001, tier_index: 0, reason_code: "changed_plans" },
    receipt: { kind: "booking_cancelled" },
  });
  expect(came.event("refund.requested")).toMatchObject({ amount: 8_001, payment_id: paymentId });
  expect(world.cell(TREE.id, ROOM, dayIn(30))).toEqual({ held: 0, sold: 0 });
  expect(world.records.booking(bookingId)).toMatchObject({ state: "cancelled", version: 2 });
});

test("a token of another agent, or an expired one, cancels nothing and reveals nothing", () => {
  const { world, bookingId } = booked();
  const cancel = (consent: Consent, id = bookingId) => world.when(cancelBooking(id, { consent }));
  for (const id of [bookingId, "bkg_unknown"]) {
    for (const claim of ["azp", "client_id"] as const) {
      const detail = { reason: "audience_mismatch", claim };
      cancel({ claims: { [claim]: OTHER_AGENT } }, id).refused("delegation_invalid", detail);
    }
    const expired = cancel({ claims: {}, is_expired: true }, id);
    expired.refused("delegation_invalid", { reason: "expired" });
    expect(expired.decision.phase).toBe("transient");
  }
  const claims = { azp: AGENT, client_id: AGENT };
  cancel({ claims, jti: "j1" }).recorded("booking.cancelled", "refund.requested");
});

test("a token that is bound to a hold cancels only the booking of that hold", () => {
  const { world, bookingId } = booked();
  const { hold_id } = world.records.booking(bookingId)!;
  const cancel = (hold: string) =>
    world.when(cancelBooking(bookingId, { consent: { claims: { hold_id: hold } } }));
  const other = cancel("hld_other");
  const detail = { reason: "audience_mismatch", claim: "hold_id" };
  other.refused("delegation_invalid", detail);
  expect(other.decision.phase).toBe("transient");
  cancel(hold_id).recorded("booking.cancelled", "refund.requested");
});

test("the cut-off instant belongs to the next row of the table, check-in to the last row", () => {
  const { quote } = booked();
  const cutoff = quote.fees.anchor_ms - 48 * HOUR_MS;
  const feeAt = (stamp: number) => {
    const { world, bookingId } = booked();
    const { fee, refund, tier_index } = world
      .at(stamp)
      .when(cancelBooking(bookingId))
      .event("booking.cancelled");
    return [fee, refund, tier_index];
  };
  expect(feeAt(cutoff - 1)).toEqual([0, 8_001, 0]);
  expect(feeAt(cutoff)).toEqual([4_001, 4_000, 1]);
  expect(feeAt(quote.fees.anchor_ms - 1)).toEqual([4_001, 4_000, 1]);
  expect(feeAt(quote.fees.anchor_ms)).toEqual([8_001, 0, 2]);
});

test("without money to refund the answer is sealed at once, without a refund", () => {
  const noShow = booked();
  noShow.world.at(noShow.quote.fees.anchor_ms);
  const kept = noShow.world.when(cancelBooking(noShow.bookingId));
  kept.recorded("booking.cancelled");
  expect(kept.decision.phase).toBe("sealed");
  expect(kept.data).toMatchObject({ fee: { amount: 8_001, currency: "EUR" }, refund: null });

  const unpaid = booked({ due_now: 0 });
  const free = unpaid.world.when(cancelBooking(unpaid.bookingId));
  expect(free.data).toMatchObject({ state: "cancelled", fee: { amount: 0 }, refund: null });
});

test.each(["succeeded", "failed"] as const)(
  "a refund that %s answers the cancellation",
  (state) => {
    const { world, bookingId, paymentId } = booked();
    const command = cancelBooking(bookingId);
    const asked = world.when(command).event("refund.requested");
    const done = world.when(refundResult(asked.refund_id, state));
    done.recorded(`refund.${state}`);
    expect(done.decision).toMatchObject({ phase: "sealed", key: { key: command.key } });
    const refund = { refund_id: asked.refund_id, amount: 8_001, state };
    expect(done.data).toMatchObject({ booking_id: bookingId, refund });
    expect(world.records.payment(paymentId)?.refunded).toBe(state === "succeeded" ? 8_001 : 0);
    expect(world.state.awaitingRefund.size).toBe(0);
    expect(world.state.refundsByKey.size).toBe(0);
  },
);

test("a partial refund leaves the payment partially refunded", () => {
  const { world, bookingId, paymentId, quote } = booked();
  world.at(quote.fees.anchor_ms - 1);
  const asked = world.when(cancelBooking(bookingId)).event("refund.requested");
  world.when(refundResult(asked.refund_id, "succeeded"));
  const payment = world.records.payment(paymentId);
  expect(payment).toMatchObject({ state: "partially_refunded", refunded: 4_000 });
});

test("the answer waits briefly for the refund, then is pending; the refund still settles", () => {
  const { world, bookingId } = booked();
  const asked = world.when(cancelBooking(bookingId)).event("refund.requested");
  expect(world.at(NOON + REFUND_WAIT_MS - 1).due()).toBeNull();
  const sealed = world.at(NOON + REFUND_WAIT_MS).due();
  sealed?.recorded();
  expect(sealed?.data.refund).toMatchObject({ state: "pending" });
  expect(world.due()).toBeNull();
  const late = world.when(refundResult(asked.refund_id, "succeeded"));
  late.recorded("refund.succeeded");
  expect(late.decision).toMatchObject({ phase: "transient" });
  expect(late.decision.key).toBeUndefined();
});

test("a failed refund keeps the provider's reason, in its record and in the answer", () => {
  const { world, bookingId } = booked();
  const { refund_id } = world.when(cancelBooking(bookingId)).event("refund.requested");
  const done = world.when({ ...refundResult(refund_id, "failed"), provider_code: "card_gone" });
  expect(done.data).toMatchObject({ refund: { state: "failed", provider_code: "card_gone" } });
  expect(world.records.refund(refund_id)).toMatchObject({ provider_code: "card_gone" });
});

test("a refund settles once", () => {
  const { world, bookingId } = booked();
  const asked = world.when(cancelBooking(bookingId)).event("refund.requested");
  world.when(refundResult(asked.refund_id, "failed"));
  const again = world.when(refundResult(asked.refund_id, "succeeded"));
  again.recorded();
  expect(again.data).toMatchObject({ changed: false });
  const unknown = () => world.when(refundResult("rfd_unknown", "succeeded"));
  expect(unknown).toThrow("record_damaged: refund rfd_unknown is missing");
});

test("an unknown or foreign booking is not found", () => {
  const { world, bookingId } = booked();
  world.when(cancelBooking("bkg_x")).refused("booking_not_found", { booking_id: "bkg_x" });
  world.when(cancelBooking(bookingId, { tenant_id: OTHER_TENANT })).refused("booking_not_found");
  world.when(cancelBooking(bookingId, { mode: "test" })).refused("booking_not_found");
  const actor = { kind: "agent", id: OTHER_AGENT } as const;
  world.when(cancelBooking(bookingId, { actor })).refused("booking_not_found");
});

test("another traveler is refused before the booking's state is revealed", () => {
  const { world, bookingId } = booked();
  const traveler = { hash: "traveler-2", iss: "https://id.example.com" };
  const detail = { reason: "traveler_mismatch", booking_id: bookingId };
  world.when(cancelBooking(bookingId, { traveler })).refused("resource_access_denied", detail);
  world.when(cancelBooking(bookingId));
  world.when(cancelBooking(bookingId, { traveler })).refused("resource_access_denied", detail);
});

test("another traveler's attempt seals nothing: the same key serves the right one", () => {
  const { world, bookingId } = booked();
  const command = cancelBooking(bookingId);
  const traveler = { hash: "traveler-2", iss: "https://id.example.com" };
  const rows = world.rows.length;
  const denied = world.when({ ...command, traveler }).refused("resource_access_denied");
  expect(denied.decision.phase).toBe("transient");
  expect(world.rows).toHaveLength(rows);
  const came = world.when(command).recorded("booking.cancelled", "refund.requested");
  expect(came.decision.phase).toBe("running");
});

test("a second cancellation is answered with the first", () => {
  const { world, bookingId } = booked();
  const first = world.at(NOON + 1_000).when(cancelBooking(bookingId));
  world
    .at(NOON + 2_000)
    .when(cancelBooking(bookingId))
    .refused("booking_not_cancellable", {
      booking_id: bookingId,
      state: "cancelled",
      cancelled_at: new Date(NOON + 1_000).toISOString(),
      refund_id: first.event("refund.requested").refund_id,
    });
  expect(world.cell(TREE.id, ROOM, dayIn(30)).sold).toBe(0);
});

test("a guest cancels for the refund that was shown; one that changed meanwhile is said", () => {
  const { world, bookingId, quote } = booked();
  const detail = { reason: "refund_changed", booking_id: bookingId, currency: "EUR" };
  world.when(cancelByGuest(bookingId, 8_000)).refused("conflict", { ...detail, refund: 8_001 });
  world.at(quote.fees.anchor_ms - 48 * HOUR_MS);
  const late = { ...detail, refund: 4_000, fee: 4_001 };
  world.when(cancelByGuest(bookingId, 8_001)).refused("conflict", late);
  const actor = { kind: "guest", id: "bkg_other" } as const;
  world.when(cancelByGuest(bookingId, 4_000, { actor })).refused("booking_not_found");
  const done = world.when(cancelByGuest(bookingId, 4_000));
  done.recorded("booking.cancelled", "refund.requested");
  expect(done.event("booking.cancelled")).toMatchObject({ fee: 4_001, reason_code: "guest" });
  expect(done.event("booking.cancelled").desk).toBeUndefined();
  world.when(cancelByGuest(bookingId, 4_000)).refused("booking_not_cancellable");
});
