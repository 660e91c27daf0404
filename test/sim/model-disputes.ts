/** What disputes at the provider come to: each state counts once, and none comes after the end. */
import type { RecordDispute } from "../../engine/core/commands.ts";
import { type Expected, type ModelLedger, noted } from "./model-ledger.ts";

/** A dispute that is opened, closed, or both in one row. */
export function expectDispute(command: RecordDispute, ledger: ModelLedger): Expected {
  const { payment_id, dispute_id: id, state } = command;
  const payment = ledger.payments.get(payment_id);
  const isCaptured = payment && !["pending", "unknown", "failed"].includes(payment.state);
  if (!isCaptured) return noted(false);
  const known = payment.dispute?.id === id ? payment.dispute.state : null;
  const opens = known === null;
  const closes = state !== "open" && known !== "won" && known !== state;
  const events = [
    ...(opens ? ["payment.disputed"] : []),
    ...(closes ? ["payment.dispute_closed"] : []),
  ];
  if (events.length === 0) return noted(false);
  return noted(true, events, () => {
    payment.dispute = { id, state };
  });
}
