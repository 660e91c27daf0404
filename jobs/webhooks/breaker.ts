/**
 * A circuit breaker: whoever has failed several times in a row is left alone for a while, then
 * tried with one delivery, and left alone for longer when that fails too.
 */

/** This many failures in a row open it. */
const FAILURES_MAX = 5;
const OPEN_MS_MIN = 1_000;
const OPEN_MS_MAX = 60_000;

export class Breaker {
  #failures = 0;
  /** How long it was open last; 0 while it is closed. */
  #openMs = 0;
  #restsUntilMs = 0;

  /** True while nothing has failed since the last success. */
  get isSound(): boolean {
    return this.#failures === 0;
  }

  /** How many may be under way at once: none while it is open, then one until that succeeds. */
  inFlightMax(nowMs: number): number {
    if (nowMs < this.#restsUntilMs) return 0;
    return this.#openMs > 0 ? 1 : Number.POSITIVE_INFINITY;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openMs = 0;
    this.#restsUntilMs = 0;
  }

  failed(nowMs: number): void {
    this.#failures += 1;
    // What was under way when it opened says nothing new.
    if (this.#failures < FAILURES_MAX || nowMs < this.#restsUntilMs) return;
    this.#openMs = Math.min(OPEN_MS_MAX, Math.max(OPEN_MS_MIN, 2 * this.#openMs));
    this.restUntil(nowMs + this.#openMs);
  }

  /** Leaves it alone until then at least: it has asked for that. */
  restUntil(untilMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
  }
}
