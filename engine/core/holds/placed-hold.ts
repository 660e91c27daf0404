/**
 * A hold that was just placed, by far the most frequent event. Its data follow from a few scalars
 * and its quote, and are rendered only on demand.
 */
import { instantIso } from "../calendar.ts";
import type { SuccessOf } from "../outcomes.ts";
import type { FrozenQuote } from "../price/quote.ts";

/** The data of `hold.created`; `expires_at` is an instant of the wire. */
interface HoldCreatedData {
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  readonly expires_at: string;
}

/** The same with the instant as a number. */
export class PlacedHold implements HoldCreatedData {
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  readonly #expiresAtMs: number;

  constructor(holdId: string, quote: FrozenQuote, expiresAtMs: number) {
    this.hold_id = holdId;
    this.quote = quote;
    this.#expiresAtMs = expiresAtMs;
  }

  /** When the hold expires, epoch milliseconds. */
  static expiresAtMs(data: HoldCreatedData): number {
    return data instanceof PlacedHold ? data.#expiresAtMs : Date.parse(data.expires_at);
  }

  get expires_at(): string {
    return instantIso(this.#expiresAtMs);
  }

  /** The members in the order of rows and clients. */
  toJSON(): HoldCreatedData {
    return { hold_id: this.hold_id, quote: this.quote, expires_at: this.expires_at };
  }
}

/**
 * The 201 of a placed hold. It follows from the journaled event and the other live holds, so the
 * journal stores only those (`row-codec.ts`).
 */
export class PlacedOutcome implements SuccessOf<"hold"> {
  readonly ok = true;
  readonly kind = "hold";
  readonly trace_id: string;
  readonly hold: PlacedHold;
  readonly seq: number;
  /** The agent's other live holds on the quote. */
  readonly others: readonly string[];

  constructor(traceId: string, hold: PlacedHold, seq: number, others: readonly string[]) {
    this.trace_id = traceId;
    this.hold = hold;
    this.seq = seq;
    this.others = others;
  }

  get data(): SuccessOf<"hold">["data"] {
    const { hold_id, quote, expires_at } = this.hold;
    return {
      hold_id,
      quote_id: quote.quote_id,
      state: "held",
      expires_at,
      property_id: quote.property_id,
      room_type_id: quote.room_type_id,
      stay: quote.stay,
      seq: this.seq,
      other_live_holds: this.others,
    };
  }

  /** The members in the stored order. */
  toJSON(): SuccessOf<"hold"> {
    const { ok, kind, trace_id, data } = this;
    return { ok, kind, trace_id, data };
  }
}
