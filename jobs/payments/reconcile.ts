/**
 * Compares the provider's charges with the journal, in both directions. A payment is journaled
 * before it is charged, so a charge without a payment belongs to a restored journal that lost it:
 * an orphan. No booking depends on it, nor on a charge whose payment failed. Both are refunded if
 * the operator confirms that the journal which had them will never run again; else they are only
 * reported.
 *
 * Every step is idempotent and the report is read from the provider afterwards, so an interrupted
 * run can be repeated with the same result.
 */

import { timeDigits } from "../../engine/core/ids.ts";
import { type Payment, wasCaptured } from "../../engine/core/records.ts";
import type { Mode } from "../../engine/core/supply.ts";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import type { Log } from "../../src/lib/service.ts";
import type { ListedCharge, PaymentProvider } from "./provider.ts";

/** The provider's clock may be behind ours by this much. */
const SLACK_MS = 600_000;
const PAYMENTS_AT_ONCE = 1_000;

export interface ReconcileOptions {
  readonly provider: Pick<PaymentProvider, "changedSince" | "cancel" | "read" | "refund">;
  readonly records: Pick<RecordReaderOn, "payment" | "paymentIds" | "refund" | "open">;
  /** Earlier charges are in the journal; epoch milliseconds. */
  readonly sinceMs: number;
  readonly refundsOrphans: boolean;
  /** Reads a payment that differs again, and records what it finds; absent only reports. */
  readonly recheck?: (payment: Payment) => Promise<void>;
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

/**
 * A payment with different states at the provider and here. There it may be `missing`, or
 * `captured_twice`: under another reference too.
 */
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
      const payment = options.records.payment(charge.key);
      if (payment === null || payment.state === "failed") await giveBack(charge, options);
    }
  }
  const report = new Report();
  const keys = new Set<string>();
  let charges = 0;
  for await (const charge of chargesOf(options)) {
    charges += 1;
    keys.add(charge.key);
    const { tenant_id = null, mode = null } = charge.about ?? {};
    report.add({ tenant_id, mode }, await foundOf(charge, options));
  }
  for await (const { tenant_id, mode, difference } of missingOf(keys, options)) {
    report.add({ tenant_id, mode }, difference);
  }
  return { charges, findings: report.findings };
}

type Realm = Pick<TenantFindings, "tenant_id" | "mode">;

/** Findings by tenant and mode. */
class Report {
  readonly #byRealm = new Map<
    string,
    { realm: Realm; orphans: Orphan[]; differences: Difference[] }
  >();

  add(realm: Realm, found: Orphan | Difference | null): void {
    if (found === null) return;
    const at = `${realm.tenant_id} ${realm.mode}`;
    const lists = this.#byRealm.get(at) ?? { realm, orphans: [], differences: [] };
    this.#byRealm.set(at, lists);
    if ("provider" in found) lists.differences.push(found);
    else lists.orphans.push(found);
  }

  get findings(): TenantFindings[] {
    return [...this.#byRealm.values()].map(({ realm, ...lists }) => ({ ...realm, ...lists }));
  }
}

/** What is found of a charge, after another look at the provider if that may change it. */
async function foundOf(
  charge: ListedCharge,
  { records, recheck }: ReconcileOptions,
): Promise<Orphan | Difference | null> {
  const found = findingOf(charge, records);
  const payment = recheck ? records.payment(charge.key) : null;
  const isNews = charge.isDisputed && payment?.dispute === undefined;
  const mayHeal = payment !== null && (found !== null || isNews);
  if (!recheck || !mayHeal) return found;
  await recheck(payment);
  return findingOf(charge, records);
}

/** Payments that are captured here and that the provider did not list, nor knows as captured. */
async function* missingOf(
  listed: ReadonlySet<string>,
  { records, sinceMs, provider }: ReconcileOptions,
) {
  for (let after = `pay_${timeDigits(sinceMs === 0 ? 0 : sinceMs + SLACK_MS)}`; ; ) {
    const ids = records.paymentIds(after, PAYMENTS_AT_ONCE);
    for (const id of ids.filter((each) => !listed.has(each))) {
      const payment = records.payment(id);
      if (payment === null || !wasCaptured(payment)) continue;
      // It may have been captured while the charges were listed.
      const reply = await provider.read(payment.provider_ref ?? "");
      if (!reply.ok && reply.error !== "not_found") throw new NotReconciled(reply.error);
      const state = reply.ok ? reply.state : "missing";
      if (state === "captured") continue;
      const { tenant_id, mode, currency } = payment;
      const theirs = { amount: 0, currency, state, refunded: 0 };
      yield { tenant_id, mode, difference: differenceOf(payment, theirs) };
    }
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
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

/** The sum of a payment's pending refunds, which the provider may have made. */
function pendingOf(paymentId: string, records: ReconcileOptions["records"]): number {
  const open = records.open("refund", "").map((id) => records.refund(id));
  return open.reduce((sum, refund) => {
    return refund?.payment_id === paymentId ? sum + refund.amount : sum;
  }, 0);
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
): Orphan | Difference | null {
  const { ref, key: payment_id, amount, currency, state, refunded } = charge;
  const payment = records.payment(payment_id);
  if (payment === null) return { payment_id, amount, currency, state: stateOf(charge) };
  // Registered twice after a lost answer: only the journaled reference can be confirmed.
  if (payment.provider_ref !== null && payment.provider_ref !== ref) {
    if (state !== "captured" || refunded === amount) return null;
    return differenceOf(payment, { amount, currency, state: "captured_twice", refunded });
  }
  // A payment without a verdict is still being settled.
  if (payment.state === "pending" || payment.state === "unknown") return null;
  const isCaptured = payment.state !== "failed";
  // What was given back of a failed payment is nothing that the journal has.
  const isVoid = !isCaptured && (state !== "captured" || refunded === amount);
  const byProvider = payment.refunded - (payment.refunded_elsewhere ?? 0);
  const isEven = refunded === byProvider || isVoid;
  const isSame =
    payment.amount === amount &&
    payment.currency === currency &&
    (isVoid || isCaptured === (state === "captured")) &&
    (isEven || (refunded > byProvider && refunded <= byProvider + pendingOf(payment_id, records)));
  return isSame ? null : differenceOf(payment, { amount, currency, state, refunded });
}

function differenceOf(payment: Payment, provider: Figures): Difference {
  const { payment_id, amount, currency, state } = payment;
  const refunded = payment.refunded - (payment.refunded_elsewhere ?? 0);
  return { payment_id, provider, journal: { amount, currency, state, refunded } };
}
