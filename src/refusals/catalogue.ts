/**
 * THE catalogue of errors: every code of spec part 7 with its status, texts and recovery calls
 * (rules §9). Clients match on the code alone; codes are never renamed.
 */
import * as step from "./steps.ts";

export interface CatalogueEntry {
  /** HTTP status. */
  readonly status: number;
  readonly message: string;
  /** Imperative instruction. */
  readonly remediation: string;
  /** Seconds, where the code fixes them; otherwise the refusal brings them or there are none. */
  readonly retry_after?: number;
  /** Recovery calls, most useful first. */
  readonly recovery: readonly step.RecoveryStep[];
}

const ENTRIES = {
  validation_failed: {
    status: 400,
    message: "The request is not valid.",
    remediation: "Fix every path listed in detail.field_errors, then retry.",
    recovery: [step.RETRY],
  },
  unauthenticated: {
    status: 401,
    message: "No valid credential was sent.",
    remediation: "Include a valid agent key or bearer token in the Authorization header.",
    recovery: [step.RETRY],
  },
  delegation_required: {
    status: 401,
    message: "This call needs a traveler's delegation token.",
    remediation: "Attach a JWT for the traveler as X-Delegated-User.",
    recovery: [step.RETRY, step.GET_TRUSTED_ISSUERS],
  },
  delegation_invalid: {
    status: 401,
    message: "The delegation token does not verify.",
    remediation: "Check detail.reason, then retry with a fresh token.",
    recovery: [step.RETRY, step.GET_TRUSTED_ISSUERS],
  },
  delegation_issuer_unknown: {
    status: 401,
    message: "The delegation token's issuer is not trusted.",
    remediation: "Contact the tenant admin to register the issuer.",
    recovery: [step.GET_TRUSTED_ISSUERS],
  },
  payment_failed: {
    status: 402,
    message: "The payment was refused.",
    remediation:
      "Confirm again with a new token and a new key, or surface detail.provider_message.",
    recovery: [step.CONFIRM, step.RELEASE],
  },
  forbidden: {
    status: 403,
    message: "The credential may not make this call.",
    remediation: "Request elevated credentials or stay within the granted scopes.",
    recovery: [step.GET_AGENT_CARD],
  },
  resource_access_denied: {
    status: 403,
    message: "The credential may not reach this resource.",
    remediation: "Ask an admin to grant access to the resource.",
    recovery: [step.GET_AGENT_CARD],
  },
  principal_kind_not_allowed: {
    status: 403,
    message: "This kind of credential may not make this call.",
    remediation: "Re-authenticate with a credential of a kind in detail.allowed.",
    recovery: [step.GET_AGENT_CARD],
  },
  property_not_found: {
    status: 404,
    message: "There is no such property.",
    remediation: "Search again for valid ids.",
    recovery: [step.SEARCH],
  },
  room_type_not_found: {
    status: 404,
    message: "The property has no such room type.",
    remediation: "Call GET /v1/properties/{id} for its room types.",
    recovery: [step.GET_PROPERTY, step.SEARCH],
  },
  rate_plan_not_found: {
    status: 404,
    message: "The room type has no such rate plan.",
    remediation: "Call GET /v1/properties/{id} for its rate plans.",
    recovery: [step.GET_PROPERTY, step.SEARCH],
  },
  quote_not_found: {
    status: 404,
    message: "There is no such quote.",
    remediation: "Create a fresh quote.",
    recovery: [step.QUOTE],
  },
  hold_not_found: {
    status: 404,
    message: "There is no such hold.",
    remediation: "Create a new quote and hold.",
    recovery: [step.QUOTE],
  },
  booking_not_found: {
    status: 404,
    message: "There is no such booking.",
    remediation: "Confirm the id and the tenant context.",
    recovery: [step.SEARCH],
  },
  oversell_incident_not_found: {
    status: 404,
    message: "There is no such oversell incident.",
    remediation: "Refresh the oversell queue.",
    recovery: [step.LIST_INCIDENTS],
  },
  agent_not_found: {
    status: 404,
    message: "There is no such agent.",
    remediation: "List the agents for valid ids.",
    recovery: [step.LIST_AGENTS],
  },
  credential_not_found: {
    status: 404,
    message: "The agent has no such credential.",
    remediation: "List the credentials via the agent detail route.",
    recovery: [step.GET_AGENT],
  },
  booking_authorization_not_found: {
    status: 404,
    message: "There is no such booking authorization.",
    remediation: "Create a fresh authorization.",
    recovery: [step.LIST_AUTHORIZATIONS],
  },
  delegation_issuer_not_found: {
    status: 404,
    message: "There is no such delegation issuer.",
    remediation: "List the issuers for valid ids.",
    recovery: [step.LIST_ISSUERS],
  },
  webhook_endpoint_not_found: {
    status: 404,
    message: "There is no such webhook endpoint.",
    remediation: "List the endpoints for valid ids.",
    recovery: [step.LIST_WEBHOOKS],
  },
  webhook_delivery_not_found: {
    status: 404,
    message: "There is no such webhook delivery.",
    remediation: "Check the dead-letter queue via the deliveries endpoint.",
    recovery: [step.LIST_DELIVERIES],
  },
  conflict: {
    status: 409,
    message: "The resource's present state forbids this.",
    remediation: "Resolve what detail names first, then retry.",
    recovery: [step.GET_RESOURCE, step.RETRY],
  },
  idempotency_conflict: {
    status: 409,
    message: "The idempotency key was used for another request.",
    remediation: "Replay the original body or use a fresh key.",
    recovery: [step.RETRY],
  },
  allocation_failed: {
    status: 409,
    message: "The room cannot be held for this stay.",
    remediation: "Requote; try other dates or rooms.",
    recovery: [step.REQUOTE_ALTERNATIVES, step.SEARCH],
  },
  allotment_exhausted: {
    status: 409,
    message: "The daily ceiling for this room is reached.",
    remediation: "Try a different date or room type.",
    recovery: [step.REQUOTE_ALTERNATIVES, step.SEARCH],
  },
  oversell_not_detected: {
    status: 409,
    message: "The night is not oversold.",
    remediation: "Refresh the data before retrying.",
    recovery: [step.LIST_INCIDENTS],
  },
  quote_mismatch: {
    status: 409,
    message: "The hold was made for another quote.",
    remediation: "Recreate the quote, hold and booking chain.",
    recovery: [step.REQUOTE],
  },
  hold_not_active: {
    status: 409,
    message: "The hold is no longer active.",
    remediation: "Inspect it, then create a new quote and hold if needed.",
    recovery: [step.GET_HOLD_OR_BOOKING, step.REQUOTE],
  },
  booking_not_cancellable: {
    status: 409,
    message: "The booking cannot be cancelled in its state.",
    remediation: "Inspect the booking's state first.",
    recovery: [step.GET_BOOKING, step.GET_AUDIT],
  },
  booking_not_modifiable: {
    status: 409,
    message: "The booking cannot be modified.",
    remediation: "Fall back to staff support.",
    recovery: [step.GET_BOOKING, step.GET_AUDIT],
  },
  booking_modification_price_change: {
    status: 409,
    message: "The new dates would change the price.",
    remediation: "Ask staff, or choose dates of the same length and price.",
    recovery: [step.QUOTE, step.CANCEL],
  },
  authorization_required: {
    status: 409,
    message: "This booking needs an authorization.",
    remediation: "Have an authorization approved, then book with its id and a new key.",
    recovery: [step.RETRY_AUTHORIZED],
  },
  booking_authorization_invalid: {
    status: 409,
    message: "The booking authorization cannot be used.",
    remediation: "Inspect detail.reason, refresh the authorization, then book with a new key.",
    recovery: [step.RETRY_AUTHORIZED],
  },
  no_capturable_payment: {
    status: 409,
    message: "The booking has no captured payment.",
    remediation: "Inspect the booking: there is nothing to refund.",
    recovery: [step.GET_BOOKING],
  },
  payment_not_refundable: {
    status: 409,
    message: "The payment cannot be refunded in its state.",
    remediation: "Refund only captured or partially_refunded payments.",
    recovery: [step.GET_BOOKING],
  },
  refund_exceeds_remaining: {
    status: 409,
    message: "The refund is more than what remains.",
    remediation: "Reduce the amount to detail.remaining.",
    recovery: [step.ISSUE_REFUND],
  },
  property_not_promotable: {
    status: 409,
    message: "The property is not ready to go live.",
    remediation: "Fix the pre-conditions in detail.reasons, then retry.",
    recovery: [step.GET_ADMIN_PROPERTY, step.RETRY],
  },
  policy_not_found_for_rate_plan: {
    status: 409,
    message: "The rate plan has no cancellation policy.",
    remediation: "Contact the tenant admin, or choose another rate plan.",
    recovery: [step.GET_PROPERTY, step.SEARCH],
  },
  webhook_delivery_not_replayable: {
    status: 409,
    message: "The delivery cannot be replayed now.",
    remediation: "Wait for the in-flight delivery to complete.",
    recovery: [step.GET_DELIVERY, step.RETRY],
  },
  quote_expired: {
    status: 410,
    message: "The quote has expired.",
    remediation: "Call POST /v1/quotes again.",
    recovery: [step.REQUOTE],
  },
  hold_expired: {
    status: 410,
    message: "The hold has expired.",
    remediation: "Create a new quote and hold; the room may be unavailable.",
    recovery: [step.REQUOTE],
  },
  rate_limited: {
    status: 429,
    message: "Too many requests.",
    remediation: "Back off for retry_after seconds.",
    recovery: [step.RETRY],
  },
  internal_error: {
    status: 500,
    message: "Something went wrong on our side.",
    remediation: "Retry with backoff and cite trace_id.",
    retry_after: 1,
    recovery: [step.RETRY],
  },
  payment_provider_error: {
    status: 502,
    message: "The payment provider answered with an error.",
    remediation: "Retry with backoff or use another payment method.",
    retry_after: 2,
    recovery: [step.RETRY],
  },
  notification_delivery_failed: {
    status: 502,
    message: "The notification could not be delivered.",
    remediation: "The primary operation may have succeeded; retry the notification.",
    retry_after: 30,
    recovery: [step.RETRY],
  },
  service_not_configured: {
    status: 503,
    message: "A required upstream is not configured.",
    remediation: "Ask the operator to configure what detail names.",
    recovery: [step.GET_READINESS],
  },
  upstream_unavailable: {
    status: 503,
    message: "A part this call needs is unavailable.",
    remediation: "Retry after retry_after seconds; cite detail.upstream if it persists.",
    retry_after: 1,
    recovery: [step.RETRY],
  },
  payment_timeout: {
    status: 504,
    message: "The payment's outcome is not known yet.",
    remediation: "Retry with the same Idempotency-Key; never mint a new key.",
    retry_after: 5,
    recovery: [step.RETRY],
  },
} satisfies Record<string, CatalogueEntry>;

/** A code of spec part 7. The catalogue's keys are the codes, so none can lack an entry. */
export type ErrorCode = keyof typeof ENTRIES;

/** Every code with what it means, in the order of spec part 7. */
export const catalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = ENTRIES;

/** All codes, in the order of spec part 7. */
export const ERROR_CODES = Object.keys(ENTRIES) as readonly ErrorCode[];

/** Seconds to wait for `retry_after` and `Retry-After`: what the refusal says, else the code. */
export function retryAfter(code: ErrorCode, given?: number | null): number | null {
  return given ?? catalogue[code].retry_after ?? null;
}

/** Address that explains `code` (spec 2.3 `docs_url`); `docs` has no trailing slash. */
export function docsUrl(docs: string, code: ErrorCode): string {
  return `${docs}/errors/${code}`;
}
