/** Closed vocabularies of supply, shared by requests and answers. */
import { WEEKDAYS } from "../../../engine/core/calendar.ts";
import { vocabulary } from "../../http/schema/annotations.ts";

export const MealPlan = vocabulary(
  "MealPlan",
  ["room_only", "breakfast", "half_board", "full_board", "all_inclusive"],
  "Meals included in the rate.",
);

export const CANCELLATION_KINDS = [
  "free_until_cutoff",
  "fee_from_booking",
  "non_refundable",
] as const;

export const CancellationKind = vocabulary(
  "CancellationKind",
  CANCELLATION_KINDS,
  "`free_until_cutoff`: free of charge up to a time before check-in. `fee_from_booking`: a fee " +
    "from booking on. `non_refundable`: nothing is refunded.",
);

export const PropertyState = vocabulary(
  "PropertyState",
  ["draft", "live", "suspended", "archived"],
  "Only `live` is on sale.",
);

export const TaxBasis = vocabulary(
  "TaxBasis",
  ["percent", "per_stay", "per_night", "per_person", "per_person_per_night"],
  "Basis of a tax or fee; `percent` is of the price, in basis points.",
);

export const TaxCollection = vocabulary(
  "TaxCollection",
  ["prepaid", "at_property"],
  "`prepaid`: captured at booking. `at_property`: paid by the guest at the property.",
);

export const RateSource = vocabulary(
  "RateSource",
  ["date_override", "base", "derived"],
  "Whether the price is set by date or by the plan, or follows another plan.",
);

export const Rounding = vocabulary(
  "Rounding",
  ["half_up", "up", "down"],
  "To the next multiple of `round_to`, or the next higher or lower one.",
);

export const Weekday = vocabulary("Weekday", WEEKDAYS, "A night, by the day on which it begins.");
