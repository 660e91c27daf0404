/** Operators look for oversold nights, and say that they work on an incident. */
import { dayOf, todayIn } from "../calendar.ts";
import type { AcknowledgeIncident, ResolveIncident, ScanOversell } from "../commands.ts";
import { type Context, type Decision, EventList, refusal, reject, success } from "../decision.ts";
import type { Rejection, SuccessOf } from "../outcomes.ts";
import { addRun, type Run } from "../oversell/detect.ts";
import { excessNights, incidentOn, nightOf, type Room, roomIn } from "../oversell/nights.ts";
import type { OversellIncident } from "../oversell-incident.ts";
import { type ExcessNight, LISTED_NIGHTS_MAX } from "../oversell-terms.ts";
import { propertyOf } from "../properties/property.ts";
import { recorded } from "../record-damage.ts";
import type { PropertyEntry } from "../state/state.ts";
import { seenBy } from "../visibility.ts";

/** Decides `POST /v1/admin/oversell-incidents`: the run of oversold nights around a date. */
export function scanOversell(command: ScanOversell, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const { room_type_id, date } = command;
  const property_id = property.tree.id;
  const at = roomIn(property, room_type_id);
  if (at === null) {
    return reject(command, { code: "room_type_not_found", detail: { property_id, room_type_id } });
  }
  const day = dayOf(date);
  const known = incidentOn(at.room, day);
  if (known) {
    const { incident_id } = known;
    const incident = recorded(ctx.records.incident(incident_id), "incident", incident_id);
    return unchanged(command, incident, property, ctx);
  }
  const today = todayIn(property.tree.timezone, ctx.now);
  const night = nightOf(at, day);
  if (day < today || night.excess === 0) {
    const { capacity, sold, held } = night;
    const where = { property_id, room_type_id, date };
    return reject(command, notDetected({ ...where, capacity, sold, held }));
  }
  const run = runAround(at, day, today);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const incident_id = addRun(command, property, { cause: "scan", run, nth: 0 }, ctx, events);
  const [detected] = events.list;
  const { from, until } = detected!.data as { readonly from: string; readonly until: string };
  const outcome = success(command, "incident", {
    ...{ incident_id, property_id, room_type_id, from, until, state: "open" },
    ...nightsLeft(run.nights),
    seq: detected!.seq,
  });
  return { events: events.list, outcome, phase: "sealed" };
}

/** The oversold nights next to a day, as far as no incident is open on them. */
function runAround(at: Room, day: number, today: number): Run {
  const isMeant = (each: number) => {
    return each >= today && nightOf(at, each).excess > 0 && incidentOn(at.room, each) === null;
  };
  let firstDay = day;
  while (isMeant(firstDay - 1)) firstDay -= 1;
  const nights: ExcessNight[] = [];
  for (let each = firstDay; isMeant(each); each += 1) nights.push(nightOf(at, each));
  return { room_type_id: at.roomType.id, firstDay, nights };
}

/** Decides `…/acknowledge`; an incident that is acknowledged already stays as it is. */
export function acknowledgeIncident(command: AcknowledgeIncident, ctx: Context): Decision {
  const found = openOf(command, ctx);
  if ("code" in found) return reject(command, found);
  const { incident, property, nights } = found;
  if (nights.length === 0) return passed(command, incident, property, ctx);
  if (incident.state === "acknowledged") return unchanged(command, incident, property, ctx);
  const { incident_id } = incident;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({ type: "inventory.oversell_acknowledged", data: { incident_id } });
  const now = { state: "acknowledged", ...nightsLeft(nights), seq } as const;
  const outcome = success(command, "incident", { ...idsOf(incident), ...now });
  return { events: events.list, outcome, phase: "sealed" };
}

/** What changes nothing is answered with the incident as it is. */
function unchanged(
  command: ScanOversell | AcknowledgeIncident,
  incident: OversellIncident,
  property: PropertyEntry,
  ctx: Context,
): Decision {
  const nights = excessNights(spanOf(incident), property, ctx.now);
  const now = { state: incident.state, ...nightsLeft(nights), seq: null };
  const outcome = success(command, "incident", { ...idsOf(incident), ...now });
  return { events: [], outcome, phase: "sealed" };
}

/** An incident that is not ended, with its property and the nights that are still oversold. */
interface Found {
  readonly incident: OversellIncident;
  readonly property: PropertyEntry;
  readonly nights: readonly ExcessNight[];
}

/** The incident that a command names, while it is open or acknowledged; else a refusal. */
export function openOf(
  command: AcknowledgeIncident | ResolveIncident,
  ctx: Context,
): Found | Rejection {
  const { incident_id } = command;
  const unknown = { code: "oversell_incident_not_found", detail: { incident_id } } as const;
  const known = ctx.records.incident(incident_id);
  const incident = seenBy(command, known, ({ property_id }) => property_id, unknown);
  if ("code" in incident) return incident;
  const { state } = incident;
  if (state === "resolved" || state === "dismissed") {
    const needed = "open or acknowledged";
    return { code: "conflict", detail: { reason: "incident_state", incident_id, state, needed } };
  }
  const property = ctx.state.property(incident, incident.property_id)!;
  return { incident, property, nights: excessNights(spanOf(incident), property, ctx.now) };
}

/**
 * Refuses a call on an incident whose nights have passed, and ends it in the same row: whatever
 * frees units ends the others.
 */
export function passed(
  command: AcknowledgeIncident | ResolveIncident,
  incident: OversellIncident,
  property: PropertyEntry,
  ctx: Context,
): Decision {
  const { incident_id, room_type_id } = incident;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const data = { incident_id, reason: "passed" } as const;
  events.add({ type: "inventory.oversell_resolved", data });
  const at = roomIn(property, room_type_id);
  const last = at && nightOf(at, spanOf(incident).endDay - 1);
  const { capacity = 0, sold = 0, held = 0 } = last ?? {};
  const outcome = refusal(command, notDetected({ incident_id, capacity, sold, held }));
  return { events: events.list, outcome, phase: "sealed" };
}

function notDetected(detail: Rejection["detail"]): Rejection {
  return { code: "oversell_not_detected", detail };
}

/** Day numbers of an incident's nights. */
export function spanOf({ room_type_id, from, until }: OversellIncident) {
  return { room_type_id, firstDay: dayOf(from), endDay: dayOf(until) };
}

/** What every answer has of an incident. */
export function idsOf({ incident_id, property_id, room_type_id, from, until }: OversellIncident) {
  return { incident_id, property_id, room_type_id, from, until };
}

/** The first oversold nights for an answer, and the number of all. */
export function nightsLeft(
  nights: readonly ExcessNight[],
): Pick<SuccessOf<"incident">["data"], "nights" | "oversold_nights"> {
  return { nights: nights.slice(0, LISTED_NIGHTS_MAX), oversold_nights: nights.length };
}
