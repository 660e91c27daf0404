/**
 * The test clock: each tenant's test mode may be ahead of the engine's time, which orders all rows
 * and which nothing moves. `Context.now` and `timeOf` include it, so that decisions and folds know
 * the time of their realm alone. Payments and refunds have engine time: the worker tries them by
 * their age, and no provider has a test clock.
 *
 * Maintained invariant: nothing open of a realm is from its future, so that nothing waits for a day
 * that was taken back. A reset sets it back as a correction does (`clock-fold.ts`); quotes are not
 * stored here and end with it.
 */
import { assert } from "../assert.ts";
import { instantIso } from "../calendar.ts";
import type { AdvanceTestClock } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { Fold } from "../fold.ts";
import type { Rejection } from "../outcomes.ts";
import { isDue } from "../records.ts";
import type { State } from "../state/state.ts";
import type { Realm } from "../supply.ts";
import { isOfRealm } from "../visibility.ts";
import { moveAuthorizations, openAuthorizations } from "./clock-fold.ts";

/** Ten years: nights further ahead cannot be sold in any case. */
export const OFFSET_MAX_S = 10 * 366 * 86_400;

/** The context with the time of a realm. */
export function inRealm(ctx: Context, realm: Realm): Context {
  const now = ctx.stamp + ctx.state.clockOffsetMs(realm);
  return now === ctx.now ? ctx : { ...ctx, now };
}

/** Decides `POST /v1/admin/test-clock`; what it makes due is written with it. */
export function advanceTestClock(command: AdvanceTestClock, ctx: Context): Decision {
  assert(command.mode === "test", "live mode has no test clock");
  const { state, now } = ctx;
  const beforeS = state.clockOffsetMs(command) / 1000;
  const offset_s = command.advance_s === null ? 0 : beforeS + command.advance_s;
  if (offset_s > OFFSET_MAX_S) return reject(command, tooFar(OFFSET_MAX_S - beforeS));
  const then = now + 1000 * (offset_s - beforeS);
  const events = new EventList(state, command.tenant_id, command.mode);
  const seq = events.add({
    type: "test_clock.set",
    data: { offset_s, previous_offset_s: beforeS, now: instantIso(then) },
    secret: { authorization_ids: offset_s < beforeS ? openAuthorizations(ctx, command) : [] },
  });
  const expired = dueCount(command, state, then);
  const outcome = success(command, "test_clock", { now: instantIso(then), offset_s, expired, seq });
  return { events: events.list, outcome, phase: "sealed" };
}

function tooFar(left_s: number): Rejection {
  const expected = left_s > 0 ? `at most ${left_s} seconds` : "reset: true instead";
  const error = { path: "/advance_s", message: "goes beyond ten years in all", expected };
  return { code: "validation_failed", detail: { field_errors: [error] } };
}

function dueCount(realm: Realm, state: State, atMs: number): number {
  let count = 0;
  for (const hold of state.holds.values()) {
    if (isOfRealm(hold, realm) && isDue(hold, atMs)) count += 1;
  }
  return count;
}

export const testClockSet: Fold<"test_clock.set"> = (state, { data, secret }, row, sink) => {
  const { offset_s, previous_offset_s } = data;
  const byMs = 1000 * (offset_s - previous_offset_s);
  const known = state.testClocks.get(row.tenant_id);
  const reset_at = byMs < 0 ? row.stamp : (known?.reset_at ?? 0);
  state.testClocks.set(row.tenant_id, { offset_ms: 1000 * offset_s, reset_at });
  for (const hold of state.holds.values()) {
    if (!isOfRealm(hold, row)) continue;
    if (byMs < 0) {
      hold.created_at += byMs;
      hold.expires_at += byMs;
      state.holds.noteExpiry(hold);
    } else state.holds.noteClock(hold);
  }
  moveAuthorizations(secret.authorization_ids, byMs, sink);
};
