/**
 * The properties in a tenant's documents, by id: live ones with the location data that partners
 * require. Both documents use this, because partners refuse prices of unlisted properties. A
 * property that lacks data is omitted completely.
 */
import { exponentOf } from "../engine/core/price/money.ts";
import type { PropertyEntry, State } from "../engine/core/state/state.ts";
import type { PropertyTree } from "../engine/core/supply.ts";
import { oneLine } from "./xml.ts";

export interface Skipped {
  readonly property_id: string;
  /** The missing data. */
  readonly reasons: readonly string[];
}

export interface Listable {
  readonly listed: readonly PropertyEntry[];
  readonly skipped: readonly Skipped[];
}

/** Units of account such as CLF have four decimals; one such amount makes a file invalid. */
const DECIMALS_MAX = 3;
const PHONE = /^\+?[0-9() .-]{5,30}$/;

/** The phone number, if partners accept its form. */
export function readablePhone({ phone }: PropertyTree): string | null {
  return phone !== null && PHONE.test(phone) ? phone : null;
}

/** Required data that a property lacks; empty for one that can be listed. */
function lacksOf(tree: PropertyTree): string[] {
  const { line1, city, country } = tree.address;
  const lacks = { name: tree.name, line1, city, country };
  const names = Object.entries(lacks).filter(([, text]) => oneLine(text) === "");
  const hasPlace = tree.geo !== null || readablePhone(tree) !== null;
  const isWritable = exponentOf(tree.default_currency) <= DECIMALS_MAX;
  return [
    ...names.map(([name]) => name),
    ...(hasPlace ? [] : ["geo or phone"]),
    ...(isWritable ? [] : ["a currency that partners know"]),
  ];
}

/** Whether documents include the property: it is live and lacks nothing. */
export function isListed({ state, tree }: PropertyEntry): boolean {
  return state === "live" && lacksOf(tree).length === 0;
}

/** The tenant's live properties in mode live: listed and skipped ones. */
export function listableOf(state: State, tenantId: string): Listable {
  const listed: PropertyEntry[] = [];
  const skipped: Skipped[] = [];
  const own = state.tenants.get(tenantId)?.properties.live.values() ?? [];
  for (const property of own) {
    if (property.state !== "live") continue;
    const reasons = lacksOf(property.tree);
    if (reasons.length === 0) listed.push(property);
    else skipped.push({ property_id: property.tree.id, reasons });
  }
  listed.sort((a, b) => (a.tree.id < b.tree.id ? -1 : 1));
  return { listed, skipped };
}
