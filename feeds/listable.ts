/**
 * The properties that a tenant's documents have: every live one that partners can place on a map
 * and on a street, by id. Both documents ask here, because a partner refuses prices of a property
 * that its list does not have. One that lacks something is left out whole, never half written.
 */
import { exponentOf } from "../engine/core/money.ts";
import type { PropertyEntry, State } from "../engine/core/state.ts";
import type { PropertyTree } from "../engine/core/supply.ts";
import { oneLine } from "./xml.ts";

export interface Skipped {
  readonly property_id: string;
  /** What it lacks. */
  readonly reasons: readonly string[];
}

export interface Listable {
  readonly listed: readonly PropertyEntry[];
  readonly skipped: readonly Skipped[];
}

/** Units of account such as CLF have four, and one such amount makes a file invalid. */
const DECIMALS_MAX = 3;
const PHONE = /^\+?[0-9() .-]{5,30}$/;

/** The phone number, if partners can read it as one. */
export function readablePhone({ phone }: PropertyTree): string | null {
  return phone !== null && PHONE.test(phone) ? phone : null;
}

/** What partners ask for and a property lacks; nothing for one that they can list. */
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

/** Whether documents have the property: it is live, and partners can list it. */
export function isListed({ state, tree }: PropertyEntry): boolean {
  return state === "live" && lacksOf(tree).length === 0;
}

/** The tenant's live properties of mode live, those that are listed and those that cannot be. */
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
