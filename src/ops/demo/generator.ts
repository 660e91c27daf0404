/**
 * Demo hotels from one seed. A hotel depends only on seed, salt and position, and its body never on
 * the calendar, so seeding on another day finds the same properties.
 */
import type { AriUpdate, PropertyTree } from "../../../engine/core/supply.ts";
import { ceilingRanges, type DateWindow, generateAri } from "./ari.ts";
import { CITIES, type City, type District } from "./catalogue.ts";
import { describeHotel, namePlace } from "./names.ts";
import { demoUuid, Random } from "./random.ts";
import { buildRoomTypes, imageUrls, scalePrice } from "./rooms.ts";
import hotels from "./tables/hotels.json" with { type: "json" };
import { buildChildBands, buildPolicies, taxRules } from "./terms.ts";

/** The admin body with every optional field and all ids. */
export type PropertyBody = PropertyTree;

export interface GeneratedProperty {
  readonly property: PropertyBody;
  readonly ari: AriUpdate;
}

export interface GeneratorOptions extends DateWindow {
  readonly count: number;
  readonly seed: number;
  /** Separates the hotels of tenants with the same seed; no slash. */
  readonly tenantSalt?: string;
  /** Position of the first hotel in its city: decides names and slugs. Default 0. */
  readonly firstPosition?: number;
}

/** Percent of a three-star price for two to five stars. */
const STAR_PCT: Readonly<Record<number, number>> = hotels.starPct;

/** One hotel in this many has a ceiling in its ARI. */
const CEILING_EVERY = 40;

/**
 * `count` hotels, one city after another, with `nights` nights of ARI from `startDate`. Names and
 * slugs are unique within one call. Lazy: memory does not grow with `count`.
 */
export function* generateProperties(options: GeneratorOptions): Generator<GeneratedProperty> {
  for (let index = 0; index < options.count; index += 1) yield generateProperty(options, index);
}

function generateProperty(options: GeneratorOptions, index: number): GeneratedProperty {
  const { seed, tenantSalt = "", firstPosition = 0 } = options;
  const city = CITIES[index % CITIES.length]!;
  const id = demoUuid(seed, tenantSalt, index);
  const random = new Random(`${id} tree`);
  const position = firstPosition + Math.floor(index / CITIES.length);
  const property = buildProperty({ id, city, position, random });
  // A separate stream: draws for the ARI must not change the tree.
  const ariRandom = new Random(`${id} ari`);
  const ari = generateAri({ property, city }, options, ariRandom);
  if (index % CEILING_EVERY !== 5) return { property, ari };
  return { property, ari: { ...ari, ceilings: ceilingRanges(property, options, ariRandom) } };
}

interface Draft {
  readonly id: string;
  readonly city: City;
  readonly position: number;
  readonly random: Random;
}

function buildProperty({ id, city, position, random }: Draft): PropertyBody {
  const { name, slug, district } = namePlace(city, position);
  const stars = random.pick(hotels.stars);
  const baseAmountMinor = scalePrice(city.baseAmountMinor, STAR_PCT[stars]!, random.int(88, 116));
  const hotel = { propertyId: id, slug, currency: city.currency, baseAmountMinor };
  const room_types = buildRoomTypes(hotel, random);
  return {
    id,
    slug,
    name,
    description: describeHotel(city, district, stars),
    star_rating: stars,
    ...locate(city, district, position, random),
    default_currency: city.currency,
    timezone: city.timezone,
    amenities: ["wifi", ...random.sample(hotels.amenities, stars + random.int(1, 3))],
    images: imageUrls(slug, "hotel", 3),
    phone: `${city.phonePrefix}${random.int(100, 199)}`,
    email: `reservations@${slug}.example`,
    pets_allowed: random.chance(0.4),
    number_of_rooms: room_types.reduce((sum, roomType) => sum + roomType.default_inventory, 0),
    checkin_time: random.pick(hotels.checkinTimes),
    checkout_time: random.pick(hotels.checkoutTimes),
    policies: buildPolicies(random),
    tax_rules: taxRules(city, stars, random),
    child_bands: buildChildBands(city.currency, random),
    room_types,
  };
}

/** Three house numbers per position, so addresses in a city are unique. */
function locate(
  city: City,
  [line2, postal_code, lat, lng, street]: District,
  position: number,
  random: Random,
): Pick<PropertyBody, "address" | "geo"> {
  const number = position * 3 + random.int(1, 3);
  return {
    address: {
      line1: street.replace("{}", String(number)),
      // Search finds the district's name here.
      line2,
      city: city.name,
      region: city.region,
      country: city.country,
      postal_code,
    },
    geo: { lat: jitter(lat, random), lng: jitter(lng, random) },
  };
}

/** Within about 300 m, six decimals. */
function jitter(degrees: number, random: Random): number {
  return Math.round((degrees + (random.next() - 0.5) * 0.006) * 1e6) / 1e6;
}
