/** Next actions of a property's offers. */
import type { Alternative } from "../../../engine/core/availability/alternatives.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { datesChanged, ELSEWHERE, quoteBody, stayBody } from "../../actions/call-parts.ts";
import { type May, type NextAction, permitted, post } from "../../actions/next-action.ts";

/** Maximum of ready bodies; further offers are in the answer's data. */
export const OFFERS_MAX = 5;

interface Listed {
  readonly quote: QuoteRequest | null;
  readonly alternatives: readonly Alternative[];
}

/**
 * Quotes of the first sellable offers; without any, quotes of the nearest dates, and the same stay
 * anywhere.
 */
export function offersActions(
  offers: readonly Listed[],
  asked: Pick<QuoteRequest, "stay" | "guests">,
  may?: May,
): NextAction[] {
  const open = offers.flatMap(({ quote }) => quote ?? []);
  const nearest = offers.flatMap(({ alternatives }) => alternatives.map(({ quote }) => quote));
  const quotes = (open.length > 0 ? open : nearest).slice(0, OFFERS_MAX).map((request) => {
    const changes = datesChanged(asked.stay, request.stay);
    const parts = changes.length > 0 ? { changes } : undefined;
    return post("quote", "/v1/quotes", quoteBody(request), parts);
  });
  const search = post("search", "/v1/search", stayBody(asked), ELSEWHERE);
  const elsewhere = open.length > 0 ? [] : [search];
  return permitted([...quotes, ...elsewhere], may);
}
