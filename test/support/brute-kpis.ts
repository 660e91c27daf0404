/**
 * Key figures worked out the simple way: every row of the journal from the first on, every night of
 * a window on its own. It shares nothing with what it checks but the calendar and the rows.
 */
import { dateOf, dayOf, todayIn, weekdayOf } from "../../engine/core/calendar.ts";
import type { Event, Row } from "../../engine/core/events/event.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { versionAfter } from "../../engine/core/structural-sharing.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";

export type Figures = Record<string, number>;

interface Hotel {
  live: boolean;
  trees: PropertyTree[];
  readonly capacity: Map<string, number>;
  readonly out: Map<string, number>;
  readonly nights: Map<number, { available: number; out_of_order: number }>;
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** Folds rows one after the other; `figures` may be asked for after each. */
export class BruteKpis {
  readonly #hotels = new Map<string, Hotel>();
  readonly #quotes = new Map<string, FrozenQuote>();
  readonly #holdOfPayment = new Map<string, string>();
  readonly #bookings = new Map<string, { quote: FrozenQuote; at: number }>();
  readonly #sums: { property: string; day: number; name: string; amount: number }[] = [];
  readonly #firstDay: number;
  readonly #lastDay: number;

  /** Nights are known within a window that must hold all that is asked for. */
  constructor(firstDay: number, lastDay: number) {
    this.#firstDay = firstDay;
    this.#lastDay = lastDay;
  }

  take(row: Row): void {
    for (const event of row.events) this.#take(event, row);
  }

  /** Everything of a property so far, by day; measures with their currency, and agent if any. */
  figures(property: string): Map<number, Figures> {
    const byDay = new Map<number, Figures>();
    const add = (day: number, name: string, amount: number) => {
      const figures = byDay.get(day) ?? {};
      figures[name] = (figures[name] ?? 0) + amount;
      if (figures[name] === 0) delete figures[name];
      byDay.set(day, figures);
    };
    for (const [day, { available, out_of_order }] of this.#hotels.get(property)?.nights ?? []) {
      add(day, "available", available);
      add(day, "out_of_order", out_of_order);
    }
    for (const sum of this.#sums) if (sum.property === property) add(sum.day, sum.name, sum.amount);
    return new Map([...byDay].filter(([, figures]) => Object.keys(figures).length > 0));
  }

  #count(quote: FrozenQuote, day: number, key: string, amounts: Figures): void {
    for (const [name, amount] of Object.entries(amounts)) {
      this.#sums.push({ property: quote.property_id, day, name: `${name} ${key}`, amount });
    }
  }

  #zone(quote: FrozenQuote): string {
    return this.#hotels.get(quote.property_id)!.trees[quote.supply_version - 1]!.timezone;
  }

  #stay(quote: FrozenQuote, at: number, sign: number, amounts: Figures): void {
    const arrival = dayOf(quote.stay.check_in);
    const lead_days = sign * Math.max(0, arrival - todayIn(this.#zone(quote), at));
    const stay = { stays: sign, stay_nights: sign * quote.nightly.length, lead_days };
    this.#count(quote, arrival, quote.currency, { ...amounts, ...stay });
    this.#nights(quote, 0, sign);
  }

  /** Test rates include no taxes: a night is worth its amount. */
  #nights(quote: FrozenQuote, from: number, sign: number): number {
    const arrival = dayOf(quote.stay.check_in);
    let sum = 0;
    for (let nth = from; nth < quote.nightly.length; nth += 1) {
      const amount = quote.nightly[nth]!;
      sum += amount;
      const night = { rooms_sold: sign, room_revenue: sign * amount };
      this.#count(quote, arrival + nth, quote.currency, night);
    }
    return sum;
  }

  #happened(quote: FrozenQuote, row: Row, amounts: Figures): void {
    const day = todayIn(this.#zone(quote), row.stamp);
    this.#count(quote, day, `${quote.agent_id} ${quote.currency}`, amounts);
  }

  #take(event: Event, row: Row): void {
    const { data } = event;
    const hold = "hold_id" in data ? this.#quotes.get(data.hold_id as string) : undefined;
    switch (event.type) {
      case "hold.created":
        this.#quotes.set(event.data.hold_id, event.data.quote);
        return this.#happened(event.data.quote, row, { holds: 1 });
      case "hold.expired":
        return this.#happened(hold!, row, { holds_expired: 1 });
      case "hold.released":
        return this.#happened(hold!, row, { holds_released: 1 });
      case "payment.pending":
        this.#holdOfPayment.set(event.data.payment_id, event.data.hold_id);
        return;
      case "payment.captured":
        return this.#happened(hold!, row, { payments_captured: 1 });
      case "payment.failed":
        if (event.data.hold_state === "expired") this.#happened(hold!, row, { holds_expired: 1 });
        return this.#happened(hold!, row, { payments_failed: 1 });
      case "refund.succeeded":
      case "refund.settled_elsewhere": {
        const quote = this.#quotes.get(this.#holdOfPayment.get(event.data.payment_id)!)!;
        return this.#happened(quote, row, { refunds: 1, refunded: event.data.amount });
      }
      case "refund.failed": {
        const { payment_id, after_success, amount = 0 } = event.data;
        if (!after_success) return;
        const quote = this.#quotes.get(this.#holdOfPayment.get(payment_id)!)!;
        return this.#happened(quote, row, { refunds: -1, refunded: -amount });
      }
      case "booking.confirmed":
        this.#bookings.set(event.data.booking_id, { quote: hold!, at: row.stamp });
        this.#happened(hold!, row, { bookings_made: 1 });
        return this.#stay(hold!, row.stamp, 1, { bookings: 1 });
      case "booking.modified": {
        if (!event.secret?.quote) return;
        const { booking_id } = event.data;
        const { quote, at } = this.#bookings.get(booking_id)!;
        this.#bookings.set(booking_id, { quote: event.secret.quote, at });
        this.#stay(quote, at, -1, { bookings: -1 });
        return this.#stay(event.secret.quote, at, 1, { bookings: 1 });
      }
      case "booking.cancelled": {
        const { quote, at } = this.#bookings.get(event.data.booking_id)!;
        this.#happened(quote, row, { bookings_cancelled: 1 });
        return this.#stay(quote, at, -1, { cancelled: 1, cancellation_fees: event.data.fee });
      }
      case "booking.no_show": {
        const { quote, at } = this.#bookings.get(event.data.booking_id)!;
        return this.#stay(quote, at, -1, { no_shows: 1, no_show_fees: event.data.fee });
      }
      case "booking.completed": {
        if (event.data.free_from === null) return;
        const { quote } = this.#bookings.get(event.data.booking_id)!;
        const arrival = dayOf(quote.stay.check_in);
        const slept = dayOf(event.data.free_from) - arrival;
        const freed = this.#nights(quote, slept, -1);
        const early_departure_revenue = quote.due_now > 0 ? freed : 0;
        const stay_nights = slept - quote.nightly.length;
        const left = { stay_nights, early_departure_revenue };
        return this.#count(quote, arrival, quote.currency, left);
      }
      default:
        this.#supply(event, row);
    }
  }

  #supply(event: Event, row: Row): void {
    if (event.type === "property.created") {
      const maps = { capacity: new Map(), out: new Map(), nights: new Map() };
      this.#hotels.set(event.data.property_id, { live: false, trees: [event.data.tree], ...maps });
      return;
    }
    if (!event.type.startsWith("property.") && event.type !== "ari.changed") return;
    const hotel = this.#hotels.get((event.data as { property_id: string }).property_id)!;
    if (event.type === "property.replaced") {
      const { tree, difference } = event.data;
      hotel.trees.push(tree ?? versionAfter(hotel.trees.at(-1)!, difference!));
    }
    if ("state" in event.data) hotel.live = event.data.state === "live";
    const today = todayIn(hotel.trees.at(-1)!.timezone, row.stamp);
    for (let day = Math.max(today, this.#firstDay); day <= this.#lastDay; day += 1) {
      if (event.type === "ari.changed") setNight(hotel, event.data.ari.inventory ?? [], day);
      hotel.nights.set(day, nightOf(hotel, day));
    }
  }
}

type Inventory = NonNullable<Extract<Event, { type: "ari.changed" }>["data"]["ari"]["inventory"]>;

function setNight({ capacity, out }: Hotel, inventory: Inventory, day: number): void {
  for (const range of inventory) {
    const date = dateOf(day);
    if (date < range.from || date > range.to) continue;
    if (range.days_of_week && !range.days_of_week.includes(DAYS[weekdayOf(day)]!)) continue;
    const name = `${range.room_type_id} ${day}`;
    if (range.capacity === null) capacity.delete(name);
    else if (range.capacity !== undefined) capacity.set(name, range.capacity);
    if (range.out_of_order !== undefined) out.set(name, range.out_of_order ?? 0);
  }
}

function nightOf({ live, trees, capacity, out }: Hotel, day: number) {
  const night = { available: 0, out_of_order: 0 };
  if (!live) return night;
  for (const { id, default_inventory } of trees.at(-1)!.room_types) {
    const units = capacity.get(`${id} ${day}`) ?? default_inventory;
    const broken = Math.min(units, out.get(`${id} ${day}`) ?? 0);
    night.available += units - broken;
    night.out_of_order += broken;
  }
  return night;
}
