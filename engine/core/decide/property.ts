/** Properties: what a tree may be, and the life from draft to archive (rules §5). */
import type {
  ArchiveProperty,
  CommandMeta,
  CreateProperty,
  PromoteProperty,
  SuspendProperty,
} from "../commands.ts";
import type { Rejection } from "../outcomes.ts";
import { promotionReasons } from "../promotion.ts";
import type { PropertyEntry } from "../state.ts";
import { seenBy } from "../visibility.ts";
import { type Context, type Decision, EventList, reject, success } from "./context.ts";

/** Decides `POST /v1/admin/properties`: a draft; ids and the slug must be free. */
export function createProperty(command: CreateProperty, ctx: Context): Decision {
  const { tree } = command;
  if (ctx.state.property(command, tree.id)) {
    const detail = { reason: "id_taken", property_id: tree.id };
    return reject(command, { code: "conflict", detail });
  }
  const holder = ctx.state.tenants
    .get(command.tenant_id)
    ?.slugs.get(`${command.mode}:${tree.slug}`);
  if (holder !== undefined) {
    const detail = { reason: "slug_taken", slug: tree.slug, property_id: holder };
    return reject(command, { code: "conflict", detail });
  }
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({ type: "property.created", data: { property_id: tree.id, tree } });
  const { id, slug } = tree;
  const draft = { property_id: id, slug, state: "draft", mode: command.mode, version: 1 } as const;
  const outcome = success(command, "property", { ...draft, seq });
  return { events: events.list, outcome, phase: "sealed" };
}

/** The property a command names, or why the caller may not have it. */
export function propertyOf(
  command: CommandMeta & { readonly property_id: string },
  { state }: Context,
): PropertyEntry | Rejection {
  const { property_id } = command;
  const unknown = { code: "property_not_found", detail: { property_id } } as const;
  const named = state.propertyNamed(command, property_id);
  return seenBy(command, named, ({ tree }) => tree.id, unknown);
}

/** Decides `…/promote`: to `live` when nothing with severity error stands against it. */
export function promoteProperty(command: PromoteProperty, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  if (property.state === "archived") return reject(command, archived(property));
  const property_id = property.tree.id;
  const todayDay = Math.floor(ctx.stamp / 86_400_000);
  const reasons = promotionReasons(property, todayDay, command.payments_configured);
  if (reasons.some((reason) => reason.severity === "error")) {
    return reject(command, {
      code: "property_not_promotable",
      detail: { property_id, state: property.state, reasons },
      hints: { property_id },
    });
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

/** What is archived stays so. */
function archived({ tree, state }: PropertyEntry): Rejection {
  const detail = { reason: "property_archived", property_id: tree.id, state };
  return { code: "conflict", detail };
}

/**
 * Decides `…/suspend`: a live property is sold no more until it is promoted again. What is held may
 * be booked, what is booked lives on.
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

/** Decides `…/archive`: as a suspension, and for good. */
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
