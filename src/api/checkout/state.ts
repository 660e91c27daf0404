/** State and address of a checkout session; both follow from the session and its hold. */
import { type Hold, isDue } from "../../../engine/core/records.ts";
import type { CheckoutSession } from "../../access/control/checkout-sessions.ts";
import { hmacHex } from "../../access/privacy/personal-data.ts";
import type { Context } from "../../http/context.ts";

export const CHECKOUT_STATES = ["open", "completed", "expired", "cancelled"] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

const TOKEN_BYTES = 32;

/** The state of a session at an instant of engine time in its realm. */
export function checkoutState(
  { cancelled_at }: Pick<CheckoutSession, "cancelled_at">,
  hold: Hold,
  atMs: number,
): CheckoutState {
  if (hold.state === "consumed") return "completed";
  if (cancelled_at !== null || hold.state === "released") return "cancelled";
  return hold.state === "expired" || isDue(hold, atMs) ? "expired" : "open";
}

/** The secret of the link: 256 bits, made again from the session's id whenever it is shown. */
export function linkToken({ keys }: Pick<Context, "keys">, session_id: string): string {
  return hmacHex(keys.hmac, JSON.stringify(["checkout-link", session_id]), TOKEN_BYTES);
}

/** Path of the page below the root of the service. */
export function pagePath(token: string): string {
  return `/checkout/${token}`;
}

/**
 * Why this installation cannot take the payment of a hold on the page; null when it can. Test cards
 * exist only for the sandbox provider, and no page of another provider is built in.
 */
export function missingForPage({ config }: Pick<Context, "config">, { quote }: Hold) {
  return quote.due_now === 0 || config.paymentProvider === "sandbox" ? null : "checkout_page";
}
