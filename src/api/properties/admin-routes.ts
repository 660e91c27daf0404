/**
 * Admin writes of the supply (domain §0): trees, promotion, rates and availability, exchange rates.
 * All go through the engine. Operators see every state of their tenant's properties.
 */

import type { PropertyEntry } from "../../../engine/core/state.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { type Call, commandMeta, type ProtectedRoute } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { action, permitted } from "../../http/next-actions.ts";
import { bad, good, invalid } from "../../http/respond.ts";
import { type AriRequest, ariOf, ariProblems, checkAri } from "../ari/schemas.ts";
import { checkFx, checkPromote, type FxRequest, type PromoteRequest } from "./admin-schemas.ts";
import { completeTree } from "./complete-tree.ts";
import { checkProperty, type PropertyRequest } from "./schemas.ts";
import { treeProblems } from "./tree-problems.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:properties" } as const;
/** One tree or ARI batch is one command and must fit an envelope (rules §2). */
const SUPPLY_BYTES_MAX = 512 * 1024;

function idOf(call: Call): string {
  return call.params.id ?? "";
}

async function create(call: Call): Promise<Response> {
  const tree = completeTree(call.body as PropertyRequest, () => crypto.randomUUID());
  const errors = treeProblems(tree);
  if (errors.length > 0) return invalid(call, errors);
  return execute(call, { ...commandMeta(call), type: "CreateProperty", tree });
}

async function promote(call: Call): Promise<Response> {
  const { dry_run } = (call.body ?? {}) as PromoteRequest;
  return execute(call, {
    ...commandMeta(call),
    type: "PromoteProperty",
    property_id: idOf(call),
    dry_run: dry_run ?? false,
    payments_configured: missingForPayments(call.deps.config) === null,
  });
}

async function putAri(call: Call): Promise<Response> {
  const ari = ariOf(call.body as AriRequest);
  const errors = ariProblems(ari);
  if (errors.length > 0) return invalid(call, errors);
  return execute(call, { ...commandMeta(call), type: "UpdateAri", property_id: idOf(call), ari });
}

async function putFx(call: Call): Promise<Response> {
  const { base, rates } = call.body as FxRequest;
  return execute(call, { ...commandMeta(call), type: "SetFxRates", base, rates });
}

function ownProperties(call: Call): PropertyEntry[] {
  const { replica } = call.deps;
  const { tenant_id, mode } = call.principal;
  replica.catchUp(2);
  const own = replica.state.tenants.get(tenant_id)?.properties[mode];
  return [...(own?.values() ?? [])].reverse();
}

function list(call: Call): Response {
  const items = ownProperties(call).map((property) => ({
    property_id: property.tree.id,
    slug: property.tree.slug,
    name: property.tree.name,
    state: property.state,
    mode: property.mode,
    version: property.version,
  }));
  return good(call, { data: { items } });
}

function show(call: Call): Response {
  const id = idOf(call);
  const property = ownProperties(call).find(({ tree }) => tree.id === id || tree.slug === id);
  if (!property) return bad(call, { code: "property_not_found", detail: { property_id: id } });
  const { tree, state, mode, version } = property;
  const actions = permitted([action("get", "GET", `/v1/properties/${tree.id}`)], call.may);
  return good(call, { data: { ...tree, state, mode, version }, actions });
}

const WRITE = { access: ACCESS, reads: "json", key: "accepted" } as const;

export const adminPropertyRoutes: readonly ProtectedRoute[] = [
  { method: "GET", path: "/v1/admin/properties", access: ACCESS, handle: list },
  {
    ...WRITE,
    method: "POST",
    path: "/v1/admin/properties",
    bodyBytesMax: SUPPLY_BYTES_MAX,
    check: checkProperty,
    handle: create,
  },
  { method: "GET", path: "/v1/admin/properties/:id", access: ACCESS, handle: show },
  {
    ...WRITE,
    method: "POST",
    path: "/v1/admin/properties/:id/promote",
    check: checkPromote,
    isBodyOptional: true,
    handle: promote,
  },
  {
    ...WRITE,
    method: "PUT",
    path: "/v1/admin/properties/:id/ari",
    bodyBytesMax: SUPPLY_BYTES_MAX,
    check: checkAri,
    handle: putAri,
  },
  {
    ...WRITE,
    access: { kinds: ["operator"], scope: "admin:fx" },
    method: "PUT",
    path: "/v1/admin/fx",
    check: checkFx,
    handle: putFx,
  },
];
