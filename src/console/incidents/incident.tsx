/** An incident of oversold nights: who is affected, whom to move first, and what ends it. */
import { pathId } from "../../api/parameters.ts";
import { ask } from "../frame/api.ts";
import { ByActor, personName } from "../frame/by.tsx";
import { page } from "../frame/console-route.ts";
import { agentsOf, type Hotels, hotelsOf, placeNames } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import {
  At,
  type Column,
  Crumbs,
  dayText,
  Fact,
  Live,
  Nights,
  plural,
  Rows,
  Signed,
  State,
  Stay,
  wordsOf,
} from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { Closings } from "./incident-closings.tsx";
import {
  causeOf,
  INCIDENT_KINDS,
  INCIDENTS_PAGE,
  type DetailedIncident as Incident,
} from "./incidents.tsx";

type Candidate = Incident["candidates"][number];

const REASONS: Readonly<Record<Candidate["reasons"][number], string>> = {
  fewest_nights: "takes the fewest of the nights",
  latest_booked: "booked last",
  free_cancellation: "may cancel without a fee",
  room_available: "another room is free",
};

async function show(visit: Visit<"id">): Promise<Shown> {
  const { params } = visit.call;
  const found = await ask<Incident>(visit, { id: "admin_get_oversell_incident", params });
  if (!found.ok) {
    const back = { back: INCIDENTS_PAGE, backName: "Incidents" };
    return notDone(visit, { place: "incidents", ...back }, "Incident", found.error);
  }
  const incident = found.data;
  const hotels = await hotelsOf(visit, [incident.property_id]);
  const { kind, id, person_id } = incident.opened_by;
  const agents = kind === "system" ? null : await agentsOf(visit, [id]);
  const nameOfOpener = personName(visit, person_id) ?? agents?.get(id)?.name ?? id;
  const mayClose = found.actions.some(({ href }) => href.endsWith("/resolve"));
  const main = (
    <>
      <Crumbs to={visit.root + INCIDENTS_PAGE}>Incidents</Crumbs>
      <Live id="incident" kinds={`${INCIDENT_KINDS} booking.`}>
        <Facts incident={incident} hotels={hotels} openedBy={nameOfOpener} />
        <NightTable incident={incident} />
        <Candidates visit={visit} incident={incident} hotels={hotels} mayClose={mayClose} />
      </Live>
      <Closings visit={visit} incident={incident} offered={found.actions} />
      <Taken visit={visit} incident={incident} zone={placeNames(hotels, incident).zone} />
    </>
  );
  return { title: "Incident", place: "incidents", main };
}

interface Part {
  readonly incident: Incident;
  readonly hotels: Hotels;
}

function Facts({ incident, hotels, openedBy }: Part & { readonly openedBy: string }) {
  const { state, from, until, opened_at, affected_booking_count } = incident;
  const names = placeNames(hotels, incident);
  return (
    <>
      <h1>
        <bdi>{names.hotel}</bdi>, <bdi>{names.room}</bdi> <State state={state} />
      </h1>
      <dl>
        <Fact name="Nights">
          <Nights from={from} until={until} />
        </Fact>
        <Fact name="Oversold now">{plural(incident.oversold_nights, "night")}</Fact>
        <Fact name="Bookings on them">{affected_booking_count}</Fact>
        <Fact name="Cause">{causeOf(incident)}</Fact>
        <Fact name="Opened">
          <At instant={opened_at} zone={names.zone} /> by <bdi>{openedBy}</bdi>
        </Fact>
      </dl>
    </>
  );
}

function NightTable({ incident: { nights, oversold_nights } }: Pick<Part, "incident">) {
  if (nights.length === 0) return <p>No night is oversold any more.</p>;
  return (
    <>
      <h2>Oversold nights</h2>
      <Rows
        label="Oversold nights"
        rows={nights}
        keyOf={({ date }) => `night-${date}`}
        columns={[
          { head: "Night of", cell: ({ date }) => dayText(date) },
          { head: "Sold", isNumber: true, cell: ({ sold }) => sold },
          { head: "Held", isNumber: true, cell: ({ held }) => held },
          { head: "Available", isNumber: true, cell: ({ capacity }) => capacity },
          { head: "Too many", isNumber: true, cell: ({ excess }) => excess },
        ]}
      />
      {oversold_nights > nights.length && (
        <p class="faint">
          The first {nights.length} of {oversold_nights}.
        </p>
      )}
    </>
  );
}

interface CandidatesOf extends Part {
  readonly visit: Visit;
  readonly mayClose: boolean;
}

function Candidates({ visit, incident, hotels, mayClose }: CandidatesOf) {
  const { candidates, property_id, incident_id } = incident;
  if (candidates.length === 0) return null;
  const path = `${visit.root}${INCIDENTS_PAGE}/${incident_id}`;
  const columns: Column<Candidate>[] = [
    {
      head: "Booking",
      cell: ({ booking_id }) => (
        <a href={`${visit.root}/console/bookings/${booking_id}`}>
          <code>{booking_id}</code>
        </a>
      ),
    },
    { head: "Stay", cell: ({ stay }) => <Stay stay={stay} /> },
    { head: "Oversold nights", isNumber: true, cell: (each) => each.oversold_nights },
    { head: "Why", cell: ({ reasons }) => reasons.map((each) => REASONS[each]).join("; ") },
    {
      head: "Free instead",
      cell: ({ alternative }) =>
        alternative === null ? (
          "no room of the same currency"
        ) : (
          <>
            <bdi>{placeNames(hotels, { property_id, ...alternative }).room}</bdi>,{" "}
            {plural(alternative.sellable, "unit")},{" "}
            <Signed amount={alternative.difference} currency={alternative.currency} />
          </>
        ),
    },
    ...(mayClose ? [doing(path)] : []),
  ];
  return (
    <>
      <h2>Whom to move, best first</h2>
      <Rows
        label="Bookings that could be moved"
        rows={candidates}
        keyOf={({ booking_id }) => booking_id}
        columns={columns}
      />
    </>
  );
}

function doing(path: string): Column<Candidate> {
  return {
    head: "Do",
    cell: ({ booking_id }) => (
      <>
        <a class="button" href={`${path}/move?booking_id=${booking_id}`}>
          Move…
        </a>{" "}
        <a class="button" href={`${path}/cancel?booking_id=${booking_id}`}>
          Cancel and refund…
        </a>
      </>
    ),
  };
}

interface TakenOf {
  readonly visit: Visit;
  readonly incident: Incident;
  readonly zone: string;
}

/** What operators did, and how it ended. */
function Taken({ visit, incident, zone }: TakenOf) {
  const { actions, acknowledged, resolution } = incident;
  if (actions.length === 0 && !acknowledged && !resolution) return null;
  return (
    <>
      <h2>What was done</h2>
      <ul>
        {acknowledged && (
          <li>
            <At instant={acknowledged.at} zone={zone} />:{" "}
            <ByActor visit={visit} actor={acknowledged.by} /> works on it
          </li>
        )}
        {actions.map(({ action, booking_id, by, at }) => (
          <li>
            <At instant={at} zone={zone} />: {wordsOf(action)} {booking_id} by{" "}
            <ByActor visit={visit} actor={by} />
          </li>
        ))}
        {resolution && (
          <li>
            <At instant={resolution.at} zone={zone} />: ended by {wordsOf(resolution.reason)}, by{" "}
            <ByActor visit={visit} actor={resolution.by} />{" "}
            {resolution.note && <bdi>{resolution.note}</bdi>}
          </li>
        )}
      </ul>
    </>
  );
}

export const incidentRoutes = [
  page(
    {
      id: "console_incident",
      path: `${INCIDENTS_PAGE}/:id`,
      summary: "An incident of oversold nights",
      params: { id: pathId("Id of the incident.") },
    },
    show,
  ),
];
