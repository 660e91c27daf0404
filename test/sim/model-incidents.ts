/** What operators' calls on oversold nights come to, and which incidents there must be. */
import { dayOf, todayIn } from "../../engine/core/calendar.ts";
import type {
  AcknowledgeIncident,
  ResolveIncident,
  ScanOversell,
} from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { RoomType } from "../../engine/core/supply.ts";
import { check, same } from "./check.ts";
import { expectDesk } from "./model-desk.ts";
import {
  type Expected,
  isForeign,
  type ModelIncident,
  type ModelLedger,
  refused,
  succeeded,
} from "./model-ledger.ts";
import { expectModify } from "./model-modify.ts";
import { expectSupply, type Moment } from "./model-properties.ts";
import { expectDeskRefund } from "./model-refunds.ts";
import { nightsOf } from "./model-supply.ts";

const TAKEN = "inventory.oversell_action_taken";

/** Units above capacity on a night, as journaled; 0 for a room type that is gone. */
export function excessOn(
  { property_id, room_type_id }: Pick<ModelIncident, "property_id" | "room_type_id">,
  day: number,
  ledger: ModelLedger,
): number {
  const room = ledger.supply.room(property_id, room_type_id);
  if (!room) return 0;
  const { sold, held } = takenOn(room_type_id, day, ledger);
  return Math.max(0, sold + held - Math.max(0, ledger.supply.effective(room, day)));
}

function takenOn(roomTypeId: string, day: number, { open, bookings }: ModelLedger) {
  const booked = [...bookings.values()].filter(({ state }) => state !== "cancelled");
  const held = [...open].filter(({ quote }) => takes(quote, roomTypeId, day));
  const sold = booked.filter(({ quote, stay }) => takes({ ...quote, stay }, roomTypeId, day));
  return { sold: sold.length, held: held.length };
}

function takes(quote: Parameters<typeof nightsOf>[0], roomTypeId: string, day: number): boolean {
  return quote.room_type_id === roomTypeId && nightsOf(quote).includes(day);
}

function todayAt(propertyId: string, stamp: number, { supply }: ModelLedger): number {
  return todayIn(supply.properties.get(propertyId)!.tree.timezone, stamp);
}

/** The days of an incident from today on that are oversold. */
function left(incident: ModelIncident, stamp: number, ledger: ModelLedger): number[] {
  const today = todayAt(incident.property_id, stamp, ledger);
  return daysOf(incident).filter((day) => day >= today && excessOn(incident, day, ledger) > 0);
}

/** Whether the last night of an incident has passed at its property. */
export function isPast(incident: ModelIncident, stamp: number, ledger: ModelLedger): boolean {
  return incident.endDay <= todayAt(incident.property_id, stamp, ledger);
}

/** The days of an incident. */
export function daysOf({ firstDay, endDay }: ModelIncident): number[] {
  return Array.from({ length: endDay - firstDay }, (_, i) => firstDay + i);
}

/** What a night is told to have; one that is over for long is forgotten, with all that was set. */
function toldOf(room: RoomType, day: number, { firstDay }: Moment, ledger: ModelLedger) {
  if (day < firstDay) {
    const capacity = Math.max(0, room.default_inventory + room.overbooking_limit);
    return { capacity, sold: 0, held: 0 };
  }
  const capacity = Math.max(0, ledger.supply.effective(room, day));
  return { capacity, ...takenOn(room.id, day, ledger) };
}

/** `POST /v1/admin/oversell-incidents`. */
export function expectScan(command: ScanOversell, moment: Moment, ledger: ModelLedger): Expected {
  const { stamp } = moment;
  const { property_id, room_type_id, date } = command;
  const property = ledger.supply.properties.get(property_id);
  if (property?.tenant !== command.tenant_id || property.mode !== command.mode) {
    return refused(command, "property_not_found", { property_id });
  }
  const room = ledger.supply.room(property_id, room_type_id);
  if (!room) return refused(command, "room_type_not_found", { room_type_id });
  const day = dayOf(date);
  const known = ledger.openIncidents(room_type_id).find((each) => daysOf(each).includes(day));
  if (known) {
    return succeeded(command, "incident", {
      events: [],
      has: { incident_id: known.id, seq: null },
    });
  }
  const isNow = day >= todayAt(property_id, stamp, ledger);
  if (!isNow || excessOn(command, day, ledger) === 0) {
    return refused(command, "oversell_not_detected", {
      ...{ property_id, room_type_id, date, ...toldOf(room, day, moment, ledger) },
    });
  }
  const events = ["inventory.oversell_detected"];
  return succeeded(command, "incident", { events, has: { room_type_id, state: "open" } });
}

/** The incident of a call while it is open, or what the call comes to. */
function openOf(
  command: AcknowledgeIncident | ResolveIncident,
  stamp: number,
  ledger: ModelLedger,
): { readonly incident: ModelIncident; readonly days: readonly number[] } | Expected {
  const { incident_id } = command;
  const incident = ledger.incidents.get(incident_id);
  if (!incident || isForeign(command, incident)) {
    return refused(command, "oversell_incident_not_found", { incident_id });
  }
  const { state } = incident;
  if (state === "resolved" || state === "dismissed") {
    return refused(command, "conflict", { reason: "incident_state", state });
  }
  const days = left(incident, stamp, ledger);
  if (days.length > 0) return { incident, days };
  const events = ["inventory.oversell_resolved"];
  return { ...refused(command, "oversell_not_detected", { incident_id }), events };
}

/** `…/acknowledge`. */
export function expectAcknowledge(
  command: AcknowledgeIncident,
  stamp: number,
  ledger: ModelLedger,
): Expected {
  const found = openOf(command, stamp, ledger);
  if ("phase" in found) return found;
  const { incident, days } = found;
  const has = { state: "acknowledged", oversold_nights: days.length };
  const isKnown = incident.state === "acknowledged";
  const events = isKnown ? [] : ["inventory.oversell_acknowledged"];
  const apply = () => {
    incident.state = "acknowledged";
  };
  return succeeded(command, "incident", { events, has, apply });
}

/** `…/resolve`: the call on the booking or the nights, and the incident's own event. */
export function expectResolve(
  command: ResolveIncident,
  moment: Moment,
  ledger: ModelLedger,
): Expected {
  const found = openOf(command, moment.stamp, ledger);
  if ("phase" in found) return found;
  const { incident, days } = found;
  const { action, booking_id } = command;
  if (action === "accept") {
    const events = ["inventory.oversell_accepted"];
    const apply = () => accept(incident, days, ledger);
    return succeeded(command, "incident", { events, has: { state: "dismissed" }, apply });
  }
  const booking = ledger.bookings.get(booking_id ?? "");
  if (action !== "restore_capacity") {
    if (!booking || isForeign(command, booking)) return refused(command, "booking_not_found");
    const on =
      booking.state === "cancelled" ? [] : nightsOf({ ...booking.quote, stay: booking.stay });
    const isHere = booking.quote.room_type_id === incident.room_type_id;
    if (!isHere || !days.some((day) => on.includes(day))) {
      return refused(command, "conflict", { reason: "booking_not_affected" });
    }
  }
  const inner = innerOf(command, incident, moment, ledger);
  const failed = inner.find(({ code }) => code !== undefined);
  if (failed) return refused(command, failed.code!, failed.has);
  const events = inner.flatMap((each) => each.events);
  if (events.length === 0) return refused(command, "conflict", { reason: "nothing_changed" });
  return succeeded(command, "incident", {
    events: [...events, TAKEN],
    has: { incident_id: incident.id, action },
    apply: (row) => {
      for (const { apply } of inner) apply?.(row);
    },
  });
}

function innerOf(
  command: ResolveIncident,
  { property_id }: ModelIncident,
  moment: Moment,
  ledger: ModelLedger,
): Expected[] {
  const { action, move, compensation, booking_id = "", ari = {} } = command;
  if (action === "restore_capacity") {
    return [expectSupply({ ...command, type: "UpdateAri", property_id, ari }, moment, ledger)];
  }
  if (action === "cancel_with_refund") {
    const cancel = { ...command, type: "CancelAtDesk", booking_id, waives_fee: true } as const;
    return [expectDesk(cancel, moment.stamp, ledger)];
  }
  const change = { ...move!, booking_id, expected_version: null };
  const moved = { ...command, type: "ModifyBooking", ...change } as const;
  const first = expectModify(moved, moment.stamp, ledger);
  if (compensation === undefined) return [first];
  const refund = { booking_id, amount: compensation, reason: "goodwill" } as const;
  return [first, expectDeskRefund({ ...command, type: "RefundPayment", ...refund }, ledger)];
}

/** The nights may stay as oversold as they are. */
function accept(incident: ModelIncident, days: readonly number[], ledger: ModelLedger): void {
  const { property_id, room_type_id } = incident;
  const room = ledger.supply.room(property_id, room_type_id)!;
  for (const day of days) {
    ledger.accepted.set(`${room_type_id}|${day}`, ledger.supply.effective(room, day));
  }
  incident.state = "dismissed";
}

/** Follows what a row says of incidents beside its own call: where they open and end. */
export function followIncidents(row: Row, ledger: ModelLedger): void {
  const { tenant_id, mode } = row;
  for (const { type, data } of row.events) {
    if (type === "inventory.oversell_detected") {
      const { incident_id: id, property_id, room_type_id, from, until } = data;
      check(!ledger.incidents.has(id), () => `incident ${id} was opened twice`);
      const days = { firstDay: dayOf(from), endDay: dayOf(until) };
      const owner = { tenant_id, mode, agent_id: row.actor.id };
      ledger.incidents.set(id, {
        ...{ id, property_id, room_type_id, ...days, ...owner, state: "open" },
      });
    }
    if (type === "inventory.oversell_resolved") {
      const incident = ledger.incidents.get(data.incident_id);
      const isOpen = incident?.state === "open" || incident?.state === "acknowledged";
      check(isOpen, () => `incident ${data.incident_id} ended and was not open`);
      incident!.state = "resolved";
    }
  }
}

/**
 * Every night with more units taken than there are is of exactly one open incident, or was
 * accepted; and every open incident has such a night. Nights that were past once are left out: the
 * clock may have been set back.
 */
export class IncidentChecks {
  /** The latest day that was today at a property. */
  readonly #latest = new Map<string, number>();

  /** @returns how many incidents are open. */
  check(stamp: number, keptDay: number, ledger: ModelLedger): number {
    for (const { tree } of ledger.supply.properties.values()) {
      const today = Math.max(todayIn(tree.timezone, stamp), this.#latest.get(tree.id) ?? 0);
      this.#latest.set(tree.id, today);
      for (const room of tree.room_types) {
        const at = { property_id: tree.id, room_type_id: room.id };
        const open = ledger.openIncidents(room.id);
        for (const day of takenDays(room.id, ledger)) {
          const covering = open.filter((each) => daysOf(each).includes(day)).length;
          const cell = `${room.id}|${day}`;
          check(covering < 2, () => `${cell} has ${covering} open incidents`);
          if (day < Math.max(today, keptDay) || covering === 1) continue;
          const accepted = ledger.accepted.get(cell);
          const isAccepted =
            accepted !== undefined && ledger.supply.effective(room, day) >= accepted;
          const excess = excessOn(at, day, ledger);
          check(excess === 0 || isAccepted, () => `${cell} is oversold without an incident`);
        }
      }
    }
    const open = [...ledger.incidents.values()].filter(({ state }) => {
      return state === "open" || state === "acknowledged";
    });
    for (const incident of open) {
      const isOversold = daysOf(incident).some((day) => excessOn(incident, day, ledger) > 0);
      const isForgotten = incident.firstDay < keptDay;
      check(isOversold || isForgotten, () => `incident ${incident.id} is open without a reason`);
    }
    return open.length;
  }
}

function takenDays(roomTypeId: string, { open, bookings }: ModelLedger): Set<number> {
  const quotes = [...open].map(({ quote }) => quote);
  const stays = [...bookings.values()].map(({ quote, stay }) => ({ ...quote, stay }));
  const own = [...quotes, ...stays].filter(({ room_type_id }) => room_type_id === roomTypeId);
  return new Set(own.flatMap(nightsOf));
}

/** The incidents in memory are those that the rows say are open. */
export function sameIncidents(ids: Iterable<string>, ledger: ModelLedger): void {
  const open = [...ledger.incidents.values()].filter(({ state }) => {
    return state === "open" || state === "acknowledged";
  });
  same([...ids].sort(), open.map(({ id }) => id).sort(), "open incidents in memory");
}
