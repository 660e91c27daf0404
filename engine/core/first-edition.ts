/**
 * How the first edition priced children and put terms into words. Quotes are rendered for as long
 * as their bookings live, and their hashes are over what was rendered: what an edition said once
 * never changes.
 */
import { localTime } from "./calendar.ts";
import type { FrozenQuote } from "./quote.ts";
import type { PolicyTerms } from "./supply.ts";

type Quoted = Pick<FrozenQuote, "fees" | "created_at">;

function isFreeAtCreation({ fees, created_at }: Quoted): boolean {
  return fees.tiers.some((tier) => created_at < tier.until_ms);
}

/** Knew the share after the last tier alone, also of a quote that was made after the anchor. */
export function firstRefundability(afterBps: number, quote: Quoted) {
  const bps = isFreeAtCreation(quote) ? 0 : afterBps;
  if (bps === 0) return "refundable";
  return bps === 10_000 ? "non_refundable" : "partially_refundable";
}

/** Said nothing of what is due from check-in on. */
export function firstDescription(
  { cancellation_kind }: PolicyTerms,
  afterBps: number,
  quote: Quoted,
  zone: string,
): string {
  const percent = `${afterBps / 100} %`;
  const cutoffMs = quote.fees.tiers.at(-1)?.until_ms;
  if (cancellation_kind === "non_refundable") {
    return "Non-refundable: the prepaid amount is kept.";
  }
  if (cutoffMs === undefined) return `Cancellation fee from booking: ${percent}.`;
  const cutoff = localText(cutoffMs, zone);
  if (isFreeAtCreation(quote)) return `Free cancellation until ${cutoff}; then ${percent}.`;
  return `Free cancellation ended ${cutoff}; cancellation fee ${percent}.`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `18 Dec 2026 15:00 Madrid`. */
function localText(ms: number, zone: string): string {
  const { text } = localTime(ms, zone);
  const month = MONTHS[Number(text.slice(5, 7)) - 1]!;
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  return `${Number(text.slice(8, 10))} ${month} ${text.slice(0, 4)} ${text.slice(11, 16)} ${city}`;
}
