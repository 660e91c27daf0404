/**
 * The way from an offer of a hotel's page to its payment: quote, hold and checkout session, by the
 * routes that agents use, with the rights of the agent that sells directly.
 */
import { dateOf } from "../../../engine/core/calendar.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Principal } from "../../access/control/principal.ts";
import { hmacHex } from "../../access/privacy/personal-data.ts";
import { checkoutState, linkToken, pagePath } from "../../api/checkout/state.ts";
import type { PublicCall } from "../../http/call.ts";
import { callRoute, type InProcessCall } from "../../http/in-process.ts";
import { isBusy } from "../../lib/store-file.ts";
import { agentCallOf } from "../../page-parts/agent-call.ts";
import type { Asked } from "./stay-request.ts";

const FORM_BYTES = 16;
/** Longer than the three calls take. */
const WAIT_MS_MAX = 6_000;
const LOOK_MS = 50;

/** What a person wants to book, and from which rendered page. */
export interface Order {
  readonly property: PropertyEntry;
  readonly seller: Principal;
  readonly asked: Asked;
  readonly pageKey: string;
  /** Of the page, if the visitor chose it. */
  readonly lang: string | null;
}

/** Why a form led to no room. `busy`: not known yet; the same form may be sent again. */
type NoRoom = "not_kept" | "busy";

/**
 * Holds the room; the address of the page that takes the payment, or why there is none. A form that
 * is sent again leads to the page of the first time, so that a double click holds one room. Once
 * that page is over, it holds another room: browsers keep a page with its key while it is the same,
 * and the next person at the browser must not be shown the booking of the one before.
 */
export async function reserved(
  call: PublicCall,
  order: Order,
): Promise<{ readonly location: string } | NoRoom> {
  const { keys, config } = call.context;
  const text = JSON.stringify(["book-page", order.pageKey, quoteOf(order)]);
  try {
    const session = await sessionFor(call, order, hmacHex(keys.hmac, text, FORM_BYTES));
    if (typeof session === "string") return session;
    const path = pagePath(linkToken(call.context, session.session_id));
    const query = order.lang === null ? "" : `?lang=${order.lang}`;
    return { location: config.baseUrl + path + query };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return "busy";
  }
}

type Made = { readonly session_id: string } | NoRoom;

async function sessionFor(call: PublicCall, order: Order, form: string): Promise<Made> {
  const { checkout, now } = call.context;
  const claimedMs = now();
  if (!checkout.claim(form, claimedMs)) {
    const first = await sessionOfFirst(call, form);
    if (typeof first === "string" || !isOver(call, order, first.session_id)) return first;
    checkout.release(form, first.session_id);
    return sessionFor(call, order, form);
  }
  let session_id: string | null = null;
  try {
    session_id = await newSession(call, order);
  } finally {
    settle(call, form, claimedMs, session_id);
  }
  return session_id === null ? "not_kept" : { session_id };
}

/** A claim that cannot be settled ends by itself; the guest need not wait for that. */
function settle({ context }: PublicCall, form: string, claimedMs: number, id: string | null): void {
  try {
    context.checkout.settle(form, claimedMs, id);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Whether nobody can book by the session any more; a hold that is not known here yet is new. */
function isOver({ context }: PublicCall, { seller }: Order, session_id: string): boolean {
  const session = context.checkout.find(session_id, seller, context.now());
  if (session === null) return true;
  const { state, records } = context.replica;
  const hold = state.holds.get(session.hold_id) ?? records.hold(session.hold_id);
  return hold !== null && checkoutState(session, hold, context.timeIn(session)) !== "open";
}

async function sessionOfFirst({ context }: PublicCall, form: string): Promise<Made> {
  for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += LOOK_MS) {
    const session_id = context.checkout.claimed(form);
    if (session_id === undefined) return "not_kept";
    if (session_id !== null) return { session_id };
    await Bun.sleep(LOOK_MS);
  }
  return "busy";
}

async function newSession(call: PublicCall, order: Order): Promise<string | null> {
  const seller = agentCallOf(call, order.seller.credential_id);
  if ("ok" in seller) return null;
  const headers = { "idempotency-key": crypto.randomUUID() };
  const ask = async (inner: InProcessCall): Promise<Readonly<Record<string, string>> | null> => {
    const { body } = await callRoute(seller, { ...inner, headers });
    return (body.data as Readonly<Record<string, string>> | undefined) ?? null;
  };
  const quote = await ask({ id: "quote", body: quoteOf(order) });
  if (quote === null) return null;
  const hold = await ask({ id: "hold", body: { quote_id: quote.quote_id } });
  if (hold === null) return null;
  const { hold_id = "" } = hold;
  const session = await ask({ id: "create_checkout_session", body: { hold_id } });
  // Nobody could book this hold: its room is free again at once.
  if (session === null) await ask({ id: "release_hold", params: { id: hold_id }, body: {} });
  return session?.session_id ?? null;
}

function quoteOf({ property, asked }: Order) {
  const { checkInDay, nights, adults, room, rate } = asked;
  return {
    ...{ hotel_id: property.tree.id, room_type_id: room, rate_plan_id: rate },
    stay: { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) },
    guests: { adults, children: [] },
  };
}
