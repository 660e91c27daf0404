/** The worker's state of an endpoint: due work, health, and whether it is served. */

import type { Endpoint } from "../endpoint.ts";
import type { Reason, SentAttempt } from "../store/delivery.ts";
import { Breaker, SendRate } from "./endpoint-limits.ts";

/** Failing and slow endpoints have their own slots, so that they do not delay healthy ones. */
export type Health = "healthy" | "troubled";

/** A longer attempt makes its endpoint slow. */
export const SLOW_MS = 1_000;
/** Limit of the rest that an endpoint can ask for. */
const REST_MS_MAX = 900_000;
/** Failing endpoints are tried more often. A longer gap means that the machine was asleep. */
const UNTRIED_MS_MAX = 2 * REST_MS_MAX;

export class ServedEndpoint {
  endpoint: Endpoint;
  /** When its next delivery is due, engine time; null without one. */
  nextDueAt: number | null = null;
  /** The health whose slot it has while it is served; null otherwise. */
  slot: Health | null = null;
  /** Deliveries that are taken and not settled. */
  inFlight = 0;
  /** First failure without a later success in this process; engine time. */
  failingSinceMs: number | null = null;
  lastReason: Reason | null = null;
  #failedAtMs = 0;
  readonly breaker = new Breaker();
  readonly rate = new SendRate();
  #isSlow = false;
  #whenChanged = Promise.withResolvers<void>();

  constructor(endpoint: Endpoint, isFailing: boolean) {
    this.endpoint = endpoint;
    this.#isSlow = isFailing;
  }

  get health(): Health {
    return this.breaker.isSound && !this.#isSlow ? "healthy" : "troubled";
  }

  /** Whether every attempt failed during the last `spanMs`; engine time. */
  failsFor(spanMs: number, nowMs: number): boolean {
    if (this.failingSinceMs === null || nowMs - this.#failedAtMs > UNTRIED_MS_MAX) return false;
    return nowMs - this.failingSinceMs >= spanMs;
  }

  /** How many more may be sent now, at most `share` in flight. */
  room(share: number, nowMs: number): number {
    const { max_in_flight, max_per_s } = this.endpoint;
    const atOnce = Math.min(max_in_flight, share, this.breaker.inFlightMax(nowMs));
    return Math.min(Math.max(0, atOnce - this.inFlight), this.rate.free(max_per_s, nowMs));
  }

  /** Whether a delivery is due and may be sent. */
  isReady(engineMs: number, steadyMs: number): boolean {
    if (this.nextDueAt === null || this.nextDueAt > engineMs) return false;
    return this.room(this.endpoint.max_in_flight, steadyMs) >= 1;
  }

  /** Takes a changed endpoint and forgets its failures: the change may have fixed them. */
  follow(endpoint: Endpoint): void {
    if (endpoint === this.endpoint) return;
    this.endpoint = endpoint;
    this.failingSinceMs = null;
    this.#isSlow = false;
    this.breaker.succeeded();
  }

  /** Records the result of an attempt. */
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
    // A refused payload is not a failure of the endpoint.
    if (reason !== "payload_refused") this.breaker.failed(at.steadyMs);
    const asksForRest = status === 429 || status === 503;
    if (!asksForRest || retry_after_s === null) return;
    const restMs = Math.min(REST_MS_MAX, retry_after_s * 1_000);
    this.breaker.restUntil(at.steadyMs + restMs);
    // A requested rest does not count as failing.
    this.failingSinceMs = null;
  }

  noteSlow(): void {
    this.#isSlow = true;
  }

  /** Wakes the process that serves it: a delivery is settled or due. */
  signal(): void {
    const { resolve } = this.#whenChanged;
    this.#whenChanged = Promise.withResolvers<void>();
    resolve();
  }

  /** True when `signal` is called within the time. */
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
