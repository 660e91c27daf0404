/**
 * Who a guest's session is: the guest of one booking, as long as the booking has that guest. The
 * guest has no scope; public routes for guests take the principal, no other route does.
 */
import type { GuestOf } from "../access/control/guest-sessions.ts";
import type { Principal, PrincipalLimits } from "../access/control/principal.ts";
import { ASK_GUEST_LINK } from "../actions/steps.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { PublicCall } from "./call.ts";
import type { Context } from "./context.ts";
import { untilFresh } from "./freshness.ts";

const SCHEME = /^bearer +/i;
const NO_SCOPES: ReadonlySet<string> = new Set();
const NO_LIMITS: PrincipalLimits = {
  ...{ rpm: null, burst: null, max_open_quotes: null },
  ...{ max_open_holds: null, max_booking_amount: null },
};

/** A guest without a valid session or link is led to where a link is asked for. */
export function unauthenticatedGuest(reason: string): Refusal {
  const { href: guest_links } = ASK_GUEST_LINK;
  const headers = { "www-authenticate": "Bearer" };
  const more = { headers, recovery: [ASK_GUEST_LINK] };
  return refuse("unauthenticated", { reason, guest_links }, more);
}

/** Whether the booking has the guest with that address; the hash goes with the guest's data. */
export function isGuestOf(
  { records }: Pick<Context["replica"], "records">,
  { tenant_id, mode, booking_id, email_hash: hash }: GuestOf,
): boolean {
  const guest = { kind: "email", hash } as const;
  const asked = { tenant_id, mode, property_ids: null, guest, booking_id };
  return records.bookings(asked, 1).length > 0;
}

/**
 * The guest of a request's session; refused after its end, and at once when the guest was erased or
 * has another address: the replica is fresh before it is asked.
 */
export async function admitGuest({
  context,
  request,
}: Pick<PublicCall, "context" | "request">): Promise<
  { readonly ok: true; readonly principal: Principal } | Refusal
> {
  const authorization = request.headers.get("authorization");
  if (authorization === null) return unauthenticatedGuest("missing_credential");
  const secret = authorization.replace(SCHEME, "");
  if (secret === authorization) return unauthenticatedGuest("bearer_scheme_required");
  const session = context.guests.find(secret, context.now());
  if (session === null) return unauthenticatedGuest("unknown_credential");
  const { tenant_id, mode, booking_id, id_hash } = session;
  const { replica } = context;
  await untilFresh(replica);
  const booking = isGuestOf(replica, session) ? replica.records.booking(booking_id) : null;
  if (booking === null) return unauthenticatedGuest("credential_revoked");
  const principal: Principal = {
    ...{ tenant_id, mode, agent_id: booking_id, credential_id: id_hash, kind: "guest" },
    ...{ scopes: NO_SCOPES, property_ids: new Set([booking.property_id]), limits: NO_LIMITS },
  };
  return { ok: true, principal };
}
