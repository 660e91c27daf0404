/** Origins whose pages may call the API: `CORS_ORIGINS`. */

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
