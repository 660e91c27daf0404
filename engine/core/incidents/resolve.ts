/**
 * What an operator does about an oversell incident, each by the decision that the same call on the
 * booking or the nights would get, in one row with the incident's.
 */
import { assert } from "../assert.ts";
import { bookingOf, cancelAtDesk } from "../bookings/cancel.ts";
import { refundPayment } from "../bookings/desk-refunds.ts";
import { modifyBooking } from "../bookings/modify.ts";
import { dayOf } from "../calendar.ts";
import type { ResolveIncident } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { Event } from "../events/event.ts";
import type { Rejection } from "../outcomes.ts";
import { changeOf, excessAfter } from "../oversell/closing.ts";
import type { OversellIncident } from "../oversell-incident.ts";
import type { ExcessNight } from "../oversell-terms.ts";
import { updateAri } from "../properties/ari.ts";
import { soldNights } from "../records.ts";
import { idsOf, nightsLeft, openOf, passed } from "./desk.ts";

/** No search finds a guest by these. */
const NO_GUEST = { email: "", name: "" };

/** Decides `POST /v1/admin/oversell-incidents/{id}/resolve`. */
export function resolveIncident(command: ResolveIncident, ctx: Context): Decision {
  const found = openOf(command, ctx);
  if ("code" in found) return reject(command, found);
  const { incident, property, nights } = found;
  if (nights.length === 0) return passed(command, incident, property, ctx);
  if (command.action === "accept") return accepted(command, incident, nights, ctx);
  const refusedMove = command.move?.refused;
  const problem = refusedMove ?? bookingProblem(command, incident, nights, ctx);
  if (problem) return reject(command, problem);
  const done = decisionsOf(command, incident, ctx);
  const refused = done.find(({ outcome }) => !outcome.ok);
  if (refused) return refused;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  for (const event of done.flatMap((each) => each.events)) events.add(event);
  if (events.list.length === 0) {
    const detail = { reason: "nothing_changed", incident_id: incident.incident_id };
    return reject(command, { code: "conflict", detail });
  }
  return acted(command, incident, events, ctx);
}

/** The decisions of the action, in their order; a refusal is alone. */
function decisionsOf(
  command: ResolveIncident,
  { property_id, room_type_id }: OversellIncident,
  ctx: Context,
): Decision[] {
  const { action, booking_id = "", move, compensation, ari = {} } = command;
  if (action === "restore_capacity") {
    return [updateAri({ ...command, type: "UpdateAri", property_id, ari }, ctx)];
  }
  if (action === "cancel_with_refund") {
    const cancel = { ...command, type: "CancelAtDesk", booking_id, waives_fee: true } as const;
    return [cancelAtDesk(cancel, ctx)];
  }
  assert(move !== undefined, "the api has priced the stay in the other room");
  assert(move.stay?.quote?.room_type_id !== room_type_id, "guests move to another room type");
  const change = { ...move, booking_id, expected_version: null };
  const moved = modifyBooking({ ...command, type: "ModifyBooking", ...change }, ctx);
  if (compensation === undefined) return [moved];
  const refund = { booking_id, amount: compensation, reason: "goodwill" } as const;
  return [moved, refundPayment({ ...command, type: "RefundPayment", ...refund }, ctx)];
}

/** A booking can help when it takes a unit on an oversold night. */
function bookingProblem(
  command: ResolveIncident,
  { incident_id, property_id, room_type_id }: OversellIncident,
  nights: readonly ExcessNight[],
  ctx: Context,
): Rejection | null {
  const { action, booking_id = "" } = command;
  if (action === "restore_capacity") return null;
  const booking = bookingOf({ ...command, booking_id }, ctx);
  if ("code" in booking) return booking;
  const { from, end } = soldNights(booking);
  const isHere =
    booking.property_id === property_id &&
    booking.quote.room_type_id === room_type_id &&
    nights.some(({ date }) => from <= dayOf(date) && dayOf(date) < end);
  if (isHere) return null;
  const detail = { reason: "booking_not_affected", incident_id, booking_id };
  return { code: "conflict", detail };
}

/** The answer, which waits for no refund. The incident ends when no night is oversold any more. */
function acted(
  command: ResolveIncident,
  incident: OversellIncident,
  events: EventList,
  ctx: Context,
): Decision {
  const { incident_id } = incident;
  const { action, booking_id } = command;
  const open = ctx.state.incidents.get(incident_id);
  assert(open !== undefined, "an incident that is not ended is in memory");
  const left = excessAfter(open, changeOf(events.list, command, null, ctx), ctx);
  const done = { incident_id, action, booking_id: booking_id ?? null };
  let seq = events.add({ type: "inventory.oversell_action_taken", data: done });
  const isOver = left.length === 0;
  if (isOver) {
    const data = { incident_id, reason: action };
    seq = events.add({ type: "inventory.oversell_resolved", data });
  }
  const outcome = success(command, "incident", {
    ...{ ...idsOf(incident), state: isOver ? "resolved" : incident.state, ...nightsLeft(left) },
    ...{ action, ...(booking_id !== undefined && { booking_id }) },
    ...refundIn(events.list),
    seq,
  });
  return { events: events.list, outcome, phase: "sealed" };
}

function refundIn(events: readonly Event[]) {
  const requested = events.find((event) => event.type === "refund.requested");
  if (!requested) return {};
  const { refund_id, amount, currency } = requested.data;
  return { refund: { refund_id, amount, currency, state: "pending" as const } };
}

/** The nights stay oversold: no limit is raised, and no guest is moved. */
function accepted(
  command: ResolveIncident,
  incident: OversellIncident,
  nights: readonly ExcessNight[],
  ctx: Context,
): Decision {
  const { incident_id } = incident;
  const { note, key = "" } = command;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({
    type: "inventory.oversell_accepted",
    data: { incident_id },
    ...(note && { secret: { encrypted: note.encrypted, key } }),
  });
  const outcome = success(command, "incident", {
    ...{ ...idsOf(incident), state: "dismissed", ...nightsLeft(nights) },
    ...{ action: "accept", seq },
  });
  const decision = { events: events.list, outcome, phase: "sealed" } as const;
  if (!note) return decision;
  const { wrapped_key } = note;
  return { ...decision, subjectKey: { booking_id: incident_id, wrapped_key, guest: NO_GUEST } };
}
