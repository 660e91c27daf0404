/**
 * Cancellation terms on the wire: the policy and the fee table of a frozen quote. A stored quote
 * renders the same terms permanently, because their hash is frozen with it.
 */
import { instantIso } from "../calendar.ts";
import type { CancellationKind, PolicyTerms, PropertyTree } from "../supply.ts";
import {
  afterBps,
  costRows,
  noShowBps,
  policyOfVersion,
  type Refundability,
  refundabilityAt,
} from "./policy.ts";
import { type CostRow, termsText } from "./policy-words.ts";
import { offerOf } from "./price.ts";
import type { FrozenQuote } from "./quote.ts";

/** The part of the prepaid amount that is kept. */
export type Penalty =
  | { readonly kind: "none" }
  | { readonly kind: "percentage"; readonly bps: number };

/** The cost of a cancellation after the last tier or, when the anchor is past, from then on. */
export interface LateRow {
  /** The anchor, where `no_show` begins; null: never. */
  readonly cutoff_at: string | null;
  readonly penalty: Penalty;
  readonly fee: number;
  readonly refund: number;
}

/** The wire shape; keys always in this order, instants UTC except `anchor`. */
export interface PolicySnapshot {
  readonly policy_version: string;
  readonly cancellation_kind: CancellationKind;
  /** The refundability right after `captured_at`. */
  readonly refundability: Refundability;
  readonly timezone: string;
  readonly anchor: string;
  readonly tiers: readonly {
    /** ISO 8601 duration before the anchor. */
    readonly until: string;
    readonly cutoff_at: string;
    readonly penalty: Penalty;
    readonly fee: number;
    readonly refund: number;
  }[];
  readonly after_last_tier: LateRow;
  readonly no_show: { readonly penalty: Penalty; readonly fee: number };
  readonly fee_basis: "prepaid_total";
  readonly modification: {
    readonly allowed_until: string | null;
    readonly rule: "same_length_same_total" | "none";
  };
  readonly child_policy_text: string | null;
  readonly description: string;
  readonly captured_at: string;
  readonly hash: string;
}

/** The members of a quote that the snapshot needs; exist before its hashes. */
type QuotedTerms = Pick<FrozenQuote, "fees" | "due_now" | "created_at">;

/**
 * The snapshot of a frozen quote with its frozen hash. `tree` must be the version
 * `quote.supply_version`. Throws when the tree lacks the rate plan or policy version of the quote:
 * versions are never deleted, so that is a bug.
 */
export function policySnapshot(tree: PropertyTree, quote: FrozenQuote): PolicySnapshot {
  return { ...frozenTerms(tree, termsOf(tree, quote), quote), hash: quote.policy_hash };
}

/** The snapshot without the hash, as input of the hash. */
export function frozenTerms(
  tree: PropertyTree,
  terms: PolicyTerms,
  quote: QuotedTerms,
): Omit<PolicySnapshot, "hash"> {
  const { fees, due_now } = quote;
  return {
    policy_version: terms.version,
    cancellation_kind: terms.cancellation_kind,
    refundability: refundabilityOf(terms, quote),
    timezone: tree.timezone,
    anchor: fees.anchor,
    tiers: fees.tiers.map((tier) => ({
      until: `PT${terms.free_cancellation_hours_before_checkin}H`,
      cutoff_at: instantIso(tier.until_ms),
      penalty: { kind: "none" },
      fee: tier.fee,
      refund: due_now - tier.fee,
    })),
    after_last_tier: lateRow(terms, quote),
    no_show: { penalty: penaltyOf(noShowBps(terms)), fee: fees.no_show },
    fee_basis: "prepaid_total",
    modification: modificationOf(terms, quote),
    child_policy_text: terms.child_policy_text,
    description: descriptionOf(tree, terms, quote),
    captured_at: instantIso(quote.created_at),
  };
}

/**
 * The rows of the quote's cancellation terms, for words in any language. A share of nothing is
 * nothing: where nothing is prepaid, a cancellation is free.
 */
export function frozenCosts(tree: PropertyTree, quote: FrozenQuote): CostRow[] {
  if (quote.due_now === 0) return [{ bps: 0, until_ms: null }];
  return costRows(quote.fees, termsOf(tree, quote), quote.created_at);
}

function termsOf(tree: PropertyTree, quote: FrozenQuote): PolicyTerms {
  const { plan } = offerOf(tree, quote);
  const terms = policyOfVersion(tree, plan, quote.policy_version);
  if (terms === null) {
    throw new Error(`tree ${tree.id} has no policy ${quote.policy_version} for ${plan.id}`);
  }
  return terms;
}

/**
 * A client that reads the tiers and then this row gets what `feeAt` gives. So a quote made after
 * the anchor has the no-show row here: the late fee applies at no later instant.
 */
function lateRow(terms: PolicyTerms, { fees, due_now, created_at }: QuotedTerms): LateRow {
  const row = (bps: number, fee: number) => {
    return { penalty: penaltyOf(bps), fee, refund: due_now - fee };
  };
  if (created_at < fees.anchor_ms) {
    return { cutoff_at: instantIso(fees.anchor_ms), ...row(afterBps(terms), fees.after) };
  }
  return { cutoff_at: null, ...row(noShowBps(terms), fees.no_show) };
}

function penaltyOf(bps: number): Penalty {
  return bps === 0 ? { kind: "none" } : { kind: "percentage", bps };
}

/** By shares, not amounts: all fees of a stay paid at the property are zero. */
function refundabilityOf(terms: PolicyTerms, quote: QuotedTerms): PolicySnapshot["refundability"] {
  const [{ bps }] = costRows(quote.fees, terms, quote.created_at) as [CostRow];
  return refundabilityAt(bps);
}

function modificationOf(terms: PolicyTerms, quote: QuotedTerms): PolicySnapshot["modification"] {
  if (terms.cancellation_kind === "non_refundable") return { allowed_until: null, rule: "none" };
  const untilMs = quote.fees.tiers.at(-1)?.until_ms ?? quote.fees.anchor_ms;
  return { allowed_until: instantIso(untilMs), rule: "same_length_same_total" };
}

function descriptionOf(tree: PropertyTree, terms: PolicyTerms, quote: QuotedTerms): string {
  return termsText(costRows(quote.fees, terms, quote.created_at), tree.timezone);
}
