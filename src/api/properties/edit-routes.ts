/**
 * Changes of a property: `PUT` replaces its tree, `PATCH` merges into it, `DELETE`
 * deletes a draft; suspend and archive take it off sale.
 */
import { action, permitted } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, type Rendering } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { propertyOf } from "../visible.ts";
import { ChangedProperty, DeletedProperty, OffSaleProperty } from "./admin-responses.ts";
import { change } from "./change.ts";
import { patchedTree, replacedTree } from "./edited-tree.ts";
import { PROPERTY_ADMIN, PROPERTY_ID, SUPPLY_BYTES_MAX } from "./parameters.ts";
import { ChangeBody, type ChangeRequest, PatchBody, type PatchRequest } from "./requests.ts";

async function replace(call: Call<ChangeRequest, "id">): Promise<Success | Refusal> {
  const { dry_run = false, state, mode, version, ...body } = call.body;
  const seen = call.seenVersion;
  const errors = [];
  if (version !== undefined && seen !== null && version !== seen) {
    const expected = "the version of If-Match, or none";
    errors.push({ path: "/version", message: "differs from If-Match", expected });
  }
  if (mode !== undefined && mode !== call.principal.mode) {
    const expected = "the property's own mode, or none";
    errors.push({ path: "/mode", message: "cannot be changed", expected });
  }
  if (errors.length > 0) return invalid(errors);
  const property = propertyOf(call, call.params.id);
  if (state !== undefined && !("code" in property) && property.state !== state) {
    const expected = "the property's own state, or none";
    const message = "can only be changed by promote, suspend and archive";
    return invalid([{ path: "/state", message, expected }]);
  }
  const asked = { expected_version: seen ?? version ?? null, dry_run };
  return change(call, (before) => replacedTree(before, body), asked);
}

function patch(call: Call<unknown, "id">): Promise<Success | Refusal> {
  const { dry_run = false, idempotency_key: _key, ...body } = call.body as PatchRequest;
  const asked = { expected_version: call.seenVersion, dry_run };
  return change(call, (before) => patchedTree(before, body), asked);
}

function remove(call: Call<unknown, "id">): Promise<Success | Refusal> {
  const command = {
    ...{ ...commandMeta(call), type: "DeleteProperty" as const },
    property_id: call.params.id,
    expected_version: call.seenVersion,
  };
  return execute(call, command, DELETED);
}

const DELETED: Rendering<"property_deleted"> = {
  kind: "property_deleted",
  answer({ may }, { data, trace_id }) {
    const actions = permitted([action("get", "GET", "/v1/admin/properties")], may);
    return { data, actions, trace_id };
  },
};

const OFF_SALE: Rendering<"off_sale"> = {
  kind: "off_sale",
  answer({ may }, { data, trace_id }) {
    const path = `/v1/admin/properties/${data.property_id}`;
    return { data, actions: permitted([action("get", "GET", path)], may), trace_id };
  },
};

function takeOffSale(type: "SuspendProperty" | "ArchiveProperty") {
  return (call: Call<unknown, "id">): Promise<Success | Refusal> =>
    execute(call, { ...commandMeta(call), type, property_id: call.params.id }, OFF_SALE);
}

const PATH = "/v1/admin/properties/:id";
const ONE = { ...PROPERTY_ADMIN, params: { id: PROPERTY_ID }, key: "accepted" } as const;
const CHANGE = {
  ...{ ...ONE, takesIfMatch: true, readsReplica: true },
  bodyBytesMax: SUPPLY_BYTES_MAX,
  success: { status: 200, description: "The changed property.", data: ChangedProperty },
  errors: ["property_not_found", "conflict", "property_not_promotable"],
} as const;
const OFF = {
  ...{ ...ONE, body: json(EmptyBody), isBodyOptional: true },
  success: { status: 200, description: "Off sale.", data: OffSaleProperty },
} as const;

export const propertyEditRoutes = [
  route({
    ...CHANGE,
    id: "admin_replace_property",
    method: "PUT",
    path: PATH,
    summary: "Replace a property",
    description:
      "The complete tree, as for a creation; an edited answer of `admin_get_property` can be " +
      "sent back. Room types and rate plans keep their ids and nights by `id` or else by `code`. " +
      "Room types and rate plans with open holds or future stays cannot be removed or change " +
      "currency: `conflict {reason: in_use}` names what depends on them. Fewer units than sold " +
      "are accepted: `oversold` names the nights. Quotes keep their version. With `dry_run` " +
      "nothing is changed.",
    body: json(ChangeBody),
    handle: replace,
  }),
  route({
    ...CHANGE,
    id: "admin_patch_property",
    method: "PATCH",
    path: PATH,
    summary: "Change parts of a property",
    description:
      "A merge patch (RFC 7396): given members are replaced, lists as a whole; null removes one. " +
      "Otherwise as `admin_replace_property`. Without `If-Match` it is merged into the current " +
      "version; concurrent patches of one property run one after another.",
    body: json(PatchBody),
    accepts: { "application/merge-patch+json": PatchBody },
    handle: patch,
  }),
  route({
    ...ONE,
    id: "admin_delete_property",
    method: "DELETE",
    path: PATH,
    summary: "Delete a draft",
    description:
      "Its id and slug become free. A property that was on sale must be archived instead.",
    takesIfMatch: true,
    success: { status: 200, description: "The deleted draft.", data: DeletedProperty },
    errors: ["property_not_found", "conflict"],
    handle: remove,
  }),
  route({
    ...OFF,
    id: "admin_suspend_property",
    method: "POST",
    path: `${PATH}/suspend`,
    summary: "Take a property off sale",
    description:
      "Until `admin_promote_property` puts it on sale again. Holds can still be booked, bookings " +
      "stay valid.",
    errors: ["property_not_found", "conflict"],
    handle: takeOffSale("SuspendProperty"),
  }),
  route({
    ...OFF,
    id: "admin_archive_property",
    method: "POST",
    path: `${PATH}/archive`,
    summary: "Take a property off sale permanently",
    description: "It keeps its slug and its bookings and can no longer be changed or sold.",
    errors: ["property_not_found"],
    handle: takeOffSale("ArchiveProperty"),
  }),
];
