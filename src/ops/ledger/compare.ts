/** Compares a payment's events with its record, its refunds' records and all their receipts. */
import type { Receipt } from "../../../engine/core/outcomes.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import {
  type Booking,
  type Payment,
  type Refund,
  wasCaptured,
} from "../../../engine/core/records.ts";
import type { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { hasOwnHash } from "../../../engine/writer/receipts.ts";
import type { PaymentSums, RefundSums } from "./books.ts";

/** Two figures of one thing that should be equal. */
export interface LedgerDifference {
  /** A payment or a refund. */
  readonly id: string;
  readonly booking_id: string | null;
  /** What differs. */
  readonly what: string;
  /** What the events of the journal come to. */
  readonly events: string | number | null;
  /** What the record, or its receipt, says. */
  readonly recorded: string | number | null;
  readonly next_step: string;
}

const REBUILD =
  "stop the service, then run: npm run admin -- journal verify; npm run admin -- projections rebuild";
const ASK_PROVIDER = "npm run admin -- payments reconcile";

type Records = Pick<RecordReaderOn, "payment" | "refund" | "booking">;

class Found {
  readonly differences: LedgerDifference[] = [];
  readonly #sums: PaymentSums;

  constructor(sums: PaymentSums) {
    this.#sums = sums;
  }

  equal(
    what: string,
    events: string | number | null,
    recorded: string | number | null,
    { id = this.#sums.id, next_step = REBUILD }: { id?: string; next_step?: string } = {},
  ): void {
    if (events === recorded) return;
    const { booking_id } = this.#sums;
    this.differences.push({ id, booking_id, what, events, recorded, next_step });
  }

  /** The record; null when it is missing or damaged, which is a difference. */
  record<T>(what: string, id: string, read: () => T | null): T | null {
    try {
      const record = read();
      if (record === null) this.equal(what, "in the journal", "missing", { id });
      return record;
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      this.equal(what, "in the journal", error.problem, { id });
      return null;
    }
  }
}

/** All differences of a payment. */
export function differencesOf(
  sums: PaymentSums,
  refunds: readonly RefundSums[],
  records: Records,
): readonly LedgerDifference[] {
  const found = new Found(sums);
  const { id, booking_id } = sums;
  const payment = found.record("payment record", id, () => records.payment(id));
  if (payment) comparePayment(sums, payment, found);
  const given = refunds.map((refund) => compareRefund(refund, records, found));
  // An event moves money once; a second one is a bug, or altered rows.
  if (sums.captured > 0) {
    found.equal("captures of one payment", sums.captures, 1, { next_step: ASK_PROVIDER });
  }
  const isOver = sums.refunded > sums.captured || sums.refunded < 0;
  if (isOver) {
    const next_step = ASK_PROVIDER;
    found.equal("refunded of what was captured", sums.refunded, sums.captured, { next_step });
  }
  const inReceipts = given.reduce((all, one) => all + one, 0);
  found.equal("refunded by valid receipts", sums.refunded, inReceipts);
  if (booking_id !== null) {
    const booking = found.record("booking record", booking_id, () => records.booking(booking_id));
    if (booking) compareBooking(sums, refunds, booking, found);
  }
  return found.differences;
}

function comparePayment(sums: PaymentSums, payment: Payment, found: Found): void {
  const isCaptured = wasCaptured(payment);
  found.equal("captured", sums.captured, isCaptured ? payment.amount : 0);
  found.equal("refunded", sums.refunded, payment.refunded);
  found.equal("refunded elsewhere", sums.elsewhere, payment.refunded_elsewhere ?? 0);
  found.equal("dispute", sums.dispute_id, payment.dispute?.dispute_id ?? null);
  found.equal("state of the dispute", sums.dispute, payment.dispute?.state ?? null);
  if (!isCaptured) return;
  found.equal("state of the payment", stateOf(sums), payment.state);
}

function stateOf({ captured, refunded }: PaymentSums): Payment["state"] {
  if (refunded >= captured) return "refunded";
  return refunded > 0 ? "partially_refunded" : "captured";
}

/** Compares a refund; returns what its receipt proves as given back, minor units. */
function compareRefund(refund: RefundSums, records: Records, found: Found): number {
  const { id } = refund;
  const record = found.record("refund record", id, () => records.refund(id));
  if (!record) return 0;
  found.equal("payment of the refund", refund.payment_id, record.payment_id, { id });
  found.equal("amount of the refund", refund.amount, record.amount, { id });
  found.equal("state of the refund", refund.state, record.state, { id });
  const hash = record.receipt?.payload_hash ?? null;
  found.equal("receipt of the refund", refund.receipt_hash, hash, { id });
  if (record.receipt === null) return 0;
  found.equal("hash of the refund's receipt", "its content's", ownHash(record.receipt), { id });
  found.equal("amount of the receipt", refund.amount, amountIn(record), { id });
  // After a late failure the receipt stays, and is void.
  return record.state === "succeeded" ? (amountIn(record) ?? 0) : 0;
}

function amountIn({ receipt }: Refund): number | null {
  const amount = receipt?.subject.amount;
  return typeof amount === "number" ? amount : null;
}

function ownHash(receipt: Receipt): string {
  return hasOwnHash(receipt) ? "its content's" : "another content's";
}

/** The receipts of a booking: the first proves the capture, the others refer to the one before. */
function compareBooking(
  sums: PaymentSums,
  refunds: readonly RefundSums[],
  { receipts, cancellation, refund_ids }: Booking,
  found: Found,
): void {
  for (const receipt of receipts) {
    found.equal(`hash of the receipt ${receipt.kind}`, "its content's", ownHash(receipt));
  }
  const [first = null, ...later] = receipts.filter(({ kind }) => kind === "booking_confirmed");
  found.equal("receipt of the booking", sums.receipt_hash, first?.payload_hash ?? null);
  found.equal("captured by the receipt", sums.captured, numberIn(first, "captured"));
  let before = first;
  for (const receipt of later) {
    const { supersedes = null } = receipt.subject;
    found.equal("receipt before a changed one", before?.payload_hash ?? null, supersedes);
    before = receipt;
  }
  const cancelled = receipts.find(({ kind }) => kind === "booking_cancelled") ?? null;
  found.equal("fee by the receipt", cancellation?.fee ?? null, numberIn(cancelled, "fee"));
  found.equal("refund by the receipt", cancellation?.refund ?? null, numberIn(cancelled, "refund"));
  const ids = (all: readonly string[]) => all.toSorted().join(" ");
  found.equal("refunds of the booking", ids(refunds.map(({ id }) => id)), ids(refund_ids));
}

function numberIn(receipt: Receipt | null, name: string): number | null {
  const value = receipt?.subject[name];
  return typeof value === "number" ? value : null;
}
