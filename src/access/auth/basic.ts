/** Whether a request shows the HTTP Basic credential that is asked of it (RFC 7617). */
import { timingSafeEqual } from "node:crypto";
import { credentialDigest } from "../../../feeds/credentials.ts";

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * `reason` of `unauthenticated`; null when the header holds the pair of that digest. Digests of any
 * two pairs take the same time to compare.
 */
export function basicFault(authorization: string | null, digest: Buffer): string | null {
  if (authorization === null) return "missing_credential";
  const [, coded] = BASIC.exec(authorization) ?? [];
  if (coded === undefined) return "basic_scheme_required";
  const shown = credentialDigest(Buffer.from(coded, "base64"));
  return timingSafeEqual(shown, digest) ? null : "unknown_credential";
}
