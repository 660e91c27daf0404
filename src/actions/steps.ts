/**
 * The recovery calls of rules §9 as data. The error catalogue names them;
 * `src/refusals/recovery.ts` fills in the ids; `GET /.well-known/errors` shows them as templates.
 * One list, so that what is published and what is sent cannot differ.
 */

import { isFinal, type MailFailure } from "../../jobs/mail/mail.ts";

/** Spec 2.2, closed: adding a value is a contract change. */
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

/** Spec 2.2. */
export const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type Method = (typeof METHODS)[number];

/** Stands for the path of the call that failed; its method goes with it. */
export const SAME_CALL = "{same_call}";

export interface RecoveryStep {
  readonly rel: Rel;
  readonly method: Method;
  /** Path with `{id_name}` placeholders, or `SAME_CALL`. */
  readonly href: string;
  /** Tried before `href`: the first path whose ids are all known wins. */
  readonly prefer?: readonly string[];
  /** Offered only where this holds of the refusal's `detail`. */
  readonly when?: (detail: Readonly<Record<string, unknown>>) => boolean;
  /**
   * What `body_hint` to build; `alternatives` makes one action of each. Without what the body is
   * made of the step is not offered: nobody could take it as it stands.
   */
  readonly body?:
    | ("requote" | "alternatives" | "stay" | "booking" | "authorized_booking" | "refund")
    | ("mended_tree" | "mended_nights" | "promotion" | "renamed" | "empty");
}

/** A step that reads `href`. */
function get(href: string, prefer?: readonly string[]): RecoveryStep {
  return { rel: "get", method: "GET", href, ...(prefer && { prefer }) };
}

const BOOKING = "/v1/bookings/{booking_id}";
const HOLD = "/v1/holds/{hold_id}";
const ADMIN_PROPERTY = "/v1/admin/properties/{property_id}";
const AGENT = "/v1/admin/agents/{agent_id}";
const ISSUER = "/v1/admin/delegation-issuers/{issuer_id}";
const ENDPOINT = "/v1/admin/webhooks/{endpoint_id}";
const DELIVERY = "/v1/admin/webhook-deliveries/{delivery_id}";

export const RETRY: RecoveryStep = { rel: "retry", method: "POST", href: SAME_CALL };

/** The same call with a token of the booking's own traveler. */
export const RETRY_AS_TRAVELER: RecoveryStep = {
  ...RETRY,
  when: ({ reason }) => reason === "traveler_mismatch",
};

/** Reasons of a `conflict` that no repetition gets past. */
const FINAL_REASONS: readonly unknown[] = [
  "max_extensions",
  "property_archived",
  "not_on_sale",
  "not_a_draft",
  "in_use",
  // Offered with another slug in the body.
  "slug_taken",
  "external_code_taken",
  "revoked",
  "own_agent",
  "own_credential",
  "credential_not_active",
  "session_full",
  "endpoint_limit",
  "endpoint_disabled",
  "secrets_overlap",
  "delivery_succeeded",
  "booking_state",
  // Of the same key; at `from` a new one does.
  "too_early",
];
export const RETRY_UNLESS_FINAL: RecoveryStep = {
  ...RETRY,
  when: ({ reason }) => !FINAL_REASONS.includes(reason),
};
/** The same call under a slug that is free. */
export const RETRY_RENAMED: RecoveryStep = {
  ...RETRY,
  body: "renamed",
  when: ({ reason }) => reason === "slug_taken",
};
/** What was on sale is archived in the place of being deleted. */
export const ARCHIVE_INSTEAD: RecoveryStep = {
  rel: "retry",
  method: "POST",
  href: `${ADMIN_PROPERTY}/archive`,
  body: "empty",
  when: ({ reason }) => reason === "not_a_draft",
};
const isOffSale = (state: unknown) => state === "draft" || state === "suspended";

/** All that can be mended of a property's tree, in one call; what is archived is mended no more. */
const MEND_TREE: RecoveryStep = {
  rel: "retry",
  method: "PATCH",
  href: ADMIN_PROPERTY,
  body: "mended_tree",
  when: ({ state }) => state !== "archived",
};
export const MEND_NIGHTS: RecoveryStep = {
  rel: "retry",
  method: "PUT",
  href: `${ADMIN_PROPERTY}/ari`,
  body: "mended_nights",
  when: ({ state }) => state !== "archived",
};
const PROMOTE: RecoveryStep = {
  rel: "retry",
  method: "POST",
  href: `${ADMIN_PROPERTY}/promote`,
  body: "promotion",
  when: ({ state }) => isOffSale(state),
};
/** Reasons for which a guest cannot be written to, however often it is tried. */
export const RETRY_NOTIFICATION: RecoveryStep = {
  ...RETRY,
  when: ({ reason }) => !isFinal(reason as MailFailure),
};
export const RETRY_WHILE_CONFIRMING: RecoveryStep = {
  ...RETRY,
  when: ({ state }) => state === "confirming",
};
export const SEARCH: RecoveryStep = {
  rel: "search",
  method: "POST",
  href: "/v1/search",
  body: "stay",
};
export const QUOTE: RecoveryStep = {
  rel: "quote",
  method: "POST",
  href: "/v1/quotes",
  body: "requote",
};
export const REQUOTE: RecoveryStep = { ...QUOTE, rel: "requote" };
/** The room is the hold's until its payment is decided. */
export const REQUOTE_UNLESS_CONFIRMING: RecoveryStep = {
  ...REQUOTE,
  when: ({ state }) => state !== "confirming",
};
export const REQUOTE_ALTERNATIVES: RecoveryStep = { ...REQUOTE, body: "alternatives" };
export const CONFIRM: RecoveryStep = {
  rel: "confirm",
  method: "POST",
  href: "/v1/bookings",
  body: "booking",
};
export const RETRY_AUTHORIZED: RecoveryStep = {
  rel: "retry",
  method: "POST",
  href: "/v1/bookings",
  body: "authorized_booking",
};
export const RELEASE: RecoveryStep = { rel: "release", method: "POST", href: `${HOLD}/release` };
export const CANCEL: RecoveryStep = { rel: "cancel", method: "POST", href: `${BOOKING}/cancel` };
export const ISSUE_REFUND: RecoveryStep = {
  rel: "issue_refund",
  method: "POST",
  href: "/v1/admin/bookings/{booking_id}/refunds",
  body: "refund",
};

export const GET_AUDIT: RecoveryStep = {
  rel: "get_audit",
  method: "GET",
  href: `${BOOKING}/audit`,
};
export const GET_BOOKING = get(BOOKING);
/** What a test of a webhook was sent to. */
export const GET_ENDPOINT = get(ENDPOINT);
export const GET_REFUND: RecoveryStep = {
  rel: "get_refund",
  method: "GET",
  href: `${BOOKING}/refunds/{refund_id}`,
};
export const GET_HOLD_OR_BOOKING = get(HOLD, [BOOKING]);
export const GET_RESOURCE = get(ADMIN_PROPERTY, [BOOKING, HOLD, AGENT, ISSUER, ENDPOINT, DELIVERY]);
export const GET_PROPERTY = get("/v1/properties/{property_id}");
/** What mends a property, then its promotion, then a look at it, whatever led here. */
export const ONTO_SALE: readonly RecoveryStep[] = [
  ...[MEND_TREE, MEND_NIGHTS, PROMOTE],
  get(ADMIN_PROPERTY),
];
/** What is on sale was refused a change, which is sent again with what mends it. */
export const RETRY_UNLESS_OFF_SALE: RecoveryStep = {
  ...RETRY,
  when: ({ state }) => !isOffSale(state),
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
/** A page, where all that there are would be too many. */
export const PAGE_DELIVERIES = get("/v1/admin/webhook-deliveries?limit=50");
export const GET_DELIVERY = get(DELIVERY);

/** The document of a partner that needs no tenant. */
export function getPointsOfSale(partner: string): RecoveryStep {
  return get(`/feeds/${partner}/pointofsale.xml`);
}

/** The `rel, method, href` part of a step, as the catalogue publishes it. */
export function publicStep(step: RecoveryStep): { rel: Rel; method: Method; href: string } {
  return { rel: step.rel, method: step.method, href: step.href };
}
