/**
 * Compares the provider's charges with the journal. A payment is journaled before it is charged, so
 * a charge without a payment belongs to a restored journal that lost it: an orphan. No booking
 * depends on it. It is refunded if the operator confirms that the journal which had it will never
 * run again; else it is only reported.
 *
 * Every step is idempotent and the report is read from the provider afterwards, so an interrupted
 * run can be repeated with the same result.
 */
import type { Mode } from "../../engine/core/supply.ts";
import type { RecordReaderOn } from "../../engine/log/record-store.ts";
import type { Log } from "../../src/lib/service.ts";
import type { ListedCharge, PaymentProvider } from "./provider.ts";

export interface ReconcileOptions {
  readonly provider: Pick<PaymentProvider, "changedSince" | "cancel" | "refund">;
  readonly records: Pick<RecordReaderOn, "payment" | "refund" | "open">;
  /** Earlier charges are in the journal; epoch milliseconds. */
  readonly sinceMs: number;
  readonly refundsOrphans: boolean;
  readonly log: Log;
}

/** A charge without a payment, and the state of its money. */
export interface Orphan {
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
  /** `open`: undecided. `standing`: holds money of a guest. */
  readonly state: "open" | "standing" | "refunded" | "void";
}

/** A payment with different states at the provider and in the journal. */
export interface Difference {
  readonly payment_id: string;
  readonly provider: Figures;
  readonly journal: Figures;
}

interface Figures {
  readonly amount: number;
  readonly currency: string;
  readonly state: string;
  readonly refunded: number;
}

/** Findings of a tenant in a mode; null both for charges that do not name one. */
export interface TenantFindings {
  readonly tenant_id: string | null;
  readonly mode: Mode | null;
  readonly orphans: readonly Orphan[];
  readonly differences: readonly Difference[];
}

export interface Reconciliation {
  /** Number of charges. */
  readonly charges: number;
  readonly findings: readonly TenantFindings[];
}

/** The provider did not answer; the run can be repeated. */
export class NotReconciled extends Error {
  override readonly name = "NotReconciled";
}

/**
 * One pass over the provider's charges: refunds orphans if requested, then reports.
 *
 * @throws NotReconciled when the provider does not answer.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  if (options.refundsOrphans) {
    for await (const charge of chargesOf(options)) {
      if (options.records.payment(charge.key) === null) await giveBack(charge, options);
    }
  }
  let charges = 0;
  const pending = pendingRefundsOf(options.records);
  const byTenant = new Map<string, { orphans: Orphan[]; differences: Difference[] }>();
  const whose = new Map<string, Pick<TenantFindings, "tenant_id" | "mode">>();
  for await (const charge of chargesOf(options)) {
    charges += 1;
    const found = findingOf(charge, options.records, pending);
    if (found === null) continue;
    const { tenant_id = null, mode = null } = charge.about ?? {};
    const at = `${tenant_id} ${mode}`;
    whose.set(at, { tenant_id, mode });
    const lists = byTenant.get(at) ?? { orphans: [], differences: [] };
    byTenant.set(at, lists);
    if ("provider" in found) lists.differences.push(found);
    else lists.orphans.push(found);
  }
  const findings = [...byTenant].map(([at, lists]) => ({ ...whose.get(at)!, ...lists }));
  return { charges, findings };
}

/** True when the provider has no undecided orphan. */
export function isSettled({ findings }: Reconciliation): boolean {
  return findings.every(({ orphans }) => orphans.every(({ state }) => state !== "open"));
}

async function* chargesOf({ provider, sinceMs }: ReconcileOptions): AsyncIterable<ListedCharge> {
  for (let page: string | null = null; ; ) {
    const reply = await provider.changedSince(sinceMs, page);
    if (!reply.ok) throw new NotReconciled(`the provider cannot list charges: ${reply.error}`);
    yield* reply.charges;
    page = reply.next;
    if (page === null) return;
  }
}

/** By payment, the sum of its pending refunds, which the provider may have made. */
function pendingRefundsOf(records: ReconcileOptions["records"]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const id of records.open("refund", "")) {
    const refund = records.refund(id);
    if (refund === null) continue;
    const { payment_id, amount } = refund;
    sums.set(payment_id, (sums.get(payment_id) ?? 0) + amount);
  }
  return sums;
}

/** Cancels or refunds a charge; an undecided one is left to the next pass. */
async function giveBack(charge: ListedCharge, { provider, log }: ReconcileOptions): Promise<void> {
  const { ref, key, amount, currency, refunded, state } = charge;
  if (state === "created" || state === "processing") {
    await provider.cancel(ref);
    return;
  }
  if (stateOf(charge) !== "standing") return;
  const left = amount - refunded;
  const reply = await provider.refund({ ref, key: `orphan-${key}`, amount: left, currency });
  const fields = { payment_id: key, amount: left, currency };
  if (reply.ok && reply.state !== "failed") log("warn", "an orphaned charge was refunded", fields);
  else log("error", "an orphaned charge cannot be refunded", { ...fields, code: reply.code });
}

function stateOf({ state, amount, refunded }: ListedCharge): Orphan["state"] {
  if (state === "created" || state === "processing") return "open";
  if (state !== "captured") return "void";
  return refunded < amount ? "standing" : "refunded";
}

function findingOf(
  charge: ListedCharge,
  records: ReconcileOptions["records"],
  pendingRefunds: ReadonlyMap<string, number>,
): Orphan | Difference | null {
  const { key: payment_id, amount, currency, state, refunded } = charge;
  const payment = records.payment(payment_id);
  if (payment === null) return { payment_id, amount, currency, state: stateOf(charge) };
  // A payment without a verdict is still being settled.
  if (payment.state === "pending" || payment.state === "unknown") return null;
  const isCaptured = payment.state !== "failed";
  const underWay = pendingRefunds.get(payment_id) ?? 0;
  const byProvider = payment.refunded - (payment.refunded_elsewhere ?? 0);
  const isSame =
    payment.amount === amount &&
    payment.currency === currency &&
    isCaptured === (state === "captured") &&
    refunded >= byProvider &&
    refunded <= byProvider + underWay;
  if (isSame) return null;
  const journal = {
    amount: payment.amount,
    currency: payment.currency,
    state: payment.state,
    refunded: byProvider,
  };
  return { payment_id, provider: { amount, currency, state, refunded }, journal };
}
