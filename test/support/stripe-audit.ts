/** The journal's books against those of the Stripe double, to the cent and in both directions. */
import type { Payment } from "../../engine/core/records.ts";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { journalPath } from "../../src/config.ts";
import type { StripeDouble } from "./stripe-double.ts";

const CAPTURED: ReadonlySet<Payment["state"]> = new Set([
  ...(["captured", "partially_refunded", "refunded"] as const),
]);
const PAYMENTS_MAX = 1_000_000;

/** Names every difference; none when all money is where the journal says. */
export function auditStripe(dataDir: string, { ledger }: StripeDouble): string[] {
  const db = openForReading(journalPath(dataDir));
  try {
    const records = new RecordReaderOn(db);
    const payments = records.paymentIds("", PAYMENTS_MAX).map((id) => records.payment(id)!);
    const byRef = new Map(payments.map((each) => [each.provider_ref, each]));
    const theirs = [...ledger.intents.values()].flatMap((intent) => {
      if (intent.status !== "succeeded") return [];
      const payment = byRef.get(intent.id);
      if (!payment) return [`${intent.id} took money for no payment`];
      const { amount_refunded } = ledger.chargeOf(intent);
      const isSame = payment.amount === intent.amount && payment.refunded === amount_refunded;
      const isBooked = records.booking(payment.booking_id)?.payment_id === payment.payment_id;
      return [
        ...(CAPTURED.has(payment.state) ? [] : [`${intent.id} took money, ours ${payment.state}`]),
        ...(isSame ? [] : [`${intent.id}: ${amount_refunded} refunded, ours ${payment.refunded}`]),
        ...(isBooked || amount_refunded === intent.amount ? [] : [`${intent.id}: no booking`]),
      ];
    });
    const ours = payments.flatMap(({ payment_id, state, provider_ref, booking_id }) => {
      const isTaken = ledger.intents.get(provider_ref ?? "")?.status === "succeeded";
      const isOpen = state === "pending" || state === "unknown";
      return [
        ...(isOpen ? [`${payment_id} is ${state}`] : []),
        ...(CAPTURED.has(state) === isTaken ? [] : [`${payment_id} is ${state}, theirs not`]),
        ...(records.booking(booking_id) && !isTaken ? [`${booking_id} is not paid`] : []),
      ];
    });
    const open = records.open("refund").map((id) => `${id} is pending`);
    return [...theirs, ...ours, ...open];
  } finally {
    db.close();
  }
}
