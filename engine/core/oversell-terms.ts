/** Words of oversell incidents, for events and outcomes; `oversell-incident.ts` has the record. */
import type { Realm } from "./supply.ts";

/** What opened an incident. */
export const CAUSES = ["availability_update", "property_change", "scan"] as const;
export type Cause = (typeof CAUSES)[number];

/** What operators do about one. */
export const INCIDENT_ACTIONS = [
  ...(["relocate", "upgrade", "restore_capacity", "cancel_with_refund", "accept"] as const),
] as const;
export type IncidentAction = (typeof INCIDENT_ACTIONS)[number];

/** What ended one without an operator's action on it. */
const CHANGES = [
  ...(["capacity", "cancellation", "no_show", "departure", "modification"] as const),
  ...(["hold_ended", "passed"] as const),
] as const;
export const ENDINGS = [...INCIDENT_ACTIONS, ...CHANGES] as const;
export type Ending = (typeof ENDINGS)[number];

export const INCIDENT_STATES = ["open", "acknowledged", "resolved", "dismissed"] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** A night with more units taken than `capacity`, by `excess`. */
export interface ExcessNight {
  readonly date: string;
  /** Units that may be taken: capacity − out of order + overbooking limit, at least 0. */
  readonly capacity: number;
  readonly sold: number;
  readonly held: number;
  readonly excess: number;
}

/** What memory has of an incident that is open or acknowledged. */
export interface OpenIncident extends Realm {
  readonly incident_id: string;
  readonly property_id: string;
  readonly room_type_id: string;
  /** Day numbers; the second is the day after the last night. */
  readonly firstDay: number;
  readonly endDay: number;
}

/** Most nights that an event or an answer lists. */
export const LISTED_NIGHTS_MAX = 31;
