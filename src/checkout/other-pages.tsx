/** Pages of a session that cannot be booked now: paying, booked, ended, unknown. */
import type { Booking } from "../../engine/core/records.ts";
import { returnAddress } from "../api/checkout/state.ts";
import { Fault } from "../page-parts/parts.tsx";
import { ReceiptCheck, StayFacts } from "../page-parts/stay-view.tsx";
import { type Offered, PriceView, TermsView } from "./terms.tsx";
import type { Tongue } from "./tongue.ts";
import type { Visit } from "./visit.ts";

interface Known {
  readonly visit: Visit;
  readonly offered: Offered | null;
}

/** A link to the page as it is now. */
function LookAgain({ visit: { tongue, path } }: Pick<Known, "visit">) {
  return (
    <p>
      <a class="button" href={tongue.to(path)}>
        {tongue.words.lookAgain}
      </a>
    </p>
  );
}

/** A payment has begun, here or through the API. */
export function PayingView({ visit, offered }: Known) {
  const { tongue } = visit;
  const { words } = tongue;
  return (
    <>
      <h1>{words.payingTitle}</h1>
      <p>{words.paying}</p>
      <LookAgain visit={visit} />
      {offered && <StayFacts of={offered.stay} tongue={tongue} />}
    </>
  );
}

/** The heading of a booking. */
export function bookedTitle({ words }: Tongue, { state }: Pick<Booking, "state">): string {
  return state === "confirmed" ? words.bookedTitle : words.bookingTitle;
}

/** The outcome, for as long as the session is kept. */
export function BookedView({ visit, offered, booking }: Known & { readonly booking: Booking }) {
  const { tongue, path, payment, call } = visit;
  const { words, formats } = tongue;
  const { confirmation_code, state } = booking;
  return (
    <>
      <h1>{bookedTitle(tongue, booking)}</h1>
      <p class="lead">
        {words.code} <code>{confirmation_code}</code>
        {state !== "confirmed" && ` · ${words.states[state]}`}
      </p>
      {payment?.state === "captured" && (
        <p>
          {words.paid}:{" "}
          <span class="amount">{formats.money(payment.amount, payment.currency)}</span>
        </p>
      )}
      <p>{words.writeDown}</p>
      <p>
        <a href={tongue.to("/guest")}>{words.manage}</a>. {words.manageWith}
      </p>
      {offered && (
        <>
          <StayFacts of={offered.stay} tongue={tongue} />
          <PriceView offered={offered} tongue={tongue} isBooked />
          <TermsView offered={offered} visit={visit} />
        </>
      )}
      <WayBack visit={visit} />
      <h2>{words.receipts}</h2>
      <p>
        <a href={tongue.to(`${path}/receipt`)}>{words.receiptKinds.booking_confirmed}</a> (JSON)
      </p>
      <ReceiptCheck baseUrl={call.context.config.baseUrl} tongue={tongue} />
    </>
  );
}

/** A link to who sent the person, where that is registered. Nothing leads there by itself. */
function WayBack({ visit: { call, session, state, tongue } }: Pick<Known, "visit">) {
  const address = returnAddress(call.context, session, state);
  if (address === null) return null;
  return (
    <p>
      <a class="button" href={address.href} rel="noreferrer">
        {tongue.words.backTo} <bdi>{address.host}</bdi>
      </a>
    </p>
  );
}

/** The same stay on the hotel's own page, for a guest who came from there; null for others. */
function hotelPageOf({ call, session, hold, tongue, root }: Visit): string | null {
  const entry = call.context.control.credentialById(session.credential_id);
  if (entry?.sells_directly !== true) return null;
  const { stay, guests } = hold.quote;
  const { tenant_id } = session;
  const { check_in, check_out } = stay;
  const query = { tenant_id, check_in, check_out, adults: String(guests.adults) };
  const lang = tongue.query !== "" && { lang: tongue.tag };
  return `${root}/book/${hold.quote.property_id}?${new URLSearchParams({ ...query, ...lang })}`;
}

/** Nothing can be booked here any more. */
export function EndedView({ visit, offered }: Known) {
  const { tongue, state } = visit;
  const { words } = tongue;
  const hotelPage = hotelPageOf(visit);
  return (
    <>
      <h1>{words.endedTitle}</h1>
      <p>
        {state === "expired" ? words.expired : words.takenBack} {words.nothingBooked}{" "}
        {hotelPage === null ? words.askAgent : <a href={hotelPage}>{words.seeFree}</a>}
      </p>
      <WayBack visit={visit} />
      {offered && <StayFacts of={offered.stay} tongue={tongue} />}
    </>
  );
}

/** Says nothing about whether the address ever was one. */
export function UnknownView({ tongue: { words } }: { readonly tongue: Tongue }) {
  return (
    <>
      <h1>{words.unknownTitle}</h1>
      <p>
        {words.unknown} {words.askAgent}
      </p>
    </>
  );
}

/** The answer to a form that no page of this session sent. */
export function NotTakenView({ visit }: Pick<Known, "visit">) {
  const { words } = visit.tongue;
  return (
    <>
      <h1>{words.bookTitle}</h1>
      <Fault>{words.notTaken}</Fault>
      <LookAgain visit={visit} />
    </>
  );
}
