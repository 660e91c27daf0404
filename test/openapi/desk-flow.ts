/** The walk of `flow.ts` through a day at the desk of a small hotel where rooms are ready early. */
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { bookingBody, newKey, putOnSale } from "../support/client.ts";
import { exampleHotel, stayAt } from "./hotel.ts";
import type { Recorder } from "./recorder.ts";

interface Booked {
  readonly booking_id: string;
  readonly confirmation_code: string;
  readonly hold_id: string;
  readonly payment: { readonly payment_id: string };
}

/** Guests come, do not come and go; a stay is cancelled for free; money is refunded. */
export async function spendADay(on: Recorder): Promise<void> {
  const { service } = on;
  const { admin: agent } = service.demo;
  const hotel = { ...exampleHotel(), name: "Pension Alba", checkin_time: "00:00" };
  await putOnSale(service, hotel);
  const today = todayIn(hotel.timezone, Date.now());
  const stay = { check_in: dateOf(today), check_out: dateOf(today + 2) };
  const booked = async (token: string) => {
    const quoted = { body: { ...stayAt(hotel), stay } };
    const { quote_id } = (await service.api("POST", "/v1/quotes", quoted)).ok<Ids>(201).data;
    (await on.call("GET", `/v1/quotes/${quote_id}`)).ok();
    const held = { headers: { "idempotency-key": newKey() }, body: { quote_id } };
    const hold = (await service.api("POST", "/v1/holds", held)).ok<Ids>(201).data;
    const delegation = await service.mintDelegation();
    const headers = { "idempotency-key": newKey(), "x-delegated-user": delegation };
    const body = bookingBody(hold, token);
    return (await service.api("POST", "/v1/bookings", { headers, body })).ok<Booked>(201).data;
  };
  const [here, missed] = [await booked("tok_test_ok"), await booked("tok_test_ok")];
  const gone = await booked("tok_test_refund_fails");
  const get = (path: string) => on.call("GET", path, { agent });
  (await on.call("GET", `/v1/bookings?confirmation_code=${here.confirmation_code}`)).ok();
  (await get(`/v1/admin/bookings?arrivals=${stay.check_in}&property_id=${hotel.slug}`)).ok();
  (await get(`/v1/admin/desk/today?property_id=${hotel.slug}&limit=1`)).ok();
  const post = (booking: Booked, step: string, body?: object) =>
    on.call("POST", `/v1/admin/bookings/${booking.booking_id}/${step}`, {
      ...{ agent, headers: { "idempotency-key": newKey() } },
      ...(body && { body }),
    });
  await bookAtTheDesk(on, { ...stayAt(hotel), stay });
  (await post(missed, "notes", { text: "Arrives after midnight; the key is at the bar." })).ok(201);
  (await get(`/v1/admin/bookings/${missed.booking_id}/notes`)).ok();
  await moveAStay(on, missed, hotel);
  (await post(here, "check-in")).ok();
  (await post(here, "undo-check-in")).ok();
  (await post(here, "undo-check-in")).refused("conflict");
  (await post(here, "check-in")).ok();
  await leaveEarlier(on, here, hotel);
  (await post(missed, "no-show")).ok();
  const waived = { reason: "The heating broke down.", waive_fee: true };
  const cancelled = (await post(gone, "cancel", waived)).ok<{ refund: { refund_id: string } }>();
  (await post(here, "complete")).ok();
  (await post(missed, "check-in")).refused("conflict");
  (await get(`/v1/admin/holds?property_id=${hotel.id}`)).ok();
  (await get("/v1/admin/payments?older_than_s=60")).ok();
  (await get(`/v1/admin/payments/${here.payment.payment_id}`)).ok();
  (await get("/v1/admin/refunds?state=failed")).ok();
  (await get(`/v1/admin/refunds/${cancelled.data.refund.refund_id}`)).ok();
  await giveBack(on, { here, failed: cancelled.data.refund.refund_id });
  const nights = `from=${stay.check_in}&to=${dateOf(today + 1)}&granularity=total`;
  (await get(`/v1/admin/kpis?property_id=${hotel.slug}&${nights}&pickup_days=1`)).ok();
}

/** A guest without a booking asks for a room, pays at the hotel, is found by a part of the name. */
async function bookAtTheDesk(on: Recorder, stay: object) {
  const { admin: agent } = on.service.demo;
  const post = (path: string, body: object) =>
    on.call("POST", path, { agent, headers: { "idempotency-key": newKey() }, body });
  const quoted = await post("/v1/admin/bookings/quote", stay);
  const { quote_id } = quoted.ok<Ids>(201).data;
  const { hold_id } = (await post("/v1/holds", { quote_id })).ok<Ids>(201).data;
  const primary = { full_name: "Katherine Johnson", email: "katherine@example.com" };
  const body = { hold_id, quote_id, guest: { primary }, payment: { method: "at_property" } };
  (await post("/v1/admin/bookings", body)).ok(201);
  (await post("/v1/admin/bookings/search", { guest: "johnson" })).ok();
}

/** A guest comes a day later for the same price, and spells the name otherwise. */
async function moveAStay(
  on: Recorder,
  { booking_id }: Booked,
  hotel: ReturnType<typeof exampleHotel>,
) {
  const { admin: agent } = on.service.demo;
  const today = todayIn(hotel.timezone, Date.now());
  const path = `/v1/bookings/${booking_id}`;
  const change = (method: string, at: string, body: object) =>
    on.call(method, at, { agent, headers: { "idempotency-key": newKey() }, body });
  const longer = { stay: { check_in: dateOf(today), check_out: dateOf(today + 3) } };
  (
    await change("POST", `${path}/modification-quote`, { ...longer, difference: "at_property" })
  ).ok();
  (await change("PATCH", path, longer)).refused("booking_not_modifiable");
  const guest = { primary: { full_name: "Grace Brewster Hopper" } };
  (await change("PATCH", path, { ...longer, difference: "waive", guest })).ok();
}

/** A guest who has arrived wants other days, then leaves a day earlier. */
async function leaveEarlier(
  on: Recorder,
  { booking_id }: Booked,
  hotel: ReturnType<typeof exampleHotel>,
) {
  const { admin: agent } = on.service.demo;
  const today = todayIn(hotel.timezone, Date.now());
  const change = (fromDay: number) => {
    const stay = { check_in: dateOf(fromDay), check_out: dateOf(fromDay + 1) };
    const body = { stay, difference: "waive" };
    const headers = { "idempotency-key": newKey() };
    return on.call("PATCH", `/v1/bookings/${booking_id}`, { agent, headers, body });
  };
  (await change(today + 1)).refused("booking_not_modifiable");
  (await change(today)).ok();
}

/** A part of a stay's price, more than is left, and what becomes of a refund that failed. */
async function giveBack(on: Recorder, { here, failed }: { here: Booked; failed: string }) {
  const { admin: agent } = on.service.demo;
  const post = (path: string, body: object) =>
    on.call("POST", path, { agent, headers: { "idempotency-key": newKey() }, body });
  const refunds = `/v1/admin/bookings/${here.booking_id}/refunds`;
  const part = { amount: 2_500, reason: "service", note: "No hot water on the first evening." };
  (await post(refunds, part)).ok(201);
  (await post(refunds, { ...part, amount: 1_000_000 })).refused("refund_exceeds_remaining");
  (await post(refunds, { reason: "goodwill" })).ok(201);
  (await post(refunds, { reason: "goodwill" })).refused("payment_not_refundable");
  (await on.call("GET", refunds, { agent })).ok();
  const retried = await post(`/v1/admin/refunds/${failed}/retry`, {});
  const { refund_id } = retried.ok<{ refund_id: string }>(201).data;
  const settle = `/v1/admin/refunds/${refund_id}/settle-elsewhere`;
  (await post(settle, { method: "bank_transfer", note: "To the account on file." })).ok();
  (await post(`/v1/admin/bookings/${here.booking_id}/erase-guest`, {})).ok();
  (await post("/v1/admin/guests/erase", { email: "ada@example.com" })).ok();
}

interface Ids {
  readonly quote_id: string;
  readonly hold_id: string;
}
