/**
 * What settling payments and refunds shares: projections, provider and engine. If a result does not
 * reach the engine, the next sweep finds the work by state and gets the same result.
 */
import { randomBytes } from "node:crypto";
import type { CommandMeta } from "../../engine/core/commands.ts";
import type { Payment, Refund } from "../../engine/core/records.ts";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import type { Log } from "../../src/lib/service.ts";
import type { DamageReports } from "../lanes/damage-reports.ts";
import type { Packed } from "../lanes/queues.ts";
import { NoOutcome, type Submitter } from "../lanes/submitter.ts";
import type { PaymentProvider } from "./provider.ts";

/** The budget of a booking request, from its receipt. */
export const PAYMENT_BUDGET_MS = 10_000;
const SUBMIT_MS_MAX = 10_000;

/** Shared by all jobs of a worker. */
export interface Settling {
  /** Reads the current projections. */
  readonly records: Pick<RecordReaderOn, "payment" | "refund" | "booking">;
  readonly provider: PaymentProvider;
  readonly submitter: Pick<Submitter, "submit">;
  /** The payment's decrypted provider token; null when it can no longer be decrypted. */
  readonly openToken: (payment: Payment) => string | null;
  readonly damage: Pick<DamageReports, "report">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Aborted when the process stops; the next process resumes the work. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** A result continues the request that caused it: same trace and docs base, no deadline. */
export function resultMeta(of: Payment | Refund, payment: Payment): CommandMeta {
  return {
    tenant_id: of.tenant_id,
    mode: of.mode,
    actor: { kind: "system", id: "payments" },
    trace_id: payment.trace_id,
    docs: payment.docs,
    random: randomBytes(16).toString("hex"),
  };
}

/** Sends a result; true when the engine has made it durable. */
export async function submitResult(
  { submitter }: Pick<Settling, "submitter">,
  command: Packed,
): Promise<boolean> {
  try {
    const { outcome } = await submitter.submit(command, { deadlineMs: SUBMIT_MS_MAX });
    return outcome.ok;
  } catch (error) {
    if (error instanceof NoOutcome) return false;
    throw error;
  }
}
