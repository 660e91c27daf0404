/** Known places of a realm, for a caller that may see some of it. */
import { indexOf } from "./index.ts";
import { completions, type KnownPlace } from "./places/suggestions.ts";
import { countSeen } from "./search/candidates.ts";
import type { State } from "./state.ts";
import type { Realm } from "./supply.ts";
import type { Caller } from "./visibility.ts";

/** Places of which a name begins with a text, all for an empty one; the most to offer first. */
export function placesBegun(
  state: State,
  text: string,
  limit: number,
  caller: Realm & Pick<Caller, "property_ids">,
): KnownPlace[] {
  const index = indexOf(state, caller);
  return completions(index.places, text, limit, countSeen(index, caller));
}
