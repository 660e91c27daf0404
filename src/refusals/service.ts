/** Refusals that any call can meet: its form, its key, its rate, and what is broken behind it. */

import type { RefusalCode } from "../../engine/core/refusals.ts";
import * as step from "../actions/steps.ts";
import { id, MENDING, UPSTREAM } from "./fields.ts";
import type { RefusalRecord } from "./record.ts";

/** What to do about a conflict, by its reason. */
const CONFLICTS: Readonly<Record<string, string>> = {
  slug_taken: "Read the property that has the slug; another slug makes another property.",
  external_code_taken: "Give the property the external_code of no other property.",
  session_full: "Start another session, which takes as many messages again.",
  id_taken: "Read the property that has the id; leave the id out to make another one.",
  iss_taken: "Change the issuer that is there already.",
  version_mismatch: "Read the resource and send the change again with its version as If-Match.",
  max_extensions: "Book the hold before it expires, or release it.",
  not_a_draft: "Archive the property: what was on sale once cannot be deleted.",
  not_on_sale: "Read the property's state: what is not on sale cannot be suspended.",
  property_archived: "Create another property: an archived one is final.",
  in_use: "Wait until what depends on it has ended; detail.mending closes it for new sales.",
  revoked: "Create another one: a revocation is final.",
  own_agent: "Use the credential of another operator for that.",
  own_credential: "Use another credential for that.",
  credential_not_active: "Use an active credential, or issue another one.",
  endpoint_limit: "Delete an endpoint that is not needed, then create this one.",
  endpoint_disabled: "Resume the endpoint first: no delivery is made while it is disabled.",
  secrets_overlap: "Wait until an older secret retires, then rotate again.",
  delivery_in_flight: "Wait for the attempt to end, then try again.",
  delivery_succeeded: "Leave it: the delivery has arrived.",
  recovery_running: "Wait for the running recovery to end.",
  booking_state: "Read the booking: its state must be the one that detail.needed names.",
  too_early: "Make the call at detail.from or later.",
};

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
        "Everything that is wrong, at once. `path` is a JSON pointer in the body, `?name` of a " +
          "query parameter, or the name of a header.",
      ],
      [
        "more_field_errors?",
        "integer",
        "Beyond 100 faults: how many more were found; of a schema's at most 1,000 are looked for.",
      ],
      ["stopped_at_line?", "integer", "On an import beyond its limit: the first line not read."],
      ["imported?", "integer", "Beside `stopped_at_line`, as are the next: lines done."],
      ["failed?", "integer", "Lines refused."],
      ["items?", "list of {line, property_id | error}", "What each line before it came to."],
      ["path?", "string", "On an unknown route (404): the path."],
      ["allowed?", "list of string", "On a wrong method (405): the methods the path takes."],
      ["partners?", "list of string", "On an unknown feed partner (404): those there are."],
    ],
  },
  conflict: {
    status: 409,
    message: "The resource's present state forbids this.",
    remediation: (_terms, { reason }) =>
      CONFLICTS[String(reason)] ?? "Resolve what detail names first, then retry.",
    recovery: [
      ...[step.GET_RESOURCE, step.LIST_WEBHOOKS_AT_LIMIT],
      ...[step.RETRY_IF_PASSING, step.RETRY_RENAMED],
    ],
    detail: [
      [
        "reason",
        "string",
        "What stands against it: `slug_taken`, `external_code_taken`, `id_taken`, `iss_taken`, " +
          "`max_extensions`, " +
          "`version_mismatch`, `revoked`, `own_agent`, `own_credential`, `credential_not_active`, " +
          "`endpoint_limit`, `endpoint_disabled`, `secrets_overlap`, `delivery_in_flight`, " +
          "`delivery_succeeded`, `booking_state`, `too_early`, `in_use`, `not_a_draft`, " +
          "`not_on_sale`, `session_full` or `property_archived`.",
      ],
      ["version?", "integer", "Beside `version_mismatch`: the present version."],
      ["slug?", "string", "Beside `slug_taken`: the slug."],
      ["external_code?", "string", "Beside `external_code_taken`: the code."],
      [
        "state?",
        "string",
        "Beside `credential_not_active`, `booking_state`, `not_a_draft`, `not_on_sale` and " +
          "`property_archived`: the present state.",
      ],
      ["needed?", "string", "Beside `booking_state`: the state that the call asks for."],
      ["from?", "instant", "Beside `too_early`: when the call can be made."],
      ["extensions?", "integer", "Beside `max_extensions`: how often the hold was extended."],
      [
        "limit?",
        "integer",
        "Beside `endpoint_limit`, `secrets_overlap` and `session_full`: how many there may be.",
      ],
      ["room_type_ids?", "list of ids", "Beside `in_use`: the room types that cannot go."],
      ["rate_plan_ids?", "list of ids", "Beside `in_use`: the plans that cannot go or change."],
      ["hold_count?", "integer", "Beside `in_use`: how many open holds are of them."],
      ["booking_count?", "integer", "Beside `in_use`: how many bookings with nights to come."],
      ["hold_ids?", "list of ids", "Beside `in_use`: the first 20 of the holds."],
      ["booking_ids?", "list of ids", "Beside `in_use`: the first 20 of the bookings."],
      MENDING,
      ["…_id?", "string", "The ids of what is in the way."],
    ],
  },
  idempotency_conflict: {
    status: 409,
    message: "The idempotency key was used for another request.",
    remediation: "Replay the original body or use a fresh key.",
    recovery: [step.RETRY],
    retrying: "Not stored: the key still stands for the request that it was first used for.",
    detail: [
      ["key_scope", "string", "`agent`: a key stands for one request of the agent that sent it."],
    ],
  },
  rate_limited: {
    status: 429,
    message: "Too many requests.",
    remediation: (_terms, { policy }) =>
      policy === "max_open_holds"
        ? "Release a hold that is not needed, or back off for retry_after seconds."
        : "Back off for retry_after seconds.",
    recovery: [step.LIST_HOLDS_AT_LIMIT, step.RETRY],
    wait: "until the next request is allowed",
    detail: [
      [
        "policy",
        "string",
        "What is limited: `default` (requests), `max_open_holds`, `max_open_quotes`, `open_calls` " +
          "(long polls and streams at once), `supply_bytes` (bytes that a tenant's rates, " +
          "availability and properties may store in a day), `feed_query_prices` and " +
          "`feed_query_tenant_prices` (prices that a partner asks for, of an address and of a " +
          "tenant), `feed_query_open` (large answers at once), `advisor_sessions`, " +
          "`advisor_messages`, `resend_confirmation` (copies of a booking's mails), or the name of a limit per address.",
      ],
      ["limit", "integer", "How many are allowed; requests, prices and bytes, per `window_s`."],
      ["burst?", "integer", "How many may come at once."],
      ["window_s?", "integer", "Seconds that `limit` is counted over."],
      ["open?", "integer", "Beside `max_open_holds`: the agent's open holds."],
    ],
  },
  internal_error: {
    status: 500,
    message: "Something went wrong on our side.",
    remediation: "Retry with backoff and cite trace_id.",
    retry_after: 1,
    recovery: [step.RETRY],
    detail: [],
  },
  service_not_configured: {
    status: 503,
    message: "A required upstream is not configured.",
    remediation: "Ask the operator to configure what detail names.",
    recovery: [step.GET_READINESS],
    detail: [["missing", "string", "The setting that the operator must make."]],
  },
  upstream_unavailable: {
    status: 503,
    message: "A part this call needs is unavailable.",
    remediation: "Retry after retry_after seconds; cite detail.upstream if it persists.",
    retry_after: 1,
    recovery: [step.RETRY],
    detail: [
      UPSTREAM,
      [
        "record?",
        "string",
        "Beside `records`: the damaged record, which an operator must rebuild.",
      ],
      [
        "reason?",
        "string",
        "Beside `control_store` and `disk`: `disk_full`, `read_only` or `io_error`.",
      ],
      [
        "is_denied?",
        "boolean",
        "Beside `control_store`: what was to be revoked, suspended or deleted is refused from now " +
          "on, but a restart forgets it: send the call again until it succeeds.",
      ],
      ["damage?", "string", "Beside `journal`: what is damaged, as the operator's log names it."],
      ["iss?", "string", "Beside `delegation_issuer_jwks`: the issuer whose keys cannot be had."],
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
    remediation: "The primary operation may have succeeded; retry the notification.",
    retry_after: 30,
    recovery: [step.RETRY_NOTIFICATION, step.GET_BOOKING, step.GET_ENDPOINT],
    detail: [
      ["booking_id?", "string", "Of a mail: the booking that it tells of."],
      ["endpoint_id?", "string", "Of a test: the webhook endpoint that it was sent to."],
      [
        "reason",
        "string",
        "The server cannot be used: `dns`, `connect`, `tls`, `timeout`, of mail `auth`; it refused " +
          "the mail for now: `deferred`; for good: `rejected`. `disk`: the outbox cannot be " +
          "written. `address`: no mail can be sent to the guest's, or no event to the endpoint's. " +
          "`guest_erased`: there is none. Of a test also the reasons of deliveries, as `http_5xx`.",
      ],
      ["status", "integer or null", "What the mail server or the receiver answered, if it did."],
      ["attempt?", "object", "Of a test: what was sent and answered, secrets masked."],
    ],
  },
  webhook_endpoint_not_found: {
    status: 404,
    message: "There is no such webhook endpoint.",
    remediation: "List the endpoints for valid ids.",
    recovery: [step.LIST_WEBHOOKS],
    detail: [id("endpoint_id", "The id that was asked for.")],
  },
  webhook_delivery_not_found: {
    status: 404,
    message: "There is no such webhook delivery.",
    remediation: "Check the dead-letter queue via the deliveries endpoint.",
    recovery: [step.LIST_DELIVERIES],
    detail: [id("delivery_id", "The id that was asked for.")],
  },
  webhook_delivery_not_replayable: {
    status: 409,
    message: "The delivery cannot be replayed now.",
    remediation: (_terms, { endpoint_state, endpoint_id }) =>
      endpoint_state === "paused"
        ? "The endpoint is paused, so no attempt is made: resume it with POST " +
          `/v1/admin/webhooks/${endpoint_id}/resume, or cancel the delivery with its discard.`
        : "Wait for the in-flight delivery to complete.",
    recovery: [step.GET_DELIVERY, step.GET_ENDPOINT, step.RETRY_UNLESS_PAUSED],
    wait: "until the next attempt",
    detail: [
      id("delivery_id", "The delivery."),
      ["state", "string", "The delivery's state."],
      ["next_attempt_at", "instant or null", "When it is tried next."],
      ["endpoint_state?", "string", "`paused`: no attempt is made until the endpoint is resumed."],
      ["endpoint_id?", "string", "Beside `endpoint_state`: the endpoint."],
    ],
  },
} satisfies Readonly<Partial<Record<RefusalCode, RefusalRecord>>>;
