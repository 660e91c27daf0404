/** A destination whose words mean something, but not what they were said to. */
import { indexOf } from "../index.ts";
import type { State } from "../state.ts";
import { sightOf } from "../visibility.ts";
import { candidatesOf } from "./candidates.ts";
import type { SearchQuery, SearchScope } from "./query.ts";

type Destination = NonNullable<SearchQuery["destination"]>;

/**
 * The same words as a destination of the other type: a hotel's name where a place was asked for, or
 * the other way round. Null where the caller may see nothing by them.
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
