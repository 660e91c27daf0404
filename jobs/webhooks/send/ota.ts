/**
 * Messages to partners instead of events. For each event that changes the content of its messages,
 * an endpoint gets the changed cells with their current values. So a late retry or replay sends the
 * newest values.
 */
import type { Event, EventOf, PublicKind, Row } from "../../../engine/core/events/event.ts";
import type { UnlistedEvent } from "../../../engine/core/public-events.ts";
import type { State } from "../../../engine/core/state/state.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import {
  type Change,
  changedCells,
  type MovedUnits,
  messageScopeOf,
  type OtaFormat,
} from "../../../feeds/changed-cells.ts";
import { isOtaSuccess, otaMessage, otaPing } from "../../../feeds/ota.ts";
import { type Endpoint, type Format, matches } from "../endpoint.ts";
import type { Delivery, Reason } from "../store/delivery.ts";
import type { SentBody } from "./send.ts";

/** The agent whose ceilings apply: the message format is this partner's. */
const AGENT_ID = "google";

const UNITS = [
  ...(["hold.created", "hold.released", "hold.expired"] as const),
  ...(["booking.cancelled", "booking.no_show", "booking.completed"] as const),
  "booking.modified",
] as const;
/** Events that may change every cell of a property. */
const WHOLE = ["property.promoted", "property.replaced"] as const;
/** Events after which no night of the property is available. */
const OFF_SALE = ["property.suspended", "property.archived"] as const;
const KINDS: Readonly<Record<OtaFormat, readonly PublicKind[]>> = {
  ota_rates: [...WHOLE, "ari.changed"],
  ota_availability: [...WHOLE, ...OFF_SALE, "ari.changed", ...UNITS],
  ota_inventory: [...WHOLE, ...OFF_SALE, "ari.changed", ...UNITS],
};

/** The kinds of events that cause messages of a format; null: any kind. */
export function kindsOf(format: Format): readonly PublicKind[] | null {
  return format === "json" ? null : KINDS[format];
}

/** The cells that an event changes; null for none, such as for a hold that becomes a booking. */
function changeOf(event: Event, { data }: UnlistedEvent["event"]): Change | null {
  if ([...WHOLE, ...OFF_SALE].some((type) => type === event.type)) return { is: "all" };
  if (event.type === "ari.changed") return { is: "ari", ari: event.data.ari };
  if (event.type === "booking.modified") return { is: "units", moved: movedBy(event) };
  if (!UNITS.some((type) => type === event.type)) return null;
  return { is: "units", moved: [data as unknown as MovedUnits] };
}

/** The nights before and after; none when only the guest's data changed. */
function movedBy({ data, secret }: EventOf<"booking.modified">): MovedUnits[] {
  return secret?.quote ? [data.before, data.after] : [];
}

/** The state that messages are made from, and the time that decides which nights are past. */
export interface Now {
  readonly state: Pick<State, "property" | "baseDay">;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

/** The published cells that an event changes; null for none. */
function changedOf(unlisted: UnlistedEvent, events: readonly Event[], now: Now) {
  const { event, property_id } = unlisted;
  const raw = events.find(({ seq }) => seq === event.seq);
  const change = raw ? changeOf(raw, event) : null;
  const property = property_id === null ? undefined : now.state.property(event, property_id);
  // A property that was published once stays published, so that partners learn it is off sale.
  if (change === null || !property?.first_live_row) return null;
  const { baseDay } = now.state;
  return { change, scope: messageScopeOf(property, AGENT_ID, { baseDay, nowMs: now.nowMs }) };
}

/** Whether an endpoint gets an event: it passes the filters and, for messages, changes a cell. */
export function wants(
  endpoint: Endpoint,
  unlisted: UnlistedEvent,
  { events }: Pick<Row, "events">,
  now: Now,
): boolean {
  if (!matches(endpoint, unlisted.event, unlisted.property_id)) return false;
  if (endpoint.format === "json") return true;
  const changed = changedOf(unlisted, events, now);
  if (changed === null) return false;
  const [first] = changedCells(endpoint.format, changed.change, changed.scope);
  return first !== undefined;
}

const AS_XML = { contentType: "application/xml", isTaken: isOtaSuccess } as const;

/** Why a delivery has nothing to send. */
export type Unsendable = Extract<Reason, "event_lost" | "nothing_to_send">;

/** The members of an endpoint that determine its messages. */
export type Addressee = Pick<Endpoint, "ota"> & { readonly format: OtaFormat };

/** A delivery with its event. */
export interface DeliveryWithEvent {
  readonly delivery: Delivery;
  readonly unlisted: UnlistedEvent;
}

/** A message, and the waiting deliveries that it covers. */
export interface Message {
  readonly sent: SentBody;
  readonly covered: readonly Delivery[];
}

/** A message of this size covers no more deliveries. */
const CELLS_MAX = 20_000;

/**
 * The message of a delivery with current values, extended by the cells of waiting deliveries: a
 * property that changes faster than the partner answers needs fewer messages.
 */
export function messageOf(
  { delivery, unlisted }: DeliveryWithEvent,
  waiting: readonly DeliveryWithEvent[],
  { format, ota }: Addressee,
  source: Pick<Replica, "state" | "row">,
  nowMs: number,
): Message | Unsendable {
  const { state } = source;
  const changeAt = (each: DeliveryWithEvent) =>
    changedOf(each.unlisted, source.row(each.delivery.row)?.events ?? [], { state, nowMs });
  const changed = changeAt({ delivery, unlisted });
  if (changed === null) return "nothing_to_send";
  const cells = [...changedCells(format, changed.change, changed.scope)];
  if (cells.length === 0) return "nothing_to_send";
  const covered: Delivery[] = [];
  for (const each of waiting) {
    if (cells.length >= CELLS_MAX) break;
    const change = changeAt(each)?.change;
    const more = change ? [...changedCells(format, change, changed.scope)] : [];
    for (const cell of more) cells.push(cell);
    if (more.length > 0) covered.push(each.delivery);
  }
  const { delivery_id, webhook_id, after_dead_letter } = delivery;
  const requestorId = ota?.requestor_id ?? null;
  const head = { echoToken: delivery_id, atMs: nowMs, requestorId };
  const body = otaMessage(format, cells, changed.scope, head);
  if (body === null) return "nothing_to_send";
  const sent = { ...AS_XML, id: webhook_id, body, afterDeadLetter: after_dead_letter };
  return { sent, covered };
}

/** A message that changes nothing, for a connection test. */
export function pingMessage(id: string, atMs: number): SentBody {
  return { ...AS_XML, id, body: otaPing({ echoToken: id, atMs }) };
}
