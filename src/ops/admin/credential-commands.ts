/** Issues a credential for an operator that has lost its last secret. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { agentById } from "../../access/control/agents.ts";
import { issueCredential } from "../../access/control/credentials.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import { type Command, type Installation, onInstallation } from "./command.ts";

const DAY_MS = 86_400_000;
const DAYS_MAX = 3650;

const askedIn = (args: Arguments) => {
  return { days: args.count("expires-in-days", DAYS_MAX), agentId: args.text("agent") };
};

function issue({ store }: Installation, { days, agentId }: ReturnType<typeof askedIn>) {
  const expiresAtMs = days === null ? null : Date.now() + days * DAY_MS;
  return store.write(() => {
    const agent = agentById(store, agentId);
    if (agent === null) throw new UsageError("--agent: unknown agent");
    if (agent.state === "revoked") throw new UsageError("--agent: this agent is revoked");
    const { tenant_id, agent_id, mode, state } = agent;
    const expires_at = expiresAtMs === null ? null : instantIso(expiresAtMs);
    const issued = issueCredential(store, agent_id, expiresAtMs);
    return { tenant_id, agent_id, agent_state: state, mode, expires_at, ...issued };
  });
}

export const credentialIssue: Command = {
  name: "credential issue",
  summary: "issue another credential for an agent; prints its secret, once",
  options: {
    agent: { value: "AGENT_ID", help: "the agent, of any tenant" },
    "expires-in-days": { value: "N", help: `days until it expires, 1 to ${DAYS_MAX} (never)` },
  },
  run: onInstallation(askedIn, issue),
};
