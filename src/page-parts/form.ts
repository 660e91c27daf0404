/**
 * Forms of pages for people. A form is taken only when the browser says that a page of this service
 * sent it, and when it carries the token of its session and address. Either check alone stops a
 * forged request.
 */
import { timingSafeEqual } from "node:crypto";
import { hmacHex } from "../access/privacy/personal-data.ts";
import { BODY_BYTES_MAX, readText } from "../http/body.ts";
import type { PublicCall } from "../http/call.ts";

/** Names of the hidden fields. */
export const TOKEN_FIELD = "form_token";
export const KEY_FIELD = "idempotency_key";
/** Of a calendar of many rooms, without the script that sends only changed values. */
const FIELDS_MAX = 10_000;
const TOKEN_BYTES = 32;

export type Form = ReadonlyMap<string, string>;

/** A session of one kind of pages. */
export interface SessionForms {
  readonly kind: "console" | "checkout" | "guest";
  /** Names the session and is no secret. */
  readonly session: string;
}

/** With the address that a form leads to. */
export interface FormOf extends SessionForms {
  readonly path: string;
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

/** Token of the forms that lead to an address, for one session alone. */
export function tokenOf(hmacKey: Uint8Array, { kind, session, path }: FormOf): string {
  return hmacHex(hmacKey, JSON.stringify([`${kind}-form`, session, path]), TOKEN_BYTES);
}

/** Whether the form has the token of its session and address. */
export function hasTokenOf(hmacKey: Uint8Array, form: Form, of: FormOf): boolean {
  const expected = Buffer.from(tokenOf(hmacKey, of));
  const sent = Buffer.from(form.get(TOKEN_FIELD) ?? "");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** The fields of a form with the token of its session and address; null for any other. */
export async function formOf(call: PublicCall, of: SessionForms): Promise<Form | null> {
  const sent = await readForm(call, BODY_BYTES_MAX);
  if (sent === null || !isOfOurPages(call)) return null;
  return hasTokenOf(call.context.keys.hmac, sent, { ...of, path: call.path }) ? sent : null;
}

/** A field as the value of a header; what no header can have is a space, which the API refuses. */
export function headerText(sent: Form, name: string): string {
  return (sent.get(name) ?? "").replace(/[^\x20-\x7e]/g, " ");
}

/**
 * The key of a sent form, as a header of the API: a form that is sent twice is one deed. `part`
 * distinguishes the calls of a form that makes several.
 */
export function keyHeader(sent: Form, part = ""): Readonly<Record<string, string>> {
  return { "idempotency-key": headerText(sent, KEY_FIELD) + part };
}
