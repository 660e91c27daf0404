/** Schemas of oversell incidents, for answers, bodies and events. */
import { Type } from "@sinclair/typebox";
import { CAUSES, ENDINGS, INCIDENT_ACTIONS } from "../../../engine/core/oversell-terms.ts";
import { vocabulary } from "./annotations.ts";
import { CivilDate, named } from "./answer-parts.ts";

export const IncidentAction = vocabulary(
  "IncidentAction",
  INCIDENT_ACTIONS,
  "`relocate` and `upgrade` move a booking to another room type at its price, `restore_capacity` " +
    "sets nights, `cancel_with_refund` cancels a booking and refunds everything, `accept` leaves " +
    "the nights oversold.",
);

export const IncidentCause = vocabulary("IncidentCause", CAUSES, "What opened an incident.");

export const IncidentEnding = vocabulary(
  "IncidentEnding",
  ENDINGS,
  "What ended an incident: an operator's action, or what freed the units.",
);

const Count = Type.Integer({ minimum: 0, description: "Units." });

const Night = named("ExcessNight", "A night with more units taken than there are.", {
  date: CivilDate,
  capacity: Type.Integer({ minimum: 0, description: "Units that may be taken." }),
  sold: Count,
  held: Count,
  excess: Type.Integer({ minimum: 1, description: "Units taken above `capacity`." }),
});

export const ExcessNights = Type.Array(Night, {
  maxItems: 31,
  description: "The first oversold nights.",
});
