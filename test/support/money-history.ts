/** A history with everything that moves money, late and repeated verdicts and disputes too. */
import type { Command } from "../../engine/core/commands.ts";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { metaOf, OPERATOR } from "../power/commands.ts";
import type { Random } from "../power/random.ts";
import type { World } from "../power/world.ts";
import { kpiHistory } from "./kpi-history.ts";

const WORKER = { kind: "service", id: "payments" } as const;
const HOUR_MS = 3_600_000;

/** What operators, providers and banks do about money, beside what `History` does. */
class Treasury {
  readonly #world: World;
  readonly #random: Random;
  readonly #records: RecordReaderOn;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#records = new RecordReaderOn(world.journal.db);
  }

  next(): Command | null {
    const roll = this.#random.unit();
    if (roll < 0.3) return this.#refund();
    if (roll < 0.6) return this.#verdict();
    if (roll < 0.75) return this.#afterFailure();
    return this.#dispute();
  }

  /** A payment stays open until its hold is given up, and is captured after that. */
  captureTooLate(): void {
    const [payment] = this.#world.engine.state.payments.values();
    if (!payment) return;
    this.#world.time.pass(25 * HOUR_MS);
    this.#world.tick();
    const { payment_id } = payment;
    this.#world.ask({
      ...this.#internal(),
      type: "RecordPaymentResult",
      payment_id,
      result: "captured",
    });
  }

  #internal() {
    const { key: _key, body_hash: _hash, ...meta } = metaOf(this.#random, WORKER);
    return meta;
  }

  #some(table: "bookings" | "refunds" | "payments", where: string): string | null {
    const sql = `SELECT id FROM ${table} WHERE ${where} ORDER BY id`;
    const found = this.#world.journal.db.query<{ id: string }, []>(sql).all();
    return found.length === 0 ? null : this.#random.pick(found).id;
  }

  #refund(): Command | null {
    const booking_id = this.#some("bookings", "true");
    if (booking_id === null) return null;
    const amount = this.#random.chance(0.3) ? null : 100 + this.#random.below(8_000);
    const meta = metaOf(this.#random, OPERATOR);
    return { ...meta, type: "RefundPayment", booking_id, amount, reason: "goodwill" };
  }

  #verdict(): Command | null {
    const refund_id = this.#some("refunds", "true");
    if (refund_id === null) return null;
    const result = this.#random.chance(0.5) ? "failed" : "succeeded";
    return { ...this.#internal(), type: "RecordRefundResult", refund_id, result };
  }

  #afterFailure(): Command | null {
    const refund_id = this.#some("refunds", "state = 'failed'");
    if (refund_id === null) return null;
    const meta = metaOf(this.#random, OPERATOR);
    if (this.#random.chance(0.5)) return { ...meta, type: "RetryRefund", refund_id };
    return { ...meta, type: "SettleRefundElsewhere", refund_id, method: "cash" };
  }

  #dispute(): Command | null {
    const payment_id = this.#some("payments", "state IN ('captured', 'partially_refunded')");
    if (payment_id === null) return null;
    const { amount, dispute } = this.#records.payment(payment_id)!;
    const state = this.#random.pick(["open", "won", "lost"] as const);
    const dispute_id = dispute?.dispute_id ?? `dp_${this.#random.hex(6)}`;
    const of = { dispute_id, amount, reason: "fraudulent", due_by: null };
    return { ...this.#internal(), type: "RecordDispute", payment_id, state, ...of };
  }
}

/** A new world at `path`, and a function that lets it live until its journal has so many rows. */
export function moneyHistory(path: string, seed: number) {
  const { world, random, reach: reachRow } = kpiHistory(path, seed);
  const treasury = new Treasury(world, random);
  const reach = (row: number) => {
    while (world.journal.head.row < row) {
      reachRow(world.journal.head.row + 1);
      if (random.chance(0.02)) treasury.captureTooLate();
      const command = random.chance(0.4) ? treasury.next() : null;
      if (command) world.ask(command);
    }
  };
  return { world, reach };
}
