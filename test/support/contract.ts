/** The table of all error codes, written down a second time so that the catalogue cannot drift. */

const CODES_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: ["validation_failed"],
  401: [
    "unauthenticated",
    "delegation_required",
    "delegation_invalid",
    "delegation_issuer_unknown",
  ],
  402: ["payment_failed"],
  403: ["forbidden", "resource_access_denied", "principal_kind_not_allowed"],
  404: [
    ...["property_not_found", "room_type_not_found", "rate_plan_not_found", "quote_not_found"],
    ...["hold_not_found", "booking_not_found", "oversell_incident_not_found", "agent_not_found"],
    ...["credential_not_found", "booking_authorization_not_found"],
    ...["delegation_issuer_not_found", "webhook_endpoint_not_found"],
    "webhook_delivery_not_found",
  ],
  409: [
    ...["conflict", "idempotency_conflict", "allocation_failed", "allotment_exhausted"],
    ...["oversell_not_detected", "quote_mismatch", "hold_not_active", "booking_not_cancellable"],
    ...["booking_not_modifiable", "booking_modification_price_change", "authorization_required"],
    ...["booking_authorization_invalid", "no_capturable_payment", "payment_not_refundable"],
    ...["refund_exceeds_remaining", "property_not_promotable"],
    ...["policy_not_found_for_rate_plan", "webhook_delivery_not_replayable"],
  ],
  410: ["quote_expired", "hold_expired"],
  429: ["rate_limited"],
  500: ["internal_error"],
  502: ["payment_provider_error", "notification_delivery_failed"],
  503: ["service_not_configured", "upstream_unavailable"],
  504: ["payment_timeout"],
};

/** HTTP status of every code of the contract. */
export const STATUS_OF: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(CODES_BY_STATUS).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)] as const),
  ),
);
