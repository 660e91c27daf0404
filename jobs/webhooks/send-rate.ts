/** Bounds how many deliveries to an endpoint start in a second, in bursts of a tenth of one. */
const BURSTS_PER_S = 10;

export class SendRate {
  /** When the last of those that have started was allowed to. */
  #spentMs = Number.NEGATIVE_INFINITY;

  /** How many may start now; `perSecond` of null is no bound. */
  free(perSecond: number | null, nowMs: number): number {
    if (perSecond === null) return Number.POSITIVE_INFINITY;
    return Math.floor((nowMs - this.#from(perSecond, nowMs)) / stepMs(perSecond));
  }

  /** Notes that so many start. */
  take(count: number, perSecond: number | null, nowMs: number): void {
    if (perSecond === null) return;
    this.#spentMs = this.#from(perSecond, nowMs) + count * stepMs(perSecond);
  }

  /** What was not spent is lost but for a burst. */
  #from(perSecond: number, nowMs: number): number {
    const burst = Math.max(1, Math.floor(perSecond / BURSTS_PER_S));
    return Math.max(this.#spentMs, nowMs - burst * stepMs(perSecond));
  }
}

function stepMs(perSecond: number): number {
  return 1_000 / perSecond;
}
