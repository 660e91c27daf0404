/** State and address of a checkout session; both follow from the session and its hold. */
import { type Hold, isDue } from "../../../engine/core/records.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import type { CheckoutSession } from "../../access/control/checkout-sessions.ts";
import { hmacHex } from "../../access/privacy/personal-data.ts";
import type { Context } from "../../http/context.ts";
import type { FieldError } from "../../http/validate.ts";
import { returnOriginOf } from "../../lib/origins.ts";
import { RETURN_URL } from "./requests.ts";

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

/** The missing setting when the page cannot take a payment of `dueNow` minor units; else null. */
export function missingForPage({ config }: Pick<Context, "config">, dueNow: number) {
  return dueNow === 0 ? null : missingForPayments(config);
}

type Control = Pick<Context, "control">;

function isRegistered({ control }: Control, agent_id: string, address: string): boolean {
  const origin = returnOriginOf(address);
  return origin !== null && control.returnOriginsOf(agent_id).includes(origin);
}

/** Why a page of the agent's may not lead to that address; null when it may. */
export function returnFault(
  context: Control,
  agent_id: string,
  address: string | undefined,
): FieldError | null {
  if (address === undefined || isRegistered(context, agent_id, address)) return null;
  const origins = context.control.returnOriginsOf(agent_id);
  const expected = `${RETURN_URL}: ${origins.join(", ") || "none is registered"}`;
  return { path: "/return_url", message: "is at no registered origin", expected };
}

/**
 * Where the page of an ended session leads back to: the session and its state, nothing of the
 * guest. Null without an address, and when its origin is no longer registered.
 */
export function returnAddress(
  context: Control,
  { agent_id, session_id, return_url }: CheckoutSession,
  state: CheckoutState,
): URL | null {
  if (return_url === null || !isRegistered(context, agent_id, return_url)) return null;
  const url = new URL(return_url);
  url.searchParams.set("session_id", session_id);
  url.searchParams.set("state", state);
  return url;
}
