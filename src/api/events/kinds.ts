/**
 * The schemas of public events, made of their declarations. The pages, the OpenAPI document and
 * `GET /v1/admin/events/kinds` are generated from these. Members are only added.
 */

import { type TProperties, Type } from "@sinclair/typebox";
import {
  type Declaration,
  SUBJECT_TYPES,
  type SubjectType as SubjectWord,
} from "../../../engine/core/events/declaration.ts";
import { EVENTS, type PublicKind } from "../../../engine/core/events/event.ts";
import type { PublicEvent } from "../../../engine/core/public-events.ts";
import { called, vocabulary } from "../../http/schema/annotations.ts";
import {
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
import recorded from "./examples.json" with { type: "json" };
import { schemasOf, typeNameOf } from "./wire.ts";

const PLACE = {
  agent_id: Type.String({ description: "The agent that owns it." }),
  property_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
};
const PLACE_OF_AUTHORIZATION = {
  agent_id: Type.String({ description: "The agent that may book." }),
  ...{ property_id: Id, room_type_id: Id, stay: Stay },
};
const PLACE_OF_INCIDENT = {
  ...{ property_id: Id, room_type_id: Id },
  from: Type.String({ description: "The first night." }),
  until: Type.String({ description: "The day after the last night." }),
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
const CONTRACT = { hold_id: Id, payment_id: orNull(Id), confirmation_code: Type.String() };
const GUEST = {
  omitted: Type.Optional(
    Type.Array(words(["guest"]), {
      description: "Members left out because the reader lacks the scope `bookings:read`.",
    }),
  ),
  guest: Type.Optional(orNull(freeForm("The guest of the booking; null after an erasure."))),
};
const CANCELLED_BY = {
  cancelled_by: Type.String({ description: "The agent that cancelled it." }),
};

/** The state after the event, and since when; a confirmation has the time of its receipt. */
function bookingState(state: string): TProperties {
  const since = state === "confirmed" ? {} : { [`${state}_at`]: Instant };
  return {
    ...{ state: words([state]) },
    ...(state === "cancelled" && CANCELLED_BY),
    ...since,
  };
}

/** The published `data`: the event's own members, and those of its subject that never change. */
function dataOf({ subject, state, data }: Declaration): TProperties {
  const now = state === undefined ? {} : { state: Type.Literal(state) };
  const { quote: _quote, ...own } = schemasOf(data);
  switch (subject) {
    case "hold":
      return { ...own, ...now, ...PLACE, ...TERMS };
    case "payment":
      return { ...own, ...now, ...MONEY, ...ATTEMPT, ...PLACE };
    case "refund":
      return { ...own, ...now, property_id: Id, agent_id: Id, ...MONEY, reason: RefundReason };
    case "authorization":
      return { ...PLACE_OF_AUTHORIZATION, ...own, ...now };
    case "incident":
      return { ...PLACE_OF_INCIDENT, ...own, ...now };
    case "booking":
      return {
        ...{ ...PLACE, ...TERMS, ...own, ...CONTRACT },
        ...{ ...(state !== undefined && bookingState(state)), ...GUEST },
      };
    default:
      return own;
  }
}

interface Kind {
  readonly meaning: string;
  readonly subject: SubjectWord;
  readonly data: TProperties;
  /** Kinds with the same `data` share its type, under this name. */
  readonly dataName?: string;
}

const NAMES = Object.keys(EVENTS) as readonly PublicKind[];

function kindOf(declaration: Declaration): Kind {
  const { meaning, subject, dataName } = declaration;
  const name = dataName === undefined ? {} : { dataName: `${dataName}EventData` };
  return { meaning, subject, data: dataOf(declaration), ...name };
}

/** Meaning, subject and data of each kind. */
export const KINDS = Object.fromEntries(
  NAMES.map((kind) => [kind, kindOf(EVENTS[kind])]),
) as Readonly<Record<PublicKind, Kind>>;

export const SubjectType = vocabulary("SubjectType", SUBJECT_TYPES, "Type of an event's subject.");

const EventSubject = named("EventSubject", "What an event is about.", {
  type: SubjectType,
  id: Id,
  version: orNull(Type.Integer({ description: "The subject's version after the event." })),
});

function schemaOf(kind: PublicKind) {
  const { meaning, data, dataName } = KINDS[kind];
  return named(`${typeNameOf(kind)}Event`, meaning, {
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
    person_id: Type.Optional(
      Type.String({
        description: "The person who caused it for an operator; see `GET /v1/admin/people`.",
      }),
    ),
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
