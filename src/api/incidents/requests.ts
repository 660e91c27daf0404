/** Bodies of oversell incidents. */
import { type Static, Type } from "@sinclair/typebox";
import { AMOUNT_MAX } from "../../../engine/core/price/price-bounds.ts";
import { IncidentAction } from "../../http/schema/incident-parts.ts";
import {
  BodyKey,
  CivilDate,
  called,
  closed,
  describedAs,
  idOf,
  integer,
  PropertyRef,
  text,
} from "../../http/schema/request-parts.ts";
import { type Body, compile, type FieldError } from "../../http/validate.ts";
import { AriRanges, ariOf, ariProblems } from "../ari/requests.ts";
import { dateProblems } from "../stays.ts";

const ScanBody = called(
  "OversellScan",
  closed({
    property_id: describedAs(PropertyRef, "text of 1 to 120 characters: a property's id or slug"),
    room_type_id: idOf("the id or code of one of its room types"),
    date: CivilDate,
    idempotency_key: BodyKey,
  }),
);
export type ScanRequest = Static<typeof ScanBody>;

const checkScan = compile(ScanBody);

/** The night that may be oversold. */
export const scanBody: Body<ScanRequest> = {
  schema: ScanBody,
  read(body) {
    const { date } = (body ?? {}) as { readonly date?: unknown };
    const errors = [...checkScan(body), ...dateProblems(date, "/date")];
    return errors.length > 0 ? { ok: false, errors } : { ok: true, value: body as ScanRequest };
  },
};

const To = closed({
  room_type_id: idOf("the id or code of another room type of the property"),
  rate_plan_id: idOf("the id or code of one of its rate plans"),
});

const ResolveBody = called(
  "OversellResolution",
  closed({
    action: IncidentAction,
    booking_id: Type.Optional(idOf("the booking that is moved or cancelled")),
    to: Type.Optional(describedAs(To, "the room type and rate plan of a moved booking")),
    compensation: Type.Optional(
      describedAs(integer(1, AMOUNT_MAX), "minor units that a moved guest gets back as goodwill"),
    ),
    ari: Type.Optional(AriRanges),
    note: Type.Optional(
      describedAs(text(1, 500), "text of 1 to 500 characters, stored encrypted for the operators"),
    ),
    idempotency_key: BodyKey,
  }),
);
export type ResolveRequest = Static<typeof ResolveBody>;

type Member = "booking_id" | "to" | "compensation" | "ari" | "note";

/** The members of each action; those with `?` may be left out. */
const MEMBERS: Readonly<Record<ResolveRequest["action"], readonly (Member | `${Member}?`)[]>> = {
  relocate: ["booking_id", "to", "compensation?"],
  upgrade: ["booking_id", "to", "compensation?"],
  restore_capacity: ["ari"],
  cancel_with_refund: ["booking_id"],
  accept: ["note?"],
};
const ALL: readonly Member[] = ["booking_id", "to", "compensation", "ari", "note"];

const checkResolve = compile(ResolveBody);

/**
 * An action with its members, and no others. Rooms come back by inventory alone: whoever works on
 * incidents may set no prices and rules.
 */
export const resolveBody: Body<ResolveRequest> = {
  schema: ResolveBody,
  read(body) {
    const malformed = checkResolve(body);
    const sent = body as ResolveRequest;
    const errors = malformed.length > 0 ? malformed : memberProblems(sent);
    return errors.length > 0 ? { ok: false, errors } : { ok: true, value: sent };
  },
};

function memberProblems(sent: ResolveRequest): FieldError[] {
  const { action, ari } = sent;
  const own = MEMBERS[action];
  const errors = ALL.flatMap((name): FieldError[] => {
    const path = `/${name}`;
    const isSent = sent[name] !== undefined;
    if (own.includes(name) && !isSent) {
      return [{ path, message: "is missing", expected: `${name} with ${action}` }];
    }
    const isOwn = own.includes(name) || own.includes(`${name}?`);
    if (isOwn || !isSent) return [];
    return [{ path, message: "is not used", expected: `no ${name} with ${action}` }];
  });
  const others = Object.keys(ari ?? {}).filter((name) => name !== "inventory");
  const foreign = others.map((name) => {
    return { path: `/ari/${name}`, message: "is not used", expected: "inventory alone" };
  });
  const dates = ari ? ariProblems(ariOf(ari)) : [];
  return [...errors, ...foreign, ...dates.map((each) => ({ ...each, path: `/ari${each.path}` }))];
}
