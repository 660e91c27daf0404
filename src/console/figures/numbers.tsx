/** The numbers of the charts as a table. */
import { Rows } from "../frame/parts.tsx";
import { nameOf } from "./range.ts";
import { type Before, type Figures, type Money, type Period, PICKUP_DAYS } from "./read.ts";
import { countText, moneyText, NONE, percentText, signedText } from "./words.ts";

const DAY = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
});

/** `Fri 27 Nov` for a day; other periods by their first and last one. */
export function periodName({ from, to }: Pick<Period, "from" | "to">): string {
  return from === to ? DAY.format(Date.parse(from)) : nameOf({ from, to });
}

/** The money of a period in a currency. */
export function moneyIn({ by_currency }: Period, currency: string): Money | undefined {
  return by_currency.find((each) => each.currency === currency);
}

interface Row {
  readonly key: string;
  readonly period: Period;
  readonly money: Money | null;
  readonly then: Period | null;
}

/** One line per period and currency, at least one per period. */
function rowsOf({ items }: Figures, before: Before | null): Row[] {
  return items.flatMap((period, nth) => {
    const then = before?.figures.items[nth] ?? null;
    const moneys = period.by_currency.length === 0 ? [null] : period.by_currency;
    return moneys.map((money) => {
      return { key: `on-${period.from}-${money?.currency ?? "none"}`, period, money, then };
    });
  });
}

interface NumbersOf {
  readonly figures: Figures;
  readonly before: Before | null;
}

/** Folded, below the charts. */
export function Numbers({ figures, before }: NumbersOf) {
  const inMoney = (of: (money: Money) => number | null) => (row: Row) =>
    row.money ? moneyText(of(row.money), row.money.currency) : NONE;
  const number = (head: string, cell: (row: Row) => string) => ({ head, isNumber: true, cell });
  const thenRevenue = ({ then, money }: Row) => {
    const found = then && money && moneyIn(then, money.currency);
    return found ? moneyText(found.room_revenue, found.currency) : NONE;
  };
  const compared = before
    ? [
        number(`Occupancy, ${before.name}`, ({ then }) => percentText(then?.occupancy ?? null)),
        number(`Revenue, ${before.name}`, thenRevenue),
      ]
    : [];
  const picked = ({ period, money }: Row) => {
    const found = period.pickup?.by_currency.find(({ currency }) => currency === money?.currency);
    return found ? signedText(found.rooms_sold) : "0";
  };
  return (
    <details>
      <summary>The same as a table</summary>
      <section class="scroll" tabindex={0} aria-label="Figures by period">
        <Rows
          label="Figures by period"
          rows={rowsOf(figures, before)}
          keyOf={({ key }) => key}
          columns={[
            { head: "When", cell: ({ period }) => periodName(period) },
            number("Available", ({ period }) => countText(period.rooms_available)),
            number("Sold", ({ period, money }) =>
              countText(money ? money.rooms_sold : period.rooms_sold),
            ),
            number("Occupancy", ({ period }) => percentText(period.occupancy)),
            number(
              "ADR",
              inMoney(({ adr }) => adr),
            ),
            number(
              "RevPAR",
              inMoney(({ revpar }) => revpar),
            ),
            number(
              "Room revenue",
              inMoney(({ room_revenue }) => room_revenue),
            ),
            number(`Pickup, ${PICKUP_DAYS} days`, picked),
            number("Arrivals", ({ period }) => countText(period.arrivals)),
            number("Cancelled", ({ period }) => countText(period.cancelled)),
            ...compared,
          ]}
        />
      </section>
    </details>
  );
}
