/** The charts of a range. */
import type { Visit } from "../frame/visit.ts";
import { Chart, type Series } from "./chart.tsx";
import { moneyIn, periodName } from "./numbers.tsx";
import { nameOf } from "./range.ts";
import { type Before, type Figures, type Money, type Period, todayOf } from "./read.ts";
import { moneyText, percentText, shortText } from "./words.ts";

/** Of currencies; the table has all. */
const CHARTED_MAX = 3;

interface ChartsOf {
  readonly visit: Visit;
  readonly figures: Figures;
  readonly before: Before | null;
}

/** Occupancy, and the money of the currencies with the most rooms sold. */
export function Charts({ visit, figures, before }: ChartsOf) {
  const { items, total } = figures;
  const today = todayOf(visit);
  const isPast = ({ from }: Period) => from < today;
  const at: Drawn = {
    ...{ figures, before, periods: items.map(periodName), aheadFrom: items.filter(isPast).length },
  };
  const most = total.by_currency.toSorted((a, b) => b.rooms_sold - a.rooms_sold);
  const shown = most.slice(0, CHARTED_MAX);
  return (
    <>
      <div class="charts">
        <Chart
          {...at}
          id="occupancy"
          title="Occupancy"
          summary={`Rooms sold of rooms available, ${nameOf(figures)}: ${percentText(total.occupancy)}.`}
          least={1}
          words={percentText}
          series={compared(at, ({ occupancy }) => occupancy)}
        />
        {shown.map((money) => (
          <MoneyCharts {...at} money={money} />
        ))}
      </div>
      {most.length > shown.length && (
        <p class="faint">Of the other currencies the numbers are in the table.</p>
      )}
    </>
  );
}

interface Drawn {
  readonly figures: Figures;
  readonly before: Before | null;
  readonly periods: readonly string[];
  readonly aheadFrom: number;
}

/** The range as bars, and a line for the days before: the first beside the first, and so on. */
function compared({ figures, before }: Drawn, of: (period: Period) => number | null): Series[] {
  const now: Series = { name: nameOf(figures), look: "bar", values: figures.items.map(of) };
  if (before === null) return [now];
  const values = before.figures.items.slice(0, figures.items.length).map(of);
  return [now, { name: before.name, look: "before", values }];
}

function MoneyCharts({ money, ...at }: Drawn & { readonly money: Money }) {
  const { items } = at.figures;
  const { currency, room_revenue, adr } = money;
  const amount = (of: (money: Money) => number | null) => (period: Period) => {
    const found = moneyIn(period, currency);
    return found ? of(found) : null;
  };
  const adrs = items.map(amount((each) => each.adr));
  const revpars = items.map(amount((each) => each.revpar));
  const hasRevpar = revpars.some((each) => each !== null);
  const lines: Series[] = [{ name: "ADR: a room sold", look: "line", values: adrs }];
  if (hasRevpar) {
    lines.push({ name: "RevPAR: a room available", look: "second", values: revpars });
  }
  const words = (value: number) => shortText(value, currency);
  const exact = (value: number) => moneyText(value, currency);
  const during = nameOf(at.figures);
  return (
    <>
      <Chart
        {...{ ...at, words, exact }}
        id={`revenue-${currency}`}
        title={`Room revenue, ${currency}`}
        summary={`Room revenue, ${during}: ${exact(room_revenue)}.`}
        series={compared(
          at,
          amount((each) => each.room_revenue),
        )}
      />
      <Chart
        {...{ ...at, words }}
        id={`adr-${currency}`}
        title={`${hasRevpar ? "ADR and RevPAR" : "ADR"}, ${currency}`}
        summary={`Room revenue per room sold, ${during}: ${moneyText(adr, currency)}.`}
        series={lines}
      />
    </>
  );
}
