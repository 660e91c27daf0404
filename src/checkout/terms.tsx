/** What a person agrees to: the stay, its price to the cent, and the cancellation terms. */
import type { UnfoldedQuote } from "../../engine/core/availability/quoting.ts";
import type { Hold } from "../../engine/core/records.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { treeOf } from "../../engine/log/tree-versions.ts";
import { unfolded } from "../api/quotes/shown.ts";
import type { Context } from "../http/context.ts";
import { Fact } from "../page-parts/parts.tsx";
import { Amount, At, Party, plural, Stay } from "../page-parts/words.tsx";

/** A held or booked stay with the names and terms that it was quoted with. */
export interface Offered {
  readonly tree: PropertyTree;
  readonly quote: Hold["quote"];
  readonly price: UnfoldedQuote["price_breakdown"];
  readonly terms: UnfoldedQuote["policy_snapshot"];
}

/** Null when this process has not read the property's version yet. */
export function offeredBy(context: Context, quote: Hold["quote"]): Offered | null {
  const tree = treeOf(context.replica, quote);
  if (tree === null) return null;
  const { price_breakdown: price, policy_snapshot: terms } = unfolded(context, quote);
  return { tree, quote, price, terms };
}

/** Hotel, room, dates and party. */
export function StayView({ offered: { tree, quote } }: { readonly offered: Offered }) {
  const room = tree.room_types.find(({ id }) => id === quote.room_type_id);
  const plan = room?.rate_plans.find(({ id }) => id === quote.rate_plan_id);
  const { line1, postal_code, city } = tree.address;
  const town = [postal_code, city].filter(Boolean).join(" ");
  return (
    <dl>
      <Fact name="Hotel">
        <bdi>{tree.name}</bdi>
        <br />
        <bdi class="faint">{[line1, town].filter(Boolean).join(", ")}</bdi>
      </Fact>
      <Fact name="Room">
        <bdi>{room?.name}</bdi>, <bdi>{plan?.name}</bdi>
      </Fact>
      <Fact name="Stay">
        <Stay stay={quote.stay} />
      </Fact>
      <Fact name="Party">
        <Party guests={quote.guests} />
      </Fact>
    </dl>
  );
}

interface PriceOf {
  readonly offered: Offered;
  /** Nothing is to be paid now. */
  readonly isBooked?: boolean;
}

/** Every line of the price, and where it is paid. */
export function PriceView({ offered: { price }, isBooked = false }: PriceOf) {
  const { currency, nights, taxes, fees, total, due_now, due_at_property } = price;
  const lines = [...taxes, ...fees].filter(({ amount }) => amount > 0);
  const added = lines.filter(({ included_in_rate }) => !included_in_rate);
  const included = lines.filter(({ included_in_rate }) => included_in_rate);
  return (
    <>
      <h2>Price</h2>
      <table class="prices" aria-label="Price">
        <tbody>
          <Line name={plural(nights.length, "night")} amount={price.room_subtotal} of={currency} />
          {added.map(({ name, amount, collect }) => (
            <Line
              name={collect === "at_property" ? `${name}, at the hotel` : name}
              amount={amount}
              of={currency}
            />
          ))}
          <Line name="Total" amount={total} of={currency} isSum />
          {!isBooked && <Line name="To pay now" amount={due_now} of={currency} isSum />}
          {due_at_property > 0 && (
            <Line name="To pay at the hotel" amount={due_at_property} of={currency} />
          )}
        </tbody>
      </table>
      {included.length > 0 && (
        <p class="faint">
          In the price:{" "}
          {included.map(({ name, amount }, i) => (
            <>
              {i > 0 && ", "}
              <bdi>{name}</bdi> <Amount amount={amount} currency={currency} />
            </>
          ))}
          .
        </p>
      )}
    </>
  );
}

interface LineOf {
  readonly name: string;
  readonly amount: number;
  /** Currency. */
  readonly of: string;
  readonly isSum?: boolean;
}

function Line({ name, amount, of, isSum = false }: LineOf) {
  return (
    <tr class={isSum ? "sum" : undefined}>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>
        <Amount amount={amount} currency={of} />
      </td>
    </tr>
  );
}

/** The cancellation terms in words, with the fee of each period. */
export function TermsView({ offered: { terms, price } }: { readonly offered: Offered }) {
  const { description, tiers, after_last_tier, no_show, timezone: zone } = terms;
  const { currency } = price;
  return (
    <>
      <h2>Cancellation</h2>
      <p>
        <bdi>{description}</bdi>
      </p>
      <ul>
        {tiers.map(({ cutoff_at, fee }) => (
          <li>
            Until <At instant={cutoff_at} zone={zone} />: <Fee amount={fee} currency={currency} />
          </li>
        ))}
        <li>
          {tiers.length > 0 ? "Then" : "From now on"}:{" "}
          <Fee amount={after_last_tier.fee} currency={currency} />
        </li>
        <li>
          If you neither cancel nor arrive: <Fee amount={no_show.fee} currency={currency} />
        </li>
      </ul>
    </>
  );
}

function Fee({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  if (amount === 0) return <>free</>;
  return (
    <>
      costs <Amount amount={amount} currency={currency} />
    </>
  );
}
