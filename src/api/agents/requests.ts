/** Bodies of `/v1/admin/agents`. */
import { type Static, Type } from "@sinclair/typebox";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import { documented } from "../../http/schema/annotations.ts";
import { AccessState, Mode, Money } from "../../http/schema/answer-parts.ts";
import {
  BodyKey,
  ClockTime,
  called,
  closed,
  describedAs,
  distinct,
  Email,
  integer,
  PropertyRef,
  shownAs,
  Total,
  text,
  vocabulary,
} from "../../http/schema/request-parts.ts";
import { KnownCurrency, nameOf } from "../../http/schema/text-formats.ts";
import type { FieldError } from "../../http/validate.ts";
import { Instant } from "../parameters.ts";
import { dateProblems } from "../stays.ts";

const RPM_MAX = 1_000_000;
const BURST_MAX = 100_000;
const OPEN_MAX = 1_000_000;
const PROPERTIES_MAX = 1000;
const OVERLAP_S_MAX = 604_800;

const Name = nameOf(200);
const SCOPES = [...DEFAULT_SCOPES, ...ADMIN_SCOPES] as const;

/** Null means without limit. */
function limit(low: number, high: number) {
  return Type.Optional(Type.Union([integer(low, high), Type.Null()]));
}

export const AgentKind = vocabulary(
  "AgentKind",
  ["agent", "operator", "service", "partner"],
  "`agent` books for travelers, `operator` administers.",
);
const Scope = vocabulary("Scope", SCOPES, "What a credential may do.");
export const Scopes = distinct(Scope, 0, SCOPES.length);
export const PropertyIds = Type.Union([distinct(PropertyRef, 0, PROPERTIES_MAX), Type.Null()]);
const Contact = Type.Union([text(1, 254), Type.Null()]);
const AmountLimit = Type.Optional(
  Type.Union([shownAs(closed({ amount: Total, currency: KnownCurrency }), Money), Type.Null()]),
);
const Limits = called(
  "AgentLimitsInput",
  closed({
    rpm: documented(limit(1, RPM_MAX), "Calls per minute."),
    burst: documented(limit(1, BURST_MAX), "Largest burst of calls."),
    max_open_holds: documented(limit(0, OPEN_MAX), "Maximum open holds."),
    max_open_quotes: documented(limit(0, OPEN_MAX), "Maximum open quotes."),
    max_booking_amount: AmountLimit,
    step_up_amount: AmountLimit,
  }),
);

/** A mail with key figures, for operators. */
const DailySummary = called(
  "DailySummaryInput",
  closed({
    email: Email,
    at: ClockTime,
    timezone: describedAs(text(1, 64), "an IANA time zone such as Europe/Madrid"),
  }),
);

const RETURN_ORIGINS_MAX = 10;
const RETURN_ORIGIN_MAX = 300;
const ReturnOrigins = distinct(text(8, RETURN_ORIGIN_MAX), 0, RETURN_ORIGINS_MAX);

const ExpiresAt = Type.Optional(Type.Union([Instant, Type.Null()]));

export const AgentBody = closed({
  name: Name,
  kind: AgentKind,
  mode: Type.Optional(Mode),
  scopes: Type.Optional(Scopes),
  property_ids: Type.Optional(PropertyIds),
  limits: Type.Optional(Limits),
  contact: Type.Optional(Contact),
  return_origins: Type.Optional(ReturnOrigins),
  sells_directly: Type.Optional(Type.Boolean()),
  expires_at: ExpiresAt,
  idempotency_key: BodyKey,
});
export type AgentRequest = Static<typeof AgentBody>;

export const AgentPatchBody = closed({
  name: Type.Optional(Name),
  state: Type.Optional(AccessState),
  scopes: Type.Optional(Scopes),
  property_ids: Type.Optional(PropertyIds),
  limits: Type.Optional(Limits),
  contact: Type.Optional(Contact),
  return_origins: Type.Optional(ReturnOrigins),
  sells_directly: Type.Optional(Type.Boolean()),
  daily_summary: Type.Optional(Type.Union([DailySummary, Type.Null()])),
  idempotency_key: BodyKey,
});
export type AgentPatchRequest = Static<typeof AgentPatchBody>;

export const CredentialBody = closed({ expires_at: ExpiresAt, idempotency_key: BodyKey });

export const RotateBody = closed({
  overlap_s: Type.Optional(integer(0, OVERLAP_S_MAX)),
  expires_at: ExpiresAt,
  idempotency_key: BodyKey,
});
export type RotateRequest = Static<typeof RotateBody>;
export type CredentialRequest = Static<typeof CredentialBody>;

/** Faults of a checked `expires_at`: a day that does not exist, or an instant not after `nowMs`. */
export function expiryProblems(
  { expires_at }: Pick<CredentialRequest, "expires_at">,
  nowMs: number,
): FieldError[] {
  if (expires_at === undefined || expires_at === null) return [];
  const path = "/expires_at";
  const dates = dateProblems(expires_at.slice(0, 10), path);
  if (dates.length > 0) return dates;
  if (Date.parse(expires_at) > nowMs) return [];
  return [{ path, message: "is not in the future", expected: "an instant after now" }];
}

/** A checked `expires_at` as epoch milliseconds; null for none. */
export function expiryMs({ expires_at }: Pick<CredentialRequest, "expires_at">): number | null {
  return expires_at === undefined || expires_at === null ? null : Date.parse(expires_at);
}
