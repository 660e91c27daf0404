/** Goal: sales are counted by mode and currency, in whole units. Method: rows by hand. */
import { expect, test } from "bun:test";
import type { Row } from "../../../engine/core/events/event.ts";
import { exposition } from "../../lib/metrics.ts";
import { SalesCounter } from "./sales-counter.ts";

test("bookings, their amounts, cancellations and fees are counted by currency", () => {
  let see: (row: Row) => void = () => {};
  const counter = new SalesCounter({
    watchRows(listener) {
      see = listener;
      return () => {};
    },
  });
  const row = (mode: string, type: string, data: object) =>
    see({ mode, events: [{ type, seq: 1, data }] } as unknown as Row);
  row("live", "booking.confirmed", { total: 12_050, currency: "EUR" });
  row("live", "booking.confirmed", { total: 7_950, currency: "EUR" });
  row("test", "booking.confirmed", { total: 9_000, currency: "JPY" });
  row("live", "booking.cancelled", { fee: 500, currency: "EUR" });
  row("live", "hold.created", {});
  const text = exposition([{ role: "worker", pid: 1, families: counter.families() }]);
  for (const line of [
    'innkeep_bookings_total{mode="live",currency="EUR",role="worker",pid="1"} 2',
    'innkeep_booking_amount_total{mode="live",currency="EUR",role="worker",pid="1"} 200',
    'innkeep_booking_amount_total{mode="test",currency="JPY",role="worker",pid="1"} 9000',
    'innkeep_cancellations_total{mode="live",currency="EUR",role="worker",pid="1"} 1',
    'innkeep_cancellation_fees_total{mode="live",currency="EUR",role="worker",pid="1"} 5',
  ]) {
    expect(text).toContain(line);
  }
});
