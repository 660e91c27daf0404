/**
 * Only these commands create tenants, each with an operator that sets up the rest over HTTP. An
 * operator creates agents of its own mode only, so the first operator of the other mode is created
 * here too. An agent cannot grant more than it has, so these operators have no limits.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { createAgent, NO_LIMITS } from "../../access/control/agents.ts";
import { issueCredential } from "../../access/control/credentials.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { createTenant, listTenants } from "../../access/control/tenants.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import { type Command, type Installation, onInstallation } from "./command.ts";

const MODES = ["live", "test"] as const;

interface AskedOperator {
  readonly name: string;
  readonly mode: (typeof MODES)[number];
}

function operatorIn(args: Arguments, fallback: string): AskedOperator {
  const name = args.text("operator-name", fallback);
  return { name, mode: args.oneOf("mode", MODES, "live") };
}

function newOperator(store: ControlStore, tenant_id: string, { name, mode }: AskedOperator) {
  const operator = { name, kind: "operator", mode, limits: NO_LIMITS } as const;
  const agent_id = createAgent(store, tenant_id, operator);
  return { tenant_id, agent_id, mode, ...issueCredential(store, agent_id) };
}

const tenantIn = (args: Arguments) => {
  return { name: args.text("name"), operator: operatorIn(args, "First operator") };
};

function create({ store }: Installation, { name, operator }: ReturnType<typeof tenantIn>) {
  return store.write(() => newOperator(store, createTenant(store, name), operator));
}

const operatorOfIn = (args: Arguments) => {
  return { tenantId: args.text("tenant"), operator: operatorIn(args, "Operator") };
};

function createOperator(
  { store }: Installation,
  { tenantId, operator }: ReturnType<typeof operatorOfIn>,
) {
  return store.write(() => {
    const isKnown = listTenants(store).some(({ tenant_id }) => tenant_id === tenantId);
    if (!isKnown) throw new UsageError("--tenant: unknown tenant");
    return newOperator(store, tenantId, operator);
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
  summary: "create a tenant and its first operator; prints the operator's secret, once",
  options: {
    name: { value: "NAME", help: "name of the tenant" },
    mode: { value: "MODE", help: "mode of the operator: live (default) or test" },
    "operator-name": { value: "NAME", help: "name of the operator (default First operator)" },
  },
  run: onInstallation(tenantIn, create, true),
};

export const operatorCreate: Command = {
  name: "operator create",
  summary: "create an operator of a tenant; prints its secret, once",
  options: {
    tenant: { value: "TENANT_ID", help: "the tenant" },
    mode: { value: "MODE", help: "mode of the operator: live (default) or test" },
    "operator-name": { value: "NAME", help: "name of the operator (default Operator)" },
  },
  run: onInstallation(operatorOfIn, createOperator),
};

export const tenantList: Command = {
  name: "tenant list",
  summary: "list the tenants, newest first",
  options: {},
  run: onInstallation(() => null, list),
};
