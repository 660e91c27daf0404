/**
 * What ends an incident. Moving a guest and sending one away are asked first, on a page that shows
 * what it costs; the rest has its form at the incident.
 */
import type { Static } from "@sinclair/typebox";
import type { BookingDetail } from "../../api/bookings/responses.ts";
import type { BookingRefunds } from "../../api/desk/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { formOf, minorTyped } from "../frame/amounts.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { form, page, textQuery } from "../frame/console-route.ts";
import { type Form, jsonIn, keyHeader } from "../frame/form.ts";
import { type Hotel, hotelsOf, otherRoomsFor } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Amount, Crumbs, Fault, guestName, Signed, Stay } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { INCIDENTS_PAGE, type DetailedIncident as Incident } from "./incidents.tsx";

type AtId = Visit<"id">;
type Booking = Static<typeof BookingDetail>;
type Money = Static<typeof BookingRefunds>["money"];

function incidentPath({ call }: AtId): string {
  return `${INCIDENTS_PAGE}/${call.params.id}`;
}

function refused(visit: AtId, heading: string, error: ApiError): Shown {
  const back = { back: incidentPath(visit), backName: "Back to the incident" };
  return notDone(visit, { place: "incidents", ...back }, heading, error);
}

/** Does it, and returns to the incident. */
async function resolve(
  visit: AtId,
  sent: Form,
  heading: string,
  body: object,
): Promise<Shown | Gone> {
  const { params } = visit.call;
  const id = "admin_resolve_oversell_incident";
  const answer = await ask(visit, { id, params, body, headers: keyHeader(sent) });
  return answer.ok ? { goTo: incidentPath(visit) } : refused(visit, heading, answer.error);
}

interface Affected {
  readonly incident: Incident;
  readonly booking: Booking;
  /** Null when nothing was paid. */
  readonly money: Money;
}

/** The incident and the booking that a form is about, or why they cannot be read. */
async function affectedBy(visit: AtId, bookingId: string): Promise<Affected | ApiError> {
  const { params } = visit.call;
  const ofBooking = { id: bookingId };
  const incident = await ask<Incident>(visit, { id: "admin_get_oversell_incident", params });
  if (!incident.ok) return incident.error;
  const booking = await ask<Booking>(visit, { id: "get_booking", params: ofBooking });
  if (!booking.ok) return booking.error;
  const refunds = await ask<Static<typeof BookingRefunds>>(visit, {
    id: "admin_list_booking_refunds",
    params: ofBooking,
  });
  if (!refunds.ok) return refunds.error;
  return { incident: incident.data, booking: booking.data, money: refunds.data.money };
}

/** A page that asks first; `fault` is what was wrong with the form that was sent. */
function question(
  visit: AtId,
  { booking }: Affected,
  heading: string,
  fault: string | undefined,
  main: Shown["main"],
): Shown {
  const shown = (
    <>
      <Crumbs to={visit.root + incidentPath(visit)}>Back to the incident</Crumbs>
      <h1>
        {heading} <code>{booking.confirmation_code}</code>?
      </h1>
      <p class="lead">
        <bdi>{guestName(booking)}</bdi> · <Stay stay={booking.stay} />
      </p>
      {fault !== undefined && <Fault>{fault}</Fault>}
      {main}
    </>
  );
  return { title: heading, place: "incidents", main: shown, ...(fault && { status: 409 }) };
}

async function askMove(visit: AtId, bookingId: string, fault?: string): Promise<Shown> {
  const affected = await affectedBy(visit, bookingId);
  if ("code" in affected) return refused(visit, "Move a guest", affected);
  const { incident, booking, money } = affected;
  const hotels = await hotelsOf(visit, [incident.property_id]);
  const hotel = hotels.get(incident.property_id);
  const rooms = otherRoomsFor(booking, hotel?.room_types ?? []);
  if (rooms.length === 0) {
    const main = <p>No other room type of the hotel has beds for all of the party.</p>;
    return question(visit, affected, "Move the guest of", fault, main);
  }
  const found = incident.candidates.find(({ booking_id }) => booking_id === bookingId);
  const alternative = found?.alternative ?? null;
  const form = (
    <ActionForm visit={visit} to={`${incidentPath(visit)}/move`} class="card">
      <p>
        The booking keeps its dates and its price; the guest gets a mail with the other room. A
        difference in price is waived
        {alternative ? (
          <>
            ; for the room that is chosen first it is{" "}
            <Signed amount={alternative.difference} currency={alternative.currency} />.
          </>
        ) : (
          "."
        )}
      </p>
      <input type="hidden" name="booking_id" value={booking.booking_id} />
      <label>
        To
        <select name="to" required>
          <Offers rooms={rooms} chosen={alternative} />
        </select>
      </label>
      <label>
        Recorded as
        <select name="action">
          <option value="relocate">a move to a room like it</option>
          <option value="upgrade">an upgrade to a better room</option>
        </select>
      </label>
      {money && money.remaining > 0 && (
        <label>
          Goodwill for the guest, in {money.currency} (optional; at most what remains of the
          payment)
          <input name="compensation" inputmode="decimal" autocomplete="off" />
        </label>
      )}
      <button type="submit">Move the guest</button>
    </ActionForm>
  );
  return question(visit, affected, "Move the guest of", fault, form);
}

interface OffersOf {
  readonly rooms: Hotel["room_types"];
  readonly chosen: { readonly room_type_id: string; readonly rate_plan_id: string } | null;
}

/** Rooms and their rate plans; whether one is free is the API's answer. */
function Offers({ rooms, chosen }: OffersOf) {
  return (
    <>
      {rooms.map((room) => (
        <optgroup label={room.name}>
          {room.rate_plans.map((plan) => (
            <option
              value={`${room.id} ${plan.id}`}
              selected={room.id === chosen?.room_type_id && plan.id === chosen.rate_plan_id}
            >
              {room.name}, {plan.name}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

async function move(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const booking_id = sent.get("booking_id") ?? "";
  const [room_type_id = "", rate_plan_id = ""] = (sent.get("to") ?? "").split(" ");
  const action = sent.get("action") === "upgrade" ? "upgrade" : "relocate";
  const typed = (sent.get("compensation") ?? "").trim();
  const body = { action, booking_id, to: { room_type_id, rate_plan_id } };
  if (typed === "") return resolve(visit, sent, "The guest was not moved", body);
  const affected = await affectedBy(visit, booking_id);
  if ("code" in affected) return refused(visit, "The guest was not moved", affected);
  const currency = affected.money?.currency;
  const compensation = currency === undefined ? null : minorTyped(typed, currency);
  if (compensation === null || currency === undefined) {
    const form = currency === undefined ? "empty: nothing was paid" : formOf(currency);
    return askMove(visit, booking_id, `Nothing was changed: the goodwill must be ${form}.`);
  }
  return resolve(visit, sent, "The guest was not moved", { ...body, compensation });
}

/** What a cancellation refunds: everything that remains of the payment. */
const refundOf = ({ money }: Affected) => money?.remaining ?? 0;

function amountOf(affected: Affected) {
  return { amount: refundOf(affected), currency: affected.money?.currency ?? "" };
}

async function askCancel(visit: AtId, bookingId: string, fault?: string): Promise<Shown> {
  const affected = await affectedBy(visit, bookingId);
  if ("code" in affected) return refused(visit, "Cancel a booking", affected);
  const { booking, money } = affected;
  const form = (
    <ActionForm visit={visit} to={`${incidentPath(visit)}/cancel`} class="card">
      <p>
        {money ? (
          <>
            The guest gets <Amount amount={refundOf(affected)} currency={money.currency} /> back:
            everything that remains of the payment, without a fee.
          </>
        ) : (
          "Nothing was paid, so nothing is refunded."
        )}{" "}
        The guest has no room then, and gets a mail. This cannot be undone.
      </p>
      <input type="hidden" name="booking_id" value={booking.booking_id} />
      <input type="hidden" name="shown_refund" value={refundOf(affected)} />
      <button type="submit" class="danger">
        Cancel the booking and refund it
      </button>
    </ActionForm>
  );
  return question(visit, affected, "Cancel", fault, form);
}

/** The refund that was shown must be the one that is made. */
async function cancel(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const booking_id = sent.get("booking_id") ?? "";
  const affected = await affectedBy(visit, booking_id);
  const isRead = !("code" in affected);
  // A form that is sent twice finds the booking cancelled; its key gives the first answer.
  const isOpen = isRead && affected.booking.state === "confirmed";
  if (isOpen && String(refundOf(affected)) !== sent.get("shown_refund")) {
    const fault = "The refund has changed since the page was opened. Nothing was cancelled.";
    return askCancel(visit, booking_id, fault);
  }
  const unproved = proofPage(visit, sent, isRead ? amountOf(affected) : null);
  if (unproved) return unproved;
  const body = { action: "cancel_with_refund", booking_id };
  return resolve(visit, sent, "The booking was not cancelled", body);
}

/** Sets the nights that the page has shown. */
function restore(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const ari = jsonIn(sent, "ari");
  return resolve(visit, sent, "Nothing was set", { action: "restore_capacity", ari });
}

function accept(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const note = (sent.get("note") ?? "").trim();
  const body = { action: "accept", ...(note !== "" && { note }) };
  return resolve(visit, sent, "The nights were not accepted", body);
}

async function acknowledge(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const { params } = visit.call;
  const call = { id: "admin_acknowledge_oversell_incident", params, body: {} };
  const answer = await ask(visit, { ...call, headers: keyHeader(sent) });
  return answer.ok ? { goTo: incidentPath(visit) } : refused(visit, "Not recorded", answer.error);
}

const AT = { params: { id: pathId("Id of the incident.") } } as const;
const PATH = `${INCIDENTS_PAGE}/:id`;
const query = { booking_id: textQuery("The booking.") };
const askedBooking = ({ call }: AtId) => call.query.get("booking_id") ?? "";

export const incidentDeedRoutes = [
  page(
    { ...AT, query, id: "console_ask_move", path: `${PATH}/move`, summary: "Move a guest?" },
    (visit) => askMove(visit, askedBooking(visit)),
  ),
  form({ ...AT, id: "console_move", path: `${PATH}/move`, summary: "Move a guest" }, move),
  page(
    { ...AT, query, id: "console_ask_send_away", path: `${PATH}/cancel`, summary: "Cancel?" },
    (visit) => askCancel(visit, askedBooking(visit)),
  ),
  form(
    { ...AT, id: "console_send_away", path: `${PATH}/cancel`, summary: "Cancel with a refund" },
    cancel,
  ),
  form(
    { ...AT, id: "console_restore", path: `${PATH}/restore`, summary: "Restore rooms" },
    restore,
  ),
  form({ ...AT, id: "console_accept", path: `${PATH}/accept`, summary: "Accept nights" }, accept),
  form(
    { ...AT, id: "console_acknowledge", path: `${PATH}/acknowledge`, summary: "Work on it" },
    acknowledge,
  ),
];
