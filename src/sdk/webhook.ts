/** What a receiver does before it believes a webhook (Standard Webhooks 1.0.0, symmetric). */
import { bytesOfBase64 } from "./base64.ts";
import type { Event } from "./types.ts";

/** A request, its headers, or headers as Node has them. */
export type WebhookSource =
  | Headers
  | { readonly headers: Headers }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How far `webhook-timestamp` may be off, seconds; 300 unless given. */
  readonly toleranceS?: number | undefined;
}

/** The webhook is not to be believed: answer 400 and do nothing of what it says. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

const TOLERANCE_S = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

function reader(source: WebhookSource): (name: string) => string | null {
  const headers =
    "headers" in source && source.headers instanceof Headers ? source.headers : source;
  if (headers instanceof Headers) return (name) => headers.get(name);
  const fields = Object.entries(headers as Readonly<Record<string, unknown>>);
  const lower = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = lower.get(name);
    return typeof value === "string" ? value : null;
  };
}

/**
 * The event of a webhook that the holder of `secret` has signed; throws `WebhookError` otherwise.
 * `body` is what came, byte for byte. Give the old secret beside the new while you rotate them.
 * Deliveries may come twice: remember `event.id`.
 */
export async function verifyWebhook(
  source: WebhookSource,
  body: string | Uint8Array,
  secret: string | readonly string[],
  { toleranceS = TOLERANCE_S }: WebhookOptions = {},
): Promise<Event> {
  const header = reader(source);
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  const signatures = header("webhook-signature");
  if (!id || !timestamp || !signatures) throw new WebhookError("a webhook header is missing");
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError("webhook-timestamp is not a number");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceS) {
    throw new WebhookError(`webhook-timestamp is more than ${toleranceS} s off`);
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of typeof secret === "string" ? [secret] : secret) {
    if (await isSigned(signed, signatures, each)) return JSON.parse(text) as Event;
  }
  throw new WebhookError("no signature matches this secret");
}

/** Compared by WebCrypto, which takes equally long whatever differs. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secret: string,
): Promise<boolean> {
  const [, encoded] = SECRET.exec(secret) ?? [];
  if (encoded === undefined) throw new TypeError("a webhook secret begins with whsec_");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = bytesOfBase64(encoded);
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  for (const each of signatures.split(" ")) {
    const [version, given = ""] = each.split(",");
    if (version !== "v1" || !/^[A-Za-z0-9+/]{43}=$/.test(given)) continue;
    if (await crypto.subtle.verify("HMAC", key, bytesOfBase64(given), signed)) return true;
  }
  return false;
}
