/** The calendar: rooms left, rooms for sale and prices of a hotel by night, and their changes. */
import { dateOf, dayOf, weekdayOf } from "../../../engine/core/calendar.ts";
import { decimalOf } from "../../../feeds/amounts.ts";
import { nameOfActor } from "../frame/by.tsx";
import { page, textQuery } from "../frame/console-route.ts";
import { ActionForm, Problem } from "../frame/parts.tsx";
import { hotelsToChoose, PropertyPicker } from "../frame/property-picker.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { BulkForm } from "./bulk-form.tsx";
import { currentOf, type Nights, type RoomNight, readNights } from "./nights.ts";
import { cellName } from "./staged.ts";

export const PATH = "/console/calendar";
const NIGHTS = 14;
const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const LEVELS = 7;
const DAY_IN_MONTH = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "2-digit", month: "short", timeZone: "UTC" },
});

/** `01 Dec`, where a month begins. */
function inMonth(date: string): string {
  return DAY_IN_MONTH.format(Date.parse(date));
}

async function show(visit: Visit): Promise<Shown> {
  const { query } = visit.call;
  const hotels = await hotelsToChoose(visit);
  const property_id = query.get("property_id") || (hotels[0]?.property_id ?? "");
  const from = query.get("from") ?? "";
  const range = Number.isNaN(dayOf(from)) ? {} : { from, to: dateOf(dayOf(from) + NIGHTS - 1) };
  const found = property_id === "" ? null : await readNights(visit, property_id, range);
  const nights = found?.ok ? cut(found.data) : null;
  const main = (
    <>
      <h1>Calendar</h1>
      <form method="get" action={visit.root + PATH} class="filter">
        <PropertyPicker hotels={hotels} chosen={property_id} />
        <label>
          From
          <input type="date" name="from" value={nights?.from ?? from} />
        </label>
        <button type="submit">Show</button>
      </form>
      {found === null && <p>There is no hotel yet.</p>}
      {found && !found.ok && <Problem error={found.error} />}
      {nights && <Turn root={visit.root} property_id={property_id} from={nights.from} />}
      {nights && <Grid visit={visit} nights={nights} />}
      {nights && <BulkForm visit={visit} nights={nights} />}
    </>
  );
  return { title: "Calendar", place: "calendar", main, script: "calendar.js" };
}

/** The API's own default is longer than the page. */
function cut(nights: Nights): Nights {
  const rooms = nights.room_types.map((room) => ({
    ...room,
    nights: room.nights.slice(0, NIGHTS),
  }));
  return { ...nights, room_types: rooms };
}

function Turn({ root, property_id, from }: { root: string; property_id: string; from: string }) {
  const at = (days: number) =>
    `${root}${PATH}?${new URLSearchParams({ property_id, from: dateOf(dayOf(from) + days) })}`;
  return (
    <p class="turns">
      <a href={at(-NIGHTS)}>◂ {NIGHTS} nights before</a>{" "}
      <a href={at(NIGHTS)}>{NIGHTS} nights after ▸</a>
    </p>
  );
}

interface GridOf {
  readonly visit: Visit;
  readonly nights: Nights;
}

/** Every value is a field of one form, so that it works without script. */
function Grid({ visit, nights }: GridOf) {
  const [first] = nights.room_types;
  return (
    <ActionForm visit={visit} to={`${PATH}/check`} class="calendar">
      <input type="hidden" name="property_id" value={nights.property_id} />
      <input type="hidden" name="shown_from" value={nights.from} />
      <input type="hidden" name="seen" value={visit.headSeq} />
      <section class="scroll" tabindex={0} aria-label="Nights">
        <table>
          <thead>
            <tr>
              <th scope="col">Night</th>
              {first?.nights.map(({ date }, i) => (
                <th scope="col" class={weekdayOf(dayOf(date)) > 4 ? "weekend" : undefined}>
                  {WEEKDAYS[weekdayOf(dayOf(date))]}
                  <span class="faint">
                    {" "}
                    {i === 0 || date.endsWith("-01") ? inMonth(date) : date.slice(8)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {nights.room_types.map((room) => (
            <RoomRows visit={visit} room={room} />
          ))}
        </table>
      </section>
      <p>
        <button type="submit">Check changes</button>{" "}
        <span id="staged" class="faint" role="status">
          Nothing is saved before you have seen what it does.
        </span>
      </p>
    </ActionForm>
  );
}

interface RoomOf {
  readonly visit: Visit;
  readonly room: Nights["room_types"][number];
}

function RoomRows({ visit, room }: RoomOf) {
  const { room_type_id, name, nights } = room;
  const [first] = nights;
  return (
    <tbody>
      <tr class="left" id={`left-${room_type_id}`} data-live="booking. hold. inventory. ari.">
        <th scope="row" title={name}>
          <bdi>{name}</bdi> <span class="faint">left</span>
        </th>
        {nights.map((night) => (
          <LeftCell visit={visit} night={night} />
        ))}
      </tr>
      <tr>
        <th scope="row" class="faint">
          for sale
        </th>
        {nights.map(({ date, capacity }) => (
          <td>
            <input
              name={cellName({ room_type_id, rate_plan_id: null, field: "capacity", date })}
              value={capacity}
              inputmode="numeric"
              aria-label={`${name}, rooms for sale on ${date}`}
            />
          </td>
        ))}
      </tr>
      {first?.rate_plans.map(({ rate_plan_id, code, currency }, i) => (
        <tr>
          <th scope="row">
            <bdi>{code}</bdi> <span class="faint">{currency}</span>
          </th>
          {nights.map((night) => {
            const plan = night.rate_plans[i]!;
            const { date } = night;
            return (
              <td>
                <input
                  name={cellName({ room_type_id, rate_plan_id, field: "amount", date })}
                  value={decimalOf(Number(currentOf(night, plan, "amount")), currency)}
                  inputmode="decimal"
                  aria-label={`${name}, ${code}, price on ${date}`}
                />
                <Marks restrictions={plan.restrictions} />
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

/** How many rooms are left; the colour is the share that is sold. */
function LeftCell({ visit, night }: { readonly visit: Visit; readonly night: RoomNight }) {
  const { left, effective, sold, held, oversold, changed } = night;
  const taken = effective > 0 ? Math.min(1, (sold + held) / effective) : 1;
  const by = changed ? `; changed by ${nameOfActor(visit, changed.actor)}` : "";
  const title = `${sold} sold, ${held} held of ${effective}${by}`;
  return (
    <td class="units" data-level={Math.round(taken * LEVELS)} title={title}>
      {oversold > 0 ? `▲ -${oversold}` : left}
      <Marks restrictions={night.restrictions} />
    </td>
  );
}

/** Rules by a sign each, with words for who hears them. */
function Marks({ restrictions }: { readonly restrictions: RoomNight["restrictions"] }) {
  const { stop_sell, cta, ctd, min_los_arrival } = restrictions;
  const marks: [string, string][] = [
    ...(stop_sell ? [["✕", "closed"] as [string, string]] : []),
    ...(cta ? [["⇥", "closed to arrival"] as [string, string]] : []),
    ...(ctd ? [["⇤", "closed to departure"] as [string, string]] : []),
    ...(min_los_arrival ? [[`${min_los_arrival}+`, "nights at least"] as [string, string]] : []),
  ];
  if (marks.length === 0) return null;
  return (
    <span class="marks">
      {marks.map(([sign, words]) => (
        <abbr title={words}>{sign}</abbr>
      ))}
    </span>
  );
}

export const calendarPageRoutes = [
  page(
    {
      id: "console_calendar",
      path: PATH,
      summary: "Rates and availability",
      query: { property_id: textQuery("The hotel."), from: textQuery("The first night.") },
    },
    show,
  ),
];
