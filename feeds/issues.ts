/**
 * Data issues that Google's import would report for a hotel list, with Google's names. They do not
 * prevent listing; operators see them.
 */
import type { PropertyTree } from "../engine/core/supply.ts";
import { oneLine } from "./xml.ts";

/** Properties listed per issue. */
const NAMED_MAX = 20;

export type IssueName =
  | "DUPLICATE_ADDRESS"
  | "DUPLICATE_LATLONG"
  | "MISSING_LATLONG"
  | "MISSING_PHYSICAL_STREET_ADDRESS"
  | "MISSING_STREET_NUMBER";

export interface Issue {
  readonly issue: IssueName;
  /** Number of affected properties. */
  readonly count: number;
  /** The first of them. */
  readonly property_ids: readonly string[];
}

const POST_BOX = /^(p\.?\s*o\.?\s*box|post(al)? box|postfach|apartado|apdo\.?|casella postale)\b/i;

/** Keys of a property's coordinates or address, to find duplicates. */
function addressKey({ address }: PropertyTree): string {
  const { line1, line2 = "", city, country } = address;
  return [line1, line2, city, country].map((text) => oneLine(text).toLowerCase()).join("|");
}

/** All issues of the properties, by name. */
export function issuesOf(trees: readonly PropertyTree[]): Issue[] {
  const found = new Map<IssueName, string[]>();
  const add = (issue: IssueName, id: string) => {
    const ids = found.get(issue) ?? [];
    found.set(issue, ids);
    ids.push(id);
  };
  const places = new Set<string>();
  const addDuplicate = (issue: IssueName, place: string, id: string) => {
    const key = `${issue} ${place}`;
    if (places.has(key)) add(issue, id);
    places.add(key);
  };
  for (const tree of trees) {
    const { id, geo, address } = tree;
    addDuplicate("DUPLICATE_ADDRESS", addressKey(tree), id);
    if (geo === null) add("MISSING_LATLONG", id);
    else addDuplicate("DUPLICATE_LATLONG", `${geo.lat} ${geo.lng}`, id);
    const street = oneLine(address.line1);
    if (POST_BOX.test(street)) add("MISSING_PHYSICAL_STREET_ADDRESS", id);
    else if (!/\p{Nd}/u.test(street)) add("MISSING_STREET_NUMBER", id);
  }
  return [...found.keys()].toSorted().map((issue) => {
    const ids = found.get(issue)!;
    return { issue, count: ids.length, property_ids: ids.slice(0, NAMED_MAX) };
  });
}
