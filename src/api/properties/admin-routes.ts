/**
 * `/v1/admin/properties`: property trees and their promotion, through the engine.
 * Operators see every state of their tenant's properties.
 */
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { action, permitted } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, plain, type Rendering } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { numberParameter } from "../parameters.ts";
import { propertiesOf, propertyOf } from "../visible.ts";
import { AdminProperty, AdminPropertyList, CreatedProperty, Promotion } from "./admin-responses.ts";
import { completeTree } from "./complete-tree.ts";
import { NEW_PROPERTY_ADMIN, PROPERTY_ADMIN, PROPERTY_ID, SUPPLY_BYTES_MAX } from "./parameters.ts";
import { NewPropertyBody, type NewPropertyRequest, PromoteBody } from "./requests.ts";
import { treeProblems } from "./tree-problems.ts";

/** The 201 of a draft. */
const CREATED: Rendering<"property"> = {
  kind: "property",
  answer({ may }, { data, hints, trace_id }) {
    if (data.dry_run) return { data, trace_id };
    const path = `/v1/admin/properties/${data.property_id}`;
    const actions = permitted([action("get", "GET", path)], may);
    return { status: 201, data: { ...data, ...hints }, actions, trace_id };
  },
};

async function create(call: Call<NewPropertyRequest>): Promise<Success | Refusal> {
  const { dry_run = false, ...body } = call.body;
  const tree = completeTree(body, () => crypto.randomUUID());
  const errors = treeProblems(tree);
  if (errors.length > 0) return invalid(errors);
  const payments_configured = missingForPayments(call.context.config) === null;
  const said = { tree, dry_run, payments_configured };
  return execute(call, { ...commandMeta(call), type: "CreateProperty", ...said }, CREATED);
}

function promote(call: Call<{ readonly dry_run?: boolean }, "id">): Promise<Success | Refusal> {
  const command = {
    ...commandMeta(call),
    type: "PromoteProperty" as const,
    property_id: call.params.id,
    dry_run: call.body.dry_run ?? false,
    payments_configured: missingForPayments(call.context.config) === null,
  };
  return execute(call, command, plain("promotion"));
}

function list(call: Call): Success {
  const limit = Number(call.query.get("limit") ?? Number.POSITIVE_INFINITY);
  const items = propertiesOf(call)
    .slice(0, limit)
    .map((property) => ({
      property_id: property.tree.id,
      slug: property.tree.slug,
      name: property.tree.name,
      state: property.state,
      mode: property.mode,
      version: property.version,
    }));
  return { ok: true, data: { items } };
}

function show(call: Call<unknown, "id">): Success | Refusal {
  const property = propertyOf(call, call.params.id);
  if ("code" in property) return property;
  const { tree, state, mode, version } = property;
  // A property that is not on sale has no public page.
  const path = state === "live" ? `/v1/properties/${tree.id}` : `${PATH}/${tree.id}/ari`;
  const actions = permitted([action("get", "GET", path)], call.may);
  return { ok: true, data: { ...tree, state, mode, version }, actions };
}

const PATH = "/v1/admin/properties";

export const adminPropertyRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_list_properties",
    method: "GET",
    path: PATH,
    summary: "List all properties",
    description: "In every state; complete, unless `limit` is given.",
    query: { limit: numberParameter(1, 100_000, "At most so many; all by default.") },
    readsReplica: true,
    success: { status: 200, description: "The properties, newest first.", data: AdminPropertyList },
    errors: [],
    handle: list,
  }),
  route({
    ...NEW_PROPERTY_ADMIN,
    id: "admin_create_property",
    method: "POST",
    path: PATH,
    summary: "Create a property",
    description:
      "A complete tree with room types, rate plans, policies and taxes; it starts as a draft. " +
      "`warnings` lists what prevents promotion, and `mending` has ready bodies that fix it: " +
      "send them, then promote. With `dry_run` nothing is created and the status is 200.",
    key: "accepted",
    body: json(NewPropertyBody),
    bodyBytesMax: SUPPLY_BYTES_MAX,
    success: { status: 201, description: "The draft.", data: CreatedProperty },
    hasDryRun: true,
    errors: ["conflict"],
    handle: create,
  }),
  route({
    ...PROPERTY_ADMIN,
    id: "admin_get_property",
    method: "GET",
    path: `${PATH}/:id`,
    summary: "Get a stored property",
    description:
      "The complete tree with state and version. The `ETag` is the version; use it in `If-Match` " +
      "of a change. `If-None-Match` with it is answered with 304.",
    params: { id: PROPERTY_ID },
    readsReplica: true,
    etag: "version",
    success: { status: 200, description: "The property.", data: AdminProperty },
    errors: ["property_not_found"],
    handle: show,
  }),
  route({
    ...PROPERTY_ADMIN,
    id: "admin_promote_property",
    method: "POST",
    path: `${PATH}/:id/promote`,
    summary: "Put a property on sale",
    description: "With `dry_run` it only lists what prevents it.",
    params: { id: PROPERTY_ID },
    key: "accepted",
    body: json(PromoteBody),
    isBodyOptional: true,
    success: { status: 200, description: "On sale, with warnings if any.", data: Promotion },
    errors: ["property_not_found", "conflict", "property_not_promotable"],
    handle: promote,
  }),
];
