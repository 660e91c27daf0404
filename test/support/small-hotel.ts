/**
 * A hotel for tests of what partners and visitors are told: a tax inside its rates, a tax and a fee
 * beside them, and a room for one, for whom prices are others than for two.
 */
import type { PropertyEntry } from "../../engine/core/state/state.ts";
import type {
  AriUpdate,
  PropertyTree,
  RatePlan,
  RoomType,
  TaxRule,
} from "../../engine/core/supply.ts";
import {
  createProperty,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  updateAri,
} from "./builders.ts";
import { given } from "./given.ts";

const CITY_TAX: TaxRule = {
  ...{ code: "CITY", name: "City tax", kind: "tax", basis: "per_person_per_night", amount: 250 },
  ...{ included_in_rate: false, collect: "at_property" },
};
const CLEANING: TaxRule = {
  ...{ code: "CLEAN", name: "Cleaning", kind: "fee", basis: "per_stay", amount: 1_500 },
  ...{ included_in_rate: false, collect: "prepaid" },
};

/** 10 % VAT inside the rates, 2.50 city tax a head and night, 15.00 for cleaning. */
export function smallHotel(over: Partial<PropertyTree> = {}): PropertyTree {
  return propertyTree({
    policies: [policyTerms(), policyTerms({ cancellation_kind: "non_refundable" })],
    tax_rules: [...propertyTree().tax_rules, CITY_TAX, CLEANING],
    ...over,
  });
}

/** `room-single`, with `plan-single`. */
export function singleRoom(plan: Partial<RatePlan> = {}): RoomType {
  return roomType({
    ...{ id: "room-single", code: "SGL", name: "Single" },
    ...{ max_occupancy: 1, included_occupancy: 1 },
    rate_plans: [ratePlan({ id: "plan-single", ...plan })],
  });
}

/** The hotel, promoted, after changes of its rates and availability. */
export function onSale(tree: PropertyTree, ...updates: readonly AriUpdate[]): PropertyEntry {
  const ari = updates.map((update) => updateAri(tree, update));
  const { state } = given(createProperty(tree), promoteProperty(tree), ...ari);
  return state.property(REALM, tree.id)!;
}
