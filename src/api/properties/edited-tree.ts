/** Makes the complete tree of a property after an edit. */
import type { PropertyTree, RoomType } from "../../../engine/core/supply.ts";
import { type FieldError, json, type Reading } from "../../http/validate.ts";
import { memoizeByKey } from "../../lib/memoize.ts";
import { completeTree } from "./complete-tree.ts";
import { SUPPLY_BYTES_MAX } from "./parameters.ts";
import { PropertyBody, type PropertyPatch, type PropertyRequest } from "./requests.ts";
import { treeProblems } from "./tree-problems.ts";

const PROPERTY = json(PropertyBody);

/** Characters of a tree as JSON. The limit and the envelope both ask; a large tree takes 1 ms. */
export const charsOfTree = memoizeByKey((tree: PropertyTree) => JSON.stringify(tree).length);

/** The target after a merge patch (RFC 7396): members replaced, null ones gone, lists whole. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch;
  const merged = new Map(Object.entries(isMembers(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tree after a patch; error pointers refer to the merged body. */
export function patchedTree(before: PropertyTree, patch: PropertyPatch): Reading<PropertyTree> {
  const reading = PROPERTY.read(mergePatch(before, patch), 0);
  return reading.ok ? replacedTree(before, reading.value) : reading;
}

/** The tree of a body, with the ids of kept parts: by id, or else by code. */
export function replacedTree(
  before: PropertyTree,
  body: PropertyRequest,
  newUuid: () => string = () => crypto.randomUUID(),
): Reading<PropertyTree> {
  const errors: FieldError[] = [];
  if (body.id !== undefined && body.id !== before.id) {
    const message = "is not the id of this property";
    errors.push({ path: "/id", message, expected: "the property's own id, or none" });
  }
  const tree = completeTree(withKnownIds(before, body), newUuid);
  errors.push(...treeProblems(tree));
  if (charsOfTree(tree) > SUPPLY_BYTES_MAX) {
    const expected = `≤ ${SUPPLY_BYTES_MAX} bytes`;
    errors.push({ path: "", message: "makes the property too large", expected });
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: tree };
}

function withKnownIds(before: PropertyTree, body: PropertyRequest): PropertyRequest {
  const room_types = withIds(body.room_types ?? [], before.room_types).map((room) => {
    const known = before.room_types.find(({ id }) => id === room.id);
    return { ...room, rate_plans: withIds(room.rate_plans ?? [], known?.rate_plans ?? []) };
  });
  return { ...body, id: before.id, room_types };
}

/** A part without id takes the id of the part with its code, unless another part names that id. */
function withIds<T extends { readonly id?: string; readonly code: string }>(
  items: readonly T[],
  known: readonly Pick<RoomType, "id" | "code">[],
): T[] {
  const named = new Set(items.map(({ id }) => id));
  const byCode = new Map(known.map(({ id, code }) => [code, id]));
  return items.map((item) => {
    const id = item.id ?? byCode.get(item.code);
    return id === undefined || (item.id === undefined && named.has(id)) ? item : { ...item, id };
  });
}
