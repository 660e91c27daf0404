/**
 * Every refusal code, and whether a keyed call's refusal is sealed: stored under its key and
 * repeated for ever.
 *
 * Refusals by state are sealed: 402, 404, 409 and 410. Refusals caused by the caller (400, 401,
 * 403), the moment (429) or the installation (5xx) are not, because the same request may succeed
 * later; nor are conflicts about the key itself, which belongs to another request. Status, texts
 * and recovery of a code are in `src/refusals/`.
 */

export const SEALED = {
  validation_failed: false,
  unauthenticated: false,
  delegation_required: false,
  delegation_invalid: false,
  delegation_issuer_unknown: false,
  payment_failed: true,
  forbidden: false,
  resource_access_denied: false,
  principal_kind_not_allowed: false,
  property_not_found: true,
  room_type_not_found: true,
  rate_plan_not_found: true,
  quote_not_found: true,
  hold_not_found: true,
  booking_not_found: true,
  oversell_incident_not_found: true,
  agent_not_found: true,
  credential_not_found: true,
  booking_authorization_not_found: true,
  delegation_issuer_not_found: true,
  webhook_endpoint_not_found: true,
  webhook_delivery_not_found: true,
  conflict: true,
  idempotency_conflict: false,
  allocation_failed: true,
  allotment_exhausted: true,
  oversell_not_detected: true,
  quote_mismatch: true,
  hold_not_active: true,
  booking_not_cancellable: true,
  booking_not_modifiable: true,
  booking_modification_price_change: true,
  authorization_required: true,
  booking_authorization_invalid: true,
  no_capturable_payment: true,
  payment_not_refundable: true,
  refund_exceeds_remaining: true,
  property_not_promotable: true,
  policy_not_found_for_rate_plan: true,
  webhook_delivery_not_replayable: true,
  quote_expired: true,
  hold_expired: true,
  rate_limited: false,
  internal_error: false,
  payment_provider_error: false,
  notification_delivery_failed: false,
  service_not_configured: false,
  upstream_unavailable: false,
  payment_timeout: false,
} as const satisfies Record<string, boolean>;

/** A code of the contract; the list above has all of them. */
export type RefusalCode = keyof typeof SEALED;

export const REFUSAL_CODES = Object.keys(SEALED) as readonly RefusalCode[];

/** Whether a keyed call with this refusal gets it again for ever. */
export function isSealed(code: RefusalCode): boolean {
  return SEALED[code];
}
