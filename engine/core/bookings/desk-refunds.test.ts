/** Refunds by the property: kept + all refunds = captured, whatever comes in which order. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  atDesk,
  beginBooking,
  cancelAtDesk,
  createProperty,
  frozenQuote,
  NOON,
  OTHER_TENANT,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  refundPayment,
  refundResult,
  retryRefund,
  settleElsewhere,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { refundableOf } from "./refundable.ts";

const TREE = propertyTree();
const CAPTURED = 8_001;
/**
 * The property tests print their seed when they fail; this many sequences are tried. The design
 * asks for 10,000: `SEQUENCES=10000`.
 */
const SEQUENCES = Number(process.env.SEQUENCES ?? 2_000);

const MENDING = [retryRefund, settleElsewhere];

const booked = (over?: Parameters<typeof bookedAt>[1]) => bookedAt(TREE, over);

/** A booking with one failed refund of 3,000. */
function withFailed() {
  const it = booked();
  const { refund_id } = it.world.when(refundPayment(it.bookingId, 3_000)).event("refund.requested");
  it.world.when(refundResult(refund_id, "failed"));
  return { ...it, refund_id };
}

test("a refund waits for the provider, and its answer then has the receipt", () => {
  const { world, bookingId, paymentId } = booked();
  const command = refundPayment(bookingId, 3_000, { reason: "service" });
  const asked = world.when(command).recorded("refund.requested");
  expect(asked.decision.phase).toBe("running");
  expect(asked.event("refund.requested")).toMatchObject({ amount: 3_000, reason: "service" });
  const { refund_id } = asked.event("refund.requested");
  const done = world.when(refundResult(refund_id, "succeeded")).recorded("refund.succeeded");
  expect(done.decision).toMatchObject({ phase: "sealed", key: { key: command.key } });
  expect(done.outcome).toMatchObject({
    kind: "refund",
    data: { refund_id, amount: 3_000, state: "succeeded", remaining: 5_001 },
    receipt: { kind: "refund_issued", subject: { refund_id, amount: 3_000 } },
  });
  const payment = { state: "partially_refunded", refunded: 3_000 };
  expect(world.records.payment(paymentId)).toMatchObject(payment);
  expect(world.records.booking(bookingId)).toMatchObject({ state: "confirmed", version: 1 });
});

test("without an amount all that remains is refunded; then nothing is refundable", () => {
  const { world, bookingId, paymentId } = booked();
  world.when(refundPayment(bookingId, 3_000));
  const rest = world.when(refundPayment(bookingId, null));
  expect(rest.event("refund.requested").amount).toBe(5_001);
  const nothing = { state: "refunded", captured: CAPTURED, refunded: 0, pending: CAPTURED };
  for (const amount of [null, 1]) {
    const refused = world.when(refundPayment(bookingId, amount));
    refused.refused("payment_not_refundable", { booking_id: bookingId, ...nothing });
  }
  expect(world.records.payment(paymentId)).toMatchObject({ state: "captured" });
});

test("refunds that wait are reserved: two of 5,000 do not fit into 8,001", () => {
  const { world, bookingId } = booked();
  const first = world.when(refundPayment(bookingId, 5_000)).event("refund.requested");
  const figures = { requested: 5_000, remaining: 3_001, captured: CAPTURED };
  const second = () => world.when(refundPayment(bookingId, 5_000));
  second().refused("refund_exceeds_remaining", { ...figures, refunded: 0, pending: 5_000 });
  world.when(refundResult(first.refund_id, "failed"));
  second().recorded("refund.requested");
});

test("nothing was paid, so nothing is refunded; foreign bookings are not found", () => {
  const unpaid = booked({ due_now: 0 });
  const none = unpaid.world.when(refundPayment(unpaid.bookingId, 1));
  none.refused("no_capturable_payment", { booking_id: unpaid.bookingId });
  const { world, bookingId } = booked();
  world.when(refundPayment("bkg_x", 1)).refused("booking_not_found", { booking_id: "bkg_x" });
  const foreign = refundPayment(bookingId, 1, { tenant_id: OTHER_TENANT });
  world.when(foreign).refused("booking_not_found");
});

test("a booking is refunded at most a hundred times", () => {
  const { world, bookingId } = booked();
  for (let nth = 0; nth < 100; nth += 1) world.when(refundPayment(bookingId, 1));
  const detail = { reason: "refund_limit", booking_id: bookingId, limit: 100 };
  world.when(refundPayment(bookingId, 1)).refused("conflict", detail);
});

test("repeats of failed refunds count among the hundred", () => {
  const { world, bookingId } = booked();
  for (let nth = 0; nth < 99; nth += 1) world.when(refundPayment(bookingId, 1));
  const { refund_id } = world.when(refundPayment(bookingId, 1)).event("refund.requested");
  world.when(refundResult(refund_id, "failed"));
  const detail = { reason: "refund_limit", booking_id: bookingId, limit: 100 };
  world.when(retryRefund(refund_id)).refused("conflict", detail);
  world.when(settleElsewhere(refund_id)).recorded("refund.settled_elsewhere");
});

test("a cancellation refunds what its terms promise, as far as it remains", () => {
  const { world, bookingId } = booked();
  world.when(refundPayment(bookingId, 3_000));
  const came = world
    .when(cancelAtDesk(bookingId))
    .recorded("booking.cancelled", "refund.requested");
  expect(came.event("booking.cancelled")).toMatchObject({ refund: 5_001, refunded_before: 3_000 });
  expect(came.data).toMatchObject({
    fee: { amount: 0 },
    refund: { amount: 5_001 },
    refunded_before: { amount: 3_000, currency: "EUR" },
    kept: { amount: 0, currency: "EUR" },
  });
});

test("a no-show keeps of its fee what was not refunded before", () => {
  const { world, bookingId, quote } = booked();
  world.when(refundPayment(bookingId, 3_000));
  const came = world.at(quote.fees.anchor_ms).when(atDesk("RecordNoShow", bookingId));
  came.recorded("booking.no_show");
  expect(came.data).toMatchObject({
    fee: { amount: CAPTURED },
    refund: null,
    refunded_before: { amount: 3_000 },
    kept: { amount: 5_001 },
  });
});

test("a failed refund is repeated once, as a new refund of the same amount", () => {
  const { world, bookingId, refund_id } = withFailed();
  const again = world.when(retryRefund(refund_id)).event("refund.requested");
  expect(again).toMatchObject({ amount: 3_000, retry_of: refund_id, booking_id: bookingId });
  expect(again.refund_id).not.toBe(refund_id);
  expect(world.records.refund(refund_id)).toMatchObject({ retried_by: again.refund_id });
  const retried = { reason: "refund_retried", refund_id: again.refund_id };
  for (const mend of MENDING) {
    world.when(mend(refund_id)).refused("conflict", retried);
    const detail = { reason: "refund_state", refund_id: again.refund_id, state: "pending" };
    world.when(mend(again.refund_id)).refused("conflict", detail);
  }
  world.when(refundResult(again.refund_id, "failed"));
  world.when(retryRefund(again.refund_id)).recorded("refund.requested");
});

test("what the property gave back itself counts as refunded, with a receipt of the method", () => {
  const { world, bookingId, paymentId, refund_id } = withFailed();
  const settled = world.when(settleElsewhere(refund_id));
  settled.recorded("refund.settled_elsewhere");
  expect(settled.outcome).toMatchObject({
    data: { refund_id, state: "succeeded", method: "cash", remaining: 5_001 },
    receipt: { kind: "refund_issued", subject: { refund_id, method: "cash" } },
  });
  const payment = { refunded: 3_000, refunded_elsewhere: 3_000, state: "partially_refunded" };
  expect(world.records.payment(paymentId)).toMatchObject(payment);
  expect(world.records.booking(bookingId)?.receipts).toHaveLength(2);
  world.when(refundResult(refund_id, "failed")).recorded();
});

test("what was refunded otherwise meanwhile is neither repeated nor settled", () => {
  const { world, bookingId, refund_id } = withFailed();
  world.when(refundPayment(bookingId, 6_000));
  const figures = { refund_id, booking_id: bookingId, requested: 3_000, remaining: 2_001 };
  for (const mend of MENDING) {
    world.when(mend(refund_id)).refused("refund_exceeds_remaining", figures);
  }
});

test("a refund that fails after its success is the property's money again", () => {
  const { world, bookingId, paymentId } = booked();
  const { refund_id } = world.when(refundPayment(bookingId, null)).event("refund.requested");
  world.when(refundResult(refund_id, "succeeded"));
  expect(world.records.payment(paymentId)).toMatchObject({ state: "refunded" });
  const failed = world.when(refundResult(refund_id, "failed")).recorded("refund.failed");
  expect(failed.event("refund.failed")).toMatchObject({ after_success: true, amount: CAPTURED });
  expect(world.records.payment(paymentId)).toMatchObject({ state: "captured", refunded: 0 });
  const refund = { state: "failed", receipt: { kind: "refund_issued" } };
  expect(world.records.refund(refund_id)).toMatchObject(refund);
  world.when(refundResult(refund_id, "succeeded")).recorded();
  world.when(retryRefund(refund_id)).recorded("refund.requested");
});

test("a late capture's failed refund is repeated and settled without a booking", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const quote = frozenQuote(TREE, { due_now: CAPTURED });
  const hold_id = world.when(placeHold(quote)).text("hold_id");
  const begun = world.when(beginBooking({ hold_id, quote_id: quote.quote_id }));
  const paymentId = begun.text("payment_id");
  world.at(NOON + 25 * 3_600_000);
  while (world.due());
  const late = world.when(paymentResult(paymentId, "captured")).event("refund.requested");
  world.when(refundResult(late.refund_id, "failed"));
  const again = world.when(retryRefund(late.refund_id)).event("refund.requested");
  expect(again).toMatchObject({ booking_id: null, amount: CAPTURED, reason: "late_capture" });
  world.when(refundResult(again.refund_id, "failed"));
  world.when(settleElsewhere(again.refund_id));
  expect(world.records.payment(paymentId)).toMatchObject({ state: "refunded" });
});

type Step = readonly [step: keyof typeof STEPS, value: number];

/** What can happen to a booking's money; `value` chooses an amount or a refund. */
const STEPS = {
  refund: ({ bookingId }: Told, value: number) => refundPayment(bookingId, 1 + (value % 6_000)),
  rest: ({ bookingId }: Told) => refundPayment(bookingId, null),
  cancel: ({ bookingId }: Told) => cancelAtDesk(bookingId),
  "no-show": ({ bookingId }: Told) => atDesk("RecordNoShow", bookingId),
  retry: (told: Told, value: number) => ofRefund(told, value, (id) => retryRefund(id)),
  elsewhere: (told: Told, value: number) => ofRefund(told, value, (id) => settleElsewhere(id)),
  succeed: (told: Told, value: number) =>
    ofRefund(told, value, (id) => refundResult(id, "succeeded")),
  fail: (told: Told, value: number) => ofRefund(told, value, (id) => refundResult(id, "failed")),
};

interface Told {
  readonly bookingId: string;
  readonly refundIds: readonly string[];
}

function ofRefund<C>({ refundIds }: Told, value: number, make: (id: string) => C): C | null {
  const id = refundIds[value % Math.max(1, refundIds.length)];
  return id === undefined ? null : make(id);
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])), fc.nat(60_000)),
  { minLength: 1, maxLength: 14 },
);

test("in any order refunds never exceed the capture, and at rest nothing is lost", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const { world, bookingId, paymentId, quote } = booked();
      for (const [step, value] of sequence) {
        const booking = world.records.booking(bookingId)!;
        const command = STEPS[step]({ bookingId, refundIds: booking.refund_ids }, value);
        if (step === "no-show") world.at(quote.fees.anchor_ms);
        if (command) world.when(command);
        expectSound(world, bookingId, paymentId);
      }
      settleAll(world, bookingId);
      expectSound(world, bookingId, paymentId);
      const { cancellation, no_show, refund_ids } = world.records.booking(bookingId)!;
      const money = refundableOf(world.records.booking(bookingId)!, world.records)!;
      expect(money.pending).toBe(0);
      const given = sumOf(world, refund_ids, "succeeded");
      expect(money.refunded + money.remaining).toBe(CAPTURED);
      expect(money.refunded).toBe(given);
      const end = cancellation ?? no_show;
      // The end itself gives back what its terms promise, or all that remained.
      if (end) expect(end.refund).toBeLessThanOrEqual(CAPTURED - end.fee);
    }),
    { numRuns: SEQUENCES },
  );
});

type World = ReturnType<typeof booked>["world"];

function sumOf(world: World, ids: readonly string[], ...states: readonly string[]): number {
  const refunds = ids.map((id) => world.records.refund(id)!);
  return refunds.reduce((sum, { amount, state }) => sum + (states.includes(state) ? amount : 0), 0);
}

function expectSound(world: World, bookingId: string, paymentId: string): void {
  const { refund_ids } = world.records.booking(bookingId)!;
  const { refunded, amount, state } = world.records.payment(paymentId)!;
  expect(sumOf(world, refund_ids, "pending", "succeeded")).toBeLessThanOrEqual(CAPTURED);
  expect(refunded).toBe(sumOf(world, refund_ids, "succeeded"));
  const isWhole = refunded === amount;
  expect(state).toBe(isWhole ? "refunded" : refunded > 0 ? "partially_refunded" : "captured");
}

function settleAll(world: World, bookingId: string): void {
  for (const id of world.records.booking(bookingId)!.refund_ids) {
    if (world.records.refund(id)!.state === "pending") world.when(refundResult(id, "succeeded"));
  }
}
