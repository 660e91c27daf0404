/** What a cancellation costs, read off the terms of a quote as a client reads them. */

/** The terms of a quote, as far as they say what a cancellation costs and when. */
export interface QuotedTerms {
  readonly captured_at: string;
  readonly tiers: readonly (CostRow & { readonly cutoff_at: string })[];
  readonly after_last_tier: CostRow;
  readonly no_show: CostRow;
}

interface CostRow {
  /** The row applies before this instant; null: it never ends. */
  readonly cutoff_at?: string | null;
  readonly penalty: { readonly kind: string };
  readonly fee: number;
}

/** The row that applies at an instant: the first whose cut-off is still ahead. */
export function rowAt(terms: QuotedTerms, atMs: number): CostRow {
  const { tiers, after_last_tier, no_show } = terms;
  const isAhead = ({ cutoff_at }: CostRow) => !cutoff_at || atMs < Date.parse(cutoff_at);
  return [...tiers, after_last_tier].find(isAhead) ?? no_show;
}

/** The instant up to which a cancellation is free; null when it is not free, or always free. */
export function freeUntil(terms: QuotedTerms): string | null {
  let untilMs: number | null = null;
  for (let atMs = Date.parse(terms.captured_at); ; ) {
    const { penalty, cutoff_at } = rowAt(terms, atMs);
    if (penalty.kind !== "none") return untilMs === null ? null : new Date(untilMs).toISOString();
    if (!cutoff_at) return null;
    untilMs = atMs = Date.parse(cutoff_at);
  }
}
