/** Meanings of members for operators, events and feeds; see `meanings.ts`. */

const IDS = {
  agent_id: "The agent.",
  booking_id: "The booking.",
  credential_id: "The credential.",
  delivery_id: "The delivery.",
  endpoint_id: "The webhook endpoint.",
  hold_id: "The hold.",
  incident_id: "The oversell incident.",
  issuer_id: "The issuer.",
  payment_id: "The payment.",
  previous_credential_id: "The replaced credential.",
  property_id: "The property.",
  published_run_id: "The published build; null without one.",
  quote_id: "The quote.",
  refund_id: "The refund.",
  run_id: "The build.",
};

const EVENTS = {
  confirmation_code: "The guest's code for the desk.",
  policy_hash: "SHA-256 of the frozen terms.",
  prev_hash: "`hash` of the previous event; null for the first.",
  price_hash: "SHA-256 of the frozen price.",
  provider_ref: "The provider's reference of the payment.",
  tenant_id: "The tenant.",
  trace_id: "Trace of the call that caused it (W3C).",
  attempt: "Number of the payment attempt for the hold, from 1.",
  method: "Payment method of the booking.",
  rate_plan_count: "Number of rate plans.",
  room_type_count: "Number of room types.",
  "AuditAnchor.payload_hash":
    "SHA-256 of the anchor without its signatures, in canonical form (RFC 8785).",
  "EventKind.kind": "The kind, as in an event's `type`.",
  "EventKind.meaning": "Meaning of the kind.",
  "FxChangedEventData.rates": "Units of each currency for one of `base`, as decimal text.",
  "PaymentsReconciledEventData.difference_count": "Number of differences.",
  "PaymentsReconciledEventDataOrphan.state": "State of the charge.",
  "PaymentsReconciledEventDataOrphanTotal.charges": "Number of charges.",
  "PaymentsReconciledEventDataOrphanTotal.state": "State of the charges.",
  "WebhookEndpointDisabledEventData.reason":
    "`gone`: it answered 410. `failing`: no success for days. `backlog`: paused with too many or " +
    "too old events. `operator`: disabled by an operator.",
};

const WEBHOOKS = {
  attempt_count: "Number of attempts.",
  overlap_s: "Seconds for which the previous one still works.",
};

const FEEDS = {
  point_of_sale: "Target address of the partner's links.",
};

const SUPPLY = {
  dry_run: "True: nothing is changed, the answer is a preview.",
  failed: "Rejected lines.",
  "FeeLine.code": "Code of the fee.",
};

const DESK = {
  "DeskPayment.age_s": "Seconds since its start.",
  "DeskRefund.age_s": "Seconds since the request.",
};

const AGENTS = {
  last4: "The secret's last four characters.",
  prefix: "Prefix of the secret.",
  daily_summary: "Address and time of the mail with key figures; null for none.",
  return_origins: "Origins that checkout pages of the agent may lead back to.",
  sells_directly: "True: guests book through it on the hotels' own pages.",
  property_ids: "Properties with access; null for all, including future ones.",
  scopes: "Granted scopes.",
};

export const OPERATOR_MEANINGS: Readonly<Record<string, string>> = {
  ...IDS,
  ...EVENTS,
  ...WEBHOOKS,
  ...FEEDS,
  ...SUPPLY,
  ...DESK,
  ...AGENTS,
};
