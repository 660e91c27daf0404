/**
 * The kinds of public events with meaning, subject and `data`. The pages, the OpenAPI document and
 * `GET /v1/admin/events/kinds` are generated from this. Members are only added.
 */

import { type TProperties, Type } from "@sinclair/typebox";
import type { PublicEvent, PublicKind } from "../../../engine/core/public-events.ts";
import { called, vocabulary } from "../../http/schema/annotations.ts";
import {
  AccessState,
  CivilDate,
  Currency,
  freeForm,
  Id,
  Instant,
  Minor,
  Mode,
  named,
  orNull,
  Party,
  RefundReason,
  Seq,
  Stay,
  Uuid,
  words,
} from "../../http/schema/answer-parts.ts";
import { AriCounts } from "../ari/responses.ts";
import { AUDITED } from "../bookings/audit-events.ts";
import { FeedFailure, FeedTrigger } from "../feeds/responses.ts";
import { OVERSOLD_NIGHTS } from "../oversold.ts";
import recorded from "./examples.json" with { type: "json" };
import { PROPERTY_KINDS, TRUNCATED } from "./property-kinds.ts";

/** Types of subjects. */
export const SUBJECT_TYPES = [
  ...(["property", "hold", "payment", "booking", "refund"] as const),
  ...(["credential", "delegation_issuer", "webhook_endpoint", "feed", "tenant"] as const),
] as const;
type SubjectType = (typeof SUBJECT_TYPES)[number];

const PLACE = {
  agent_id: Type.String({ description: "The agent that owns it." }),
  property_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
};
const TERMS = {
  quote_id: Id,
  total: Minor,
  due_now: Minor,
  due_at_property: Minor,
  currency: Currency,
  price_hash: Type.String(),
  policy_hash: Type.String(),
};
const MONEY = { amount: Minor, currency: Currency };
const ATTEMPT = { attempt: Type.Integer({ minimum: 1 }) };
const GUEST = {
  omitted: Type.Optional(
    Type.Array(words(["guest"]), {
      description: "Members left out because the reader lacks the scope `bookings:read`.",
    }),
  ),
  guest: Type.Optional(orNull(freeForm("The guest of the booking; null after an erasure."))),
};
const REFUND_TERMS = {
  property_id: Id,
  agent_id: Id,
  ...MONEY,
  reason: RefundReason,
};

function holdData<P extends TProperties>(data: P, state: string) {
  return { ...data, state: Type.Literal(state), ...PLACE, ...TERMS };
}

function paymentData<P extends TProperties>(data: P, state?: string) {
  const now = state === undefined ? {} : { state: Type.Literal(state) };
  return { ...data, ...now, ...MONEY, ...ATTEMPT, ...PLACE };
}

function refundData<P extends TProperties>(data: P, state: string) {
  return { ...data, state: Type.Literal(state), ...REFUND_TERMS };
}

function atDesk<P extends TProperties>(data: P, state: "checked_in" | "no_show" | "completed") {
  return {
    ...{ ...PLACE, ...TERMS, ...data },
    ...{ hold_id: Id, payment_id: orNull(Id), confirmation_code: Type.String() },
    ...{ state: words([state]), [`${state}_at`]: Instant, ...GUEST },
  };
}

/** The traveler's issuer is in the booking's audit, not in its events. */
function withoutIssuer<P extends TProperties>({ iss: _iss, ...data }: P & { iss: unknown }) {
  return data;
}

const { quote: _quote, ...CREATED } = AUDITED["hold.created"].data;

interface Kind {
  readonly meaning: string;
  readonly subject: SubjectType;
  readonly data: TProperties;
  /** Kinds with the same `data` share its type, under this name. */
  readonly dataName?: string;
}

const FEED_RUN = {
  partner: Type.String({ description: "The partner of the feed." }),
  run_id: Id,
  trigger: FeedTrigger,
};
const UNDECIDED = {
  data: paymentData(AUDITED["payment.unknown"].data, "unknown"),
  dataName: "PaymentUnknownEventData",
};
const FIGURES = freeForm("`amount`, `currency`, `state` and `refunded`.");

/** A missing kind does not compile. */
export const KINDS: { readonly [T in PublicKind]: Kind } = {
  ...PROPERTY_KINDS,
  "ari.changed": {
    meaning: "Inventory, rates, restrictions or ceilings of a property changed.",
    subject: "property",
    data: {
      property_id: Id,
      from: orNull(CivilDate),
      to: orNull(CivilDate),
      counts: AriCounts,
      oversold_nights: OVERSOLD_NIGHTS,
      ari: Type.Optional(freeForm("The ranges as they were sent; other values did not change.")),
      ...TRUNCATED,
    },
  },
  "fx.changed": {
    meaning: "The tenant's exchange rates were replaced.",
    subject: "tenant",
    data: {
      base: Currency,
      as_of: Instant,
      rates: Type.Optional(Type.Record(Type.String(), Type.String())),
      ...TRUNCATED,
    },
  },
  "credential.rotated": {
    meaning: "An agent has a new credential; the previous one works until `retire_at`.",
    subject: "credential",
    data: {
      ...{ agent_id: Id, credential_id: Id, previous_credential_id: Id },
      ...{ retire_at: Instant },
    },
  },
  "delegation_issuer.status_changed": {
    meaning: "Tokens of an issuer are accepted again, or no longer.",
    subject: "delegation_issuer",
    data: {
      ...{ issuer_id: Id, iss: Type.String() },
      ...{ status: AccessState, previous_status: AccessState },
    },
  },
  "webhook.endpoint_disabled": {
    meaning: "A webhook endpoint was disabled; it receives nothing until it is resumed.",
    subject: "webhook_endpoint",
    data: {
      endpoint_id: Id,
      reason: words(["gone", "failing", "backlog", "operator"]),
      at: Instant,
    },
  },
  "webhook.endpoint_recovered": {
    meaning: "A webhook endpoint receives events again after it was disabled.",
    subject: "webhook_endpoint",
    data: { endpoint_id: Id, disabled_at: Instant, at: Instant },
  },
  "feed.generated": {
    meaning: "A new build of a partner feed was published.",
    subject: "feed",
    data: {
      ...FEED_RUN,
      as_of_seq: Type.Integer({
        minimum: 0,
        description: "`seq` of the last event in the feed.",
      }),
      as_of: Instant,
      listings: Type.Integer({ minimum: 1, description: "Properties in it." }),
    },
  },
  "feed.failed": {
    meaning: "A build of a partner feed failed; the previous feed stays published.",
    subject: "feed",
    data: {
      ...FEED_RUN,
      reason: FeedFailure,
      listings: orNull(Type.Integer({ description: "Properties in the failed build." })),
      published_run_id: orNull(Id),
    },
  },
  "payments.reconciled": {
    meaning:
      "After a restore the provider's charges were compared with the journal: orphans are " +
      "charges missing in the journal, differences are charges with another state.",
    subject: "tenant",
    data: {
      orphan_totals: Type.Array(
        Type.Object({
          state: words(["open", "standing", "refunded", "void"]),
          ...{ currency: Currency, charges: Type.Integer({ minimum: 0 }), amount: Minor },
        }),
      ),
      orphans: Type.Array(Type.Object({ payment_id: Id, ...MONEY, state: Type.String() })),
      difference_count: Type.Integer({ minimum: 0 }),
      differences: Type.Array(Type.Object({ payment_id: Id, provider: FIGURES, journal: FIGURES })),
    },
  },
  "hold.created": {
    meaning: "Units were held for a short time.",
    subject: "hold",
    data: holdData(CREATED, "held"),
  },
  "hold.extended": {
    meaning: "A hold was extended.",
    subject: "hold",
    data: holdData(AUDITED["hold.extended"].data, "held"),
  },
  "hold.released": {
    meaning: "A hold was released; its units are on sale again.",
    subject: "hold",
    data: holdData(AUDITED["hold.released"].data, "released"),
  },
  "hold.expired": {
    meaning: "A hold expired; its units are on sale again.",
    subject: "hold",
    data: holdData(AUDITED["hold.expired"].data, "expired"),
  },
  "payment.pending": {
    meaning: "A payment was started; its hold waits for the result.",
    subject: "payment",
    data: paymentData(withoutIssuer(AUDITED["payment.pending"].data), "pending"),
  },
  "payment.referenced": {
    meaning: "The payment provider registered the payment as `provider_ref`.",
    subject: "payment",
    data: paymentData(AUDITED["payment.referenced"].data),
  },
  "payment.captured": {
    meaning: "The payment was captured.",
    subject: "payment",
    data: paymentData(AUDITED["payment.captured"].data, "captured"),
  },
  "payment.failed": {
    meaning: "The payment definitively failed.",
    subject: "payment",
    data: paymentData(AUDITED["payment.failed"].data, "failed"),
  },
  "payment.unknown": {
    meaning: "The payment outcome is not known yet; the provider is queried again.",
    subject: "payment",
    ...UNDECIDED,
  },
  "payment.outcome_unknown": {
    meaning: "The payment provider gave no definitive answer in time; the hold was released.",
    subject: "payment",
    ...UNDECIDED,
  },
  "booking.confirmed": {
    meaning: "A booking was confirmed, with its receipt.",
    subject: "booking",
    data: {
      ...{ ...PLACE, ...TERMS, ...withoutIssuer(AUDITED["booking.confirmed"].data) },
      ...{ state: words(["confirmed"]), ...GUEST },
    },
  },
  "booking.cancelled": {
    meaning: "A booking was cancelled; its units are on sale again.",
    subject: "booking",
    data: {
      ...{ ...PLACE, ...TERMS, ...withoutIssuer(AUDITED["booking.cancelled"].data) },
      ...{ hold_id: Id, payment_id: orNull(Id), confirmation_code: Type.String() },
      cancelled_by: Type.String({ description: "The agent that cancelled it." }),
      ...{ cancelled_at: Instant, state: words(["cancelled"]), ...GUEST },
    },
  },
  "booking.checked_in": {
    meaning: "The guest of a booking has checked in.",
    subject: "booking",
    data: atDesk(AUDITED["booking.checked_in"].data, "checked_in"),
  },
  "booking.no_show": {
    meaning: "The guest of a booking did not arrive; future nights are on sale again.",
    subject: "booking",
    data: atDesk(AUDITED["booking.no_show"].data, "no_show"),
  },
  "booking.completed": {
    meaning: "The guest of a booking has checked out; unused nights are on sale again.",
    subject: "booking",
    data: atDesk(AUDITED["booking.completed"].data, "completed"),
  },
  "refund.requested": {
    meaning: "A refund was requested.",
    subject: "refund",
    data: refundData(AUDITED["refund.requested"].data, "pending"),
  },
  "refund.succeeded": {
    meaning: "A refund succeeded, with its receipt.",
    subject: "refund",
    data: refundData(AUDITED["refund.succeeded"].data, "succeeded"),
  },
  "refund.failed": {
    meaning: "The payment provider declined a refund.",
    subject: "refund",
    data: refundData(AUDITED["refund.failed"].data, "failed"),
  },
};

const NAMES = Object.keys(KINDS) as readonly PublicKind[];

/** `hold.created` → `HoldCreatedEvent`. */
function schemaName(kind: string): string {
  return `${kind.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

export const SubjectType = vocabulary("SubjectType", SUBJECT_TYPES, "Type of an event's subject.");

const EventSubject = named("EventSubject", "What an event is about.", {
  type: SubjectType,
  id: Id,
  version: orNull(Type.Integer({ description: "The subject's version after the event." })),
});

function schemaOf(kind: PublicKind) {
  const { meaning, data, dataName } = KINDS[kind];
  return named(schemaName(kind), meaning, {
    id: Type.String({
      pattern: "^evt_[0-9a-hjkmnp-tv-z]{28}$",
      description: "The same id by pull, stream and webhook.",
    }),
    type: Type.Literal(kind),
    timestamp: Instant,
    api_version: Type.String({ format: "date", description: "Version of this format." }),
    tenant_id: Uuid,
    mode: Mode,
    seq: Seq,
    prev_seq: Type.Integer({
      minimum: 0,
      description:
        "`seq` of the previous event in this list; before the first, the requested `after_seq`.",
    }),
    subject: EventSubject,
    data: dataName === undefined ? Type.Object(data) : called(dataName, Type.Object(data)),
  });
}

/** The schema of each kind, of the whole event. */
export const SCHEMAS = new Map(NAMES.map((kind) => [kind, schemaOf(kind)]));

/** Any event; `type` says which. */
export const Event = Type.Union([...SCHEMAS.values()], {
  $id: "Event",
  description: "An event, the same by pull, stream and webhook.",
  discriminator: { propertyName: "type" },
});

/** A recorded event of each kind. */
export const EVENT_EXAMPLES = recorded as unknown as Readonly<Record<PublicKind, PublicEvent>>;

/** The kind of that name, or null. */
export function kindNamed(word: string): PublicKind | null {
  return NAMES.find((kind) => kind === word) ?? null;
}

/** A plain JSON Schema, without names of OpenAPI components. */
export function plainSchema(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$id" ? undefined : value)));
}
