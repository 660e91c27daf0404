/** Goal: what became of the hold decides what became of its page. */
import { expect, test } from "bun:test";
import type { Hold } from "../../../engine/core/records.ts";
import type { CheckoutSession } from "../../access/control/checkout-sessions.ts";
import type { Context } from "../../http/context.ts";
import { type CheckoutState, checkoutState, returnAddress, returnFault } from "./state.ts";

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

test("a page leads back to registered origins alone, with the session and its state", () => {
  const origins = ["https://a.example", "http://localhost:8080"];
  const control = { returnOriginsOf: (id: string) => (id === "agt_1" ? origins : []) };
  const context = { control } as unknown as Context;
  const sessionTo = (return_url: string | null) => {
    return { agent_id: "agt_1", session_id: "chk_1", return_url } as CheckoutSession;
  };
  const back = (to: string | null) => returnAddress(context, sessionTo(to), "completed")?.href;
  expect(back("https://a.example/done?state=x&trip=7")).toBe(
    "https://a.example/done?state=completed&trip=7&session_id=chk_1",
  );
  expect(back(null)).toBeUndefined();
  expect(returnFault(context, "agt_1", "http://localhost:8080/")).toBeNull();
  expect(returnFault(context, "agt_1", undefined)).toBeNull();
  for (const other of ["https://a.example:444/", "https://eve.example/", "https://b.a.example/"]) {
    expect(back(other)).toBeUndefined();
    expect(returnFault(context, "agt_1", other)?.expected).toContain(origins.join(", "));
  }
  expect(returnFault(context, "agt_2", origins[0])?.expected).toContain("none is registered");
});
