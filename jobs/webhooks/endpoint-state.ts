/** An endpoint as the worker serves it: what is due, how it does, whether it has a place. */
import { Breaker } from "./breaker.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Reason } from "./reasons.ts";
import type { SentAttempt } from "./send.ts";
import { SendRate } from "./send-rate.ts";

/** Whoever fails or is slow has places of his own, and takes none of those who answer. */
export type Health = "healthy" | "troubled";

/** An attempt that took longer is slow. */
export const SLOW_MS = 1_000;
/** An endpoint that asks to be left alone is, for at most this long. */
const REST_MS_MAX = 900_000;
/** Whoever fails is tried again sooner: as long as the machine sleeps, nothing is in vain. */
const UNTRIED_MS_MAX = 2 * REST_MS_MAX;

export class EndpointState {
  endpoint: Endpoint;
  /** When its next delivery is due, engine time; null when none is. */
  nextDueAt: number | null = null;
  /** Without a place, waiting for one, or served. */
  place: "none" | "queued" | "served" = "none";
  /** Counts its jobs; names the one that waits. */
  slot = 0;
  /** When that was enqueued, steady clock. */
  queuedAtMs = 0;
  /** Deliveries that were taken and are not settled. */
  inFlight = 0;
  /** Since when nothing has succeeded that this process has tried; engine time. */
  failingSinceMs: number | null = null;
  lastReason: Reason | null = null;
  #failedAtMs = 0;
  readonly breaker = new Breaker();
  readonly pace = new SendRate();
  #isSlow = false;
  #whenChanged = Promise.withResolvers<void>();

  constructor(endpoint: Endpoint, isFailing: boolean) {
    this.endpoint = endpoint;
    this.#isSlow = isFailing;
  }

  get health(): Health {
    return this.breaker.isSound && !this.#isSlow ? "healthy" : "troubled";
  }

  /** Whether everything has failed for that long, and still does; engine time. */
  failsFor(spanMs: number, nowMs: number): boolean {
    if (this.failingSinceMs === null || nowMs - this.#failedAtMs > UNTRIED_MS_MAX) return false;
    return nowMs - this.failingSinceMs >= spanMs;
  }

  /** How many more may be sent now, of `share` at once. */
  room(share: number, nowMs: number): number {
    const { max_in_flight, max_per_s } = this.endpoint;
    const atOnce = Math.min(max_in_flight, share, this.breaker.inFlightMax(nowMs));
    return Math.min(Math.max(0, atOnce - this.inFlight), this.pace.free(max_per_s, nowMs));
  }

  /** Whether something is due, and may be sent. */
  isReady(engineMs: number, steadyMs: number): boolean {
    if (this.nextDueAt === null || this.nextDueAt > engineMs) return false;
    return this.room(this.endpoint.max_in_flight, steadyMs) >= 1;
  }

  /** Takes the endpoint as it is now. Whoever changed it wants it tried anew. */
  follow(endpoint: Endpoint): void {
    if (endpoint === this.endpoint) return;
    this.endpoint = endpoint;
    this.failingSinceMs = null;
    this.#isSlow = false;
    this.breaker.succeeded();
  }

  /** Takes note of an attempt; `atMs` is engine time, `nowMs` the steady clock. */
  noteAttempt({ ok, reason, status, latency_ms, retry_after_s }: SentAttempt, at: Instants): void {
    this.#isSlow = latency_ms > SLOW_MS;
    if (ok) {
      this.failingSinceMs = null;
      this.breaker.succeeded();
      return;
    }
    if (at.engineMs - this.#failedAtMs > UNTRIED_MS_MAX) this.failingSinceMs = null;
    this.failingSinceMs ??= at.engineMs;
    this.#failedAtMs = at.engineMs;
    this.lastReason = reason;
    // One payload that it does not like says nothing of the others.
    if (reason !== "payload_refused") this.breaker.failed(at.steadyMs);
    const asksForRest = status === 429 || status === 503;
    if (!asksForRest || retry_after_s === null) return;
    const restMs = Math.min(REST_MS_MAX, retry_after_s * 1_000);
    this.breaker.restUntil(at.steadyMs + restMs);
    // What it does not want meanwhile has not failed.
    this.failingSinceMs = null;
  }

  noteSlow(): void {
    this.#isSlow = true;
  }

  /** Wakes whoever serves it: something is settled, or due. */
  signal(): void {
    const { resolve } = this.#whenChanged;
    this.#whenChanged = Promise.withResolvers<void>();
    resolve();
  }

  /** True when something changes within the time. */
  async changes(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), withinMs);
    void this.#whenChanged.promise.then(() => resolve(true));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Instants {
  /** Engine time. */
  readonly engineMs: number;
  /** The process's steady clock. */
  readonly steadyMs: number;
}
