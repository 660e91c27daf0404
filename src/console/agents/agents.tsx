/** Agents of the tenant, a new one, and the issuers of travelers' tokens. */
import type { Static } from "@sinclair/typebox";
import type { AgentList, CreatedAgent } from "../../api/agents/responses.ts";
import { ask } from "../frame/api.ts";
import { Choice, optionsOf } from "../frame/choice.tsx";
import { form, page, textQuery } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { Next, pageOf, SKIP_QUERY } from "../frame/pages.tsx";
import { Amount, At, Problem, plural, Rows, State } from "../frame/parts.tsx";
import { secretPage } from "../frame/secret.tsx";
import type { Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { NewAgent, requestOf } from "./agent-form.tsx";
import { Issuers, issuersOf } from "./issuers.tsx";

export type Agent = Static<typeof AgentList>["items"][number];

const PATH = "/console/agents";
const KINDS = ["agent", "operator", "service", "partner"];
const STATES = ["active", "suspended", "revoked"];
/** Of a page; the API lists all. */
const SHOWN = 200;

async function show(visit: Visit): Promise<Shown> {
  const { query } = visit.call;
  const [kind, state] = [query.get("kind") ?? "", query.get("state") ?? ""];
  const [found, issuers] = await Promise.all([
    ask<Static<typeof AgentList>>(visit, { id: "list_agents" }),
    issuersOf(visit),
  ]);
  const all = found.ok ? found.data.items : [];
  const items = all.filter((each) => {
    return (kind === "" || each.kind === kind) && (state === "" || each.state === state);
  });
  const main = (
    <>
      <h1>Agents</h1>
      <Filter visit={visit} kind={kind} state={state} />
      {found.ok ? <Page visit={visit} agents={items} /> : <Problem error={found.error} />}
      <NewAgent visit={visit} />
      <Issuers visit={visit} found={issuers} />
    </>
  );
  return { title: "Agents", place: "agents", main };
}

interface FilterOf {
  readonly visit: Visit;
  readonly kind: string;
  readonly state: string;
}

function Filter({ visit: { root }, kind, state }: FilterOf) {
  return (
    <form method="get" action={root + PATH} class="filter">
      <Choice label="Kind" name="kind" any="Any" options={optionsOf(KINDS)} chosen={kind} />
      <Choice label="State" name="state" any="Any" options={optionsOf(STATES)} chosen={state} />
      <button type="submit">Show</button>
    </form>
  );
}

function Page({ visit, agents }: { readonly visit: Visit; readonly agents: readonly Agent[] }) {
  const { items, words, next } = pageOf(visit, agents, SHOWN);
  return (
    <>
      <p class="outcome">
        {plural(agents.length, "agent")}
        {words !== null && `, of which ${words}`}
      </p>
      {items.length > 0 && <Agents root={visit.root} agents={items} />}
      <Next path={visit.root + PATH} next={next} />
    </>
  );
}

/** Limits in few words; nothing where there is none. */
export function Limits({ limits }: Pick<Agent, "limits">) {
  const { rpm, max_open_holds, max_booking_amount: amount, step_up_amount: stepUp } = limits;
  return (
    <>
      {rpm === null ? "any rate" : `${rpm} calls a minute`}
      {max_open_holds !== null && `, ${plural(max_open_holds, "hold")}`}
      {amount !== null && (
        <>
          , up to <Amount {...amount} /> a booking
        </>
      )}
      {stepUp !== null && (
        <>
          , asked again above <Amount {...stepUp} />
        </>
      )}
    </>
  );
}

function Agents({ root, agents }: { readonly root: string; readonly agents: readonly Agent[] }) {
  return (
    <Rows
      label="Agents"
      rows={agents}
      keyOf={({ agent_id }) => agent_id}
      columns={[
        {
          head: "Agent",
          cell: ({ agent_id, name }) => (
            <a href={`${root}${PATH}/${agent_id}`}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        { head: "State", cell: ({ state }) => <State state={state} /> },
        { head: "Kind", cell: ({ kind }) => kind },
        { head: "Limits", cell: ({ limits }) => <Limits limits={limits} /> },
        {
          head: "Properties",
          isNumber: true,
          cell: ({ property_ids }) => (property_ids === null ? "all" : property_ids.length),
        },
        {
          head: "Last seen (UTC)",
          cell: ({ last_seen_at }) =>
            last_seen_at === null ? "never" : <At instant={last_seen_at} zone="UTC" />,
        },
      ]}
    />
  );
}

async function create(visit: Visit, sent: Form): Promise<Shown> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const made = await ask<Static<typeof CreatedAgent>>(visit, {
    ...{ id: "create_agent", body: requestOf(sent), headers: keyHeader(sent) },
  });
  const origin = { place: "agents", back: PATH, backName: "Agents" } as const;
  if (!made.ok) return notDone(visit, origin, "New agent: not done", made.error);
  const { agent_id, name, credential } = made.data;
  return secretPage({
    ...{ title: "Agent created", place: "agents", of: name, secret: credential.secret },
    use: "The agent sends it as a bearer token, or exchanges it for access tokens.",
    ...{ back: `${visit.root}${PATH}/${agent_id}`, backName: "To the agent" },
  });
}

export const agentListRoutes = [
  page(
    {
      id: "console_agents",
      path: PATH,
      summary: "Agents",
      query: {
        kind: textQuery("The kind."),
        state: textQuery("The state."),
        ...SKIP_QUERY,
      },
    },
    show,
  ),
  form({ id: "console_create_agent", path: PATH, summary: "Create an agent" }, create),
];
