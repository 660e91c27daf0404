/** What a receiver does before it believes a webhook (Standard Webhooks 1.0.0, symmetric). */
import { createHmac, timingSafeEqual } from "node:crypto";

const SECRET_PREFIX = "whsec_";
/** Either way: clocks differ, and a delivery of long ago may be somebody's recording. */
const TOLERANCE_S = 300;

interface Received {
  readonly headers: Headers;
  /** As it came: parsing it and writing it again would change it. */
  readonly body: string;
}

/** True of what an endpoint's secret looks like. */
export function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text);
}

/** Why a webhook is not to be believed, or null when it is genuine. */
export function webhookFault(
  { headers, body }: Received,
  secret: string,
  nowS: number,
): string | null {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (!id || !timestamp || !signatures) return "a webhook header is missing";
  if (!/^\d{1,12}$/.test(timestamp)) return "webhook-timestamp is no number";
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
  return isSigned ? null : "no signature is of this secret";
}
