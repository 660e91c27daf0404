/** Bookings as the desk's lists show them. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Booking } from "../../../engine/core/records.ts";
import { coversScope } from "../../access/control/principal.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { personalData } from "../bookings/personal-fields.ts";

/** Scope for personal data in results and for searches by guest. */
export const READS_GUESTS = "bookings:read";

/** An item of a list; without `READS_GUESTS` the personal fields are null. */
export function deskBooking({ context, principal }: Call, booking: Booking) {
  const { booking_id, confirmation_code, state, property_id, agent_id, quote } = booking;
  const { room_type_id, rate_plan_id, stay, guests, currency } = quote;
  const isShown = coversScope(principal.scopes, READS_GUESTS);
  const { personal, ...unreadable } = isShown ? guestOf(context, booking) : { personal: null };
  return {
    ...{ booking_id, confirmation_code, state, property_id, agent_id },
    ...{ room_type_id, rate_plan_id, stay, guests },
    guest: personal?.guest ? JSON.parse(personal.guest) : null,
    special_requests: personal?.special_requests ?? null,
    ...unreadable,
    total: { amount: quote.total, currency },
    paid: { amount: quote.due_now, currency },
    due_at_property: { amount: quote.due_at_property, currency },
    created_at: instantIso(booking.created_at),
    version: booking.version,
    ...namesOf(context, booking),
  };
}

/** Names as they are today; null for what the property has no more. */
function namesOf({ replica }: Context, { tenant_id, mode, property_id, quote }: Booking) {
  const tree = replica.state.property({ tenant_id, mode }, property_id)?.tree;
  const room = tree?.room_types.find(({ id }) => id === quote.room_type_id);
  const plan = room?.rate_plans.find(({ id }) => id === quote.rate_plan_id);
  return {
    property_name: tree?.name ?? null,
    room_type_name: room?.name ?? null,
    rate_plan_name: plan?.name ?? null,
  };
}

/** A damaged data key must not hide other bookings of the day. */
function guestOf(context: Context, booking: Booking) {
  try {
    return { personal: personalData(context, booking, ["guest", "special_requests"]) };
  } catch (error) {
    if (!(error instanceof RecordDamaged)) throw error;
    context.damage.report(error);
    return { personal: null, guest_damaged: true };
  }
}
