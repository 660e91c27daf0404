/** What supply commands come to. */
import { dateOf, dayOf, todayIn } from "../../engine/core/calendar.ts";
import type {
  Command,
  CommandMeta,
  DeleteProperty,
  ReplaceProperty,
  UpdateAri,
} from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { DateRange, Mode, PropertyTree } from "../../engine/core/supply.ts";
import {
  type Expected,
  type ModelHold,
  type ModelLedger,
  refused,
  succeeded,
} from "./model-ledger.ts";
import type { ModelProperty, Wanted } from "./model-supply.ts";

type SupplyCommand = Extract<
  Command,
  { type: `${string}Property` | "UpdateAri" | "SetFxRates" | "RecordNotice" }
>;

/** The engine's moment, as far as supply depends on it. */
export interface Moment {
  readonly stamp: number;
  /** The first and the last day that supply can be set for; earlier ones are forgotten. */
  readonly firstDay: number;
  readonly lastDay: number;
}

export function expectSupply(
  command: SupplyCommand,
  moment: Moment,
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
    if (hasSlug(command, tree, ledger)) {
      return refused(command, "conflict", { reason: "slug_taken" });
    }
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
    case "ReplaceProperty":
      return expectReplaced(command, property, moment, ledger);
    case "DeleteProperty":
      return expectDeleted(command, property, ledger);
    case "PromoteProperty":
    case "SuspendProperty":
    case "ArchiveProperty":
      return expectState(command, property);
    case "UpdateAri":
      return expectAri(command, property, moment, ledger);
  }
}

/** Whether another property of the realm has the tree's slug. */
function hasSlug(
  { tenant_id, mode }: CommandMeta,
  { id, slug }: PropertyTree,
  { supply }: ModelLedger,
): boolean {
  return [...supply.properties.values()].some(
    (other) =>
      other.tenant === tenant_id &&
      other.mode === mode &&
      other.tree.id !== id &&
      other.tree.slug === slug,
  );
}

/** What promotion refuses of the simulation's trees, which lack nothing else. */
function faultsOf(tree: PropertyTree, mode: Mode): string[] {
  const plans = tree.room_types.flatMap((room) => room.rate_plans);
  const isForeign = plans.some((plan) => plan.currency !== tree.default_currency);
  return [
    ...(mode === "live" && tree.geo === null ? ["missing_geo"] : []),
    ...(isForeign ? ["currency_mismatch"] : []),
  ];
}

function mismatched(command: Command, property: ModelProperty): Expected {
  const { version } = property;
  return refused(command, "conflict", { reason: "version_mismatch", version });
}

function expectReplaced(
  command: ReplaceProperty,
  property: ModelProperty,
  { stamp, firstDay, lastDay }: Moment,
  ledger: ModelLedger,
): Expected {
  const { expected_version, base_version, tree } = command;
  const { version, state, mode } = property;
  if (expected_version !== null && expected_version !== version) {
    return mismatched(command, property);
  }
  if (base_version !== version || tree === null) {
    return { ...mismatched(command, property), phase: "transient", key: null };
  }
  if (state === "archived") return refused(command, "conflict", { reason: "property_archived" });
  if (hasSlug(command, tree, ledger)) return refused(command, "conflict", { reason: "slug_taken" });
  if (dependsOn(property, tree, stamp, ledger)) {
    return refused(command, "conflict", { reason: "in_use" });
  }
  const known = faultsOf(property.tree, mode);
  const faults = faultsOf(tree, mode);
  if (state === "live" && faults.some((fault) => !known.includes(fault))) {
    return refused(command, "property_not_promotable");
  }
  const changed = JSON.stringify(tree) !== JSON.stringify(property.tree);
  const next = version + (changed ? 1 : 0);
  const has = { slug: tree.slug, state, version: next };
  if (command.dry_run) {
    return { phase: "transient", kind: "property_replaced", has, events: [], key: null };
  }
  return succeeded(command, "property_replaced", {
    events: changed ? ["property.replaced"] : [],
    has,
    apply: (row) => {
      const days = Array.from({ length: lastDay + 1 - firstDay }, (_, i) => firstDay + i);
      const { seq } = row.events.find(({ type }) => type === "property.replaced") ?? { seq: 0 };
      ledger.supply.forgetPlans(property.tree, tree);
      if (changed) ledger.supply.noteTree(property.tree, tree, seq, days);
      Object.assign(property, { tree, version: next });
    },
  });
}

/** Whether a claim that is not over is on what goes, or would be in another currency. */
function dependsOn(
  property: ModelProperty,
  after: PropertyTree,
  stamp: number,
  ledger: ModelLedger,
): boolean {
  const today = dateOf(todayIn(property.tree.timezone, stamp));
  const planOf = (tree: PropertyTree, { room_type_id, rate_plan_id }: Wanted) =>
    tree.room_types
      .find(({ id }) => id === room_type_id)
      ?.rate_plans.find(({ id }) => id === rate_plan_id);
  const isKept = (quote: Wanted) =>
    planOf(after, quote)?.currency === planOf(property.tree, quote)?.currency;
  const isHere = ({ property_id }: Wanted) => property_id === property.tree.id;
  const isLive = (hold: ModelHold) => hold.state === "confirming" || stamp < hold.expiresAt;
  const claimed = [
    ...[...ledger.open].filter(isLive).map(({ quote }) => quote),
    ...[...ledger.bookings.values()]
      .filter(({ state, stay: { check_in, check_out } }) => {
        return state !== "cancelled" && check_out > today && check_out > check_in;
      })
      .map(({ quote }) => quote),
  ];
  return claimed.some((quote) => isHere(quote) && !isKept(quote));
}

function expectDeleted(
  command: DeleteProperty,
  property: ModelProperty,
  { supply }: ModelLedger,
): Expected {
  const { expected_version } = command;
  if (expected_version !== null && expected_version !== property.version) {
    return mismatched(command, property);
  }
  if (property.state !== "draft") return refused(command, "conflict", { reason: "not_a_draft" });
  return succeeded(command, "property_deleted", {
    events: ["property.deleted"],
    has: { slug: property.tree.slug, state: "deleted", version: property.version + 1 },
    apply: () => void supply.properties.delete(property.tree.id),
  });
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
  if (state === "live" && faultsOf(property.tree, property.mode).length > 0) {
    return refused(command, "property_not_promotable");
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
  { firstDay, lastDay }: Moment,
  ledger: ModelLedger,
): Expected {
  const rooms = new Map(property.tree.room_types.map((room) => [room.id, room]));
  const { inventory = [], restrictions = [], ceilings = [], units_left = [] } = command.ari;
  const named: readonly (DateRange & {
    readonly room_type_id: string;
    readonly rate_plan_id?: string | null;
  })[] = [...inventory, ...restrictions, ...ceilings, ...units_left];
  const isKnown = named.every(({ room_type_id, rate_plan_id }) => {
    const plans = rooms.get(room_type_id)?.rate_plans;
    return plans && (!rate_plan_id || plans.some(({ id }) => id === rate_plan_id));
  });
  if (!isKnown || named.some(({ to }) => dayOf(to) > lastDay)) {
    return refused(command, "validation_failed");
  }
  // A hold that is due counts until its end is journaled.
  const claims = ledger.claims(Number.NEGATIVE_INFINITY);
  const ari = ledger.supply.resolved(command.ari, claims);
  const { if_unchanged_since: since } = command;
  if (since !== undefined && ledger.supply.isOutdated(ari, since, firstDay)) {
    return refused(command, "conflict", { reason: "version_mismatch" });
  }
  if (!ledger.supply.isChangedBy(ari, firstDay)) {
    return succeeded(command, "ari", { events: [], has: { seq: null, changed: false } });
  }
  const apply = ({ events }: Row) => {
    ledger.supply.applyAri(ari);
    for (const { type, seq } of events) {
      if (type === "ari.changed") ledger.supply.noteAri(ari, seq, firstDay);
    }
  };
  return succeeded(command, "ari", { events: ["ari.changed"], apply });
}
