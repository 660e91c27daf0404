/** What the lists of approvals, incidents and money have in common: filter, table and pages. */
import { dayOf, instantIso } from "../../../engine/core/calendar.ts";
import { ITEMS_MAX, isTooMany } from "../../api/desk/lists.ts";
import type { Answered } from "./api.ts";
import { Choice, optionsOf } from "./choice.tsx";
import { textQuery } from "./console-route.ts";
import { Next, type PageOf, pageOf, skipName, skipQuery } from "./pages.tsx";
import { type Column, Problem, plural, Rows } from "./parts.tsx";
import { type HotelChoice, PropertyPicker } from "./property-picker.tsx";
import type { Visit } from "./visit.ts";

/** Of a page; the API lists up to 10,000. */
const SHOWN_MAX = 200;
const DAY_MS = 86_400_000;

export const UNTIL_QUERY = { until: textQuery("The last day.") };

/** Fields of the filter; `lists` are the names of those on the page. */
export function listQuery(lists: readonly string[]) {
  return {
    state: textQuery("The state."),
    property_id: textQuery("The hotel."),
    from: textQuery("The first day."),
    ...UNTIL_QUERY,
    ...skipQuery(lists),
  };
}

/** Begin of a day of the query, or of one some days later; null for what is no day. */
function dayIn({ call: { query } }: Visit, name: string, daysLater = 0): number | null {
  const day = dayOf(query.get(name) ?? "");
  return Number.isNaN(day) ? null : (day + daysLater) * DAY_MS;
}

/** End of the last day that the address asks for, epoch milliseconds; null for no last day. */
export function untilOf(visit: Visit): number | null {
  return dayIn(visit, "until", 1);
}

/** What the filter asks for: parameters of the API, whose names of both ends are given. */
export function askedOf(
  visit: Visit,
  [since, before]: readonly [since: string, before: string],
): Record<string, string> {
  const property_id = visit.call.query.get("property_id") ?? "";
  const [fromMs, untilMs] = [dayIn(visit, "from"), untilOf(visit)];
  return {
    ...(property_id !== "" && { property_id }),
    ...(fromMs !== null && { [since]: instantIso(fromMs) }),
    ...(untilMs !== null && { [before]: instantIso(untilMs) }),
  };
}

interface DayFieldOf {
  readonly visit: Visit;
  readonly name: string;
  readonly label: string;
}

/** A day of the filter, as the address has it. */
export function DayField({ visit, name, label }: DayFieldOf) {
  return (
    <label>
      {label} (UTC)
      <input type="date" name={name} value={visit.call.query.get(name) ?? ""} />
    </label>
  );
}

interface FilterOf {
  readonly visit: Visit;
  readonly hotels: HotelChoice;
  readonly path: string;
  readonly states: readonly string[];
  /** Of the choice of no state. */
  readonly open: string;
  readonly since: string;
}

/** A form that is in the address, so that the list can be renewed and linked. */
export function ListFilter({ visit, hotels, path, states, open, since }: FilterOf) {
  const { query } = visit.call;
  const state = query.get("state") ?? "";
  return (
    <form method="get" action={visit.root + path} class="filter">
      <Choice label="State" name="state" any={open} options={optionsOf(states)} chosen={state} />
      <PropertyPicker hotels={hotels} chosen={query.get("property_id") ?? ""} all="All hotels" />
      <DayField visit={visit} name="from" label={since} />
      <DayField visit={visit} name="until" label="Until" />
      <button type="submit">Show</button>
    </form>
  );
}

/** One of the lists of a page. */
export interface ListPart<T> {
  readonly list: Answered<{ readonly items: readonly T[] }>;
  /** What is shown of it; nothing where it cannot be read. */
  readonly page: PageOf<T>;
}

/** A list with the page of it that the address asks for; `name` tells it from the others there. */
export function partOf<T>(visit: Visit, name: string, list: ListPart<T>["list"]): ListPart<T> {
  const items = list.ok ? list.data.items : [];
  return { list, page: pageOf(visit, items, SHOWN_MAX, skipName(name)) };
}

/** Says that there are more than the API lists at once, and what shows them. */
function TooMany({ word }: { readonly word: string }) {
  return (
    <p class="outcome" role="alert">
      There are more than {plural(ITEMS_MAX, word)}, too many for one list. Choose dates above to
      see some of them.
    </p>
  );
}

interface SectionOf<T> {
  readonly title: string;
  /** What one row is. */
  readonly word: string;
  /** Address of the page, with the root of the service. */
  readonly path: string;
  readonly part: ListPart<T>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
}

/** A heading and the page of its list, or why it cannot be read. */
export function Section<T>(section: SectionOf<T>) {
  return (
    <>
      <h2>{section.title}</h2>
      <Part {...section} />
    </>
  );
}

function Part<T>({ title, word, path, part: { list, page }, columns, keyOf }: SectionOf<T>) {
  if (!list.ok) {
    return isTooMany(list.error.detail) ? <TooMany word={word} /> : <Problem error={list.error} />;
  }
  if (list.data.items.length === 0) return <p class="faint">None.</p>;
  return (
    <>
      <p class="outcome">
        {plural(list.data.items.length, word)}
        {page.words !== null && `, of which ${page.words}, newest first`}
      </p>
      <Rows label={title} columns={columns} rows={page.items} keyOf={keyOf} />
      <Next path={path} next={page.next} />
    </>
  );
}
