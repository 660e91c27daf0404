/** Pages of a session that cannot be booked now: paying, booked, ended, unknown. */
import type { Booking } from "../../engine/core/records.ts";
import { returnAddress } from "../api/checkout/state.ts";
import { Amount } from "../page-parts/words.tsx";
import { type Offered, PriceView, StayView, TermsView } from "./terms.tsx";
import type { Visit } from "./visit.ts";

interface Known {
  readonly visit: Visit;
  readonly offered: Offered | null;
}

/** A payment has begun, here or through the API. */
export function PayingView({ visit: { root, path }, offered }: Known) {
  return (
    <>
      <h1>The payment is in progress</h1>
      <p>Do not pay again: the outcome will be shown here.</p>
      <p>
        <a class="button" href={root + path}>
          Look again
        </a>
      </p>
      {offered && <StayView offered={offered} />}
    </>
  );
}

/** The outcome, for as long as the session is kept. */
export function BookedView({ visit, offered, booking }: Known & { readonly booking: Booking }) {
  const { root, path, payment } = visit;
  const { confirmation_code, state } = booking;
  const isConfirmed = state === "confirmed";
  return (
    <>
      <h1>{isConfirmed ? "Your stay is booked" : "Your booking"}</h1>
      <p class="lead">
        Confirmation code <code>{confirmation_code}</code>
        {!isConfirmed && ` · ${state.replaceAll("_", " ")}`}
      </p>
      {payment?.state === "captured" && (
        <p>
          Paid: <Amount amount={payment.amount} currency={payment.currency} />
        </p>
      )}
      <p>
        The hotel finds your booking by this code and your name: write it down. With the code and
        your e-mail address you can <a href={`${root}/guest`}>see, change or cancel the booking</a>{" "}
        yourself.
      </p>
      {offered && (
        <>
          <StayView offered={offered} />
          <PriceView offered={offered} isBooked />
          <TermsView offered={offered} />
        </>
      )}
      <WayBack visit={visit} />
      <h2>Receipt</h2>
      <p>
        <a href={`${root}${path}/receipt`}>Signed receipt</a> (JSON). Anyone can check that it is
        genuine: send it to <code>POST /v1/receipts/verify</code>, without an account.
      </p>
    </>
  );
}

/** A link to who sent the person, where that is registered. Nothing leads there by itself. */
function WayBack({ visit: { call, session, state } }: Pick<Known, "visit">) {
  const address = returnAddress(call.context, session, state);
  if (address === null) return null;
  return (
    <p>
      <a class="button" href={address.href} rel="noreferrer">
        Back to <bdi>{address.host}</bdi>
      </a>
    </p>
  );
}

/** The same stay on the hotel's own page, for a guest who came from there; null for others. */
function hotelPageOf({ call, session, hold, root }: Visit): string | null {
  const entry = call.context.control.credentialById(session.credential_id);
  if (entry?.sells_directly !== true) return null;
  const { stay, guests } = hold.quote;
  const { tenant_id } = session;
  const { check_in, check_out } = stay;
  const query = { tenant_id, check_in, check_out, adults: String(guests.adults) };
  return `${root}/book/${hold.quote.property_id}?${new URLSearchParams(query)}`;
}

/** Nothing can be booked here any more. */
export function EndedView({ visit, offered }: Known) {
  const why =
    visit.state === "expired"
      ? "The room was kept for a limited time, which is over."
      : "The travel agent has taken this page back.";
  const hotelPage = hotelPageOf(visit);
  return (
    <>
      <h1>This page has ended</h1>
      <p>
        {why} Nothing was booked here.{" "}
        {hotelPage === null ? (
          "Ask the agent that sent you for another page."
        ) : (
          <a href={hotelPage}>See what is free at the hotel now</a>
        )}
      </p>
      <WayBack visit={visit} />
      {offered && <StayView offered={offered} />}
    </>
  );
}

/** Says nothing about whether the address ever was one. */
export function UnknownView() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        The address is incomplete, or the page is more than a day old. Ask the agent that sent you
        for another one.
      </p>
    </>
  );
}

/** The answer to a form that no page of this session sent. */
export function NotTakenView() {
  return (
    <>
      <h1>Nothing was changed</h1>
      <p>The form was not sent by this page. Open the page again and repeat it there.</p>
    </>
  );
}
