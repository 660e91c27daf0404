/** What a check has found in a document: counted all, told a few. */

/** What partners refuse, or read as something else than was meant. */
const FAULTS = {
  not_well_formed: "is not well-formed XML; nothing after it was read",
  unknown_document: "is none of the three documents",
  unknown_element: "is an element that does not belong there",
  empty: "has nothing in it, and partners refuse that",
  timestamp: "needs an instant with its offset or Z as timestamp",
  missing: "lacks what it must have",
  invalid: "has a value that cannot be",
  empty_element: "has an element with nothing in it",
  repeated_id: "has an id that was there before",
  repeated_itinerary: "is an itinerary that was there before",
  repeated_bundle: "sells the same room, package and occupancy twice",
  unknown_property: "is of a property that has no PropertyDataSet",
  unknown_room: "sells a room or package that its property has not described",
  amount: "has an amount that is no plain decimal number of its currency",
  currency: "has another currency than the rest of its property",
  base_price: "has a base price that none of its bundles for two or more has",
  cheaper_bundle: "has a bundle for two or more that is cheaper than its base price",
  not_listed: "has prices and is not in the hotel list",
} as const;

/** What a partner takes, and an operator should know. */
const WARNINGS = {
  old: "is more than a day old: Microsoft does not read it any more",
  past: "is for a check-in before the day of the timestamp",
  gap: "lacks itineraries between its first and its last: absence means unchanged, not sold out",
  repeated_address: "has the address of another one",
  repeated_place: "has the coordinates of another one",
  no_prices: "is listed and has no prices",
  unknown_variable: "has a variable that no partner knows",
} as const;

type FaultKind = keyof typeof FAULTS;
type WarningKind = keyof typeof WARNINGS;

/** One kind of finding. */
export interface Finding {
  readonly kind: FaultKind | WarningKind;
  readonly what: string;
  readonly count: number;
  /** Where the first ones are. */
  readonly places: readonly string[];
}

const PLACES_MAX = 5;

type Counted = { count: number; readonly places: string[] };

/** Collects findings, however many there are, in bounded memory. */
export class Findings {
  readonly #faults = new Map<FaultKind, Counted>();
  readonly #warnings = new Map<WarningKind, Counted>();

  fault(kind: FaultKind, place: string): void {
    count(this.#faults, kind, place);
  }

  warning(kind: WarningKind, place: string): void {
    count(this.#warnings, kind, place);
  }

  /** What partners refuse. */
  faults(): readonly Finding[] {
    return [...this.#faults].map(([kind, found]) => ({ kind, what: FAULTS[kind], ...found }));
  }

  /** What they take. */
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
