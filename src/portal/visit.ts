/**
 * A visit of a guest: the cookie holds the secret of the session, with which the pages call the
 * API's routes. Pages read and change nothing in any other way.
 */
import type { Static } from "@sinclair/typebox";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import type { GuestBooking } from "../api/guest/responses.ts";
import type { PrivatePage, Refusal, Verbatim } from "../http/answer.ts";
import type { PublicCall } from "../http/call.ts";
import { callRoute, type InProcessCall } from "../http/in-process.ts";
import { sessionCookie } from "../page-parts/cookie.ts";
import type { Form } from "../page-parts/form.ts";
import { type Tongue, tongueOf } from "./tongue.ts";

export const COOKIE = sessionCookie("__Host-innkeep-guest");

export type Answer = PrivatePage | Verbatim | Refusal;
export type OwnBooking = Static<typeof GuestBooking>;

export interface Fault {
  readonly status: number;
  readonly code: RefusalCode;
  readonly detail: Readonly<Record<string, unknown>>;
}

export type Asked<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly fault: Fault };

/** Calls a route of the API, as the guest of `secret` unless it is empty. */
export async function ask<T>(
  call: PublicCall,
  secret: string,
  { headers, ...inner }: InProcessCall,
): Promise<Asked<T>> {
  const own = secret === "" ? {} : { authorization: `Bearer ${secret}` };
  const { context, clientAddress, again } = call;
  const front = { context, clientAddress, again };
  const { status, body } = await callRoute(front, { ...inner, headers: { ...headers, ...own } });
  const error = body.error as Omit<Fault, "status"> | undefined;
  if (error) return { ok: false, fault: { status, code: error.code, detail: error.detail ?? {} } };
  return { ok: true, data: body.data as T };
}

/** A guest who is signed in, with the booking as it is now. */
export interface Visit {
  readonly call: PublicCall;
  readonly tongue: Tongue;
  readonly secret: string;
  readonly booking: OwnBooking;
}

/** The visit of the cookie's session; a fault when it has ended or the booking cannot be read. */
export async function visitOf(call: PublicCall): Promise<Visit | Fault> {
  const secret = COOKIE.valueIn(call.request);
  if (secret === null) return { status: 401, code: "unauthenticated", detail: {} };
  const asked = await ask<OwnBooking>(call, secret, { id: "get_guest_booking" });
  if (!asked.ok) return asked.fault;
  return { call, tongue: tongueOf(call), secret, booking: asked.data };
}

/** A text field without the spaces around it. */
export function field(sent: Form, name: string): string {
  return (sent.get(name) ?? "").trim();
}
