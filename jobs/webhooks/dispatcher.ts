/**
 * Finds endpoints with due deliveries in the durable rows and enqueues them. Redis may lose a job
 * at any time: an endpoint that waits too long is enqueued again.
 *
 * Invariants: an endpoint has at most one slot. The endpoints of a tenant have at most a quarter of
 * the slots of their health, so no tenant delays the others.
 */
import { randomBytes } from "node:crypto";
import { every, type Service } from "../../engine/shell/service.ts";
import { isBusy } from "../store-file.ts";
import type { Claims } from "./claims.ts";
import type { Endpoint, EndpointBook } from "./endpoint.ts";
import { EndpointState, type Health } from "./endpoint-state.ts";
import { SERVED_MAX } from "./queue.ts";
import type { Reason } from "./reasons.ts";

const POLL_EVERY_MS = 100;
/** A job that was not taken by then counts as lost. */
const LOST_AFTER_MS = 3_000;
/** Waiting for a busy file blocks the process, so the next try is later. */
const BUSY_REST_MS = 100;
const TROUBLE_REST_MS = 1_000;
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
  readonly enqueue: (health: Health, endpointId: string, slot: string) => Promise<void>;
  readonly serve: (endpointState: EndpointState, share: number) => Promise<void>;
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
  /** Distinguishes the job ids of this process from those of the last one. */
  readonly #run = randomBytes(4).toString("hex");
  #endpoints: readonly Endpoint[] = [];
  #endpointStates = new Map<string, EndpointState>();
  /** Endpoints with a delivery due now or later, or with a slot; least recently served first. */
  readonly #busy = new Set<EndpointState>();
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

  get endpointStates(): Iterable<EndpointState> {
    return this.#endpointStates.values();
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
      const endpointState = this.#endpointStates.get(id);
      if (!endpointState) continue;
      this.#refresh(endpointState);
      endpointState.signal();
    }
    this.#fill();
  }

  /** Serves an endpoint unless it is served already, unknown or stopped. */
  async serve(endpointId: string): Promise<void> {
    const endpointState = this.#endpointStates.get(endpointId);
    if (!endpointState || endpointState.phase === "served" || this.#isStopped) return;
    endpointState.phase = "served";
    const served = [...this.#busy].filter(({ phase }) => phase === "served").length;
    try {
      const share = Math.max(IN_FLIGHT_MAX / SERVED_MAX, Math.floor(IN_FLIGHT_MAX / served));
      await this.#options.serve(endpointState, share);
    } catch (error) {
      this.#rest(error);
    } finally {
      endpointState.phase = "none";
      this.#busy.delete(endpointState);
      this.nudge([endpointId]);
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
    const followed = all.map((endpoint): [string, EndpointState] => {
      const { endpoint_id } = endpoint;
      const known = this.#endpointStates.get(endpoint_id);
      if (!known) return [endpoint_id, new EndpointState(endpoint, claims.isFailing(endpoint_id))];
      known.follow(endpoint);
      return [endpoint_id, known];
    });
    this.#endpointStates = new Map(followed);
    for (const endpointState of this.#busy) {
      if (!this.#endpointStates.has(endpointState.endpoint.endpoint_id))
        this.#busy.delete(endpointState);
    }
    this.#findDue();
    // Set last: after an error the next call reads again.
    this.#endpoints = all;
    return true;
  }

  /** Finds each endpoint's next due time, and the endpoints to close. */
  #findDue(): void {
    for (const endpointState of this.endpointStates) this.#refresh(endpointState);
    this.#findClosing();
  }

  #refresh(endpointState: EndpointState): void {
    const { endpoint_id, state } = endpointState.endpoint;
    endpointState.nextDueAt =
      state === "active" ? this.#options.claims.nextDueAt(endpoint_id) : null;
    if (endpointState.nextDueAt !== null) this.#busy.add(endpointState);
    else if (endpointState.phase === "none") this.#busy.delete(endpointState);
  }

  #findClosing(): void {
    const open = this.#options.claims.endpointsWithOpen();
    const isClosed = (id: string) => this.#endpointStates.get(id)?.endpoint.state ?? "disabled";
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
    for (const endpointState of this.endpointStates) {
      const { endpoint, lastReason } = endpointState;
      if (endpoint.state !== "active" || lastReason === null) continue;
      if (!endpointState.failsFor(spanMs, nowMs)) continue;
      const why = {
        state: "dead_lettered",
        reason: lastReason,
        dueBefore: nowMs - spanMs,
      } as const;
      if (given(endpoint.endpoint_id, { ...terms, ...why }) > 0) return;
    }
    for (const id of this.#closing) {
      const state = this.#endpointStates.has(id) ? "dead_lettered" : "cancelled";
      const why = { state, reason: "endpoint_disabled", dueBefore: null } as const;
      if (given(id, { ...terms, ...why }) > 0) return;
      this.#closing.delete(id);
    }
  }

  /** Enqueues endpoints with due deliveries while their tenants have free slots. */
  #fill(): void {
    const { now } = this.#options;
    const [nowMs, steadyMs] = [now(), performance.now()];
    if (steadyMs < this.#restsUntilMs) return;
    const taken = new Map<string, number>();
    const places = ({ endpoint, health }: EndpointState) => `${health} ${endpoint.tenant_id}`;
    for (const endpointState of this.#busy) {
      if (endpointState.phase === "none") continue;
      taken.set(places(endpointState), (taken.get(places(endpointState)) ?? 0) + 1);
      const isLost = steadyMs - endpointState.queuedAtMs > LOST_AFTER_MS;
      if (endpointState.phase === "queued" && isLost) this.#enqueue(endpointState, steadyMs);
    }
    for (const endpointState of this.#busy) {
      if (endpointState.phase !== "none" || !endpointState.isReady(nowMs, steadyMs)) continue;
      const count = taken.get(places(endpointState)) ?? 0;
      if (count >= PER_TENANT_MAX) continue;
      taken.set(places(endpointState), count + 1);
      endpointState.slot += 1;
      this.#enqueue(endpointState, steadyMs);
    }
  }

  #enqueue(endpointState: EndpointState, steadyMs: number): void {
    const { enqueue, onError } = this.#options;
    endpointState.phase = "queued";
    endpointState.queuedAtMs = steadyMs;
    const { health, slot } = endpointState;
    enqueue(health, endpointState.endpoint.endpoint_id, `${this.#run}-${slot}`).catch(onError);
  }
}
