/**
 * Changes of a property (rules §5): `PUT` replaces its tree, `PATCH` merges into it, `DELETE` takes
 * a draft away, and it is taken off sale for a while or for good.
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
  success: { status: 200, description: "As it is now.", data: ChangedProperty },
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
      "The whole tree, as for a creation; what `admin_get_property` answered can be sent back " +
      "changed. Room types and rate plans keep their ids by `id` or else by `code`, and with them " +
      "their nights. What an open hold or a coming stay is for is never taken out, nor sold in " +
      "another currency: `conflict {reason: in_use}` names what depends on it. Fewer units than are " +
      "sold are accepted: `oversold` names the nights. Quotes keep the version that they were made " +
      "of. With `dry_run` only says what it would come to.",
    body: json(ChangeBody),
    handle: replace,
  }),
  route({
    ...CHANGE,
    id: "admin_patch_property",
    method: "PATCH",
    path: PATH,
    summary: "Change some of a property",
    description:
      "A merge patch (RFC 7396): members that are named are replaced, lists as a whole, null takes " +
      "one out. Otherwise as `admin_replace_property`; without `If-Match` it is merged into what " +
      "there is, whoever else writes: patches of one property are done one after another.",
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
    description: "Its id and slug are free again. What was on sale is archived instead.",
    takesIfMatch: true,
    success: { status: 200, description: "What it was.", data: DeletedProperty },
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
      "Until `admin_promote_property` puts it on sale again. What is held may be booked, what is booked lives on.",
    errors: ["property_not_found", "conflict"],
    handle: takeOffSale("SuspendProperty"),
  }),
  route({
    ...OFF,
    id: "admin_archive_property",
    method: "POST",
    path: `${PATH}/archive`,
    summary: "Take a property off sale for good",
    description: "It keeps its slug and its bookings, and is neither changed nor sold again.",
    errors: ["property_not_found"],
    handle: takeOffSale("ArchiveProperty"),
  }),
];
