/**
 * The use of an authorization by one booking: whether it may be used, that it is consumed in the
 * row of the payment or of the confirmation, and that it is given back when the payment fails.
 */
import { assert } from "../assert.ts";
import { type Authorization, stateAt } from "../authorization.ts";
import type { Approval } from "../authorization-terms.ts";
import { instantIso } from "../calendar.ts";
import type { BeginBooking } from "../commands.ts";
import type { Context, EventList } from "../decision.ts";
import { recorded } from "../record-damage.ts";
import type { Hold, Payment } from "../records.ts";
import { isForStay } from "./request.ts";

/** Why an authorization cannot be used, in the order in which it is checked. */
export const INVALID_REASONS = [
  ...(["unknown", "agent_mismatch", "revoked", "already_consumed", "expired"] as const),
  ...(["pending_approval", "traveler_mismatch", "scope_mismatch"] as const),
  ...(["currency_mismatch", "amount_exceeded"] as const),
] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** Why `found` does not allow the booking; null when it does. The order is published. */
export function invalidReason(
  found: Authorization | null,
  command: Pick<BeginBooking, "tenant_id" | "mode" | "actor" | "traveler">,
  { quote }: Pick<Hold, "quote">,
  atMs: number,
): InvalidReason | null {
  const { tenant_id, mode, actor, traveler } = command;
  if (found?.tenant_id !== tenant_id || found.mode !== mode) return "unknown";
  if (found.agent_id !== actor.id) return "agent_mismatch";
  const state = stateAt(found, atMs);
  if (state === "revoked") return "revoked";
  if (state === "consumed") return "already_consumed";
  if (state === "expired") return "expired";
  if (state === "pending") return "pending_approval";
  if ((found.traveler_hash ?? traveler.hash) !== traveler.hash) return "traveler_mismatch";
  if (!isForStay(found, quote)) return "scope_mismatch";
  if (found.currency !== quote.currency) return "currency_mismatch";
  return quote.total > found.max_amount ? "amount_exceeded" : null;
}

/** What a booking keeps of its authorization. */
export function approvalOf({ authorization_id, approved }: Authorization): Approval {
  assert(approved !== null, "what is used was approved");
  return {
    authorization_id,
    approved_by: approved.by.id,
    approved_at: instantIso(approved.at),
  };
}

/** Consumes the authorization, if there is one, in the row that uses it. */
export function addConsumed(
  approval: Approval | null,
  by: { readonly hold_id: string; readonly booking_id: string; readonly payment_id: string | null },
  events: EventList,
): void {
  if (approval === null) return;
  const { authorization_id } = approval;
  events.add({ type: "authorization.consumed", data: { authorization_id, ...by } });
}

/** Gives the authorization of a failed payment back while it is not expired. */
export function addReturned(
  { authorization, payment_id, hold_id }: Payment,
  ctx: Context,
  events: EventList,
): void {
  if (!authorization) return;
  const { authorization_id: id } = authorization;
  const found = recorded(ctx.records.authorization(id), "authorization", id);
  assert(found.used?.payment_id === payment_id, "a payment has the authorization that it consumed");
  if (ctx.now >= found.expires_at) return;
  const data = { authorization_id: id, hold_id, payment_id };
  events.add({ type: "authorization.returned", data });
}
