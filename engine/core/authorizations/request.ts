/**
 * A booking that needs an authorization and brings none: the refusal opens the request in the same
 * row, so that the agent can only have an id that a person can find.
 */

import type { Authorization } from "../authorization.ts";
import type { Requirement } from "../authorization-terms.ts";
import { instantIso } from "../calendar.ts";
import type { BeginBooking } from "../commands.ts";
import { type Context, type Decision, EventList, refusal, reject } from "../decision.ts";
import { deriveId } from "../ids.ts";
import type { Hints, Rejection } from "../outcomes.ts";
import { percentOf } from "../price/money.ts";
import type { Hold } from "../records.ts";
import { policyOf } from "./policy.ts";

/** Requests of one agent that wait at the same time: a person reads each. */
const PENDING_MAX = 20;
/** Live ones of one agent, approved or not: all of them are read where a booking needs one. */
const LIVE_MAX = 500;

/**
 * Refuses with `authorization_required`. The same request again, under any key, names the same
 * authorization while that is open, also once it is approved.
 */
export function requireAuthorization(
  command: BeginBooking,
  hold: Hold,
  requirement: Requirement,
  hints: Hints,
  ctx: Context,
): Decision {
  const { quote } = hold;
  const live = ctx.records.liveAuthorizations({
    ...{ tenant_id: command.tenant_id, mode: command.mode, agent_id: command.actor.id },
    atMs: ctx.now,
  });
  const refused = (named: Pick<Authorization, "authorization_id" | "expires_at" | "state">) =>
    refusal(command, {
      code: "authorization_required",
      detail: {
        ...requirement,
        amount: quote.total,
        currency: quote.currency,
        hold_id: hold.hold_id,
        authorization_id: named.authorization_id,
        state: named.state,
        approval_expires_at: instantIso(named.expires_at),
      },
      hints,
    });
  const same = sameOf(command, hold, live);
  if (same) return { events: [], outcome: refused(same), phase: "sealed" };
  const problem = limitProblem(live, ctx) ?? pendingProblem(live, ctx);
  if (problem) return reject(command, problem);
  const { ttl_s, tolerance_bps } = policyOf(command, ctx);
  const authorization_id = deriveId("aut", ctx.now, command.random, 4);
  const expires_at = ctx.now + 1000 * ttl_s;
  const { property_id, room_type_id, rate_plan_id, stay, guests, total, currency } = quote;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  events.add({
    type: "authorization.requested",
    data: {
      ...{ authorization_id, agent_id: command.actor.id },
      ...{ property_id, room_type_id, rate_plan_id, stay },
      ...requirement,
      amount: total,
      max_amount: total + percentOf(total, tolerance_bps),
      currency,
      expires_at: instantIso(expires_at),
    },
    secret: { guests, traveler_hash: command.traveler.hash },
  });
  const outcome = refused({ authorization_id, expires_at, state: "pending" });
  return { events: events.list, outcome, phase: "sealed" };
}

/** The oldest open request of the same booking; approved ones come before those that wait. */
function sameOf(
  { traveler }: BeginBooking,
  { quote }: Hold,
  live: readonly Authorization[],
): Authorization | undefined {
  const same = live.filter(
    (each) =>
      (each.traveler_hash ?? traveler.hash) === traveler.hash &&
      isForStay(each, quote) &&
      each.currency === quote.currency &&
      quote.total <= each.max_amount,
  );
  const approved = same.filter(({ state }) => state === "approved");
  const best = approved.length > 0 ? approved : same;
  return best.sort((a, b) => (a.authorization_id < b.authorization_id ? -1 : 1))[0];
}

/** Whether an authorization is for the same room type and dates. */
export function isForStay(
  { property_id, room_type_id, stay }: Authorization,
  quote: Hold["quote"],
): boolean {
  return (
    property_id === quote.property_id &&
    room_type_id === quote.room_type_id &&
    stay.check_in === quote.stay.check_in &&
    stay.check_out === quote.stay.check_out
  );
}

function pendingProblem(live: readonly Authorization[], ctx: Context): Rejection | null {
  const pending = live.filter(({ state }) => state === "pending");
  return tooMany("max_pending_authorizations", PENDING_MAX, pending, ctx);
}

/** Why an agent gets no further authorization, asked or unasked; null when it can. */
export function limitProblem(live: readonly Authorization[], ctx: Context): Rejection | null {
  return tooMany("max_live_authorizations", LIVE_MAX, live, ctx);
}

function tooMany(
  policy: string,
  limit: number,
  open: readonly Authorization[],
  { now }: Context,
): Rejection | null {
  if (open.length < limit) return null;
  const earliest = Math.min(...open.map(({ expires_at }) => expires_at));
  return {
    code: "rate_limited",
    detail: { policy, limit, open: open.length },
    retry_after: Math.max(1, Math.ceil((earliest - now) / 1000)),
  };
}
