/** Next actions of booking authorizations. */

import type { Authorization } from "../../../engine/core/authorization.ts";
import type { AuthorizationStateAt } from "../../../engine/core/authorization-terms.ts";
import { isForStay } from "../../../engine/core/authorizations/request.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Hold } from "../../../engine/core/records.ts";
import {
  BOOKING_FILL_IN,
  bookingBody,
  offeredKey,
  quoteBody,
  stayBody,
} from "../../actions/call-parts.ts";
import {
  action,
  type May,
  type NextAction,
  type Offer,
  offered,
  permitted,
  post,
} from "../../actions/next-action.ts";

/** An agent may have thousands of holds of one stay. */
const HOLDS_OFFERED = 5;

/**
 * For the agent: read it again while it is pending; once approved, book a hold that still fits, or
 * quote the stay again with the authorization; else search.
 */
export function authorizationActions(
  authorization: Authorization,
  state: AuthorizationStateAt,
  holds: readonly Hold[],
  atMs: number,
  may?: May,
): NextAction[] {
  const { authorization_id } = authorization;
  const request = { ...authorization, hotel_id: authorization.property_id };
  switch (state) {
    case "pending":
      return permitted([action("get", "GET", ownPath(authorization_id))], may);
    case "approved": {
      const fitting = holds.filter((hold) => fits(authorization, hold)).slice(0, HOLDS_OFFERED);
      const requote = post("requote", "/v1/quotes", quoteBody(request, { authorization_id }));
      return permitted(
        [...fitting.map((hold) => bookingOf(hold, authorization_id, atMs)), requote],
        may,
      );
    }
    default: {
      const { used } = authorization;
      const hold = used && action("get", "GET", `/v1/holds/${used.hold_id}`);
      const search = post("search", "/v1/search", stayBody(request));
      return permitted(hold ? [hold, search] : [search], may);
    }
  }
}

function fits(authorization: Authorization, { state, quote }: Hold): boolean {
  return (
    state === "held" &&
    isForStay(authorization, quote) &&
    quote.currency === authorization.currency &&
    quote.total <= authorization.max_amount
  );
}

function bookingOf(
  { hold_id, quote, expires_at }: Hold,
  authorization_id: string,
  atMs: number,
): NextAction {
  const { quote_id } = quote;
  const idempotency_key = offeredKey("book", hold_id, atMs);
  const body = bookingBody({ hold_id, quote_id, authorization_id, idempotency_key });
  const parts = { fill_in: BOOKING_FILL_IN, expires_at: instantIso(expires_at) };
  return post("confirm", "/v1/bookings", body, parts);
}

/** For operators: the decisions that are left, and the use. */
export function deskActions(
  of: { readonly authorization_id: string; readonly used?: { readonly hold_id: string } | null },
  state: AuthorizationStateAt,
  may?: May,
): NextAction[] {
  const { authorization_id: id, used } = of;
  const path = `/v1/admin/booking-authorizations/${encodeURIComponent(id)}`;
  const offers: Offer[] = [["admin_get_authorization", action("get", "GET", path)]];
  if (used) offers.push(["get_hold", action("get", "GET", `/v1/holds/${used.hold_id}`)]);
  if (state === "pending") {
    const body = { idempotency_key: offeredKey("approve", id, 1) };
    offers.push(["admin_approve_authorization", post("confirm", `${path}/approve`, body)]);
  }
  if (state === "pending" || state === "approved") {
    const body = { idempotency_key: offeredKey("revoke", id, 1) };
    offers.push(["admin_revoke_authorization", post("cancel", `${path}/revoke`, body)]);
  }
  return offered(offers, may);
}

/** Where an agent reads its authorization. */
function ownPath(authorizationId: string): string {
  return `/v1/booking-authorizations/${encodeURIComponent(authorizationId)}`;
}
