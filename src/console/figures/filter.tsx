/** The form of the pages of figures: which hotel, which days, and what to compare them with. */
import { Choice } from "../frame/choice.tsx";
import { type HotelChoice, PropertyPicker } from "../frame/property-picker.tsx";
import type { Visit } from "../frame/visit.ts";
import { monthName, monthOf, monthsAround } from "./range.ts";
import { todayOf } from "./read.ts";

interface FilterOf {
  readonly visit: Visit;
  /** Absent where all are shown. */
  readonly hotels?: HotelChoice;
  /** Where the form leads. */
  readonly path: string;
}

/** In the address, so that figures can be renewed and linked. */
export function FiguresFilter({ visit, hotels, path }: FilterOf) {
  const { query } = visit.call;
  const value = (name: string) => query.get(name) ?? "";
  const chosen = monthOf(query, todayOf(visit));
  const months = monthsAround(todayOf(visit), chosen);
  return (
    <form method="get" action={visit.root + path} class="filter">
      {hotels && <PropertyPicker hotels={hotels} chosen={value("property_id")} all="All hotels" />}
      <Choice
        {...{ label: "Month", name: "month", chosen }}
        options={months.map((month) => [month, monthName(month)])}
      />
      <label>
        Or from
        <input type="date" name="from" value={value("from")} />
      </label>
      <label>
        Until
        <input type="date" name="to" value={value("to")} />
      </label>
      <label>
        Compared with days from
        <input type="date" name="compare_from" value={value("compare_from")} />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}
