/**
 * Who is affected by an incident, and whom to move first: those who take the fewest of its nights,
 * then those who booked last. The order is the same for every reader.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { stayOffers } from "../../../engine/core/availability/offers.ts";
import { dateOf, dayOf, instantIso, todayIn } from "../../../engine/core/calendar.ts";
import { queryOf } from "../../../engine/core/holds/hold.ts";
import type { OversellIncident } from "../../../engine/core/oversell-incident.ts";
import type { ExcessNight } from "../../../engine/core/oversell-terms.ts";
import { feeAt } from "../../../engine/core/price/policy.ts";
import { STAY_NIGHTS_MAX } from "../../../engine/core/price/quote.ts";
import { type Booking, soldNights } from "../../../engine/core/records.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Call } from "../../http/call.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { bookingIdsOf, bookingOf } from "../visible.ts";

/** More than a property's arrivals of one day. */
const ARRIVALS_MAX = 10_000;
const CANDIDATES_MAX = 10;

/** A booking, and how many of the oversold nights it takes a unit on. */
export interface Affected {
  readonly booking: Booking;
  readonly taken: number;
}

/**
 * Bookings that take a unit on one of the oversold nights, by check-in. There can be thousands, so
 * other calls have their turn meanwhile.
 */
export async function affectedBookings(
  call: Call,
  { property_id, room_type_id }: OversellIncident,
  nights: readonly ExcessNight[],
): Promise<Affected[]> {
  const days = nights.map(({ date }) => dayOf(date));
  const found: Affected[] = [];
  for await (const id of nextTurnEach(await bookedOn(call, property_id, days))) {
    const booking = bookingOf(call, id);
    if ("code" in booking || booking.quote.room_type_id !== room_type_id) continue;
    const { from, end } = soldNights(booking);
    const taken = days.filter((day) => from <= day && day < end).length;
    if (taken > 0) found.push({ booking, taken });
  }
  const byArrival = ({ booking: { quote, booking_id } }: Affected) =>
    `${quote.stay.check_in} ${booking_id}`;
  return found.sort((a, b) => (byArrival(a) < byArrival(b) ? -1 : 1));
}

/** Ids of a property's bookings that may last to one of the days, which are in order. */
async function bookedOn(call: Call, property_id: string, days: readonly number[]) {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const check_out = [dateOf(first + 1), "9999-12-31"] as const;
  const arrivals = Array.from({ length: last - first + STAY_NIGHTS_MAX }, (_, i) => last - i);
  const ids: string[] = [];
  for await (const day of nextTurnEach(arrivals)) {
    const check_in = [dateOf(day), dateOf(day)] as const;
    ids.push(...bookingIdsOf(call, { property_id, check_in, check_out }, ARRIVALS_MAX));
  }
  return ids;
}

/** The bookings to move, best first; guests who are in the house stay. */
export async function candidatesOf(
  call: Call,
  property: PropertyEntry,
  affected: readonly Affected[],
) {
  const nowMs = call.context.timeIn(call.principal);
  const today = dateOf(todayIn(property.tree.timezone, nowMs));
  const ranked = affected
    .filter(({ booking }) => booking.state === "confirmed" && booking.quote.stay.check_in >= today)
    .sort((a, b) => a.taken - b.taken || b.booking.created_at - a.booking.created_at);
  const fewest = ranked[0]?.taken;
  const latest = ranked.reduce((max, { booking }) => Math.max(max, booking.created_at), 0);
  const candidates = [];
  for (const { booking, taken } of ranked.slice(0, CANDIDATES_MAX)) {
    await nextTurn();
    const alternative = alternativeTo(call, property, booking);
    const reasons = [
      ...(taken === fewest ? ["fewest_nights"] : []),
      ...(booking.created_at === latest ? ["latest_booked"] : []),
      ...(feeAt(booking.quote.fees, nowMs).fee === 0 ? ["free_cancellation"] : []),
      ...(alternative ? ["room_available"] : []),
    ];
    candidates.push({
      rank: candidates.length + 1,
      ...{ booking_id: booking.booking_id, stay: booking.quote.stay, oversold_nights: taken },
      ...{ booked_at: instantIso(booking.created_at), reasons, alternative },
    });
  }
  return candidates;
}
export type Candidate = Awaited<ReturnType<typeof candidatesOf>>[number];

/** Another room type with the whole stay free, at the price nearest to the booking's. */
function alternativeTo(
  { context, principal }: Call,
  property: PropertyEntry,
  { quote, agent_id }: Booking,
) {
  if (property.state !== "live") return null;
  const nowMs = context.timeIn(principal);
  const fx = context.replica.state.tenant(property.tenant_id).fx;
  const query = queryOf(quote, agent_id, property, nowMs);
  const fitting = stayOffers(property, query, { nowMs, fx })
    .filter(({ offer, sellable }) => {
      const isOther = offer.roomType.id !== quote.room_type_id;
      return isOther && sellable > 0 && offer.plan.currency === quote.currency;
    })
    .map(({ offer, totals, sellable }) => ({
      ...{ room_type_id: offer.roomType.id, rate_plan_id: offer.plan.id, sellable },
      ...{ difference: totals.total - quote.total, currency: quote.currency },
    }));
  return fitting.sort((a, b) => Math.abs(a.difference) - Math.abs(b.difference))[0] ?? null;
}
