/** Until when cancelling costs nothing, read off a quote's table of terms as a client reads it. */

/** The terms of a quote, as far as they say what a cancellation costs and when. */
export interface QuotedTerms {
  readonly anchor: string;
  readonly captured_at: string;
  readonly tiers: readonly { readonly cutoff_at: string; readonly penalty: Penalty }[];
  readonly after_last_tier: { readonly penalty: Penalty };
  readonly no_show: { readonly penalty: Penalty };
}

interface Penalty {
  readonly kind: string;
}

/** The instant up to which every row that is still ahead takes nothing; null: none, or for ever. */
export function freeUntil(terms: QuotedTerms): string | null {
  const rows = [
    ...terms.tiers.map(({ cutoff_at, penalty }) => [cutoff_at, penalty] as const),
    [terms.anchor, terms.after_last_tier.penalty] as const,
  ].map(([until, penalty]) => ({ untilMs: Date.parse(until), isFree: penalty.kind === "none" }));
  const ahead = rows.filter(({ untilMs }) => untilMs > Date.parse(terms.captured_at));
  const firstCost = ahead.findIndex(({ isFree }) => !isFree);
  const isFreeForEver = firstCost < 0 && terms.no_show.penalty.kind === "none";
  const lastFree = isFreeForEver ? undefined : ahead.at(firstCost < 0 ? -1 : firstCost - 1);
  if (firstCost === 0 || lastFree === undefined) return null;
  return new Date(lastFree.untilMs).toISOString();
}
