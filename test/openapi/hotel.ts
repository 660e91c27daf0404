/** A small hotel that reads well in a document. */
import { dateIn } from "../support/client.ts";

const TAX_RULES = [
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
  },
];

/** Body of `POST /v1/admin/properties`: two room types with one plan each, taxes and a policy. */
export function exampleHotel() {
  const plan = (code: string, name: string, amount: number) => ({
    id: crypto.randomUUID(),
    code,
    name,
    currency: "EUR",
    base_rate_per_night: amount,
    meal_plan: "breakfast",
    cancellation_kind: "free_until_cutoff",
    adjustments: [{ code: "LOS3", label: "3+ nights", min_nights: 3, bps: -500 }],
    discounts: [{ code: "EARLY", label: "60 days ahead", bps: -1_000, min_advance_days: 60 }],
  });
  const room = (code: string, name: string, units: number, amount: number) => ({
    id: crypto.randomUUID(),
    code,
    name,
    description: "Quiet, to the courtyard.",
    max_occupancy: 3,
    bed_type: "queen",
    floor_size_sqm: 24,
    amenities: ["wifi", "air_conditioning"],
    images: ["https://images.example.com/alameda/room.jpg"],
    default_inventory: units,
    rate_plans: [plan("FLEX", "Flexible with breakfast", amount)],
  });
  return {
    id: crypto.randomUUID(),
    slug: `hotel-alameda-${crypto.randomUUID().slice(0, 8)}`,
    name: "Hotel Alameda",
    description: "Twelve rooms around an orange court.",
    star_rating: 4,
    address: { line1: "Calle Feria 12", city: "Sevilla", country: "ES", postal_code: "41003" },
    geo: { lat: 37.3964, lng: -5.9916 },
    default_currency: "EUR",
    timezone: "Europe/Madrid",
    amenities: ["wifi", "bar"],
    images: ["https://images.example.com/alameda/court.jpg"],
    phone: "+34955010203",
    email: "desk@alameda.example.com",
    checkin_time: "15:00",
    checkout_time: "12:00",
    policies: [
      {
        version: "2026-01",
        cancellation_kind: "free_until_cutoff",
        free_cancellation_hours_before_checkin: 48,
        cancellation_fee_pct_after_cutoff: 50,
      },
    ],
    tax_rules: TAX_RULES,
    room_types: [
      room("DBL", "Double room", 6, 12_000),
      room("SUI", "Suite with terrace", 1, 21_000),
    ],
  };
}

export type ExampleHotel = ReturnType<typeof exampleHotel>;

/** A quote request for two adults and two nights, `inDays` days from today. */
export function stayAt(hotel: ExampleHotel, room = 0, inDays = 30) {
  const { id: room_type_id, rate_plans } = hotel.room_types[room]!;
  return {
    hotel_id: hotel.id,
    room_type_id,
    rate_plan_id: rate_plans[0]!.id,
    stay: { check_in: dateIn(inDays), check_out: dateIn(inDays + 2) },
    guests: { adults: 2, children: [] },
  };
}
