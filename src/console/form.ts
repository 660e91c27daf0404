/**
 * Forms of pages for people. A form is taken only when the browser says that a page of this service
 * sent it, and, once signed in, when it carries the token of its session and address. Either check
 * alone stops a forged request.
 */
import { timingSafeEqual } from "node:crypto";
import type { ConsoleSession } from "../access/control/console-sessions.ts";
import { hmacHex } from "../access/privacy/personal-data.ts";
import { readText } from "../http/body.ts";
import type { PublicCall } from "../http/call.ts";
import type { Context } from "../http/context.ts";

/** Names of the hidden fields. */
export const TOKEN_FIELD = "form_token";
export const KEY_FIELD = "idempotency_key";
/** Of a calendar of many rooms, without the script that sends only changed values. */
const FIELDS_MAX = 10_000;
const TOKEN_BYTES = 32;

export type Form = ReadonlyMap<string, string>;

/**
 * The key of a sent form, as a header of the API: a form that is sent twice is one deed. `part`
 * distinguishes the calls of a form that makes several.
 */
export function keyHeader(sent: Form, part = ""): Readonly<Record<string, string>> {
  return { "idempotency-key": (sent.get(KEY_FIELD) ?? "") + part };
}

/** The JSON of a hidden field; null for what is none, which the API refuses. */
export function jsonIn(sent: Form, name: string): unknown {
  try {
    return JSON.parse(sent.get(name) ?? "");
  } catch {
    return null;
  }
}

/**
 * The fields of a sent form, the last value of each name; null when it is no form, or larger than
 * `bytesMax`.
 */
export async function readForm(
  { request }: Pick<PublicCall, "request">,
  bytesMax: number,
): Promise<Form | null> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return null;
  const reading = await readText(request, bytesMax);
  if (!reading.ok || reading.text.split("&", FIELDS_MAX + 1).length > FIELDS_MAX) return null;
  return new Map(new URLSearchParams(reading.text));
}

/**
 * Whether a page of this service sent the request (Fetch Metadata). Browsers without that header
 * send `Origin` with a form.
 */
export function isOfOurPages({ request, context }: Pick<PublicCall, "request" | "context">) {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === new URL(context.config.baseUrl).origin;
}

/** Token of the forms that lead to `path`, for this session alone. */
export function formToken({ keys }: Context, { id_hash }: ConsoleSession, path: string): string {
  return hmacHex(keys.hmac, JSON.stringify(["console-form", id_hash, path]), TOKEN_BYTES);
}

/** Whether the form has the token of its session and address. */
export function hasToken(
  { context, path }: Pick<PublicCall, "context" | "path">,
  session: ConsoleSession,
  form: Form,
): boolean {
  const expected = Buffer.from(formToken(context, session, path));
  const sent = Buffer.from(form.get(TOKEN_FIELD) ?? "");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
