/**
 * A payment on a page of the provider, for a person whose card must never be typed here. The person
 * leaves with the form sent, authorizes the card there and comes back; only then is the hold
 * booked, and the booking takes the money. `payment-sweep.ts` books for those who do not come back.
 *
 * Maintained invariant: money that is reserved belongs to an open payment in `checkout.db` until a
 * booking has taken it or the page was ended, so that a crash leaves nothing reserved for longer
 * than a sweep.
 */
import { treeOf } from "../../engine/log/tree-versions.ts";
import type { PagePayment } from "../access/control/checkout-sessions.ts";
import { decryptByVersion, encryptByVersion } from "../access/privacy/encryption.ts";
import { BookingBody } from "../api/bookings/requests.ts";
import type { Context } from "../http/context.ts";
import { compile } from "../http/validate.ts";
import { type Form, TOKEN_FIELD } from "../page-parts/form.ts";
import { REFUSALS } from "../refusals/catalogue.ts";
import { bodyOf, booked, type Refused, refusedBy } from "./book.ts";
import { type Attempting, agentCall, keyOf, type Visit } from "./visit.ts";

const faultsOf = compile(BookingBody);

function boundTo(session_id: string): readonly string[] {
  return ["checkout-payment", session_id];
}

/** What was typed before the person went to the provider's page; null when its key is gone. */
export function typedBefore(
  { keys, log }: Pick<Context, "keys" | "log">,
  { session_id, encrypted }: PagePayment,
): Form | null {
  try {
    const text = decryptByVersion(keys.encryption, encrypted, boundTo(session_id)).toString("utf8");
    return new Map(JSON.parse(text) as [string, string][]);
  } catch (error) {
    log.error("cannot decrypt what a person typed on a checkout page", { session_id, error });
    return null;
  }
}

/** True when an amount is due now and the provider has pages of its own. */
export function isPaidElsewhere({ call, hold }: Pick<Attempting, "call" | "hold">): boolean {
  return call.context.paymentPages !== null && hold.quote.due_now > 0;
}

/** The address of the provider's page for this payment, or why there is none. */
export async function toPaymentPage(
  visit: Visit,
  sent: Form,
): Promise<{ readonly url: string } | Refused> {
  const { call, session, hold, tongue, path } = visit;
  const { context } = call;
  const agent = agentCall(visit);
  if ("ok" in agent) return refusedBy(agent);
  const field_errors = faultsOf(bodyOf(visit, sent, "not known yet"));
  if (field_errors.length > 0) return refusedAs("validation_failed", { field_errors });
  const pages = context.paymentPages!;
  const { tenant_id, mode, session_id } = session;
  const { due_now: amount, currency, stay } = hold.quote;
  const hotel = treeOf(context.replica, hold.quote)?.name ?? "Hotel";
  const opened = await pages.open({
    ...{ key: keyOf(visit, "pay", tongue.query), about: { tenant_id, mode }, amount, currency },
    title: `${hotel}, ${stay.check_in} – ${stay.check_out}`,
    returnUrl: new URL(tongue.to(path), context.config.baseUrl).href,
  });
  if (!opened.ok) {
    // The provider repeats its answer to the same key.
    context.checkout.countRefusal(session);
    return refusedAs("payment_provider_error", {});
  }
  if (!(await formerEnded(visit, opened.ref))) return refusedAs("upstream_unavailable", {});
  const typed = JSON.stringify([...sent].filter(([name]) => name !== TOKEN_FIELD));
  const encrypted = encryptByVersion(
    context.keys.encryption,
    Buffer.from(typed),
    boundTo(session_id),
  );
  const payment = { session_id, page_ref: opened.ref, encrypted, created_at: context.now() };
  // Another process may have begun one meanwhile.
  const former = context.checkout.beginPayment(payment);
  if (former !== null && former.page_ref !== opened.ref) await pages.end(former.page_ref);
  return { url: opened.url };
}

/**
 * Ends every other page of the session, one in another language or of an earlier attempt; false
 * when it cannot: what is paid there must be known. The next attempt has no key of an ended page.
 */
async function formerEnded({ call, session }: Visit, ref: string): Promise<boolean> {
  const { checkout, paymentPages: pages } = call.context;
  for (;;) {
    const former = checkout.payment(session.session_id);
    if (former === null || former.page_ref === ref) return true;
    if (!(await pages!.end(former.page_ref)).ok) return false;
    checkout.countRefusal(session);
    checkout.endPayment(former);
  }
}

function refusedAs(code: Refused["code"], detail: Refused["detail"]): Refused {
  return { status: REFUSALS[code].status, code, detail };
}

/**
 * `open`: nothing is paid yet; `over`: nothing is reserved any more; `unknown`: the provider or the
 * engine has not said, so the payment stays open.
 */
export type Settled = "booked" | "open" | "over" | "unknown" | Refused;

/** After these the same attempt may still succeed. */
const PASSING: ReadonlySet<string> = new Set([
  ...["internal_error", "payment_timeout", "rate_limited", "upstream_unavailable"],
]);

/** Books the hold if its payment is authorized, or gives back what is reserved. */
export async function settled(attempt: Attempting, payment: PagePayment): Promise<Settled> {
  const { call, session, hold, state } = attempt;
  const { checkout, paymentPages: pages } = call.context;
  if (pages === null || hold.state === "confirming") return "unknown";
  const { page_ref } = payment;
  const over = <S extends Settled>(outcome: S): S => {
    // The provider repeats its answer to the same key, which would be this page.
    checkout.countRefusal(session);
    checkout.endPayment(payment);
    return outcome;
  };
  const giveBack = async <S extends Settled>(outcome: S): Promise<S | "unknown"> => {
    return (await pages.end(page_ref)).ok ? over(outcome) : "unknown";
  };
  if (state !== "open") return giveBack("over");
  const page = await pages.read(page_ref);
  if (!page.ok) return "unknown";
  if (page.state === "open") return "open";
  if (page.state === "ended") return over("over");
  // While the page was open the person may have sent the form again; what is authorized is final.
  const last = checkout.payment(session.session_id);
  if (last?.page_ref !== page_ref) return "unknown";
  const typed = typedBefore(call.context, last);
  if (typed === null) return giveBack("over");
  const refused = await booked(attempt, typed, page.token);
  if (refused !== null) return PASSING.has(refused.code) ? "unknown" : giveBack(refused);
  checkout.endPayment(payment);
  return "booked";
}
