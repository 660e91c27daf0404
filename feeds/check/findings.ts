/** Findings of a check: all are counted, a few are listed. */

/** Faults: partners refuse or misread the document. */
const FAULTS = {
  not_well_formed: "is not well-formed XML; nothing after it was read",
  unknown_document: "is not a hotel list, price list or points-of-sale document",
  unknown_element: "is an element that is not allowed there",
  empty: "is empty; partners refuse empty documents",
  timestamp: "needs a timestamp with UTC offset or Z",
  missing: "lacks a required value",
  invalid: "has an invalid value",
  empty_element: "has an empty element",
  repeated_id: "repeats an id",
  repeated_itinerary: "repeats an itinerary",
  repeated_bundle: "repeats a bundle: same room, package and occupancy",
  unknown_property: "is of a property without PropertyDataSet",
  unknown_room: "sells a room or package without description",
  amount: "has an amount that is not a decimal number of its currency",
  currency: "has another currency than the other prices of its property",
  base_price: "has a base price that no bundle for two or more has",
  cheaper_bundle: "has a bundle for two or more below its base price",
  not_listed: "has prices but is not in the hotel list",
} as const;

/** Warnings: partners accept it, but the operator should know. */
const WARNINGS = {
  old: "is more than a day old; Microsoft ignores it",
  past: "is for a check-in before the day of the timestamp",
  gap: "lacks itineraries between its first and last; partners read absence as unchanged, not sold out",
  repeated_address: "has the same address as another listing",
  repeated_place: "has the same coordinates as another listing",
  no_prices: "is listed but has no prices",
  unknown_variable: "has an unknown variable",
} as const;

type FaultKind = keyof typeof FAULTS;
type WarningKind = keyof typeof WARNINGS;

/** All findings of one kind. */
export interface Finding {
  readonly kind: FaultKind | WarningKind;
  readonly what: string;
  readonly count: number;
  /** Locations of the first ones. */
  readonly places: readonly string[];
}

const PLACES_MAX = 5;

type Counted = { count: number; readonly places: string[] };

/** Collects any number of findings in bounded memory. */
export class Findings {
  readonly #faults = new Map<FaultKind, Counted>();
  readonly #warnings = new Map<WarningKind, Counted>();

  fault(kind: FaultKind, place: string): void {
    count(this.#faults, kind, place);
  }

  warning(kind: WarningKind, place: string): void {
    count(this.#warnings, kind, place);
  }

  /** Findings that partners refuse. */
  faults(): readonly Finding[] {
    return [...this.#faults].map(([kind, found]) => ({ kind, what: FAULTS[kind], ...found }));
  }

  /** Findings that partners accept. */
  warnings(): readonly Finding[] {
    return [...this.#warnings].map(([kind, found]) => ({ kind, what: WARNINGS[kind], ...found }));
  }
}

function count<K>(found: Map<K, Counted>, kind: K, place: string): void {
  const known = found.get(kind);
  if (known === undefined) {
    found.set(kind, { count: 1, places: [place] });
    return;
  }
  known.count += 1;
  if (known.places.length < PLACES_MAX) known.places.push(place);
}
