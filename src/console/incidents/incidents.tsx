/** Oversold nights that wait for an operator. */
import type { Static } from "@sinclair/typebox";
import { INCIDENT_STATES } from "../../../engine/core/oversell-terms.ts";
import type { IncidentDetail, Incidents } from "../../api/incidents/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { type Hotels, hotelsOf, placeNames } from "../frame/hotels.ts";
import { At, type Column, Live, Nights, State } from "../frame/parts.tsx";
import { hotelsToChoose } from "../frame/property-picker.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import {
  askedOf,
  ListFilter,
  type ListPart,
  listQuery,
  partOf,
  Section,
} from "../frame/waiting-lists.tsx";

type Incident = Static<typeof Incidents>["items"][number];
/** An incident with its candidates. */
export type DetailedIncident = Static<typeof IncidentDetail>;
type List = Answered<Static<typeof Incidents>>;

export const INCIDENTS_PAGE = "/console/incidents";
export const INCIDENT_KINDS = "inventory.oversell";

const HEADINGS: Readonly<Record<Incident["state"], string>> = {
  open: "Open",
  acknowledged: "Somebody works on it",
  resolved: "Resolved",
  dismissed: "Accepted",
};
const OPEN = ["open", "acknowledged"] as const;

const CAUSES: Readonly<Record<Incident["cause"], string>> = {
  availability_update: "Availability was changed",
  property_change: "The hotel was changed",
  scan: "A scan found it",
};

/** What opened it, as a sentence without its end. */
export function causeOf({ cause }: Pick<Incident, "cause">): string {
  return CAUSES[cause];
}

async function show(visit: Visit): Promise<Shown> {
  const chosen = INCIDENT_STATES.find((each) => each === visit.call.query.get("state"));
  const asked = askedOf(visit, ["opened_from", "opened_before"]);
  const lists: { readonly title: string; readonly part: ListPart<Incident> }[] = [];
  for (const state of chosen ? [chosen] : OPEN) {
    const query = { ...asked, state };
    const list: List = await ask(visit, { id: "admin_list_oversell_incidents", query });
    lists.push({ title: HEADINGS[state], part: partOf(visit, state, list) });
  }
  const shown = lists.flatMap(({ part }) => part.page.items);
  const propertyIds = shown.map(({ property_id }) => property_id);
  const columns = columnsOf(visit.root, await hotelsOf(visit, propertyIds));
  const choice = await hotelsToChoose(visit);
  const main = (
    <>
      <h1>Incidents</h1>
      <p class="lead">Nights on which more rooms are taken than there are.</p>
      <ListFilter
        visit={visit}
        hotels={choice}
        path={INCIDENTS_PAGE}
        states={INCIDENT_STATES}
        open="All open"
        since="Opened from"
      />
      <Live id="incidents" kinds={INCIDENT_KINDS}>
        {lists.map((list) => (
          <Section
            {...list}
            word="incident"
            path={visit.root + INCIDENTS_PAGE}
            columns={columns}
            keyOf={({ incident_id }) => incident_id}
          />
        ))}
      </Live>
    </>
  );
  return { title: "Incidents", place: "incidents", main };
}

function columnsOf(root: string, hotels: Hotels): Column<Incident>[] {
  return [
    {
      head: "Hotel",
      cell: (each) => (
        <a href={`${root}${INCIDENTS_PAGE}/${each.incident_id}`}>
          <bdi>{placeNames(hotels, each).hotel}</bdi>
        </a>
      ),
    },
    { head: "Room", cell: (each) => <bdi>{placeNames(hotels, each).room}</bdi> },
    { head: "Nights", cell: ({ from, until }) => <Nights from={from} until={until} /> },
    { head: "Oversold now", cell: (each) => <Worst incident={each} /> },
    {
      head: "Opened",
      cell: (each) => (
        <>
          {causeOf(each)}, <At instant={each.opened_at} zone={placeNames(hotels, each).zone} />
        </>
      ),
    },
    { head: "State", cell: ({ state }) => <State state={state} /> },
  ];
}

/** The night with the most units too many. */
function Worst({ incident: { nights, oversold_nights } }: { readonly incident: Incident }) {
  const [worst] = nights.toSorted((a, b) => b.excess - a.excess);
  if (worst === undefined) return <>no night any more</>;
  return (
    <>
      {worst.sold + worst.held} taken of {worst.capacity}
      {oversold_nights > 1 && <span class="faint"> on the worst of {oversold_nights} nights</span>}
    </>
  );
}

export const incidentListRoutes = [
  page(
    {
      id: "console_incidents",
      path: INCIDENTS_PAGE,
      summary: "Oversold nights",
      query: listQuery(INCIDENT_STATES),
    },
    show,
  ),
];
