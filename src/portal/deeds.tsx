/** Deeds of a guest: a cancellation, which is asked first, and a mail that is sent again. */
import { type Form, keyHeader } from "../page-parts/form.ts";
import { GuestForm, goTo, Problem, shown } from "./frame.tsx";
import { CANCEL, costOf, OwnStay, paidOf, STAY, stayPage } from "./stay.tsx";
import { costNow } from "./terms.tsx";
import { type Answer, ask, field, type Visit } from "./visit.ts";

const REFUND_FIELD = "expected_refund";

/** What will happen, and the button that does it. */
export async function cancelPage(visit: Visit, problem?: string): Promise<Answer> {
  const { call, tongue, secret, booking } = visit;
  const { words, formats } = tongue;
  const cost = booking.state === "confirmed" ? await costOf(visit) : null;
  if (cost === null) return stayPage(visit, { problem: words.notCancellable, status: 409 });
  const { amount, currency } = cost.refund;
  const main = (
    <>
      <h1>{words.cancelTitle}</h1>
      <Problem text={problem} />
      <OwnStay booking={booking} tongue={tongue} />
      <p>
        <strong>{costNow(cost, paidOf(booking), tongue)}</strong>
      </p>
      <p>{words.cancelFinal}</p>
      <GuestForm call={call} tongue={tongue} to={CANCEL} secret={secret}>
        <input type="hidden" name={REFUND_FIELD} value={amount} />
        <button type="submit" class="danger">
          {amount > 0 ? words.cancelFor(formats.money(amount, currency)) : words.cancelPlain}
        </button>
      </GuestForm>
      <p>
        <a class="button" href={tongue.to(STAY)}>
          {words.keep}
        </a>
      </p>
    </>
  );
  const status = problem === undefined ? 200 : 409;
  return shown(call, tongue, { main, at: CANCEL, isTest: booking.mode === "test", status });
}

/** Cancels for the amount that was shown; another one is shown and asked again. */
export async function cancel(visit: Visit, sent: Form): Promise<Answer> {
  const { call, tongue, secret } = visit;
  const { words } = tongue;
  const body = { expected_refund: Number(field(sent, REFUND_FIELD) || Number.NaN) };
  const headers = keyHeader(sent);
  const done = await ask(call, secret, { id: "cancel_guest_booking", body, headers });
  if (done.ok) return goTo(tongue, STAY);
  const { code, detail, status } = done.fault;
  if (detail.reason === "refund_changed") return cancelPage(visit, words.amountChanged);
  // A second click finds the booking cancelled.
  if (code === "booking_not_cancellable") return goTo(tongue, STAY);
  return stayPage(visit, { problem: words.failed, status });
}

/** Sends the last mail of the booking again. */
export async function resendMail(visit: Visit, sent: Form): Promise<Answer> {
  const { call, tongue, secret } = visit;
  const { words } = tongue;
  const headers = keyHeader(sent);
  const done = await ask(call, secret, { id: "resend_guest_confirmation", body: {}, headers });
  if (done.ok) return stayPage(visit, { note: words.resent });
  const { code, status } = done.fault;
  const problem = code === "rate_limited" ? words.tooOften : words.notSent;
  return stayPage(visit, { problem, status });
}
