/** Whose pages may call: `CORS_ORIGINS`. */

/**
 * Reads `https://app.example,http://localhost:6274`; null when one of them is no origin. Each is
 * kept as browsers send it, in small letters and without the port that its scheme implies. There is
 * no wildcard, and `null` is refused: it is the origin of every sandboxed page and local file.
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
