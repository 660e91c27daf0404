/**
 * `POST /book/:property/reserve`: the form of an offer. It is taken when the browser says that a
 * page of this service sent it. It has no token: the page belongs to no session, and a program that
 * wants to hold rooms could read any token from it. What it may hold is limited by address, and in
 * all by the seller's `max_open_holds`.
 */
import { Type } from "@sinclair/typebox";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { chargeAddress } from "../../http/admission.ts";
import type { PrivatePage, Refusal } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { AddressLimit } from "../../http/contract.ts";
import { untilFresh } from "../../http/freshness.ts";
import { route } from "../../http/route.ts";
import type { Assumption } from "../../languages/words.ts";
import { type Form, isOfOurPages, readForm } from "../../page-parts/form.ts";
import { PERSON_PAGE } from "../../page-parts/page-contract.ts";
import { PAGE_KEY_FIELD } from "./book-button.tsx";
import { hotelPage, missingPage } from "./page.tsx";
import { type Order, reserved } from "./reserve.ts";
import { askedOf, headersOf, hotelsNamed, localeOf, viewOf } from "./routes.ts";
import { sellerOf } from "./seller.ts";

/** From one IP address; each takes a room out of sale until its hold ends. */
const HOLDS: AddressLimit = { name: "book_holds", perMinute: 5 };
const FORMS: AddressLimit = { name: "book_forms", perMinute: 60 };
const FORM_BYTES_MAX = 8_192;
/** By then a claim of the form without outcome has ended. */
const RETRY_AFTER_S = 15;
const PAGE_KEY = /^[0-9a-f-]{36}$/;

type Asking = PublicCall<unknown, "property">;

async function reserve(call: Asking): Promise<PrivatePage | Refusal> {
  const sent = (await readForm(call, FORM_BYTES_MAX)) ?? new Map<string, string>();
  const found = hotelsNamed(
    call.context.replica.state,
    call.params.property,
    sent.get("tenant_id"),
  );
  const [property] = found;
  if (property === undefined || found.length > 1) {
    const html = missingPage(localeOf(call, sent));
    return { ok: true, show: { html }, status: 404, headers: headersOf(call.context) };
  }
  if (!isOfOurPages(call)) return again(call, property, sent, "not_kept", 403);
  const order = orderOf(call, property, sent);
  if (order === null) return again(call, property, sent, "not_kept", 409);
  const limited = await chargeAddress(call, HOLDS);
  if (limited !== null) return again(call, property, sent, "too_many", 429);
  const made = await reserved(call, order);
  if (made === "not_kept") return again(call, property, sent, made, 409);
  if (made === "busy") {
    const page = await again(call, property, sent, made, 503);
    return { ...page, headers: { ...page.headers, "retry-after": String(RETRY_AFTER_S) } };
  }
  return { ok: true, show: made, headers: headersOf(call.context) };
}

/** Null for a form that no page of ours has, and where guests cannot book. */
function orderOf(call: Asking, property: PropertyEntry, sent: Form): Order | null {
  const seller = sellerOf(call.context, property);
  const asked = askedOf(call.context, property, sent);
  const pageKey = sent.get(PAGE_KEY_FIELD) ?? "";
  const isWhole = asked.assumed.length === 0 && asked.room !== null && asked.rate !== null;
  if (seller === null || !isWhole || !PAGE_KEY.test(pageKey)) return null;
  const lang = sent.has("lang") ? localeOf(call, sent).locale.tag : null;
  return { property, seller, asked, pageKey, lang };
}

/** The page as it is now, with why the room is not held. */
async function again(
  call: Asking,
  property: PropertyEntry,
  sent: Form,
  notice: Assumption,
  status: 403 | 409 | 429 | 503,
): Promise<PrivatePage> {
  await untilFresh(call.context.replica);
  const here = `../${property.tree.id}`;
  const view = viewOf(call, { property, given: sent, here, question: null });
  // A rate that is taken is said to be so, with other dates.
  const isTaken = status === 409 && view.offers.missed !== null;
  const html = hotelPage({ ...view, notice: isTaken ? null : notice });
  return { ok: true, show: { html }, status, headers: headersOf(call.context) };
}

export const reserveRoutes = [
  route({
    ...PERSON_PAGE,
    id: "reserve_offer",
    tag: "Checkout",
    method: "POST",
    path: "/book/:property/reserve",
    summary: "Hold an offer and go to its payment",
    params: { property: { schema: Type.String(), description: "A property's id, or its slug." } },
    addressLimit: FORMS,
    reads: "stream",
    readsReplica: true,
    handle: reserve,
  }),
];
