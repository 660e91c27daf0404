/** Limits the deliveries per second to an endpoint, in bursts of a tenth of a second. */
const BURSTS_PER_S = 10;

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
