/** The figures of each hotel, beside those of other days. */
import type { Static } from "@sinclair/typebox";
import type { AdminPropertyList } from "../../api/properties/admin-responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { Next, type PageOf, pageOf, SKIP_QUERY } from "../frame/pages.tsx";
import { Crumbs, Problem, Rows } from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { Share } from "./chart.tsx";
import { FiguresFilter } from "./filter.tsx";
import { nameOf, type Range } from "./range.ts";
import {
  askedRange,
  comparedFigures,
  FIGURES_QUERY,
  type Figures,
  keptQuery,
  type Money,
  PATH,
} from "./read.ts";
import { countText, moneyText, NONE, percentText, pointsText, signedText } from "./words.ts";

type Hotel = Static<typeof AdminPropertyList>["items"][number];

const HOTELS = `${PATH}/hotels`;
/** Of a page: each is read by itself. */
const SHOWN = 12;

interface Row {
  readonly hotel: Hotel;
  readonly total: Figures["total"];
  readonly before: Figures["total"] | null;
  readonly money: Money | null;
}

async function show(visit: Visit): Promise<Shown> {
  const range = askedRange(visit);
  const hotels = await ask<Static<typeof AdminPropertyList>>(visit, {
    id: "admin_list_properties",
  });
  const all = hotels.ok ? hotels.data.items : [];
  const sorted = all.toSorted((a, b) => a.name.localeCompare(b.name));
  const listed = pageOf(visit, sorted, SHOWN);
  const read = await Promise.all(listed.items.map((hotel) => rowsOf(visit, range, hotel)));
  const main = (
    <>
      <Crumbs to={`${visit.root}${PATH}${keptQuery(visit)}`}>Figures</Crumbs>
      <h1>Figures by hotel</h1>
      <FiguresFilter visit={visit} path={HOTELS} />
      {hotels.ok ? (
        <Hotels visit={visit} range={range} listed={listed} read={read} />
      ) : (
        <Problem error={hotels.error} />
      )}
    </>
  );
  return { title: "Figures by hotel", place: "figures", main };
}

/** A line per currency, at least one. */
async function rowsOf(visit: Visit, range: Range, hotel: Hotel): Promise<Answered<Row[]>> {
  const { now, earlier } = await comparedFigures(visit, range, hotel.property_id);
  if (!now.ok) return now;
  const { total } = now.data;
  const moneys = total.by_currency.length === 0 ? [null] : total.by_currency;
  const before = earlier?.ok ? earlier.data.total : null;
  const data = moneys.map((money) => ({ hotel, total, before, money }));
  return { ok: true, data, actions: [] };
}

interface HotelsOf {
  readonly visit: Visit;
  readonly range: Range;
  readonly listed: PageOf<Hotel>;
  readonly read: readonly Answered<Row[]>[];
}

function Hotels({ visit, range, listed, read }: HotelsOf) {
  const refused = read.find((each) => !each.ok);
  if (refused && !refused.ok) return <Problem error={refused.error} />;
  const rows = read.flatMap((each) => (each.ok ? each.data : []));
  if (rows.length === 0) return <p>There is no hotel yet.</p>;
  return (
    <>
      <p class="outcome">
        {nameOf(range)}
        {listed.words !== null && `, hotels ${listed.words}`}
      </p>
      <Table visit={visit} rows={rows} before={range.before && nameOf(range.before)} />
      <Next path={visit.root + HOTELS} next={listed.next}>
        More hotels
      </Next>
    </>
  );
}

interface TableOf {
  readonly visit: Visit;
  readonly rows: readonly Row[];
  /** What the days before are called. */
  readonly before: string | null;
}

function Table({ visit, rows, before }: TableOf) {
  const number = (head: string, cell: (row: Row) => string) => ({ head, isNumber: true, cell });
  const money = (of: (money: Money) => number | null) => (row: Row) =>
    row.money ? moneyText(of(row.money), row.money.currency) : NONE;
  const change = ({ total, before: earlier }: Row) =>
    pointsText(total.occupancy, earlier?.occupancy ?? null) ?? NONE;
  return (
    <section class="scroll" tabindex={0} aria-label="Hotels">
      <Rows
        label="Figures by hotel"
        rows={rows}
        keyOf={({ hotel, money: of }) => `${hotel.property_id}-${of?.currency ?? "none"}`}
        columns={[
          {
            head: "Hotel",
            cell: ({ hotel }) => (
              <a href={`${visit.root}${PATH}${keptQuery(visit, hotel.property_id)}`}>
                <bdi>{hotel.name}</bdi>
              </a>
            ),
          },
          {
            head: "Occupancy",
            cell: ({ total: { occupancy } }) => (
              <>
                {percentText(occupancy)}
                <Share part={occupancy ?? 0} of={1} />
              </>
            ),
          },
          ...(before === null ? [] : [number(`vs ${before}`, change)]),
          number("Sold", (row) =>
            countText(row.money ? row.money.rooms_sold : row.total.rooms_sold),
          ),
          number(
            "ADR",
            money(({ adr }) => adr),
          ),
          number(
            "RevPAR",
            money(({ revpar }) => revpar),
          ),
          number(
            "Room revenue",
            money(({ room_revenue }) => room_revenue),
          ),
          number("Pickup", ({ total }) => signedText(total.pickup?.rooms_sold ?? 0)),
          number("Cancelled", ({ total }) => countText(total.cancelled)),
        ]}
      />
    </section>
  );
}

export const hotelFiguresRoutes = [
  page(
    {
      id: "console_figures_hotels",
      path: HOTELS,
      summary: "Figures by hotel",
      query: { ...FIGURES_QUERY, ...SKIP_QUERY },
    },
    show,
  ),
];
