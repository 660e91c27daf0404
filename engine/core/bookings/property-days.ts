/** Days of a booking at its property. */
import { dayStart, todayIn } from "../calendar.ts";
import type { Context } from "../decision.ts";
import type { Booking } from "../records.ts";

/** The time zone in which the stay was sold: later changes of the property do not move it. */
export function zoneOf(booking: Booking, { state }: Pick<Context, "state">): string {
  const property = state.property(booking, booking.property_id)!;
  const sold = property.versions[booking.quote.supply_version - 1];
  return (sold ?? property.tree).timezone;
}

/** The number of today at the property. */
export function todayOf(booking: Booking, ctx: Pick<Context, "state" | "now">): number {
  return todayIn(zoneOf(booking, ctx), ctx.now);
}

/** The end of an instant's day at the property. Both are epoch milliseconds. */
export function dayEnd(booking: Booking, atMs: number, ctx: Pick<Context, "state">): number {
  const zone = zoneOf(booking, ctx);
  return dayStart(todayIn(zone, atMs) + 1, zone);
}
