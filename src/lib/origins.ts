/** Origins of other pages: those that may call the API (`CORS_ORIGINS`), and those led back to. */

/**
 * Reads `https://app.example,http://localhost:6274`; null when one is not an origin. Origins are
 * normalized as browsers send them: lower case, without default ports. Wildcards and `null`, the
 * origin of every sandboxed page and local file, are refused.
 */
export function originsIn(text: string): ReadonlySet<string> | null {
  const found = new Set<string>();
  for (const part of text.split(",")) {
    const named = part.trim();
    const url = URL.parse(named);
    const isOrigin = /^https?:\/\/[^/?#@\\\s*]+$/i.test(named) && url?.host;
    if (!isOrigin) return null;
    found.add(url.origin);
  }
  return found;
}

/** Hosts of this machine, as browsers write them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origin of an absolute address to which a page may lead a person: `https`, or `http` on this
 * machine. Null for any other address, and for one with a user or password.
 */
export function returnOriginOf(address: string): string | null {
  const url = /[\s\\]/.test(address) ? null : URL.parse(address);
  if (url === null || url.username + url.password !== "" || url.hostname.includes("*")) return null;
  const isOpen = url.protocol === "https:";
  const isLocal = url.protocol === "http:" && LOOPBACK.test(url.hostname);
  return isOpen || isLocal ? url.origin : null;
}
