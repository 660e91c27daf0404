/** Holds. */

import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import {
  Id,
  Instant,
  listOf,
  Money,
  named,
  orNull,
  Party,
  PaymentState,
  Seq,
  Stay,
  words,
} from "../../http/schema/answer-parts.ts";

const OFFERED = {
  hold_id: Id,
  quote_id: Id,
  expires_at: Instant,
  property_id: Id,
  room_type_id: Id,
  stay: Stay,
};

const HOLD_FIELDS = { ...OFFERED, state: words(["held"]), seq: Seq };

export const Hold = named("Hold", "A room reserved until `expires_at`.", {
  ...HOLD_FIELDS,
  other_live_holds: Type.Array(Id, {
    description: "Other live holds of the caller on the same quote, newest first.",
  }),
});

export const ExtendedHold = named("ExtendedHold", "A hold with its new `expires_at`.", {
  ...HOLD_FIELDS,
  extensions: Type.Integer({ minimum: 1, maximum: 2 }),
});

export const ReleasedHold = named("ReleasedHold", "A released hold.", {
  hold_id: Id,
  state: words(["released"]),
  released_at: Instant,
});

const HoldState = vocabulary(
  "HoldState",
  ["held", "confirming", "consumed", "released", "expired"],
  "`confirming`: its payment is in progress. `consumed`: it became a booking.",
);

export const OwnHolds = listOf(
  named("OwnHold", "An open hold of the caller.", {
    ...OFFERED,
    state: vocabulary(
      "OpenHoldState",
      ["held", "confirming"],
      "`confirming`: its payment is in progress.",
    ),
    rate_plan_id: Id,
    guests: Party,
    total: Money,
    created_at: Instant,
    href: Type.String({ description: "Path of the hold; `next_actions` release it." }),
  }),
);

export const HoldDetail = named("HoldDetail", "A hold in any state.", {
  hold_id: Id,
  quote_id: Id,
  state: HoldState,
  expires_at: Instant,
  property_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
  total: Money,
  extensions: Type.Integer({ minimum: 0, maximum: 2 }),
  created_at: Instant,
  ended_at: orNull(Instant),
  booking_id: orNull(Id),
  payment: orNull(
    named("HoldPayment", "The current or last payment.", {
      payment_id: Id,
      state: PaymentState,
    }),
  ),
});
