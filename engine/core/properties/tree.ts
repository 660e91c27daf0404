/** Property trees: create, replace, and delete a draft. */
import { assert } from "../assert.ts";
import type { CreateProperty, DeleteProperty, ReplaceProperty } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { figuresOf, WHOLE_BYTES_MAX } from "../events/properties.ts";
import type { PromotionReason, Rejection } from "../outcomes.ts";
import { addDetected } from "../oversell/detect.ts";
import { oversoldByTree, oversoldCount, oversoldReport } from "../oversell/oversold.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import { differenceOf, structuralSharing } from "../structural-sharing.ts";
import type { PropertyTree, Realm } from "../supply.ts";
import { inUse } from "./dependents.ts";
import { archived, notPromotable, promotionCheck, propertyOf } from "./property.ts";

/** Decides `POST /v1/admin/properties`: a draft; id, slug and external code must be free. */
export function createProperty(command: CreateProperty, ctx: Context): Decision {
  const { tree, mode, payments_configured = true, dry_run = false } = command;
  const { id, slug } = tree;
  if (ctx.state.property(command, id)) {
    const detail = { reason: "id_taken", property_id: id };
    return reject(command, { code: "conflict", detail });
  }
  const taken = nameTaken(command, tree, ctx.state);
  if (taken) return reject(command, taken);
  const drafted = { mode, tree, rooms: new Map(), retired: new Map() };
  const { reasons: warnings, hints } = promotionCheck(drafted, payments_configured, ctx);
  const events = new EventList(ctx.state, command.tenant_id, mode);
  const created = { type: "property.created", data: { property_id: id, tree } } as const;
  const seq = dry_run ? null : events.add(created);
  const draft = { property_id: id, slug, state: "draft", mode, version: 1 } as const;
  const data = { ...draft, dry_run, seq, warnings };
  const outcome = { ...success(command, "property", data), hints };
  return { events: events.list, outcome, phase: dry_run ? "transient" : "sealed" };
}

/** The refusal when another property has the slug or external code; null when both are free. */
function nameTaken(realm: Realm, { id, slug, external_code }: PropertyTree, state: State) {
  const coded = external_code === undefined ? null : state.propertyCoded(realm, external_code);
  if (!coded || coded.tree.id === id) return slugTaken(realm, { id, slug }, state);
  const reason = "external_code_taken";
  return {
    code: "conflict",
    detail: { reason, external_code, property_id: coded.tree.id },
  } as const;
}

function slugTaken(
  realm: Realm,
  { id, slug }: Pick<PropertyTree, "id" | "slug">,
  state: State,
): Rejection | null {
  const slugs = state.tenants.get(realm.tenant_id)?.slugs;
  const holder = slugs?.get(`${realm.mode}:${slug}`);
  if (slugs === undefined || holder === undefined || holder === id) return null;
  let free = slug;
  // Ends: there are fewer slugs than numbers.
  for (let n = 2; slugs.has(`${realm.mode}:${free}`); n += 1) free = `${slug.slice(0, 110)}-${n}`;
  const detail = { reason: "slug_taken", slug, property_id: holder };
  return { code: "conflict", detail, hints: { free_slug: free } };
}

function mismatch({ tree, version }: PropertyEntry): Rejection {
  const detail = { reason: "version_mismatch", version, property_id: tree.id };
  return { code: "conflict", detail };
}

/**
 * Decides `PUT` and `PATCH` of a property: replaces its tree. A tree that was made from another
 * version than the present is refused without a row, so that the api can make it again. An equal
 * tree changes nothing, not even the version.
 */
export function replaceProperty(command: ReplaceProperty, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const { expected_version, base_version, tree } = command;
  if (expected_version !== null && expected_version !== property.version) {
    return reject(command, mismatch(property));
  }
  if (base_version !== property.version || tree === null) {
    return { ...reject(command, mismatch(property)), phase: "transient" };
  }
  if (property.state === "archived") return reject(command, archived(property));
  assert(tree.id === property.tree.id, "a property keeps its id");
  const after = structuralSharing(property.tree, tree);
  const refused = nameTaken(command, after, ctx.state) ?? inUse(property, after, ctx);
  if (refused) return reject(command, refused);
  const { reasons, hints } = promotionCheck(
    { ...property, tree: after },
    command.payments_configured,
    ctx,
  );
  if (property.state === "live" && addsFault(property, reasons, command, ctx)) {
    return reject(command, notPromotable(property, reasons, hints));
  }
  return replaced(command, property, after, { warnings: reasons, hints }, ctx);
}

/** Whether a property on sale would get an error of promotion that it does not have yet. */
function addsFault(
  property: PropertyEntry,
  reasons: readonly PromotionReason[],
  { payments_configured }: ReplaceProperty,
  ctx: Context,
): boolean {
  const before = promotionCheck(property, payments_configured, ctx).reasons;
  const known = new Set(before.map(({ code }) => code));
  return reasons.some(({ code, severity }) => severity === "error" && !known.has(code));
}

function replaced(
  command: ReplaceProperty,
  property: PropertyEntry,
  tree: PropertyTree,
  said: {
    readonly warnings: readonly PromotionReason[];
    readonly hints: ReturnType<typeof promotionCheck>["hints"];
  },
  ctx: Context,
): Decision {
  const { state, mode } = property;
  const { dry_run } = command;
  const { warnings, hints } = said;
  const changed = tree !== property.tree;
  const version = property.version + (changed ? 1 : 0);
  const supply_version = property.supply_version + 1;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const oversold = oversoldByTree(tree, property, ctx.now);
  const report = oversoldReport(oversold);
  const made = { property_id: tree.id, version, supply_version, ...oversoldCount(report) };
  const replaced = {
    type: "property.replaced",
    data: { ...made, ...journaledTree(property, tree) },
  } as const;
  const seq = changed && !dry_run ? events.add(replaced) : null;
  const found = { cause: "property_change", oversold } as const;
  const opened = seq === null ? {} : addDetected(command, property, found, ctx, events);
  const now = { property_id: tree.id, slug: tree.slug, state, mode, version };
  const data = { ...now, changed, dry_run, seq, warnings, ...report, ...opened };
  const outcome = { ...success(command, "property_replaced", data), hints };
  return { events: events.list, outcome, phase: dry_run ? "transient" : "sealed" };
}

/**
 * At least one of this many versions is journaled whole, which limits the rows to read for a
 * version.
 */
const WHOLE_EVERY = 64;

/**
 * A new version as its row has it: as a difference when the tree is large and mostly unchanged. A
 * tree that subscribers receive whole is journaled whole, because events are rendered from the row.
 */
function journaledTree(before: PropertyEntry, tree: PropertyTree) {
  const size = JSON.stringify(tree).length;
  if (size <= WHOLE_BYTES_MAX || (before.supply_version + 1) % WHOLE_EVERY === 0) return { tree };
  const difference = differenceOf(before.tree, tree);
  const isSmall = JSON.stringify(difference).length <= size / 2;
  return isSmall ? { difference, figures: figuresOf(tree) } : { tree };
}

/**
 * Decides `DELETE` of a property: only of a draft. Nothing was ever quoted of it, so nothing refers
 * to it, and its id and slug are free again.
 */
export function deleteProperty(command: DeleteProperty, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const { expected_version } = command;
  const { state, mode, tree } = property;
  if (expected_version !== null && expected_version !== property.version) {
    return reject(command, mismatch(property));
  }
  if (state !== "draft") {
    const detail = { reason: "not_a_draft", property_id: tree.id, state };
    return reject(command, { code: "conflict", detail });
  }
  const version = property.version + 1;
  const gone = { property_id: tree.id, slug: tree.slug, version };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({ type: "property.deleted", data: gone });
  const { property_id, slug } = gone;
  const data = { property_id, slug, state: "deleted", mode, version, seq } as const;
  return {
    events: events.list,
    outcome: success(command, "property_deleted", data),
    phase: "sealed",
  };
}
