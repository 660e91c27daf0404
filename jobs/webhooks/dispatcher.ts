/**
 * Finds which endpoints have something due, by the durable rows, and has them served. Redis may
 * lose what it was told at any time: who has waited too long is enqueued again.
 *
 * Maintained invariants: an endpoint has at most one place; the endpoints of one tenant have at
 * most a quarter of the places of their health, so no tenant keeps another waiting.
 */
import { randomBytes } from "node:crypto";
import { every, type Service } from "../../engine/shell/service.ts";
import { isBusy } from "../store-file.ts";
import type { Claims } from "./claims.ts";
import type { Endpoint, EndpointBook } from "./endpoint.ts";
import { EndpointState, type Health } from "./endpoint-state.ts";
import { PLACES } from "./queue.ts";
import type { Reason } from "./reasons.ts";

const LOOK_EVERY_MS = 100;
/** A job that was not taken by then may be lost. */
const LOST_AFTER_MS = 3_000;
/** Whoever waits for the file holds the process up, so it is not asked again at once. */
const BUSY_REST_MS = 100;
const TROUBLE_REST_MS = 1_000;
const PER_TENANT_MAX = PLACES / 4;
/** Deliveries under way at once, of each health; whoever is served has some of them. */
const IN_FLIGHT_MAX = 4 * PLACES;
/** Deliveries given up in one transaction. */
const GIVEN_UP_MAX = 200;

export interface DispatcherOptions {
  readonly claims: Claims;
  readonly book: Pick<EndpointBook, "all" | "refresh">;
  /** How long a delivery is tried, milliseconds. */
  readonly spanMs: number;
  readonly enqueue: (health: Health, endpointId: string, slot: string) => Promise<void>;
  readonly serve: (outlet: EndpointState, share: number) => Promise<void>;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** So many have died of it. */
  readonly onGivenUp: (reason: Reason, count: number) => void;
  readonly onError: (error: unknown) => void;
}

export class Dispatcher implements Service {
  readonly id = "webhook dispatcher";
  readonly #options: DispatcherOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.#look());
  /** Tells the slots of this process from those of its predecessor. */
  readonly #run = randomBytes(4).toString("hex");
  #endpoints: readonly Endpoint[] = [];
  #outlets = new Map<string, EndpointState>();
  /** Those that have something due, now or later, or a place: who was served last comes last. */
  readonly #busy = new Set<EndpointState>();
  /** Endpoints to which nothing is sent any more, and which may have open deliveries. */
  #closing = new Set<string>();
  #dataVersion = -1;
  #restsUntilMs = 0;
  /** Told once, until all goes well again. */
  #lastError = "";
  #isStopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  get outlets(): Iterable<EndpointState> {
    return this.#outlets.values();
  }

  /** Takes up what a former worker had under way, and looks for what is due from now on. */
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
   * These may have something new that is due. By then the book knows what was changed before that
   * came, and nothing is sent against it: not to an endpoint that was paused meanwhile.
   */
  nudge(endpointIds: Iterable<string>): void {
    if (this.#isStopped) return;
    this.#follow(this.#options.book.all());
    for (const id of endpointIds) {
      const outlet = this.#outlets.get(id);
      if (!outlet) continue;
      this.#refresh(outlet);
      outlet.signal();
    }
    this.#fill();
  }

  /** Serves an endpoint, once at a time; what is not due any more, or unknown, is left. */
  async serve(endpointId: string): Promise<void> {
    const outlet = this.#outlets.get(endpointId);
    if (!outlet || outlet.place === "served" || this.#isStopped) return;
    outlet.place = "served";
    const served = [...this.#busy].filter(({ place }) => place === "served").length;
    try {
      const share = Math.max(IN_FLIGHT_MAX / PLACES, Math.floor(IN_FLIGHT_MAX / served));
      await this.#options.serve(outlet, share);
    } catch (error) {
      this.#rest(error);
    } finally {
      outlet.place = "none";
      this.#busy.delete(outlet);
      this.nudge([endpointId]);
    }
  }

  /** Another process is writing, or the disk is full: what is due is found due again. */
  #rest(error: unknown): void {
    const restMs = isBusy(error) ? BUSY_REST_MS : TROUBLE_REST_MS;
    this.#restsUntilMs = performance.now() + restMs;
    const text = isBusy(error) ? this.#lastError : String(error);
    if (text !== this.#lastError) this.#options.onError(error);
    this.#lastError = text;
  }

  #look(): void {
    if (performance.now() < this.#restsUntilMs) return;
    try {
      const { book, claims } = this.#options;
      const version = claims.dataVersion();
      // Operators have made something due, maybe because they have changed the endpoint before.
      const isWritten = version !== this.#dataVersion;
      if (isWritten) book.refresh();
      // Or somebody has put back a whole file.
      if (!this.#follow(book.all()) && isWritten) this.#findDue();
      this.#dataVersion = version;
      this.#giveUp();
      this.#fill();
      this.#lastError = "";
    } catch (error) {
      this.#rest(error);
    }
  }

  /** False when nothing has changed of the endpoints. */
  #follow(all: readonly Endpoint[]): boolean {
    if (all === this.#endpoints) return false;
    const { claims } = this.#options;
    const followed = all.map((endpoint): [string, EndpointState] => {
      const { endpoint_id } = endpoint;
      const known = this.#outlets.get(endpoint_id);
      if (!known) return [endpoint_id, new EndpointState(endpoint, claims.isFailing(endpoint_id))];
      known.follow(endpoint);
      return [endpoint_id, known];
    });
    this.#outlets = new Map(followed);
    for (const outlet of this.#busy) {
      if (!this.#outlets.has(outlet.endpoint.endpoint_id)) this.#busy.delete(outlet);
    }
    this.#findDue();
    // At the end: what could not be read is looked for again.
    this.#endpoints = all;
    return true;
  }

  /** What every endpoint has due, and which are sent nothing any more. */
  #findDue(): void {
    for (const outlet of this.outlets) this.#refresh(outlet);
    this.#findClosing();
  }

  #refresh(outlet: EndpointState): void {
    const { endpoint_id, state } = outlet.endpoint;
    outlet.nextDueAt = state === "active" ? this.#options.claims.nextDueAt(endpoint_id) : null;
    if (outlet.nextDueAt !== null) this.#busy.add(outlet);
    else if (outlet.place === "none") this.#busy.delete(outlet);
  }

  #findClosing(): void {
    const open = this.#options.claims.endpointsWithOpen();
    const isClosed = (id: string) => this.#outlets.get(id)?.endpoint.state ?? "disabled";
    this.#closing = new Set(open.filter((id) => isClosed(id) === "disabled"));
  }

  /** A slice of what is sent no more, or was due in vain for as long as it was to be tried. */
  #giveUp(): void {
    const { claims, spanMs, now, onGivenUp } = this.#options;
    const nowMs = now();
    const given = (endpointId: string, terms: Parameters<Claims["giveUp"]>[1]) => {
      const { length } = claims.giveUp(endpointId, terms);
      if (length > 0 && terms.state === "dead_lettered") onGivenUp(terms.reason, length);
      return length;
    };
    const terms = { limit: GIVEN_UP_MAX, nowMs };
    for (const outlet of this.outlets) {
      const { endpoint, lastReason } = outlet;
      if (endpoint.state !== "active" || lastReason === null) continue;
      if (!outlet.failsFor(spanMs, nowMs)) continue;
      const why = {
        state: "dead_lettered",
        reason: lastReason,
        dueBefore: nowMs - spanMs,
      } as const;
      if (given(endpoint.endpoint_id, { ...terms, ...why }) > 0) return;
    }
    for (const id of this.#closing) {
      const state = this.#outlets.has(id) ? "dead_lettered" : "cancelled";
      const why = { state, reason: "endpoint_disabled", dueBefore: null } as const;
      if (given(id, { ...terms, ...why }) > 0) return;
      this.#closing.delete(id);
    }
  }

  /** Enqueues those that have something due, as far as their tenants have places. */
  #fill(): void {
    const { now } = this.#options;
    const [nowMs, steadyMs] = [now(), performance.now()];
    if (steadyMs < this.#restsUntilMs) return;
    const taken = new Map<string, number>();
    const places = ({ endpoint, health }: EndpointState) => `${health} ${endpoint.tenant_id}`;
    for (const outlet of this.#busy) {
      if (outlet.place === "none") continue;
      taken.set(places(outlet), (taken.get(places(outlet)) ?? 0) + 1);
      const isLost = steadyMs - outlet.queuedAtMs > LOST_AFTER_MS;
      if (outlet.place === "queued" && isLost) this.#enqueue(outlet, steadyMs);
    }
    for (const outlet of this.#busy) {
      if (outlet.place !== "none" || !outlet.isReady(nowMs, steadyMs)) continue;
      const count = taken.get(places(outlet)) ?? 0;
      if (count >= PER_TENANT_MAX) continue;
      taken.set(places(outlet), count + 1);
      outlet.slot += 1;
      this.#enqueue(outlet, steadyMs);
    }
  }

  #enqueue(outlet: EndpointState, steadyMs: number): void {
    const { enqueue, onError } = this.#options;
    outlet.place = "queued";
    outlet.queuedAtMs = steadyMs;
    const { health, slot } = outlet;
    enqueue(health, outlet.endpoint.endpoint_id, `${this.#run}-${slot}`).catch(onError);
  }
}
