/** The header `Retry-After` (RFC 9110 §10.2.3). */

/** Longer requests are cut to a day. */
const RETRY_AFTER_S_MAX = 86_400;

/** Seconds to wait, at most a day; null when the header is missing or invalid. */
export function retryAfterS(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text), RETRY_AFTER_S_MAX);
  // A date starts with a weekday; `Date.parse` would read a negative number as a year.
  const atMs = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, Math.ceil((atMs - nowMs) / 1000)), RETRY_AFTER_S_MAX);
}
