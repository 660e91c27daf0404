/** Oversell incidents on the wire. */
import { Type } from "@sinclair/typebox";
import { INCIDENT_STATES } from "../../../engine/core/oversell-terms.ts";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import {
  Actor,
  CivilDate,
  Currency,
  Decision,
  Id,
  Instant,
  listOf,
  Minor,
  named,
  orNull,
  Seq,
  Stay,
  words,
} from "../../http/schema/answer-parts.ts";
import {
  ExcessNights,
  IncidentAction,
  IncidentCause,
  IncidentEnding,
} from "../../http/schema/incident-parts.ts";

const State = vocabulary(
  "IncidentState",
  INCIDENT_STATES,
  "`open` until an operator works on it (`acknowledged`); `resolved` when no night is oversold " +
    "any more, `dismissed` when an operator accepted it.",
);
const ActionTaken = named("IncidentActionTaken", "What an operator did about it.", {
  action: IncidentAction,
  booking_id: orNull(Id),
  by: Actor,
  at: Instant,
});
const Resolution = named("IncidentResolution", "How it ended.", {
  reason: IncidentEnding,
  by: Actor,
  at: Instant,
  note: orNull(Type.String({ description: "Why an operator accepted it." })),
});

const PLACE = {
  incident_id: Id,
  state: State,
  property_id: Id,
  room_type_id: Id,
  from: documented(CivilDate, "The first night."),
  until: documented(CivilDate, "The day after the last night."),
};
const NOW = {
  nights: documented(ExcessNights, "The first nights from today on that are oversold, as of now."),
  oversold_nights: Type.Integer({ minimum: 0, description: "Number of all of them." }),
};

const COMMON = {
  ...PLACE,
  cause: IncidentCause,
  opened_at: Instant,
  opened_by: Actor,
  ...NOW,
  acknowledged: orNull(Decision),
  actions: Type.Array(ActionTaken, { description: "What operators did, oldest first." }),
  resolution: orNull(Resolution),
};

/** In lists. */
const ListedIncident = named(
  "OversellIncident",
  "Consecutive nights of a room type on which more units are taken than there are.",
  COMMON,
);
export const Incidents = listOf(ListedIncident);

const Alternative = named("RelocationOffer", "Another room type that has the whole stay free.", {
  room_type_id: Id,
  rate_plan_id: Id,
  sellable: Type.Integer({ minimum: 1, description: "Units that are free on every night." }),
  difference: Type.Integer({
    description: "Its present price less the booking's, minor units; a move waives it.",
  }),
  currency: Currency,
});

const REASONS = [
  ...(["fewest_nights", "latest_booked", "free_cancellation", "room_available"] as const),
] as const;

const Candidate = named("RelocationCandidate", "A booking that could be moved, best first.", {
  rank: Type.Integer({ minimum: 1, description: "1 for the first to move." }),
  booking_id: Id,
  stay: Stay,
  oversold_nights: Type.Integer({ minimum: 1, description: "Oversold nights that it takes." }),
  booked_at: Instant,
  reasons: Type.Array(words(REASONS), {
    description:
      "`fewest_nights` and `latest_booked` of all candidates; `free_cancellation`: its terms " +
      "charge no fee now; `room_available`: another room type has the stay free.",
  }),
  alternative: orNull(Alternative),
});

export const IncidentDetail = named(
  "OversellIncidentDetail",
  "An oversell incident with the bookings on its nights.",
  {
    ...COMMON,
    detected: documented(ExcessNights, "The first nights as they were when it was opened."),
    affected_bookings: Type.Array(Id, {
      maxItems: 100,
      description: "Bookings on the oversold nights, by check-in.",
    }),
    affected_booking_count: Type.Integer({ minimum: 0, description: "Number of all of them." }),
    candidates: Type.Array(Candidate, {
      maxItems: 10,
      description: "Bookings that could be moved, best first.",
    }),
  },
);

export const DecidedIncident = named(
  "DecidedIncident",
  "An oversell incident after an operator's call.",
  {
    ...PLACE,
    ...NOW,
    action: Type.Optional(IncidentAction),
    booking_id: Type.Optional(Id),
    refund: Type.Optional(
      named("IncidentRefund", "The refund that was requested.", {
        refund_id: Id,
        amount: Minor,
        currency: Currency,
        state: words(["pending"]),
      }),
    ),
    seq: orNull(Seq),
  },
);
