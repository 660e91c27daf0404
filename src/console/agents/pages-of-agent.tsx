/** What pages for guests need of an agent, and the form that changes it. */
import type { Static } from "@sinclair/typebox";
import type { AgentDetail } from "../../api/agents/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { ask } from "../frame/api.ts";
import { form } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";

const PATH = "/console/agents";

/** The items of a list with commas or spaces between them. */
export function itemsOf(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((each) => each !== "");
}

interface FieldsOf {
  readonly origins?: readonly string[];
  readonly isSeller?: boolean;
}

/** The two fields, as the agent has them. */
export function PageFields({ origins = [], isSeller = false }: FieldsOf) {
  return (
    <>
      <label>
        Origins that checkout pages may lead back to, separated by commas
        <input
          name="return_origins"
          autocomplete="off"
          placeholder="https://agent.example"
          value={origins.join(", ")}
        />
      </label>
      <label class="tick">
        <input type="checkbox" name="sells_directly" value="yes" checked={isSeller} /> Guests book
        through it on the hotels' own pages
      </label>
    </>
  );
}

interface PagesOf {
  readonly visit: Visit<"id">;
  readonly agent: Pick<
    Static<typeof AgentDetail>,
    "agent_id" | "state" | "return_origins" | "sells_directly"
  >;
}

/** The fields of an agent that is not revoked, to be changed. */
export function Pages({ visit, agent }: PagesOf) {
  const { agent_id, state, return_origins, sells_directly } = agent;
  if (state === "revoked") return null;
  return (
    <>
      <h2>Pages for guests</h2>
      <ActionForm visit={visit} to={`${PATH}/${agent_id}/pages`} class="card">
        <PageFields origins={return_origins} isSeller={sells_directly} />
        <button type="submit">Save</button>
      </ActionForm>
    </>
  );
}

async function save(visit: Visit<"id">, sent: Form): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const back = `${PATH}/${id}`;
  const body = {
    return_origins: itemsOf(sent.get("return_origins") ?? ""),
    sells_directly: sent.has("sells_directly"),
  };
  const inner = { id: "update_agent", params: { id }, body, headers: keyHeader(sent) };
  const answer = await ask(visit, inner);
  const origin = { place: "agents", back, backName: "Back to the agent" } as const;
  return answer.ok
    ? { goTo: back }
    : notDone(visit, origin, "Pages for guests: not done", answer.error);
}

export const pagesOfAgentRoutes = [
  form(
    {
      params: { id: pathId("Id of the agent.") },
      id: "console_save_agent_pages",
      path: `${PATH}/:id/pages`,
      summary: "Change what pages for guests need of an agent",
    },
    save,
  ),
];
