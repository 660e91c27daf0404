/** Commands on their way to the engine: late, in any order, more than once, and never lost. */
import type { Message } from "./provider.ts";
import type { Random } from "./random.ts";

export class Transport {
  readonly #random: Random;
  #messages: Message[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** When the earliest message is ready, engine time; undefined when none is on its way. */
  get nextAt(): number | undefined {
    if (this.#messages.length === 0) return undefined;
    return Math.min(...this.#messages.map(({ at }) => at));
  }

  put(...messages: readonly Message[]): void {
    this.#messages.push(...messages);
  }

  /** Engine time went back: what is on its way is as near as before. */
  setBack(ms: number): void {
    this.#messages = this.#messages.map((each) => ({ ...each, at: each.at - ms }));
  }

  /** Takes at most `max` of what is ready; some of it stays on the way as well, to come again. */
  take(max: number, now: number): Message[] {
    const ready = this.#messages.filter(({ at }) => at <= now);
    const batch: Message[] = [];
    while (ready.length > 0 && batch.length < max) {
      batch.push(...ready.splice(this.#random.below(ready.length), 1));
    }
    const copied = new Set(batch.filter(() => this.#random.chance(8)));
    this.#messages = this.#messages.filter((each) => !batch.includes(each) || copied.has(each));
    return batch;
  }
}
