/**
 * What the desk does with a booking. A deed that costs the guest money is asked first, on a page
 * that shows what will happen.
 */
import type { Static } from "@sinclair/typebox";
import type { VNode } from "preact";
import type { BookingDetail, CancellationQuote } from "../../api/bookings/responses.ts";
import { BOOKING_ID } from "../../api/parameters.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Amount, Crumbs, Fault, guestName } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";

type Detail = Static<typeof BookingDetail>;
type Cost = Static<typeof CancellationQuote>;
export type AtBooking = Visit<"id">;

export interface Deed {
  readonly label: string;
  /** State of the booking in which it is offered. */
  readonly from: Detail["state"];
  /** Route of the API. */
  readonly route: string;
  readonly isAsked?: boolean;
  /** Not what one usually comes for. */
  readonly isQuiet?: boolean;
}

export const DEEDS = {
  "check-in": { label: "Check in", from: "confirmed", route: "admin_check_in" },
  "check-out": { label: "Check out", from: "checked_in", route: "admin_complete_booking" },
  "undo-check-in": {
    ...{ label: "Undo the check-in", from: "checked_in", route: "admin_undo_check_in" },
    isQuiet: true,
  },
  "no-show": { label: "No-show", from: "confirmed", route: "admin_no_show", isAsked: true },
  cancel: { label: "Cancel", from: "confirmed", route: "admin_cancel_booking", isAsked: true },
} as const satisfies Readonly<Record<string, Deed>>;

type Name = keyof typeof DEEDS;

/** Path of the page of the booking that the visit is about. */
export function bookingPath({ call }: AtBooking): string {
  return `/console/bookings/${call.params.id}`;
}

/** Does it, and returns to where it was asked for. */
async function done(visit: AtBooking, name: Name, sent: Form, body: object): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const call = { id: DEEDS[name].route, params: { id }, body, headers: keyHeader(sent) };
  const answer = await ask(visit, call);
  if (!answer.ok) return refused(visit, name, answer);
  const isFromToday = sent.get("from") === "today";
  return { goTo: isFromToday ? "/console" : bookingPath(visit) };
}

function refused(
  visit: AtBooking,
  name: Name,
  { error }: Answered<unknown> & { readonly ok: false },
): Shown {
  const heading = `${DEEDS[name].label}: not done`;
  const back = { back: bookingPath(visit), backName: "Back to the booking" };
  return notDone(visit, { place: "bookings", ...back }, heading, error);
}

/** Asks before a cancellation or a no-show; `note` is what changed since the page was opened. */
async function asked(visit: AtBooking, name: "cancel" | "no-show", note?: VNode): Promise<Shown> {
  const { id } = visit.call.params;
  const booking = await ask<Detail>(visit, { id: "get_booking", params: { id } });
  if (!booking.ok) return refused(visit, name, booking);
  const cost = await ask<Cost>(visit, { id: "get_cancellation_quote", params: { id } });
  if (!cost.ok) return refused(visit, name, cost);
  const path = bookingPath(visit);
  const main = (
    <>
      <Crumbs to={visit.root + path}>Back to the booking</Crumbs>
      <h1>
        {name === "cancel" ? "Cancel" : "Record a no-show of"}{" "}
        <code>{booking.data.confirmation_code}</code>?
      </h1>
      <p class="lead">
        <bdi>{guestName(booking.data)}</bdi>
      </p>
      {note}
      <ActionForm visit={visit} to={`${path}/${name}`} class="card">
        {name === "cancel" ? (
          <CancelFields cost={cost.data} />
        ) : (
          <NoShowFields booking={booking.data} />
        )}
        <button type="submit" class="danger">
          {name === "cancel" ? "Cancel the booking" : "Record the no-show"}
        </button>
      </ActionForm>
    </>
  );
  return { title: DEEDS[name].label, place: "bookings", main };
}

function CancelFields({ cost: { fee, refund } }: { readonly cost: Cost }) {
  return (
    <>
      <p>
        The fee is <Amount {...fee} />; the guest gets <Amount {...refund} /> back. The room is on
        sale again at once, and the guest gets a mail.
      </p>
      <input type="hidden" name="shown_refund" value={refund.amount} />
      <label>
        Reason, for the hotel's records
        <input name="reason" required maxlength={500} />
      </label>
      <label class="tick">
        <input type="checkbox" name="waive_fee" value="yes" /> Waive the fee: refund everything
      </label>
    </>
  );
}

function NoShowFields({ booking }: { readonly booking: Detail }) {
  const terms = booking.policy_snapshot?.no_show;
  const currency = booking.price_breakdown?.currency;
  return (
    <p>
      {terms && currency !== undefined && (
        <>
          The fee is <Amount amount={terms.fee} currency={currency} />; the rest is refunded.{" "}
        </>
      )}
      Tonight and later nights are on sale again at once.
    </p>
  );
}

/** With the fee waived everything is refunded. */
function refundedOf({ fee, refund }: Cost, isWaived: boolean): Cost["refund"] {
  return isWaived ? { ...refund, amount: refund.amount + fee.amount } : refund;
}

/** The refund that was shown must be the one that is made: a cut-off may have passed meanwhile. */
async function cancel(visit: AtBooking, sent: Form): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const waive_fee = sent.get("waive_fee") === "yes";
  const cost = await ask<Cost>(visit, { id: "get_cancellation_quote", params: { id } });
  const isAsShown = !cost.ok || String(cost.data.refund.amount) === sent.get("shown_refund");
  if (!isAsShown && !waive_fee) {
    const note = (
      <Fault>The refund has changed since the page was opened. Nothing was cancelled.</Fault>
    );
    return { ...(await asked(visit, "cancel", note)), status: 409 };
  }
  const unproved = proofPage(visit, sent, cost.ok ? refundedOf(cost.data, waive_fee) : null);
  if (unproved) return unproved;
  return done(visit, "cancel", sent, { reason: sent.get("reason") ?? "", waive_fee });
}

const AT = { params: { id: BOOKING_ID } } as const;
const PATH = "/console/bookings/:id";

export const deedRoutes = [
  form(
    { ...AT, id: "console_check_in", path: `${PATH}/check-in`, summary: "Check a guest in" },
    (visit, sent) => done(visit, "check-in", sent, {}),
  ),
  form(
    { ...AT, id: "console_check_out", path: `${PATH}/check-out`, summary: "Check a guest out" },
    (visit, sent) => done(visit, "check-out", sent, {}),
  ),
  form(
    { ...AT, id: "console_undo_check_in", path: `${PATH}/undo-check-in`, summary: "Undo it" },
    (visit, sent) => done(visit, "undo-check-in", sent, {}),
  ),
  page(
    { ...AT, id: "console_ask_no_show", path: `${PATH}/no-show`, summary: "Record a no-show?" },
    (visit) => asked(visit, "no-show"),
  ),
  form(
    { ...AT, id: "console_no_show", path: `${PATH}/no-show`, summary: "Record a no-show" },
    (visit, sent) => done(visit, "no-show", sent, {}),
  ),
  page(
    { ...AT, id: "console_ask_cancel", path: `${PATH}/cancel`, summary: "Cancel a booking?" },
    (visit) => asked(visit, "cancel"),
  ),
  form(
    { ...AT, id: "console_cancel", path: `${PATH}/cancel`, summary: "Cancel a booking" },
    cancel,
  ),
];
