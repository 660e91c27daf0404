/**
 * Cancellation terms. At quote time the policy becomes a table of instants and amounts (`feeTable`)
 * that is frozen with the quote, so a cancellation is a look-up (`feeAt`) and can be explained from
 * the booking alone. Offsets from check-in are elapsed time (a day is 86 400 s), never calendar
 * days. Fees are shares of the prepaid amount: fee + refund = due_now in every row.
 */

import { instantIso, localInstant } from "../calendar.ts";
import type { PolicyTerms, PropertyTree, RatePlan } from "../supply.ts";
import { percentOf } from "./money.ts";
import { type CostRow, costNow, rowsFrom, termsText } from "./policy-words.ts";
import type { FeeTable } from "./quote.ts";

const HOUR_MS = 3_600_000;
const DEFAULT_CHECKIN_TIME = "15:00";
const FULL_BPS = 10_000;

/**
 * The policy of a rate plan: same kind, greatest `version` in string order; null for
 * none, which is `policy_not_found_for_rate_plan`.
 */
export function policyFor(
  tree: PropertyTree,
  plan: Pick<RatePlan, "cancellation_kind">,
): PolicyTerms | null {
  let best: PolicyTerms | null = null;
  for (const terms of tree.policies) {
    if (terms.cancellation_kind !== plan.cancellation_kind) continue;
    if (best === null || terms.version > best.version) best = terms;
  }
  return best;
}

/** The policy of a rate plan in a given version; null when the property has none. */
export function policyOfVersion(
  tree: Pick<PropertyTree, "policies">,
  plan: Pick<RatePlan, "cancellation_kind">,
  wanted: string,
): PolicyTerms | null {
  const found = tree.policies.find(({ version, cancellation_kind }) => {
    return version === wanted && cancellation_kind === plan.cancellation_kind;
  });
  return found ?? null;
}

/** Percent with fractions to basis points, limited to 0–100 % so that no refund is negative. */
function bpsOf(percent: number): number {
  return Math.min(FULL_BPS, Math.max(0, Math.round(percent * 100)));
}

/** Share kept between the last tier and check-in, in basis points. */
export function afterBps(terms: PolicyTerms): number {
  if (terms.cancellation_kind === "non_refundable") return FULL_BPS;
  return bpsOf(terms.cancellation_fee_pct_after_cutoff);
}

/** Share kept from check-in on, in basis points: all for non-refundable rate plans. */
export function noShowBps(terms: PolicyTerms): number {
  return terms.cancellation_kind === "non_refundable" ? FULL_BPS : bpsOf(terms.no_show_fee_pct);
}

/**
 * The cancellation table as money. The anchor is the local check-in time (default
 * 15:00). Cut-offs that are past at quote time are listed but never apply.
 */
export function feeTable(args: {
  readonly tree: Pick<PropertyTree, "timezone" | "checkin_time">;
  readonly terms: PolicyTerms;
  readonly checkInDay: number;
  /** What is captured at booking, minor units. */
  readonly priced: { readonly due_now: number };
}): FeeTable {
  const { tree, terms, checkInDay, priced } = args;
  const time = tree.checkin_time ?? DEFAULT_CHECKIN_TIME;
  const anchor = localInstant(checkInDay, time, tree.timezone);
  const freeMs = Math.round(terms.free_cancellation_hours_before_checkin * HOUR_MS);
  const free = terms.cancellation_kind === "free_until_cutoff";
  return {
    tiers: free ? [{ until_ms: anchor.ms - freeMs, fee: 0 }] : [],
    after: percentOf(priced.due_now, afterBps(terms)),
    no_show: percentOf(priced.due_now, noShowBps(terms)),
    anchor_ms: anchor.ms,
    anchor: anchor.iso,
  };
}

/**
 * The row that applies at an instant. The first tier with `at < until` wins, so a cut-off instant
 * already belongs to the next row; from the anchor on it is the no-show row. `tier_index` counts
 * the tiers from 0, then n = after the last tier, n + 1 = no show. `next_change_at` is the end of
 * the row in epoch milliseconds, null for the last one.
 */
export function feeAt(
  fees: FeeTable,
  atMs: number,
): { fee: number; tier_index: number; next_change_at: number | null } {
  const { tiers } = fees;
  if (atMs >= fees.anchor_ms) {
    return { fee: fees.no_show, tier_index: tiers.length + 1, next_change_at: null };
  }
  for (const [index, tier] of tiers.entries()) {
    if (atMs < tier.until_ms) {
      return { fee: tier.fee, tier_index: index, next_change_at: tier.until_ms };
    }
  }
  return { fee: fees.after, tier_index: tiers.length, next_change_at: fees.anchor_ms };
}

/** The cost of cancelling from an instant on, as shares of the prepaid amount; see `feeAt`. */
export function costRows(fees: FeeTable, terms: PolicyTerms, fromMs: number): CostRow[] {
  const rows = [
    ...fees.tiers.map(({ until_ms }) => ({ bps: 0, until_ms })),
    { bps: afterBps(terms), until_ms: fees.anchor_ms },
    { bps: noShowBps(terms), until_ms: null },
  ];
  return rowsFrom(rows, fromMs);
}

/** How much of the prepaid amount a cancellation refunds: all, a part or nothing. */
export type Refundability = "refundable" | "partially_refundable" | "non_refundable";

/** The cost of cancelling a stay at an instant, independent of its price. */
export interface CancellationNow {
  readonly refundability: Refundability;
  /** The end of free cancellation; null when it costs something now, or never will. */
  readonly free_until: string | null;
  /** A free cut-off is still ahead. */
  readonly isFree: boolean;
  /** In a few words. */
  readonly text: string;
}

/** What determines when a stay begins at a property. */
type Place = Pick<PropertyTree, "timezone" | "checkin_time">;

interface StayAt {
  readonly checkInDay: number;
  readonly nowMs: number;
}

/** The cost of cancelling at an instant. */
export function cancellationNow(place: Place, terms: PolicyTerms, at: StayAt): CancellationNow {
  return nowOf(place, costsNow(place, terms, at), at.nowMs);
}

/** The cost of cancelling at `nowMs` and later: the sentence of a quote made then. */
export function cancellationInWords(
  place: Place,
  terms: PolicyTerms,
  at: StayAt,
): CancellationNow & { readonly description: string } {
  const costs = costsNow(place, terms, at);
  return { ...nowOf(place, costs, at.nowMs), description: termsText(costs.rows, place.timezone) };
}

interface Costs {
  readonly fees: FeeTable;
  readonly rows: readonly CostRow[];
}

function nowOf(place: Place, { fees, rows }: Costs, nowMs: number): CancellationNow {
  const [{ bps, until_ms }] = rows as readonly [CostRow];
  return {
    refundability: refundabilityAt(bps),
    free_until: bps === 0 && until_ms !== null ? instantIso(until_ms) : null,
    isFree: feeAt(fees, nowMs).tier_index < fees.tiers.length,
    text: costNow(rows, place.timezone),
  };
}

function costsNow(place: Place, terms: PolicyTerms, { checkInDay, nowMs }: StayAt): Costs {
  const fees = feeTable({ tree: place, terms, checkInDay, priced: { due_now: 0 } });
  return { fees, rows: costRows(fees, terms, nowMs) };
}

/** The refundability for a share kept. */
export function refundabilityAt(bps: number): Refundability {
  if (bps === 0) return "refundable";
  return bps === FULL_BPS ? "non_refundable" : "partially_refundable";
}
