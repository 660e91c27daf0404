/** Answers about booking authorizations. */
import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import {
  Actor,
  Currency,
  Decision,
  Id,
  Instant,
  listOf,
  Minor,
  Money,
  named,
  orNull,
  Party,
  Seq,
  Stay,
} from "../../http/schema/answer-parts.ts";
import {
  Approver,
  AuthorizationRule,
  RequiredWhen,
} from "../../http/schema/authorization-parts.ts";

export const STATES = ["pending", "approved", "consumed", "revoked", "expired"] as const;

const AuthorizationState = vocabulary(
  "AuthorizationState",
  STATES,
  "`pending` until an operator decides; `approved` until one booking uses it (`consumed`) or it " +
    "expires.",
);
const Use = named("AuthorizationUse", "The booking that used it.", {
  hold_id: Id,
  booking_id: Id,
  payment_id: orNull(Id),
  at: Instant,
});

const COMMON = {
  authorization_id: Id,
  state: AuthorizationState,
  agent_id: Type.String({ description: "The agent that may book." }),
  property_id: Id,
  room_type_id: Id,
  rate_plan_id: Type.String({ description: "Of the request; another plan may be booked." }),
  stay: Stay,
  guests: Party,
  policy: orNull(AuthorizationRule),
  threshold: orNull(Money),
  amount: orNull(Minor),
  max_amount: Type.Integer({ description: "Highest total of the booking, minor units." }),
  currency: Currency,
  requested_at: Instant,
  expires_at: Instant,
  approved: orNull(Decision),
  revoked: orNull(Decision),
  used: orNull(Use),
};

/** For the agent; nothing of the traveler, nor the operator's note. */
export const BookingAuthorization = named(
  "BookingAuthorization",
  "A person's consent to one booking that a limit or the tenant's policy does not allow by itself.",
  {
    ...COMMON,
    retry_after: orNull(
      Type.Integer({ description: "Seconds until the next read; null unless `pending`." }),
    ),
  },
);

/** For operators. */
export const DeskAuthorization = named(
  "DeskAuthorization",
  "A booking authorization as operators see it.",
  {
    ...COMMON,
    requested_by: Actor,
    is_for_one_traveler: Type.Boolean({
      description: "Whether only the traveler of the request may use it.",
    }),
    note: orNull(Type.String({ description: "The approving operator's note." })),
  },
);
export const DeskAuthorizations = listOf(DeskAuthorization);

/** An authorization after a decision. */
export const DecidedAuthorization = named(
  "DecidedAuthorization",
  "A booking authorization after an operator's decision.",
  {
    authorization_id: Id,
    state: AuthorizationState,
    max_amount: Minor,
    currency: Currency,
    expires_at: Instant,
    seq: Seq,
  },
);

const POLICY = {
  required_when: RequiredWhen,
  over: orNull(Money),
  approver: Approver,
  ttl_s: Type.Integer({ description: "Seconds until a request and its approval expire." }),
  tolerance_bps: Type.Integer({
    description: "How much dearer than requested a booking may be, hundredths of a percent.",
  }),
};

export const Policy = named(
  "AuthorizationPolicy",
  "Which bookings of the tenant need an authorization; agents' own limits apply beside it.",
  POLICY,
);

export const ChangedPolicy = named("ChangedAuthorizationPolicy", "The new policy.", {
  ...POLICY,
  seq: Seq,
});
