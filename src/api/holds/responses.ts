/** Holds (domain §0; rules §6). */

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

export const Hold = named("Hold", "A room out of sale until `expires_at`.", {
  ...HOLD_FIELDS,
  other_live_holds: Type.Array(Id, {
    description: "Other live holds of the caller on the same quote, newest first.",
  }),
});

export const ExtendedHold = named("ExtendedHold", "A hold with its new `expires_at`.", {
  ...HOLD_FIELDS,
  extensions: Type.Integer({ minimum: 1, maximum: 2 }),
});

export const ReleasedHold = named("ReleasedHold", "A hold that was given back.", {
  hold_id: Id,
  state: words(["released"]),
  released_at: Instant,
});

const HoldState = vocabulary(
  "HoldState",
  ["held", "confirming", "consumed", "released", "expired"],
  "`confirming`: a payment is under way. `consumed`: it became a booking.",
);

export const OwnHolds = listOf(
  named("OwnHold", "An open hold of the caller.", {
    ...OFFERED,
    state: vocabulary(
      "OpenHoldState",
      ["held", "confirming"],
      "`confirming`: a payment is under way.",
    ),
    rate_plan_id: Id,
    guests: Party,
    total: Money,
    created_at: Instant,
    href: Type.String({ description: "Where the hold is read; `next_actions` release it." }),
  }),
);

export const HoldDetail = named("HoldDetail", "A hold in whatever state it is.", {
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
    named("HoldPayment", "The payment that is or was under way.", {
      payment_id: Id,
      state: PaymentState,
    }),
  ),
});
