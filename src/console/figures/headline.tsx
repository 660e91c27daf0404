/** The figures of the whole range, and how they differ from those before. */
import type { ComponentChildren } from "preact";
import { plural, Rows } from "../frame/parts.tsx";
import { type Before, type Figures, type Money, PICKUP_DAYS } from "./read.ts";
import {
  changeText,
  countText,
  moneyText,
  NONE,
  percentText,
  pointsText,
  signedText,
} from "./words.ts";

interface HeadlineOf {
  readonly figures: Figures;
  readonly before: Before | null;
}

/** Cards, and money by currency where there are several. */
export function Headline({ figures: { total, oversell_open }, before }: HeadlineOf) {
  const then = before?.figures.total;
  const moneys = total.by_currency;
  const [only] = moneys.length === 1 ? moneys : [];
  const onlyThen = then?.by_currency.find(({ currency }) => currency === only?.currency);
  return (
    <>
      <dl class="figures cards">
        <Card
          name="Occupancy"
          value={percentText(total.occupancy)}
          change={pointsText(total.occupancy, then?.occupancy ?? null)}
          was={then && percentText(then.occupancy)}
          before={before}
        >
          {countText(total.rooms_sold)} of {countText(total.rooms_available)} room nights
          {oversell_open !== null && oversell_open > 0 && `, ${oversell_open} oversold`}
        </Card>
        {only && moneyCards(only, onlyThen, before)}
        <Card
          name={`Pickup of ${PICKUP_DAYS} days`}
          value={total.pickup ? signedText(total.pickup.rooms_sold) : NONE}
        >
          room nights; {pickedMoney(total.pickup)}
        </Card>
        <Card
          name="Cancellations"
          value={countText(total.cancelled)}
          was={then && `${countText(then.cancelled)}, ${percentText(then.cancellation_rate)}`}
          before={before}
        >
          {percentText(total.cancellation_rate)} of {plural(total.arrivals, "arrival")}
        </Card>
      </dl>
      {moneys.length > 1 && <ByCurrency moneys={moneys} before={before} />}
    </>
  );
}

function pickedMoney(pickup: Figures["total"]["pickup"]): string {
  const moved = pickup?.by_currency.filter(({ room_revenue }) => room_revenue !== 0) ?? [];
  if (moved.length === 0) return "no revenue";
  return moved.map(({ room_revenue, currency }) => moneyText(room_revenue, currency)).join(", ");
}

function moneyCards(money: Money, then: Money | undefined, before: Before | null) {
  const { currency } = money;
  const cards = [
    ["ADR", money.adr, then?.adr, "a room sold"],
    ["RevPAR", money.revpar, then?.revpar, "a room available"],
    ["Room revenue", money.room_revenue, then?.room_revenue, "without taxes and fees"],
  ] as const;
  return cards.map(([name, now, earlier = null, words]) => (
    <Card
      name={name}
      value={moneyText(now, currency)}
      change={changeText(now, earlier)}
      was={moneyText(earlier, currency)}
      before={before}
    >
      {words}
    </Card>
  ));
}

interface CardOf {
  readonly name: string;
  readonly value: string;
  readonly change?: string | null;
  readonly was?: string | undefined;
  readonly before?: Before | null;
  readonly children: ComponentChildren;
}

function Card({ name, value, change, was, before, children }: CardOf) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        <small>{children}</small>
        {before && was !== undefined && (
          <small>
            {before.name}: {was}
            {change && ` (${change})`}
          </small>
        )}
      </dd>
    </div>
  );
}

interface ByCurrencyOf {
  readonly moneys: readonly Money[];
  readonly before: Before | null;
}

/** Amounts of different currencies are never added. */
function ByCurrency({ moneys, before }: ByCurrencyOf) {
  const thenOf = (currency: string) =>
    before?.figures.total.by_currency.find((each) => each.currency === currency);
  const was = before
    ? [
        {
          ...{ head: `Revenue, ${before.name}`, isNumber: true },
          cell: ({ currency }: Money) =>
            moneyText(thenOf(currency)?.room_revenue ?? null, currency),
        },
      ]
    : [];
  return (
    <>
      <Rows
        label="Money by currency"
        rows={moneys}
        keyOf={({ currency }) => `money-${currency}`}
        columns={[
          { head: "Currency", cell: ({ currency }) => currency },
          { head: "Sold", isNumber: true, cell: ({ rooms_sold }) => countText(rooms_sold) },
          { head: "ADR", isNumber: true, cell: ({ adr, currency }) => moneyText(adr, currency) },
          {
            ...{ head: "Room revenue", isNumber: true },
            cell: ({ room_revenue, currency }) => moneyText(room_revenue, currency),
          },
          ...was,
        ]}
      />
      <p class="faint">
        Currencies are not added. RevPAR needs one: choose a hotel, or see <i>By hotel</i>.
      </p>
    </>
  );
}
