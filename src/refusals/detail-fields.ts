/**
 * What `detail` of each error code holds (spec part 7): one table behind the pages of the errors.
 * A name that ends in `?` is there only where the meaning says when. Fields can be added, so a
 * reader ignores those it does not know.
 */
import type { ErrorCode } from "./catalogue.ts";

/** Name, type, meaning. */
export type DetailField = readonly [name: string, type: string, meaning: string];

const id = (name: string, meaning: string): DetailField => [name, "string", meaning];
const HOLD_ID = id("hold_id", "The hold.");
const BOOKING_ID = id("booking_id", "The booking.");
const PROPERTY_ID = id("property_id", "The property.");
const ROOM_TYPE_ID = id("room_type_id", "The room type.");
const RATE_PLAN_ID = id("rate_plan_id", "The rate plan.");
const QUOTE_ID = id("quote_id", "The quote.");
const PAYMENT_ID = id("payment_id", "The attempt to pay.");
const AGENT_ID = id("agent_id", "The agent.");
const AUTHORIZATION_ID = id("authorization_id", "The booking authorization.");
const PROVIDER_CODE: DetailField = [
  "provider_code",
  "string or null",
  "The payment provider's own code.",
];
const OFFER = [
  PROPERTY_ID,
  id("room_type_id", "The room type that was asked for."),
  id("rate_plan_id", "The rate plan that was asked for."),
] as const;
const BLOCKING: DetailField = [
  "blocking",
  "list of {date, reason, …}",
  "Each night that cannot be sold and why, with the numbers behind it.",
];
const ALTERNATIVES: DetailField = [
  "alternatives",
  "list of {kind, sellable, quote}",
  "Nearest dates and other rooms that can be held now, each with a ready quote request.",
];
const UPSTREAM: DetailField = [
  "upstream",
  "string",
  "What is unavailable: `redis`, `engine`, `control_store`, `delegation_issuer_jwks` or another.",
];

export const DETAIL_FIELDS: Readonly<Record<ErrorCode, readonly DetailField[]>> = {
  validation_failed: [
    [
      "field_errors",
      "list of {path, message, expected}",
      "Everything that is wrong, at once. `path` is a JSON pointer in the body, `?name` of a " +
        "query parameter, or the name of a header.",
    ],
    ["path?", "string", "On an unknown route (404): the path."],
    ["allowed?", "list of string", "On a wrong method (405): the methods the path takes."],
  ],
  unauthenticated: [
    [
      "reason",
      "string",
      "`missing_credential`, `bearer_scheme_required`, `malformed_credential`, " +
        "`unknown_credential`, `credential_revoked` or `credential_expired`; of an access token " +
        "`token_invalid`, `token_expired`, `token_revoked` or `wrong_audience`.",
    ],
  ],
  delegation_required: [["header", "string", "`X-Delegated-User`."]],
  delegation_invalid: [
    [
      "reason",
      "string",
      "`expired`, `bad_signature`, `missing_claim`, `audience_mismatch` or " +
        "`unsupported_algorithm`.",
    ],
    ["claim?", "string", "The claim at fault, where it is one."],
  ],
  delegation_issuer_unknown: [["iss", "string", "The token's issuer."]],
  payment_failed: [
    HOLD_ID,
    PAYMENT_ID,
    ["provider_message", "string", "What the payment provider says; fit to be shown."],
    ["provider_code?", PROVIDER_CODE[1], PROVIDER_CODE[2]],
    ["reason?", "string", "`outcome_unknown` when the provider gave no verdict within 24 hours."],
  ],
  forbidden: [
    ["required_scope?", "string", "The scope that is missing."],
    ["granted?", "list of string", "The scopes of the credential, beside `required_scope`."],
    [
      "reason?",
      "string",
      "Where it is not one scope: `agent_suspended`, `origin_not_allowed` or `host_not_allowed`.",
    ],
    ["allowed?", "string", "Beside an origin or host: the address of the service."],
  ],
  resource_access_denied: [
    [
      "reason?",
      "string",
      "`other_tenant` (`X-Tenant-Id` names another tenant), `traveler_mismatch` (the token is " +
        "another traveler's) or `all_properties` (only who may sell all may let another).",
    ],
    ["tenant_id?", "string", "Beside `other_tenant`: the tenant that was named."],
    ["booking_id?", "string", "Beside `traveler_mismatch`: the booking."],
    ["property_id?", "string", "The property that the credential may not sell."],
  ],
  principal_kind_not_allowed: [
    ["kind", "string", "The credential's kind."],
    ["allowed", "list of string", "The kinds that may call."],
  ],
  property_not_found: [id("property_id", "The id or slug that was asked for.")],
  room_type_not_found: OFFER,
  rate_plan_not_found: OFFER,
  quote_not_found: [id("quote_id", "The id that was asked for.")],
  hold_not_found: [id("hold_id", "The id that was asked for.")],
  booking_not_found: [id("booking_id", "The id that was asked for.")],
  oversell_incident_not_found: [id("incident_id", "The id that was asked for.")],
  agent_not_found: [id("agent_id", "The id that was asked for.")],
  credential_not_found: [AGENT_ID, id("credential_id", "The id that was asked for.")],
  booking_authorization_not_found: [id("authorization_id", "The id that was asked for.")],
  delegation_issuer_not_found: [id("issuer_id", "The id that was asked for.")],
  webhook_endpoint_not_found: [id("endpoint_id", "The id that was asked for.")],
  webhook_delivery_not_found: [id("delivery_id", "The id that was asked for.")],
  conflict: [
    [
      "reason",
      "string",
      "What stands against it: `slug_taken`, `id_taken`, `iss_taken`, `max_extensions`, " +
        "`version_mismatch`, `revoked`, `own_agent`, `own_credential` or `credential_not_active`.",
    ],
    ["version?", "integer", "Beside `version_mismatch`: the present version."],
    ["slug?", "string", "Beside `slug_taken`: the slug."],
    ["state?", "string", "Beside `credential_not_active`: the credential's state."],
    ["extensions?", "integer", "Beside `max_extensions`: how often the hold was extended."],
    ["…_id?", "string", "The ids of what is in the way."],
  ],
  idempotency_conflict: [
    ["key_scope", "string", "`tenant`: a key stands for one request of one agent in the tenant."],
  ],
  allocation_failed: [
    QUOTE_ID,
    ["reason", "string", "`restriction` or `no_units`."],
    PROPERTY_ID,
    ROOM_TYPE_ID,
    BLOCKING,
    ALTERNATIVES,
  ],
  allotment_exhausted: [
    QUOTE_ID,
    PROPERTY_ID,
    ROOM_TYPE_ID,
    ["dates", "list of dates", "The nights whose ceiling is reached."],
    ["ceiling", "integer", "Units that may be sold per night, on the first of them."],
    ["used", "integer", "Units sold and held on the first of them."],
    ["scope", "{room_type_id, rate_plan_id}", "What the ceiling is for."],
    BLOCKING,
    ALTERNATIVES,
  ],
  oversell_not_detected: [
    ["capacity", "integer", "Units there are."],
    ["sold", "integer", "Units sold."],
    ["held", "integer", "Units held."],
  ],
  quote_mismatch: [HOLD_ID, id("quote_id", "The quote that was sent.")],
  hold_not_active: [
    HOLD_ID,
    ["state", "string", "`released`, `consumed` or `confirming`."],
    ["booking_id?", "string", "Beside `consumed`: the booking that came of it."],
  ],
  booking_not_cancellable: [
    BOOKING_ID,
    ["state", "string", "The booking's state."],
    ["cancelled_at", "instant or null", "When it was cancelled, if it was."],
    ["refund_id", "string or null", "The refund of that cancellation, if there was one."],
  ],
  booking_not_modifiable: [
    BOOKING_ID,
    ["reason", "string", "`state`, `cutoff_passed`, `non_refundable` or `room_type_closed`."],
  ],
  booking_modification_price_change: [
    BOOKING_ID,
    ["reason", "string", "`length_changed` or `total_changed`."],
    ["current_total", "integer", "Minor units."],
    ["new_total", "integer", "Minor units."],
    ["difference", "integer", "Minor units."],
    ["nights_current", "integer", "Length of the stay now."],
    ["nights_requested", "integer", "Length that was asked for."],
  ],
  authorization_required: [
    HOLD_ID,
    ["policy", "string", "What asks for it: `max_booking_amount`."],
    ["threshold", "{amount, currency}", "The limit of the agent, minor units."],
    ["amount", "integer", "Total of the booking, minor units."],
    ["currency", "string", "Currency of `amount`."],
  ],
  booking_authorization_invalid: [
    AUTHORIZATION_ID,
    HOLD_ID,
    [
      "reason",
      "string",
      "`expired`, `revoked`, `already_consumed`, `pending_approval`, `amount_exceeded`, " +
        "`currency_mismatch`, `agent_mismatch`, `traveler_mismatch` or `scope_mismatch`.",
    ],
  ],
  no_capturable_payment: [BOOKING_ID],
  payment_not_refundable: [BOOKING_ID, ["state", "string", "The payment's state."]],
  refund_exceeds_remaining: [
    BOOKING_ID,
    ["requested", "integer", "Minor units."],
    ["remaining", "integer", "The most that can be refunded, minor units."],
    ["captured", "integer", "Minor units."],
    ["refunded", "integer", "Minor units."],
    ["pending", "integer", "Refunds on their way, minor units."],
  ],
  property_not_promotable: [
    PROPERTY_ID,
    ["state", "string", "The property's state."],
    [
      "reasons",
      "list of {code, path, severity, message}",
      "Everything that stands against it (`error`) or should be better (`warning`).",
    ],
  ],
  policy_not_found_for_rate_plan: [PROPERTY_ID, RATE_PLAN_ID],
  webhook_delivery_not_replayable: [
    id("delivery_id", "The delivery."),
    ["state", "string", "The delivery's state."],
    ["next_attempt_at", "instant or null", "When it is tried next."],
  ],
  quote_expired: [
    QUOTE_ID,
    ["expired_at?", "instant", "When it expired; left out once the quote itself is forgotten."],
  ],
  hold_expired: [HOLD_ID, ["expired_at", "instant", "When it expired."]],
  rate_limited: [
    [
      "policy",
      "string",
      "What is limited: `default` (requests), `max_open_holds`, `max_open_quotes`, or the name " +
        "of a limit per address.",
    ],
    ["limit", "integer", "How many are allowed; requests are counted per `window_s`."],
    ["burst?", "integer", "Requests that may come at once."],
    ["window_s?", "integer", "Seconds that `limit` is counted over."],
    ["open?", "integer", "Beside `max_open_holds`: the agent's open holds."],
  ],
  internal_error: [],
  payment_provider_error: [HOLD_ID, PAYMENT_ID, PROVIDER_CODE],
  notification_delivery_failed: [
    ["endpoint_id?", "string", "The webhook endpoint."],
    ["status?", "integer or null", "What the receiver answered."],
  ],
  service_not_configured: [["missing", "string", "The setting that the operator must make."]],
  upstream_unavailable: [
    UPSTREAM,
    ["iss?", "string", "Beside `delegation_issuer_jwks`: the issuer whose keys cannot be had."],
    ["status?", "string", "On `/readyz`: the worst state, with the fields of its success."],
    ["service?", "string", "On `/readyz`."],
    ["timestamp?", "instant", "On `/readyz`."],
    ["dependencies?", "map of name to {state}", "On `/readyz`: each `ok`, `degraded` or `down`."],
  ],
  payment_timeout: [HOLD_ID],
};
