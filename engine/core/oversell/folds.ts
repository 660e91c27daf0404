/** Folds of oversell incidents: what is open is in memory as well as in the projections. */
import { assert } from "../assert.ts";
import { dayOf } from "../calendar.ts";
import { type EventOf, type Row, timeOf } from "../events/event.ts";
import type { Fold, Folds } from "../fold.ts";
import type { OversellIncident } from "../oversell-incident.ts";
import type { OpenIncident } from "../oversell-terms.ts";
import type { RecordSink } from "../records.ts";
import { cellsOf, type State } from "../state/state.ts";

/** Enters an open incident into memory, also from a snapshot. */
export function openIncident(state: State, incident: OpenIncident): void {
  state.incidents.set(incident.incident_id, incident);
  const property = state.property(incident, incident.property_id);
  const room = property && cellsOf(property, incident.room_type_id);
  if (room) room.incidents = [...(room.incidents ?? []), incident];
}

function forgetIncident(state: State, incidentId: string): void {
  const incident = state.incidents.get(incidentId);
  assert(incident !== undefined, "an incident that ends is open");
  state.incidents.delete(incidentId);
  const property = state.property(incident, incident.property_id);
  const room = property && cellsOf(property, incident.room_type_id);
  if (!room) return;
  const others = room.incidents?.filter((each) => each !== incident) ?? [];
  room.incidents = others.length > 0 ? others : null;
}

const detected: Fold<"inventory.oversell_detected"> = (state, { data }, row, sink) => {
  const { incident_id, property_id, room_type_id, from, until, cause, nights } = data;
  const { tenant_id, mode, actor } = row;
  const at = timeOf(row);
  const where = { incident_id, tenant_id, mode, property_id, room_type_id };
  openIncident(state, { ...where, firstDay: dayOf(from), endDay: dayOf(until) });
  sink?.putIncident({
    ...{ ...where, agent_id: actor.id, from, until, cause, detected: nights },
    ...{ state: "open", opened_by: actor, created_at: at, updated_at: at },
    ...{ acknowledged: null, actions: [], ended: null, note: null },
  });
};

type Changing =
  | "inventory.oversell_acknowledged"
  | "inventory.oversell_action_taken"
  | "inventory.oversell_resolved"
  | "inventory.oversell_accepted";

/** The change of the record by an event; `apply` sets what it says beside the time. */
function change<T extends Changing>(
  event: EventOf<T>,
  row: Row,
  sink: RecordSink | null,
  apply: (incident: OversellIncident) => void,
): void {
  if (!sink) return;
  const incident = sink.incident(event.data.incident_id);
  assert(incident !== null, "an incident that changes is recorded");
  apply(incident);
  incident.updated_at = timeOf(row);
  sink.putIncident(incident);
}

const by = (row: Row) => ({ by: row.actor, at: timeOf(row) });

export const INCIDENT_FOLDS = {
  "inventory.oversell_detected": detected,
  "inventory.oversell_acknowledged": (_state, event, row, sink) => {
    change(event, row, sink, (incident) => {
      incident.state = "acknowledged";
      incident.acknowledged = by(row);
    });
  },
  "inventory.oversell_action_taken": (_state, event, row, sink) => {
    const { action, booking_id } = event.data;
    change(
      event,
      row,
      sink,
      ({ actions }) => void actions.push({ ...by(row), action, booking_id }),
    );
  },
  "inventory.oversell_resolved": (state, event, row, sink) => {
    forgetIncident(state, event.data.incident_id);
    change(event, row, sink, (incident) => {
      incident.state = "resolved";
      incident.ended = { ...by(row), reason: event.data.reason };
    });
  },
  "inventory.oversell_accepted": (state, event, row, sink) => {
    forgetIncident(state, event.data.incident_id);
    change(event, row, sink, (incident) => {
      incident.state = "dismissed";
      incident.ended = { ...by(row), reason: "accept" };
      incident.note = event.secret ?? null;
    });
  },
} satisfies Partial<Folds>;
