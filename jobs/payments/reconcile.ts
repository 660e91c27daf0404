/**
 * Holds what the provider knows against the journal. Journaling comes before charging, so a charge
 * whose payment the journal does not have can only be one that a restored journal has lost: an
 * orphan. Nobody's booking stands behind it, so it is given back, when the operator has said that
 * the journal which had it will never run again; else it is reported and stays.
 *
 * What is done is idempotent, and what is reported is read from the provider afterwards, so that a
 * run that was cut off is simply repeated and comes to the same report.
 */
import type { Mode } from "../../engine/core/supply.ts";
import type { RecordReaderOn } from "../../engine/shell/record-store.ts";
import type { Log } from "../../engine/shell/service.ts";
import type { ListedCharge, PaymentProvider } from "./provider.ts";

export interface ReconcileOptions {
  readonly provider: Pick<PaymentProvider, "changedSince" | "cancel" | "refund">;
  readonly records: Pick<RecordReaderOn, "payment" | "refund" | "open">;
  /** Charges that changed earlier are the journal's own; epoch milliseconds. */
  readonly sinceMs: number;
  readonly refundsOrphans: boolean;
  readonly log: Log;
}

/** A charge without a payment, and what has become of its money. */
export interface Orphan {
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
  /** `open` is not decided yet, `standing` has money of a guest; the others have none. */
  readonly state: "open" | "standing" | "refunded" | "void";
}

/** A payment of which provider and journal say different things. */
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

/** What concerns one tenant in one mode; null both for charges that do not say whose they are. */
export interface TenantFindings {
  readonly tenant_id: string | null;
  readonly mode: Mode | null;
  readonly orphans: readonly Orphan[];
  readonly differences: readonly Difference[];
}

export interface Reconciliation {
  /** Charges that were looked at. */
  readonly charges: number;
  readonly findings: readonly TenantFindings[];
}

/** The provider did not answer; all of it may be repeated. */
export class NotReconciled extends Error {
  override readonly name = "NotReconciled";
}

/**
 * One pass over the provider's charges: gives orphans back when that is asked for, then reports
 * what stands.
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

/** True when nothing is left that the provider has yet to decide. */
export function isSettled({ findings }: Reconciliation): boolean {
  return findings.every(({ orphans }) => orphans.every(({ state }) => state !== "open"));
}

async function* chargesOf({ provider, sinceMs }: ReconcileOptions): AsyncIterable<ListedCharge> {
  for (let page: string | null = null; ; ) {
    const reply = await provider.changedSince(sinceMs, page);
    if (!reply.ok) throw new NotReconciled(`the provider lists no charges: ${reply.error}`);
    yield* reply.charges;
    page = reply.next;
    if (page === null) return;
  }
}

/** By payment, what its refunds without a verdict come to: the provider may have made them. */
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

/** Cancels what moved no money, refunds what did; what is being decided is for the next pass. */
async function giveBack(charge: ListedCharge, { provider, log }: ReconcileOptions): Promise<void> {
  const { ref, key, amount, refunded, state } = charge;
  if (state === "created" || state === "processing") {
    await provider.cancel(ref);
    return;
  }
  if (stateOf(charge) !== "standing") return;
  const left = amount - refunded;
  const reply = await provider.refund({ ref, key: `orphan-${key}`, amount: left });
  const fields = { payment_id: key, amount: left, currency: charge.currency };
  if (reply.ok && reply.state === "succeeded")
    log("warn", "an orphaned charge was refunded", fields);
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
  // Without a verdict in the journal there is nothing to compare: it is still being settled.
  if (payment.state === "pending" || payment.state === "unknown") return null;
  const isCaptured = payment.state !== "failed";
  const underWay = pendingRefunds.get(payment_id) ?? 0;
  const isSame =
    payment.amount === amount &&
    payment.currency === currency &&
    isCaptured === (state === "captured") &&
    refunded >= payment.refunded &&
    refunded <= payment.refunded + underWay;
  if (isSame) return null;
  const journal = {
    amount: payment.amount,
    currency: payment.currency,
    state: payment.state,
    refunded: payment.refunded,
  };
  return { payment_id, provider: { amount, currency, state, refunded }, journal };
}
