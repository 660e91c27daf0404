/**
 * The second step of a new booking: price and terms of the offer to the cent, and who the guest is.
 * The room is held and booked when the form is sent: nothing is held for a page that is left.
 */
import type { Static } from "@sinclair/typebox";
import type { Booking } from "../../api/bookings/responses.ts";
import type { Hold } from "../../api/holds/responses.ts";
import type { Quote } from "../../api/quotes/responses.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { form } from "../frame/console-route.ts";
import { type Form, jsonIn, keyHeader } from "../frame/form.ts";
import { hotelsOf, placeNames } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Amount, Crumbs, Fact, Problem, StayFacts } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { NEW_PATH, WAYS } from "./new-booking.tsx";

type Quoted = Static<typeof Quote>;

function refused(visit: Visit, error: ApiError): Shown {
  const back = { back: NEW_PATH, backName: "Back to the offers" };
  return notDone(visit, { place: "bookings", ...back }, "Nothing was booked", error);
}

const isByCard = (sent: Form) => sent.get("pays") === "card";

/** The offer with its exact price and terms, and the form of the guest. */
async function quote(visit: Visit, sent: Form): Promise<Shown> {
  const id = isByCard(sent) ? "quote" : "admin_quote_at_property";
  const made = await ask<Quoted>(visit, { id, body: jsonIn(sent, "quote") });
  return made.ok ? guestPage(visit, sent, made.data) : refused(visit, made.error);
}

/** `problem`: why the step after it was not done. */
async function guestPage(
  visit: Visit,
  sent: Form,
  quoted: Quoted,
  problem: ApiError | null = null,
): Promise<Shown> {
  const { hotel_id: property_id } = quoted;
  const names = placeNames(await hotelsOf(visit, [property_id]), { ...quoted, property_id });
  const main = (
    <>
      <Crumbs to={visit.root + NEW_PATH}>Back to the offers</Crumbs>
      <h1>New booking</h1>
      <p class="lead">
        <bdi>{names.hotel}</bdi> · <bdi>{names.room}</bdi>, <bdi>{names.plan}</bdi>
      </p>
      <QuoteFacts quoted={quoted} />
      {problem && <Problem error={problem} />}
      <GuestForm visit={visit} sent={sent} quoted={quoted} />
    </>
  );
  const status = problem ? { status: 409 } : {};
  return { title: "New booking", place: "bookings", main, ...status };
}

function QuoteFacts({ quoted }: { readonly quoted: Quoted }) {
  const { stay, guests, price_breakdown: price, policy_snapshot: terms } = quoted;
  const { total, due_now, due_at_property, currency } = price;
  return (
    <dl>
      <StayFacts stay={stay} guests={guests} />
      <Fact name="Total">
        <Amount amount={total} currency={currency} />
      </Fact>
      <Fact name="Due now">
        <Amount amount={due_now} currency={currency} />
      </Fact>
      <Fact name="Due at the property">
        <Amount amount={due_at_property} currency={currency} />
      </Fact>
      <Fact name="Cancellation">
        {due_now > 0 ? terms.description : "Nothing is prepaid, so a cancellation costs nothing."}
      </Fact>
    </dl>
  );
}

interface GuestFormOf {
  readonly visit: Visit;
  /** With what was typed before. */
  readonly sent: Form;
  readonly quoted: Quoted;
}

function GuestForm({ visit, sent, quoted }: GuestFormOf) {
  const was = (name: string) => sent.get(name) ?? "";
  return (
    <ActionForm visit={visit} to={NEW_PATH} class="card">
      <input type="hidden" name="quote_id" value={quoted.quote_id} />
      <input type="hidden" name="hold_id" value={was("hold_id")} />
      <input type="hidden" name="pays" value={was("pays")} />
      <label>
        Guest's full name
        <input
          name="full_name"
          required
          autofocus
          maxlength={200}
          autocomplete="off"
          value={was("full_name")}
        />
      </label>
      <label>
        E-mail
        <input type="email" name="email" required autocomplete="off" value={was("email")} />
      </label>
      <label>
        Telephone
        <input type="tel" name="phone" maxlength={32} autocomplete="off" value={was("phone")} />
      </label>
      <label>
        Asked for
        <textarea name="special_requests" maxlength={2000}>
          {was("special_requests")}
        </textarea>
      </label>
      {isByCard(sent) && (
        <label>
          Token of the payment provider, never a card number
          <input name="provider_token" required maxlength={512} autocomplete="off" />
        </label>
      )}
      <button type="submit">
        Book, paid {WAYS[isByCard(sent) ? "card" : "at_property"].toLowerCase()}
      </button>
      <p class="faint">The guest gets a mail with the booking.</p>
    </ActionForm>
  );
}

/** The hold of the form: that of an attempt before, or a new one. */
async function holdOf(visit: Visit, sent: Form): Promise<string | ApiError> {
  const known = sent.get("hold_id") ?? "";
  if (known !== "") return known;
  const body = { quote_id: sent.get("quote_id") ?? "" };
  const held = await ask<Static<typeof Hold>>(visit, {
    ...{ id: "hold", body, headers: keyHeader(sent, "-hold") },
  });
  return held.ok ? held.data.hold_id : held.error;
}

function bodyOf(sent: Form, hold_id: string) {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const [phone, special_requests] = [text("phone"), text("special_requests")];
  const token = isByCard(sent) ? { provider_token: text("provider_token") } : {};
  return {
    hold_id,
    quote_id: text("quote_id"),
    guest: {
      primary: { full_name: text("full_name"), email: text("email"), ...(phone && { phone }) },
    },
    payment: { method: isByCard(sent) ? "card" : "at_property", ...token },
    ...(special_requests && { special_requests }),
  };
}

/** What can be mended in the form of the guest, whose room is still held. */
const MENDABLE: readonly string[] = ["validation_failed", "payment_failed"];

async function book(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const hold_id = await holdOf(visit, sent);
  if (typeof hold_id !== "string") return refused(visit, hold_id);
  const made = await ask<Static<typeof Booking>>(visit, {
    ...{ id: "admin_book", body: bodyOf(sent, hold_id), headers: keyHeader(sent, "-book") },
  });
  if (made.ok) return { goTo: `/console/bookings/${made.data.booking_id}` };
  const { error } = made;
  const params = { id: sent.get("quote_id") ?? "" };
  const quoted = MENDABLE.includes(error.code)
    ? await ask<Quoted>(visit, { id: "get_quote", params })
    : null;
  if (!quoted?.ok) return refused(visit, error);
  return guestPage(visit, new Map([...sent, ["hold_id", hold_id]]), quoted.data, error);
}

export const newBookingGuestRoutes = [
  form(
    { id: "console_quote_booking", path: `${NEW_PATH}/quote`, summary: "Price a new booking" },
    quote,
  ),
  form({ id: "console_book", path: NEW_PATH, summary: "Make a booking" }, book),
];
