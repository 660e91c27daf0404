/**
 * The tenant that is searched: cities of 20 properties, one of 500, four room types of three plans
 * each, and an amount for each of 400 nights. A property follows from its number alone, so that a
 * larger tenant has the properties of a smaller one, and a peer can be given the same.
 */
import { dateOf } from "../engine/core/calendar.ts";
import type {
  AriUpdate,
  CancellationKind,
  MealPlan,
  PropertyTree,
  RatePlan,
  RestrictionRange,
  RoomType,
  TaxRule,
  Weekday,
} from "../engine/core/supply.ts";
import { demoUuid, Random } from "../src/ops/demo/random.ts";
import { type Supply, TODAY } from "./tenant.ts";

/** Properties of every city but the one, and of that one. */
export const CITY_SIZE = 20;
export const LARGE_CITY_SIZE = 500;
export const LARGE_CITY = "Benchton Central";
const ROOM_TYPES = 4;
/** Of the one property whose offers are listed. */
export const GRAND_ROOM_TYPES = 20;
export const NIGHTS = 400;
/** Nights of one amount a plan has at a time, on weekdays and at weekends. */
const SEASON = 40;
/** Nights without a unit, in runs: one in twenty. */
const SOLD_OUT_RUNS = 4;
const SOLD_OUT_RUN = 5;
const AMOUNT_MIN = 6_000;
const AMOUNT_MAX = 45_000;

const WEEKEND: readonly Weekday[] = ["fri", "sat"];
const WEEKDAYS: readonly Weekday[] = ["sun", "mon", "tue", "wed", "thu"];

interface PlanKind {
  readonly code: string;
  readonly name: string;
  readonly meal_plan: MealPlan;
  readonly cancellation_kind: CancellationKind;
  /** Of the room type's amount. */
  readonly factor: number;
}

const PLANS: readonly PlanKind[] = [
  {
    ...{ code: "SAVE", name: "Saver, not refundable", meal_plan: "room_only", factor: 0.9 },
    cancellation_kind: "non_refundable",
  },
  {
    ...{ code: "FLEX", name: "Flexible with breakfast", meal_plan: "breakfast", factor: 1 },
    cancellation_kind: "free_until_cutoff",
  },
  {
    ...{ code: "HALF", name: "Half board", meal_plan: "half_board", factor: 1.2 },
    cancellation_kind: "fee_from_booking",
  },
];

const ROOMS = ["Single room", "Double room", "Family room", "Suite"] as const;
const ZONES = ["Europe/Madrid", "Europe/Lisbon", "Europe/Berlin", "Europe/Athens"] as const;
const COUNTRIES = ["ES", "PT", "DE", "GR"] as const;

/** The city of the `index`-th property: first a small one, then the large one, then small ones. */
export function cityOf(index: number): string {
  const afterLarge = index - CITY_SIZE - LARGE_CITY_SIZE;
  if (index >= CITY_SIZE && afterLarge < 0) return LARGE_CITY;
  return smallCity(index < CITY_SIZE ? 0 : 1 + Math.floor(afterLarge / CITY_SIZE));
}

const smallCity = (n: number) => `Benchton ${n + 1}`;

/** The cities of 20 properties that a tenant of `count` properties has completely. */
export function smallCitiesOf(count: number): string[] {
  const others = Math.floor((count - CITY_SIZE - LARGE_CITY_SIZE) / CITY_SIZE);
  return Array.from({ length: 1 + Math.max(0, others) }, (_, n) => smallCity(n));
}

/** The first `count` properties. */
export function* suppliesOf(count: number): Generator<Supply> {
  for (let index = 0; index < count; index += 1) yield supplyOf(index);
}

/** The property of that number; `salt` gives the same under other ids and slugs. */
export function supplyOf(index: number, salt = "search"): Supply {
  return made({ key: `${salt}-${index}`, city: cityOf(index), index, rooms: ROOM_TYPES });
}

/** One property of twenty room types, in a city of its own. */
export function grandSupply(): Supply {
  return made({
    ...{ key: "search-grand", city: "Benchton Grand", index: 1 },
    rooms: GRAND_ROOM_TYPES,
  });
}

interface Asked {
  readonly key: string;
  readonly city: string;
  readonly index: number;
  readonly rooms: number;
}

function made({ key, city, index, rooms }: Asked): Supply {
  const random = new Random(key.replace(/^.*-/, "search-"));
  const id = demoUuid(key);
  const room_types = Array.from({ length: rooms }, (_, n) => roomType(id, n, random));
  const place = new Random(city);
  const country = place.int(0, COUNTRIES.length - 1);
  const near = () => random.next() * 0.1;
  const tree: PropertyTree = {
    ...{ id, slug: key, name: `${random.pick(NAMES)} ${index}`, star_rating: random.int(2, 5) },
    description: DESCRIPTION,
    address: {
      ...{ line1: `${index} Main Street`, city, region: "Benchshire" },
      ...{ country: COUNTRIES[country]!, postal_code: String(10_000 + index) },
    },
    geo: { lat: place.int(-60, 60) + near(), lng: place.int(-170, 170) + near() },
    ...{ default_currency: "EUR", timezone: ZONES[country]! },
    amenities: ["wifi", "parking", ...random.sample(["pool", "spa", "gym", "bar"], 2)],
    images: imagesOf(key, 3),
    ...{ phone: "+34931234567", email: `desk@${key}.example`, pets_allowed: random.chance(0.5) },
    ...{ number_of_rooms: null, checkin_time: "15:00", checkout_time: "11:00" },
    policies: POLICIES,
    tax_rules: random.chance(0.5) ? [VAT, CITY_TAX] : [VAT, CITY_TAX, CLEANING],
    child_bands: [],
    room_types,
  };
  return { tree, ari: ariOf(tree, random) };
}

const NAMES = ["Hotel Aurora", "Grand Plaza", "The Old Mill", "Casa Blanca", "Harbour House"];
const DESCRIPTION =
  "A quiet house a few steps from the old town, with a garden, a bar on the roof and a kitchen " +
  "that cooks what the market has. Trains and trams stop around the corner.";

function imagesOf(key: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `https://images.example/${key}/${n}.jpg`);
}

function terms(
  cancellation_kind: CancellationKind,
  free_cancellation_hours_before_checkin: number,
  cancellation_fee_pct_after_cutoff: number,
): PropertyTree["policies"][number] {
  return {
    ...{ version: "1", cancellation_kind, child_policy_text: null, no_show_fee_pct: 100 },
    ...{ free_cancellation_hours_before_checkin, cancellation_fee_pct_after_cutoff },
  };
}

const POLICIES = [
  terms("free_until_cutoff", 48, 50),
  terms("fee_from_booking", 0, 30),
  terms("non_refundable", 0, 100),
];

const VAT: TaxRule = {
  ...{ code: "VAT", name: "VAT 10%", kind: "tax", basis: "percent", rate_bps: 1_000 },
  ...{ included_in_rate: true, collect: "prepaid" },
};
const CITY_TAX: TaxRule = {
  ...{ code: "CITY", name: "City tax", kind: "tax", basis: "per_person_per_night", amount: 250 },
  ...{ included_in_rate: false, collect: "at_property", max_nights: 7 },
};
const CLEANING: TaxRule = {
  ...{ code: "CLEAN", name: "Cleaning", kind: "fee", basis: "per_stay", amount: 2_500 },
  ...{ included_in_rate: false, collect: "prepaid" },
};

function roomType(propertyId: string, n: number, random: Random): RoomType {
  const id = demoUuid(propertyId, "room", n);
  const size = n % ROOM_TYPES;
  const base = random.int(8_000, 16_000) * (1 + size / 3);
  return {
    ...{ id, code: `R${n + 1}`, name: ROOMS[size]!, description: null },
    ...{ max_occupancy: size + 1, included_occupancy: Math.min(2, size + 1) },
    bed_type: ["twin", "double", "double", "king"][size]!,
    floor_size_sqm: 14 + 6 * size,
    amenities: ["desk", "safe"],
    images: imagesOf(id, 1),
    smoking_allowed: false,
    default_inventory: random.int(3, 12),
    overbooking_limit: 0,
    rate_plans: PLANS.map((kind) => ratePlan(id, kind, base)),
  };
}

function ratePlan(roomId: string, { factor, ...kind }: PlanKind, base: number): RatePlan {
  return {
    ...{ id: demoUuid(roomId, kind.code), ...kind, currency: "EUR" },
    base_rate_per_night: asWritten(base * factor, 0),
    extra_adult_per_night: 2_000,
    adjustments: [],
  };
}

/** As hoteliers write them: whole, a half, or ninety cents. */
function asWritten(amount: number, cents: number): number {
  return Math.min(AMOUNT_MAX, Math.max(AMOUNT_MIN, Math.floor(amount / 100) * 100 + cents));
}

const range = (first: number, nights: number) => ({
  from: dateOf(TODAY + first),
  to: dateOf(TODAY + first + nights - 1),
});

/** An amount for every night, units that are gone on some, and restrictions on a few. */
function ariOf({ room_types }: PropertyTree, random: Random): AriUpdate {
  const rates = room_types.flatMap(({ rate_plans }) =>
    rate_plans.flatMap((plan) => ratesOf(plan, random)),
  );
  const inventory = room_types.flatMap(({ id, default_inventory }) => [
    { room_type_id: id, ...range(0, NIGHTS), capacity: default_inventory },
    ...Array.from({ length: SOLD_OUT_RUNS }, () => {
      const first = random.int(0, NIGHTS - SOLD_OUT_RUN);
      return { room_type_id: id, ...range(first, SOLD_OUT_RUN), capacity: 0 };
    }),
  ]);
  return { inventory, rates, restrictions: restrictionsOf(room_types, random) };
}

function ratesOf({ id, base_rate_per_night }: RatePlan, random: Random) {
  return Array.from({ length: NIGHTS / SEASON }, (_, season) => {
    const level = base_rate_per_night * (0.75 + random.next() / 2);
    const cents = random.pick([0, 0, 0, 50, 90]);
    const nights = { rate_plan_id: id, ...range(season * SEASON, SEASON) };
    return [
      { ...nights, days_of_week: WEEKDAYS, amount: asWritten(level, cents) },
      { ...nights, days_of_week: WEEKEND, amount: asWritten(level * 1.2, cents) },
    ];
  }).flat();
}

/** A minimum stay on summer weekends, days without arrivals, and a week that is closed. */
function restrictionsOf(rooms: readonly RoomType[], random: Random): RestrictionRange[] {
  const room = random.pick(rooms);
  const plan = random.pick(room.rate_plans).id;
  const found: RestrictionRange[] = [
    {
      ...{ room_type_id: room.id, ...range(random.int(0, 300), 60) },
      ...{ days_of_week: WEEKEND, min_los_arrival: 2 },
    },
    { room_type_id: room.id, rate_plan_id: plan, ...range(random.int(0, 390), 5), cta: true },
  ];
  if (!random.chance(0.2)) return found;
  const closed = { room_type_id: rooms[0]!.id, ...range(random.int(0, 390), 7), stop_sell: true };
  return [...found, closed];
}
