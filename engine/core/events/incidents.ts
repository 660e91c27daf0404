/** Events of oversell incidents. */
import type { EncryptedFields } from "../parties.ts";
import type { Declarations } from "./declaration.ts";
import {
  EXCESS_NIGHTS,
  ID,
  INCIDENT_ACTION,
  INCIDENT_CAUSE,
  INCIDENT_ENDING,
  orNull,
  text,
} from "./members.ts";

const INCIDENT = { incident_id: ID };
const CHANGES = { subject: "incident", reads: ["incident"] } as const;

export const INCIDENT_EVENTS = {
  "inventory.oversell_detected": {
    meaning: "More units are taken on some nights of a room type than there are.",
    subject: "incident",
    state: "open",
    data: {
      ...{ ...INCIDENT, property_id: ID, room_type_id: ID, cause: INCIDENT_CAUSE },
      from: text("The first night."),
      until: text("The day after the last night."),
      nights: EXCESS_NIGHTS,
    },
  },
  "inventory.oversell_acknowledged": {
    ...CHANGES,
    meaning: "An operator works on an oversell incident.",
    state: "acknowledged",
    data: INCIDENT,
  },
  "inventory.oversell_action_taken": {
    ...CHANGES,
    meaning: "An operator acted on an oversell incident; it stays open while guests lack a room.",
    data: { ...INCIDENT, action: INCIDENT_ACTION, booking_id: orNull(ID) },
  },
  "inventory.oversell_resolved": {
    ...CHANGES,
    meaning: "No night of an oversell incident is oversold any more.",
    state: "resolved",
    data: { ...INCIDENT, reason: INCIDENT_ENDING },
  },
  "inventory.oversell_accepted": {
    ...CHANGES,
    meaning: "An operator accepted that these nights are oversold.",
    state: "dismissed",
    data: INCIDENT,
  },
} as const satisfies Declarations;

/** What only folds need, beside `data`. */
export interface IncidentSecrets {
  readonly "inventory.oversell_accepted": {
    /** The operator's note, and the command that its ciphertext is bound to. */
    readonly secret?: { readonly encrypted: EncryptedFields; readonly key: string };
  };
}
