/** Nights oversold by a supply change, and the search for affected guests. */
import { Type } from "@sinclair/typebox";
import type { OversoldUnits } from "../../engine/core/outcomes.ts";
import { action, type NextAction } from "../actions/next-action.ts";
import { CivilDate, named, Uuid } from "../http/schema/answer-parts.ts";

const Count = Type.Integer({ minimum: 0 });

export const OversoldNight = named("OversoldNight", "An oversold night.", {
  room_type_id: Uuid,
  date: CivilDate,
  sold: Count,
  held: Count,
  effective: Type.Integer({ description: "capacity − out_of_order + overbooking_limit." }),
});

/** Maximum number of listed nights. */
export const OVERSOLD_NIGHTS = Type.Optional(
  Type.Integer({ minimum: 1, description: "Total number of oversold nights." }),
);

/** Days with a ready search for guests; `oversold` has the others. */
const DAYS_OFFERED = 5;

/** Searches for guests in house on those days. */
export function inHouse(
  property_id: string,
  { oversold = [] }: { readonly oversold?: readonly OversoldUnits[] },
): NextAction[] {
  const dates = [...new Set(oversold.map(({ date }) => date))].slice(0, DAYS_OFFERED);
  return dates.map((date) => {
    const asked = `in_house=${date}&property_id=${property_id}&state=confirmed`;
    return action("get", "GET", `/v1/admin/bookings?${asked}`);
  });
}
