/** Goal: what became of the hold decides what became of its page. */
import { expect, test } from "bun:test";
import type { Hold } from "../../../engine/core/records.ts";
import { type CheckoutState, checkoutState } from "./state.ts";

const EXPIRES_AT = 1_000;

function stateOf(state: Hold["state"], cancelled_at: number | null, atMs = 1): CheckoutState {
  return checkoutState({ cancelled_at }, { state, expires_at: EXPIRES_AT } as Hold, atMs);
}

test("a page is open while its hold can be booked, and while it is being paid", () => {
  expect(stateOf("held", null)).toBe("open");
  expect(stateOf("confirming", null)).toBe("open");
  expect(stateOf("confirming", null, EXPIRES_AT)).toBe("open");
});

test("a page that was taken back is cancelled, and so is that of a released hold", () => {
  expect(stateOf("held", 1)).toBe("cancelled");
  expect(stateOf("released", null)).toBe("cancelled");
});

test("a hold that is over by the clock has no page, though its end is not journaled yet", () => {
  expect(stateOf("held", null, EXPIRES_AT)).toBe("expired");
  expect(stateOf("expired", null)).toBe("expired");
});

test("a booking completes its page, also one that was taken back meanwhile", () => {
  expect(stateOf("consumed", null)).toBe("completed");
  expect(stateOf("consumed", 1)).toBe("completed");
});
