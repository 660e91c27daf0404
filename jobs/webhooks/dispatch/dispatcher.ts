/**
 * Finds endpoints with due deliveries in the durable rows and serves them, the least recently
 * served first.
 *
 * Invariants: an endpoint has at most one slot. The endpoints of a tenant have at most a quarter of
 * the slots of their health, so no tenant delays the others.
 */
import { every, type Service } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";
import type { Endpoint, EndpointBook } from "../endpoint.ts";
import type { Claims } from "../store/claims.ts";
import type { Reason } from "../store/delivery.ts";
import { type Health, ServedEndpoint } from "./served-endpoint.ts";

const POLL_EVERY_MS = 100;
/** Waiting for a busy file blocks the process, so the next try is later. */
const BUSY_REST_MS = 100;
const TROUBLE_REST_MS = 1_000;
/** Endpoints served at once, per health. */
const SERVED_MAX = 64;
const PER_TENANT_MAX = SERVED_MAX / 4;
/** Deliveries in flight per health, shared by the endpoints being served. */
const IN_FLIGHT_MAX = 4 * SERVED_MAX;
/** Deliveries given up in one transaction. */
const GIVEN_UP_MAX = 200;

export interface DispatcherOptions {
  readonly claims: Claims;
  readonly book: Pick<EndpointBook, "all" | "refresh">;
  /** How long a delivery is retried, milliseconds. */
  readonly spanMs: number;
  /** Resolves when the slot is free again. */
  readonly serve: (served: ServedEndpoint, share: number) => Promise<void>;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Called with the number of new dead letters. */
  readonly onGivenUp: (reason: Reason, count: number) => void;
  readonly onError: (error: unknown) => void;
}

export class Dispatcher implements Service {
  readonly id = "webhook dispatcher";
  readonly #options: DispatcherOptions;
  readonly #timer = every(this.id, POLL_EVERY_MS, () => this.#poll());
  #endpoints: readonly Endpoint[] = [];
  #servedEndpoints = new Map<string, ServedEndpoint>();
  /** Endpoints with a delivery due now or later, or with a slot; least recently served first. */
  readonly #busy = new Set<ServedEndpoint>();
  /** Disabled and deleted endpoints that may have open deliveries. */
  #closing = new Set<string>();
  #dataVersion = -1;
  #restsUntilMs = 0;
  /** Logged once, until the next success. */
  #lastError = "";
  #isStopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  get servedEndpoints(): Iterable<ServedEndpoint> {
    return this.#servedEndpoints.values();
  }

  /** Reclaims the deliveries that the last worker had in flight, then looks for due ones. */
  start(): void {
    const { claims, now } = this.#options;
    claims.reclaim(now());
    this.#timer.start();
  }

  drain(): void {
    this.#isStopped = true;
    this.#timer.stop();
  }

  stop(): void {
    this.drain();
  }

  /**
   * These endpoints may have due deliveries. Applies changes of endpoints first, so that an
   * endpoint that was paused meanwhile gets nothing.
   */
  nudge(endpointIds: Iterable<string>): void {
    if (this.#isStopped) return;
    this.#follow(this.#options.book.all());
    for (const id of endpointIds) {
      const served = this.#servedEndpoints.get(id);
      if (!served) continue;
      this.#refresh(served);
      served.signal();
    }
    this.#fill();
  }

  /** Serves an endpoint that has a slot, and frees the slot. */
  async #serve(served: ServedEndpoint): Promise<void> {
    // It may have been deleted since it got the slot.
    if (this.#isStopped || !this.#busy.has(served)) return;
    const busy = [...this.#busy].filter(({ slot }) => slot !== null).length;
    try {
      const share = Math.max(IN_FLIGHT_MAX / SERVED_MAX, Math.floor(IN_FLIGHT_MAX / busy));
      await this.#options.serve(served, share);
    } catch (error) {
      this.#rest(error);
    } finally {
      served.slot = null;
      this.#busy.delete(served);
      this.nudge([served.endpoint.endpoint_id]);
    }
  }

  /** The file is busy or the disk full: due deliveries are found again later. */
  #rest(error: unknown): void {
    const restMs = isBusy(error) ? BUSY_REST_MS : TROUBLE_REST_MS;
    this.#restsUntilMs = performance.now() + restMs;
    const text = isBusy(error) ? this.#lastError : String(error);
    if (text !== this.#lastError) this.#options.onError(error);
    this.#lastError = text;
  }

  #poll(): void {
    if (performance.now() < this.#restsUntilMs) return;
    try {
      const { book, claims } = this.#options;
      const version = claims.dataVersion();
      // An operator made deliveries due, maybe after a change of the endpoint.
      const isWritten = version !== this.#dataVersion;
      if (isWritten) book.refresh();
      // An unchanged version may also mean a restored file.
      if (!this.#follow(book.all()) && isWritten) this.#findDue();
      this.#dataVersion = version;
      this.#giveUp();
      this.#fill();
      this.#lastError = "";
    } catch (error) {
      this.#rest(error);
    }
  }

  /** False when no endpoint has changed. */
  #follow(all: readonly Endpoint[]): boolean {
    if (all === this.#endpoints) return false;
    const { claims } = this.#options;
    const followed = all.map((endpoint): [string, ServedEndpoint] => {
      const { endpoint_id } = endpoint;
      const known = this.#servedEndpoints.get(endpoint_id);
      if (!known) return [endpoint_id, new ServedEndpoint(endpoint, claims.isFailing(endpoint_id))];
      known.follow(endpoint);
      return [endpoint_id, known];
    });
    this.#servedEndpoints = new Map(followed);
    for (const served of this.#busy) {
      if (!this.#servedEndpoints.has(served.endpoint.endpoint_id)) this.#busy.delete(served);
    }
    this.#findDue();
    // Set last: after an error the next call reads again.
    this.#endpoints = all;
    return true;
  }

  /** Finds each endpoint's next due time, and the endpoints to close. */
  #findDue(): void {
    for (const served of this.servedEndpoints) this.#refresh(served);
    this.#findClosing();
  }

  #refresh(served: ServedEndpoint): void {
    const { endpoint_id, state } = served.endpoint;
    served.nextDueAt = state === "active" ? this.#options.claims.nextDueAt(endpoint_id) : null;
    if (served.nextDueAt !== null) this.#busy.add(served);
    else if (served.slot === null) this.#busy.delete(served);
  }

  #findClosing(): void {
    const open = this.#options.claims.endpointsWithOpen();
    const isClosed = (id: string) => this.#servedEndpoints.get(id)?.endpoint.state ?? "disabled";
    this.#closing = new Set(open.filter((id) => isClosed(id) === "disabled"));
  }

  /** Gives up a slice of deliveries: of closed endpoints, and those that failed for `spanMs`. */
  #giveUp(): void {
    const { claims, spanMs, now, onGivenUp } = this.#options;
    const nowMs = now();
    const given = (endpointId: string, terms: Parameters<Claims["giveUp"]>[1]) => {
      const { length } = claims.giveUp(endpointId, terms);
      if (length > 0 && terms.state === "dead_lettered") onGivenUp(terms.reason, length);
      return length;
    };
    const terms = { limit: GIVEN_UP_MAX, nowMs };
    for (const served of this.servedEndpoints) {
      const { endpoint, lastReason } = served;
      if (endpoint.state !== "active" || lastReason === null) continue;
      if (!served.failsFor(spanMs, nowMs)) continue;
      const why = {
        state: "dead_lettered",
        reason: lastReason,
        dueBefore: nowMs - spanMs,
      } as const;
      if (given(endpoint.endpoint_id, { ...terms, ...why }) > 0) return;
    }
    for (const id of this.#closing) {
      const state = this.#servedEndpoints.has(id) ? "dead_lettered" : "cancelled";
      const why = { state, reason: "endpoint_disabled", dueBefore: null } as const;
      if (given(id, { ...terms, ...why }) > 0) return;
      this.#closing.delete(id);
    }
  }

  /** Serves endpoints with due deliveries while there are slots, and their tenants have some. */
  #fill(): void {
    const [nowMs, steadyMs] = [this.#options.now(), performance.now()];
    if (steadyMs < this.#restsUntilMs) return;
    const taken = new Map<string, number>();
    const countOf = (key: string) => taken.get(key) ?? 0;
    const take = (health: Health, { tenant_id }: Endpoint) => {
      for (const key of [health, `${health} ${tenant_id}`]) taken.set(key, countOf(key) + 1);
    };
    for (const { slot, endpoint } of this.#busy) if (slot !== null) take(slot, endpoint);
    for (const served of this.#busy) {
      const { slot, health, endpoint } = served;
      if (slot !== null || !served.isReady(nowMs, steadyMs)) continue;
      if (countOf(health) >= SERVED_MAX) continue;
      if (countOf(`${health} ${endpoint.tenant_id}`) >= PER_TENANT_MAX) continue;
      take(health, endpoint);
      served.slot = health;
      // A turn of its own: many at once would block the process.
      setImmediate(() => void this.#serve(served));
    }
  }
}
