/** Bookings: by dates, hotel and state in the address; by code, guest or id by a form, unlogged. */
import type { Static } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { FoundGuests } from "../../api/desk/responses.ts";
import { ask } from "../frame/api.ts";
import { Choice, optionsOf } from "../frame/choice.tsx";
import { form, page, textQuery } from "../frame/console-route.ts";
import type { Form } from "../frame/form.ts";
import { Next, pageOf, SKIP_QUERY } from "../frame/pages.tsx";
import { ActionForm, Live, Problem, plural } from "../frame/parts.tsx";
import { type HotelChoice, hotelsToChoose, PropertyPicker } from "../frame/property-picker.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { BookingTable, type DeskBooking } from "./booking-table.tsx";
import { NewBooking } from "./new-booking.tsx";

const PATH = "/console/bookings";
const STATES = ["confirmed", "checked_in", "completed", "cancelled", "no_show"] as const;
const DATES = ["arrivals", "departures", "in_house"] as const;
const DATE_NAMES: Readonly<Record<(typeof DATES)[number], string>> = {
  arrivals: "Arriving on",
  departures: "Leaving on",
  in_house: "In the hotel on",
};
const DAYS = 7;
const DAY_MS = 86_400_000;
/** Of a page; the API lists all. */
const SHOWN_MAX = 500;

type Criteria = Readonly<Record<string, string>>;

/** What a form of the page asks for: the fields that have a value. */
function chosen({ call: { query } }: Visit): Criteria {
  const dates = query.get("dates") ?? "arrivals";
  const date = query.get("date") ?? "";
  const [state, property_id] = [query.get("state") ?? "", query.get("property_id") ?? ""];
  const isKnown = DATES.some((each) => each === dates);
  return {
    ...(isKnown && date !== "" && { [dates]: date }),
    ...(state !== "" && { state }),
    ...(property_id !== "" && { property_id }),
  };
}

/** Filters besides the property. */
function criteriaIn(visit: Visit): Criteria {
  const { property_id: _hotel, ...criteria } = chosen(visit);
  return criteria;
}

/** Without filters the page lists the arrivals of one week. */
function nextDays({ call: { context, principal } }: Visit): Criteria {
  const [from, to] = [0, DAYS - 1].map((days) =>
    instantIso(context.timeIn(principal) + days * DAY_MS).slice(0, 10),
  );
  return { check_in_from: from!, check_in_to: to! };
}

async function show(visit: Visit): Promise<Shown> {
  const asked = chosen(visit);
  const isAnyDay = Object.keys(criteriaIn(visit)).length > 0;
  const query = isAnyDay ? asked : { ...asked, ...nextDays(visit) };
  return view(visit, await ask(visit, { id: "admin_list_bookings", query }), null);
}

type GuestsFound = Static<typeof FoundGuests>;
type Listed = { readonly items: readonly DeskBooking[] } & Partial<Omit<GuestsFound, "items">>;
type Found = Awaited<ReturnType<typeof ask<Listed>>>;

/** `sought`: what was typed into the search box. */
async function view(visit: Visit, found: Found, sought: string | null): Promise<Shown> {
  const hotels = await hotelsToChoose(visit);
  const main = (
    <>
      <h1>Bookings</h1>
      <NewBooking root={visit.root} property_id={visit.call.query.get("property_id") ?? ""} />
      <Search visit={visit} sought={sought} />
      <Filter visit={visit} hotels={hotels} />
      {!found.ok && <Problem error={found.error} />}
      {found.ok && <Result visit={visit} items={found.data.items} isLive={sought === null} />}
      {found.ok && sought !== null && <Rest visit={visit} sought={sought} found={found.data} />}
    </>
  );
  return { title: "Bookings", place: "bookings", main };
}

function Search({ visit, sought }: { readonly visit: Visit; readonly sought: string | null }) {
  return (
    <ActionForm visit={visit} to={PATH} class="search">
      <label>
        Find a booking
        <input
          type="search"
          name="sought"
          id="search"
          value={sought ?? ""}
          placeholder="Code, a part of the guest's name, e-mail or id"
          required
        />
      </label>
      <button type="submit">Find</button>
    </ActionForm>
  );
}

function Filter({
  visit: { root, call },
  hotels,
}: {
  readonly visit: Visit;
  readonly hotels: HotelChoice;
}) {
  const { query } = call;
  return (
    <form method="get" action={root + PATH} class="filter">
      <Choice
        {...{
          label: "Dates",
          name: "dates",
          options: DATES.map((each) => [each, DATE_NAMES[each]]),
        }}
        chosen={query.get("dates")}
      />
      <label>
        Date
        <input type="date" name="date" value={query.get("date") ?? ""} />
      </label>
      <Choice
        {...{ label: "State", name: "state", any: "Any", options: optionsOf(STATES) }}
        chosen={query.get("state")}
      />
      <PropertyPicker hotels={hotels} chosen={query.get("property_id") ?? ""} all="All hotels" />
      <button type="submit">Show</button>
    </form>
  );
}

interface ResultOf {
  readonly visit: Visit;
  readonly items: readonly DeskBooking[];
  readonly isLive: boolean;
}

/** The result of a search by a form cannot be asked for again by the page's script. */
function Result({ visit, items, isLive }: ResultOf) {
  const isWeek = isLive && Object.keys(criteriaIn(visit)).length === 0;
  const shown = pageOf(visit, items, SHOWN_MAX);
  const criteria = isWeek && `, arriving in the next ${DAYS} days`;
  const list = (
    <>
      <p class="outcome">
        {plural(items.length, "booking")}
        {criteria}
        {shown.words !== null && `, of which ${shown.words}, newest first`}
      </p>
      {items.length === 0 && !isLive && (
        <p>A name is found by parts of it, an e-mail address and a code as a whole.</p>
      )}
      {items.length > 0 && (
        <BookingTable root={visit.root} label="Bookings" bookings={shown.items} />
      )}
      {isLive && <Next path={visit.root + PATH} next={shown.next} />}
    </>
  );
  return isLive ? (
    <Live id="found" kinds="booking.">
      {list}
    </Live>
  ) : (
    list
  );
}

interface RestOf {
  readonly visit: Visit;
  readonly sought: string;
  readonly found: Listed;
}

/** What a search by a part of a name did not look at, with the way there. */
function Rest({ visit, sought, found: { searched, unreadable = 0, next_after } }: RestOf) {
  if (searched === undefined) return null;
  return (
    <>
      <p class="faint">
        {plural(searched, "booking")} looked at
        {next_after ? ", the last made first; there are more" : ""}.
        {unreadable > 0 && ` Of ${unreadable} the guest cannot be read.`}
      </p>
      {next_after && (
        <ActionForm visit={visit} to={PATH}>
          <input type="hidden" name="sought" value={sought} />
          <input type="hidden" name="after" value={next_after} />
          <button type="submit">Look at earlier bookings</button>
        </ActionForm>
      )}
    </>
  );
}

/** A confirmation code as people write it. */
const CODE = /^[0-9a-z]{8}$/i;

/** The bookings that the text of the search box names as a whole: by a code, an address, a name. */
async function named(visit: Visit, text: string): Promise<Found> {
  const code = text.replace(/[\s-]/g, "");
  const guest = { guest: text };
  let last: Found | null = null;
  for (const query of CODE.test(code) ? [{ confirmation_code: code }, guest] : [guest]) {
    last = await ask(visit, { id: "admin_list_bookings", query });
    if (!last.ok || last.data.items.length > 0) break;
  }
  return last!;
}

async function search(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const sought = (sent.get("sought") ?? "").trim();
  const after = sent.get("after") ?? "";
  if (/^bkg_\w+$/.test(sought)) return { goTo: `${PATH}/${sought}` };
  const whole = after === "" ? await named(visit, sought) : null;
  const isKnown = whole && (!whole.ok || whole.data.items.length > 0 || sought.includes("@"));
  if (isKnown) return whole.ok ? onlyOr(visit, sought, whole.data) : view(visit, whole, sought);
  const found = await ask<GuestsFound>(visit, {
    id: "admin_search_guests",
    body: { guest: sought, ...(after !== "" && { after }) },
  });
  if (!found.ok) return view(visit, found, sought);
  return onlyOr(visit, sought, found.data);
}

/** The only booking of a complete search, or the page of all. */
function onlyOr(visit: Visit, sought: string, data: Listed): Promise<Shown> | Gone {
  const [only, ...others] = data.items;
  const isAll = data.next_after === undefined || data.next_after === null;
  if (only && others.length === 0 && isAll) return { goTo: `${PATH}/${only.booking_id}` };
  return view(visit, { ok: true, data, actions: [] }, sought);
}

export const bookingListRoutes = [
  page(
    {
      id: "console_bookings",
      path: PATH,
      summary: "Bookings",
      query: {
        dates: textQuery("Which dates."),
        date: textQuery("The date."),
        state: textQuery("The state."),
        property_id: textQuery("The hotel."),
        ...SKIP_QUERY,
      },
    },
    show,
  ),
  form({ id: "console_find_bookings", path: PATH, summary: "Find a booking" }, search),
];
