/** Tenants: made here and nowhere else, each with the operator that sets up the rest over HTTP. */
import { instantIso } from "../../engine/core/calendar.ts";
import { createAgent } from "../control/agents.ts";
import { issueCredential } from "../control/credentials.ts";
import { createTenant, listTenants } from "../control/tenants.ts";
import type { Arguments } from "./arguments.ts";
import type { Command, Installation } from "./command.ts";

function create({ store }: Installation, args: Arguments) {
  const name = args.text("name");
  const operatorName = args.text("operator-name", "First operator");
  const mode = args.oneOf("mode", ["live", "test"], "live");
  return store.write(() => {
    const tenant_id = createTenant(store, name);
    const operator = { name: operatorName, kind: "operator", mode } as const;
    const agent_id = createAgent(store, tenant_id, operator);
    return { tenant_id, agent_id, mode, ...issueCredential(store, agent_id) };
  });
}

function list({ store }: Installation) {
  const items = listTenants(store).map((tenant) => {
    return { ...tenant, created_at: instantIso(tenant.created_at) };
  });
  return { items };
}

export const tenantCreate: Command = {
  name: "tenant create",
  summary: "make a tenant and its first operator, whose secret is printed this once",
  options: {
    name: { value: "NAME", help: "name of the tenant" },
    mode: { value: "MODE", help: "mode of the operator: live (default) or test" },
    "operator-name": { value: "NAME", help: "name of the operator (default First operator)" },
  },
  run: create,
};

export const tenantList: Command = {
  name: "tenant list",
  summary: "list the tenants, newest first",
  options: {},
  run: list,
};
