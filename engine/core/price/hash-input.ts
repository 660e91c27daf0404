/**
 * Input of a quote's hashes: the canonical JSON (RFC 8785) of its breakdown and of its terms. The
 * order of members is written here instead of being sorted for every quote. It must equal the
 * output of `canonicalJson` byte by byte: anyone can check a hash, and hashes of stored quotes
 * never change.
 */

import { canonicalString } from "../canonical.ts";
import type { LateRow, Penalty, PolicySnapshot } from "./policy-snapshot.ts";
import type { NightPrice, PriceBreakdown } from "./price.ts";
import type { TaxLine } from "./taxes.ts";

/** Input of `price_hash`. */
export function priceHashInput(price: PriceBreakdown): string {
  const { currency, due_at_property, due_now, minor_unit, per_night_average } = price;
  const { room_subtotal, rounding, total } = price;
  return (
    `{"currency":${canonicalString(currency)},${derivationText(price)}` +
    `"due_at_property":${due_at_property},` +
    `"due_later":[],"due_now":${due_now},"fees":${list(price.fees, feeText)},` +
    `"minor_unit":${minor_unit},"nights":${list(price.nights, nightText)},` +
    `"per_night_average":${per_night_average},"room_subtotal":${room_subtotal},` +
    `"rounding":"${rounding}","taxes":${list(price.taxes, taxText)},"total":${total}}`
  );
}

/** Quotes of plans with prices of their own have none, as before there were derived plans. */
function derivationText({ derived_from: derived }: PriceBreakdown): string {
  if (derived === undefined) return "";
  const { amount, bps, name, rate_plan_id, round_to, rounding } = derived;
  const more = bps === undefined ? `"amount":${amount}` : `"bps":${bps}`;
  return (
    `"derived_from":{${more},"name":${canonicalString(name)},` +
    `"rate_plan_id":${canonicalString(rate_plan_id)},"round_to":${round_to},` +
    `"rounding":"${rounding}"},`
  );
}

/** Input of `policy_hash`. */
export function policyHashInput(terms: Omit<PolicySnapshot, "hash">): string {
  const { no_show, modification, fee_basis, refundability } = terms;
  const { child_policy_text: children, captured_at, cancellation_kind } = terms;
  return (
    `{"after_last_tier":${lateText(terms.after_last_tier)},"anchor":"${terms.anchor}",` +
    `"cancellation_kind":"${cancellation_kind}","captured_at":"${captured_at}",` +
    `"child_policy_text":${children === null ? "null" : canonicalString(children)},` +
    `"description":${canonicalString(terms.description)},"fee_basis":"${fee_basis}",` +
    `"modification":{"allowed_until":${instantText(modification.allowed_until)},` +
    `"rule":"${modification.rule}"},` +
    `"no_show":{"fee":${no_show.fee},"penalty":${penaltyText(no_show.penalty)}},` +
    `"policy_version":${canonicalString(terms.policy_version)},` +
    `"refundability":"${refundability}","tiers":${list(terms.tiers, tierText)},` +
    `"timezone":${canonicalString(terms.timezone)}}`
  );
}

function list<T>(items: readonly T[], textOf: (item: T) => string): string {
  let text = "";
  for (const item of items) text += text === "" ? textOf(item) : `,${textOf(item)}`;
  return `[${text}]`;
}

function nightText(night: NightPrice): string {
  const { base, children, date, occupancy, rate_source, subtotal } = night;
  return (
    `{"adjustments":${list(night.adjustments, adjustmentText)},"base":${base},` +
    `"children":${children},"date":"${date}","occupancy":${occupancy},` +
    `"rate_source":"${rate_source}","subtotal":${subtotal}}`
  );
}

function adjustmentText({ amount, code, label }: NightPrice["adjustments"][number]): string {
  return `{"amount":${amount},"code":${canonicalString(code)},"label":${canonicalString(label)}}`;
}

function taxText(line: TaxLine): string {
  return `${lineStart(line)}${lineEnd(line)}`;
}

/** A fee is a tax line with one more member. */
function feeText(line: TaxLine): string {
  return `${lineStart(line)}"mandatory":true,${lineEnd(line)}`;
}

function lineStart({ amount, basis, code, collect, included_in_rate }: TaxLine): string {
  return (
    `{"amount":${amount},"basis":"${basis}","code":${canonicalString(code)},` +
    `"collect":"${collect}","included_in_rate":${included_in_rate},`
  );
}

/** A line has a rate or the amount of a unit. */
function lineEnd({ name, rate_bps, unit_amount }: TaxLine): string {
  const rate = rate_bps === undefined ? "" : `,"rate_bps":${rate_bps}`;
  const unit = unit_amount === undefined ? "" : `,"unit_amount":${unit_amount}`;
  return `"name":${canonicalString(name)}${rate}${unit}}`;
}

function tierText({ cutoff_at, fee, penalty, refund, until }: PolicySnapshot["tiers"][number]) {
  return (
    `{"cutoff_at":"${cutoff_at}","fee":${fee},"penalty":${penaltyText(penalty)},` +
    `"refund":${refund},"until":"${until}"}`
  );
}

function lateText({ cutoff_at, fee, penalty, refund }: LateRow): string {
  const end = cutoff_at === undefined ? "" : `"cutoff_at":${instantText(cutoff_at)},`;
  return `{${end}"fee":${fee},"penalty":${penaltyText(penalty)},"refund":${refund}}`;
}

function penaltyText(penalty: Penalty): string {
  if (penalty.kind === "none") return '{"kind":"none"}';
  return `{"bps":${penalty.bps},"kind":"percentage"}`;
}

function instantText(instant: string | null): string {
  return instant === null ? "null" : `"${instant}"`;
}
