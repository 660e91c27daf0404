/** The desk's day: what waits for an operator, who arrives, who is in the house, who leaves. */
import type { Static } from "@sinclair/typebox";
import type { DeskToday } from "../../api/desk/responses.ts";
import { ask } from "../frame/api.ts";
import { page, textQuery } from "../frame/console-route.ts";
import { ActionForm, dayText, Live, Problem, plural } from "../frame/parts.tsx";
import { hotelsToChoose, PropertyPicker } from "../frame/property-picker.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { BookingTable, type DeskBooking } from "./booking-table.tsx";
import { DEEDS } from "./deeds.tsx";
import { NewBooking } from "./new-booking.tsx";

type Today = Static<typeof DeskToday>;
type List = Today["arrivals"] | Today["in_house"];

async function show(visit: Visit): Promise<Shown> {
  const property_id = visit.call.query.get("property_id") ?? "";
  const there = property_id === "" ? {} : { property_id };
  const query = { limit: "50", ...there };
  const found = await ask<Today>(visit, { id: "admin_desk_today", query });
  const hotels = await hotelsToChoose(visit);
  const main = (
    <>
      <h1>Today</h1>
      <NewBooking root={visit.root} property_id={property_id} />
      {hotels.length > 1 && (
        <form method="get" action={`${visit.root}/console`} class="filter">
          <PropertyPicker hotels={hotels} chosen={property_id} all="All hotels" />
          <button type="submit" class="quiet">
            Show
          </button>
        </form>
      )}
      {found.ok ? <Day visit={visit} today={found.data} /> : <Problem error={found.error} />}
    </>
  );
  return { title: "Today", place: "today", main };
}

function Day({ visit, today }: { readonly visit: Visit; readonly today: Today }) {
  const { days, arrivals, in_house, departures, free_tonight, oversold_tonight, needs } = today;
  return (
    <Live id="today" kinds="booking. hold. inventory. refund. payment. authorization. ari.">
      <p class="lead">{datesOf(days)}</p>
      <Needs root={visit.root} needs={needs} oversold={oversold_tonight} />
      <dl class="figures">
        <Figure name="Arrivals" value={arrivals.total} />
        <Figure name="In the house" value={in_house.total} />
        <Figure name="Departures" value={departures.total} />
        {free_tonight !== null && <Figure name="Free tonight" value={free_tonight} />}
      </dl>
      <Section visit={visit} title="Arrivals" list={arrivals} deed="check-in" />
      <Section visit={visit} title="Departures" list={departures} deed="check-out" />
      <Section visit={visit} title="In the house" list={in_house} />
    </Live>
  );
}

/** Hotels in other time zones may have another date. */
function datesOf(days: Today["days"]): string {
  const byDate = Map.groupBy(days, ({ date }) => date);
  const texts = [...byDate].map(([date, there]) => {
    const hotels = there.reduce((sum, { properties }) => sum + properties, 0);
    return byDate.size === 1 ? dayText(date) : `${dayText(date)} at ${plural(hotels, "hotel")}`;
  });
  return texts.join(", ");
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface NeedsOf {
  readonly root: string;
  readonly needs: Today["needs"];
  readonly oversold: number;
}

/** Work that waits, in words, and the page where it is done. */
const NEEDS: Readonly<Record<keyof Today["needs"], readonly [one: string, path: string]>> = {
  authorizations: ["approval", "/console/approvals"],
  incidents: ["oversell incident", "/console/incidents"],
  dead_letters: ["dead letter", "/console/webhooks/dead-letters"],
  refunds_failed: ["failed refund", "/console/money"],
  payments_unresolved: ["unresolved payment", "/console/money"],
};

const NEED_NAMES = Object.keys(NEEDS) as (keyof Today["needs"])[];

function Needs({ root, needs, oversold }: NeedsOf) {
  const waiting = NEED_NAMES.filter((name) => (needs[name] ?? 0) > 0);
  if (waiting.length === 0 && oversold === 0) return null;
  return (
    <div class="needs">
      <b>Needs you</b>
      <ul>
        {waiting.map((name) => (
          <li>
            <a href={root + NEEDS[name][1]}>{plural(needs[name]!, NEEDS[name][0])}</a>
          </li>
        ))}
        {oversold > 0 && <li>{plural(oversold, "room")} oversold tonight</li>}
      </ul>
    </div>
  );
}

interface SectionOf {
  readonly visit: Visit;
  readonly title: string;
  readonly list: List;
  readonly deed?: "check-in" | "check-out";
}

function Section({ visit, title, list: { items, total }, deed }: SectionOf) {
  const last = deed && {
    head: "Do",
    cell: ({ booking_id, ...stay }: DeskBooking) => (
      <>
        {"is_late" in stay && stay.is_late === true && <span class="chip warn">late</span>}{" "}
        <ActionForm visit={visit} to={`/console/bookings/${booking_id}/${deed}`}>
          <input type="hidden" name="from" value="today" />
          <button type="submit">{DEEDS[deed].label}</button>
        </ActionForm>
      </>
    ),
  };
  return (
    <>
      <h2>
        {title} <span class="faint">{total}</span>
      </h2>
      {items.length === 0 ? (
        <p class="faint">None.</p>
      ) : (
        <BookingTable root={visit.root} label={title} bookings={items} {...(last && { last })} />
      )}
      {total > items.length && (
        <p class="faint">
          The first {items.length} of {total}:{" "}
          <a href={`${visit.root}/console/bookings`}>find others in Bookings</a>.
        </p>
      )}
    </>
  );
}

export const todayRoutes = [
  page(
    {
      id: "console_today",
      path: "/console",
      summary: "The desk's day",
      query: { property_id: textQuery("The hotel.") },
    },
    show,
  ),
];
