/** Issues a credential for an operator that has lost its last secret. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { agentById } from "../../access/control/agents.ts";
import { issueCredential } from "../../access/control/credentials.ts";
import { count, required, text, UsageError, type Values } from "../../lib/command-line.ts";
import { command } from "../cli/command.ts";
import { type Installation, onInstallation } from "./command.ts";

const DAY_MS = 86_400_000;
const DAYS_MAX = 3650;

const OPTIONS = {
  agent: required(text("AGENT_ID", "the agent, of any tenant")),
  "expires-in-days": count("N", `days until it expires, 1 to ${DAYS_MAX} (never)`, {
    max: DAYS_MAX,
  }),
};

function issue({ store }: Installation, given: Values<typeof OPTIONS>) {
  const days = given["expires-in-days"];
  const expiresAtMs = days === undefined ? null : Date.now() + days * DAY_MS;
  return store.write(() => {
    const agent = agentById(store, given.agent);
    if (agent === null) throw new UsageError("--agent: unknown agent");
    if (agent.state === "revoked") throw new UsageError("--agent: this agent is revoked");
    const { tenant_id, agent_id, mode, state } = agent;
    const expires_at = expiresAtMs === null ? null : instantIso(expiresAtMs);
    const issued = issueCredential(store, agent_id, expiresAtMs);
    return { tenant_id, agent_id, agent_state: state, mode, expires_at, ...issued };
  });
}

export const credentialIssue = command({
  name: "credential issue",
  summary: "issue another credential for an agent; prints its secret, once",
  options: OPTIONS,
  run: onInstallation(issue),
});
