/** Webhook endpoints, for operators (domain §11). */

import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import {
  Id,
  Instant,
  listOf,
  Mode,
  named,
  orNull,
  Version,
} from "../../http/schema/answer-parts.ts";
import { WebhookFormat, WebhookOrdering } from "./requests.ts";

const PingResult = named("WebhookPing", "What came of the last ping.", {
  ok: Type.Boolean(),
  reason: orNull(
    Type.String({ description: "`timeout`, `tls`, `http_5xx` and so on; null when it succeeded." }),
  ),
  status: orNull(Type.Integer({ description: "What the receiver answered; null without answer." })),
  at: Instant,
});

const SentHeaders = Type.Record(Type.String(), Type.String(), {
  description: "Secrets masked, and whatever the tenant has added.",
});

const WebhookState = vocabulary(
  "WebhookState",
  ["active", "paused", "disabled"],
  "Events wait while it is `paused`; there are none for a `disabled` one.",
);
const PausedReason = vocabulary(
  "PausedReason",
  ["operator", "ping_pending", "ping_failed"],
  "A new endpoint waits for its ping.",
);
const DisabledReason = vocabulary(
  "DisabledReason",
  ["operator", "gone", "failing", "backlog"],
  "`gone`: it answered 410. `failing`: for too long nothing succeeded. `backlog`: it was paused " +
    "with more than 50,000 events, or with one older than 14 days.",
);

const ENDPOINT_FIELDS = {
  endpoint_id: Id,
  url: Type.String({ format: "uri" }),
  format: WebhookFormat,
  ota: orNull(
    named("OtaSettings", "What messages need to be told; null where events are sent as they are.", {
      requestor_id: orNull(Type.String({ description: "How the partner knows the sender." })),
    }),
  ),
  description: orNull(Type.String()),
  events: Type.Array(Type.String(), { description: 'Kinds of events; `["*"]` for all.' }),
  property_ids: orNull(Type.Array(Id)),
  subjects: orNull(Type.Array(Type.String({ description: "`booking:bkg_…`" }))),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "The tenant's own, sent with every delivery; values are masked.",
  }),
  scopes: Type.Array(Type.String(), {
    description: "`bookings:read` lets guest data into events.",
  }),
  max_in_flight: Type.Integer({ minimum: 1, maximum: 50 }),
  max_per_s: orNull(Type.Integer({ minimum: 1, maximum: 1000 })),
  ordering: WebhookOrdering,
  state: WebhookState,
  mode: Mode,
  paused_reason: orNull(PausedReason),
  disabled_reason: orNull(DisabledReason),
  disabled_at: orNull(Instant),
  missed_since: orNull(
    Type.String({
      format: "date-time",
      description: "When it was disabled before: `since` for `replay_missing`; null if never.",
    }),
  ),
  oldest_dead_letter_at: orNull(
    Type.String({
      format: "date-time",
      description: "When the oldest dead letter was made: `since` for `recover`; null without one.",
    }),
  ),
  failing_since: orNull(
    Type.String({
      format: "date-time",
      description: "While it is active: since when nothing that was sent has succeeded.",
    }),
  ),
  ping: orNull(PingResult),
  secret_hint: Type.String({ description: "How the secret ends that signs from now on." }),
  retiring_secrets: Type.Array(
    named("RetiringSecret", "Signs beside its successor until it retires.", {
      secret_hint: Type.String(),
      retire_at: Instant,
    }),
    {
      description: "Secrets that were rotated and sign beside it until they retire.",
    },
  ),
  created_at: Instant,
  version: Version,
};

export const WebhookTest = named("WebhookTest", "What came of an event that was sent at once.", {
  endpoint_id: Id,
  event_id: Type.String({ description: "`webhook-id` of what was sent." }),
  kind: Type.String(),
  ok: Type.Boolean({ description: "Whether it was answered with 2xx in time." }),
  reason: orNull(
    Type.String({ description: "`timeout`, `tls`, `http_5xx` and so on; null when it succeeded." }),
  ),
  status: orNull(Type.Integer({ description: "What the receiver answered; null without answer." })),
  latency_ms: Type.Integer({ minimum: 0 }),
  address: orNull(Type.String({ description: "Where it went; null when it went nowhere." })),
  request_id: Type.String({ description: "`x-request-id`, for the receiver's log." }),
  request_headers: SentHeaders,
  response_headers: SentHeaders,
  excerpt: Type.String({ description: "The first KiB of the answer." }),
});

const SHOWN_ONCE = {
  secret: orNull(
    Type.String({
      description: "`whsec_…`, to verify signatures with. Null in a replay: it is shown once.",
    }),
  ),
  secret_note: Type.Optional(
    Type.String({ description: "Beside a secret that is null: what to do if it is lost." }),
  ),
};

export const WebhookEndpoint = named(
  "WebhookEndpoint",
  "Where a tenant wants its events.",
  ENDPOINT_FIELDS,
);

export const WebhookEndpointList = listOf(WebhookEndpoint);

export const WebhookEndpointWithSecret = named(
  "WebhookEndpointWithSecret",
  "An endpoint with a secret, the only time that it is shown.",
  { ...ENDPOINT_FIELDS, ...SHOWN_ONCE },
);
