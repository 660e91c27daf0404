/** The desk's day: what waits for an operator, who arrives, who is in the house, who leaves. */
import { ask } from "./api.ts";
import { BookingTable, type DeskBooking } from "./booking-table.tsx";
import { page } from "./console-route.ts";
import { DEEDS } from "./deeds.tsx";
import { ActionForm, Live, Problem } from "./parts.tsx";
import type { Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

interface List {
  readonly total: number;
  readonly items: readonly (DeskBooking & { readonly is_late: boolean })[];
}

interface Today {
  readonly property_id: string | null;
  readonly days: readonly { readonly date: string; timezone: string; properties: number }[];
  readonly arrivals: List;
  readonly in_house: List;
  readonly departures: List;
  readonly free_tonight: number | null;
  readonly oversold_tonight: number;
  readonly needs: Readonly<Record<string, number | null>>;
}

async function show(visit: Visit): Promise<Shown> {
  const found = await ask<Today>(visit, { id: "admin_desk_today", query: { limit: "50" } });
  const main = (
    <>
      <h1>Today</h1>
      {found.ok ? <Day visit={visit} today={found.data} /> : <Problem error={found.error} />}
    </>
  );
  return { title: "Today", place: "today", main };
}

function Day({ visit, today }: { readonly visit: Visit; readonly today: Today }) {
  const { days, arrivals, in_house, departures, free_tonight, oversold_tonight, needs } = today;
  return (
    <Live id="today" kinds="booking. hold. inventory. refund. payment. authorization. ari.">
      <p class="lead">{days.map(({ date }) => date).join(" / ")}</p>
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

const NEEDS: Readonly<Record<string, string>> = {
  authorizations: "approvals",
  incidents: "oversold nights",
  dead_letters: "dead letters",
  refunds_failed: "failed refunds",
  payments_unresolved: "unresolved payments",
};

/** Pages where they are seen to. */
const NEEDS_AT: Readonly<Record<string, string>> = {
  dead_letters: "/console/webhooks/dead-letters",
};

function Needs({ root, needs, oversold }: NeedsOf) {
  const waiting = Object.entries(needs).filter(([, count]) => (count ?? 0) > 0);
  if (waiting.length === 0 && oversold === 0) return null;
  return (
    <div class="needs">
      <b>Needs you</b>
      <ul>
        {waiting.map(([name, count]) => (
          <li>
            {NEEDS_AT[name] === undefined ? (
              `${count} ${NEEDS[name]}`
            ) : (
              <a href={root + NEEDS_AT[name]}>
                {count} {NEEDS[name]}
              </a>
            )}
          </li>
        ))}
        {oversold > 0 && <li>{oversold} rooms oversold tonight</li>}
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
    cell: ({ booking_id, is_late }: List["items"][number]) => (
      <>
        {is_late && <span class="chip warn">late</span>}{" "}
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
          The first {items.length} of {total}.
        </p>
      )}
    </>
  );
}

export const todayRoutes = [
  page({ id: "console_today", path: "/console", summary: "The desk's day" }, show),
];
