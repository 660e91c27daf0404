/** Folds the trees of properties: their cells, names and versions. */
import type { EventOf, Row } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import { pageStart } from "../state/nights.ts";
import { PlanState, type RealmSheets, RoomState } from "../state/room-state.ts";
import { cellsOf, type PropertyEntry, type State, type TenantEntry } from "../state/state.ts";
import { structuralSharing, versionAfter } from "../structural-sharing.ts";
import type { Mode, PropertyTree } from "../supply.ts";
import { noteTree } from "./changed-cells.ts";

/** A new draft with empty cells for every room type and rate plan. */
function applyPropertyCreated(state: State, event: EventOf<"property.created">, row: Row): void {
  const { tree } = event.data;
  const property: PropertyEntry = {
    tenant_id: row.tenant_id,
    mode: row.mode,
    state: "draft",
    version: 1,
    first_live_row: null,
    tree,
    supply_version: 1,
    versions: [{ row: row.row, timezone: tree.timezone }],
    changesKnownFrom: 0,
    rooms: new Map(),
    retired: new Map(),
  };
  const tenant = state.tenant(row.tenant_id);
  setCells(property, tree, tenant.sheets[row.mode]);
  setNames(tenant, row.mode, tree);
  tenant.properties[row.mode].set(tree.id, property);
}

/** A new version of the tree. Of older versions only their journal row is kept. */
function applyPropertyReplaced(
  state: State,
  { data, seq }: EventOf<"property.replaced">,
  row: Row,
): void {
  const property = state.property(row, data.property_id)!;
  const tenant = state.tenant(row.tenant_id);
  const { sheets, index } = tenant;
  freeNames(tenant, row.mode, property.tree);
  const tree =
    data.tree === undefined
      ? versionAfter(property.tree, data.difference)
      : structuralSharing(property.tree, data.tree);
  setNames(tenant, row.mode, tree);
  const before = property.tree;
  property.tree = tree;
  property.version = data.version;
  property.supply_version = data.supply_version;
  property.versions.push({ row: row.row, timezone: tree.timezone });
  setCells(property, tree, sheets[row.mode]);
  noteTree(before, property, { seq, state, kept: pageStart(state.keptDay) });
  index[row.mode]?.propertyChanged(property);
}

/** Makes a property findable by the slug and the external code of its tree. */
export function setNames(tenant: TenantEntry, mode: Mode, tree: PropertyTree): void {
  const { id, slug, external_code } = tree;
  tenant.slugs.set(`${mode}:${slug}`, id);
  if (external_code !== undefined) tenant.externalCodes.set(`${mode}:${external_code}`, id);
}

function freeNames(tenant: TenantEntry, mode: Mode, { slug, external_code }: PropertyTree): void {
  tenant.slugs.delete(`${mode}:${slug}`);
  if (external_code !== undefined) tenant.externalCodes.delete(`${mode}:${external_code}`);
}

/** Room types and rate plans that stay, or return under their ids, keep their nights. */
function setCells(property: PropertyEntry, tree: PropertyTree, sheets: RealmSheets): void {
  const { rooms, retired } = property;
  const now = tree.room_types.map((roomType) => {
    const room = cellsOf(property, roomType.id) ?? new RoomState(sheets);
    const plans = new Map(room.plans);
    room.plans.clear();
    for (const { id } of roomType.rate_plans) {
      room.plans.set(id, plans.get(id) ?? new PlanState(sheets));
      plans.delete(id);
    }
    for (const plan of plans.values()) plan.giveBack();
    return [roomType.id, room] as const;
  });
  for (const [id, room] of rooms) retired.set(id, room);
  rooms.clear();
  for (const [id, room] of now) {
    rooms.set(id, room);
    retired.delete(id);
  }
}

/** Frees the id and slug of a draft. */
function applyPropertyDeleted(state: State, { data }: EventOf<"property.deleted">, row: Row): void {
  const tenant = state.tenant(row.tenant_id);
  const properties = tenant.properties[row.mode];
  const property = properties.get(data.property_id)!;
  freeNames(tenant, row.mode, property.tree);
  properties.delete(data.property_id);
  for (const room of property.rooms.values()) room.giveBack();
  for (const room of property.retired.values()) room.giveBack();
}

export const TREE_FOLDS = {
  "property.created": applyPropertyCreated,
  "property.replaced": applyPropertyReplaced,
  "property.deleted": applyPropertyDeleted,
} satisfies Partial<Folds>;
