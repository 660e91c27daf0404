/** From searches to bookings, of all agents and of each. */
import { agentsOf } from "../frame/hotels.ts";
import { Next, pageOf } from "../frame/pages.tsx";
import { Rows } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import { Share } from "./chart.tsx";
import { type Figures, PATH } from "./read.ts";
import { countText, percentText } from "./words.ts";

type Agent = Figures["agents"][number];

/** Of a page: names are read one by one. */
const SHOWN = 20;
const STEPS = ["searches", "quotes", "holds", "bookings"] as const;
type Step = (typeof STEPS)[number];
const STEP_NAMES: Readonly<Record<Step, string>> = {
  ...{ searches: "Searches", quotes: "Quotes", holds: "Holds", bookings: "Bookings" },
};

/** Null where the visitor may not see it. */
function sumOf(agents: readonly Agent[], step: Step): number | null {
  if (agents.some((each) => each[step] === null)) return null;
  return agents.reduce((sum, each) => sum + each[step]!, 0);
}

function shareOf(part: number | null, of: number | null): number | null {
  return part === null || of === null || of === 0 ? null : part / of;
}

/** The part of the page, with the names of the agents that it shows. */
export async function funnelOf(visit: Visit, { agents, traffic }: Figures) {
  const sorted = agents.toSorted(
    (a, b) => b.bookings - a.bookings || (b.quotes ?? 0) - (a.quotes ?? 0) || b.holds - a.holds,
  );
  const page = pageOf(visit, sorted, SHOWN);
  const names = await agentsOf(
    visit,
    page.items.map(({ agent_id }) => agent_id),
  );
  const isHotel = (visit.call.query.get("property_id") ?? "") !== "";
  return (
    <>
      <h2>From search to booking</h2>
      {agents.length === 0 && <p class="faint">No agent has asked in these days.</p>}
      {agents.length > 0 && <Funnel agents={agents} />}
      {traffic === null && (
        <p class="faint">
          Searches and quotes are counted for all hotels together, so they are not shown to an
          operator of some.
        </p>
      )}
      {traffic !== null && isHotel && (
        <p class="faint">
          Searches and quotes are those of all hotels; holds and bookings of this one.
        </p>
      )}
      {agents.length > 0 && (
        <>
          {page.words !== null && <p class="outcome">Agents {page.words}</p>}
          <ByAgent root={visit.root} agents={page.items} names={names} />
          <Next path={visit.root + PATH} next={page.next}>
            More agents
          </Next>
        </>
      )}
    </>
  );
}

/** Bars over the largest step; each says its share of the step before. */
function Funnel({ agents }: { readonly agents: readonly Agent[] }) {
  const sums = STEPS.map((step) => sumOf(agents, step));
  const top = Math.max(1, ...sums.map((sum) => sum ?? 0));
  return (
    <ol class="funnel">
      {STEPS.map((step, nth) => {
        const [sum, above] = [sums[nth]!, nth === 0 ? null : sums[nth - 1]!];
        const share = shareOf(sum, above);
        return (
          <li>
            <span>{STEP_NAMES[step]}</span>
            <Share of={top} part={sum ?? 0} />
            <b>{countText(sum)}</b>
            <span class="faint">
              {share !== null &&
                `${percentText(share)} of ${STEP_NAMES[STEPS[nth - 1]!].toLowerCase()}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

interface ByAgentOf {
  readonly root: string;
  readonly agents: readonly Agent[];
  readonly names: Awaited<ReturnType<typeof agentsOf>>;
}

function ByAgent({ root, agents, names }: ByAgentOf) {
  const counts = STEPS.map((step) => ({
    ...{ head: STEP_NAMES[step], isNumber: true },
    cell: (agent: Agent) => countText(agent[step]),
  }));
  return (
    <Rows
      label="From search to booking by agent"
      rows={agents}
      keyOf={({ agent_id }) => `funnel-${agent_id}`}
      columns={[
        {
          head: "Agent",
          cell: ({ agent_id }) => (
            <a href={`${root}/console/agents/${agent_id}`}>
              <bdi>{names.get(agent_id)?.name ?? agent_id}</bdi>
            </a>
          ),
        },
        ...counts,
        {
          ...{ head: "Booked of quotes", isNumber: true },
          cell: ({ bookings, quotes }) => percentText(shareOf(bookings, quotes)),
        },
      ]}
    />
  );
}
