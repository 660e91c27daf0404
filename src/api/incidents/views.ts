/** Oversell incidents as operators see them. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { nightsLeft, spanOf } from "../../../engine/core/incidents/desk.ts";
import { excessNights } from "../../../engine/core/oversell/nights.ts";
import type { OversellIncident } from "../../../engine/core/oversell-incident.ts";
import type { ExcessNight } from "../../../engine/core/oversell-terms.ts";
import type { Call } from "../../http/call.ts";
import { sealedNoteIn } from "../bookings/personal-fields.ts";
import { propertyOf } from "../visible.ts";

/** The nights that are oversold now. */
export function nightsNow(call: Call, incident: OversellIncident): ExcessNight[] {
  const property = propertyOf(call, incident.property_id);
  if ("code" in property) return [];
  return excessNights(spanOf(incident), property, call.context.timeIn(call.principal));
}

/** In lists. */
export function incidentOut(
  { context }: Call,
  incident: OversellIncident,
  nights: readonly ExcessNight[],
) {
  const { incident_id, tenant_id, state, property_id, room_type_id, from, until } = incident;
  const { cause, opened_by, acknowledged, actions, ended, note } = incident;
  const since = <T extends { readonly at: number }>(one: T) => ({ ...one, at: instantIso(one.at) });
  return {
    ...{ incident_id, state, property_id, room_type_id, from, until, cause },
    ...{ opened_at: instantIso(incident.created_at), opened_by },
    ...nightsLeft(nights),
    acknowledged: acknowledged && since(acknowledged),
    actions: actions.map(since),
    resolution: ended && {
      ...since(ended),
      note: sealedNoteIn(context, { id: incident_id, tenant_id, note }),
    },
  };
}
