/**
 * Pages for guests of bookings, whole without script. Who has no session, or one that has ended, is
 * led to the form that asks for a mail; forms are taken from our own pages alone.
 */
import { Type } from "@sinclair/typebox";
import type { PublicCall } from "../http/call.ts";
import { type Route, route } from "../http/route.ts";
import { type Form, formOf } from "../page-parts/form.ts";
import { PERSON_PAGE, textQuery } from "../page-parts/page-contract.ts";
import { LANG } from "../page-parts/tongue.ts";
import { change, changePage } from "./change.tsx";
import { cancel, cancelPage, resendMail } from "./deeds.tsx";
import { askForMail, enterByCode, enterByLink, enterPage, findPage } from "./find.tsx";
import { formsOf } from "./frame.tsx";
import { CANCEL, CHANGE, RESEND, receiptFile, SIGN_OUT, STAY, stayPage } from "./stay.tsx";
import { tongueOf } from "./tongue.ts";
import { type Answer, ask, COOKIE, type Fault, type Visit, visitOf } from "./visit.ts";

/** Requests from one IP address; far more than a person sends. */
const LOOKS = { name: "guest_pages", perMinute: 120 } as const;
const DEEDS = { name: "guest_page_deeds", perMinute: 30 } as const;

const PAGE = { ...PERSON_PAGE, tag: "Guest", query: LANG } as const;
const LOOK = { ...PAGE, method: "GET", addressLimit: LOOKS, readsReplica: true } as const;
const FORM = { method: "POST", reads: "stream", addressLimit: DEEDS, readsReplica: true } as const;
const DEED = { ...PAGE, ...FORM } as const;

/** Without a session there is only the form that asks for a mail. */
function outside(call: PublicCall, { code, status }: Fault): Promise<Answer> {
  const { words } = tongueOf(call);
  if (code !== "unauthenticated") return findPage(call, { problem: words.failed, status });
  const had = COOKIE.valueIn(call.request) !== null;
  const headers = had ? { "set-cookie": COOKIE.removed } : {};
  return findPage(call, { problem: words.signedOut, status: 403, headers });
}

function inside(look: (visit: Visit) => Promise<Answer>) {
  return async (call: PublicCall): Promise<Answer> => {
    const visit = await visitOf(call);
    return "status" in visit ? outside(call, visit) : look(visit);
  };
}

function deed(act: (visit: Visit, sent: Form) => Promise<Answer>) {
  return inside(async (visit) => {
    const sent = await formOf(visit.call, formsOf(visit.call, visit.secret));
    if (sent !== null) return act(visit, sent);
    return stayPage(visit, { problem: visit.tongue.words.notTaken, status: 403 });
  });
}

async function signOut({ call, secret, tongue }: Visit): Promise<Answer> {
  await ask(call, secret, { id: "end_guest_session" });
  const headers = { "set-cookie": COOKIE.removed };
  return findPage(call, { problem: tongue.words.signedOut, headers });
}

const NTH = /^[1-9]\d{0,2}$/;

async function receipt(call: PublicCall): Promise<Answer> {
  const { nth = "" } = call.params as { readonly nth?: string };
  return inside((visit) => receiptFile(visit, NTH.test(nth) ? Number(nth) : 0))(call);
}

const TOKEN = { t: textQuery("Token of the link.") };

export const portalRoutes: readonly Route[] = [
  route({
    ...LOOK,
    id: "guest_find_page",
    path: "/guest",
    summary: "Ask for a link to the booking",
    handle: (call) => findPage(call),
  }),
  route({
    ...DEED,
    id: "guest_find",
    path: "/guest",
    summary: "Send the link",
    handle: askForMail,
  }),
  route({
    ...DEED,
    id: "guest_enter_code",
    path: "/guest/code",
    summary: "Enter by the digits of the mail",
    handle: enterByCode,
  }),
  route({
    ...LOOK,
    id: "guest_enter_page",
    path: "/guest/enter",
    query: { ...LANG, ...TOKEN },
    summary: "Open the link of the mail",
    handle: (call) => enterPage(call),
  }),
  route({
    ...DEED,
    id: "guest_enter",
    path: "/guest/enter",
    summary: "Enter by the link",
    handle: enterByLink,
  }),
  route({
    ...LOOK,
    id: "guest_stay_page",
    path: STAY,
    summary: "The guest's stay",
    handle: inside((visit) => stayPage(visit)),
  }),
  route({
    ...LOOK,
    id: "guest_cancel_page",
    path: CANCEL,
    summary: "What cancelling means",
    handle: inside((visit) => cancelPage(visit)),
  }),
  route({ ...DEED, id: "guest_cancel", path: CANCEL, summary: "Cancel", handle: deed(cancel) }),
  route({
    ...LOOK,
    id: "guest_change_page",
    path: CHANGE,
    summary: "Change dates or details",
    handle: inside((visit) => changePage(visit)),
  }),
  route({ ...DEED, id: "guest_change", path: CHANGE, summary: "Change", handle: deed(change) }),
  route({
    ...DEED,
    id: "guest_resend",
    path: RESEND,
    summary: "Send the confirmation again",
    handle: deed(resendMail),
  }),
  route({
    ...LOOK,
    id: "guest_receipt",
    path: "/guest/stay/receipts/:nth",
    params: { nth: { schema: Type.String(), description: "Position of the receipt, from 1." } },
    summary: "A receipt of the guest",
    handle: receipt,
  }),
  route({
    ...DEED,
    id: "guest_sign_out",
    path: SIGN_OUT,
    summary: "Sign out",
    handle: deed(signOut),
  }),
];
