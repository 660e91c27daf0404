/**
 * Oversell incidents: nights of a room type on which more units are taken than there are, until an
 * operator has moved guests, found rooms, or accepted it. Open ones are in memory as well, so that
 * whatever frees their units can end them in the same row.
 */
import type {
  Cause,
  Ending,
  ExcessNight,
  IncidentAction,
  IncidentState,
} from "./oversell-terms.ts";
import type { Actor, EncryptedFields } from "./parties.ts";
import type { Owned } from "./visibility.ts";

export interface OversellIncident extends Owned {
  readonly incident_id: string;
  readonly property_id: string;
  readonly room_type_id: string;
  /** The first night, and the day after the last. */
  readonly from: string;
  readonly until: string;
  readonly cause: Cause;
  /** The first nights as they were when it was opened; at most `LISTED_NIGHTS_MAX`. */
  readonly detected: readonly ExcessNight[];
  state: IncidentState;
  readonly opened_by: Actor;
  readonly created_at: number;
  updated_at: number;
  acknowledged: Decided | null;
  /** What operators did, oldest first. */
  actions: (Decided & { readonly action: IncidentAction; readonly booking_id: string | null })[];
  ended: (Decided & { readonly reason: Ending }) | null;
  /** Why it was accepted, under a data key of its own; `key` is the command that it is bound to. */
  note: { readonly encrypted: EncryptedFields; readonly key: string } | null;
}

interface Decided {
  readonly by: Actor;
  readonly at: number;
}
