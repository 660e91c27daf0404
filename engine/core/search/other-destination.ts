/** Destinations that mean something only as another type. */

import type { State } from "../state/state.ts";
import { sightOf } from "../visibility.ts";
import { candidatesOf } from "./candidates.ts";
import type { SearchQuery, SearchScope } from "./query.ts";
import { indexOf } from "./search-index.ts";

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
