/** What supply commands come to (rules §5). */
import { dayOf } from "../../engine/core/calendar.ts";
import type { Command, UpdateAri } from "../../engine/core/commands.ts";
import { type Expected, type ModelLedger, refused, succeeded } from "./model-ledger.ts";
import type { ModelProperty } from "./model-supply.ts";

type SupplyCommand = Extract<
  Command,
  {
    type:
      | `${"Create" | "Promote" | "Suspend" | "Archive"}Property`
      | "UpdateAri"
      | "SetFxRates"
      | "RecordNotice";
  }
>;

/** Trees of the simulation are complete, so promotion always succeeds. */
export function expectSupply(
  command: SupplyCommand,
  lastDay: number,
  ledger: ModelLedger,
): Expected {
  const { properties } = ledger.supply;
  const { tenant_id: tenant, mode } = command;
  if (command.type === "SetFxRates") return succeeded(command, "fx", { events: ["fx.changed"] });
  if (command.type === "RecordNotice") {
    return succeeded(command, "internal", { events: [command.notice.type] });
  }
  if (command.type === "CreateProperty") {
    const { tree } = command;
    if (properties.has(tree.id)) return refused(command, "conflict", { reason: "id_taken" });
    const hasSlug = [...properties.values()].some(
      (other) => other.tenant === tenant && other.mode === mode && other.tree.slug === tree.slug,
    );
    if (hasSlug) return refused(command, "conflict", { reason: "slug_taken" });
    return succeeded(command, "property", {
      events: ["property.created"],
      has: { property_id: tree.id, state: "draft", version: 1 },
      apply: () => void properties.set(tree.id, { tree, tenant, mode, state: "draft", version: 1 }),
    });
  }
  const property = properties.get(command.property_id);
  if (!property || property.tenant !== tenant || property.mode !== mode) {
    return refused(command, "property_not_found", { property_id: command.property_id });
  }
  switch (command.type) {
    case "PromoteProperty":
    case "SuspendProperty":
    case "ArchiveProperty":
      return expectState(command, property);
    case "UpdateAri":
      return expectAri(command, property, lastDay, ledger);
  }
}

const STEPS = {
  PromoteProperty: { kind: "promotion", event: "property.promoted", state: "live" },
  SuspendProperty: { kind: "off_sale", event: "property.suspended", state: "suspended" },
  ArchiveProperty: { kind: "off_sale", event: "property.archived", state: "archived" },
} as const;

/** Live and suspended follow each other; a draft is never suspended, an archive never anything. */
function expectState(
  command: Extract<Command, { type: keyof typeof STEPS }>,
  property: ModelProperty,
): Expected {
  const { kind, event, state } = STEPS[command.type];
  const before = property.state;
  if (before === "archived" && state !== "archived") {
    return refused(command, "conflict", { reason: "property_archived" });
  }
  if (before === "draft" && state === "suspended") {
    return refused(command, "conflict", { reason: "not_on_sale" });
  }
  const isSo = before === state;
  const version = property.version + (isSo ? 0 : 1);
  return succeeded(command, kind, {
    events: isSo ? [] : [event],
    has: { state, version },
    apply: () => void Object.assign(property, { state, version }),
  });
}

function expectAri(
  command: UpdateAri,
  property: ModelProperty,
  lastDay: number,
  ledger: ModelLedger,
): Expected {
  const rooms = property.tree.room_types.map((room) => room.id);
  const { inventory = [], restrictions = [], ceilings = [] } = command.ari;
  const named = [...inventory, ...restrictions, ...ceilings];
  const isBeyond = named.some(({ to }) => dayOf(to) > lastDay);
  if (isBeyond || named.some(({ room_type_id }) => !rooms.includes(room_type_id))) {
    return refused(command, "validation_failed");
  }
  if (Object.keys(command.ari).length === 0) {
    return succeeded(command, "ari", { events: [], has: { seq: null } });
  }
  const apply = () => ledger.supply.applyAri(command.ari);
  return succeeded(command, "ari", { events: ["ari.changed"], apply });
}
