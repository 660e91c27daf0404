/** The provider's books against ours: every cent that moved has its booking or went back. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Payment } from "../../engine/core/records.ts";
import { type Charge, SandboxLedger } from "../../jobs/payments/sandbox-ledger.ts";
import type { Folded, FoldedRecords } from "./fold.ts";

const CAPTURED: readonly Payment["state"][] = ["captured", "partially_refunded", "refunded"];

/** Names every difference between the sandbox provider's file and the journal. */
export function auditMoney(dataDir: string, { records }: Folded): string[] {
  const charges = allCharges(join(dataDir, "sandbox-provider.db"));
  const byRef = new Map([...records.payments.values()].map((each) => [each.provider_ref, each]));
  return [
    ...charges.flatMap((charge) => auditCharge(charge, byRef.get(charge.ref), records)),
    ...auditPayments(new Map(charges.map((charge) => [charge.ref, charge])), records),
  ];
}

/** All charges as they will be at the end of time: a verdict that nobody came to ask for counts. */
function allCharges(path: string): Charge[] {
  const db = new Database(path, { readonly: true });
  const refs = db.query<{ ref: string }, []>("SELECT ref FROM charges").all();
  db.close();
  const ledger = new SandboxLedger(path, () => Number.POSITIVE_INFINITY);
  const charges = refs.map(({ ref }) => ledger.charge(ref)!);
  ledger.close();
  return charges;
}

function auditCharge(
  charge: Charge,
  payment: Payment | undefined,
  records: FoldedRecords,
): string[] {
  const { ref, amount, currency, state, refunded } = charge;
  if (state !== "captured") return [];
  if (!payment || !CAPTURED.includes(payment.state))
    return [`${ref} captured, ours: ${payment?.state}`];
  const problems: string[] = [];
  if (payment.amount !== amount || payment.currency !== currency) problems.push(`${ref}: amount`);
  if (payment.refunded !== refunded) {
    problems.push(`${ref}: refunded ${refunded}, ours: ${payment.refunded}`);
  }
  const bookings = [...records.bookings.values()].filter((booking) => {
    return booking.payment_id === payment.payment_id;
  });
  if (bookings.length > 1) problems.push(`${ref} paid ${bookings.length} bookings`);
  const [booking] = bookings;
  if (!booking && refunded !== amount) problems.push(`${ref}: neither booking nor refund`);
  if (booking && booking.quote.due_now !== amount) problems.push(`${ref}: not what was confirmed`);
  return problems;
}

/** Every payment has its verdict, the provider's; every booking has its capture. */
function auditPayments(charges: ReadonlyMap<string, Charge>, records: FoldedRecords): string[] {
  const problems: string[] = [];
  for (const { payment_id, state, provider_ref } of records.payments.values()) {
    const isCaptured = charges.get(provider_ref ?? "")?.state === "captured";
    if (CAPTURED.includes(state) !== isCaptured) problems.push(`${payment_id} is ${state}`);
    if (state === "pending" || state === "unknown") problems.push(`${payment_id} is ${state}`);
  }
  for (const { booking_id, payment_id, quote } of records.bookings.values()) {
    const payment = payment_id === null ? null : records.payment(payment_id);
    const isPaid = payment !== null && CAPTURED.includes(payment.state);
    if (quote.due_now > 0 && !isPaid) problems.push(`${booking_id} is not paid`);
  }
  for (const { refund_id, state } of records.refunds.values()) {
    if (state === "pending") problems.push(`${refund_id} is pending`);
  }
  return problems;
}
