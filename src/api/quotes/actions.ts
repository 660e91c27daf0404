/** What follows a quote. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";

export interface QuoteStep {
  readonly quote_id: string;
  readonly expires_at: string;
  /** Units that could be held now. */
  readonly sellable: number;
  readonly request: QuoteRequest;
  readonly alternatives: readonly QuoteRequest[];
  /** Holds that stand on it already, newest first. */
  readonly hold_ids: readonly string[];
  /** What it was booked by, newest first; without what is cancelled. */
  readonly booking_ids: readonly string[];
}

/**
 * Hold it, or when nothing is sellable look elsewhere (domain §0). One that is held or booked leads
 * to its hold and booking alone: holding it again would take a second room, and elsewhere nobody
 * need look.
 */
export function quoteActions(quote: QuoteStep, may?: May): NextAction[] {
  const standing = [
    ...quote.hold_ids.map((id) => `/v1/holds/${id}`),
    ...quote.booking_ids.map((id) => `/v1/bookings/${id}`),
  ];
  if (standing.length > 0) {
    const reads = standing.map((href) => action("get", "GET", href));
    return permitted(reads, may);
  }
  if (quote.sellable > 0) {
    const extra = { body_hint: { quote_id: quote.quote_id }, expires_at: quote.expires_at };
    return permitted([action("create_hold", "POST", "/v1/holds", extra)], may);
  }
  const requotes = quote.alternatives.map((each) => post("requote", "/v1/quotes", quoteBody(each)));
  return permitted([post("search", "/v1/search", stayBody(quote.request)), ...requotes], may);
}
