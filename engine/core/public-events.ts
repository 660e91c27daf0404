/**
 * Public events: one shape for pull, stream and webhook (domain §11). They are derived from the
 * journal and stored nowhere, so rendering must always give the same result: it uses the row itself
 * and facts of other rows that never change (the quote, the owner, the amount paid), never the
 * present state.
 *
 * Maintained invariant: every event of a tenant is rendered, so a list without filter is dense in
 * `seq`; and no event contains guest data or anything of `secret`.
 */

import { instantIso } from "./calendar.ts";
import type { AriChanged, Event, PropertyReplaced, Row, TreeFigures } from "./events/event.ts";
import type { NoticeEvent } from "./events/notices.ts";
import { deriveId } from "./ids.ts";
import type { FrozenQuote } from "./price/quote.ts";
import { oversoldCount } from "./properties/oversold.ts";
import { recorded } from "./record-damage.ts";
import type { Booking, Hold, Payment, Refund } from "./records.ts";
import type { DateRange, Mode, PropertyTree } from "./supply.ts";

/** Version of the wire format; members are only ever added to it. */
export const EVENTS_API_VERSION = "2026-11-22";

/** Limit of an event, as JSON in UTF-8. */
export const EVENT_BYTES_MAX = 20_000;
/** Up to this size `data` is published whole, beyond it as figures. */
export const WHOLE_BYTES_MAX = 16_000;

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
}

/** Internal events about time and loss; they belong to no tenant. */
type InternalKind = "horizon.advanced" | "clock.corrected" | "loss.accepted";
export type PublicKind = Exclude<Event["type"], InternalKind>;

interface EventParts {
  readonly subject: EventSubject;
  readonly property_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Given {
  readonly row: Row;
  readonly look: EventLookups;
}

type EventRenderer<T extends Event["type"]> = (
  event: Extract<Event, { readonly type: T }>,
  given: Given,
) => EventParts;

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

type HoldEvent = Extract<Event, { readonly type: `hold.${string}` }>;

function ofHold({ data }: HoldEvent, quote: FrozenQuote, state: string): EventParts {
  const own = "quote" in data ? { hold_id: data.hold_id, expires_at: data.expires_at } : data;
  return {
    subject: subject("hold", data.hold_id),
    property_id: quote.property_id,
    data: { ...own, state, ...placeOf(quote), ...termsOf(quote) },
  };
}

type PaymentEvent = Extract<Event, { readonly type: `payment.${string}` }>;

/** `state` null: the event does not change it, and the data leave it out. */
function ofPayment({ data }: PaymentEvent, { look }: Given, state: string | null): EventParts {
  const { payment_id } = data;
  const { amount, currency, attempt } = recorded(look.payment(payment_id), "payment", payment_id);
  const place = placeOf(quoteOf(look, data.hold_id));
  return {
    subject: subject("payment", payment_id),
    property_id: place.property_id,
    data: { ...data, ...(state !== null && { state }), amount, currency, attempt, ...place },
  };
}

type RefundEvent = Extract<Event, { readonly type: `refund.${string}` }>;

function ofRefund({ data }: RefundEvent, { look }: Given, state: string): EventParts {
  const { refund_id } = data;
  const refund = recorded(look.refund(refund_id), "refund", refund_id);
  const { property_id, agent_id, amount, currency, reason } = refund;
  return {
    subject: subject("refund", refund_id),
    property_id,
    data: { ...data, state, amount, currency, reason, property_id, agent_id },
  };
}

/** The version that the event made, from the booking's append-only history. */
function versionOf({ history }: Booking, type: string): number | null {
  return history.find((entry) => entry.type === type)?.version ?? null;
}

type BookingEvent = Extract<Event, { readonly type: `booking.${string}` }>;

function ofBooking({ type, data }: BookingEvent, { row, look }: Given): EventParts {
  const { booking_id, property_id } = data;
  const booking = recorded(look.booking(booking_id), "booking", booking_id);
  const { quote, hold_id, payment_id, confirmation_code, agent_id } = booking;
  return {
    subject: subject("booking", booking_id, versionOf(booking, type)),
    property_id,
    data: {
      ...{ ...placeOf(quote), ...termsOf(quote), ...data },
      ...{ hold_id, payment_id, confirmation_code, agent_id },
      ...becomes({ type, data } as BookingEvent, row),
      omitted: ["guest"],
    },
  };
}

/** The state that the event made, and since when. */
function becomes({ type, data }: BookingEvent, { stamp, actor }: Row) {
  const at = instantIso(stamp);
  switch (type) {
    case "booking.confirmed":
      return { state: "confirmed" };
    case "booking.cancelled":
      return {
        state: "cancelled",
        cancelled_by: data.desk ? actor.id : data.agent_id,
        cancelled_at: at,
      };
    case "booking.checked_in":
      return { state: "checked_in", checked_in_at: at };
    case "booking.no_show":
      return { state: "no_show", no_show_at: at };
    case "booking.completed":
      return { state: "completed", completed_at: at };
  }
}

type PropertyStateEvent = Extract<
  Event,
  { readonly type: `property.${"promoted" | "suspended" | "archived"}` }
>;

function ofPropertyState({ data }: PropertyStateEvent): EventParts {
  const { property_id, version } = data;
  return { subject: subject("property", property_id, version), property_id, data: { ...data } };
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

/** Published for every tree; alone for one that is too large. */
export function figuresOf({ slug, name, room_types }: PropertyTree): TreeFigures {
  const rate_plan_count = room_types.reduce((sum, room) => sum + room.rate_plans.length, 0);
  return { slug, name, room_type_count: room_types.length, rate_plan_count };
}

function ofTree(figures: EventParts["data"], whole: EventParts["data"] | null): EventParts["data"] {
  const read = `/v1/admin/properties/${figures.property_id}`;
  return whole ? bounded(figures, whole, read) : truncated(figures, read);
}

function ofReplaced({ property_id, ...data }: PropertyReplaced["data"]): EventParts["data"] {
  const figures = { property_id, ...oversoldCount(data) };
  if (data.tree === undefined) return ofTree({ ...figures, ...data.figures }, null);
  const { tree } = data;
  return ofTree({ ...figures, ...figuresOf(tree) }, { tree });
}

function ofAri({ property_id, ari, ...data }: AriChanged["data"]): EventParts["data"] {
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

/** The control store bounds notices; this enforces the limit. */
function ofNotice(about: EventSubject, data: NoticeEvent["data"]): EventParts {
  return { subject: about, property_id: null, data: bounded({}, { ...data }, null) };
}

/** A renderer per kind; a missing one does not compile. */
const RENDERERS: { readonly [T in PublicKind]: EventRenderer<T> } = {
  "property.created": ({ data }) => ({
    subject: subject("property", data.property_id, 1),
    property_id: data.property_id,
    data: ofTree(
      { property_id: data.property_id, state: "draft", ...figuresOf(data.tree) },
      { tree: data.tree },
    ),
  }),
  "property.replaced": ({ data }) => ({
    subject: subject("property", data.property_id, data.version),
    property_id: data.property_id,
    data: { ...ofReplaced(data), version: data.version },
  }),
  "property.deleted": ({ data }) => ({
    subject: subject("property", data.property_id, data.version),
    property_id: data.property_id,
    data: { ...data, state: "deleted" },
  }),
  "property.promoted": ofPropertyState,
  "property.suspended": ofPropertyState,
  "property.archived": ofPropertyState,
  "ari.changed": ({ data }) => ({
    subject: subject("property", data.property_id),
    property_id: data.property_id,
    data: ofAri(data),
  }),
  "fx.changed": ({ data }, { row }) => ({
    subject: subject("tenant", row.tenant_id),
    property_id: null,
    data: bounded({ base: data.base, as_of: data.as_of }, { rates: data.rates }, null),
  }),
  "credential.rotated": ({ data }) => ofNotice(subject("credential", data.credential_id), data),
  "delegation_issuer.status_changed": ({ data }) =>
    ofNotice(subject("delegation_issuer", data.issuer_id), data),
  "webhook.endpoint_disabled": ({ data }) =>
    ofNotice(subject("webhook_endpoint", data.endpoint_id), data),
  "webhook.endpoint_recovered": ({ data }) =>
    ofNotice(subject("webhook_endpoint", data.endpoint_id), data),
  "feed.generated": ({ data }) => ofNotice(subject("feed", data.partner), data),
  "feed.failed": ({ data }) => ofNotice(subject("feed", data.partner), data),
  "payments.reconciled": ({ data }, { row }) => ofNotice(subject("tenant", row.tenant_id), data),
  "hold.created": (event) => ofHold(event, event.data.quote, "held"),
  "hold.extended": (event, { look }) => ofHold(event, quoteOf(look, event.data.hold_id), "held"),
  "hold.released": (event, { look }) => {
    return ofHold(event, quoteOf(look, event.data.hold_id), "released");
  },
  "hold.expired": (event, { look }) => ofHold(event, quoteOf(look, event.data.hold_id), "expired"),
  "payment.pending": (event, given) => ofPayment(event, given, "pending"),
  "payment.referenced": (event, given) => ofPayment(event, given, null),
  "payment.captured": (event, given) => ofPayment(event, given, "captured"),
  "payment.failed": (event, given) => ofPayment(event, given, "failed"),
  "payment.unknown": (event, given) => ofPayment(event, given, "unknown"),
  "payment.outcome_unknown": (event, given) => ofPayment(event, given, "unknown"),
  "booking.confirmed": ofBooking,
  "booking.cancelled": ofBooking,
  "booking.checked_in": ofBooking,
  "booking.no_show": ofBooking,
  "booking.completed": ofBooking,
  "refund.requested": (event, given) => ofRefund(event, given, "pending"),
  "refund.succeeded": (event, given) => ofRefund(event, given, "succeeded"),
  "refund.failed": (event, given) => ofRefund(event, given, "failed"),
};

/** All public kinds. */
export const PUBLIC_KINDS = Object.keys(RENDERERS) as readonly PublicKind[];

function isPublicKind(word: string): word is PublicKind {
  return Object.hasOwn(RENDERERS, word);
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
  return row.events.flatMap((event, index) => {
    const { type, seq } = event;
    if (!isPublicKind(type)) return [];
    const render = RENDERERS[type] as EventRenderer<Event["type"]>;
    const { subject, property_id, data } = render(event, { row, look });
    const rendered = {
      id: deriveId("evt", row.stamp, chain.slice(0, 32), index),
      type,
      timestamp: instantIso(row.stamp),
      api_version: EVENTS_API_VERSION,
      tenant_id: row.tenant_id,
      mode: row.mode,
      seq,
      subject,
      data,
    };
    return [{ event: rendered, property_id }];
  });
}
