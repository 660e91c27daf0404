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
import {
  oneOf,
  required,
  text,
  UsageError,
  type Values,
  withDefault,
} from "../../lib/command-line.ts";
import { command } from "../cli/command.ts";
import { type Installation, onInstallation } from "./command.ts";

const MODES = ["live", "test"] as const;

function operatorOptions(name: string) {
  return {
    mode: withDefault(
      oneOf("MODE", "mode of the operator: live (default) or test", MODES),
      "live" as const,
    ),
    "operator-name": withDefault(text("NAME", `name of the operator (default ${name})`), name),
  };
}

function newOperator(
  store: ControlStore,
  tenant_id: string,
  { mode, "operator-name": name }: Values<ReturnType<typeof operatorOptions>>,
) {
  const operator = { name, kind: "operator", mode, limits: NO_LIMITS } as const;
  const agent_id = createAgent(store, tenant_id, operator);
  return { tenant_id, agent_id, mode, ...issueCredential(store, agent_id) };
}

const TENANT_OPTIONS = {
  name: required(text("NAME", "name of the tenant")),
  ...operatorOptions("First operator"),
};

function create({ store }: Installation, given: Values<typeof TENANT_OPTIONS>) {
  return store.write(() => newOperator(store, createTenant(store, given.name), given));
}

const OPERATOR_OPTIONS = {
  tenant: required(text("TENANT_ID", "the tenant")),
  ...operatorOptions("Operator"),
};

function createOperator({ store }: Installation, given: Values<typeof OPERATOR_OPTIONS>) {
  const { tenant } = given;
  return store.write(() => {
    const isKnown = listTenants(store).some(({ tenant_id }) => tenant_id === tenant);
    if (!isKnown) throw new UsageError("--tenant: unknown tenant");
    return newOperator(store, tenant, given);
  });
}

function list({ store }: Installation) {
  const items = listTenants(store).map((tenant) => {
    return { ...tenant, created_at: instantIso(tenant.created_at) };
  });
  return { items };
}

export const tenantCreate = command({
  name: "tenant create",
  summary: "create a tenant and its first operator; prints the operator's secret, once",
  options: TENANT_OPTIONS,
  run: onInstallation(create, true),
});

export const operatorCreate = command({
  name: "operator create",
  summary: "create an operator of a tenant; prints its secret, once",
  options: OPERATOR_OPTIONS,
  run: onInstallation(createOperator),
});

export const tenantList = command({
  name: "tenant list",
  summary: "list the tenants, newest first",
  options: {},
  run: onInstallation(list),
});
