/** A quote as its caller sees it, with current availability. */
import {
  availabilityOf,
  type Charge,
  type MadeQuote,
  type UnfoldedQuote,
} from "../../../engine/core/availability/quoting.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import { queryOf } from "../../../engine/core/holds/hold.ts";
import { convert } from "../../../engine/core/price/money.ts";
import { policySnapshot } from "../../../engine/core/price/policy-snapshot.ts";
import { breakdownOf } from "../../../engine/core/price/price.ts";
import type { FrozenQuote, QuoteRequest } from "../../../engine/core/price/quote.ts";
import type { Offer } from "../../../engine/core/state/state.ts";
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { treeOf } from "../../../engine/log/tree-versions.ts";
import {
  type Authorized,
  authorizedBy,
  changesOf,
  ELSEWHERE,
  offeredKey,
  quoteBody,
  stayBody,
} from "../../actions/call-parts.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";
import type { Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";

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
  const isPaidAtProperty = quote.due_now === 0;
  const asked = { request, isPaidAtProperty, ...authorizedBy(call.sent) };
  const step = { quote_id, expires_at, sellable, ...asked, ...read };
  const actions = quoteActions({ ...step, alternatives: alternativeQuotes }, may);
  return { ok: true, data, actions, expires_at };
}

function availableNow({ context, principal }: Call, quote: FrozenQuote, offer: Offer | null) {
  if (offer === null) return { sellable: 0, blocking: [], alternatives: [] };
  const query = queryOf(quote, principal.agent_id, offer.property, context.timeIn(principal));
  return availabilityOf(offer, query);
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

/**
 * The quote with price and policy of the property version that it names.
 *
 * @throws Error when the replica does not have that version, which is a bug.
 */
export function unfolded({ replica }: Context, quote: FrozenQuote): UnfoldedQuote {
  const tree = treeOf(replica, quote);
  if (!tree)
    throw new Error(`supply version ${quote.supply_version} of ${quote.property_id} is gone`);
  return unfoldedOf(tree, quote);
}

function unfoldedOf(tree: PropertyTree, quote: FrozenQuote): UnfoldedQuote {
  return {
    price_breakdown: chargedOf(breakdownOf(tree, quote), quote),
    policy_snapshot: policySnapshot(tree, quote),
  };
}

/** The price with what is charged: after a modification the property may have adjusted it. */
function chargedOf<P extends Charge>(price: P, { total, due_now, due_at_property }: Charge) {
  if (price.total === total && price.due_now === due_now) return price;
  const adjustment = total - price.total;
  return { ...price, total, due_now, due_at_property, ...(adjustment !== 0 && { adjustment }) };
}

/**
 * The same for a booking's quote, which another process may have made: a lagging replica may not
 * have its version yet, but a paid booking must still be answered with its receipt.
 */
export function unfoldedIfKnown({ replica }: Context, quote: FrozenQuote) {
  const tree = treeOf(replica, quote);
  return tree ? unfoldedOf(tree, quote) : {};
}

interface QuoteStep extends Authorized {
  readonly quote_id: string;
  readonly expires_at: string;
  /** Instant of the read, epoch milliseconds; makes the keys of its offers distinct. */
  readonly readAtMs?: number;
  /** Units that could be held now. */
  readonly sellable: number;
  readonly request: QuoteRequest;
  /** Nothing is due now: the property quotes the alternatives so too. */
  readonly isPaidAtProperty?: boolean;
  readonly alternatives: readonly QuoteRequest[];
  /** Active holds of the quote, newest first. */
  readonly hold_ids: readonly string[];
  /** Bookings of the quote that are not cancelled, newest first. */
  readonly booking_ids: readonly string[];
}

const DESK_QUOTES = "/v1/admin/bookings/quote";

/**
 * Hold it; when nothing is sellable, the alternatives, then the same stay elsewhere. A
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
    const idempotency_key = offeredKey("hold", quote_id, readAtMs);
    const body = { quote_id, ...authorizedBy(quote), idempotency_key };
    return permitted([post("create_hold", "/v1/holds", body, { expires_at })], may);
  }
  const isDesk = quote.isPaidAtProperty && may?.("POST", DESK_QUOTES, "admin_quote_at_property");
  const requotes = quote.alternatives.map((each) =>
    post("requote", isDesk ? DESK_QUOTES : "/v1/quotes", quoteBody(each), changesOf(request, each)),
  );
  const elsewhere = post("search", "/v1/search", stayBody(request), ELSEWHERE);
  return permitted([...requotes, elsewhere], may);
}
