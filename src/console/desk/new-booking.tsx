/**
 * A booking for a guest at the desk or on the telephone: hotel, dates and party, then the priced
 * offers. The page of an offer asks for the guest (`new-booking-guest.tsx`).
 */
import type { Static } from "@sinclair/typebox";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import type { PropertyOffers } from "../../api/offers/responses.ts";
import { ask } from "../frame/api.ts";
import { page, textQuery } from "../frame/console-route.ts";
import { hotelsOf } from "../frame/hotels.ts";
import { ActionForm, Amount, type Column, Crumbs, Problem, plural, Rows } from "../frame/parts.tsx";
import { type HotelChoice, hotelsToChoose, PropertyPicker } from "../frame/property-picker.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";

export const NEW_PATH = "/console/bookings/new";

type Offer = Static<typeof PropertyOffers>["items"][number];

/** How the guest pays: a field of the forms. */
export const WAYS = { at_property: "At the hotel", card: "By card now" } as const;

interface LinkOf {
  readonly root: string;
  /** Empty for none. */
  readonly property_id: string;
}

/** The way to a new booking, at the hotel of the page. */
export function NewBooking({ root, property_id }: LinkOf) {
  const there = property_id === "" ? "" : `?${new URLSearchParams({ property_id })}`;
  return (
    <p class="deeds">
      <a class="button" href={root + NEW_PATH + there}>
        New booking
      </a>
    </p>
  );
}

/** What the first form asks for, with what is usual where nothing was typed yet. */
interface Typed {
  readonly property_id: string;
  readonly check_in: string;
  readonly check_out: string;
  readonly adults: string;
  readonly children: string;
  readonly pays: keyof typeof WAYS;
}

/** Today and tomorrow are those of the hotel: after midnight there it is its new day. */
async function typedIn(visit: Visit, hotels: HotelChoice): Promise<Typed> {
  const { query, context, principal } = visit.call;
  const text = (name: string) => (query.get(name) ?? "").trim();
  const property_id = text("property_id") || (hotels.length === 1 ? hotels[0]!.property_id : "");
  const read = await hotelsOf(visit, property_id === "" ? [] : [property_id]);
  const zone = read.get(property_id)?.timezone ?? "UTC";
  const today = todayIn(zone, context.timeIn(principal));
  return {
    property_id,
    check_in: text("check_in") || dateOf(today),
    check_out: text("check_out") || dateOf(today + 1),
    adults: text("adults") || "2",
    children: text("children").replace(/[\s,]+/g, ","),
    pays: text("pays") === "card" ? "card" : "at_property",
  };
}

async function show(visit: Visit): Promise<Shown> {
  const hotels = await hotelsToChoose(visit);
  const typed = await typedIn(visit, hotels);
  const isAsked = (visit.call.query.get("property_id") ?? "") !== "";
  const main = (
    <>
      <Crumbs to={`${visit.root}/console/bookings`}>Bookings</Crumbs>
      <h1>New booking</h1>
      <StayForm visit={visit} hotels={hotels} typed={typed} isAsked={isAsked} />
      {isAsked && (await offersFor(visit, typed))}
    </>
  );
  return { title: "New booking", place: "bookings", main };
}

interface FormOf {
  readonly visit: Visit;
  readonly hotels: HotelChoice;
  readonly typed: Typed;
  /** Offers are below it. */
  readonly isAsked: boolean;
}

function StayForm({ visit, hotels, typed, isAsked }: FormOf) {
  return (
    <form method="get" action={visit.root + NEW_PATH} class="filter">
      <PropertyPicker hotels={hotels} chosen={typed.property_id} />
      <label>
        Check-in
        <input type="date" name="check_in" required autofocus={!isAsked} value={typed.check_in} />
      </label>
      <label>
        Check-out
        <input type="date" name="check_out" required value={typed.check_out} />
      </label>
      <label>
        Adults
        <input name="adults" inputmode="numeric" required value={typed.adults} />
      </label>
      <label>
        Ages of the children
        <input name="children" autocomplete="off" placeholder="4, 7" value={typed.children} />
      </label>
      <label>
        Pays
        <select name="pays">
          {Object.entries(WAYS).map(([way, name]) => (
            <option value={way} selected={way === typed.pays}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show offers</button>
    </form>
  );
}

async function offersFor(visit: Visit, typed: Typed) {
  const { property_id, check_in, check_out, adults, children } = typed;
  const found = await ask<Static<typeof PropertyOffers>>(visit, {
    id: "list_offers",
    params: { id: property_id },
    query: { check_in, check_out, adults, children },
  });
  if (!found.ok) return <Problem error={found.error} />;
  const { items } = found.data;
  const free = items.filter(({ quote }) => quote !== null);
  const full = items.length - free.length;
  return (
    <>
      <h2>Offers</h2>
      <p class="outcome">
        {plural(free.length, "offer")} for sale
        {full > 0 && `, ${full} not: full, closed or by a rule of the stay`}
      </p>
      {free.length > 0 && <Offers visit={visit} typed={typed} offers={free} />}
    </>
  );
}

const TERMS: Column<Offer> = {
  head: "Cancellation",
  cell: ({ cancellation }) => cancellation.description,
};

interface OffersOf {
  readonly visit: Visit;
  readonly typed: Typed;
  readonly offers: readonly Offer[];
}

function Offers({ visit, typed, offers }: OffersOf) {
  const columns: Column<Offer>[] = [
    {
      head: "Room",
      cell: ({ room_type_name, rate_plan_name }) => (
        <>
          <bdi>{room_type_name}</bdi>, <bdi>{rate_plan_name}</bdi>
        </>
      ),
    },
    // Fees are shares of what is prepaid.
    ...(typed.pays === "card" ? [TERMS] : []),
    { head: "Left", isNumber: true, cell: ({ sellable }) => sellable },
    {
      head: "Total",
      isNumber: true,
      cell: ({ total, currency }) => <Amount amount={total} currency={currency} />,
    },
    {
      head: "Book",
      cell: (offer) => (
        <ActionForm visit={visit} to={`${NEW_PATH}/quote`}>
          <input type="hidden" name="quote" value={JSON.stringify(offer.quote)} />
          <input type="hidden" name="pays" value={typed.pays} />
          <button
            type="submit"
            autofocus={offer === offers[0]}
            aria-label={`Book ${offer.room_type_name}, ${offer.rate_plan_name}`}
          >
            Book…
          </button>
        </ActionForm>
      ),
    },
  ];
  return (
    <Rows
      label="Offers"
      columns={columns}
      rows={offers}
      keyOf={({ room_type_id, rate_plan_id }) => `${room_type_id}-${rate_plan_id}`}
    />
  );
}

export const newBookingRoutes = [
  page(
    {
      id: "console_new_booking",
      path: NEW_PATH,
      summary: "A new booking",
      query: {
        property_id: textQuery("The hotel."),
        check_in: textQuery("The day of arrival."),
        check_out: textQuery("The day of departure."),
        adults: textQuery("The number of adults."),
        children: textQuery("The ages of the children."),
        pays: textQuery("How the guest pays."),
      },
    },
    show,
  ),
];
