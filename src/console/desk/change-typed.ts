/** A change of a booking's stay as a person fills in its form. */
import type { Static } from "@sinclair/typebox";
import type { BookingDetail } from "../../api/bookings/responses.ts";
import type { Form } from "../frame/form.ts";

export type Booking = Static<typeof BookingDetail>;

/** What differs from the booking: members of the API's body. */
export interface Change {
  readonly stay?: Booking["stay"];
  readonly guests?: Booking["guests"];
  readonly room_type_id?: string;
  readonly rate_plan_id?: string;
}

const AGE = /^\d{1,2}$/;

/** Room type and rate plan as one value of a form. */
export function offerOf({ room_type_id, rate_plan_id }: Booking): string {
  return `${room_type_id} ${rate_plan_id}`;
}

/** Ages as they are written in the form. */
export function agesOf({ guests: { children = [] } }: Booking): string {
  return children.map(({ age }) => age).join(", ");
}

/** The change that the form asks for, or what is wrong with it. Dates and bounds the API checks. */
export function changeTyped(sent: Form, booking: Booking): Change | string {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const ages = text("children")
    .split(/[\s,]+/)
    .filter((age) => age !== "");
  if (!ages.every((age) => AGE.test(age))) return "The ages must be whole years, such as 4, 7.";
  if (!AGE.test(text("adults"))) return "The number of adults must be a number.";
  const stay = { check_in: text("check_in"), check_out: text("check_out") };
  const children = ages.map((age) => ({ age: Number(age) }));
  const guests = { adults: Number(text("adults")), children };
  const [room_type_id = "", rate_plan_id = ""] = text("offer").split(" ");
  const former = { adults: booking.guests.adults, children: booking.guests.children ?? [] };
  const change = {
    ...(!Bun.deepEquals(stay, { ...booking.stay }) && { stay }),
    ...(!Bun.deepEquals(guests, former) && { guests }),
    ...(text("offer") !== offerOf(booking) && { room_type_id, rate_plan_id }),
  };
  return Object.keys(change).length > 0 ? change : "Nothing differs from the booking.";
}
