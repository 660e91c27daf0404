/** The hotel of the pictures, and who stays there. */
import { exampleHotel } from "../openapi/hotel.ts";

/** Names of guests; nobody is meant. */
export const GUESTS = [
  ...["Ada Lovelace", "Grace Hopper", "Alan Turing", "Mary Jackson", "Edsger Dijkstra"],
  ...["Barbara Liskov", "Radia Perlman", "Donald Knuth", "Hedy Lamarr", "Katherine Johnson"],
  ...["Karen Jones", "Niklaus Wirth", "Frances Allen", "Tony Hoare", "Adele Goldberg"],
  ...["John Backus", "Lynn Conway", "Ken Iverson", "Evelyn Boyd", "Leslie Lamport"],
];

/** Amounts of weekdays and of the nights before Saturday and Sunday, minor units. */
const RATES = [
  [10_600, 12_800],
  [13_400, 15_900],
  [21_000, 24_500],
] as const;
/** What a plan without a refund costs of the other one. */
const FIXED_SHARE = 0.9;
const WEEKDAYS = ["mon", "tue", "wed", "thu", "sun"];
const WEEKEND = ["fri", "sat"];

/** Body of the property: three room types with two plans each. */
export function picturedHotel() {
  const example = exampleHotel();
  const [double, suite] = example.room_types;
  const rooms = [
    { ...double!, default_inventory: 8 },
    { ...double!, id: crypto.randomUUID(), code: "SUP", name: "Superior with balcony" },
    { ...suite!, default_inventory: 2 },
  ];
  const room_types = rooms.map((room) => {
    const [flexible] = room.rate_plans;
    const { discounts: _none, ...flex } = { ...flexible!, id: crypto.randomUUID() };
    const fixed = {
      ...{ ...flex, id: crypto.randomUUID(), code: "FIX", name: "Non-refundable" },
      cancellation_kind: "non_refundable",
    };
    return { ...room, images: [], rate_plans: [flex, fixed] };
  });
  const [free] = example.policies;
  const none = { ...free!, cancellation_kind: "non_refundable" };
  const fixed = {
    ...{ ...none, free_cancellation_hours_before_checkin: 0 },
    cancellation_fee_pct_after_cutoff: 100,
  };
  return { ...example, slug: "hotel-alameda", images: [], policies: [free!, fixed], room_types };
}

export type PicturedHotel = ReturnType<typeof picturedHotel>;

/** Prices from one day to another: nights before Saturday and Sunday cost more. */
export function ratesOf({ room_types }: PicturedHotel, from: string, to: string) {
  return room_types.flatMap(({ rate_plans }, nth) =>
    rate_plans.flatMap(({ id: rate_plan_id, code }) =>
      [WEEKDAYS, WEEKEND].map((days_of_week, isWeekend) => {
        const amount = RATES[nth]![isWeekend]!;
        const share = code === "FIX" ? FIXED_SHARE : 1;
        return { rate_plan_id, from, to, days_of_week, amount: Math.round(amount * share) };
      }),
    ),
  );
}
