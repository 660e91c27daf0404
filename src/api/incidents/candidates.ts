/**
 * Who is affected by an incident, and whom to move first: those who take the fewest of its nights,
 * then those who booked last. The order is the same for every reader.
 */
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
import { bookingIdsOf, bookingOf } from "../visible.ts";

/** More than a room type has on the nights of an incident. */
const BOOKINGS_MAX = 10_000;
const CANDIDATES_MAX = 10;

/** Bookings that take a unit on one of the oversold nights, by check-in. */
export function affectedBookings(
  call: Call,
  { property_id, room_type_id }: OversellIncident,
  nights: readonly ExcessNight[],
): Booking[] {
  const [first, last] = [nights[0]?.date, nights.at(-1)?.date];
  if (first === undefined || last === undefined) return [];
  const check_in = [dateOf(dayOf(first) - STAY_NIGHTS_MAX), last] as const;
  const check_out = [dateOf(dayOf(first) + 1), "9999-12-31"] as const;
  const ids = bookingIdsOf(call, { property_id, check_in, check_out }, BOOKINGS_MAX);
  const found = ids.flatMap((id) => {
    const booking = bookingOf(call, id);
    if ("code" in booking || booking.quote.room_type_id !== room_type_id) return [];
    return nightsTaken(booking, nights) > 0 ? [booking] : [];
  });
  const byArrival = ({ quote, booking_id }: Booking) => `${quote.stay.check_in} ${booking_id}`;
  return found.sort((a, b) => (byArrival(a) < byArrival(b) ? -1 : 1));
}

/** How many of the nights a booking counts on. */
function nightsTaken(booking: Booking, nights: readonly ExcessNight[]): number {
  const { from, end } = soldNights(booking);
  return nights.filter(({ date }) => from <= dayOf(date) && dayOf(date) < end).length;
}

/** The bookings to move, best first; guests who are in the house stay. */
export function candidatesOf(
  call: Call,
  property: PropertyEntry,
  affected: readonly Booking[],
  nights: readonly ExcessNight[],
) {
  const nowMs = call.context.engineNow();
  const today = dateOf(todayIn(property.tree.timezone, nowMs));
  const movable = affected.filter(({ state, quote }) => {
    return state === "confirmed" && quote.stay.check_in >= today;
  });
  const ranked = movable
    .map((booking) => ({ booking, taken: nightsTaken(booking, nights) }))
    .sort((a, b) => a.taken - b.taken || b.booking.created_at - a.booking.created_at);
  const fewest = ranked[0]?.taken;
  const latest = Math.max(...movable.map(({ created_at }) => created_at));
  return ranked.slice(0, CANDIDATES_MAX).map(({ booking, taken }, i) => {
    const alternative = alternativeTo(call, property, booking);
    const reasons = [
      ...(taken === fewest ? ["fewest_nights"] : []),
      ...(booking.created_at === latest ? ["latest_booked"] : []),
      ...(feeAt(booking.quote.fees, nowMs).fee === 0 ? ["free_cancellation"] : []),
      ...(alternative ? ["room_available"] : []),
    ];
    return {
      rank: i + 1,
      ...{ booking_id: booking.booking_id, stay: booking.quote.stay, oversold_nights: taken },
      ...{ booked_at: instantIso(booking.created_at), reasons, alternative },
    };
  });
}
export type Candidate = ReturnType<typeof candidatesOf>[number];

/** Another room type with the whole stay free, at the price nearest to the booking's. */
function alternativeTo({ context }: Call, property: PropertyEntry, { quote, agent_id }: Booking) {
  if (property.state !== "live") return null;
  const nowMs = context.engineNow();
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
