/** What the processes of the search part are told, and what they tell. */

/** To put a tenant on sale. */
export interface SearchFill {
  /** Of the journal, which is there or is made. */
  readonly directory: string;
  readonly lanes: number;
  readonly tenant_id: string;
  readonly properties: number;
  /** Also the property of twenty room types. */
  readonly hasGrand: boolean;
}

/** Lines that are printed. */
export const FILL_STEPS = 10;
/** Tenths, and the indexes after them. */
export const PEER_FILL_STEPS = 11;
export const IMPORT_STEPS = 10;

/** To search it, without anything around. */
export interface SearchCore {
  readonly journal: string;
  readonly tenant_id: string;
}

export const SEARCHES = ["all", "large", "small", "one"] as const;
export type Searched = (typeof SEARCHES)[number];

export const CHANGES = ["hold", "release", "cell", "month"] as const;
export type Change = (typeof CHANGES)[number];

/** What one process came to. */
export interface CoreRun {
  /** Until the first search could be answered, of which the index took the rest. */
  readonly startSeconds: number;
  readonly indexSeconds: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  /** CPU of one search, microseconds, the median; and how many properties it found. */
  readonly searches: Readonly<
    Record<Searched, { readonly micros: number; readonly found: number }>
  >;
  /** CPU that a change costs because the index is kept, microseconds a night. */
  readonly changes: Readonly<Record<Change, number>>;
}
