/** Nights oversold by a supply change, and the search for affected guests. */
import { Type } from "@sinclair/typebox";
import type { OversoldUnits } from "../../engine/core/outcomes.ts";
import { action, type May, type NextAction, type Offer, offered } from "../actions/next-action.ts";
import { CivilDate, Id, named, Uuid } from "../http/schema/answer-parts.ts";

const Count = Type.Integer({ minimum: 0 });

export const OversoldNight = named("OversoldNight", "An oversold night.", {
  room_type_id: Uuid,
  date: CivilDate,
  sold: Count,
  held: Count,
  effective: Type.Integer({ description: "capacity − out_of_order + overbooking_limit." }),
});

/** Maximum number of listed nights. */
export const OVERSOLD_NIGHTS = Type.Optional(
  Type.Integer({ minimum: 1, description: "Total number of oversold nights." }),
);

/** The oversell incidents that a change opened. */
export const OPENED = {
  incident_ids: Type.Optional(
    Type.Array(Id, { maxItems: 20, description: "The first oversell incidents that it opened." }),
  ),
  incidents: Type.Optional(Type.Integer({ minimum: 1, description: "Number of all of them." })),
};

/** Days with a ready search for guests; `oversold` has the others. */
const DAYS_OFFERED = 5;

export const INCIDENTS = "/v1/admin/oversell-incidents";
/** Incidents with a ready read; the list has the others. */
const READS_OFFERED = 3;

/** Where an incident is read. */
export function incidentPath(incidentId: string): string {
  return `${INCIDENTS}/${encodeURIComponent(incidentId)}`;
}

/** The read of an incident, with what can be done about it. */
export function readIncident(incidentId: string): Offer {
  return ["admin_get_oversell_incident", action("get", "GET", incidentPath(incidentId))];
}

/** After a change of supply: the incidents that it opened. */
export function openedActions(
  { incident_ids = [] }: { readonly incident_ids?: readonly string[] },
  may?: May,
): NextAction[] {
  return offered(incident_ids.slice(0, READS_OFFERED).map(readIncident), may);
}

/** Searches for guests in house on those days. */
export function inHouse(
  property_id: string,
  { oversold = [] }: { readonly oversold?: readonly OversoldUnits[] },
): NextAction[] {
  const dates = [...new Set(oversold.map(({ date }) => date))].slice(0, DAYS_OFFERED);
  return dates.map((date) => {
    const asked = `in_house=${date}&property_id=${property_id}&state=confirmed`;
    return action("get", "GET", `/v1/admin/bookings?${asked}`);
  });
}
