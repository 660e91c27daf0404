/** What a command that changes a booking carries. */
import type { EncryptedFields, GuestHashes } from "./parties.ts";
import type { FrozenQuote, QuoteRequest } from "./price/quote.ts";
import type { Difference } from "./refund-words.ts";

/** Of the stay, with the price that it comes to. */
export interface StayChange {
  /** The stay that was asked for, with ids. */
  readonly request: QuoteRequest;
  /** The new price and terms as they would be charged; null when `difference` does not fit. */
  readonly quote: FrozenQuote | null;
  readonly difference: Difference | null;
  /** The present price of the new stay, and its nights. */
  readonly priced: { readonly total: number; readonly nights: number };
  /**
   * Until when the booking's terms allow a change, epoch milliseconds; null for never. A
   * difference by the property overrides them.
   */
  readonly allowed_until_ms: number | null;
}

/** Of the guest's data. */
export interface GuestChange {
  readonly encrypted: EncryptedFields;
  /** Absent when the guest's name and address are kept. */
  readonly hashes?: GuestHashes;
  readonly wrapped_key: string;
}
