/** Query parameters of key figures: properties, period, as-of. */
import { Type } from "@sinclair/typebox";
import { HORIZON_DAYS } from "../../../engine/core/availability/horizon.ts";
import { dateOf, dayOf, todayIn } from "../../../engine/core/calendar.ts";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { FORMAT } from "../../http/render-table.ts";
import type { FieldError } from "../../http/validate.ts";
import { dateParameter } from "../ari/query.ts";
import { PROPERTY } from "../desk/parameters.ts";
import { headSeqOf } from "../events/reader.ts";
import { instantParameter, wordParameter } from "../parameters.ts";
import { propertiesOf, propertyOf } from "../visible.ts";
import { type AsOf, lastEventUpTo, rowOfEvent } from "./as-of.ts";

export const GRANULARITIES = ["day", "week", "month", "total"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const DAYS = 31;
const DAYS_MAX = 1_830;
const PICKUP_DAYS_MAX = 366;
const DAY_MS = 86_400_000;
const INSTANT = instantParameter("");

export const KPIS_QUERY = {
  property_id: PROPERTY,
  from: dateParameter("The first day; 30 days before `to` by default."),
  to: dateParameter("The last day, included; today by default."),
  granularity: wordParameter(GRANULARITIES, "Length of each period; `day` by default."),
  as_of: {
    schema: Type.String({ minLength: 1, maxLength: 40 }),
    description:
      "An event number (`seq`) or an RFC 3339 instant: figures as of then. Now unless given.",
    isValid: (value: string) => /^\d{1,15}$/.test(value) || INSTANT.isValid(value),
    fault: {
      message: "is neither an event number nor an instant",
      expected: "a whole number, or an RFC 3339 instant such as 2026-12-18T14:00:00Z",
    },
  },
  pickup_days: {
    schema: Type.Integer({ minimum: 1, maximum: PICKUP_DAYS_MAX }),
    description: "Also reports changes in this many days before `as_of`.",
    isValid: (value: string) => /^\d{1,3}$/.test(value) && isPickup(Number(value)),
    fault: { message: "is not a number of days", expected: `1 to ${PICKUP_DAYS_MAX}` },
  },
  format: FORMAT,
} as const satisfies Readonly<Record<string, QueryParameter>>;

function isPickup(days: number): boolean {
  return days >= 1 && days <= PICKUP_DAYS_MAX;
}

export interface Moment extends AsOf {
  readonly atMs: number;
}

export interface KpisAsked {
  readonly ok: true;
  readonly propertyIds: readonly string[];
  readonly firstDay: number;
  readonly lastDay: number;
  readonly granularity: Granularity;
  readonly asOf: Moment;
  /** Without `as_of`: now. */
  readonly isNow: boolean;
  readonly pickupSince: Moment | null;
}

/** The checked query, or the refusal. */
export async function kpisAsked(call: Call): Promise<KpisAsked | Refusal> {
  const { query } = call;
  const named = query.get("property_id");
  const property = named === undefined ? null : propertyOf(call, named);
  if (property && "code" in property) return property;
  const properties = property ? [property] : propertiesOf(call);
  const zone = properties[0]?.tree.timezone ?? "UTC";
  const days = daysOf(call, todayIn(zone, call.context.engineNow()));
  if ("code" in days) return days;
  const asOf = await momentOf(call, query.get("as_of"));
  if ("code" in asOf) return asOf;
  const pickupDays = query.get("pickup_days");
  const since = pickupDays && asOf.atMs - Number(pickupDays) * DAY_MS;
  return {
    ok: true,
    propertyIds: properties.map(({ tree }) => tree.id),
    ...days,
    granularity: (query.get("granularity") ?? "day") as Granularity,
    asOf,
    isNow: !query.has("as_of"),
    pickupSince: since ? await momentAt(call, since) : null,
  };
}

function daysOf({ query }: Call, today: number) {
  const to = query.get("to");
  const from = query.get("from");
  const lastDay =
    to !== undefined ? dayOf(to) : Math.max(today, from === undefined ? today : dayOf(from));
  const firstDay = from === undefined ? lastDay - DAYS + 1 : dayOf(from);
  const errors: FieldError[] = [];
  if (lastDay < firstDay) {
    errors.push({ path: "?to", message: "is before from", expected: "from or later" });
  } else if (lastDay - firstDay >= DAYS_MAX) {
    const expected = `${dateOf(firstDay + DAYS_MAX - 1)} or earlier`;
    errors.push({ path: "?to", message: "is too far after from", expected });
  }
  if (lastDay > today + HORIZON_DAYS + 1) {
    const expected = `${dateOf(today + HORIZON_DAYS + 1)} or earlier`;
    errors.push({ path: "?to", message: "is beyond the dates that can be sold", expected });
  }
  return errors.length > 0 ? invalid(errors) : { firstDay, lastDay };
}

async function momentOf(call: Call, asked: string | undefined): Promise<Moment | Refusal> {
  const { replica, engineNow } = call.context;
  if (asked === undefined) {
    const { row } = replica.head;
    return { row, seq: headSeqOf(replica, call.principal), atMs: engineNow() };
  }
  if (!/^\d+$/.test(asked)) return momentAt(call, Date.parse(asked));
  const last = headSeqOf(replica, call.principal);
  const seq = Number(asked);
  if (seq > last) {
    const expected = `0 to ${last}, the number of the last event`;
    return invalid([{ path: "?as_of", message: "is after the last event", expected }]);
  }
  if (seq === 0) return { row: 0, seq, atMs: 0 };
  const found = await rowOfEvent(replica, call.principal, seq);
  return { ...found, atMs: replica.row(found.row)!.stamp };
}

async function momentAt(call: Call, atMs: number): Promise<Moment> {
  const { replica, kpis } = call.context;
  const row = kpis.rowAt(atMs);
  return { ...(await lastEventUpTo(replica, call.principal, row)), atMs };
}
