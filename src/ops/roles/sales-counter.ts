/** Sales metrics since the start: bookings, their amounts and cancellations. */
import type { Row } from "../../../engine/core/events/event.ts";
import { exponentOf } from "../../../engine/core/price/money.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import type { Family } from "../../lib/metrics.ts";

/** Counts over all tenants, by mode and currency. */
export class SalesCounter {
  readonly #bookings = new Map<string, number>();
  readonly #amounts = new Map<string, number>();
  readonly #cancellations = new Map<string, number>();
  readonly #fees = new Map<string, number>();

  constructor(replica: Pick<Replica, "watchRows">) {
    replica.watchRows((row) => this.#see(row));
  }

  /** Amounts are in major units (euros, not cents). */
  families(): Family[] {
    return [
      familyOf("innkeep_bookings_total", "Bookings made.", this.#bookings),
      familyOf("innkeep_booking_amount_total", "Total amounts of bookings made.", this.#amounts),
      familyOf("innkeep_cancellations_total", "Bookings cancelled.", this.#cancellations),
      familyOf("innkeep_cancellation_fees_total", "Cancellation fees charged.", this.#fees),
    ];
  }

  #see({ mode, events }: Row): void {
    for (const event of events) {
      if (event.type === "booking.confirmed") {
        const { currency, total } = event.data;
        const labels = labelsOf(mode, currency);
        add(this.#bookings, labels, 1);
        add(this.#amounts, labels, inUnits(total, currency));
      } else if (event.type === "booking.cancelled") {
        const { currency, fee } = event.data;
        const labels = labelsOf(mode, currency);
        add(this.#cancellations, labels, 1);
        add(this.#fees, labels, inUnits(fee, currency));
      }
    }
  }
}

function labelsOf(mode: string, currency: string): string {
  return `mode="${mode}",currency="${currency}"`;
}

function inUnits(minor: number, currency: string): number {
  return minor / 10 ** exponentOf(currency);
}

function add(counts: Map<string, number>, labels: string, more: number): void {
  counts.set(labels, (counts.get(labels) ?? 0) + more);
}

function familyOf(name: string, help: string, counts: ReadonlyMap<string, number>): Family {
  const samples = [...counts].map(([labels, value]) => ({ labels, value }));
  return { name, type: "counter", help, samples };
}
