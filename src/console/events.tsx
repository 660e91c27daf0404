/** What happened in the tenant, newest first, and as it happens. */
import type { Static } from "@sinclair/typebox";
import type { EventPage } from "../api/events/responses.ts";
import { ask } from "./frame/api.ts";
import { personName } from "./frame/by.tsx";
import { page, textQuery } from "./frame/console-route.ts";
import { Next } from "./frame/pages.tsx";
import { At, Crumbs, Live, Problem, Rows } from "./frame/parts.tsx";
import type { Shown } from "./frame/shown.ts";
import type { Visit } from "./frame/visit.ts";

type Event = Static<typeof EventPage>["items"][number];

const SHOWN = 50;
const PATH = "/console/events";

async function show(visit: Visit): Promise<Shown> {
  const { call, headSeq: head } = visit;
  const [subject, kinds] = [call.query.get("subject") ?? "", call.query.get("kinds") ?? ""];
  const isFiltered = subject !== "" || kinds !== "";
  const one = Number(call.query.get("event") ?? "");
  if (one > 0) return showOne(visit, one);
  const asked = Number(call.query.get("before") ?? "");
  const before = asked > 0 ? Math.min(asked, head + 1) : head + 1;
  // A subject has few events; they are read from the first one.
  const after = subject === "" ? Math.max(0, before - 1 - SHOWN) : 0;
  const found = await ask<Static<typeof EventPage>>(visit, {
    id: "list_events",
    query: {
      ...{ after_seq: String(after), limit: String(SHOWN) },
      ...(subject !== "" && { subject }),
      ...(kinds !== "" && { kinds }),
    },
  });
  const main = (
    <>
      <h1>Events</h1>
      <Filter visit={visit} subject={subject} kinds={kinds} />
      {!found.ok && <Problem error={found.error} />}
      {found.ok && (
        <EventList
          visit={visit}
          items={found.data.items.filter(({ seq }) => seq < before).toReversed()}
          isLatest={before > head}
        />
      )}
      <Next path={visit.root + PATH} next={after > 0 ? olderThan(after + 1, kinds) : null}>
        {isFiltered ? "Next (of the fifty before)" : "Next"}
      </Next>
    </>
  );
  return { title: "Events", place: "events", main };
}

/** One event, whole. */
async function showOne(visit: Visit, seq: number): Promise<Shown> {
  const found = await ask<Static<typeof EventPage>>(visit, {
    ...{ id: "list_events", query: { after_seq: String(seq - 1), limit: "1" } },
  });
  const event = found.ok ? found.data.items.find((each) => each.seq === seq) : undefined;
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Events</Crumbs>
      <h1>Event {seq}</h1>
      {!found.ok && <Problem error={found.error} />}
      {found.ok && !event && <p>There is no such event.</p>}
      {event && (
        <pre>
          <code>{JSON.stringify(event, null, 2)}</code>
        </pre>
      )}
    </>
  );
  return { title: "Event", place: "events", main };
}

function olderThan(before: number, kinds: string): string {
  const query = new URLSearchParams({ before: String(before), ...(kinds !== "" && { kinds }) });
  return `?${query}`;
}

interface FilterOf {
  readonly visit: Visit;
  readonly subject: string;
  readonly kinds: string;
}

function Filter({ visit: { root }, subject, kinds }: FilterOf) {
  return (
    <form method="get" action={root + PATH} class="filter">
      <label>
        Kinds, separated by commas
        <input name="kinds" value={kinds} placeholder="booking.confirmed" />
      </label>
      <label>
        Subject
        <input name="subject" value={subject} placeholder="booking:bkg_…" />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

/** The way to the whole event: a property's tree has megabytes, and the list fifty events. */
function WholeEvent({ root, seq }: { readonly root: string; readonly seq: number }) {
  return (
    <a href={`${root}${PATH}?event=${seq}`}>
      <code>#{seq}</code>
    </a>
  );
}

/** A dash where no person at the console caused it. */
function Who({
  visit,
  personId,
}: {
  readonly visit: Visit;
  readonly personId: string | undefined;
}) {
  if (personId === undefined) return <>—</>;
  const name = personName(visit, personId);
  return name === null ? <code>{personId}</code> : <bdi>{name}</bdi>;
}

interface EventListOf {
  readonly visit: Visit;
  readonly items: readonly Event[];
  readonly isLatest: boolean;
}

function EventList({ visit, items, isLatest }: EventListOf) {
  const table = (
    <>
      {items.length === 0 && <p>No event here.</p>}
      {items.length > 0 && (
        <Rows
          label="Events"
          rows={items}
          keyOf={({ seq }) => `event-${seq}`}
          columns={[
            { head: "Number", cell: ({ seq }) => <WholeEvent root={visit.root} seq={seq} /> },
            { head: "At (UTC)", cell: ({ timestamp }) => <At instant={timestamp} zone="UTC" /> },
            { head: "Kind", cell: ({ type }) => <code>{type}</code> },
            { head: "By", cell: ({ person_id }) => <Who visit={visit} personId={person_id} /> },
            {
              head: "About",
              cell: ({ subject: { type, id } }) => (
                <>
                  {type} <code>{id}</code>
                </>
              ),
            },
          ]}
        />
      )}
    </>
  );
  return isLatest ? (
    <Live id="events" kinds="*">
      {table}
    </Live>
  ) : (
    table
  );
}

export const eventPageRoutes = [
  page(
    {
      id: "console_events",
      path: PATH,
      summary: "Events",
      query: {
        kinds: textQuery("Kinds."),
        subject: textQuery("Subject."),
        before: textQuery("Number of the first event that is not shown."),
        event: textQuery("Number of the event that is shown whole."),
      },
    },
    show,
  ),
];
