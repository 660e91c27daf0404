/** What a change of supply leaves oversold, and who must be looked for then. */
import { Type } from "@sinclair/typebox";
import type { OversoldUnits } from "../../engine/core/outcomes.ts";
import { action, type NextAction } from "../actions/next-action.ts";
import { CivilDate, named, Uuid } from "../http/schema/answer-parts.ts";

const Count = Type.Integer({ minimum: 0 });

export const OversoldNight = named("OversoldNight", "A night that has more taken than there is.", {
  room_type_id: Uuid,
  date: CivilDate,
  sold: Count,
  held: Count,
  effective: Type.Integer({ description: "capacity − out_of_order + overbooking_limit." }),
});

/** How many nights; of them a hundred are enough to begin with. */
export const OVERSOLD_NIGHTS = Type.Optional(
  Type.Integer({ minimum: 1, description: "How many nights are oversold in all." }),
);

/** Days whose guests are offered at once; `oversold` has the others. */
const DAYS_OFFERED = 5;

/** Whoever is in the house on those days, of whom somebody must move. */
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
