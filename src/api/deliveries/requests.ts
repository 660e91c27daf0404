/** Bodies of the routes of deliveries. */
import { type Static, Type } from "@sinclair/typebox";
import { PUBLIC_KINDS } from "../../../engine/core/public-events.ts";
import { REASONS, type Reason } from "../../../jobs/webhooks/store/delivery.ts";
import { documented } from "../../http/schema/annotations.ts";
import {
  BodyKey,
  closed,
  distinct,
  idOf,
  integer,
  oneOf,
  text,
} from "../../http/schema/request-parts.ts";
import { nameOf } from "../../http/schema/text-formats.ts";
import { type Body, type FieldError, json, type Reading } from "../../http/validate.ts";
import { Instant } from "../parameters.ts";
import { dateProblems } from "../stays.ts";

const SPAN = { since: Instant, until: Type.Optional(Instant), idempotency_key: BodyKey };

export const DiscardBody = closed({
  reason: nameOf(200, "why it is no longer needed"),
  idempotency_key: BodyKey,
});
export type DiscardRequest = Static<typeof DiscardBody>;

const MissingSchema = closed(SPAN);
const RecoverSchema = closed({
  ...SPAN,
  kinds: Type.Optional(distinct(oneOf(PUBLIC_KINDS), 1, PUBLIC_KINDS.length)),
  property_id: Type.Optional(idOf("the id of a property")),
  subject: documented(
    Type.Optional(text(1, 300)),
    "Only events of this subject, such as `booking:bkg_…`.",
  ),
  reason: Type.Optional(oneOf(Object.keys(REASONS) as Reason[])),
  status: documented(
    Type.Optional(integer(100, 599)),
    "Only those whose last response had this HTTP status.",
  ),
  dry_run: documented(Type.Optional(Type.Boolean()), "True: only count them."),
});

/** A past time range, epoch milliseconds. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

export type MissingRequest = Span;
export type RecoverRequest = Omit<Static<typeof RecoverSchema>, keyof typeof SPAN> & Span;

type Spanned = Static<typeof MissingSchema>;

/** Errors beyond the schema: dates that do not exist, an end before its beginning. */
function spanProblems({ since, until }: Spanned, span: Span): FieldError[] {
  const faults = [
    ...dateProblems(since.slice(0, 10), "/since"),
    ...dateProblems(until?.slice(0, 10), "/until"),
  ];
  if (faults.length > 0 || span.since < span.until) return faults;
  const expected = "an instant before until, and before now";
  return [{ path: "/since", message: "is not before until", expected }];
}

/** A body with a time range; without an end it goes up to now. */
function spanned<T extends Spanned>(body: Body<T>): Body<Omit<T, keyof Spanned> & Span> {
  return {
    schema: body.schema,
    read(value, nowMs): Reading<Omit<T, keyof Spanned> & Span> {
      const reading = body.read(value, nowMs);
      if (!reading.ok) return reading;
      const { since, until, idempotency_key: _key, ...rest } = reading.value;
      const untilMs = until === undefined ? nowMs : Math.min(nowMs, Date.parse(until));
      const span = { since: Date.parse(since), until: untilMs };
      const errors = spanProblems(reading.value, span);
      return errors.length > 0 ? { ok: false, errors } : { ok: true, value: { ...rest, ...span } };
    },
  };
}

export const RecoverBody: Body<RecoverRequest> = spanned(json(RecoverSchema));
export const MissingBody: Body<MissingRequest> = spanned(json(MissingSchema));
