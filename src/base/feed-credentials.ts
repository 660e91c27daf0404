/** What partners must show who fetch feeds: `FEED_CREDENTIALS`. */
import { createHash } from "node:crypto";
import { profileOf } from "../../feeds/partners.ts";

/** Partner → digest of its user and password; a partner that is not in it needs none. */
export type FeedCredentials = ReadonlyMap<string, Buffer>;

const ENTRY = /^([a-z]+)=([^:,\s]+):([^:,\s]+)$/;

/** Digest of `user:password` as HTTP Basic joins them: the passwords themselves are not kept. */
export function credentialDigest(pair: string | Uint8Array): Buffer {
  return createHash("sha256").update(pair).digest();
}

/**
 * Reads `partner=user:password,…`, whose users and passwords are percent-encoded; null when it is
 * no such list, names a partner twice or one that there is not.
 */
export function feedCredentialsIn(text: string): FeedCredentials | null {
  const found = new Map<string, Buffer>();
  for (const entry of text.split(",")) {
    const [, partner = "", user = "", password = ""] = ENTRY.exec(entry.trim()) ?? [];
    const profile = profileOf(partner);
    if (!profile || found.has(profile.name)) return null;
    const pair = [user, password].map(percentDecoded);
    // Basic has no way to say a colon in a user's name.
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
