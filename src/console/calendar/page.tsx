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
import {
  currentOf,
  fieldsOf,
  type Nights,
  pagesOf,
  type RoomNight,
  type RoomPage,
  readNights,
  roomPageOf,
  roomsAsked,
} from "./nights.ts";
import { cellName } from "./staged.ts";

export const PATH = "/console/calendar";
/** The first is the default; the API's own is another one. */
const LENGTHS = [14, 31, 62] as const;
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
  const length = LENGTHS.find((each) => String(each) === query.get("nights")) ?? LENGTHS[0];
  const rooms = roomPageOf(query);
  const asked = {
    ...(!Number.isNaN(dayOf(from)) && { from }),
    ...{ nights: String(length), ...roomsAsked(rooms) },
  };
  const found = property_id === "" ? null : await readNights(visit, property_id, asked);
  const nights = found?.ok ? found.data : null;
  const shown = nights && { property_id, from: nights.from, length, rooms };
  const main = (
    <>
      <h1>Calendar</h1>
      <form method="get" action={visit.root + PATH} class="filter">
        <PropertyPicker hotels={hotels} chosen={property_id} />
        <label>
          From
          <input type="date" name="from" value={nights?.from ?? from} />
        </label>
        <label>
          Nights
          <select name="nights">
            {LENGTHS.map((each) => (
              <option value={each} selected={each === length}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          Rooms, by name
          <input type="search" name="rooms" value={rooms.name} maxlength={64} />
        </label>
        <button type="submit">Show</button>
      </form>
      {found === null && <p>There is no hotel yet.</p>}
      {found && !found.ok && <Problem error={found.error} />}
      {shown && <Turn root={visit.root} shown={shown} />}
      {nights && shown && <Pages root={visit.root} shown={shown} nights={nights} />}
      {nights && shown && <Grid visit={visit} nights={nights} shown={shown} />}
      {nights && shown && (
        <BulkForm visit={visit} nights={nights}>
          <ShownFields shown={shown} />
        </BulkForm>
      )}
    </>
  );
  return { title: "Calendar", place: "calendar", main };
}

/** What a calendar shows. */
interface Extent {
  readonly property_id: string;
  readonly from: string;
  readonly length: number;
  readonly rooms: RoomPage;
}

/** The address of a calendar. */
function addressOf(root: string, { property_id, from, length, rooms }: Extent): string {
  const nights = length === LENGTHS[0] ? {} : { nights: String(length) };
  const query = new URLSearchParams({ property_id, from, ...nights, ...fieldsOf(rooms) });
  return `${root}${PATH}?${query}`;
}

interface ShownOf {
  readonly root: string;
  readonly shown: Extent;
}

function Turn({ root, shown }: ShownOf) {
  const { from, length } = shown;
  const at = (days: number) => addressOf(root, { ...shown, from: dateOf(dayOf(from) + days) });
  return (
    <p class="turns">
      <a href={at(-length)}>◂ {length} nights before</a>{" "}
      <a href={at(length)}>{length} nights after ▸</a>
    </p>
  );
}

/** The way to a hotel's other room types; nothing where all of them are shown. */
function Pages({ root, shown, nights }: ShownOf & { readonly nights: Nights }) {
  const { room_types, room_types_found = 0 } = nights;
  const { rooms } = shown;
  const last = pagesOf(nights);
  if (room_types.length === 0) {
    const all = addressOf(root, { ...shown, rooms: { name: "", page: 1 } });
    return (
      <p>
        No room type here. <a href={all}>Show all</a>
      </p>
    );
  }
  if (last === 1) return null;
  const at = (page: number) => addressOf(root, { ...shown, rooms: { ...rooms, page } });
  return (
    <nav class="turns" aria-label="Room types">
      {rooms.page > 1 && <a href={at(rooms.page - 1)}>◂ rooms before</a>} Page {rooms.page} of{" "}
      {last}, {room_types_found} room types{" "}
      {rooms.page < last && <a href={at(rooms.page + 1)}>more rooms ▸</a>}{" "}
      <span class="faint">Changes are not kept from page to page: check them first.</span>
    </nav>
  );
}

/** What the calendar shows, so that a form leads back to it. */
function ShownFields({ shown: { from, length, rooms } }: { readonly shown: Extent }) {
  const nights = length === LENGTHS[0] ? {} : { nights: String(length) };
  const fields = { shown_from: from, ...nights, ...fieldsOf(rooms) };
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

interface GridOf {
  readonly visit: Visit;
  readonly nights: Nights;
  readonly shown: Extent;
}

/** Every value is a field of one form, so that it works without script. */
function Grid({ visit, nights, shown }: GridOf) {
  const [first] = nights.room_types;
  return (
    <ActionForm visit={visit} to={`${PATH}/check`} class="calendar">
      <input type="hidden" name="property_id" value={nights.property_id} />
      <ShownFields shown={shown} />
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
                {marksOf(plan)}
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
      {marksOf(night)}
    </td>
  );
}

/** Rules by a sign each, with words for who hears them. No component: most of 1,860 are empty. */
function marksOf({ restrictions }: Pick<RoomNight, "restrictions">) {
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
      query: {
        property_id: textQuery("The hotel."),
        from: textQuery("The first night."),
        nights: textQuery("How many nights."),
        rooms: textQuery("A text in the names of the room types."),
        page: textQuery("The page of room types, from 1."),
      },
    },
    show,
  ),
];
