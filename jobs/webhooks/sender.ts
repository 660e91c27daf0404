/**
 * Serves an endpoint for a moment: takes what is due, sends it, writes down what came of it, and
 * goes on as long as there is more. Then it leaves its place to the next; what is under way by then
 * ends by itself.
 */

import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import type { Log, Service } from "../../engine/shell/service.ts";
import type { DamageReports } from "../damage-reports.ts";
import { KeptConnections } from "../net/kept-connections.ts";
import type { Bodies } from "./bodies.ts";
import type { Claims, Ended } from "./claims.ts";
import type { Delivery } from "./delivery.ts";
import { type EndpointBook, isShown } from "./endpoint.ts";
import type { Unsendable } from "./ota.ts";
import { type Outlet, SLOW_MS } from "./outlet.ts";
import type { Reason } from "./reasons.ts";
import { isBusy } from "./schema.ts";
import { type SendTerms, type SentAttempt, type SentBody, sendOnce } from "./send.ts";
import { Settler } from "./settler.ts";
import { DAMAGED_AGAIN_MS } from "./telling.ts";

const SLICE_MS = 250;
/** Five days without one success disable an endpoint (domain §11). */
const FAILING_MS_MAX = 5 * 86_400_000;
/** For answers that are on their way when the process stops. */
const LAST_ANSWERS_MS = 1_000;

export interface SenderOptions {
  readonly claims: Claims;
  readonly bodies: Bodies;
  readonly book: Pick<EndpointBook, "disable" | "recovered">;
  readonly terms: Pick<SendTerms, "allowPrivate">;
  /** As `historyId` tells it. */
  readonly journalId: string;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** What was settled just now. */
  readonly onSettled: (outlet: Outlet, ended: Ended, isDead: boolean) => void;
  readonly damage: Pick<DamageReports, "tell">;
  readonly log: Log;
}

export class Sender implements Service {
  readonly id = "webhook sender";
  readonly #options: SenderOptions;
  readonly #settler: Settler;
  readonly #stopping = new AbortController();
  readonly #connections = new KeptConnections();
  /** By delivery: whose it is, from the moment it is taken until it is settled. */
  readonly #underWay = new Map<string, Outlet>();
  #whenIdle: (() => void)[] = [];

  constructor(options: SenderOptions) {
    const { claims, now, log } = options;
    this.#options = options;
    this.#settler = new Settler({
      ...{ claims, now, log },
      onSettled: (ended, dead) => this.#noteSettled(ended, new Set(dead)),
    });
  }

  /** Resolves when the endpoint's time is over, or nothing more can be sent to it now. */
  async serve(outlet: Outlet, share: number): Promise<void> {
    const isPatient = outlet.health === "troubled";
    const untilMs = performance.now() + SLICE_MS;
    while (true) {
      if (performance.now() < untilMs) this.#sendDue(outlet, share);
      else if (!isPatient) return;
      if (outlet.inFlight === 0) return;
      if (await outlet.changes(SLOW_MS)) continue;
      outlet.noteSlow();
      // Who was believed to answer leaves the places of those who do.
      if (!isPatient) return;
    }
  }

  /** Gives answers that are on their way a moment, then gives back what has none. */
  async drain(): Promise<void> {
    const idle = Promise.withResolvers<void>();
    if (this.#underWay.size === 0) return;
    this.#whenIdle.push(idle.resolve);
    await Promise.race([idle.promise, Bun.sleep(LAST_ANSWERS_MS)]);
    this.#stopping.abort();
  }

  /** Writes down what is known; the rest is found in flight by the next start. */
  stop(): void {
    this.#stopping.abort();
    this.#settler.stop();
    this.#connections.stop();
  }

  /** Takes no more than can be sent at once. */
  #sendDue(outlet: Outlet, share: number): void {
    const { claims, bodies, now } = this.#options;
    const steadyMs = performance.now();
    const room = outlet.room(share, steadyMs);
    if (room < 1 || this.#stopping.signal.aborted || outlet.endpoint.state !== "active") return;
    const { endpoint } = outlet;
    const taken = claims.take(endpoint.endpoint_id, room, now());
    outlet.pace.take(taken.length, endpoint.max_per_s, steadyMs);
    try {
      bodies.read(taken);
    } catch (error) {
      this.#putOff(taken, error);
      return;
    }
    for (const delivery of taken) this.#begin(outlet, delivery);
  }

  #begin(outlet: Outlet, delivery: Delivery): void {
    const { bodies, now } = this.#options;
    let body: SentBody | Unsendable;
    try {
      body = bodies.bodyOf(delivery, outlet.endpoint);
    } catch (error) {
      this.#putOff([delivery], error);
      return;
    }
    outlet.inFlight += 1;
    this.#underWay.set(delivery.delivery_id, outlet);
    const given = (reason: Reason) => {
      this.#settler.add({ delivery, at: now(), attempt: null, reason });
    };
    if (typeof body === "string") given(body);
    // It was narrowed since, and who may change it now may not see what waits for it from before.
    else if (!isShown(outlet.endpoint, delivery.property_id)) given("endpoint_narrowed");
    else void this.#send(outlet, delivery, body);
  }

  async #send(outlet: Outlet, delivery: Delivery, body: SentBody): Promise<void> {
    const { terms, journalId, now } = this.#options;
    const at = now();
    const { signal } = this.#stopping;
    const kept = { connections: this.#connections, signal };
    const attempt = await sendOnce(outlet.endpoint, { ...body, journalId }, { ...terms, ...kept });
    if (signal.aborted && attempt.status === null) return this.#end(outlet, delivery.delivery_id);
    outlet.noteAttempt(attempt, { engineMs: at, steadyMs: performance.now() });
    this.#settler.add({ delivery, at, attempt, reason: null });
  }

  #noteSettled(ended: readonly Ended[], dead: ReadonlySet<string>): void {
    for (const each of ended) {
      const outlet = this.#underWay.get(each.delivery.delivery_id)!;
      this.#end(outlet, each.delivery.delivery_id);
      if (each.attempt) this.#tellStanding(outlet, each.attempt);
      this.#options.onSettled(outlet, each, dead.has(each.delivery.delivery_id));
    }
  }

  #end(outlet: Outlet, deliveryId: string): void {
    outlet.inFlight -= 1;
    this.#underWay.delete(deliveryId);
    outlet.signal();
    if (this.#underWay.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** An endpoint that wants nothing more, or has failed for too long, is disabled. */
  #tellStanding(outlet: Outlet, { ok, reason }: SentAttempt): void {
    const { book, claims, now, log } = this.#options;
    const { endpoint_id } = outlet.endpoint;
    try {
      if (ok) return book.recovered(endpoint_id);
      if (reason === "gone") return book.disable(endpoint_id, "gone");
      const since = claims.failingSince(endpoint_id);
      if (since !== null && now() - since > FAILING_MS_MAX) book.disable(endpoint_id, "failing");
    } catch (error) {
      // It comes again with the next attempt.
      if (!isBusy(error)) {
        log("error", "how an endpoint stands cannot be told", {
          endpoint_id,
          error: String(error),
        });
      }
    }
  }

  /** What cannot be told from the journal as it is now is tried again later. */
  #putOff(deliveries: readonly Delivery[], error: unknown): void {
    const { claims, now, damage, log } = this.#options;
    if (error instanceof RecordDamaged) damage.tell(error);
    else if (error instanceof Damage) {
      const [{ delivery_id } = { delivery_id: "" }] = deliveries;
      log("error", "a delivery cannot be made for now", { delivery_id, error: String(error) });
    } else throw error;
    claims.giveBack(deliveries, now() + DAMAGED_AGAIN_MS);
  }
}
