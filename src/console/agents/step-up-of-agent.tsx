/** The amount above which deeds of an operator are proved again, and the form that changes it. */
import type { Static } from "@sinclair/typebox";
import { decimalOf } from "../../../feeds/amounts.ts";
import type { AgentDetail } from "../../api/agents/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { moneyTyped } from "../frame/amounts.ts";
import { ask } from "../frame/api.ts";
import { form } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";

const PATH = "/console/agents";

type Limits = Static<typeof AgentDetail>["limits"];
interface FieldsOf {
  readonly limit?: Limits["step_up_amount"];
}

/** The amount as the operator has it; none by default. */
export function StepUpFields({ limit = null }: FieldsOf) {
  return (
    <fieldset>
      <legend>Ask for the secret or passkey again; empty for never</legend>
      <label>
        Above this amount
        <input
          name="step_up_amount"
          inputmode="decimal"
          placeholder="500.00"
          value={limit === null ? "" : decimalOf(limit.amount, limit.currency)}
        />
      </label>
      <label>
        In this currency
        <input
          name="step_up_currency"
          maxlength={3}
          placeholder="EUR"
          value={limit?.currency ?? ""}
        />
      </label>
    </fieldset>
  );
}

/** The limit of the API that was typed; left out where nothing was. */
export function stepUpOf(sent: Form) {
  const amount = (sent.get("step_up_amount") ?? "").trim();
  if (amount === "") return {};
  return { step_up_amount: moneyTyped(amount, sent.get("step_up_currency") ?? "") };
}

interface StepUpOf {
  readonly visit: Visit<"id">;
  readonly agent: Pick<Static<typeof AgentDetail>, "agent_id" | "kind" | "state" | "limits">;
}

/** The amount of an operator that is not revoked, to be changed. */
export function StepUp({ visit, agent }: StepUpOf) {
  const { agent_id, kind, state, limits } = agent;
  if (kind !== "operator" || state === "revoked") return null;
  return (
    <>
      <h2>Asking again at the console</h2>
      <ActionForm visit={visit} to={`${PATH}/${agent_id}/step-up`} class="card">
        <StepUpFields limit={limits.step_up_amount} />
        <button type="submit">Save</button>
      </ActionForm>
    </>
  );
}

/** Who could raise the amount without a proof would need none above it either. */
async function save(visit: Visit<"id">, sent: Form): Promise<Shown | Gone> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { id } = visit.call.params;
  const back = `${PATH}/${id}`;
  const body = { limits: { step_up_amount: null, ...stepUpOf(sent) } };
  const inner = { id: "update_agent", params: { id }, body, headers: keyHeader(sent) };
  const answer = await ask(visit, inner);
  const origin = { place: "agents", back, backName: "Back to the agent" } as const;
  return answer.ok
    ? { goTo: back }
    : notDone(visit, origin, "Asking again: not done", answer.error);
}

export const stepUpOfAgentRoutes = [
  form(
    {
      params: { id: pathId("Id of the agent.") },
      id: "console_save_agent_step_up",
      path: `${PATH}/:id/step-up`,
      summary: "Change above which amount an operator is asked for the secret again",
    },
    save,
  ),
];
