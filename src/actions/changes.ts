/** Differences of an offered call from the caller's request. */
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import type { ActionParts } from "./next-action.ts";

type Changes = Pick<ActionParts, "changes">;

/** Of a search at another place, or at all of them. */
export const ELSEWHERE: Changes = { changes: ["/destination"] };

const OFFER = ["hotel_id", "room_type_id", "rate_plan_id"] as const;
const DATES = ["check_in", "check_out"] as const;

/** The dates of a stay that differ from those of another. */
export function datesChanged(asked: QuoteRequest["stay"], other: QuoteRequest["stay"]) {
  return DATES.filter((name) => asked[name] !== other[name]).map((name) => `/stay/${name}`);
}

/** The members of a quote request that differ from those of another; nothing when none does. */
export function changesOf(asked: QuoteRequest, other: QuoteRequest): Changes | undefined {
  const offer = OFFER.filter((name) => asked[name] !== other[name]).map((name) => `/${name}`);
  const changes = [...offer, ...datesChanged(asked.stay, other.stay)];
  return changes.length > 0 ? { changes } : undefined;
}
