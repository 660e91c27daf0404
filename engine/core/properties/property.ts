/** States of a property, from draft to archived. */
import type {
  ArchiveProperty,
  CommandMeta,
  PromoteProperty,
  SuspendProperty,
} from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { EventOf, Row } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import type { Hints, PromotionReason, Rejection } from "../outcomes.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import { seenBy } from "../visibility.ts";
import { type Promotable, promotionReasons } from "./promotion.ts";
import { promotionFixesOf } from "./promotion-fixes.ts";

/** The property that a command names, or a refusal. */
export function propertyOf(
  command: CommandMeta & { readonly property_id: string },
  { state }: Context,
): PropertyEntry | Rejection {
  const { property_id } = command;
  const unknown = { code: "property_not_found", detail: { property_id } } as const;
  const named = state.propertyNamed(command, property_id);
  return seenBy(command, named, ({ tree }) => tree.id, unknown);
}

/** Reasons against a promotion, and the request bodies that fix them. */
export function promotionCheck(
  property: Promotable,
  paymentsConfigured: boolean,
  { now }: Context,
): { readonly reasons: readonly PromotionReason[]; readonly hints: Pick<Hints, "mending"> } {
  const todayDay = Math.floor(now / 86_400_000);
  const reasons = promotionReasons(property, todayDay, paymentsConfigured);
  const mending = promotionFixesOf(property.tree, reasons, todayDay);
  return { reasons, hints: mending === null ? {} : { mending } };
}

/** The refusal of a promotion. */
export function notPromotable(
  { tree, state }: PropertyEntry,
  reasons: readonly PromotionReason[],
  hints: Hints,
): Rejection {
  const property_id = tree.id;
  const detail = { property_id, state, reasons };
  return { code: "property_not_promotable", detail, hints: { property_id, ...hints } };
}

/** Decides `…/promote`: the property becomes `live` when no reason has severity error. */
export function promoteProperty(command: PromoteProperty, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  if (property.state === "archived") return reject(command, archived(property));
  const property_id = property.tree.id;
  const { reasons, hints } = promotionCheck(property, command.payments_configured, ctx);
  if (reasons.some(({ severity }) => severity === "error")) {
    return reject(command, notPromotable(property, reasons, hints));
  }
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const version = property.version + (command.dry_run || property.state === "live" ? 0 : 1);
  const promoted = {
    type: "property.promoted",
    data: { property_id, state: "live", version },
  } as const;
  const seq = version === property.version ? null : events.add(promoted);
  const state = command.dry_run ? property.state : "live";
  const { dry_run } = command;
  const data = { property_id, state, dry_run, version, warnings: reasons, seq };
  return { events: events.list, outcome: success(command, "promotion", data), phase: "sealed" };
}

/** Archived is final. */
export function archived({ tree, state }: PropertyEntry): Rejection {
  const detail = { reason: "property_archived", property_id: tree.id, state };
  return { code: "conflict", detail };
}

/**
 * Decides `…/suspend`: a live property is off sale until it is promoted again. Holds may still be
 * booked; bookings stay valid.
 */
export function suspendProperty(command: SuspendProperty, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const { state, tree } = property;
  if (state === "archived") return reject(command, archived(property));
  if (state === "draft") {
    const detail = { reason: "not_on_sale", property_id: tree.id, state };
    return reject(command, { code: "conflict", detail });
  }
  return takenOffSale(command, property, "suspended", ctx);
}

/** Decides `…/archive`: like a suspension, but final. */
export function archiveProperty(command: ArchiveProperty, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  return takenOffSale(command, property, "archived", ctx);
}

function takenOffSale(
  command: SuspendProperty | ArchiveProperty,
  { tree, state: before, version: current }: PropertyEntry,
  state: "suspended" | "archived",
  ctx: Context,
): Decision {
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const isSo = before === state;
  const version = isSo ? current : current + 1;
  const data = { property_id: tree.id, state, version };
  const seq = isSo ? null : events.add({ type: `property.${state}`, data });
  const outcome = success(command, "off_sale", { ...data, seq });
  return { events: events.list, outcome, phase: "sealed" };
}

type StateEvent = "property.promoted" | "property.suspended" | "property.archived";

/** Sets the state, which search and quotes depend on. */
function stateChanged(state: State, { data }: EventOf<StateEvent>, row: Row): void {
  const property = state.property(row, data.property_id)!;
  property.state = data.state;
  property.version = data.version;
  if (data.state === "live") property.first_live_row ??= row.row;
  state.tenant(row.tenant_id).index[row.mode]?.propertyChanged(property);
}

export const PROPERTY_FOLDS = {
  "property.promoted": stateChanged,
  "property.suspended": stateChanged,
  "property.archived": stateChanged,
} satisfies Partial<Folds>;
