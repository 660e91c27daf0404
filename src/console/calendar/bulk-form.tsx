/** The form that changes many nights at once. */
import type { ComponentChildren } from "preact";
import { Choice, type Option } from "../frame/choice.tsx";
import { ActionForm } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import type { Nights } from "./nights.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** What can be changed; a value after `=` is the only one. */
const CHOICES: readonly Option[] = [
  ["amount", "Price"],
  ["capacity", "Rooms for sale"],
  ["out_of_order", "Rooms out of order"],
  ["min_los_arrival", "Shortest stay of an arrival, nights"],
  ["stop_sell=yes", "Close"],
  ["stop_sell=no", "Open"],
  ["cta=yes", "Close to arrival"],
  ["cta=no", "Open to arrival"],
  ["ctd=yes", "Close to departure"],
  ["ctd=no", "Open to departure"],
];

/** Dates, days of the week, rooms and plans, and what becomes of them. */
export function BulkForm({
  visit,
  nights,
  children,
}: {
  readonly visit: Visit;
  readonly nights: Nights;
  /** Fields that lead back to the calendar. */
  readonly children: ComponentChildren;
}) {
  const { from, property_id, room_types } = nights;
  const last = room_types[0]?.nights.at(-1)?.date ?? from;
  return (
    <details class="bulk">
      <summary>Change many nights</summary>
      <ActionForm visit={visit} to="/console/calendar/check-many" class="card">
        <input type="hidden" name="property_id" value={property_id} />
        {children}
        <div class="filter">
          <label>
            First night
            <input type="date" name="from" value={from} required />
          </label>
          <label>
            Last night
            <input type="date" name="to" value={last} required />
          </label>
          <Targets nights={nights} />
        </div>
        <fieldset>
          <legend>Days of the week; none means all</legend>
          {WEEKDAYS.map((name, day) => (
            <label class="tick">
              <input type="checkbox" name={`weekday_${day}`} value="yes" /> {name}
            </label>
          ))}
        </fieldset>
        <div class="filter">
          <Choice label="Change" name="field" options={CHOICES} />
          <label>
            How
            <select name="how">
              <option value="set">to this value; empty for the hotel's own</option>
              <option value="percent">by this percentage (prices)</option>
            </select>
          </label>
          <label>
            Value
            <input name="value" inputmode="decimal" />
          </label>
        </div>
        <button type="submit">Check changes</button>
      </ActionForm>
    </details>
  );
}

/** The room types on the page with their plans, or all of the hotel. */
function Targets({ nights: { room_types } }: { readonly nights: Nights }) {
  return (
    <label>
      Rooms and plans
      <select name="target">
        <option value="">All of the hotel</option>
        {room_types.map(({ room_type_id, name, nights }) => (
          <>
            <option value={room_type_id}>{name}</option>
            {nights[0]?.rate_plans.map(({ rate_plan_id, code }) => (
              <option value={`${room_type_id}:${rate_plan_id}`}>{`${name}, ${code}`}</option>
            ))}
          </>
        ))}
      </select>
    </label>
  );
}
