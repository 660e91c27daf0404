/** The closed sets of words that supply is told in; requests and answers have the same. */
import { vocabulary } from "../../http/schema/annotations.ts";

export const MealPlan = vocabulary(
  "MealPlan",
  ["room_only", "breakfast", "half_board", "full_board", "all_inclusive"],
  "The meals that a rate includes.",
);

export const CANCELLATION_KINDS = [
  "free_until_cutoff",
  "fee_from_booking",
  "non_refundable",
] as const;

export const CancellationKind = vocabulary(
  "CancellationKind",
  CANCELLATION_KINDS,
  "`free_until_cutoff`: free of charge up to a moment before check-in. `fee_from_booking`: a fee " +
    "from the start. `non_refundable`: nothing comes back.",
);

export const PropertyState = vocabulary(
  "PropertyState",
  ["draft", "live", "suspended", "archived"],
  "Only `live` is on sale.",
);

export const TaxBasis = vocabulary(
  "TaxBasis",
  ["percent", "per_stay", "per_night", "per_person", "per_person_per_night"],
  "What a tax or fee is counted by; `percent` is of the price, in basis points.",
);

export const TaxCollection = vocabulary(
  "TaxCollection",
  ["prepaid", "at_property"],
  "`prepaid`: part of what is taken at booking. `at_property`: the guest pays it there.",
);
