/** Next actions of a quote. */
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { changesOf, ELSEWHERE } from "../../actions/changes.ts";
import { offeredKey } from "../../actions/keys.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";

export interface QuoteStep {
  readonly quote_id: string;
  readonly expires_at: string;
  /** Instant of the read, epoch milliseconds; makes the keys of its offers distinct. */
  readonly readAtMs?: number;
  /** Units that could be held now. */
  readonly sellable: number;
  readonly request: QuoteRequest;
  readonly alternatives: readonly QuoteRequest[];
  /** Active holds of the quote, newest first. */
  readonly hold_ids: readonly string[];
  /** Bookings of the quote that are not cancelled, newest first. */
  readonly booking_ids: readonly string[];
}

/**
 * Hold it; when nothing is sellable, the alternatives, then the same stay elsewhere (domain §0). A
 * quote that is held or booked leads only to its holds and bookings: another hold would take a
 * second room.
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
  const { quote_id, request, expires_at, readAtMs = 0 } = quote;
  if (quote.sellable > 0) {
    const body = { quote_id, idempotency_key: offeredKey("hold", quote_id, readAtMs) };
    return permitted([post("create_hold", "/v1/holds", body, { expires_at })], may);
  }
  const requotes = quote.alternatives.map((each) =>
    post("requote", "/v1/quotes", quoteBody(each), changesOf(request, each)),
  );
  const elsewhere = post("search", "/v1/search", stayBody(request), ELSEWHERE);
  return permitted([...requotes, elsewhere], may);
}
