/** Bodies of booking authorizations and of the policy that requires them. */
import { type Static, Type } from "@sinclair/typebox";
import {
  AUTHORIZATION_TTL_S_MAX,
  type AuthorizationPolicy,
  DEFAULT_POLICY,
} from "../../../engine/core/authorization-terms.ts";
import { TOTAL_MAX } from "../../../engine/core/price/price-bounds.ts";
import { Money } from "../../http/schema/answer-parts.ts";
import { Approver, RequiredWhen } from "../../http/schema/authorization-parts.ts";
import {
  BodyKey,
  closed,
  describedAs,
  Guests,
  idOf,
  integer,
  optionalOrNull,
  PropertyRef,
  StaySchema,
  shownAs,
  Total,
  text,
} from "../../http/schema/request-parts.ts";
import { KnownCurrency } from "../../http/schema/text-formats.ts";
import { type Body, compile, type FieldError } from "../../http/validate.ts";

const TTL_S_MIN = 300;
const TOLERANCE_BPS_MAX = 10_000;

const Note = Type.Optional(
  describedAs(text(1, 500), "text of 1 to 500 characters, stored encrypted for the operators"),
);
const TtlS = Type.Optional(
  describedAs(
    integer(TTL_S_MIN, AUTHORIZATION_TTL_S_MAX),
    "seconds from 300 (five minutes) to 604800 (a week)",
  ),
);

/** The stay as in a quote; one booking of it, of at most `max_amount`, needs no other consent. */
export const GrantBody = closed({
  agent_id: idOf("the agent that may book"),
  hotel_id: describedAs(PropertyRef, "text of 1 to 120 characters: a property's id or slug"),
  room_type_id: idOf("the id or code of one of its room types"),
  rate_plan_id: idOf("the id or code of one of the room type's rate plans"),
  stay: StaySchema,
  guests: Guests,
  max_amount: describedAs(integer(1, TOTAL_MAX), "minor units, at least 1: the highest total"),
  currency: KnownCurrency,
  traveler: Type.Optional(
    describedAs(
      closed({
        iss: describedAs(text(1, 512), "the issuer of its delegation tokens"),
        sub: describedAs(text(1, 512), "the traveler's id there"),
      }),
      "the only traveler, by `iss` and `sub` of its delegation tokens; anyone by default",
    ),
  ),
  ttl_s: TtlS,
  note: Note,
  idempotency_key: BodyKey,
});
export type GrantRequest = Static<typeof GrantBody>;

export const ApproveBody = closed({
  max_amount: Type.Optional(
    describedAs(integer(1, TOTAL_MAX), "minor units, at least 1; what was asked for if left out"),
  ),
  note: Note,
  idempotency_key: BodyKey,
});
export type ApproveRequest = Static<typeof ApproveBody>;

const PolicyBody = closed({
  required_when: RequiredWhen,
  over: optionalOrNull(shownAs(closed({ amount: Total, currency: KnownCurrency }), Money)),
  approver: Type.Optional(
    describedAs(Approver, "operator; travelers cannot approve in this version"),
  ),
  ttl_s: TtlS,
  tolerance_bps: Type.Optional(
    describedAs(
      integer(0, TOLERANCE_BPS_MAX),
      "hundredths of a percent, from 0 to 10000, that a booking may be dearer than requested",
    ),
  ),
  idempotency_key: BodyKey,
});

const checkPolicy = compile(PolicyBody);

/** A complete policy: absent members have their defaults. */
export const policyBody: Body<AuthorizationPolicy> = {
  schema: PolicyBody,
  read(body) {
    const malformed = checkPolicy(body);
    const sent = body as Static<typeof PolicyBody>;
    const errors = malformed.length > 0 ? malformed : overProblems(sent);
    if (errors.length > 0) return { ok: false, errors };
    const { required_when, over = null, approver, ttl_s, tolerance_bps } = sent;
    const value = {
      required_when,
      over,
      approver: approver ?? DEFAULT_POLICY.approver,
      ttl_s: ttl_s ?? DEFAULT_POLICY.ttl_s,
      tolerance_bps: tolerance_bps ?? DEFAULT_POLICY.tolerance_bps,
    };
    return { ok: true, value };
  },
};

/** `over` belongs to `over_amount` alone. */
function overProblems({ required_when, over }: Static<typeof PolicyBody>): FieldError[] {
  const isNeeded = required_when === "over_amount";
  if (isNeeded === (over !== undefined && over !== null)) return [];
  return isNeeded
    ? [{ path: "/over", message: "is missing", expected: "{amount, currency} with over_amount" }]
    : [
        {
          path: "/over",
          message: "is not used",
          expected: "null unless required_when is over_amount",
        },
      ];
}
