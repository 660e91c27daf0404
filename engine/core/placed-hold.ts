/**
 * A hold that was just placed, by far the most frequent thing that happens. What is told of it
 * follows from a few scalars and its quote, and is put into words when somebody asks.
 */
import { instantIso } from "./calendar.ts";
import type { SuccessOf } from "./outcomes.ts";
import type { FrozenQuote } from "./quote.ts";

/** What `hold.created` tells; `expires_at` is the instant on the wire. */
interface HoldCreatedData {
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  readonly expires_at: string;
}

/** The same with its instant as a number. */
export class PlacedHold implements HoldCreatedData {
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  readonly #expiresAtMs: number;

  constructor(holdId: string, quote: FrozenQuote, expiresAtMs: number) {
    this.hold_id = holdId;
    this.quote = quote;
    this.#expiresAtMs = expiresAtMs;
  }

  /** When a hold falls due, epoch milliseconds. */
  static expiresAtMs(data: HoldCreatedData): number {
    return data instanceof PlacedHold ? data.#expiresAtMs : Date.parse(data.expires_at);
  }

  get expires_at(): string {
    return instantIso(this.#expiresAtMs);
  }

  /** Member by member, as rows and clients see it. */
  toJSON(): HoldCreatedData {
    return { hold_id: this.hold_id, quote: this.quote, expires_at: this.expires_at };
  }
}

/**
 * The 201 of a placed hold. It follows from the journaled event and the other live holds alone, so
 * the journal stores only those (`row-codec.ts`), and replies carry no more.
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

  /** Member by member, as it is stored and told. */
  toJSON(): SuccessOf<"hold"> {
    const { ok, kind, trace_id, data } = this;
    return { ok, kind, trace_id, data };
  }
}
