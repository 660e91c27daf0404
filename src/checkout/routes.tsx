/**
 * The checkout page: a person who has the link books the hold. The address is the only proof, so no
 * other site gets it (`no-referrer`), and the page has no script.
 */
import { Type } from "@sinclair/typebox";
import type { VNode } from "preact";
import type { PagePayment } from "../access/control/checkout-sessions.ts";
import { pagePath } from "../api/checkout/state.ts";
import type { PrivatePage, Refusal, Verbatim } from "../http/answer.ts";
import { untilFresh } from "../http/freshness.ts";
import { type Route, route } from "../http/route.ts";
import { type Form, formOf } from "../page-parts/form.ts";
import { jsonFile, PERSON_PAGE, policyWithoutScript } from "../page-parts/page-contract.ts";
import { LANG } from "../page-parts/tongue.ts";
import { renderedIn } from "../page-parts/translated.tsx";
import { rootPath } from "../pages/frame.ts";
import { booked, extended, LANGUAGE_FIELD, type Refused } from "./book.ts";
import { ATTEMPT_FIELD, noAgent, type OpenPage, OpenView } from "./open-page.tsx";
import {
  BookedView,
  bookedTitle,
  EndedView,
  NotTakenView,
  PayingView,
  UnknownView,
} from "./other-pages.tsx";
import { isPaidElsewhere, settled, toPaymentPage, typedBefore } from "./page-payment.ts";
import { offeredBy } from "./terms.tsx";
import { type Tongue, tongueOf } from "./tongue.ts";
import { type Asking, type Visit, visitOf } from "./visit.ts";

/** Requests from one IP address; far more than a person sends. */
const LOOKS = { name: "checkout", perMinute: 120 } as const;
const DEEDS = { name: "checkout_deeds", perMinute: 30 } as const;

const HEADERS = { "referrer-policy": "no-referrer" };

type Answer = PrivatePage | Verbatim | Refusal;

/** Who looks at the page; without a session where the link is none. */
type Looking = Pick<Visit, "call" | "tongue"> & Partial<Pick<Visit, "session">>;

/** A page; its title has nothing of the guest. */
async function shown(
  { call: { context, params }, tongue, session }: Looking,
  title: string,
  main: VNode,
  status = 200,
): Promise<PrivatePage> {
  // Not that of the form that it answers.
  const path = pagePath(encodeURIComponent(params.token));
  const page = { title, main, isTest: session?.mode === "test", path };
  const html = await renderedIn(rootPath(context.config), tongue, page);
  // It stops redirects as well, so it names the page on which the card is asked for.
  const policy = policyWithoutScript(context.paymentPages?.origin);
  return { ok: true, show: { html }, status, headers: { ...HEADERS, ...policy } };
}

function to(location: string): PrivatePage {
  return { ok: true, show: { location }, headers: HEADERS };
}

/** To the page as it is now. */
function toPage({ tongue, path }: Visit): PrivatePage {
  return to(tongue.to(path));
}

function unknown(call: Asking, visit: Visit | null = null): Promise<PrivatePage> {
  const looking: Looking = visit ?? { call, tongue: tongueOf(call) };
  const { tongue } = looking;
  return shown(looking, tongue.words.unknownTitle, <UnknownView tongue={tongue} />, 404);
}

async function pageOf(call: Asking): Promise<Answer> {
  const visit = visitOf(call);
  if (visit === null) return unknown(call);
  const elsewhere = call.context.checkout.payment(visit.session.session_id);
  return elsewhere === null ? viewOf(visit) : afterPaying(visit, elsewhere);
}

/** The person comes back from the provider's page, paid or not, or looks at the page again. */
async function afterPaying(visit: Visit, payment: PagePayment): Promise<Answer> {
  const { call } = visit;
  const outcome = await settled(visit, payment);
  if (outcome === "booked") return toPage(visit);
  if (outcome === "unknown") return paying(visit);
  const typed = typedBefore(call.context, payment) ?? undefined;
  if (typeof outcome === "object") return notDone(visit, outcome, typed ?? new Map());
  const now = visitOf(call);
  return now === null ? unknown(call) : viewOf(now, typed);
}

function paying(visit: Visit): Promise<Answer> {
  const { call, hold, tongue } = visit;
  const main = <PayingView visit={visit} offered={offeredBy(call.context, hold.quote)} />;
  return shown(visit, tongue.words.payingTitle, main);
}

function viewOf(visit: Visit, typed?: Form): Promise<Answer> {
  const { call, state, hold, payment, tongue } = visit;
  const { words } = tongue;
  const offered = offeredBy(call.context, hold.quote);
  if (state === "completed") return outcomeOf(visit);
  if (state !== "open") {
    return shown(visit, words.endedTitle, <EndedView visit={visit} offered={offered} />);
  }
  if (hold.state === "confirming" || offered === null) return paying(visit);
  const said = {
    ...(payment?.state === "failed" && { problem: cardRefused(tongue, words.cardDeclined) }),
    ...(typed && { typed }),
  };
  return shown(visit, words.bookTitle, <OpenView visit={visit} offered={offered} {...said} />);
}

function bookingOf({ call, hold }: Visit) {
  return hold.booking_id === null ? null : call.context.replica.records.booking(hold.booking_id);
}

function outcomeOf(visit: Visit): Promise<PrivatePage> {
  const { call } = visit;
  const booking = bookingOf(visit);
  if (!booking) return unknown(call, visit);
  const offered = offeredBy(call.context, booking.quote);
  const main = <BookedView visit={visit} offered={offered} booking={booking} />;
  return shown(visit, bookedTitle(visit.tongue, booking), main);
}

function receipt(call: Asking): Answer | Promise<Answer> {
  const visit = visitOf(call);
  const found = visit?.state === "completed" && bookingOf(visit)?.receipts[0];
  return found ? jsonFile(found, HEADERS) : unknown(call, visit);
}

/** Takes a form of this page, and does `work` while the hold can be booked. */
async function deed(
  call: Asking,
  work: (visit: Visit, sent: Form) => Promise<Answer>,
): Promise<Answer> {
  const visit = visitOf(call);
  if (visit === null) return unknown(call);
  const sent = await formOf(call, { kind: "checkout", session: visit.session.session_id });
  if (sent === null) {
    return shown(visit, visit.tongue.words.bookTitle, <NotTakenView visit={visit} />, 403);
  }
  if (visit.state !== "open" || visit.hold.state !== "held") return toPage(visit);
  return work(visit, sent);
}

/** A form of an earlier attempt is not taken: the person has not seen how that one ended. */
async function pay(visit: Visit, sent: Form): Promise<Answer> {
  if (sent.get(ATTEMPT_FIELD) !== String(visit.attempt)) return toPage(visit);
  const form = new Map([...sent, [LANGUAGE_FIELD, visit.tongue.tag]]);
  if (isPaidElsewhere(visit)) return payElsewhere(visit, form);
  const refused = await booked(visit, form);
  return refused === null ? toPage(visit) : notDone(visit, refused, sent);
}

/** To the provider's page; a payment there that is authorized already books at once. */
async function payElsewhere(visit: Visit, sent: Form): Promise<Answer> {
  const before = visit.call.context.checkout.payment(visit.session.session_id);
  const outcome = before === null ? "open" : await settled(visit, before);
  if (typeof outcome === "object") return notDone(visit, outcome, sent);
  if (outcome === "over") return again(visit, {}, sent);
  if (outcome !== "open") return toPage(visit);
  const next = await toPaymentPage(visit, sent);
  return "url" in next ? to(next.url) : notDone(visit, next, sent);
}

async function extend(visit: Visit, sent: Form): Promise<Answer> {
  const refused = await extended(visit);
  return refused === null ? again(visit, {}, sent) : notDone(visit, refused, sent);
}

function cardRefused({ words }: Tongue, why: string): string {
  return `${why} ${words.nothingCharged} ${words.otherCard}`;
}

/** What a person can do about a refusal; null where the page as it is now says it. */
function adviceOf({ code, detail }: Refused, tongue: Tongue): string | null {
  const { words } = tongue;
  switch (code) {
    case "payment_failed": {
      const isPoor = detail.provider_code === "insufficient_funds";
      return cardRefused(tongue, isPoor ? words.cardWithoutFunds : words.cardDeclined);
    }
    case "payment_provider_error":
      return words.notStarted;
    case "authorization_required":
      return words.mustApprove;
    case "validation_failed":
      return words.badInput;
    case "service_not_configured":
      return `${words.notConfigured} ${words.nothingCharged}`;
    case "unauthenticated":
    case "forbidden":
    case "resource_access_denied":
      return noAgent(tongue);
    case "hold_expired":
    case "hold_not_active":
    case "idempotency_conflict":
    case "payment_timeout":
    case "conflict":
      return null;
    default:
      return `${words.failed} ${words.nothingCharged}`;
  }
}

/** Fields of the form by members of the API's body. */
const FIELDS: Readonly<Record<string, string>> = {
  "/guest/primary/full_name": "full_name",
  "/guest/primary/email": "email",
  "/guest/primary/phone": "phone",
};

function faultyOf({ detail }: Refused): ReadonlySet<string> {
  const errors = (detail.field_errors ?? []) as readonly { readonly path: string }[];
  return new Set(errors.flatMap(({ path }) => FIELDS[path] ?? []));
}

/** The page again, with what was typed and what can be done. */
function notDone(before: Visit, refused: Refused, typed: Form): Answer | Promise<Answer> {
  const problem = adviceOf(refused, before.tongue);
  if (problem === null) return toPage(before);
  const said = { problem, faulty: faultyOf(refused) };
  return again(before, said, typed, refused.status);
}

type Said = Pick<OpenPage, "problem" | "faulty">;

/** The page as it is now with what was typed, while the hold can be booked. */
async function again(before: Visit, said: Said, typed: Form, status = 200): Promise<Answer> {
  const { call } = before;
  await untilFresh(call.context.replica);
  const visit = visitOf(call);
  if (visit === null || visit.state !== "open") return toPage(before);
  const offered = offeredBy(call.context, visit.hold.quote);
  if (offered === null || visit.hold.state !== "held") return toPage(before);
  const main = <OpenView {...{ visit, offered, typed }} {...said} />;
  return shown(visit, visit.tongue.words.bookTitle, main, status);
}

const OF_PERSON = {
  ...PERSON_PAGE,
  tag: "Checkout",
  query: LANG,
  addressLimit: LOOKS,
  readsReplica: true,
  params: { token: { schema: Type.String(), description: "Secret of the link." } },
} as const;
const DEED = { ...OF_PERSON, method: "POST", reads: "stream", addressLimit: DEEDS } as const;
const PAGE = "/checkout/:token";

export const checkoutPageRoutes: readonly Route[] = [
  route({
    ...OF_PERSON,
    id: "checkout_page",
    method: "GET",
    path: PAGE,
    summary: "Book a held room",
    handle: pageOf,
  }),
  route({
    ...DEED,
    id: "checkout_pay",
    path: `${PAGE}/pay`,
    summary: "Pay and book",
    handle: (call) => deed(call, pay),
  }),
  route({
    ...DEED,
    id: "checkout_extend",
    path: `${PAGE}/extend`,
    summary: "Keep a hold longer",
    handle: (call) => deed(call, extend),
  }),
  route({
    ...OF_PERSON,
    id: "checkout_receipt",
    method: "GET",
    path: `${PAGE}/receipt`,
    summary: "The receipt of the booking",
    handle: receipt,
  }),
];
