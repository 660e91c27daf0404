/** The walk of `flow.ts` of a guest: by a link in a mail to the booking and its cancellation. */
import { dateIn } from "../support/client.ts";
import { bookedByGuest, fromSomewhere, linkOf } from "../support/guest.ts";
import { type ExampleHotel, stayAt } from "./hotel.ts";
import type { Recorder } from "./recorder.ts";

const BOOKING = "/v1/guest/booking";

/** A guest moves a stay, reads what it costs, and cancels. */
export async function visitAsGuest(on: Recorder, hotel: ExampleHotel): Promise<void> {
  const { service } = on;
  const booked = await bookedByGuest(service, stayAt(hotel, 0, 45));
  const { email, confirmation_code, stay } = booked;
  const open = (body: object) => ({ agent: null, body, headers: fromSomewhere() });
  const asked = open({ email, confirmation_code, language: "de" });
  (await on.call("POST", "/v1/guest/magic-links", asked)).ok(202);
  const { token } = await linkOf(service, booked);
  const started = await on.call("POST", "/v1/guest/sessions", open({ token }));
  const { session_secret } = started.ok<{ session_secret: string }>(201).data;
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${session_secret}`, ...fromSomewhere() };
    const options = { agent: null, headers, ...(body && { body }) };
    return (await on.call(method, path, options)).ok<{ refund: { amount: number } }>().data;
  };
  await call("GET", BOOKING);
  await call("GET", `${BOOKING}/receipts`);
  const nights = (Date.parse(stay.stay.check_out) - Date.parse(stay.stay.check_in)) / 86_400_000;
  const other = { stay: { check_in: dateIn(50), check_out: dateIn(50 + nights) } };
  await call("POST", `${BOOKING}/modification-quote`, other);
  await call("PATCH", BOOKING, { ...other, guest: { primary: { phone: "+34 600 000 000" } } });
  await call("POST", `${BOOKING}/resend-confirmation`);
  const { refund } = await call("GET", `${BOOKING}/cancellation-quote`);
  await call("POST", `${BOOKING}/cancel`, { expected_refund: refund.amount });
  await call("DELETE", "/v1/guest/session");
}
