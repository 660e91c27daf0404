/** What limits the sending to one endpoint: its failures, and its rate. */

/** Consecutive failures that open it. */
const FAILURES_MAX = 5;
const OPEN_MS_MIN = 1_000;
const OPEN_MS_MAX = 60_000;

/**
 * A circuit breaker: after several failures in a row it opens for a while, then allows one
 * delivery. If that fails too, it opens for longer.
 */
export class Breaker {
  #failures = 0;
  /** Duration of the last open period; 0 while closed. */
  #openMs = 0;
  #restsUntilMs = 0;

  /** True when the last attempt succeeded. */
  get isSound(): boolean {
    return this.#failures === 0;
  }

  /** Allowed deliveries in flight: none while open, then one until it succeeds. */
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
    // A delivery in flight since before it opened does not prolong the period.
    if (this.#failures < FAILURES_MAX || nowMs < this.#restsUntilMs) return;
    this.#openMs = Math.min(OPEN_MS_MAX, Math.max(OPEN_MS_MIN, 2 * this.#openMs));
    this.restUntil(nowMs + this.#openMs);
  }

  /** Stays open at least until then, as the receiver asked with `Retry-After`. */
  restUntil(untilMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
  }
}

const BURSTS_PER_S = 10;

/** Limits the deliveries per second to an endpoint, in bursts of a tenth of a second. */
export class SendRate {
  /** Time that the deliveries started so far account for; may be in the future. */
  #spentMs = Number.NEGATIVE_INFINITY;

  /** Deliveries that may start now; `perSecond` null: unlimited. */
  free(perSecond: number | null, nowMs: number): number {
    if (perSecond === null) return Number.POSITIVE_INFINITY;
    return Math.floor((nowMs - this.#from(perSecond, nowMs)) / stepMs(perSecond));
  }

  /** Counts deliveries that start. */
  take(count: number, perSecond: number | null, nowMs: number): void {
    if (perSecond === null) return;
    this.#spentMs = this.#from(perSecond, nowMs) + count * stepMs(perSecond);
  }

  /** Unused time is lost, except for one burst. */
  #from(perSecond: number, nowMs: number): number {
    const burst = Math.max(1, Math.floor(perSecond / BURSTS_PER_S));
    return Math.max(this.#spentMs, nowMs - burst * stepMs(perSecond));
  }
}

function stepMs(perSecond: number): number {
  return 1_000 / perSecond;
}
