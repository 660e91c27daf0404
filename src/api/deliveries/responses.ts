/** Deliveries of events to webhook endpoints, for operators. */
import { Type } from "@sinclair/typebox";
import { DELIVERY_STATES, REASONS } from "../../../jobs/webhooks/store/delivery.ts";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import { Id, Instant, listOf, named, orNull, words } from "../../http/schema/answer-parts.ts";

const REASON_MEANINGS = Object.entries(REASONS).map(([reason, meaning]) => {
  return `\`${reason}\`: ${meaning}`;
});
const Reason = Type.String({ description: `Why it failed. ${REASON_MEANINGS.join(" ")}` });
const Status = Type.Integer({ description: "Status of the receiver's last answer." });
const Headers = Type.Record(Type.String(), Type.String());

const DeliveryState = vocabulary(
  "DeliveryState",
  DELIVERY_STATES,
  "`dead_lettered`: no attempt succeeded and none is left.",
);
const DeliveryTrigger = vocabulary(
  "DeliveryTrigger",
  ["event", "missing", "manual", "recover"],
  "Why it exists: the event itself, a missed event, or a request by hand.",
);

const DELIVERY_FIELDS = {
  delivery_id: Id,
  webhook_id: Type.String({
    description: "The event's id: `webhook-id` of every delivery of it, replays included.",
  }),
  endpoint_id: Id,
  kind: documented(Type.String(), "The kind of the event."),
  subject: Type.String({ description: "`booking:bkg_…`" }),
  property_id: orNull(Id),
  seq: documented(Type.Integer(), "Number of the event."),
  prev_seq: Type.Integer({ description: "Number of the previous event sent to this endpoint." }),
  event_at: Instant,
  created_at: Instant,
  state: DeliveryState,
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: orNull(Instant),
  reason: orNull(Reason),
  status: orNull(Status),
  settled_at: orNull(Instant),
  trigger: DeliveryTrigger,
  replay_of: orNull(Type.String({ description: "The delivery that this one repeats." })),
  replayed_as: orNull(
    Type.String({
      description: "The latest delivery that repeats it; a dead letter with one is handled.",
    }),
  ),
  after_dead_letter: orNull(
    Type.String({
      description: "With `per_subject`: the `webhook-id` of the previous event, a dead letter.",
    }),
  ),
  discard_reason: orNull(Type.String({ description: "The reason given for discarding it." })),
};

const Attempt = named("WebhookAttempt", "One attempt of a delivery.", {
  nth: documented(Type.Integer({ minimum: 1 }), "Number of the attempt, from 1."),
  at: Instant,
  latency_ms: documented(Type.Integer({ minimum: 0 }), "Milliseconds until the response."),
  reason: orNull(Reason),
  status: orNull(Status),
  address: orNull(
    Type.String({ description: "IP address of the receiver; null when not connected." }),
  ),
  request_id: Type.String({ description: "`x-request-id`, for the receiver's log." }),
  request_headers: documented(Headers, "Request headers, secrets masked."),
  response_headers: documented(Headers, "Response headers."),
  excerpt: Type.String({
    description: "The first KiB of the response; empty if the event names a guest.",
  }),
});

const NextRequest = named(
  "WebhookRequest",
  "What the next attempt would send, to the endpoint's current address.",
  {
    url: documented(Type.String(), "Address of the request."),
    headers: Headers,
    body: Type.String({ description: "The event as JSON, or the message as XML." }),
    curl: Type.String({
      description:
        "Shell commands that sign it with the secret in WEBHOOK_SECRET and send it. They contain " +
        "no secret.",
    }),
  },
);

export const Delivery = named("WebhookDelivery", "One event to one endpoint.", DELIVERY_FIELDS);
export const DeliveryList = listOf(Delivery);

export const DeliveryDetail = named(
  "WebhookDeliveryDetail",
  "A delivery with all of its attempts.",
  {
    ...DELIVERY_FIELDS,
    attempts: documented(Type.Array(Attempt), "Attempts, in order."),
    request: orNull(NextRequest),
  },
);

export const Recovery = named(
  "WebhookRecovery",
  "A recovery: deliveries of dead letters, or of events that an endpoint has missed. It runs in " +
    "the background, survives restarts and repeats nothing.",
  {
    recovery_id: orNull(Type.String({ description: "Null in a dry run." })),
    endpoint_id: Id,
    of: documented(
      words(["dead_letters", "missing"]),
      "Recovered deliveries: dead letters, or missing events.",
    ),
    state: documented(words(["dry_run", "running", "completed"]), "`dry_run`: only counted."),
    since: Instant,
    until: Instant,
    deliveries: Type.Integer({
      minimum: 0,
      description: "New deliveries so far; in a dry run the expected number.",
    }),
    progress: named("WebhookRecoveryProgress", "In dead letters, or in journal rows searched.", {
      done: documented(Type.Integer({ minimum: 0 }), "Number done."),
      of: documented(Type.Integer({ minimum: 0 }), "Total number."),
    }),
    created_at: orNull(Instant),
    completed_at: orNull(Instant),
  },
);

const Hour = named("WebhookHour", "Attempts of one hour.", {
  hour: Instant,
  attempts: documented(Type.Integer(), "Number of attempts."),
  succeeded: documented(Type.Integer(), "Successful deliveries."),
  dead_lettered: documented(Type.Integer(), "Deliveries without remaining attempts."),
  latency_ms_mean: documented(Type.Integer(), "Mean response time, milliseconds."),
  latency_ms_max: documented(Type.Integer(), "Longest response time, milliseconds."),
});

export const EndpointStats = named("WebhookStats", "Statistics of an endpoint.", {
  endpoint_id: Id,
  since: Instant,
  until: Instant,
  open: Type.Integer({ description: "Deliveries that are due, scheduled or in flight." }),
  oldest_open_at: orNull(Instant),
  dead_letters: Type.Integer({ description: "Dead letters not replayed or discarded." }),
  failing_since: orNull(Instant),
  hours: Type.Array(Hour, { description: "Hours with attempts, oldest first." }),
});
