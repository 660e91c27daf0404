/** Disputes: the provider hints at one, and its state is read and recorded. */
import { PAYMENT_BUDGET_MS, resultMeta, type Settling, submitResult } from "./settling.ts";
import { TimeLimit } from "./time-limit.ts";

/** Records the state of the dispute with the provider's id; a known one changes nothing. */
export async function settleDispute(disputeId: string, settling: Settling): Promise<void> {
  const { provider, records, stopping, log } = settling;
  if (!provider.readDispute) return;
  const limit = new TimeLimit(PAYMENT_BUDGET_MS, stopping);
  const reply = await limit.ask(() => provider.readDispute!(disputeId));
  limit.end();
  if (!reply.ok) {
    const { error, code } = reply;
    if (error !== "not_found")
      log("warn", "cannot read a dispute", { dispute_id: disputeId, error, code });
    return;
  }
  const { key, state, amount, reason, due_by } = reply;
  const payment = records.payment(key);
  if (payment === null) return;
  const { payment_id } = payment;
  log("warn", "a payment is disputed", { payment_id, dispute_id: disputeId, state });
  await submitResult(settling, {
    ...resultMeta(payment, payment),
    ...{ type: "RecordDispute", payment_id, dispute_id: disputeId },
    ...{ state, amount, reason, due_by },
  });
}
