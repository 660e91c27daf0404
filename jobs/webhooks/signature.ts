/** Signatures of Standard Webhooks 1.0.0: HMAC-SHA256 over id, timestamp and body. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * The `webhook-signature` header: one signature for each secret, so that a receiver that knows any
 * of them can verify during a rotation.
 */
export function signatureOf(
  secrets: readonly string[],
  { id, timestampS, body }: { id: string; timestampS: number; body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), "base64");
      const signed = `${id}.${timestampS}.${body}`;
      return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    })
    .join(" ");
}
