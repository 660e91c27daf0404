/** An agent: its rights and credentials, and what can be done with it. */
import type { Static } from "@sinclair/typebox";
import type { AgentDetail } from "../../api/agents/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { type Answered, ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, At, Crumbs, Fact, Rows, State } from "../frame/parts.tsx";
import type { Origin, Shown } from "../frame/shown.ts";
import { DeedLinks, stateDeedRoutes } from "../frame/state-deeds.tsx";
import type { Visit } from "../frame/visit.ts";
import { Limits } from "./agents.tsx";
import { Pages, pagesOfAgentRoutes } from "./pages-of-agent.tsx";
import { StepUp, stepUpOfAgentRoutes } from "./step-up-of-agent.tsx";

type Detail = Static<typeof AgentDetail>;
type AtAgent = Visit<"id">;

const PATH = "/console/agents";

/** The way back from a deed at an agent. */
export function agentOrigin({ call }: Visit<"id">): Origin {
  return { place: "agents", back: `${PATH}/${call.params.id}`, backName: "Back to the agent" };
}

/** The agent of the path with its credentials. */
export function agentOf(visit: Visit<"id">): Promise<Answered<Detail>> {
  return ask(visit, { id: "get_agent", params: { id: visit.call.params.id } });
}

async function show(visit: AtAgent): Promise<Shown> {
  const found = await agentOf(visit);
  const origin = { place: "agents", back: PATH, backName: "Agents" } as const;
  if (!found.ok) return notDone(visit, origin, "Agent", found.error);
  const { name, state } = found.data;
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Agents</Crumbs>
      <h1>
        <bdi>{name}</bdi> <State state={state} />
      </h1>
      <div class="deeds">
        <DeedLinks at={visit.root + visit.call.path} deeds={DEEDS} state={state} />
      </div>
      <Facts agent={found.data} />
      <Connection root={visit.root} agent={found.data} />
      <Pages visit={visit} agent={found.data} />
      <StepUp visit={visit} agent={found.data} />
      <Credentials visit={visit} agent={found.data} />
    </>
  );
  return { title: "Agent", place: "agents", main };
}

function Facts({ agent }: { readonly agent: Detail }) {
  const { agent_id, kind, limits, scopes, property_ids, contact, last_seen_at, created_at } = agent;
  return (
    <dl>
      <Fact name="Id">
        <code>{agent_id}</code>
      </Fact>
      <Fact name="Kind">{kind}</Fact>
      <Fact name="Limits">
        <Limits limits={limits} />
      </Fact>
      <Fact name="Rights">{scopes.join(", ") || "none"}</Fact>
      <Fact name="Hotels">{property_ids === null ? "all" : property_ids.join(", ") || "none"}</Fact>
      {contact !== null && (
        <Fact name="Contact">
          <bdi>{contact}</bdi>
        </Fact>
      )}
      <Fact name="Last seen (UTC)">
        {last_seen_at === null ? "never" : <At instant={last_seen_at} zone="UTC" />}
      </Fact>
      <Fact name="Created (UTC)">
        <At instant={created_at} zone="UTC" />
      </Fact>
    </dl>
  );
}

/** The assistant that acts as this agent. */
function Connection({ root, agent }: { readonly root: string; readonly agent: Detail }) {
  const { agent_id, connection, credentials } = agent;
  if (connection === null) return null;
  const { client_name, redirects_to, credential_id, connected_at } = connection;
  const used = credentials.find((each) => each.credential_id === credential_id)?.last_used_at;
  return (
    <>
      <h2>Connected assistant</h2>
      <dl>
        <Fact name="Calls itself (not verified)">
          <bdi>{client_name ?? "—"}</bdi>
        </Fact>
        <Fact name="Got access at">
          <code>{redirects_to}</code>
        </Fact>
        <Fact name="Connected (UTC)">
          <At instant={connected_at} zone="UTC" />
        </Fact>
        <Fact name="Last used (UTC)">
          <When at={used ?? null} />
        </Fact>
      </dl>
      <div class="deeds">
        <a class="button" href={`${root}${PATH}/${agent_id}/credentials/${credential_id}/revoke`}>
          Disconnect…
        </a>
      </div>
    </>
  );
}

function Credentials({ visit, agent }: { readonly visit: AtAgent; readonly agent: Detail }) {
  const path = `${PATH}/${agent.agent_id}/credentials`;
  return (
    <>
      <h2>Credentials</h2>
      <Rows
        label="Credentials"
        rows={agent.credentials}
        keyOf={({ credential_id }) => credential_id}
        columns={[
          {
            head: "Secret",
            cell: ({ prefix, last4 }) => (
              <code>
                {prefix}…{last4}
              </code>
            ),
          },
          { head: "State", cell: ({ state }) => <State state={state} /> },
          { head: "Last used (UTC)", cell: ({ last_used_at }) => <When at={last_used_at} /> },
          {
            head: "Ends (UTC)",
            cell: ({ retire_at, expires_at }) => <When at={retire_at ?? expires_at} />,
          },
          {
            head: "Do",
            cell: ({ credential_id, state }) => (
              <CredentialDeeds root={visit.root} path={`${path}/${credential_id}`} state={state} />
            ),
          },
        ]}
      />
      {agent.state !== "revoked" && (
        <ActionForm visit={visit} to={path}>
          <button type="submit">New credential</button>
        </ActionForm>
      )}
    </>
  );
}

function When({ at }: { readonly at: string | null }) {
  return at === null ? <>never</> : <At instant={at} zone="UTC" />;
}

interface CredentialDeedsOf {
  readonly root: string;
  readonly path: string;
  readonly state: Detail["credentials"][number]["state"];
}

function CredentialDeeds({ root, path, state }: CredentialDeedsOf) {
  if (state === "revoked" || state === "expired") return <>—</>;
  return (
    <>
      {state === "active" && (
        <a class="button" href={`${root}${path}/rotate`}>
          Replace…
        </a>
      )}{" "}
      <a class="button" href={`${root}${path}/revoke`}>
        Revoke…
      </a>
    </>
  );
}

const DEEDS = {
  suspend: {
    label: "Suspend",
    from: ["active"],
    effect: "Its calls are refused from now on, until it is resumed.",
    call: { id: "update_agent", body: { state: "suspended" } },
  },
  resume: {
    label: "Resume",
    from: ["suspended"],
    effect: "Its credentials work again, with the rights that they had.",
    call: { id: "update_agent", body: { state: "active" } },
  },
  revoke: {
    label: "Revoke",
    from: ["active", "suspended"],
    effect: "All its credentials end now. This cannot be undone; its bookings stay.",
    call: { id: "revoke_agent", body: {} },
  },
} as const;

const AT = { params: { id: pathId("Id of the agent.") } } as const;
const ONE = `${PATH}/:id` as const;

export const agentRoutes = [
  page({ ...AT, id: "console_agent", path: ONE, summary: "An agent" }, show),
  ...pagesOfAgentRoutes,
  ...stepUpOfAgentRoutes,
  ...stateDeedRoutes({
    ...{ ...AT, noun: "agent", one: "an agent", path: ONE, deeds: DEEDS },
    ...{ find: agentOf, originOf: agentOrigin },
  }),
];
