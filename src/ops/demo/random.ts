/**
 * Deterministic randomness: every draw and id follows from a text seed, so demo data is the same on
 * every machine.
 */
import { randomUUIDv5 } from "bun";

/** Root of all demo ids; any fixed uuid would do. */
const DEMO_NAMESPACE = "6f1d1c3e-58f4-5d0f-9d1b-2a6f0c9b7e11";

/**
 * Name-based uuid (RFC 9562 §5.5) of the parts. Parts must not contain a slash, which separates
 * them.
 */
export function demoUuid(...parts: readonly (string | number)[]): string {
  return randomUUIDv5(parts.join("/"), DEMO_NAMESPACE);
}

/** FNV-1a, 32 bits: spreads texts that differ in one character over the whole seed space. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** Deterministic draws (mulberry32). One instance per property, so that draws never interleave. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hashText(seed);
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  }

  /** Uniform integer from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One element; throws on an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("cannot pick from an empty list");
    return items[this.int(0, items.length - 1)]!;
  }

  /** `count` different elements in their original order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const kept: T[] = [];
    items.forEach((item, position) => {
      const wanted = count - kept.length;
      if (this.next() * (items.length - position) < wanted) kept.push(item);
    });
    return kept;
  }
}
