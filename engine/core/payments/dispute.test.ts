/** Disputes: what the guest's bank has taken back is neither refunded nor promised. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  atDesk,
  beginBooking,
  cancelBooking,
  createProperty,
  disputeIn,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  refundPayment,
  refundResult,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";

const TREE = propertyTree();
const CAPTURED = 8_001;

function booked() {
  const { world, paymentId, bookingId } = bookedAt(TREE);
  const dispute = (state: "open" | "won" | "lost", id = "dp_1") =>
    world.when(disputeIn(state, paymentId, { dispute_id: id }));
  return { world, paymentId, bookingId, dispute };
}

test("an open dispute is noted once, with the booking's history", () => {
  const { world, paymentId, bookingId, dispute } = booked();
  const came = dispute("open").recorded("payment.disputed");
  expect(came.event("payment.disputed")).toMatchObject({ booking_id: bookingId, disputed: 8_001 });
  dispute("open").recorded();
  expect(world.records.payment(paymentId)).toMatchObject({
    state: "captured",
    dispute: { dispute_id: "dp_1", state: "open", reason: "fraudulent" },
  });
  const { history, rows } = world.records.booking(bookingId)!;
  expect(history.at(-1)?.type).toBe("payment.disputed");
  expect(rows.at(-1)).toBe(world.state.row);
});

test("while the bank decides nothing can be refunded, and a cancellation withholds it", () => {
  const { world, bookingId, dispute } = booked();
  dispute("open");
  expect(world.when(refundPayment(bookingId, null)).outcome).toMatchObject({
    code: "payment_not_refundable",
    detail: { state: "disputed", captured: CAPTURED, refunded: 0, pending: 0, disputed: CAPTURED },
  });
  const cancelled = world.when(cancelBooking(bookingId)).recorded("booking.cancelled");
  expect(cancelled.event("booking.cancelled")).toMatchObject({ refund: 0, withheld: "dispute" });
  expect(cancelled.data).toMatchObject({ fee: { amount: 0 }, refund: null, withheld: "dispute" });
  expect(cancelled.data).not.toHaveProperty("refunded_before");
  expect(world.records.booking(bookingId)!.cancellation).toMatchObject({ withheld: "dispute" });
});

test("a fee that takes everything withholds nothing", () => {
  const { world, bookingId, dispute } = booked();
  dispute("open");
  world.at(world.records.booking(bookingId)!.quote.fees.anchor_ms);
  const missed = world.when(atDesk("RecordNoShow", bookingId)).recorded("booking.no_show");
  expect(missed.event("booking.no_show").withheld).toBeUndefined();
  expect(missed.data).toMatchObject({ fee: { amount: CAPTURED }, refund: null });
});

test("after a won dispute the property refunds as before", () => {
  const { world, bookingId, dispute } = booked();
  dispute("open");
  world.when(cancelBooking(bookingId));
  dispute("won").recorded("payment.dispute_closed");
  const refund = world.when(refundPayment(bookingId, null)).recorded("refund.requested");
  expect(refund.event("refund.requested").amount).toBe(CAPTURED);
});

test("a dispute that is lost before it became known is opened and closed in one row", () => {
  const { world, bookingId, dispute } = booked();
  const came = dispute("lost").recorded("payment.disputed", "payment.dispute_closed");
  expect(came.event("payment.dispute_closed").outcome).toBe("lost");
  for (const state of ["open", "lost"] as const) dispute(state).recorded();
  const { outcome } = world.when(refundPayment(bookingId, null));
  expect(outcome).toMatchObject({ code: "payment_not_refundable", detail: { state: "disputed" } });
});

test("a lost dispute can be won by an appeal, and a won one is final", () => {
  const { dispute } = booked();
  dispute("lost");
  dispute("won").recorded("payment.dispute_closed");
  for (const state of ["open", "won", "lost"] as const) dispute(state).recorded();
});

test("a second dispute after a won one counts again", () => {
  const { dispute } = booked();
  dispute("won", "dp_1");
  dispute("open", "dp_2").recorded("payment.disputed");
});

test("a payment that was not captured is not disputed", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const quote = frozenQuote(TREE, { due_now: CAPTURED });
  const hold_id = world.when(placeHold(quote)).text("hold_id");
  const begun = world.when(beginBooking({ hold_id, quote_id: quote.quote_id }));
  world.when(disputeIn("open", begun.text("payment_id"))).recorded();
});

const step = fc.oneof(
  fc.record({ do: fc.constant("refund" as const), amount: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({ do: fc.constant("settle" as const), result: fc.constantFrom("succeeded", "failed") }),
  fc.record({ do: fc.constant("dispute" as const), state: fc.constantFrom("open", "won", "lost") }),
  fc.record({ do: fc.constant("cancel" as const) }),
);

test("whatever the order, no refund is requested while a dispute stands", () => {
  const property = fc.property(fc.array(step, { maxLength: 20, size: "max" }), (steps) => {
    const { world, paymentId, bookingId, dispute } = booked();
    for (const each of steps) {
      const before = world.records.payment(paymentId)!.dispute?.state;
      if (each.do === "settle") {
        const id = world.records.booking(bookingId)!.refund_ids.at(-1);
        if (id) world.when(refundResult(id, each.result as "succeeded" | "failed"));
        continue;
      }
      const came =
        each.do === "dispute"
          ? dispute(each.state as "open" | "won" | "lost")
          : each.do === "cancel"
            ? world.when(cancelBooking(bookingId))
            : world.when(refundPayment(bookingId, each.amount));
      const isStanding = before === "open" || before === "lost";
      const types = came.decision.events.map(({ type }) => type);
      if (isStanding) expect(types).not.toContain("refund.requested");
      const { refunded, amount } = world.records.payment(paymentId)!;
      expect(refunded).toBeWithin(0, amount + 1);
    }
  });
  fc.assert(property, { numRuns: 300 });
});
