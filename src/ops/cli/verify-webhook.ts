/** Verification of a webhook (Standard Webhooks 1.0.0, symmetric). */
import { createHmac, timingSafeEqual } from "node:crypto";

const SECRET_PREFIX = "whsec_";
/** Largest clock difference. An older delivery may be a replayed recording. */
const TOLERANCE_S = 300;

interface Received {
  readonly headers: Headers;
  /** The raw body: parsing and serializing would change its bytes. */
  readonly body: string;
}

/** Whether a text has the form of an endpoint's secret. */
export function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text);
}

/** Why verification fails, or null when the webhook is genuine. */
export function webhookFault(
  { headers, body }: Received,
  secret: string,
  nowS: number,
): string | null {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (!id || !timestamp || !signatures) return "a webhook header is missing";
  if (!/^\d{1,12}$/.test(timestamp)) return "webhook-timestamp is not a number";
  if (Math.abs(nowS - Number(timestamp)) > TOLERANCE_S) {
    return `webhook-timestamp is more than ${TOLERANCE_S} s off`;
  }
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = signatures.split(" ").some((each) => {
    const [version, text = ""] = each.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? null : "no signature matches this secret";
}
