/**
 * Ends incidents in the row that frees their units: the events of a decision are read for what they
 * free, before they are folded.
 *
 * Maintained invariant: an incident is open only while a night of it has more units taken than
 * there are, nights that have passed since aside.
 */
import { dayOf, todayIn } from "../calendar.ts";
import type { Command } from "../commands.ts";
import { type Context, EventList } from "../decision.ts";
import type { Event, EventOf } from "../events/event.ts";
import type { Ending, ExcessNight, OpenIncident } from "../oversell-terms.ts";
import type { Stay } from "../price/quote.ts";
import { isIntact } from "../record-damage.ts";
import { effectiveCapacity } from "../state/room-state.ts";
import { cellsOf, type PropertyEntry } from "../state/state.ts";
import type { PropertyTree, Realm } from "../supply.ts";
import { excessOf, roomIn } from "./nights.ts";
import { effectiveAfter } from "./oversold.ts";

/** Units taken (1) or freed (-1) on nights of a room type. */
interface Move {
  readonly property_id: string;
  readonly room_type_id: string;
  readonly firstDay: number;
  readonly endDay: number;
  readonly of: "sold" | "held";
  readonly by: 1 | -1;
}

/** Effective capacity after an update, by room type and day, where units are taken. */
interface ChangedUnits {
  readonly property_id: string;
  readonly after: ReturnType<typeof effectiveAfter>;
}

/** What a row changes of units. */
interface Change {
  readonly moves: readonly Move[];
  readonly ari: ChangedUnits | null;
  /** The new tree of a property. */
  readonly tree: PropertyTree | null;
}

/**
 * The events of a decision, with the ends of the incidents that they end. `command` is null for
 * what only time causes.
 */
export function withClosings(
  events: readonly Event[],
  realm: Realm,
  command: Command | null,
  ctx: Context,
): readonly Event[] {
  if (ctx.state.incidents.size === 0) return events;
  const reason = events.reduce<Ending | null>((last, { type }) => REASONS[type] ?? last, null);
  if (reason === null) return events;
  const change = changeOf(events, realm, command, ctx);
  const list = new EventList(ctx.state, realm.tenant_id, realm.mode, events);
  for (const incident of concerned(change, realm, ctx)) {
    const { incident_id } = incident;
    if (hasEnded(incident_id, events) || excessAfter(incident, change, ctx).length > 0) continue;
    // A damaged record must fail nothing else: its incident stays open until a rebuild.
    if (!isIntact("incident", incident_id, ctx.records)) continue;
    list.add({ type: "inventory.oversell_resolved", data: { incident_id, reason } });
  }
  return list.list;
}

/** Events that free units, and what they end an incident by. */
const REASONS: { readonly [T in Event["type"]]?: Ending } = {
  "hold.released": "hold_ended",
  "hold.expired": "hold_ended",
  "booking.cancelled": "cancellation",
  "booking.no_show": "no_show",
  "booking.completed": "departure",
  "booking.modified": "modification",
  "ari.changed": "capacity",
  "property.replaced": "capacity",
};

function hasEnded(incidentId: string, events: readonly Event[]): boolean {
  return events.some(({ type, data }) => {
    const isEnd = type === "inventory.oversell_resolved" || type === "inventory.oversell_accepted";
    return isEnd && data.incident_id === incidentId;
  });
}

/** What the events of a decision change of units. */
export function changeOf(
  events: readonly Event[],
  realm: Realm,
  command: Command | null,
  ctx: Context,
): Change {
  const changed = events.find((event) => event.type === "ari.changed");
  return {
    moves: events.flatMap((event) => movesOf(event, ctx)),
    ari: changed ? changedUnits(changed, realm, ctx) : null,
    tree: command?.type === "ReplaceProperty" ? command.tree : null,
  };
}

/**
 * Once for all incidents: both the update and the incidents can be thousands. Only of room types
 * with an open incident: an update can be a hundred thousand nights.
 */
function changedUnits(
  { data: { property_id, ari } }: EventOf<"ari.changed">,
  realm: Realm,
  ctx: Context,
): ChangedUnits {
  const property = ctx.state.property(realm, property_id)!;
  const today = todayIn(property.tree.timezone, ctx.now);
  const ranges = (ari.inventory ?? []).filter(({ room_type_id }) => {
    return property.rooms.get(room_type_id)?.incidents;
  });
  return { property_id, after: effectiveAfter(ranges, property, today) };
}

function movesOf(event: Event, ctx: Context): Move[] {
  type Booked = Pick<Move, "property_id" | "room_type_id"> & { readonly stay: Stay };
  const days = ({ check_out }: Stay, from: string) => {
    return { firstDay: dayOf(from), endDay: dayOf(check_out) };
  };
  const sold = ({ property_id, room_type_id, stay }: Booked, by: Move["by"], from: string) => {
    return { property_id, room_type_id, ...days(stay, from), of: "sold", by } as const;
  };
  switch (event.type) {
    case "hold.released":
    case "hold.expired": {
      const hold = ctx.state.holds.get(event.data.hold_id);
      if (!hold) return [];
      const { property_id, room_type_id, stay } = hold.quote;
      return [{ property_id, room_type_id, ...days(stay, stay.check_in), of: "held", by: -1 }];
    }
    case "booking.cancelled":
      return [sold(event.data, -1, event.data.stay.check_in)];
    case "booking.no_show":
    case "booking.completed": {
      const { free_from } = event.data;
      return free_from === null ? [] : [sold(event.data, -1, free_from)];
    }
    case "booking.modified": {
      const { property_id, before, after } = event.data;
      return [
        sold({ property_id, ...before }, -1, before.stay.check_in),
        sold({ property_id, ...after }, 1, after.stay.check_in),
      ];
    }
    default:
      return [];
  }
}

/** The open incidents of the room types that the change is about. */
function concerned({ moves, ari, tree }: Change, realm: Realm, ctx: Context): Set<OpenIncident> {
  const found = new Set<OpenIncident>();
  for (const { property_id, room_type_id } of moves) {
    const property = ctx.state.property(realm, property_id);
    const room = property && cellsOf(property, room_type_id);
    for (const incident of room?.incidents ?? []) found.add(incident);
  }
  const property = ctx.state.property(realm, ari?.property_id ?? tree?.id ?? "");
  for (const { incidents } of property?.rooms.values() ?? []) {
    for (const incident of incidents ?? []) found.add(incident);
  }
  return found;
}

/** The nights of the incident from today on that are oversold after the change. */
export function excessAfter(incident: OpenIncident, change: Change, ctx: Context): ExcessNight[] {
  const { property_id, room_type_id, firstDay, endDay } = incident;
  const property = ctx.state.property(incident, property_id)!;
  const today = todayIn(property.tree.timezone, ctx.now);
  const capacity = capacityAfter(room_type_id, property, change);
  // A tree keeps each room type that has guests.
  if (capacity === null) return [];
  const moves = change.moves.filter((move) => {
    return move.property_id === property_id && move.room_type_id === room_type_id;
  });
  const { room } = roomIn(property, room_type_id)!;
  const nights: ExcessNight[] = [];
  for (let day = Math.max(today, firstDay); day < endDay; day += 1) {
    const on = moves.filter((move) => move.firstDay <= day && day < move.endDay);
    const moved = (of: Move["of"]) => {
      return on.reduce((sum, move) => sum + (move.of === of ? move.by : 0), 0);
    };
    const units = {
      sold: room.sold.get(day) + moved("sold"),
      held: room.held.get(day) + moved("held"),
    };
    const night = excessOf(day, Math.max(0, capacity(day)), units);
    if (night.excess > 0) nights.push(night);
  }
  return nights;
}

/** Effective capacity of a room type after the change; null when the tree has it no more. */
function capacityAfter(
  roomTypeId: string,
  property: PropertyEntry,
  { ari, tree }: Change,
): ((day: number) => number) | null {
  const now = roomIn(property, roomTypeId);
  const isOwn = tree?.id === property.tree.id;
  const roomType = isOwn ? tree.room_types.find(({ id }) => id === roomTypeId) : now?.roomType;
  if (now === null || roomType === undefined) return null;
  const { room } = now;
  const after = ari?.property_id === property.tree.id ? ari.after.get(roomTypeId) : undefined;
  return (day) => after?.get(day) ?? effectiveCapacity(roomType, room, day);
}
