/** Pending payments and refunds have a reason and a next step; settled ones have neither. */
import { expect, test } from "bun:test";
import type { Payment, Refund } from "../../../engine/core/records.ts";
import { paymentWait, refundWait } from "./open-money.ts";

const NOW = Date.UTC(2026, 8, 1, 12);
const MINUTE_MS = 60_000;

function payment(over: Partial<Payment>): Payment {
  return { state: "pending", created_at: NOW, provider_ref: null, ...over } as Payment;
}

function refund(over: Partial<Refund>): Refund {
  return { state: "pending", created_at: NOW, ...over } as Refund;
}

test("a payment that has just begun is not stuck", () => {
  const standing = paymentWait(payment({}), true, NOW + 2_500);
  expect(standing).toMatchObject({ age_s: 2, is_stuck: false });
  expect(standing.why).toBe("The payment provider is processing the payment.");
});

test("a payment without a result is stuck after five minutes, with the time its hold ends", () => {
  const at = (ms: number) => paymentWait(payment({ provider_ref: "ch_1" }), true, NOW + ms);
  expect(at(5 * MINUTE_MS - 1).is_stuck).toBeFalse();
  const { is_stuck, next_step } = at(5 * MINUTE_MS);
  expect(is_stuck).toBeTrue();
  expect(next_step).toContain("until 2026-09-02T12:00:00.000Z");
  expect(next_step).toContain("at the provider as ch_1.");
});

test("a payment that the provider has not named has moved no money", () => {
  const { next_step } = paymentWait(payment({ state: "unknown" }), true, NOW);
  expect(next_step).toContain("nothing was captured");
});

test("a payment whose hold has ended is refunded when it succeeds", () => {
  const given = payment({ state: "unknown", created_at: NOW - 25 * 60 * MINUTE_MS });
  const { is_stuck, why, next_step } = paymentWait(given, false, NOW);
  expect(is_stuck).toBeTrue();
  expect(why).toContain("within 24 hours");
  expect(next_step).toContain("refunded at once");
});

test("a pending refund is requested again; a failed one needs a person", () => {
  expect(refundWait(refund({}), NOW + 1_000)).toMatchObject({ is_stuck: false, age_s: 1 });
  const late = refundWait(refund({}), NOW + 5 * MINUTE_MS);
  expect(late.is_stuck).toBeTrue();
  expect(late.why).toContain("has not accepted");
  const failed = refund({ state: "failed", provider_code: "refund_declined" });
  const { is_stuck, why, next_step } = refundWait(failed, NOW);
  expect(is_stuck).toBeTrue();
  expect(why).toBe("The payment provider declined the refund.");
  expect(next_step).toContain("Repeat it with retry, or pay the amount back another way");
  const closed = refundWait(refund({ state: "failed", provider_code: "lost_or_stolen_card" }), NOW);
  expect(closed.next_step).not.toContain("retry");
  const repeated = refundWait(refund({ state: "failed", retried_by: "rfd_2" }), NOW);
  expect(repeated).toMatchObject({ is_stuck: false });
  expect(repeated.next_step).toContain("rfd_2");
});

test("a settled payment or refund waits for nothing", () => {
  const nothing = { is_stuck: false, why: null, next_step: null };
  for (const state of ["captured", "failed", "refunded", "partially_refunded"] as const) {
    expect(paymentWait(payment({ state }), false, NOW)).toEqual({ age_s: 0, ...nothing });
  }
  expect(refundWait(refund({ state: "succeeded" }), NOW)).toEqual({ age_s: 0, ...nothing });
});
