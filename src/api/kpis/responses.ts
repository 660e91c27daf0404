/** Answers of key figures; `key-figures.md` defines each figure. */
import { Type } from "@sinclair/typebox";
import {
  CivilDate,
  Currency,
  Id,
  Minor,
  named,
  orNull,
  words,
} from "../../http/schema/answer-parts.ts";
import { MomentShown } from "../as-of.ts";
import { GRANULARITIES } from "./query.ts";

const counted = (description: string) => Type.Integer({ minimum: 0, description });
const Share = (description: string) =>
  orNull(Type.Number({ description: `${description} Null if there is none.` }));

const MONEY = {
  rooms_sold: counted("Rooms sold in this currency."),
  room_revenue: Type.Integer({ description: "Minor units, without taxes and fees." }),
  adr: orNull(Type.Integer({ description: "Room revenue per room sold, minor units." })),
  revpar: orNull(
    Type.Integer({
      description:
        "Room revenue per room available, minor units; null if nothing is available, or rooms " +
        "were sold in several currencies.",
    }),
  ),
  cancellation_fees: Minor,
  no_show_fees: Minor,
  early_departure_revenue: Minor,
  refunds: counted("Refunds paid in the period."),
  refunded: Minor,
};

const CurrencyFigures = named("KpiCurrency", "Figures in one currency.", {
  currency: Currency,
  ...MONEY,
});

const DAYS = { from: CivilDate, to: CivilDate };
const ROOMS = {
  rooms_available: Type.Integer({
    minimum: 0,
    description: "Rooms on sale, without out of order.",
  }),
  rooms_out_of_order: counted("Rooms out of order."),
  rooms_sold: counted("Booked room nights, without no-shows."),
  occupancy: Share("Rooms sold ÷ rooms available."),
};
const COUNTS = {
  arrivals: Type.Integer({ description: "Bookings with arrival in the period, in any state." }),
  cancelled: counted("Cancelled arrivals."),
  no_shows: counted("Arrivals that did not show up."),
  cancellation_rate: Share("Cancelled ÷ arrivals."),
  no_show_rate: Share("No-shows ÷ arrivals that were not cancelled."),
  alos: Share("Average length of stay of the arrivals, in nights."),
  lead_time_days: Share("Average days from booking to arrival."),
  holds: counted("Holds made in the period."),
  holds_expired: counted("Holds that expired in the period."),
  holds_released: counted("Holds that were released in the period."),
  hold_expiry_rate: Share("Holds expired ÷ holds ended."),
  bookings_made: counted("Bookings made in the period."),
  bookings_cancelled: counted("Bookings cancelled in the period."),
  payments_failed: counted("Payments that failed in the period."),
  payment_failure_rate: Share("Payments failed ÷ payments with a definitive outcome."),
};

const Pickup = named("KpiPickup", "Changes since `pickup_since`.", {
  rooms_sold: Type.Integer({ description: "Additional rooms sold; negative if fewer." }),
  by_currency: Type.Array(
    Type.Object({
      currency: Currency,
      rooms_sold: Type.Integer({ description: "Additional rooms sold in this currency." }),
      room_revenue: Type.Integer({ description: "Additional room revenue, minor units." }),
    }),
    { description: "Rooms and revenue by currency." },
  ),
});

const Figures = named("KpiFigures", "The figures of a period.", {
  ...DAYS,
  ...ROOMS,
  by_currency: Type.Array(CurrencyFigures),
  ...COUNTS,
  pickup: orNull(Pickup),
});

const Traffic = named("KpiTraffic", "Traffic of the whole tenant, by UTC days; ignores `as_of`.", {
  source: Type.Literal("counters", { description: "Counted by every process, per minute." }),
  routes: Type.Array(
    named("KpiRoute", "Requests to a route.", {
      route: Type.String({ description: "Its `operationId`." }),
      answered: counted("Requests that succeeded."),
      refused: counted("Requests that were refused (4xx)."),
      failed: counted("Requests that failed (5xx)."),
      p50_ms: orNull(counted("Median latency; null: over 5 s.")),
      p99_ms: orNull(counted("99th percentile of latency; null: over 5 s.")),
    }),
    { description: "Routes with requests." },
  ),
  webhook_success_rate: Share("Deliveries that succeeded ÷ deliveries that ended."),
  dead_letters: counted("Dead letters not replayed or discarded, now."),
});

export const Kpis = named("Kpis", "Key figures of properties.", {
  ...DAYS,
  granularity: words(GRANULARITIES, "The length of each period."),
  property_ids: Type.Array(Id),
  as_of: MomentShown,
  pickup_since: orNull(MomentShown),
  items: Type.Array(Figures),
  total: Figures,
  oversell_open: orNull(
    Type.Integer({
      minimum: 0,
      description: "Oversold rooms from today on; null for the past.",
    }),
  ),
  agents: Type.Array(
    named("KpiAgent", "An agent's activity in the period.", {
      agent_id: Type.String(),
      searches: orNull(counted("Answered searches; null when `traffic` is.")),
      quotes: orNull(counted("Quotes made; null when `traffic` is.")),
      holds: counted("Holds made."),
      bookings: counted("Bookings made."),
    }),
  ),
  traffic: orNull(Traffic),
});

/** A line of the table: a period in one currency, or without a currency. */
export const KpiRow = Type.Object({
  ...DAYS,
  ...ROOMS,
  currency: orNull(Currency),
  ...MONEY,
  ...COUNTS,
  pickup_rooms_sold: orNull(Type.Integer()),
  pickup_room_revenue: orNull(Type.Integer()),
});
