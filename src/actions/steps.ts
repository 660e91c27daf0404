/**
 * The recovery calls as data: named by the error catalogue, completed by
 * `src/refusals/recovery.ts`, and published by `GET /.well-known/errors` as templates.
 */

import { isFinal, type MailFailure } from "../../engine/core/mail-failure.ts";

/** The purposes of next actions, a closed set: adding a value is a contract change. */
export const RELS = [
  "search",
  "quote",
  "requote",
  "create_hold",
  "confirm",
  "cancel",
  "release",
  "extend",
  "retry",
  "get",
  "get_audit",
  "get_refund",
  "issue_refund",
] as const;
export type Rel = (typeof RELS)[number];

/** The methods of next actions. */
export const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type Method = (typeof METHODS)[number];

/** Method and path of the failed call. */
export const SAME_CALL = "{same_call}";

export interface RecoveryStep {
  readonly rel: Rel;
  readonly method: Method;
  /** Path with `{id_name}` placeholders, or `SAME_CALL`. */
  readonly href: string;
  /** Preferred over `href`: the first path whose ids are all known. */
  readonly prefer?: readonly string[];
  /** Condition on the refusal's `detail`. */
  readonly when?: (detail: Readonly<Record<string, unknown>>) => boolean;
  /**
   * The `body_hint` to build: `alternatives` makes one action of each, `key` holds only an
   * idempotency key, `renamed` is the refused body under a free slug. `changes` makes one change
   * of the booking of each alternative. `handover` is only for a refused booking. `stay`, `quote`
   * and `guest_link` have blanks for unknown values; other steps without a body are not offered.
   */
  readonly body?:
    | ("requote" | "alternatives" | "stay" | "quote" | "cheaper" | "cheaper_elsewhere")
    | ("booking" | "authorized_booking" | "unauthorized_booking" | "handover")
    | ("key" | "renamed" | "refund" | "difference" | "changes" | "guest_link");
}

function get(href: string, prefer?: readonly string[]): RecoveryStep {
  return { rel: "get", method: "GET", href, ...(prefer && { prefer }) };
}

const BOOKING = "/v1/bookings/{booking_id}";
const HOLD = "/v1/holds/{hold_id}";
const DESK_REFUND = "/v1/admin/refunds/{refund_id}";
const DESK_AUTHORIZATION = "/v1/admin/booking-authorizations/{authorization_id}";
const INCIDENT = "/v1/admin/oversell-incidents/{incident_id}";
const ADMIN_PROPERTY = "/v1/admin/properties/{property_id}";
const AGENT = "/v1/admin/agents/{agent_id}";
const ISSUER = "/v1/admin/delegation-issuers/{issuer_id}";
const ENDPOINT = "/v1/admin/webhooks/{endpoint_id}";
const DELIVERY = "/v1/admin/webhook-deliveries/{delivery_id}";

/** The same operation, offered only where it can succeed unchanged. */
export const RETRY: RecoveryStep = { rel: "retry", method: "POST", href: SAME_CALL };

/** The same call with a token of the booking's own traveler. */
export const RETRY_AS_TRAVELER: RecoveryStep = {
  ...RETRY,
  when: ({ reason }) => reason === "traveler_mismatch",
};

/** Reasons of a `conflict` that a newer version or waiting resolves. */
const PASSING_REASONS: readonly unknown[] = ["version_mismatch", "delivery_in_flight"];
export const RETRY_IF_PASSING: RecoveryStep = {
  ...RETRY,
  when: ({ reason }) => PASSING_REASONS.includes(reason),
};
/** The same call under a free slug. */
export const RETRY_RENAMED: RecoveryStep = {
  ...RETRY,
  body: "renamed",
  when: ({ reason }) => reason === "slug_taken",
};
/** Reasons for which no mail can reach the guest. */
export const RETRY_NOTIFICATION: RecoveryStep = {
  ...RETRY,
  when: ({ reason }) => !isFinal(reason as MailFailure),
};
export const RETRY_WHILE_CONFIRMING: RecoveryStep = {
  ...RETRY,
  when: ({ state }) => state === "confirming",
};
/** A paused endpoint gets no attempts. */
export const RETRY_UNLESS_PAUSED: RecoveryStep = {
  ...RETRY,
  when: ({ endpoint_state }) => endpoint_state !== "paused",
};
export const SEARCH: RecoveryStep = {
  rel: "search",
  method: "POST",
  href: "/v1/search",
  body: "stay",
};
/** Within the agent's limit: in the same hotel, else anywhere. */
export const SEARCH_CHEAPER: RecoveryStep = { ...SEARCH, body: "cheaper" };
export const SEARCH_CHEAPER_ELSEWHERE: RecoveryStep = { ...SEARCH, body: "cheaper_elsewhere" };
export const QUOTE: RecoveryStep = {
  rel: "quote",
  method: "POST",
  href: "/v1/quotes",
  body: "quote",
};
export const REQUOTE: RecoveryStep = { ...QUOTE, rel: "requote", body: "requote" };
/** The hold keeps the room until its payment is decided. */
export const REQUOTE_UNLESS_CONFIRMING: RecoveryStep = {
  ...REQUOTE,
  when: ({ state }) => state !== "confirming",
};
/** A booking that cannot be changed so is changed otherwise: a quote would make a second one. */
export const REQUOTE_ALTERNATIVES: RecoveryStep = {
  ...REQUOTE,
  body: "alternatives",
  when: ({ booking_id }) => booking_id === undefined,
};
export const CONFIRM: RecoveryStep = {
  rel: "confirm",
  method: "POST",
  href: "/v1/bookings",
  body: "booking",
};
/** The same booking with the authorization that was approved for it. */
export const CONFIRM_AUTHORIZED: RecoveryStep = {
  ...CONFIRM,
  body: "authorized_booking",
  when: ({ state }) => state === "approved",
};
/** The same booking without the refused authorization. */
export const CONFIRM_UNAUTHORIZED: RecoveryStep = { ...CONFIRM, body: "unauthorized_booking" };
/** The traveler books the hold on a page, instead of giving the agent a token. */
export const CHECKOUT: RecoveryStep = {
  rel: "confirm",
  method: "POST",
  href: "/v1/checkout/sessions",
  body: "handover",
};
export const RELEASE: RecoveryStep = {
  rel: "release",
  method: "POST",
  href: `${HOLD}/release`,
  body: "key",
};

export const CANCEL: RecoveryStep = {
  rel: "cancel",
  method: "POST",
  href: `${BOOKING}/cancel`,
  body: "key",
};
/** The same change, once for each thing that the property can do about the difference. */
export const MODIFY_ANYWAY: RecoveryStep = {
  rel: "confirm",
  method: "PATCH",
  href: BOOKING,
  body: "difference",
};
/** The same change to each alternative. */
export const MODIFY_OTHERWISE: RecoveryStep = {
  ...MODIFY_ANYWAY,
  body: "changes",
  when: ({ booking_id }) => booking_id !== undefined,
};
/** Not when a change asked for it: refunding what remains would not make the change possible. */
export const ISSUE_REFUND: RecoveryStep = {
  rel: "issue_refund",
  method: "POST",
  href: "/v1/admin/bookings/{booking_id}/refunds",
  body: "refund",
  when: ({ asked }) => asked === undefined,
};

export const GET_AUDIT: RecoveryStep = {
  rel: "get_audit",
  method: "GET",
  href: `${BOOKING}/audit`,
};
export const GET_BOOKING = get(BOOKING);
/** A guest's own. */
export const GET_GUEST_BOOKING = get("/v1/guest/booking");
/** Where a guest without a session starts. */
export const ASK_GUEST_LINK: RecoveryStep = {
  rel: "get",
  method: "POST",
  href: "/v1/guest/magic-links",
  body: "guest_link",
};
export const GET_GUEST_CANCELLATION_QUOTE = get("/v1/guest/booking/cancellation-quote");

export const GET_REFUND: RecoveryStep = {
  rel: "get_refund",
  method: "GET",
  href: `${BOOKING}/refunds/{refund_id}`,
};
/** At the desk, which also sees refunds without a booking. */
export const GET_DESK_REFUND: RecoveryStep = {
  rel: "get_refund",
  method: "GET",
  href: DESK_REFUND,
};
export const GET_HOLD = get(HOLD);
export const GET_HOLD_OR_BOOKING = get(HOLD, [BOOKING]);
export const GET_RESOURCE = get(ADMIN_PROPERTY, [
  ...[INCIDENT, DESK_REFUND, DESK_AUTHORIZATION, BOOKING, HOLD, AGENT, ISSUER, ENDPOINT, DELIVERY],
]);
export const GET_AUTHORIZATION = get("/v1/booking-authorizations/{authorization_id}");
export const GET_INCIDENT = get(INCIDENT);
export const GET_PROPERTY = get("/v1/properties/{property_id}");
export const GET_ADMIN_PROPERTY = get(ADMIN_PROPERTY);
export const GET_ENDPOINT = get(ENDPOINT);
/** The agent's own bookings. */
export const LIST_HOLDS = get("/v1/holds");
export const LIST_BOOKINGS = get("/v1/bookings");
/** The holds that count towards the agent's limit. */
export const LIST_HOLDS_AT_LIMIT: RecoveryStep = {
  ...LIST_HOLDS,
  when: ({ policy }) => policy === "max_open_holds",
};
const TRUSTED_ISSUERS = "/.well-known/delegation-issuers";
export const GET_TRUSTED_ISSUERS = get(TRUSTED_ISSUERS, [
  `${TRUSTED_ISSUERS}?tenant_id={tenant_id}&mode={mode}`,
]);
export const GET_AGENT_CARD = get("/.well-known/agent-card.json");
export const GET_READINESS = get("/readyz");
export const GET_INDEX = get("/");
export const GET_ERRORS = get("/.well-known/errors");
export const GET_EVENTS = get("/docs/events");
export const GET_GUIDES = get("/docs/guides");
export const LIST_PROPERTIES = get("/v1/properties");
export const LIST_ADMIN_PROPERTIES = get("/v1/admin/properties");
export const GET_AGENT = get("/v1/admin/agents", [AGENT]);
export const LIST_PAYMENTS = get("/v1/admin/payments");
export const LIST_REFUNDS = get("/v1/admin/refunds");
export const LIST_AGENTS = get("/v1/admin/agents");
export const LIST_PEOPLE = get("/v1/admin/people");
export const LIST_ISSUERS = get("/v1/admin/delegation-issuers");
export const LIST_AUTHORIZATIONS = get("/v1/admin/booking-authorizations");
export const LIST_INCIDENTS = get("/v1/admin/oversell-incidents");
export const LIST_WEBHOOKS = get("/v1/admin/webhooks");
export const LIST_WEBHOOKS_AT_LIMIT: RecoveryStep = {
  ...LIST_WEBHOOKS,
  when: ({ reason }) => reason === "endpoint_limit",
};
export const LIST_FEEDS = get("/v1/admin/feeds");
export const LIST_DELIVERIES = get("/v1/admin/webhook-deliveries");
/** One page, because there may be many. */
export const PAGE_DELIVERIES = get("/v1/admin/webhook-deliveries?limit=50");
export const GET_DELIVERY = get(DELIVERY);

/** The document of a partner that needs no tenant. */
export function getPointsOfSale(partner: string): RecoveryStep {
  return get(`/feeds/${partner}/pointofsale.xml`);
}

/** `rel, method, href` of a step, as published in the catalogue. */
export function publicStep(step: RecoveryStep): { rel: Rel; method: Method; href: string } {
  return { rel: step.rel, method: step.method, href: step.href };
}
