/** What operators do about oversold nights: find, read, acknowledge and resolve incidents. */
import { INCIDENT_STATES } from "../../../engine/core/oversell-terms.ts";
import { IdOrCodeLookup } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { admin, DESK_READ, ITEMS_MAX, idsBetween, listed, tooMany } from "../desk/lists.ts";
import { PROPERTY } from "../desk/parameters.ts";
import { INCIDENTS } from "../oversold.ts";
import { instantParameter, pathId, wordParameter } from "../parameters.ts";
import { SUPPLY_BYTES_MAX } from "../properties/parameters.ts";
import { unclear } from "../quotes/routes.ts";
import { askedProperty, incidentIdsOf, incidentOf, propertyOf } from "../visible.ts";
import { incidentActions } from "./actions.ts";
import { affectedBookings, candidatesOf } from "./candidates.ts";
import { decided } from "./decided.ts";
import { resolveBody, type ScanRequest, scanBody } from "./requests.ts";
import { BOOKING_REFUSALS, resolve } from "./resolve.ts";
import { DecidedIncident, IncidentDetail, Incidents } from "./responses.ts";
import { incidentOut, nightsNow } from "./views.ts";

const AFFECTED_MAX = 100;

async function list(call: Call): Promise<Success | Refusal> {
  const { query } = call;
  const property = askedProperty(call);
  if (property && "code" in property) return property;
  const state = INCIDENT_STATES.find((each) => each === query.get("state"));
  const asked = {
    ...(state && { state }),
    ...(property && { property_id: property.tree.id }),
    ids: idsBetween("osi", call, ["opened_from", "opened_before"]),
  } as const;
  const ids = incidentIdsOf(call, asked, ITEMS_MAX + 1);
  if (ids.length > ITEMS_MAX) return tooMany("?opened_from", "incidents");
  const items = [];
  for await (const id of nextTurnEach(ids)) {
    const found = incidentOf(call, id);
    if (!("code" in found)) items.push(incidentOut(call, found, nightsNow(call, found)));
  }
  return { ok: true, data: { items } };
}

type AtId<B = unknown> = Call<B, "id">;

async function show(call: AtId): Promise<Success | Refusal> {
  const incident = incidentOf(call, call.params.id);
  if ("code" in incident) return incident;
  const property = propertyOf(call, incident.property_id);
  if ("code" in property) return property;
  const isOpen = incident.state === "open" || incident.state === "acknowledged";
  const nights = nightsNow(call, incident);
  const affected = await affectedBookings(call, incident, nights);
  const candidates = isOpen ? await candidatesOf(call, property, affected) : [];
  const data = {
    ...incidentOut(call, incident, nights),
    detected: incident.detected,
    affected_bookings: affected.slice(0, AFFECTED_MAX).map(({ booking }) => booking.booking_id),
    affected_booking_count: affected.length,
    candidates,
  };
  const atMs = call.context.timeIn(call.principal);
  return { ok: true, data, actions: incidentActions(incident, nights, candidates, atMs, call.may) };
}

/** A room type's code becomes its id; unknown names stay: the engine's refusal is sealed. */
async function scan(call: Call<ScanRequest>): Promise<Success | Refusal> {
  const { property_id, room_type_id, date } = call.body;
  const property = propertyOf(call, property_id);
  const room = "code" in property ? null : new IdOrCodeLookup(property.tree).room(room_type_id);
  if (room && "candidates" in room) {
    return invalid([unclear({ field: "room_type_id", ...room })]);
  }
  const at = { property_id, room_type_id: room?.id ?? room_type_id, date };
  return execute(call, { ...commandMeta(call), type: "ScanOversell", ...at }, decided(true));
}

function acknowledge(call: AtId): Promise<Success | Refusal> {
  const incident_id = call.params.id;
  const command = { ...commandMeta(call), type: "AcknowledgeIncident" as const, incident_id };
  return execute(call, command, decided(false));
}

const ACCESS = admin("oversell-incidents");
const AT_ID = { params: { id: pathId("Id of the incident.") } } as const;
const WRITE = { tag: "Desk", method: "POST", access: ACCESS, key: "accepted" } as const;
const DECIDED = { status: 200, description: "The incident.", data: DecidedIncident } as const;

export const incidentRoutes = [
  route({
    ...DESK_READ,
    id: "admin_list_oversell_incidents",
    path: INCIDENTS,
    summary: "List the oversell incidents",
    description:
      "Newest first. An incident is a run of nights of a room type on which more units are taken " +
      "than there are; a change of supply that takes units from guests opens it. `?state=open` " +
      "lists those that nobody works on yet.",
    access: ACCESS,
    query: {
      state: wordParameter(INCIDENT_STATES, "Only incidents in this state."),
      property_id: PROPERTY,
      opened_from: instantParameter("Opened at this instant or later."),
      opened_before: instantParameter("Opened before this instant."),
      format: FORMAT,
    },
    renderer: "table",
    success: listed("The incidents.", Incidents),
    errors: ["property_not_found", "resource_access_denied"],
    handle: list,
  }),
  route({
    ...DESK_READ,
    ...AT_ID,
    id: "admin_get_oversell_incident",
    path: `${INCIDENTS}/:id`,
    summary: "Get an oversell incident",
    description:
      "With the bookings on its nights, and those to move first: they take the fewest of its " +
      "nights and were booked last. The next actions move, cancel, restore or accept.",
    access: ACCESS,
    success: { status: 200, description: "The incident.", data: IncidentDetail },
    errors: ["oversell_incident_not_found", "resource_access_denied"],
    handle: show,
  }),
  route({
    ...WRITE,
    id: "admin_scan_oversell",
    path: INCIDENTS,
    summary: "Scan a night for overselling",
    description:
      "Opens an incident for the oversold nights around the date, unless one is open there, which " +
      "is then the answer. For nights that were accepted before, and for data of older versions.",
    body: scanBody,
    readsReplica: true,
    success: { status: 201, description: "The incident.", data: DecidedIncident },
    errors: [
      ...(["property_not_found", "room_type_not_found", "resource_access_denied"] as const),
      "oversell_not_detected",
    ],
    handle: scan,
  }),
  route({
    ...WRITE,
    ...AT_ID,
    id: "admin_acknowledge_oversell_incident",
    path: `${INCIDENTS}/:id/acknowledge`,
    summary: "Acknowledge an oversell incident",
    description: "Tells the others that somebody works on it; its nights stay as they are.",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: DECIDED,
    errors: [
      ...(["oversell_incident_not_found", "resource_access_denied", "conflict"] as const),
      "oversell_not_detected",
    ],
    handle: acknowledge,
  }),
  route({
    ...WRITE,
    ...AT_ID,
    id: "admin_resolve_oversell_incident",
    path: `${INCIDENTS}/:id/resolve`,
    summary: "Act on an oversell incident",
    description:
      "`relocate` or `upgrade` moves a booking to another room type of the property for the same " +
      "stay, at its price; `compensation` refunds a part of what was paid as goodwill. " +
      "`cancel_with_refund` cancels a booking and refunds everything. `restore_capacity` sets " +
      "nights as an update of availability does, by `ari.inventory` alone. The incident is " +
      "`resolved` when no night is oversold any more, else it stays as it is. `accept` dismisses " +
      "it: the nights stay oversold, and nothing more is sold there. Refunds are not waited for.",
    body: resolveBody,
    bodyBytesMax: SUPPLY_BYTES_MAX,
    readsReplica: true,
    success: DECIDED,
    errors: [
      ...(["oversell_incident_not_found", "resource_access_denied", "conflict"] as const),
      "oversell_not_detected",
      ...BOOKING_REFUSALS,
    ],
    handle: resolve,
  }),
];
