/** Only a failed refund has a reason and a next step. */
import { expect, test } from "bun:test";
import { failureOf } from "./views.ts";

test("a known code has its own text, an unknown one is shown, a missing one is stated", () => {
  const reasons = ["refund_declined", "weird_code", null, undefined, "toString"].map(
    (provider_code) => {
      const told = { state: "failed", ...(provider_code === undefined ? {} : { provider_code }) };
      return failureOf(told).failure_reason;
    },
  );
  expect(reasons).toEqual([
    "The payment provider declined the refund.",
    "The payment provider declined the refund (weird_code).",
    "The payment provider declined the refund without a reason.",
    "The payment provider declined the refund without a reason.",
    "The payment provider declined the refund (toString).",
  ]);
  expect(failureOf({ state: "failed" }).next_step).toContain("refund_id");
});

test("a refund that has not failed has neither reason nor next step", () => {
  for (const state of ["pending", "succeeded"]) {
    const told = failureOf({ state, provider_code: null });
    expect(told).toEqual({ failure_reason: null, next_step: null });
  }
});
