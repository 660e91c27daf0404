/**
 * Messages for partners in the place of events: an endpoint of such a format is sent, for each
 * event that changed what its messages tell, the cells that it changed, as they are by then. So a
 * message that is tried again, or replayed after a week, tells the newest truth.
 */
import type { Event, Row } from "../../engine/core/events.ts";
import type { PublicKind, ToldEvent } from "../../engine/core/public-events.ts";
import type { State } from "../../engine/core/state.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { type Change, changedCells, type OtaFormat, toldOf } from "../../feeds/changed-cells.ts";
import { isOtaSuccess, otaMessage, otaPing } from "../../feeds/ota.ts";
import type { Delivery } from "./delivery.ts";
import { type Endpoint, type Format, matches } from "./endpoint.ts";
import type { Reason } from "./reasons.ts";
import type { SentBody } from "./send.ts";

/** Whom ceilings are looked at for: the shape is this partner's. */
const AGENT_ID = "google";

const UNITS = [
  ...(["hold.created", "hold.released", "hold.expired"] as const),
  ...(["booking.cancelled", "booking.no_show", "booking.completed"] as const),
] as const;
/** All that is told of a property may be another after these. */
const WHOLE = ["property.promoted", "property.replaced"] as const;
/** After these it has no room left, whatever its nights say. */
const OFF_SALE = ["property.suspended", "property.archived"] as const;
const KINDS: Readonly<Record<OtaFormat, readonly PublicKind[]>> = {
  ota_rates: [...WHOLE, "ari.changed"],
  ota_availability: [...WHOLE, ...OFF_SALE, "ari.changed", ...UNITS],
  ota_inventory: [...WHOLE, ...OFF_SALE, "ari.changed", ...UNITS],
};

/** The kinds of events that the messages of a format come from; null where all may be asked for. */
export function kindsOf(format: Format): readonly PublicKind[] | null {
  return format === "json" ? null : KINDS[format];
}

/** What an event of these kinds has changed; a hold that becomes a booking changes nothing. */
function changeOf(event: Event, { data }: ToldEvent["event"]): Change | null {
  if ([...WHOLE, ...OFF_SALE].some((type) => type === event.type)) return { is: "all" };
  if (event.type === "ari.changed") return { is: "ari", ari: event.data.ari };
  if (!UNITS.some((type) => type === event.type)) return null;
  return { is: "units", ...(data as Omit<Extract<Change, { is: "units" }>, "is">) };
}

/** The state that messages are told from, and the clock by which nights are over. */
export interface Now {
  readonly state: Pick<State, "property" | "baseDay">;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

/** What an event has changed of what is on sale; null when that is nothing. */
function changedOf(told: ToldEvent, events: readonly Event[], now: Now) {
  const { event, property_id } = told;
  const raw = events.find(({ seq }) => seq === event.seq);
  const change = raw ? changeOf(raw, event) : null;
  const property = property_id === null ? undefined : now.state.property(event, property_id);
  // Whoever was told that it is on sale must be told that it is no more.
  if (change === null || !property?.first_live_row) return null;
  const { baseDay } = now.state;
  return { change, told: toldOf(property, AGENT_ID, { baseDay, nowMs: now.nowMs }) };
}

/** Whether an endpoint gets an event of this row: it asked for it and there is news for it. */
export function wants(
  endpoint: Endpoint,
  told: ToldEvent,
  { events }: Pick<Row, "events">,
  now: Now,
): boolean {
  if (!matches(endpoint, told.event, told.property_id)) return false;
  if (endpoint.format === "json") return true;
  const changed = changedOf(told, events, now);
  if (changed === null) return false;
  const [first] = changedCells(endpoint.format, changed.change, changed.told);
  return first !== undefined;
}

const AS_XML = { contentType: "application/xml", isTaken: isOtaSuccess } as const;

/** Why there is nothing to be sent of a delivery. */
export type Unsendable = Extract<Reason, "event_lost" | "nothing_to_send">;

/** An endpoint of messages, as far as they go by it. */
export type Addressee = Pick<Endpoint, "ota"> & { readonly format: OtaFormat };

/** A delivery with the event that it is of. */
export interface Tellable {
  readonly delivery: Delivery;
  readonly told: ToldEvent;
}

/** What is sent of a delivery, and of which of those that wait for it the same message tells. */
export interface Message {
  readonly sent: SentBody;
  readonly along: readonly Delivery[];
}

/** A message that tells of as many nights takes no more in. */
const CELLS_MAX = 20_000;

/**
 * The message of a delivery, told as things are now, with the cells of those that wait for it: what
 * changes faster than a partner answers is told once, as it is in the end.
 */
export function messageOf(
  { delivery, told }: Tellable,
  waiting: readonly Tellable[],
  { format, ota }: Addressee,
  source: Pick<Replica, "state" | "row">,
  nowMs: number,
): Message | Unsendable {
  const { state } = source;
  const changeAt = (each: Tellable) =>
    changedOf(each.told, source.row(each.delivery.row)?.events ?? [], { state, nowMs });
  const changed = changeAt({ delivery, told });
  if (changed === null) return "nothing_to_send";
  const cells = [...changedCells(format, changed.change, changed.told)];
  if (cells.length === 0) return "nothing_to_send";
  const along: Delivery[] = [];
  for (const each of waiting) {
    if (cells.length >= CELLS_MAX) break;
    const change = changeAt(each)?.change;
    const more = change ? [...changedCells(format, change, changed.told)] : [];
    for (const cell of more) cells.push(cell);
    if (more.length > 0) along.push(each.delivery);
  }
  const { delivery_id, webhook_id, after_dead_letter } = delivery;
  const requestorId = ota?.requestor_id ?? null;
  const head = { echoToken: delivery_id, atMs: nowMs, requestorId };
  const body = otaMessage(format, cells, changed.told, head);
  if (body === null) return "nothing_to_send";
  const sent = { ...AS_XML, id: webhook_id, body, afterDeadLetter: after_dead_letter };
  return { sent, along };
}

/** A message that changes nothing, to see whether somebody answers. */
export function pingMessage(id: string, atMs: number): SentBody {
  return { ...AS_XML, id, body: otaPing({ echoToken: id, atMs }) };
}
