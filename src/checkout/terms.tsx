/** What a person agrees to: the stay, its price to the cent, and the cancellation terms. */
import type { UnfoldedQuote } from "../../engine/core/availability/quoting.ts";
import { frozenCosts } from "../../engine/core/price/policy-snapshot.ts";
import type { CostRow } from "../../engine/core/price/policy-words.ts";
import { offerOf } from "../../engine/core/price/price.ts";
import type { Hold } from "../../engine/core/records.ts";
import { treeOf } from "../../engine/log/tree-versions.ts";
import { hotelOut } from "../api/guest/views.ts";
import { unfolded } from "../api/quotes/shown.ts";
import type { Context } from "../http/context.ts";
import { termsIn } from "../languages/terms.ts";
import { Steps, stepsOf } from "../page-parts/cancellation.tsx";
import { PriceLines, type ShownStay } from "../page-parts/stay-view.tsx";
import type { Tongue } from "./tongue.ts";
import type { Visit } from "./visit.ts";

/** A held or booked stay with the names and terms that it was quoted with. */
export interface Offered {
  readonly stay: ShownStay;
  readonly price: UnfoldedQuote["price_breakdown"];
  readonly terms: UnfoldedQuote["policy_snapshot"];
  /** Rows of the terms, for words. */
  readonly costs: readonly CostRow[];
}

/** Null when this process has not read the property's version yet. */
export function offeredBy(context: Context, quote: Hold["quote"]): Offered | null {
  const tree = treeOf(context.replica, quote);
  if (tree === null) return null;
  const { roomType, plan } = offerOf(tree, quote);
  const { price_breakdown: price, policy_snapshot: terms } = unfolded(context, quote);
  const { stay, guests } = quote;
  const names = { hotel: hotelOut(tree), room: roomType.name, rate_plan: plan.name };
  return { stay: { ...names, stay, guests }, price, terms, costs: frozenCosts(tree, quote) };
}

interface PriceOf {
  readonly offered: Offered;
  readonly tongue: Tongue;
  /** Nothing is to be paid now. */
  readonly isBooked?: boolean;
}

/** Every line of the price, and where it is paid. */
export function PriceView({ offered: { price }, tongue, isBooked = false }: PriceOf) {
  const { words, shared, formats } = tongue;
  const { currency, nights, taxes, fees, total, due_now, due_at_property: dueThere } = price;
  const charges = [...taxes, ...fees].filter(({ amount }) => amount > 0);
  const added = charges.filter(({ included_in_rate }) => !included_in_rate);
  const included = charges.filter(({ included_in_rate }) => included_in_rate);
  const lines = [
    { name: shared.nights(nights.length), amount: price.room_subtotal },
    ...added.map(({ name, amount, collect }) => {
      return { name: collect === "at_property" ? `${name}, ${shared.paidThere}` : name, amount };
    }),
    { name: shared.total, amount: total, isSum: true },
    ...(isBooked ? [] : [{ name: shared.dueNow, amount: due_now, isSum: true }]),
    ...(dueThere > 0 ? [{ name: shared.dueThere, amount: dueThere }] : []),
  ].map((line) => ({ ...line, currency }));
  return (
    <>
      <h2>{shared.price}</h2>
      <PriceLines label={shared.price} lines={lines} tongue={tongue} />
      {included.length > 0 && (
        <p class="faint">
          {words.inPrice}:{" "}
          {included.map(({ name, amount }, i) => (
            <>
              {i > 0 && ", "}
              <bdi>{name}</bdi> <span class="amount">{formats.money(amount, currency)}</span>
            </>
          ))}
          .
        </p>
      )}
    </>
  );
}

interface TermsOf {
  readonly offered: Offered;
  readonly visit: Visit;
}

/** The cancellation terms in words, with the fee of each period. */
export function TermsView({ offered: { terms, price, costs }, visit }: TermsOf) {
  const { call, session, tongue } = visit;
  const { words, shared, formats } = tongue;
  const { timezone: zone } = terms;
  const { currency } = price;
  const steps = stepsOf(terms, call.context.timeIn(session));
  return (
    <>
      <h2>{words.terms}</h2>
      <p>{termsIn(shared, formats, costs, zone).full}</p>
      <Steps {...{ steps, zone, currency, tongue }} />
    </>
  );
}
