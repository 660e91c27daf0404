/** Key figures as they are answered. What each means and counts stands in `key-figures.md`. */
import { Type } from "@sinclair/typebox";
import {
  CivilDate,
  Currency,
  Id,
  Instant,
  Minor,
  named,
  orNull,
  words,
} from "../../http/schema/answer-parts.ts";
import { GRANULARITIES } from "./asked.ts";

const counted = (description: string) => Type.Integer({ minimum: 0, description });
const Share = (description: string) =>
  orNull(Type.Number({ description: `${description} Null where there is none.` }));

const Moment = named("KpiMoment", "Up to which event the journal counts, and the instant.", {
  seq: Type.Integer({ minimum: 0, description: "Number of the last event that counts." }),
  at: Instant,
});

const MONEY = {
  rooms_sold: counted("Rooms sold in this currency."),
  room_revenue: Type.Integer({ description: "Minor units, without taxes and fees." }),
  adr: orNull(Type.Integer({ description: "Room revenue per room sold, minor units." })),
  revpar: orNull(
    Type.Integer({
      description:
        "Room revenue per room available, minor units; null where nothing is available, or rooms " +
        "were sold in several currencies.",
    }),
  ),
  cancellation_fees: Minor,
  no_show_fees: Minor,
  early_departure_revenue: Minor,
  refunds: counted("Refunds that were paid in the period."),
  refunded: Minor,
};

const CurrencyFigures = named("KpiCurrency", "What is in one currency.", {
  currency: Currency,
  ...MONEY,
});

const DAYS = { from: CivilDate, to: CivilDate };
const ROOMS = {
  rooms_available: Type.Integer({ minimum: 0, description: "On sale, without out of order." }),
  rooms_out_of_order: counted("Not on sale because they are out of order."),
  rooms_sold: counted("Nights of rooms that are booked, without no-shows."),
  occupancy: Share("Rooms sold ÷ rooms available."),
};
const COUNTS = {
  arrivals: Type.Integer({ description: "Bookings that arrive in the period, kept or not." }),
  cancelled: counted("Of the arrivals, those that were cancelled."),
  no_shows: counted("Of the arrivals, those that never came."),
  cancellation_rate: Share("Cancelled ÷ arrivals."),
  no_show_rate: Share("No-shows ÷ arrivals that were not cancelled."),
  alos: Share("Average length of the stays that arrive, in nights."),
  lead_time_days: Share("Average days from booking to arrival."),
  holds: counted("Holds that were made in the period."),
  holds_expired: counted("Holds that expired in the period."),
  holds_released: counted("Holds that were released in the period."),
  hold_expiry_rate: Share("Holds expired ÷ holds ended."),
  bookings_made: counted("Bookings that were made in the period."),
  bookings_cancelled: counted("Bookings that were cancelled in the period."),
  payments_failed: counted("Payments that failed in the period."),
  payment_failure_rate: Share("Payments failed ÷ payments with a verdict."),
};

const Pickup = named("KpiPickup", "What has come or gone since `pickup_since`.", {
  rooms_sold: Type.Integer({ description: "More rooms sold, fewer where it is negative." }),
  by_currency: Type.Array(
    Type.Object({
      currency: Currency,
      rooms_sold: Type.Integer({ description: "More rooms sold in this currency." }),
      room_revenue: Type.Integer({ description: "More room revenue, minor units." }),
    }),
    { description: "The same with its revenue, by currency." },
  ),
});

const Figures = named("KpiFigures", "The figures of a period.", {
  ...DAYS,
  ...ROOMS,
  by_currency: Type.Array(CurrencyFigures),
  ...COUNTS,
  pickup: orNull(Pickup),
});

const Traffic = named("KpiTraffic", "Of the whole tenant, by days of UTC; not as of a moment.", {
  source: Type.Literal("counters", { description: "Every process counts, by the minute." }),
  routes: Type.Array(
    named("KpiRoute", "What was asked of a route.", {
      route: Type.String({ description: "Its `operationId`." }),
      answered: counted("Requests that succeeded."),
      refused: counted("Requests that were refused (4xx)."),
      failed: counted("Requests that failed (5xx)."),
      p50_ms: orNull(counted("Half of them took at most so long; null: over 5 s.")),
      p99_ms: orNull(counted("99 % took at most so long; null: over 5 s.")),
    }),
    { description: "Those that were asked." },
  ),
  webhook_success_rate: Share("Deliveries that succeeded ÷ deliveries that ended."),
  dead_letters: counted("Dead letters that nobody has handled, now."),
});

export const Kpis = named("Kpis", "Key figures of properties.", {
  ...DAYS,
  granularity: words(GRANULARITIES, "The length of each period."),
  property_ids: Type.Array(Id),
  as_of: Moment,
  pickup_since: orNull(Moment),
  items: Type.Array(Figures),
  total: Figures,
  oversell_open: orNull(
    Type.Integer({
      minimum: 0,
      description: "Rooms sold beyond what there is, from today on; null for the past.",
    }),
  ),
  agents: Type.Array(
    named("KpiAgent", "What an agent has done in the period.", {
      agent_id: Type.String(),
      searches: orNull(counted("Searches that it was answered; null as `traffic` is.")),
      quotes: orNull(counted("Quotes that it was given; null as `traffic` is.")),
      holds: counted("Holds that it made."),
      bookings: counted("Bookings that it made."),
    }),
  ),
  traffic: orNull(Traffic),
});

/** A line of the table: a period in one currency, or without any. */
export const KpiRow = Type.Object({
  ...DAYS,
  ...ROOMS,
  currency: orNull(Currency),
  ...MONEY,
  ...COUNTS,
  pickup_rooms_sold: orNull(Type.Integer()),
  pickup_room_revenue: orNull(Type.Integer()),
});
