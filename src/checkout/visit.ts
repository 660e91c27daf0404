/**
 * A visit to a checkout page. Who has the link may see the hold and its booking; booking needs the
 * agent's credential as the control plane has it now.
 */
import type { Hold, Payment } from "../../engine/core/records.ts";
import { checkoutIssuer } from "../access/auth/delegation.ts";
import type { CheckoutSession } from "../access/control/checkout-sessions.ts";
import type { AccessRefusal } from "../access/control/principal.ts";
import { hmacHex, travelerHash } from "../access/privacy/personal-data.ts";
import { type CheckoutState, checkoutState, pagePath } from "../api/checkout/state.ts";
import type { PublicCall } from "../http/call.ts";
import type { Context } from "../http/context.ts";
import type { FrontCall } from "../http/in-process.ts";
import { agentCallOf } from "../page-parts/agent-call.ts";
import { rootPath } from "../pages/frame.ts";
import { type Tongue, tongueOf } from "./tongue.ts";

const TOKEN = /^[0-9a-f]{64}$/;
const KEY_BYTES = 16;

export type Asking = PublicCall<unknown, "token">;

/** What a booking is made of; its person need not be there. */
export interface Attempt {
  readonly session: CheckoutSession;
  readonly hold: Hold;
  readonly state: CheckoutState;
  /** The last attempt to pay; null before the first. */
  readonly payment: Payment | null;
  /** Rises with every attempt that has failed. */
  readonly attempt: number;
}

/** An attempt and who makes it. */
export interface Attempting extends Attempt {
  readonly call: FrontCall;
}

export interface Visit extends Attempt {
  readonly call: Asking;
  readonly tongue: Tongue;
  /** Path prefix of the service. */
  readonly root: string;
  /** Path of the page, below the prefix. */
  readonly path: string;
}

/** The visit by the token of the address; null for one that is unknown or no longer kept. */
export function visitOf(call: Asking): Visit | null {
  const { context, params } = call;
  const { token } = params;
  const session = TOKEN.test(token) ? context.checkout.byToken(token, context.now()) : null;
  const attempt = session && attemptOf(context, session);
  if (!attempt) return null;
  const root = rootPath(context.config);
  return { call, ...attempt, tongue: tongueOf(call), root, path: pagePath(token) };
}

/** The present attempt to book by a session; null when its hold is no longer kept. */
export function attemptOf(context: Context, session: CheckoutSession): Attempt | null {
  const { state: fold, records } = context.replica;
  const hold = fold.holds.get(session.hold_id) ?? records.hold(session.hold_id);
  if (!hold) return null;
  const { payment_id } = hold;
  const payment = payment_id && (fold.payments.get(payment_id) ?? records.payment(payment_id));
  return {
    ...{ session, hold },
    state: stateFor(context, session, hold),
    payment: payment || null,
    attempt: session.refusals + failedPayments(payment || null),
  };
}

/** Who has a link that was taken back sees the booking only if this link made it. */
function stateFor(context: Context, session: CheckoutSession, hold: Hold): CheckoutState {
  const state = checkoutState(session, hold, context.timeIn(session));
  if (state !== "completed" || session.cancelled_at === null) return state;
  const { keys, config, replica } = context;
  const own = travelerHash(keys.hmac, checkoutIssuer(config), session.session_id);
  const booking = replica.records.booking(hold.booking_id!);
  return booking?.traveler.hash === own ? state : "cancelled";
}

function failedPayments(payment: Payment | null): number {
  if (payment === null) return 0;
  return payment.state === "failed" ? payment.attempt : payment.attempt - 1;
}

/** A call with the present rights of the agent that handed the hold over, or why there are none. */
export function agentCall({
  call,
  session,
}: Pick<Attempting, "call" | "session">): FrontCall | AccessRefusal {
  return agentCallOf(call, session.credential_id);
}

/**
 * The idempotency key of one attempt: all tabs and repeated clicks have the same, so that they make
 * one booking. A hold that is handed over again has others: what the page before has asked for was
 * for another address and consent. The agent cannot know it. `variant`: what else the provider is
 * told, because the same key must not come with other terms.
 */
export function keyOf(
  { call, session, hold, attempt }: Pick<Attempting, "call" | "session" | "hold" | "attempt">,
  deed: "book" | "extend" | "pay",
  variant = "",
): string {
  const nth = deed === "extend" ? hold.extensions : attempt;
  const { session_id } = session;
  const text = JSON.stringify([`checkout-${deed}`, session_id, hold.hold_id, nth, variant]);
  return hmacHex(call.context.keys.hmac, text, KEY_BYTES);
}
