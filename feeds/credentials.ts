/** Credentials of partners that fetch feeds: `FEED_CREDENTIALS`. */
import { createHash } from "node:crypto";
import { profileOf } from "./partners.ts";

/** Partner → digest of its user and password; other partners need no credential. */
export type FeedCredentials = ReadonlyMap<string, Buffer>;

const ENTRY = /^([a-z]+)=([^:,\s]+):([^:,\s]+)$/;

/** Digest of `user:password` as in HTTP Basic; passwords themselves are not kept. */
export function credentialDigest(pair: string | Uint8Array): Buffer {
  return createHash("sha256").update(pair).digest();
}

/**
 * Reads `partner=user:password,…` with percent-encoded users and passwords; null for a malformed
 * list, a duplicate or an unknown partner.
 */
export function feedCredentialsIn(text: string): FeedCredentials | null {
  const found = new Map<string, Buffer>();
  for (const entry of text.split(",")) {
    const [, partner = "", user = "", password = ""] = ENTRY.exec(entry.trim()) ?? [];
    const profile = profileOf(partner);
    if (!profile || found.has(profile.name)) return null;
    const pair = [user, password].map(percentDecoded);
    // HTTP Basic does not allow a colon in a user name.
    if (pair.includes(null) || pair[0]?.includes(":")) return null;
    found.set(profile.name, credentialDigest(pair.join(":")));
  }
  return found;
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
