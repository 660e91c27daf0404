/** The movements of one payment, in their order, with the balance after each. */
import type { Payment } from "../../../engine/core/records.ts";
import type { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { type LedgerLine, lineOf, noteDispute } from "./day.ts";
import type { LedgerJournal } from "./journal.ts";
import { movementsIn } from "./movement.ts";

/** A movement, and what the property has of the payment after it, minor units. */
export type ExplainedMovement = LedgerLine & { readonly balance: number };

export interface Explained {
  readonly payment_id: string;
  /** Null for a payment that came to no booking. */
  readonly booking_id: string | null;
  readonly state: Payment["state"];
  readonly currency: string;
  readonly captured: number;
  readonly refunded: number;
  /** What a bank has taken back: by a dispute that is open or lost. */
  readonly disputed: number;
  readonly balance: number;
  readonly movements: readonly ExplainedMovement[];
}

/**
 * The movements of the payment that the id of a booking, a payment or a refund leads to.
 *
 * @throws StartRefused for an id that leads to none; RecordDamaged and Damage as `linesOfDay`.
 */
export function explainMoney(journal: LedgerJournal, id: string): Explained {
  const { records } = journal;
  const paymentId = paymentIdOf(id, records);
  const payment = records.payment(paymentId);
  if (payment === null) throw new StartRefused(`no payment ${paymentId} in this installation`);
  // While the hold is open it is only in memory: then all rows are searched.
  const first = records.hold(payment.hold_id)?.rows[0] ?? 1;
  const disputed = new Map<string, number>();
  let balance = 0;
  const movements: ExplainedMovement[] = [];
  for (const row of journal.rowsNaming(paymentId, first)) {
    for (const movement of movementsIn(row)) {
      if (movement.payment_id !== paymentId) continue;
      noteDispute(movement, disputed);
      const line = lineOf(movement, row, journal, disputed);
      balance += line.amount;
      movements.push({ ...line, balance });
    }
  }
  const sumOf = (part: string) =>
    movements.reduce((sum, { kind, amount }) => sum + (kind.includes(part) ? amount : 0), 0);
  const booking_id = records.booking(payment.booking_id) ? payment.booking_id : null;
  return {
    ...{ payment_id: paymentId, booking_id, state: payment.state, currency: payment.currency },
    ...{ captured: sumOf("capture"), refunded: 0 - sumOf("refund") },
    ...{ disputed: 0 - sumOf("dispute"), balance, movements },
  };
}

function paymentIdOf(id: string, records: RecordReaderOn): string {
  if (id.startsWith("pay_")) return id;
  const isRefund = id.startsWith("rfd_");
  const record = isRefund ? records.refund(id) : records.booking(id);
  if (record === null) {
    throw new StartRefused(`no ${isRefund ? "refund" : "booking"} ${id} in this installation`);
  }
  if (record.payment_id !== null) return record.payment_id;
  throw new StartRefused(`booking ${id} has no payment: nothing was due before the stay`);
}
