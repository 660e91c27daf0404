/**
 * A refund of a booking by the property: the figures and a form, then the exact amount to confirm.
 * Nothing is refunded before the second step.
 */
import type { Static } from "@sinclair/typebox";
import { OPERATOR_REASONS } from "../../../engine/core/refund-words.ts";
import type { BookingDetail } from "../../api/bookings/responses.ts";
import type { BookingRefunds, MadeRefund } from "../../api/desk/responses.ts";
import { BOOKING_ID } from "../../api/parameters.ts";
import { formOf, minorTyped } from "../frame/amounts.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { Choice, optionsOf } from "../frame/choice.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Amount, Crumbs, Fact, Fault, guestName, wordsOf } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import { refundPath } from "../money/refund.tsx";
import { type AtBooking, bookingPath } from "./deeds.tsx";

type Booking = Static<typeof BookingDetail>;
type Money = NonNullable<Static<typeof BookingRefunds>["money"]>;

interface Refundable {
  readonly booking: Booking;
  readonly money: Money | null;
}

function refused(visit: AtBooking, error: ApiError): Shown {
  const back = { back: bookingPath(visit), backName: "Back to the booking" };
  return notDone(visit, { place: "bookings", ...back }, "Nothing was refunded", error);
}

async function refundableOf(visit: AtBooking): Promise<Refundable | ApiError> {
  const { params } = visit.call;
  const booking = await ask<Booking>(visit, { id: "get_booking", params });
  if (!booking.ok) return booking.error;
  const refunds = await ask<Static<typeof BookingRefunds>>(visit, {
    ...{ id: "admin_list_booking_refunds", params },
  });
  return refunds.ok ? { booking: booking.data, money: refunds.data.money } : refunds.error;
}

/** The page around a step. */
function stepOf(visit: AtBooking, booking: Booking, main: Shown["main"], status?: number): Shown {
  const shown = (
    <>
      <Crumbs to={visit.root + bookingPath(visit)}>Back to the booking</Crumbs>
      <h1>
        Refund of <code>{booking.confirmation_code}</code>
      </h1>
      <p class="lead">
        <bdi>{guestName(booking)}</bdi>
      </p>
      {main}
    </>
  );
  return { title: "Refund", place: "bookings", main: shown, ...(status && { status }) };
}

/** The first step; `fault` is what is wrong with the form that was sent. */
async function askAmount(visit: AtBooking, sent?: Form, fault?: string): Promise<Shown> {
  const found = await refundableOf(visit);
  if ("code" in found) return refused(visit, found);
  const { booking, money } = found;
  if (money === null)
    return stepOf(visit, booking, <p>Nothing was paid, so nothing is refunded.</p>);
  const main = (
    <>
      <Figures money={money} />
      {money.remaining === 0 ? (
        <p>Nothing remains that could be refunded.</p>
      ) : (
        <AmountForm visit={visit} money={money} sent={sent} fault={fault} />
      )}
    </>
  );
  return stepOf(visit, booking, main, fault === undefined ? undefined : 400);
}

function Figures({ money }: { readonly money: Money }) {
  const { captured, refunded, pending, remaining, disputed, currency } = money;
  const figures: readonly (readonly [name: string, amount: number | undefined])[] = [
    ["Paid", captured],
    ["Refunded", refunded],
    ["On its way", pending],
    ["Withheld by a dispute", disputed],
    ["Remaining", remaining],
  ];
  return (
    <dl>
      {figures.map(
        ([name, amount]) =>
          amount !== undefined && (
            <Fact name={name}>
              <Amount amount={amount} currency={currency} />
            </Fact>
          ),
      )}
    </dl>
  );
}

interface AmountFormOf {
  readonly visit: AtBooking;
  readonly money: Money;
  readonly sent: Form | undefined;
  readonly fault: string | undefined;
}

function AmountForm({ visit, money, sent, fault }: AmountFormOf) {
  return (
    <ActionForm visit={visit} to={`${bookingPath(visit)}/refund/check`} class="card">
      {fault !== undefined && <Fault>{fault}</Fault>}
      <label>
        Amount, in {formOf(money.currency)}
        <input
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          required
          value={sent?.get("amount") ?? ""}
        />
      </label>
      <Choice
        {...{ label: "Reason", name: "reason", options: optionsOf(OPERATOR_REASONS) }}
        chosen={sent?.get("reason")}
      />
      <label>
        Note for the hotel (optional)
        <input name="note" maxlength={500} autocomplete="off" value={sent?.get("note") ?? ""} />
      </label>
      <button type="submit">Check</button>
    </ActionForm>
  );
}

/** Shows the exact refund and the amount that is left of the payment after it. */
async function check(visit: AtBooking, sent: Form): Promise<Shown> {
  const found = await refundableOf(visit);
  if ("code" in found) return refused(visit, found);
  const { booking, money } = found;
  if (money === null) return askAmount(visit);
  const { currency, remaining } = money;
  const amount = minorTyped(sent.get("amount") ?? "", currency);
  if (amount === null || amount === 0) {
    return askAmount(visit, sent, `The amount must be ${formOf(currency)}.`);
  }
  if (amount > remaining) return askAmount(visit, sent, "That is more than what remains.");
  const [reason, note] = [sent.get("reason") ?? "", sent.get("note") ?? ""];
  const main = (
    <ActionForm visit={visit} to={`${bookingPath(visit)}/refund`} class="card">
      <p>
        The guest gets{" "}
        <b>
          <Amount amount={amount} currency={currency} />
        </b>{" "}
        back, because: {wordsOf(reason)}. <Amount amount={remaining - amount} currency={currency} />{" "}
        of the payment remain. The booking keeps its state. This cannot be undone.
      </p>
      {note !== "" && (
        <p>
          <b>Note:</b> <bdi>{note}</bdi>
        </p>
      )}
      <input type="hidden" name="amount_minor" value={amount} />
      <input type="hidden" name="reason" value={reason} />
      <input type="hidden" name="note" value={note} />
      <button type="submit" class="danger">
        Refund <Amount amount={amount} currency={currency} />
      </button>
    </ActionForm>
  );
  return stepOf(visit, booking, main);
}

/** A refund that failed at once is shown, with what gives the money back. */
async function refund(visit: AtBooking, sent: Form): Promise<Shown | Gone> {
  const note = (sent.get("note") ?? "").trim();
  const amount = Number(sent.get("amount_minor") ?? "");
  const found = await refundableOf(visit);
  const currency = "code" in found ? undefined : found.money?.currency;
  const unproved = proofPage(visit, sent, currency === undefined ? null : { amount, currency });
  if (unproved) return unproved;
  const answer = await ask<Static<typeof MadeRefund>>(visit, {
    id: "admin_refund_booking",
    params: visit.call.params,
    body: {
      amount,
      reason: sent.get("reason") ?? "",
      ...(note !== "" && { note }),
    },
    headers: keyHeader(sent),
  });
  if (!answer.ok) return refused(visit, answer.error);
  const { state, refund_id } = answer.data;
  return { goTo: state === "failed" ? refundPath(refund_id) : bookingPath(visit) };
}

const AT = { params: { id: BOOKING_ID } } as const;
const PATH = "/console/bookings/:id/refund";

export const bookingRefundRoutes = [
  page({ ...AT, id: "console_ask_refund", path: PATH, summary: "Refund a booking?" }, (visit) =>
    askAmount(visit),
  ),
  form(
    { ...AT, id: "console_check_refund", path: `${PATH}/check`, summary: "Check a refund" },
    check,
  ),
  form({ ...AT, id: "console_refund_booking", path: PATH, summary: "Refund a booking" }, refund),
];
