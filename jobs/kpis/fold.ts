/**
 * Folds rows of the journal into sums: rooms and revenue by night, bookings by arrival, and events
 * by their day in the property's zone. A row always adds the same, so the sums in `kpi.db` plus the
 * rows folded on top equal the journal.
 */
import { dayOf, todayIn } from "../../engine/core/calendar.ts";
import { type Event, type Row, timeOf } from "../../engine/core/events/event.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { checkInDayOf, nightCountOf } from "../../engine/core/price/quote-codec.ts";
import type { Booked, KpiLookups } from "./lookups.ts";
import {
  type ActivityMeasure,
  type NightMeasure,
  type PropertyName,
  pageOf,
  Sums,
} from "./measures.ts";
import { nightlyRevenue } from "./revenue.ts";
import { isSupplyEvent, PropertySupply, type StoredSupply, type SupplyEvent } from "./supply.ts";

/** What is kept of a fee: refunds of the property before come out of it. */
function keptOf({ fee, refunded_before = 0 }: { fee: number; refunded_before?: number }): number {
  return Math.max(0, fee - refunded_before);
}

/** The supply of a property before the first folded row. */
export type StoredSupplyOf = (property: PropertyName) => StoredSupply | null;

export class KpiFold {
  readonly night = new Sums("night");
  readonly activity = new Sums("activity");
  readonly supply = new Sums("supply");
  readonly #look: KpiLookups;
  readonly #storedSupplyOf: StoredSupplyOf;
  readonly #supplies = new Map<string, { name: PropertyName; supply: PropertySupply }>();

  constructor(look: KpiLookups, storedSupplyOf: StoredSupplyOf) {
    this.#look = look;
    this.#storedSupplyOf = storedSupplyOf;
  }

  /** @throws RecordDamaged: the sums then have part of the row and must be discarded. */
  take(row: Row): void {
    for (const event of row.events) {
      if (isSupplyEvent(event)) this.#takeSupply(event, row);
      else this.#takeEvent(event, row);
    }
  }

  /** The supplies that changed since the last call. */
  takeSupplies(): { readonly name: PropertyName; readonly supply: PropertySupply }[] {
    const changed = [...this.#supplies.values()];
    this.#supplies.clear();
    return changed;
  }

  #takeSupply(event: SupplyEvent, row: Row): void {
    const { tenant_id, mode } = row;
    const { property_id } = event.data;
    const name = { tenant_id, mode, property_id };
    const known = this.#supplies.get(JSON.stringify(name));
    const supply = known?.supply ?? new PropertySupply(this.#storedSupplyOf(name));
    if (!known) this.#supplies.set(JSON.stringify(name), { name, supply });
    const steps = supply.apply(event, timeOf(row), () => this.#treeAfter(event, name));
    for (const { day, available, outOfOrder: out_of_order } of steps) {
      this.supply.add(name, { mark: row.row, day, keys: [] }, { available, out_of_order });
    }
  }

  #treeAfter({ type, data }: SupplyEvent, name: PropertyName) {
    if ("tree" in data && data.tree !== undefined) return data.tree;
    const supply_version = type === "property.replaced" ? data.supply_version : 1;
    return this.#look.tree({ ...name, supply_version });
  }

  #takeEvent(event: Event, row: Row): void {
    const look = this.#look;
    switch (event.type) {
      case "hold.created": {
        const { hold_id, quote } = event.data;
        look.keepHold(hold_id, quote);
        return this.#happened(quote, row, { holds: 1 });
      }
      case "hold.expired":
        return this.#happened(look.quoteOfHold(event.data.hold_id), row, { holds_expired: 1 });
      case "hold.released":
        return this.#happened(look.quoteOfHold(event.data.hold_id), row, { holds_released: 1 });
      case "payment.captured": {
        const { payment_id, hold_id } = event.data;
        look.keepPayment(payment_id, hold_id);
        return this.#happened(look.quoteOfHold(hold_id), row, { payments_captured: 1 });
      }
      case "payment.failed": {
        const holds_expired = event.data.hold_state === "expired" ? 1 : 0;
        const quote = look.quoteOfHold(event.data.hold_id);
        return this.#happened(quote, row, { payments_failed: 1, holds_expired });
      }
      case "refund.succeeded":
      case "refund.settled_elsewhere": {
        const refunded = event.data.amount;
        const quote = look.quoteOfPayment(event.data.payment_id);
        return this.#happened(quote, row, { refunds: 1, refunded });
      }
      case "refund.failed": {
        const { payment_id, after_success, amount = 0 } = event.data;
        if (!after_success) return;
        return this.#happened(look.quoteOfPayment(payment_id), row, {
          refunds: -1,
          refunded: -amount,
        });
      }
      case "booking.confirmed": {
        const { booking_id, hold_id } = event.data;
        const quote = look.quoteOfHold(hold_id);
        look.keepBooking(booking_id, { quote, created_at: timeOf(row) }, row.row);
        this.#happened(quote, row, { bookings_made: 1 });
        return this.#stay(quote, row, { bookedAt: timeOf(row), sign: 1 }, { bookings: 1 });
      }
      case "booking.modified": {
        const quote = event.secret?.quote;
        if (!quote) return;
        const { booking_id } = event.data;
        const { quote: former, created_at: bookedAt } = look.booking(booking_id, row.row - 1);
        look.keepBooking(booking_id, { quote, created_at: bookedAt }, row.row);
        this.#stay(former, row, { bookedAt, sign: -1 }, { bookings: -1 });
        return this.#stay(quote, row, { bookedAt, sign: 1 }, { bookings: 1 });
      }
      case "booking.cancelled": {
        const booking = look.booking(event.data.booking_id, row.row);
        this.#happened(booking.quote, row, { bookings_cancelled: 1 });
        const cancellation_fees = keptOf(event.data);
        return this.#undone(booking, row, { cancelled: 1, cancellation_fees });
      }
      case "booking.no_show": {
        const no_show_fees = keptOf(event.data);
        return this.#undone(look.booking(event.data.booking_id, row.row), row, {
          no_shows: 1,
          no_show_fees,
        });
      }
      case "booking.completed":
        return this.#left(look.booking(event.data.booking_id, row.row), row, event.data.free_from);
    }
  }

  /** Adds amounts to the day of the event in the property's zone. */
  #happened(quote: FrozenQuote, row: Row, amounts: Partial<Record<ActivityMeasure, number>>): void {
    const day = todayIn(this.#look.zone(quote), timeOf(row));
    const keys = [quote.agent_id, quote.currency];
    this.activity.add(quote, { mark: pageOf(row.row), day, keys }, amounts);
  }

  /** Removes all nights of a cancelled stay or no-show, past ones too. */
  #undone(
    { quote, created_at: bookedAt }: Booked,
    row: Row,
    amounts: Partial<Record<NightMeasure, number>>,
  ): void {
    this.#stay(quote, row, { bookedAt, sign: -1 }, amounts);
  }

  /** Adds all nights, and the stay on its day of arrival. */
  #stay(
    quote: FrozenQuote,
    row: Row,
    { bookedAt, sign }: { readonly bookedAt: number; readonly sign: 1 | -1 },
    amounts: Partial<Record<NightMeasure, number>>,
  ): void {
    const arrival = checkInDayOf(quote);
    this.#nights(quote, row, sign, 0);
    const lead_days = sign * Math.max(0, arrival - todayIn(this.#look.zone(quote), bookedAt));
    const stay = { stays: sign, stay_nights: sign * nightCountOf(quote), lead_days };
    this.#arrival(quote, row, { ...amounts, ...stay });
  }

  /** Adds rooms and revenue of the nights from index `from` on; returns their revenue. */
  #nights(quote: FrozenQuote, row: Row, sign: 1 | -1, from: number): number {
    const arrival = checkInDayOf(quote);
    let sum = 0;
    nightlyRevenue(this.#look.tree(quote), quote).forEach((amount, nth) => {
      if (nth < from) return;
      sum += amount;
      const at = { mark: pageOf(row.row), day: arrival + nth, keys: [quote.currency] };
      this.night.add(quote, at, { rooms_sold: sign, room_revenue: sign * amount });
    });
    return sum;
  }

  #arrival(quote: FrozenQuote, row: Row, amounts: Partial<Record<NightMeasure, number>>): void {
    const day = checkInDayOf(quote);
    this.night.add(quote, { mark: pageOf(row.row), day, keys: [quote.currency] }, amounts);
  }

  /** Frees the nights after an early departure; their revenue stays, unless nothing was prepaid. */
  #left({ quote }: Booked, row: Row, freeFrom: string | null): void {
    if (freeFrom === null) return;
    const slept = dayOf(freeFrom) - checkInDayOf(quote);
    const freed = this.#nights(quote, row, -1, slept);
    const early_departure_revenue = quote.due_now > 0 ? freed : 0;
    const stay_nights = slept - nightCountOf(quote);
    this.#arrival(quote, row, { stay_nights, early_departure_revenue });
  }
}
