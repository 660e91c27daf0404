/**
 * Look-ups of properties and their holds, bookings and payments for routes, limited to the caller's
 * access. Routes use only these to look up what a caller names (`app.test.ts`).
 */

import type { Authorization } from "../../engine/core/authorization.ts";
import type { Rejection } from "../../engine/core/outcomes.ts";
import type { OversellIncident } from "../../engine/core/oversell-incident.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import {
  type Booking,
  type Hold,
  isDue,
  type Payment,
  type Refund,
} from "../../engine/core/records.ts";
import type { SearchScope } from "../../engine/core/search/query.ts";
import { visibleProperties } from "../../engine/core/search/search.ts";
import type { PropertyEntry } from "../../engine/core/state/state.ts";
import type { Realm } from "../../engine/core/supply.ts";
import { type Owned, seenBy, sightOf } from "../../engine/core/visibility.ts";
import type { AuthorizationQuery } from "../../engine/log/authorization-index.ts";
import type { DeskQuery, DeskStay } from "../../engine/log/desk-index.ts";
import type { IncidentQuery } from "../../engine/log/incident-index.ts";
import { LIST_PAYMENTS, LIST_REFUNDS } from "../actions/steps.ts";
import { type Refusal, refuse, unknownId } from "../http/answer.ts";
import { type Call, callerOf } from "../http/call.ts";

/** The caller for searches. */
export function scopeOf(call: Call): SearchScope {
  return { ...callerOf(call), nowMs: call.context.timeIn(call.principal) };
}

/** What the caller named, or the refusal: `unknown` when it is hidden. */
function seen<T extends Realm & Partial<Owned>>(
  call: Call,
  thing: T | null | undefined,
  placeOf: (thing: T) => string,
  unknown: Rejection,
): T | Refusal {
  const found = seenBy(callerOf(call), thing, placeOf, unknown);
  return "code" in found ? refuse(found.code, found.detail) : found;
}

/** A hold by its id, or the refusal. */
export function holdOf(call: Call, hold_id: string): Hold | Refusal {
  const { state, records } = call.context.replica;
  const hold = state.holds.get(hold_id) ?? records.hold(hold_id);
  const unknown = { code: "hold_not_found", detail: { hold_id } } as const;
  return seen(call, hold, ({ quote }) => quote.property_id, unknown);
}

/** A booking by its id, or the refusal. */
export function bookingOf(call: Call, booking_id: string): Booking | Refusal {
  const booking = call.context.replica.records.booking(booking_id);
  const unknown = { code: "booking_not_found", detail: { booking_id } } as const;
  return seen(call, booking, ({ property_id }) => property_id, unknown);
}

/** An authorization by its id, or the refusal. */
export function authorizationOf(call: Call, authorization_id: string): Authorization | Refusal {
  const found = call.context.replica.records.authorization(authorization_id);
  const unknown = {
    code: "booking_authorization_not_found",
    detail: { authorization_id },
  } as const;
  return seen(call, found, ({ property_id }) => property_id, unknown);
}

/** The same, for the agent that may use it alone. */
export function ownAuthorizationOf(call: Call, authorization_id: string): Authorization | Refusal {
  const found = authorizationOf(call, authorization_id);
  if ("code" in found || found.agent_id === call.principal.agent_id) return found;
  return refuse("booking_authorization_not_found", { authorization_id });
}

/** An oversell incident by its id, or the refusal. */
export function incidentOf(call: Call, incident_id: string): OversellIncident | Refusal {
  const found = call.context.replica.records.incident(incident_id);
  const unknown = { code: "oversell_incident_not_found", detail: { incident_id } } as const;
  return seen(call, found, ({ property_id }) => property_id, unknown);
}

/** Ids of matching incidents, newest first; of more than `limit` it returns any `limit`. */
export function incidentIdsOf(
  call: Call,
  asked: Pick<IncidentQuery, "state" | "ids"> & { readonly property_id?: string },
  limit: number,
): string[] {
  const { property_id, ...query } = asked;
  return call.context.replica.records.incidents({ ...query, ...reachOf(call, property_id) }, limit);
}

/** Criteria of a search for authorizations, limited to the caller's properties. */
type AuthorizationsAsked = Pick<AuthorizationQuery, "agent_id" | "state" | "ids"> & {
  readonly property_id?: string;
};

/** Ids of matching authorizations, newest first; of more than `limit` it returns any `limit`. */
export function authorizationIdsOf(
  call: Call,
  { property_id, ...asked }: AuthorizationsAsked,
  limit: number,
): string[] {
  const query = {
    ...asked,
    ...reachOf(call, property_id),
    atMs: call.context.timeIn(call.principal),
  };
  return call.context.replica.records.authorizations(query, limit);
}

/** Tenant, mode and properties of a search: the named one, or all of the caller's; null for all. */
function reachOf({ principal }: Call, property_id?: string) {
  const { tenant_id, mode } = principal;
  const reached = principal.property_ids && [...principal.property_ids];
  const named = property_id === undefined ? null : [property_id];
  const property_ids =
    named && reached ? named.filter((id) => reached.includes(id)) : (named ?? reached);
  return { tenant_id, mode, property_ids };
}

/** The id of a property named by id or slug; an unknown name is returned unchanged. */
export function propertyId({ principal, context }: Call, idOrSlug: string): string {
  return context.replica.state.propertyNamed(principal, idOrSlug)?.tree.id ?? idOrSlug;
}

/** Criteria of a desk's search, limited to the caller's properties. */
export type BookingsAsked = Omit<DeskQuery, "tenant_id" | "mode" | "property_ids"> & {
  /** One property; by default all with access. */
  readonly property_id?: string;
};

/** Maximum of bookings searched: of one stay and agent during a quote's life. */
const SAME_STAY_MAX = 200;

/** Ids of matching bookings, newest first; of more than `limit`, any so many. */
export function bookingIdsOf(call: Call, asked: BookingsAsked, limit: number): string[] {
  const { property_id, ...query } = asked;
  return call.context.replica.records.bookings({ ...query, ...reachOf(call, property_id) }, limit);
}

/** Ids of the first `limit` matching bookings, the last made first; `after` continues a list. */
export function bookingListOf(
  call: Call,
  { property_id, ...query }: Pick<BookingsAsked, "property_id" | "state" | "check_in">,
  after: Booking | null,
  limit: number,
): string[] {
  const asked = { ...query, ...reachOf(call, property_id) };
  return call.context.replica.records.bookingList(asked, after, limit);
}

/** The stays of all matching bookings, in no order. */
export function staysOf(call: Call, { property_id, ...query }: BookingsAsked): DeskStay[] {
  return call.context.replica.records.stays({ ...query, ...reachOf(call, property_id) });
}

/** A quote found by its id, or the refusal. */
export function quoteSeen(
  call: Call,
  quote_id: string,
  quote: FrozenQuote | null,
): FrozenQuote | Refusal {
  const unknown = { code: "quote_not_found", detail: { quote_id } } as const;
  return seen(call, quote, ({ property_id }) => property_id, unknown);
}

/** A payment by its id, or the refusal. */
export function paymentOf(call: Call, payment_id: string): Payment | Refusal {
  const { state, records } = call.context.replica;
  const payment = state.payments.get(payment_id) ?? records.payment(payment_id);
  const unknown = unknownId("/payment_id", "the id of a payment", LIST_PAYMENTS);
  return moneySeen(call, payment, unknown);
}

/** A refund by its id, or the refusal. */
export function refundOf(call: Call, refund_id: string): Refund | Refusal {
  const refund = call.context.replica.records.refund(refund_id);
  return moneySeen(call, refund, unknownId("/refund_id", "the id of a refund", LIST_REFUNDS));
}

function moneySeen<T extends Payment | Refund>(
  call: Call,
  thing: T | null,
  unknown: Refusal,
): T | Refusal {
  if (thing === null) return unknown;
  const { property_id } = thing;
  switch (sightOf(callerOf(call), thing, property_id)) {
    case "visible":
      return thing;
    case "denied":
      return refuse("resource_access_denied", { property_id });
    case "hidden":
      return unknown;
  }
}

/** Ids of refunds in an open state, of every tenant; `refundOf` checks access. */
export function openRefundIdsOf(
  { context }: Call,
  state: "pending" | "failed",
  beforeId: string,
): string[] {
  return context.replica.records.openRefunds(state, beforeId);
}

/** Active holds, newest first. */
export function openHoldsOf(call: Call): Hold[] {
  const caller = callerOf(call);
  const open = [...call.context.replica.state.holds.values()].filter((hold) => {
    return sightOf(caller, hold, hold.quote.property_id) === "visible";
  });
  return open.reverse();
}

/** The agent's own active holds, newest first. */
export function ownHoldsOf(call: Call): Hold[] {
  const caller = callerOf(call);
  const { tenant_id, agent_id } = call.principal;
  const own = call.context.replica.state.holds.ofAgent({ tenant_id, agent_id });
  const nowMs = call.context.timeIn(call.principal);
  return own
    .filter((hold) => {
      return !isDue(hold, nowMs) && sightOf(caller, hold, hold.quote.property_id) === "visible";
    })
    .reverse();
}

/** Ids of a quote's active holds, newest first. */
export function openHoldIdsOf(call: Call, { quote_id }: FrozenQuote): string[] {
  const { replica, timeIn } = call.context;
  const [caller, nowMs] = [callerOf(call), timeIn(call.principal)];
  const ids: string[] = [];
  for (const hold of replica.state.holds.values()) {
    if (hold.quote.quote_id !== quote_id || isDue(hold, nowMs)) continue;
    if (sightOf(caller, hold, hold.quote.property_id) === "visible") ids.push(hold.hold_id);
  }
  return ids.reverse();
}

/** Ids of a quote's bookings that are not cancelled, newest first. */
export function bookingIdsOn(call: Call, quote: FrozenQuote): string[] {
  const { property_id, agent_id, stay, created_at } = quote;
  // After a reset of the test clock bookings can be earlier than their quotes.
  const resetMs = call.context.replica.state.quotesFromMs(call.principal);
  const asked: BookingsAsked = {
    ...{ property_id, agent_id },
    check_in: [stay.check_in, stay.check_in],
    check_out: [stay.check_out, stay.check_out],
    created_at: [Math.min(created_at, resetMs || created_at), Number.MAX_SAFE_INTEGER],
  };
  return bookingIdsOf(call, asked, SAME_STAY_MAX).filter((id) => {
    const booking = bookingOf(call, id);
    if ("code" in booking || booking.state === "cancelled") return false;
    return booking.quote.quote_id === quote.quote_id;
  });
}

/** Open payments, newest first. */
export function openPaymentsOf(call: Call): Payment[] {
  const caller = callerOf(call);
  const open = [...call.context.replica.state.payments.values()].filter((payment) => {
    return sightOf(caller, payment, payment.property_id) === "visible";
  });
  return open.reverse();
}

/** A property in any state by id or slug, or the refusal. */
export function propertyOf(call: Call, idOrSlug: string): PropertyEntry | Refusal {
  return propertyIn(call, idOrSlug, () => true);
}

/** The property of `?property_id`, or the refusal; null when the query names none. */
export function askedProperty(
  call: Call,
  named = call.query.get("property_id"),
): PropertyEntry | Refusal | null {
  return named === undefined ? null : propertyOf(call, named);
}

/** The same for partners, who may also name it by its external code. */
export function hotelOf(call: Call, hotelCode: string): PropertyEntry | Refusal {
  const coded = call.context.replica.state.propertyCoded(call.principal, hotelCode);
  return propertyOf(call, coded?.tree.id ?? hotelCode);
}

/** The same for live properties; others count as unknown. */
export function livePropertyOf(call: Call, idOrSlug: string): PropertyEntry | Refusal {
  return propertyIn(call, idOrSlug, ({ state }) => state === "live");
}

function propertyIn(
  call: Call,
  idOrSlug: string,
  isMeant: (property: PropertyEntry) => boolean,
): PropertyEntry | Refusal {
  const { principal, context } = call;
  const found = context.replica.state.propertyNamed(principal, idOrSlug);
  const property = found && isMeant(found) ? found : null;
  const unknown = { code: "property_not_found", detail: { property_id: idOrSlug } } as const;
  return seen(call, property, ({ tree }) => tree.id, unknown);
}

/**
 * The existing property of an imported tree: by its `id`, else by its `external_code`, else by its
 * `slug` unless that property has another code; null for a new one. Only for routes that concern
 * every property of the caller's tenant and mode.
 */
export function propertyMeant({ principal, context }: Call, sent: unknown): PropertyEntry | null {
  const { id, external_code, slug } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const { state } = context.replica;
  if (typeof id === "string") return state.property(principal, id) ?? null;
  const hasCode = typeof external_code === "string";
  const coded = hasCode ? state.propertyCoded(principal, external_code) : undefined;
  if (coded || typeof slug !== "string") return coded ?? null;
  const named = state.propertyNamed(principal, slug);
  if (named?.tree.slug !== slug) return null;
  return hasCode && named.tree.external_code !== undefined ? null : named;
}

/** Every property with access, in any state, newest first. */
export function propertiesOf(call: Call): PropertyEntry[] {
  const { principal, context } = call;
  const caller = callerOf(call);
  const own = context.replica.state.tenants.get(principal.tenant_id)?.properties[principal.mode];
  const seen = [...(own?.values() ?? [])].filter((property) => {
    return sightOf(caller, property, property.tree.id) === "visible";
  });
  return seen.reverse();
}

/** The live ones of them. */
export function livePropertiesOf(call: Call): PropertyEntry[] {
  return visibleProperties(call.context.replica.state, scopeOf(call)).reverse();
}
