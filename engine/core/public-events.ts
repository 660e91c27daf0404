/**
 * Public events: one shape for pull, stream and webhook. They are derived from the
 * journal and stored nowhere, so rendering must always give the same result: it uses the row itself
 * and facts of other rows that never change (the quote, the owner, the amount paid), never the
 * present state.
 *
 * Maintained invariant: every event of a tenant is rendered, so a list without filter is dense in
 * `seq`; and no event contains guest data or anything of `secret`.
 */

import type { Authorization } from "./authorization.ts";
import { instantIso } from "./calendar.ts";
import type { Declaration, SubjectType } from "./events/declaration.ts";
import {
  EVENTS,
  type Event,
  type EventOf,
  type PublicKind,
  type Row,
  timeOf,
} from "./events/event.ts";
import { figuresOf, type JournaledSupply, WHOLE_BYTES_MAX } from "./events/properties.ts";
import { deriveId } from "./ids.ts";
import { oversoldCount } from "./oversell/oversold.ts";
import type { OversellIncident } from "./oversell-incident.ts";
import type { FrozenQuote } from "./price/quote.ts";
import { recorded } from "./record-damage.ts";
import { type Booking, type Hold, type Payment, quoteAt, type Refund } from "./records.ts";
import type { DateRange, Mode } from "./supply.ts";

/** Version of the wire format; members are only ever added to it. */
export const EVENTS_API_VERSION = "2026-11-22";

/** Limit of an event, as JSON in UTF-8. */
export const EVENT_BYTES_MAX = 20_000;

export interface EventSubject {
  readonly type: string;
  readonly id: string;
  /** The subject's version after the event; null when it has none. */
  readonly version: number | null;
}

export interface PublicEvent {
  /** `evt_…`, the same at every rendering. */
  readonly id: string;
  readonly type: PublicKind;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly api_version: string;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly seq: number;
  /** The `seq` of the event before in the same list. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; absent for events by anybody else. */
  readonly person_id?: string;
  readonly subject: EventSubject;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event outside a list, without `prev_seq`. */
export interface UnlistedEvent {
  readonly event: Omit<PublicEvent, "prev_seq">;
  /** Its property; null for the whole tenant. */
  readonly property_id: string | null;
}

/** The records that rendering needs besides the row. */
export interface EventLookups {
  hold(id: string): Hold | null;
  booking(id: string): Booking | null;
  payment(id: string): Payment | null;
  refund(id: string): Refund | null;
  authorization(id: string): Authorization | null;
  incident(id: string): OversellIncident | null;
}

interface EventParts {
  readonly subject: EventSubject;
  readonly property_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Given {
  readonly row: Row;
  readonly look: EventLookups;
  /** What the event's declaration says of the state; absent if the event keeps it. */
  readonly state: string | undefined;
}

/** The public events with a subject of this type. */
type EventAbout<S extends SubjectType> = EventOf<
  {
    [T in PublicKind]: (typeof EVENTS)[T]["subject"] extends S ? T : never;
  }[PublicKind]
>;

function subject(type: string, id: string, version: number | null = null): EventSubject {
  return { type, id, version };
}

function quoteOf(look: EventLookups, holdId: string): FrozenQuote {
  return recorded(look.hold(holdId), "hold", holdId).quote;
}

/** The scope of a quote: owner, property and stay. */
function placeOf(quote: FrozenQuote) {
  const { agent_id, property_id, room_type_id, rate_plan_id, stay, guests } = quote;
  return { agent_id, property_id, room_type_id, rate_plan_id, stay, guests };
}

/** Price and terms of a quote. */
function termsOf(quote: FrozenQuote) {
  const { quote_id, total, due_now, due_at_property, currency, price_hash, policy_hash } = quote;
  return { quote_id, total, due_now, due_at_property, currency, price_hash, policy_hash };
}

/** The state after the event; nothing when it keeps its state. */
function stateOf({ state }: Given) {
  return state === undefined ? {} : { state };
}

function ofHold(event: EventAbout<"hold">, given: Given): EventParts {
  const { data } = event;
  const isNew = event.type === "hold.created";
  const quote = isNew ? event.data.quote : quoteOf(given.look, data.hold_id);
  const own = isNew ? { hold_id: data.hold_id, expires_at: event.data.expires_at } : data;
  return {
    subject: subject("hold", data.hold_id),
    property_id: quote.property_id,
    data: { ...own, ...stateOf(given), ...placeOf(quote), ...termsOf(quote) },
  };
}

function ofPayment({ data }: EventAbout<"payment">, given: Given): EventParts {
  const { payment_id } = data;
  const payment = recorded(given.look.payment(payment_id), "payment", payment_id);
  const { amount, currency, attempt } = payment;
  const place = placeOf(quoteOf(given.look, data.hold_id));
  return {
    subject: subject("payment", payment_id),
    property_id: place.property_id,
    data: { ...data, ...stateOf(given), amount, currency, attempt, ...place },
  };
}

function ofRefund({ data }: EventAbout<"refund">, given: Given): EventParts {
  const { refund_id } = data;
  const refund = recorded(given.look.refund(refund_id), "refund", refund_id);
  const { property_id, agent_id, amount, currency, reason } = refund;
  return {
    subject: subject("refund", refund_id),
    property_id,
    data: { ...data, ...stateOf(given), amount, currency, reason, property_id, agent_id },
  };
}

function ofAuthorization({ data }: EventAbout<"authorization">, given: Given): EventParts {
  const { authorization_id: id } = data;
  const found = recorded(given.look.authorization(id), "authorization", id);
  const { agent_id, property_id, room_type_id, stay } = found;
  return {
    subject: subject("authorization", id),
    property_id,
    data: { ...data, ...stateOf(given), agent_id, property_id, room_type_id, stay },
  };
}

function ofIncident({ data }: EventAbout<"incident">, given: Given): EventParts {
  const { incident_id: id } = data;
  const { property_id, room_type_id, from, until } = recorded(
    given.look.incident(id),
    "incident",
    id,
  );
  return {
    subject: subject("incident", id),
    property_id,
    data: { ...data, ...stateOf(given), property_id, room_type_id, from, until },
  };
}

/**
 * The version that the event made, from the booking's append-only history. Without a row in the
 * entry the event occurs once.
 */
function versionOf({ history }: Booking, type: string, { row }: Row): number | null {
  const made = history.find((entry) => entry.type === type && (entry.row ?? row) === row);
  return made?.version ?? null;
}

function ofBooking(event: EventAbout<"booking">, given: Given): EventParts {
  const { type, data } = event;
  const { booking_id, property_id } = data;
  const booking = recorded(given.look.booking(booking_id), "booking", booking_id);
  const { hold_id, payment_id, confirmation_code, agent_id } = booking;
  const quote = quoteAt(booking, given.row.row);
  return {
    subject: subject("booking", booking_id, versionOf(booking, type, given.row)),
    property_id,
    data: {
      ...{ ...placeOf(quote), ...termsOf(quote), ...data },
      ...{ hold_id, payment_id, confirmation_code, agent_id },
      ...becomes(event, given),
      omitted: ["guest"],
    },
  };
}

/**
 * The state that the event made, and since when; a booking is confirmed since its receipt, also
 * after the undo of a check-in.
 */
function becomes(event: EventAbout<"booking">, given: Given) {
  const { state, row } = given;
  if (state === undefined || state === "confirmed") return stateOf(given);
  const { actor } = row;
  return {
    state,
    ...(event.type === "booking.cancelled" && {
      cancelled_by: event.data.desk ? actor.id : event.data.agent_id,
    }),
    [`${state}_at`]: instantIso(timeOf(row)),
  };
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Whole when small; else its figures, and where to read the whole if that is possible. */
function bounded(
  figures: EventParts["data"],
  whole: EventParts["data"],
  read: string | null,
): EventParts["data"] {
  const data = { ...figures, ...whole };
  return bytesOf(data) <= WHOLE_BYTES_MAX ? data : truncated(figures, read);
}

function truncated(figures: EventParts["data"], read: string | null): EventParts["data"] {
  return { ...figures, truncated: true, read };
}

function ofTree(figures: EventParts["data"], whole: EventParts["data"] | null): EventParts["data"] {
  const read = `/v1/admin/properties/${figures.property_id}`;
  return whole ? bounded(figures, whole, read) : truncated(figures, read);
}

function ofReplaced({
  property_id,
  ...data
}: JournaledSupply["property.replaced"]): EventParts["data"] {
  const figures = { property_id, ...oversoldCount(data) };
  if (data.tree === undefined) return ofTree({ ...figures, ...data.figures }, null);
  const { tree } = data;
  return ofTree({ ...figures, ...figuresOf(tree) }, { tree });
}

function ofAri({ property_id, ari, ...data }: JournaledSupply["ari.changed"]): EventParts["data"] {
  const { inventory = [], rates = [], restrictions = [], ceilings = [] } = ari;
  const ranges: readonly DateRange[] = [...inventory, ...rates, ...restrictions, ...ceilings];
  const figures = {
    property_id,
    from: ranges.reduce<string | null>((least, { from }) => first(least, from), null),
    to: ranges.reduce<string | null>((most, { to }) => last(most, to), null),
    counts: {
      inventory: inventory.length,
      rates: rates.length,
      restrictions: restrictions.length,
      ceilings: ceilings.length,
    },
    ...oversoldCount(data),
  };
  return bounded(figures, { ari }, null);
}

const first = (a: string | null, b: string) => (a === null || b < a ? b : a);
const last = (a: string | null, b: string) => (a === null || b > a ? b : a);

/** Data of events of which more is journaled than published. */
const RENDERERS: {
  readonly [T in keyof JournaledSupply]: (data: JournaledSupply[T]) => EventParts["data"];
} = {
  "property.created": ({ property_id, tree }) => {
    return ofTree({ property_id, state: "draft", ...figuresOf(tree) }, { tree });
  },
  "property.replaced": (data) => ({ ...ofReplaced(data), version: data.version }),
  "property.deleted": (data) => ({ ...data, state: "deleted" }),
  "ari.changed": ofAri,
  "fx.changed": ({ base, as_of, rates }) => bounded({ base, as_of }, { rates }, null),
};

/** `data` of the other events is published as it is; the control store bounds notices too. */
function ownData({ type, data }: Event): EventParts["data"] {
  const render = (RENDERERS as Readonly<Record<string, (own: typeof data) => EventParts["data"]>>)[
    type
  ];
  return render ? render(data) : bounded({}, { ...data }, null);
}

function ofProperty(event: EventAbout<"property">): EventParts {
  const { type, data } = event;
  const { property_id } = data;
  const version = type === "property.created" ? 1 : "version" in data ? data.version : null;
  return {
    subject: subject("property", property_id, version),
    property_id,
    data: ownData(event),
  };
}

/** Something of the tenant; `id` is of the subject. */
function ofTenant(type: SubjectType, id: string, event: Event): EventParts {
  return { subject: subject(type, id), property_id: null, data: ownData(event) };
}

/** A renderer for each type of subject. */
const BY_SUBJECT: {
  readonly [S in SubjectType]: (event: EventAbout<S>, given: Given) => EventParts;
} = {
  property: ofProperty,
  hold: ofHold,
  payment: ofPayment,
  booking: ofBooking,
  refund: ofRefund,
  authorization: ofAuthorization,
  incident: ofIncident,
  credential: (event) => ofTenant("credential", event.data.credential_id, event),
  delegation_issuer: (event) => ofTenant("delegation_issuer", event.data.issuer_id, event),
  webhook_endpoint: (event) => ofTenant("webhook_endpoint", event.data.endpoint_id, event),
  feed: (event) => ofTenant("feed", event.data.partner, event),
  tenant: (event, { row }) => ofTenant("tenant", row.tenant_id, event),
};

/** All public kinds. */
export const PUBLIC_KINDS = Object.keys(EVENTS) as readonly PublicKind[];

function isPublicKind(word: string): word is PublicKind {
  return Object.hasOwn(EVENTS, word);
}

/**
 * The public events of a row in order; none for a row without tenant. `chain` is the journal's up
 * to this row, 64 hex digits: ids are derived from it and the stamp.
 *
 * @throws RecordDamaged when a record of an event is missing.
 */
export function publicEvents(
  row: Row,
  chain: string,
  look: EventLookups,
): readonly UnlistedEvent[] {
  if (row.tenant_id === "") return [];
  const { person_id } = row.actor;
  return row.events.flatMap((event, index) => {
    const { type, seq } = event;
    if (!isPublicKind(type)) return [];
    const { subject: about, state }: Declaration = EVENTS[type];
    const render = BY_SUBJECT[about] as (event: Event, given: Given) => EventParts;
    const { subject, property_id, data } = render(event, { row, look, state });
    const rendered = {
      id: deriveId("evt", row.stamp, chain.slice(0, 32), index),
      type,
      timestamp: instantIso(row.stamp),
      api_version: EVENTS_API_VERSION,
      tenant_id: row.tenant_id,
      mode: row.mode,
      seq,
      ...(person_id !== undefined && { person_id }),
      subject,
      data,
    };
    return [{ event: rendered, property_id }];
  });
}
