/**
 * Counts a party for a price. A child's band is decided by its age in completed years at check-in;
 * a child outside every band, or beyond a band's `max_count`, counts as an adult, so every property
 * accepts children and `children_not_supported` cannot occur.
 */

import type { ChildBand, PropertyTree, RoomType } from "../supply.ts";
import type { Party } from "./quote.ts";

export interface PartyCount {
  /** Adults, including children that count as adults. */
  readonly adults: number;
  /** Adults above the room type's `included_occupancy`; each pays the extra-adult amount. */
  readonly extraAdults: number;
  /** Persons that count toward the room type's `max_occupancy`. */
  readonly occupants: number;
  /** One band per child that pays as a child. */
  readonly childBands: readonly ChildBand[];
}

const NO_CHILDREN: readonly ChildBand[] = [];

/**
 * Counts a party for a room type. Bands apply in the order of the list, first match wins; the
 * order of the children in the party makes no difference to the counts.
 */
export function countParty(
  tree: PropertyTree,
  roomType: Pick<RoomType, "included_occupancy">,
  party: Party,
): PartyCount {
  const childBands = party.children.length === 0 ? NO_CHILDREN : bandsOf(tree, party);
  const adults = party.adults + party.children.length - childBands.length;
  let occupants = adults;
  for (const band of childBands) if (band.counts_toward_occupancy) occupants += 1;
  const extraAdults = Math.max(0, adults - roomType.included_occupancy);
  return { adults, extraAdults, occupants, childBands };
}

function bandsOf(tree: PropertyTree, party: Party): ChildBand[] {
  const bands: ChildBand[] = [];
  for (const { age } of party.children) {
    const band = tree.child_bands.find((each) => each.min_age <= age && age <= each.max_age);
    if (band === undefined) continue;
    const taken = bands.filter((each) => each === band).length;
    if (taken < (band.max_count ?? Number.POSITIVE_INFINITY)) bands.push(band);
  }
  return bands;
}

/** Why a party cannot stay in a room type, as a blocking reason; null when it can. */
export function partyProblem(
  tree: PropertyTree,
  roomType: RoomType,
  party: Party,
): "occupancy_exceeded" | null {
  const { occupants } = countParty(tree, roomType, party);
  return occupants > roomType.max_occupancy ? "occupancy_exceeded" : null;
}
