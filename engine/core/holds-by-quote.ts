/**
 * Open holds by their quotes. Nearly every quote has one at most, which costs no list.
 * Kept only where decisions are made.
 */
import { assert } from "./assert.ts";
import type { Hold } from "./records.ts";

const NONE: readonly Hold[] = [];

export class HoldsByQuote {
  readonly #holds = new Map<string, Hold | Hold[]>();

  /** The open holds on a quote, oldest first. */
  of(quoteId: string): readonly Hold[] {
    const found = this.#holds.get(quoteId);
    if (found === undefined) return NONE;
    return Array.isArray(found) ? found : [found];
  }

  add(hold: Hold): void {
    const { quote_id } = hold.quote;
    const found = this.#holds.get(quote_id);
    if (found === undefined) this.#holds.set(quote_id, hold);
    else if (Array.isArray(found)) found.push(hold);
    else this.#holds.set(quote_id, [found, hold]);
  }

  /** One that is open no more. */
  remove(hold: Hold): void {
    const { quote_id } = hold.quote;
    const found = this.of(quote_id);
    assert(found.includes(hold), "an open hold is found by its quote");
    const left = found.filter((other) => other !== hold);
    if (left.length === 0) this.#holds.delete(quote_id);
    else this.#holds.set(quote_id, left.length === 1 ? left[0]! : left);
  }

  /** How many quotes have an open hold. */
  get size(): number {
    return this.#holds.size;
  }
}
