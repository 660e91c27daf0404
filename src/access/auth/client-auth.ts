/**
 * OAuth client authentication (RFC 6749 §2.3.1), by HTTP Basic or in the body. The client id is the
 * agent id, the password any of its secrets.
 */

import type { Principal } from "../control/principal.ts";
import type { ControlView } from "../control/view.ts";
import { looksLikeSecret } from "../privacy/credential-secret.ts";
import { type Authentication, refusalOf } from "./bearer.ts";

export interface ClientPassword {
  readonly client_id: string;
  readonly client_secret: string;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes a form value. Throws a URIError for invalid text. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

/**
 * Id and secret of a Basic `Authorization` header; null when malformed. Both are form-encoded (RFC
 * 6749 §2.3.1); raw ids and secrets of this service decode to themselves.
 */
export function readBasic(authorization: string): ClientPassword | null {
  const [, coded] = BASIC.exec(authorization) ?? [];
  if (coded === undefined) return null;
  try {
    const text = UTF8.decode(Buffer.from(coded, "base64"));
    const colon = text.indexOf(":");
    if (colon < 0) return null;
    const [client_id, client_secret] = [text.slice(0, colon), text.slice(colon + 1)];
    return { client_id: formDecoded(client_id), client_secret: formDecoded(client_secret) };
  } catch {
    return null;
  }
}

/**
 * Authenticates HTTP Basic on a route for clients that know no bearer tokens; null for another
 * scheme or none.
 */
export function authenticateBasic(
  control: ControlView,
  authorization: string | null,
  nowMs: number,
): Authentication | null {
  if (authorization === null || !/^basic /i.test(authorization)) return null;
  const client = authenticateClient(control, authorization, {}, nowMs);
  if (client.ok) return client;
  return { ok: false, code: "unauthenticated", detail: { reason: "unknown_credential" } };
}

/** The client's principal, or `error_description`. */
export type ClientReading =
  | { readonly ok: true; readonly principal: Principal }
  | { readonly ok: false; readonly problem: string };

/**
 * True for two methods at once, which RFC 6749 §2.3 forbids: the header and a `client_secret` in
 * the body. A `client_id` alone only names the client.
 */
export function authenticatesTwice(
  authorization: string | null,
  { client_secret }: Partial<ClientPassword>,
): boolean {
  return authorization !== null && client_secret !== undefined;
}

/**
 * Authenticates a client by header or body; a `client_id` beside the header must match. All
 * failures of a complete pair give one answer, so ids cannot be probed.
 */
export function authenticateClient(
  control: ControlView,
  authorization: string | null,
  body: Partial<ClientPassword>,
  nowMs: number,
): ClientReading {
  const basic = authorization === null ? null : readBasic(authorization);
  if (authorization !== null && basic === null) {
    return { ok: false, problem: "the Authorization header is not well-formed HTTP Basic" };
  }
  if (basic !== null && body.client_id !== undefined && body.client_id !== basic.client_id) {
    return { ok: false, problem: "client_id differs from the Authorization header's" };
  }
  const { client_id, client_secret } = basic ?? body;
  if (client_id === undefined) return { ok: false, problem: "client_id is missing" };
  if (client_secret === undefined) return { ok: false, problem: "client_secret is missing" };
  const entry = looksLikeSecret(client_secret) ? control.credential(client_secret) : undefined;
  const principal = entry?.authenticated.principal;
  if (principal?.agent_id !== client_id || refusalOf(entry, nowMs) !== null) {
    return { ok: false, problem: "client_id or client_secret is not valid" };
  }
  return { ok: true, principal };
}
