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
import { asOfParameter, type Moment, momentAt, momentOf } from "../as-of.ts";
import { PROPERTY } from "../desk/parameters.ts";
import { wordParameter } from "../parameters.ts";
import { askedProperty, propertiesOf } from "../visible.ts";

export const GRANULARITIES = ["day", "week", "month", "total"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const DAYS = 31;
const DAYS_MAX = 1_830;
const PICKUP_DAYS_MAX = 366;
const DAY_MS = 86_400_000;

export const KPIS_QUERY = {
  property_id: PROPERTY,
  from: dateParameter("The first day; 30 days before `to` by default."),
  to: dateParameter("The last day, included; today by default."),
  granularity: wordParameter(GRANULARITIES, "Length of each period; `day` by default."),
  as_of: asOfParameter("figures"),
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
  const property = askedProperty(call);
  if (property && "code" in property) return property;
  const properties = property ? [property] : propertiesOf(call);
  const zone = properties[0]?.tree.timezone ?? "UTC";
  const days = daysOf(call, todayIn(zone, call.context.timeIn(call.principal)));
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
