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
}

/**
 * Hold it, or when nothing is sellable look elsewhere (domain §0). One that is held leads to its
 * hold alone: holding it again would take a second room, and elsewhere nobody need look.
 */
export function quoteActions(quote: QuoteStep, may?: May): NextAction[] {
  if (quote.hold_ids.length > 0) {
    const holds = quote.hold_ids.map((id) => action("get", "GET", `/v1/holds/${id}`));
    return permitted(holds, may);
  }
  if (quote.sellable > 0) {
    const extra = { body_hint: { quote_id: quote.quote_id }, expires_at: quote.expires_at };
    return permitted([action("create_hold", "POST", "/v1/holds", extra)], may);
  }
  const requotes = quote.alternatives.map((each) => post("requote", "/v1/quotes", quoteBody(each)));
  return permitted([post("search", "/v1/search", stayBody(quote.request)), ...requotes], may);
}
