/** Placed holds and their quotes as formats up to 5 wrote them: by position in a JSON array. */
import type { FrozenQuote } from "../../engine/core/quote.ts";
import { decodeRow } from "../../engine/core/row-codec.ts";

/** The quote by position. */
export function tupleOf(quote: FrozenQuote): readonly unknown[] {
  const { fees } = quote;
  return [
    ...[quote.quote_id, quote.agent_id, quote.property_id, quote.room_type_id],
    ...[quote.rate_plan_id, quote.stay.check_in, quote.guests.adults],
    quote.guests.children.map((child) => child.age),
    ...[quote.supply_version, quote.policy_version, quote.currency, quote.nightly],
    ...[quote.extra_adult, quote.sources, quote.room_subtotal, quote.total, quote.due_now],
    quote.due_at_property,
    fees.tiers.map((tier) => [tier.until_ms, tier.fee]),
    ...[fees.after, fees.no_show, fees.anchor],
    ...[quote.price_hash.slice("sha256:".length), quote.policy_hash.slice("sha256:".length)],
    ...[quote.created_at, quote.expires_at],
    ...(quote.edition === undefined ? [] : [quote.edition]),
  ];
}

/** The line of a row as it would have been; only those of placed holds were another. */
export function formerLine(line: string): string {
  const { key, events, outcome, ...row } = decodeRow(line);
  const [event] = events;
  const isPlaced = !line.startsWith("{") && event?.type === "hold.created";
  if (!isPlaced || !key || !outcome?.ok || outcome.kind !== "hold") return line;
  const { hold_id, quote, expires_at } = event.data;
  return JSON.stringify([
    ...[1, row.row, row.stamp, row.tenant_id, row.mode, row.actor.kind, row.actor.id],
    ...[row.trace_id, key.key, key.body_hash, event.seq, hold_id, Date.parse(expires_at)],
    ...[tupleOf(quote), outcome.data.other_live_holds],
  ]);
}
