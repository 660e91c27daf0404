/** Body of `PUT /v1/admin/properties/{id}/ari`: ranges of rates and availability. */
import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { dayOf } from "../../../engine/core/calendar.ts";
import { PATTERN_NIGHTS_MAX, perRule } from "../../../engine/core/rules.ts";
import type { CeilingRange, DateRange, NamedAri } from "../../../engine/core/supply.ts";
import {
  Amount,
  BodyKey,
  CivilDate,
  called,
  closed,
  describedAs,
  Id,
  idOf,
  integer,
  oneOf,
  optionalOrNull,
} from "../../http/schema/request-parts.ts";
import type { FieldError } from "../../http/validate.ts";
import { CAPACITY_MAX, OVERBOOKING_MAX } from "../properties/requests.ts";
import { Weekday } from "../properties/vocabularies.ts";
import { dateProblems } from "../stays.ts";

/** Longer than the sales horizon, short enough to walk day by day. */
const RANGE_DAYS_MAX = 1096;
/** More days than any stay is booked ahead. */
const DAYS_MAX = 999;

const RoomName = idOf("the id or code of a room type");
const PlanName = idOf("the id or code of a rate plan");
const ROOM_OF_RATE =
  "text of 1 to 64 characters: the room type of the plan, if several have its code";
const Units = optionalOrNull(integer(0, CAPACITY_MAX));
/** Partners send 0 or 999 for "no limit" in one direction or the other. */
const NightLimit = optionalOrNull(integer(0, 999));
const Switch = optionalOrNull(Type.Boolean());
const DayLimit = optionalOrNull(integer(0, DAYS_MAX));
const Pattern = optionalOrNull(
  Type.String({
    pattern: `^[YN]{1,${PATTERN_NIGHTS_MAX}}$`,
    description: `1 to ${PATTERN_NIGHTS_MAX} letters Y or N, one per number of nights`,
  }),
);
const Release = called(
  "CeilingRelease",
  Type.Unsafe<NonNullable<CeilingRange["release"]>>(
    closed({
      strategy: oneOf(["none", "fixed", "rolling"]),
      at: Type.Optional(CivilDate),
      days_before: Type.Optional(integer(0, DAYS_MAX)),
    }),
  ),
);

/** A list of date ranges, each with these properties too; `name` is that of the component. */
function ranges<T extends TProperties>(name: string, properties: T) {
  const range = closed({
    from: CivilDate,
    to: CivilDate,
    days_of_week: Type.Optional(Type.Array(Weekday, { minItems: 1, maxItems: 7 })),
    ...properties,
  });
  return Type.Optional(Type.Array(called(name, range)));
}

const RANGES = closed({
  inventory: ranges("AriUpdateInventory", {
    room_type_id: RoomName,
    capacity: Units,
    out_of_order: Units,
    overbooking_limit: optionalOrNull(integer(0, OVERBOOKING_MAX)),
  }),
  rates: ranges("AriUpdateRate", {
    rate_plan_id: PlanName,
    room_type_id: Type.Optional(describedAs(Id, ROOM_OF_RATE)),
    amount: optionalOrNull(Amount),
    extra_adult: optionalOrNull(Amount),
  }),
  restrictions: ranges("AriUpdateRestriction", {
    room_type_id: RoomName,
    rate_plan_id: optionalOrNull(PlanName),
    ...perRule({
      ...{ closed: Switch, min_nights: NightLimit, max_nights: NightLimit },
      ...{ min_days_ahead: DayLimit, max_days_ahead: DayLimit, pattern: Pattern },
    }),
  }),
  ceilings: ranges("AriUpdateCeiling", {
    room_type_id: RoomName,
    rate_plan_id: optionalOrNull(PlanName),
    agent_id: optionalOrNull(Id),
    ceiling: Type.Union([integer(0, CAPACITY_MAX), Type.Null()]),
    release: optionalOrNull(Release),
  }),
}).properties;

/** The ranges alone, as a part of another body. */
export const AriRanges = called("AriRanges", closed(RANGES));

export const AriBody = called(
  "AriUpdate",
  closed({
    ...RANGES,
    dry_run: Type.Optional(describedAs(Type.Boolean(), "true to change nothing: a preview")),
    if_unchanged_since: Type.Optional(
      describedAs(
        integer(0, Number.MAX_SAFE_INTEGER),
        "a whole number: the largest `changed.seq` of the nights read, or a later event's",
      ),
    ),
    idempotency_key: BodyKey,
  }),
);
export type AriRequest = Static<typeof AriBody>;

/** The four lists of a checked body. */
export function ariOf(body: AriRequest): NamedAri {
  const { idempotency_key: _key, dry_run: _dry, if_unchanged_since: _seen, ...ari } = body;
  return ari;
}

const LISTS = ["inventory", "rates", "restrictions", "ceilings", "units_left"] as const;

/**
 * Errors between the members of an update's ranges: calendar dates, in order, not too many, and
 * releases with what their strategy needs. What the schema reports is not repeated, so the two
 * lists can be joined.
 */
export function ariProblems(ari: NamedAri): FieldError[] {
  const dates = LISTS.flatMap((list) =>
    (ari[list] ?? []).flatMap((range: DateRange, i: number) =>
      rangeProblems(range, `/${list}/${i}`),
    ),
  );
  return [...dates, ...(ari.ceilings ?? []).flatMap(releaseProblems)];
}

/** The member that each strategy of a release needs. */
const RELEASE_MEMBERS: Readonly<Record<string, string | null>> = {
  none: null,
  fixed: "at",
  rolling: "days_before",
};

function releaseProblems({ ceiling, release }: CeilingRange, i: number): FieldError[] {
  if (typeof release !== "object" || release === null) return [];
  const { strategy, ...members }: Record<string, unknown> = release;
  const needed = RELEASE_MEMBERS[String(strategy)];
  if (needed === undefined) return [];
  const at = `/ceilings/${i}/release`;
  if (ceiling === null && needed !== null) {
    return [{ path: at, message: "has no ceiling", expected: "a ceiling that is not null" }];
  }
  const others = ["at", "days_before"].filter((name) => name !== needed && name in members);
  const errors = others.map((name) => {
    const expected = `no ${name} with the strategy ${strategy}`;
    return { path: `${at}/${name}`, message: "does not belong to the strategy", expected };
  });
  if (needed === null) return errors;
  if (!(needed in members)) {
    const message = "is missing";
    errors.push({ path: `${at}/${needed}`, message, expected: `${needed} of ${strategy}` });
  }
  return [...errors, ...(needed === "at" ? dateProblems(members.at, `${at}/at`) : [])];
}

function rangeProblems({ from, to }: Record<"from" | "to", unknown>, at: string): FieldError[] {
  const errors = [...dateProblems(from, `${at}/from`), ...dateProblems(to, `${at}/to`)];
  const [first, last] = [from, to].map((date) => {
    return typeof date === "string" ? dayOf(date) : Number.NaN;
  }) as [number, number];
  const days = last - first + 1;
  if (days < 1) {
    errors.push({ path: `${at}/to`, message: "is before from", expected: "from or later" });
  }
  if (days > RANGE_DAYS_MAX) {
    const expected = `at most ${RANGE_DAYS_MAX} days after from`;
    errors.push({ path: `${at}/to`, message: "is too far after from", expected });
  }
  return errors;
}
