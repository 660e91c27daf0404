/** Where the demo has hotels. */

import { placesBegun } from "../../../engine/core/search/destinations.ts";
import type { KnownPlace } from "../../../engine/core/search/places/suggestions.ts";
import type { State } from "../../../engine/core/state/state.ts";

/** A list that a visitor completes a name from needs no more. */
const PLACES_MAX = 300;

/** Places in which a tenant has something on sale: those with most hotels first, then by name. */
export function placesOf(state: State, tenant_id: string): KnownPlace[] {
  return placesBegun(state, "", PLACES_MAX, { tenant_id, mode: "live" });
}

/** The city with most hotels, as its hotels write it; empty without hotels. */
export function busiestCity(places: readonly Pick<KnownPlace, "kind" | "name">[]): string {
  return places.find(({ kind }) => kind === "city")?.name ?? "";
}
