/** What the lists of approvals, incidents and money have in common: filter, table and bound. */
import type { Answered } from "./api.ts";
import { Choice, optionsOf } from "./choice.tsx";
import { textQuery } from "./console-route.ts";
import { type Column, Problem, plural, Rows } from "./parts.tsx";
import { type HotelChoice, PropertyPicker } from "./property-picker.tsx";
import type { Visit } from "./visit.ts";

/** Of a list: the API lists up to 10,000. */
const SHOWN_MAX = 200;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Fields of the filter. */
export const LIST_QUERY = {
  state: textQuery("The state."),
  property_id: textQuery("The hotel."),
  from: textQuery("The first day."),
};

/** What the filter asks for: parameters of the API; `since` names that of the first day. */
export function askedOf({ call: { query } }: Visit, since: string): Record<string, string> {
  const [property_id, from] = [query.get("property_id") ?? "", query.get("from") ?? ""];
  return {
    ...(property_id !== "" && { property_id }),
    ...(DATE.test(from) && { [since]: `${from}T00:00:00Z` }),
  };
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
      <label>
        {since} (UTC)
        <input type="date" name="from" value={query.get("from") ?? ""} />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

/** The first items of a list, and what to say of the others. */
export function firstOf<T>(items: readonly T[]) {
  return items.slice(0, SHOWN_MAX);
}

/** How many there are, and that not all are shown. */
function Count({ count, word }: { readonly count: number; readonly word: string }) {
  return (
    <p class="outcome">
      {plural(count, word)}
      {count > SHOWN_MAX && `, the newest ${SHOWN_MAX} of them; the filter shows others`}
    </p>
  );
}

interface SectionOf<T> {
  readonly title: string;
  /** What one row is. */
  readonly word: string;
  readonly list: Answered<{ readonly items: readonly T[] }>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
}

/** A heading and its list, or why it cannot be read. */
export function Section<T>({ title, word, list, columns, keyOf }: SectionOf<T>) {
  return (
    <>
      <h2>{title}</h2>
      {!list.ok && <Problem error={list.error} />}
      {list.ok && list.data.items.length === 0 && <p class="faint">None.</p>}
      {list.ok && list.data.items.length > 0 && (
        <>
          <Count count={list.data.items.length} word={word} />
          <Rows label={title} columns={columns} rows={firstOf(list.data.items)} keyOf={keyOf} />
        </>
      )}
    </>
  );
}
