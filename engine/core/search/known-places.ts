/** Known places of a realm, as far as a caller may see them. */

import type { State } from "../state/state.ts";
import type { Realm } from "../supply.ts";
import type { Caller } from "../visibility.ts";
import { countSeen } from "./candidates.ts";
import { completions, type KnownPlace } from "./places/suggestions.ts";
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
