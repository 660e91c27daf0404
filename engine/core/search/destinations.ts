/** Destinations as far as a caller may see them: known places, and a name of the other type. */

import type { State } from "../state/state.ts";
import type { Realm } from "../supply.ts";
import { type Caller, sightOf } from "../visibility.ts";
import { candidatesOf, countSeen } from "./candidates.ts";
import { completions, type KnownPlace } from "./places/suggestions.ts";
import type { SearchQuery, SearchScope } from "./query.ts";
import { indexOf } from "./search-index.ts";

/**
 * Places with a name that begins with the text, all for an empty one; those with most properties
 * first.
 */
export function placesBegun(
  state: State,
  text: string,
  limit: number,
  caller: Realm & Pick<Caller, "property_ids">,
): KnownPlace[] {
  const index = indexOf(state, caller);
  return completions(index.places, text, limit, countSeen(index, caller));
}

type Destination = NonNullable<SearchQuery["destination"]>;

/**
 * The same words as a destination of the other type: a hotel's name given as a place, or the
 * reverse. Null when the caller sees nothing by that name.
 */
export function otherDestination(
  state: State,
  { type, value }: Destination,
  scope: SearchScope,
): Destination | null {
  const other = { type: type === "area" ? "property" : "area", value } as const;
  const index = indexOf(state, scope);
  const { ordinals } = candidatesOf(state, index, scope, other);
  const isSeen = (ordinal: number) => {
    return sightOf(scope, scope, index.properties[ordinal]!.card.property_id) === "visible";
  };
  return Array.from(ordinals).some(isSeen) ? other : null;
}
