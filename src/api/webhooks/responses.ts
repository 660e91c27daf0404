/** Webhook endpoints, for operators. */
import { Type } from "@sinclair/typebox";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
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

const PingResult = named("WebhookPing", "Result of the last ping.", {
  ok: documented(Type.Boolean(), "Whether the response was 2xx in time."),
  reason: orNull(
    Type.String({ description: "Such as `timeout`, `tls` or `http_5xx`; null on success." }),
  ),
  status: orNull(Type.Integer({ description: "Status of the response; null without one." })),
  at: Instant,
});

const SentHeaders = Type.Record(Type.String(), Type.String(), {
  description: "Request headers; secrets and the tenant's own headers are masked.",
});

const WebhookState = vocabulary(
  "WebhookState",
  ["active", "paused", "disabled"],
  "A `paused` endpoint's events wait; a `disabled` one gets none.",
);
const PausedReason = vocabulary(
  "PausedReason",
  ["operator", "ping_pending", "ping_failed"],
  "Why it is paused; a new endpoint waits for its ping.",
);
const DisabledReason = vocabulary(
  "DisabledReason",
  ["operator", "gone", "failing", "backlog"],
  "`gone`: it answered 410. `failing`: no success for too long. `backlog`: paused with more than " +
    "50,000 events, or with one older than 14 days.",
);

const ENDPOINT_FIELDS = {
  endpoint_id: Id,
  url: documented(Type.String({ format: "uri" }), "Address of the receiver."),
  format: WebhookFormat,
  ota: orNull(
    named("OtaSettings", "Settings of messages; null for the format `json`.", {
      requestor_id: orNull(Type.String({ description: "The sender's id at the partner." })),
    }),
  ),
  description: documented(orNull(Type.String()), "The operator's description."),
  events: Type.Array(Type.String(), { description: 'Kinds of events; `["*"]` for all.' }),
  property_ids: documented(
    orNull(Type.Array(Id)),
    "Only events of these properties; null for all.",
  ),
  subjects: documented(
    orNull(Type.Array(Type.String({ description: "`booking:bkg_…`" }))),
    "Only events of these subjects; null for all.",
  ),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "The tenant's own headers, sent with every delivery; values are masked.",
  }),
  scopes: Type.Array(Type.String(), {
    description: "`bookings:read` includes guest data in events.",
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
      description: "Last time it was disabled: `since` for `replay_missing`; null if never.",
    }),
  ),
  oldest_dead_letter_at: orNull(
    Type.String({
      format: "date-time",
      description: "Creation of the oldest dead letter: `since` for `recover`; null without one.",
    }),
  ),
  failing_since: orNull(
    Type.String({
      format: "date-time",
      description: "While active: time since which no delivery has succeeded.",
    }),
  ),
  ping: orNull(PingResult),
  secret_hint: Type.String({ description: "Last characters of the current secret." }),
  retiring_secrets: Type.Array(
    named("RetiringSecret", "A replaced secret, which still signs until it retires.", {
      secret_hint: documented(Type.String(), "The secret's last characters."),
      retire_at: Instant,
    }),
    {
      description: "Replaced secrets, which still sign until they retire.",
    },
  ),
  created_at: Instant,
  version: Version,
};

export const WebhookTest = named("WebhookTest", "Result of a test event.", {
  endpoint_id: Id,
  event_id: Type.String({ description: "`webhook-id` of the event." }),
  kind: documented(Type.String(), "The kind of the event."),
  ok: Type.Boolean({ description: "Whether the response was 2xx in time." }),
  reason: orNull(
    Type.String({ description: "Such as `timeout`, `tls` or `http_5xx`; null on success." }),
  ),
  status: orNull(Type.Integer({ description: "Status of the response; null without one." })),
  latency_ms: documented(Type.Integer({ minimum: 0 }), "Milliseconds until the response."),
  address: orNull(
    Type.String({ description: "IP address of the receiver; null when not connected." }),
  ),
  request_id: Type.String({ description: "`x-request-id`, for the receiver's log." }),
  request_headers: SentHeaders,
  response_headers: SentHeaders,
  excerpt: Type.String({ description: "The first KiB of the response." }),
});

const SHOWN_ONCE = {
  secret: orNull(
    Type.String({
      description: "`whsec_…`, to verify signatures. Null in a replay: it is shown once.",
    }),
  ),
  secret_note: Type.Optional(
    Type.String({ description: "With a null secret: what to do if it was lost." }),
  ),
};

export const WebhookEndpoint = named(
  "WebhookEndpoint",
  "A webhook address of a tenant.",
  ENDPOINT_FIELDS,
);

export const WebhookEndpointList = listOf(WebhookEndpoint);

export const WebhookEndpointWithSecret = named(
  "WebhookEndpointWithSecret",
  "An endpoint with its secret, which is shown once.",
  { ...ENDPOINT_FIELDS, ...SHOWN_ONCE },
);
