/** A quote as its caller sees it, with current availability. */

import { availabilityOf, type MadeQuote } from "../../../engine/core/availability/quoting.ts";
import { instantIso, todayIn } from "../../../engine/core/calendar.ts";
import { queryOf } from "../../../engine/core/holds/hold.ts";
import { convert } from "../../../engine/core/price/money.ts";
import type { FrozenQuote } from "../../../engine/core/price/quote.ts";
import type { Offer } from "../../../engine/core/state/state.ts";
import type { Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type QuoteStep, quoteActions } from "./actions.ts";

/** Additions of a read: ids of the quote's holds and bookings, and the instant. */
export type QuoteRead = Pick<QuoteStep, "hold_ids" | "booking_ids" | "readAtMs">;

const JUST_MADE: QuoteRead = { hold_ids: [], booking_ids: [] };

/** The quote's answer; a null offer means that the property no longer sells it. */
export function shown(
  call: Call,
  { quote, unfolded }: MadeQuote,
  offer: Offer | null,
  read = JUST_MADE,
): Success {
  const { may } = call;
  const { sellable, blocking, alternatives } = availableNow(call, quote, offer);
  const { price_breakdown, policy_snapshot } = unfolded;
  const expires_at = instantIso(quote.expires_at);
  const { quote_id, property_id: hotel_id, room_type_id, rate_plan_id, stay, guests } = quote;
  const request = { hotel_id, room_type_id, rate_plan_id, stay, guests };
  const data = {
    ...{ quote_id, ...request },
    price_breakdown: { ...price_breakdown, display: displayTotal(call, quote) },
    policy_snapshot,
    availability: sellable > 0 ? { sellable } : { sellable, blocking, alternatives },
    expires_at,
  };
  const alternativeQuotes = alternatives.map((alternative) => alternative.quote);
  const step = { quote_id, expires_at, sellable, request, ...read };
  const actions = quoteActions({ ...step, alternatives: alternativeQuotes }, may);
  return { ok: true, data, actions, expires_at };
}

function availableNow({ context, principal }: Call, quote: FrozenQuote, offer: Offer | null) {
  if (offer === null) return { sellable: 0, blocking: [], alternatives: [] };
  const today = todayIn(offer.property.tree.timezone, context.engineNow());
  return availabilityOf(offer, queryOf(quote, principal.agent_id), today);
}

/** Display conversion into `?currency=`; null for an unknown rate. */
export function displayTotal(
  { context, query, principal }: Call,
  priced: { readonly total: number; readonly currency: string },
) {
  const currency = query.get("currency");
  if (currency === undefined) return null;
  const fx = context.replica.state.tenants.get(principal.tenant_id)?.fx ?? null;
  const total = convert(priced.total, priced.currency, currency, fx);
  if (!total || !fx) return null;
  const { amount, fx_rate } = total;
  return { currency, total: amount, fx_rate, fx_as_of: fx.as_of, source: "admin_table" };
}
