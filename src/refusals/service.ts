/** Refusals of any call: invalid requests, idempotency keys, rate limits and outages. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import * as step from "../actions/steps.ts";
import { id, MENDING, type RefusalRecord, UPSTREAM } from "./record.ts";

const CHANGED_CELLS =
  "Read the nights of detail.cells, then send the change again with detail.seq as " +
  "if_unchanged_since.";

/** Remediation of a conflict, by reason. */
const CONFLICTS: Readonly<Record<string, string>> = {
  slug_taken: "Read the property that has this slug, or choose another slug.",
  external_code_taken: "Choose an external_code that no other property has.",
  session_full: "Start another session.",
  id_taken: "Read the property that has this id, or leave the id out to create another property.",
  iss_taken: "Change the existing issuer.",
  version_mismatch:
    "Read the resource and send the change again with its current version in If-Match.",
  max_extensions: "Book the hold before it expires, or release it.",
  not_a_draft: "Archive the property: only drafts can be deleted.",
  not_on_sale: "Read the property's state: only a live property can be suspended.",
  property_archived: "Create another property: archiving is final.",
  in_use: "Wait until its holds and bookings have ended; detail.mending closes it for new sales.",
  revoked: "Create another one: revocation is final.",
  own_agent: "Use another operator's credential.",
  own_person: "Ask another person or operator: a person cannot end their own access.",
  person_suspended: "Make the person active first.",
  person_revoked: "Add another person: revocation is final.",
  own_credential: "Use another credential.",
  credential_not_active: "Use an active credential or issue another one.",
  endpoint_limit: "Delete an unused endpoint, then create this one.",
  endpoint_disabled: "Resume the endpoint first: a disabled endpoint receives no deliveries.",
  secrets_overlap: "Wait until an older secret expires, then rotate again.",
  delivery_in_flight: "Wait for the attempt to end, then try again.",
  delivery_succeeded: "Nothing to do: the delivery has succeeded.",
  recovery_running: "Wait for the running recovery to end.",
  booking_state: "Read the booking: its state must be detail.needed.",
  refund_state: "Read the refund: only a failed one is repeated or settled elsewhere.",
  refund_retried: "Read detail.refund_id, the refund that repeats it.",
  refund_limit: "Refund no more of this booking, or settle the rest outside of this service.",
  own_request: "Ask another operator: the requester of an authorization cannot approve it.",
  authorization_state: "Read the authorization: its state must be detail.needed.",
  refund_open: "Settle detail.refund_id first: a refund that waits or failed needs its guest.",
  incident_state: "Read the incident: it is ended. Scan the night if it is oversold again.",
  booking_not_affected: "Choose one of the incident's affected_bookings.",
  nothing_changed: "Choose another action, or other values: these nights are set so already.",
  too_early: "Retry at detail.from or later.",
  too_late: "Check the guest out instead: from detail.until on the night counts as slept.",
  refund_changed: "Show the guest detail.refund and detail.fee, and ask again with that amount.",
  change_limit: "Leave the booking as it is: it was changed detail.limit times.",
  payment_due: "Hold a quote that is paid at the property, or book with the method card.",
  note_limit: "Leave the notes as they are: the booking has detail.limit of them.",
  guest_erased: "Write no note: the guest's data was erased, and notes with it.",
};

function anyOf(reasons: readonly string[]): string {
  const names = reasons.map((reason) => `\`${reason}\``);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

export const SERVICE = {
  validation_failed: {
    status: 400,
    message: "The request is not valid.",
    remediation: "Fix every path listed in detail.field_errors, then retry.",
    recovery: [step.RETRY],
    detail: [
      [
        "field_errors",
        "list of {path, message, expected}",
        "All errors of the request. `path` is a JSON pointer in the body, `?name` of a " +
          "query parameter, or the name of a header.",
      ],
      [
        "more_field_errors?",
        "integer",
        "With more than 100 errors: how many are not listed. Validation stops at 1,000.",
      ],
      [
        "stopped_at_line?",
        "integer",
        "On an import beyond its limit: the first line that was not read.",
      ],
      ["imported?", "integer", "With `stopped_at_line`: lines applied."],
      ["failed?", "integer", "With `stopped_at_line`: lines rejected."],
      [
        "items?",
        "list of {line, property_id | error}",
        "With `stopped_at_line`: the result of each earlier line.",
      ],
      ["path?", "string", "On an unknown route (404): the path."],
      ["allowed?", "list of string", "On a wrong method (405): the allowed methods."],
      ["partners?", "list of string", "On an unknown feed partner (404): the known partners."],
    ],
  },
  conflict: {
    status: 409,
    message: "The resource's current state does not allow this.",
    remediation: (_terms, { reason, cells }) =>
      (cells === undefined ? CONFLICTS[String(reason)] : CHANGED_CELLS) ??
      "Resolve the conflict that detail describes, then retry.",
    recovery: [
      ...[step.GET_RESOURCE, step.LIST_WEBHOOKS_AT_LIMIT],
      ...[step.RETRY_IF_PASSING, step.RETRY_RENAMED],
    ],
    detail: [
      ["reason", "string", `The conflict: ${anyOf(Object.keys(CONFLICTS))}.`],
      ["version?", "integer", "With `version_mismatch`: the current version; absent with `cells`."],
      [
        "cells?",
        "list of {room_type_id, rate_plan_id, agent_id, date, field, seq}",
        "With `version_mismatch` of nights: the first hundred of the update's cells that others " +
          "set later, each with the event that set it last.",
      ],
      ["has_more?", "boolean", "With `cells`: whether there are more than those listed."],
      ["seq?", "integer", "With `cells`: the number of the last event."],
      ["slug?", "string", "With `slug_taken`: the slug."],
      ["external_code?", "string", "With `external_code_taken`: the code."],
      [
        "state?",
        "string",
        "With `credential_not_active`, `booking_state`, `refund_state`, `authorization_state`, " +
          "`incident_state`, `not_a_draft`, `not_on_sale` and `property_archived`: the current state.",
      ],
      [
        "needed?",
        "string",
        "With `booking_state`, `refund_state`, `authorization_state` and `incident_state`: the " +
          "state that the call requires.",
      ],
      ["from?", "instant", "With `too_early`: the earliest time of the call."],
      ["until?", "instant", "With `too_late`: the end of the time for the call."],
      ["extensions?", "integer", "With `max_extensions`: how often the hold was extended."],
      [
        "limit?",
        "integer",
        "With `endpoint_limit`, `secrets_overlap`, `session_full`, `refund_limit`, " +
          "`change_limit` and `note_limit`: the maximum.",
      ],
      ["due_now?", "integer", "With `payment_due`: what is due at booking, minor units."],
      [
        "refund?",
        "integer",
        "With `refund_changed`: what a cancellation refunds now, minor units.",
      ],
      ["fee?", "integer", "With `refund_changed`: what it costs now, minor units."],
      ["currency?", "string", "With `payment_due` and `refund_changed`: the currency."],
      ["room_type_ids?", "list of ids", "With `in_use`: the room types that cannot be removed."],
      [
        "rate_plan_ids?",
        "list of ids",
        "With `in_use`: the plans that cannot be removed or changed.",
      ],
      ["hold_count?", "integer", "With `in_use`: the number of their open holds."],
      [
        "booking_count?",
        "integer",
        "With `in_use`: the number of their bookings with future nights.",
      ],
      ["hold_ids?", "list of ids", "With `in_use`: the first 20 of the holds."],
      ["booking_ids?", "list of ids", "With `in_use`: the first 20 of the bookings."],
      MENDING,
      ["…_id?", "string", "The ids of conflicting resources."],
    ],
  },
  idempotency_conflict: {
    status: 409,
    message: "The idempotency key was used for another request.",
    remediation: "Send the original request or use a new key.",
    recovery: [step.RETRY],
    retrying: "Not stored: the key keeps the answer of the request that it was first used for.",
    detail: [["key_scope", "string", "`agent`: a key is unique per agent."]],
  },
  rate_limited: {
    status: 429,
    message: "Too many requests.",
    remediation: (_terms, { policy }) =>
      policy === "max_open_holds"
        ? "Release an unused hold, or wait retry_after seconds."
        : policy === "max_pending_authorizations"
          ? "Ask the property's operator to decide about the open requests."
          : policy === "max_live_authorizations"
            ? "Use or revoke approved authorizations of the agent, or wait retry_after seconds."
            : "Wait retry_after seconds.",
    recovery: [step.LIST_HOLDS_AT_LIMIT, step.RETRY],
    wait: "until the next request is allowed",
    detail: [
      [
        "policy",
        "string",
        "What is limited: `default` (requests), `max_open_holds`, `max_open_quotes`, " +
          "`max_pending_authorizations` (an agent's open requests), `max_live_authorizations` " +
          "(those and its approved ones that no booking has used), `open_calls` " +
          "(concurrent long polls and streams), `supply_bytes` (bytes that a tenant's rates, " +
          "availability and properties may store per day), `feed_query_prices` and " +
          "`feed_query_tenant_prices` (prices of a partner's queries, per address and per " +
          "tenant), `feed_query_open` (concurrent large answers), `advisor_sessions`, " +
          "`advisor_messages`, `resend_confirmation` (copies of a booking's mails), or the name of a limit per address.",
      ],
      ["limit", "integer", "The limit; of requests, prices and bytes per `window_s`."],
      ["burst?", "integer", "Largest burst."],
      ["window_s?", "integer", "Length of the window in seconds."],
      [
        "open?",
        "integer",
        "With `max_open_holds`, `max_pending_authorizations` and `max_live_authorizations`: how many " +
          "the agent has.",
      ],
    ],
  },
  internal_error: {
    status: 500,
    message: "Internal error.",
    remediation: "Retry with backoff; if it persists, report trace_id.",
    retry_after: 1,
    recovery: [step.RETRY],
    detail: [],
  },
  service_not_configured: {
    status: 503,
    message: "A required service is not configured.",
    remediation: "Ask the operator to configure detail.missing.",
    recovery: [step.GET_READINESS],
    detail: [["missing", "string", "The missing setting."]],
  },
  upstream_unavailable: {
    status: 503,
    message: "A service that this call needs is unavailable.",
    remediation: "Retry after retry_after seconds; if it persists, report detail.upstream.",
    retry_after: 1,
    recovery: [step.RETRY],
    detail: [
      UPSTREAM,
      ["record?", "string", "With `records`: the damaged record, which an operator must rebuild."],
      [
        "reason?",
        "string",
        "With `control_store` and `disk`: `disk_full`, `read_only` or `io_error`; with `disk` also " +
          "`busy`, while another process writes.",
      ],
      [
        "is_denied?",
        "boolean",
        "With `control_store`: the revoked, suspended or deleted object is refused from now on, " +
          "but only until a restart: repeat the call until it succeeds.",
      ],
      ["damage?", "string", "With `journal`: the damage, as named in the operator's log."],
      ["iss?", "string", "With `delegation_issuer_jwks`: the issuer whose keys are unavailable."],
      ["status?", "string", "On `/readyz`: the worst state, with the fields of its success."],
      ["service?", "string", "On `/readyz`."],
      ["timestamp?", "instant", "On `/readyz`."],
      [
        "dependencies?",
        "map of name to {state, damage?}",
        "On `/readyz`: each `ok`, `degraded` or `down`.",
      ],
    ],
  },
  notification_delivery_failed: {
    status: 502,
    message: "The notification could not be delivered.",
    remediation: "Retry the notification; the operation itself may have succeeded.",
    retry_after: 30,
    recovery: [step.RETRY_NOTIFICATION, step.GET_BOOKING, step.GET_ENDPOINT],
    detail: [
      ["booking_id?", "string", "For mails: the booking."],
      ["endpoint_id?", "string", "For test events: the webhook endpoint."],
      [
        "reason",
        "string",
        "Server unusable: `dns`, `connect`, `tls`, `timeout` or, for mails, `auth`. Server refused " +
          "the mail: `deferred` (temporary) or `rejected` (permanent). `disk`: the outbox cannot be " +
          "written. `address`: the guest's or the endpoint's address cannot be used. " +
          "`guest_erased`: the address was erased. For test events also the reasons of deliveries, " +
          "such as `http_5xx`.",
      ],
      ["status", "integer or null", "Status of the mail server or receiver, if it answered."],
      ["attempt?", "object", "For test events: request and response, secrets masked."],
    ],
  },
  webhook_endpoint_not_found: {
    status: 404,
    message: "Webhook endpoint not found.",
    remediation: "List the endpoints for valid ids.",
    recovery: [step.LIST_WEBHOOKS],
    detail: [id("endpoint_id", "The requested id.")],
  },
  webhook_delivery_not_found: {
    status: 404,
    message: "Webhook delivery not found.",
    remediation: "List the deliveries for valid ids.",
    recovery: [step.LIST_DELIVERIES],
    detail: [id("delivery_id", "The requested id.")],
  },
  webhook_delivery_not_replayable: {
    status: 409,
    message: "The delivery cannot be replayed now.",
    remediation: (_terms, { endpoint_state, endpoint_id }) =>
      endpoint_state === "paused"
        ? "The endpoint is paused: resume it with POST " +
          `/v1/admin/webhooks/${endpoint_id}/resume, or discard the delivery.`
        : "Wait for the delivery in flight to complete.",
    recovery: [step.GET_DELIVERY, step.GET_ENDPOINT, step.RETRY_UNLESS_PAUSED],
    wait: "until the next attempt",
    detail: [
      id("delivery_id", "The delivery."),
      ["state", "string", "The delivery's state."],
      ["next_attempt_at", "instant or null", "Time of the next attempt."],
      ["endpoint_state?", "string", "`paused`: no attempts until the endpoint is resumed."],
      ["endpoint_id?", "string", "With `endpoint_state`: the endpoint."],
    ],
  },
} satisfies Readonly<Partial<Record<RefusalCode, RefusalRecord>>>;
