/** The hotels of a recording. All ids are chosen here, so that they are the same in every run. */
import { OWN } from "./normalise.ts";

/** A UUID of this recording. */
export function uuid(n: number): string {
  return `${OWN}0000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

type Json = Readonly<Record<string, unknown>>;

const FREE = {
  version: "2026-01",
  cancellation_kind: "free_until_cutoff",
  free_cancellation_hours_before_checkin: 48,
  cancellation_fee_pct_after_cutoff: 50,
  child_policy_text: "Children are welcome.",
};
const FIXED = {
  version: "2026-01",
  cancellation_kind: "non_refundable",
  free_cancellation_hours_before_checkin: 0,
  cancellation_fee_pct_after_cutoff: 100,
};
const FEE = {
  version: "2026-02",
  cancellation_kind: "fee_from_booking",
  free_cancellation_hours_before_checkin: 24,
  cancellation_fee_pct_after_cutoff: 30,
  no_show_fee_pct: 80,
};

function plan(id: number, code: string, terms: Json) {
  const name = `Plan ${code}`;
  return { id: uuid(id), code, name, meal_plan: "breakfast", ...terms };
}

function room<T extends Json>(id: number, code: string, terms: T) {
  return {
    id: uuid(id),
    code,
    name: `Room ${code}`,
    max_occupancy: 4,
    amenities: ["wifi"],
    images: ["https://images.example.com/room.jpg"],
    ...terms,
  };
}

const TAXES = [
  {
    code: "VAT",
    name: "VAT 10%",
    kind: "tax",
    basis: "percent",
    rate_bps: 1000,
    included_in_rate: true,
    collect: "prepaid",
  },
  {
    code: "CITY",
    name: "City tax",
    kind: "tax",
    basis: "per_person_per_night",
    amount: 150,
    included_in_rate: false,
    collect: "at_property",
    min_age: 16,
  },
  {
    code: "CLEAN",
    name: "Cleaning",
    kind: "fee",
    basis: "per_stay",
    amount: 2_500,
    included_in_rate: false,
    collect: "prepaid",
  },
];
const BANDS = [
  { min_age: 0, max_age: 2, pricing: "free", counts_toward_occupancy: false },
  { min_age: 3, max_age: 11, pricing: "percent_bps", value: 5000, counts_toward_occupancy: true },
  {
    min_age: 12,
    max_age: 17,
    pricing: "fixed_per_night",
    value: 900,
    counts_toward_occupancy: true,
  },
];

/** Two rooms in Sevilla: one with many units, one with a single one; taxes, bands, discounts. */
export const SEVILLA = {
  id: uuid(0x100),
  slug: "hotel-alameda",
  name: "Hotel Alameda",
  description: "Twelve rooms around an orange court.",
  star_rating: 4,
  address: { line1: "Calle Feria 12", city: "Sevilla", country: "ES", postal_code: "41003" },
  geo: { lat: 37.3964, lng: -5.9916 },
  default_currency: "EUR",
  timezone: "Europe/Madrid",
  amenities: ["wifi", "bar"],
  images: ["https://images.example.com/court.jpg"],
  phone: "+34955010203",
  email: "desk@alameda.example.com",
  checkin_time: "15:00",
  checkout_time: "12:00",
  policies: [FREE, FIXED],
  tax_rules: TAXES,
  child_bands: BANDS,
  room_types: [
    room(0x110, "DBL", {
      default_inventory: 60,
      description: "Quiet, to the courtyard.",
      rate_plans: [
        plan(0x111, "FLEX", {
          currency: "EUR",
          base_rate_per_night: 12_000,
          cancellation_kind: "free_until_cutoff",
          extra_adult_per_night: 2_000,
          adjustments: [{ code: "LOS3", label: "3+ nights", min_nights: 3, bps: -500 }],
        }),
        plan(0x112, "FIX", {
          currency: "EUR",
          base_rate_per_night: 9_900,
          meal_plan: "room_only",
          cancellation_kind: "non_refundable",
        }),
      ],
    }),
    room(0x120, "SUI", {
      default_inventory: 1,
      rate_plans: [
        plan(0x121, "FLEX", {
          currency: "EUR",
          base_rate_per_night: 21_000,
          cancellation_kind: "free_until_cutoff",
        }),
      ],
    }),
  ],
};

/** Another country, zone and currency. */
export const LISBOA = {
  id: uuid(0x200),
  slug: "casa-lisboa",
  name: "Casa Lisboa",
  address: { line1: "Rua Augusta 1", city: "Lisboa", region: "Lisboa", country: "PT" },
  geo: { lat: 38.71, lng: -9.13 },
  default_currency: "GBP",
  timezone: "Europe/Lisbon",
  checkin_time: "16:00",
  policies: [FEE, FIXED],
  room_types: [
    room(0x210, "STD", {
      default_inventory: 30,
      overbooking_limit: 1,
      max_occupancy: 3,
      rate_plans: [
        plan(0x211, "FEE", {
          currency: "GBP",
          base_rate_per_night: 8_050,
          cancellation_kind: "fee_from_booking",
        }),
        plan(0x212, "FIX", {
          currency: "GBP",
          base_rate_per_night: 7_000,
          cancellation_kind: "non_refundable",
        }),
      ],
    }),
  ],
};

/** A currency without minor units, and rooms that run out at once. */
export const TOKYO = {
  id: uuid(0x300),
  slug: "tokyo-two",
  name: "Tokyo Two",
  address: { line1: "1-1 Ginza", city: "Tokyo", country: "JP" },
  geo: { lat: 35.67, lng: 139.76 },
  default_currency: "JPY",
  timezone: "Asia/Tokyo",
  checkin_time: "14:00",
  policies: [FREE],
  room_types: [
    room(0x310, "TWN", {
      default_inventory: 2,
      max_occupancy: 2,
      rate_plans: [
        plan(0x311, "FLEX", {
          currency: "JPY",
          base_rate_per_night: 15_000,
          meal_plan: "half_board",
          cancellation_kind: "free_until_cutoff",
        }),
      ],
    }),
  ],
};

/** Lacks what a property on sale needs. */
export const DRAFT = {
  ...{ id: uuid(0x400), slug: "still-a-draft", name: "Still A Draft" },
  address: { line1: "Nowhere 1", city: "Nowhere", country: "DE" },
  default_currency: "EUR",
  timezone: "Europe/Berlin",
};

/** A whole small hotel with ids from `first` on, for those who need one of their own. */
export function smallHotel(first: number, slug: string, units = 5) {
  return {
    ...LISBOA,
    ...{ id: uuid(first), slug, name: `Hotel ${slug}`, policies: [FREE] },
    ...{ default_currency: "EUR", timezone: "Europe/Berlin" },
    room_types: [
      room(first + 1, "STD", {
        default_inventory: units,
        rate_plans: [
          plan(first + 2, "FLEX", {
            currency: "EUR",
            base_rate_per_night: 10_000,
            cancellation_kind: "free_until_cutoff",
          }),
        ],
      }),
    ],
  };
}

/** What the random part draws from. */
export const OFFERS = [SEVILLA, LISBOA, TOKYO].flatMap((hotel) =>
  hotel.room_types.flatMap((type) =>
    type.rate_plans.map((rate) => ({
      hotel_id: hotel.id,
      room_type_id: type.id,
      rate_plan_id: rate.id,
    })),
  ),
);
