/** The properties that a destination names, before anything else is asked. */
import { folded } from "../folded.ts";
import type { RealmIndex } from "../index/realm-index.ts";
import type { State } from "../state.ts";
import type { PropertyTree } from "../supply.ts";
import type { SearchQuery, SearchScope } from "./query.ts";

/** Ordinals of an index, each once. */
export interface Candidates {
  readonly ordinals: ArrayLike<number>;
  /** Metres from the point that was asked for, in the same order; null without one. */
  readonly distances: ArrayLike<number> | null;
}

const COUNTRY_NAMES = new Intl.DisplayNames(["en"], { type: "region" });
const placesOf = new WeakMap<PropertyTree, readonly string[]>();

/** City, region and country (name and code) of a property, folded. */
function places(tree: PropertyTree): readonly string[] {
  let known = placesOf.get(tree);
  if (!known) {
    const { city, region, country } = tree.address;
    const names = [city, region ?? "", country, COUNTRY_NAMES.of(country) ?? ""];
    known = names.map(folded).filter((name) => name !== "");
    placesOf.set(tree, known);
  }
  return known;
}

/** All of the realm without a destination; none of one that is not known. */
export function candidatesOf(
  state: State,
  index: RealmIndex,
  scope: SearchScope,
  destination: SearchQuery["destination"],
): Candidates {
  if (!destination) return { ordinals: index.all(), distances: null };
  const { type, value } = destination;
  const name = folded(value);
  if (type === "area") {
    const isThere = (ordinal: number) => places(index.properties[ordinal]!.tree).includes(name);
    return { ordinals: index.all().filter(isThere), distances: null };
  }
  const ordinals = new Set(index.named(name));
  const exact = state.propertyNamed(scope, value);
  const ordinal = exact && index.ordinalOf(exact.tree.id);
  if (ordinal !== undefined) ordinals.add(ordinal);
  return { ordinals: [...ordinals], distances: null };
}
