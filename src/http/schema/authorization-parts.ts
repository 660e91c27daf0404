/** Closed sets of words about authorizations, and what events and audits tell of one. */
import { Type } from "@sinclair/typebox";
import { APPROVERS, REQUIRED_WHEN, RULES } from "../../../engine/core/authorization-terms.ts";
import { vocabulary } from "./annotations.ts";
import { Id, Instant, named } from "./answer-parts.ts";

export const AuthorizationRule = vocabulary(
  "AuthorizationRule",
  RULES,
  "The rule that requires it: of the agent's limits, or of the tenant's policy.",
);

export const RequiredWhen = vocabulary(
  "AuthorizationRequiredWhen",
  REQUIRED_WHEN,
  "Which bookings need an authorization: none, those above `over`, all, or those whose " +
    "cancellation right after the booking would refund nothing.",
);

export const Approver = vocabulary(
  "AuthorizationApprover",
  APPROVERS,
  "Who approves; travelers cannot in this version.",
);

export const BookingApproval = named("BookingApproval", "The authorization that a booking used.", {
  authorization_id: Id,
  approved_by: Type.String({ description: "The operator that approved it." }),
  approved_at: Instant,
});
