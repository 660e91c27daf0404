/**
 * What the journal's events come to by payment and by refund, in temporary tables, which SQLite
 * keeps in a file without a name: memory does not grow with the journal, and the file is gone when
 * the process ends, however that happens. It has ids and amounts, nothing of guests.
 */
import { Database } from "bun:sqlite";
import type { Movement } from "./movement.ts";

/** Sums of a payment; amounts are minor units. */
export interface PaymentSums {
  readonly id: string;
  readonly booking_id: string | null;
  readonly captures: number;
  readonly captured: number;
  /** Succeeded refunds, those that the property settled itself included. */
  readonly refunded: number;
  readonly elsewhere: number;
  /** The last dispute. */
  readonly dispute_id: string | null;
  readonly dispute: "open" | "won" | "lost" | null;
  readonly receipt_hash: string | null;
}

/** The last state of a refund. */
export interface RefundSums {
  readonly id: string;
  readonly payment_id: string;
  readonly amount: number;
  readonly state: "pending" | "succeeded" | "failed";
  readonly receipt_hash: string | null;
}

const TABLES = `
PRAGMA temp_store = FILE;
CREATE TEMP TABLE payments(
  id TEXT PRIMARY KEY, booking_id TEXT, captures INTEGER NOT NULL DEFAULT 0,
  captured INTEGER NOT NULL DEFAULT 0, refunded INTEGER NOT NULL DEFAULT 0,
  elsewhere INTEGER NOT NULL DEFAULT 0, dispute_id TEXT, dispute TEXT, receipt_hash TEXT) STRICT;
CREATE TEMP TABLE refunds(
  id TEXT PRIMARY KEY, payment_id TEXT NOT NULL, amount INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'pending', receipt_hash TEXT) STRICT;
CREATE INDEX temp.refunds_payment ON refunds(payment_id);
BEGIN;`;

const ADD_PAYMENT = `INSERT INTO payments(id, captures, captured, refunded, elsewhere)
  VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT(id) DO UPDATE SET captures = captures + ?2,
  captured = captured + ?3, refunded = refunded + ?4, elsewhere = elsewhere + ?5`;
const END_REFUND = `INSERT INTO refunds(id, payment_id, state, receipt_hash)
  VALUES (?1, ?2, ?3, ?4) ON CONFLICT(id) DO UPDATE SET state = ?3,
  receipt_hash = coalesce(?4, receipt_hash)`;
const PAGE = 1_000;

export class Books implements Disposable {
  readonly #db: Database;
  readonly #statements;

  constructor() {
    const db = new Database(":memory:", { strict: true });
    this.#db = db;
    db.run(TABLES);
    this.#statements = {
      add: db.prepare(ADD_PAYMENT),
      capture: db.prepare("UPDATE payments SET booking_id = ?2, receipt_hash = ?3 WHERE id = ?1"),
      dispute: db.prepare("UPDATE payments SET dispute_id = ?2, dispute = ?3 WHERE id = ?1"),
      request: db.prepare("INSERT INTO refunds(id, payment_id, amount) VALUES (?1, ?2, ?3)"),
      end: db.prepare(END_REFUND),
      notePayment: db.prepare("INSERT OR IGNORE INTO payments(id) VALUES (?1)"),
      noteRefund: db.prepare("INSERT OR IGNORE INTO refunds(id, payment_id) VALUES (?1, '')"),
      payments: db.prepare<PaymentSums, [string, number]>(
        "SELECT * FROM payments WHERE id > ?1 ORDER BY id LIMIT ?2",
      ),
      refundsOf: db.prepare<RefundSums, [string]>("SELECT * FROM refunds WHERE payment_id = ?1"),
    };
  }

  /** Adds a movement. */
  take(movement: Movement): void {
    const { add, capture, dispute, request, end } = this.#statements;
    const { kind, payment_id, booking_id, refund_id, dispute_id, receipt_hash } = movement;
    const amount = movement.stated_amount ?? 0;
    switch (kind) {
      case "capture":
      case "late_capture":
        add.run(payment_id, 1, amount, 0, 0);
        return void capture.run(payment_id, booking_id, receipt_hash);
      case "disputed":
      case "dispute_won":
      case "dispute_lost": {
        const state = kind === "disputed" ? "open" : kind.slice("dispute_".length);
        add.run(payment_id, 0, 0, 0, 0);
        return void dispute.run(payment_id, dispute_id, state);
      }
      case "refund_requested":
        return void request.run(refund_id, payment_id, amount);
      case "refund_failed":
        return void end.run(refund_id, payment_id, "failed", null);
      case "refund_failed_after_success":
        add.run(payment_id, 0, 0, -amount, 0);
        return void end.run(refund_id, payment_id, "failed", null);
      default: {
        const elsewhere = kind === "refund_settled_elsewhere" ? amount : 0;
        add.run(payment_id, 0, 0, amount, elsewhere);
        return void end.run(refund_id, payment_id, "succeeded", receipt_hash);
      }
    }
  }

  /** Adds ids of records, whether or not an event names them. */
  note(kind: "payment" | "refund", ids: readonly string[]): void {
    const { notePayment, noteRefund } = this.#statements;
    for (const id of ids) (kind === "payment" ? notePayment : noteRefund).run(id);
  }

  /** All payments in the order of their ids, with their refunds. */
  *payments(): Generator<readonly [PaymentSums, readonly RefundSums[]]> {
    const { payments, refundsOf } = this.#statements;
    for (let after = ""; ; ) {
      const page = payments.all(after, PAGE);
      for (const sums of page) yield [sums, refundsOf.all(sums.id)];
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** Refunds that only a record names. */
  unnamedRefunds(): readonly RefundSums[] {
    return this.#statements.refundsOf.all("");
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
