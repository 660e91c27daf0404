/**
 * Serves an endpoint for a moment: takes what is due, sends it, writes down what came of it, and
 * goes on as long as there is more. Then it leaves its place to the next; what is under way by then
 * ends by itself.
 *
 * Maintained invariant: to a partner one message of a property is under way at a time, replays
 * among them, and each is made when its turn comes: so the last that arrives is the newest.
 */

import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import type { Log, Service } from "../../engine/shell/service.ts";
import type { OtaFormat } from "../../feeds/changed-cells.ts";
import type { DamageReports } from "../damage-reports.ts";
import { KeptConnections } from "../net/kept-connections.ts";
import { isBusy } from "../store-file.ts";
import type { Bodies } from "./bodies.ts";
import type { Claims, Ended } from "./claims.ts";
import type { Delivery } from "./delivery.ts";
import { type EndpointBook, isShown } from "./endpoint.ts";
import { type EndpointState, SLOW_MS } from "./endpoint-state.ts";
import type { Unsendable } from "./ota.ts";
import type { Reason } from "./reasons.ts";
import { type SendTerms, type SentAttempt, type SentBody, sendOnce } from "./send.ts";
import { Settler } from "./settler.ts";
import { DAMAGED_AGAIN_MS } from "./telling.ts";

const SLICE_MS = 250;
/** Deliveries that go along with another of their subject. */
const ALONG_MAX = 100;
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
  /** What waited for another of its subject may be due, and nobody serves these now. */
  readonly nudge: (endpointIds: Iterable<string>) => void;
  /** What was settled just now. */
  readonly onSettled: (outlet: EndpointState, ended: Ended, isDead: boolean) => void;
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
  readonly #underWay = new Map<string, EndpointState>();
  /** By endpoint and subject: when the last message that has begun is over. */
  readonly #turns = new Map<string, Promise<void>>();
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
  async serve(outlet: EndpointState, share: number): Promise<void> {
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
  #sendDue(outlet: EndpointState, share: number): void {
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

  #begin(outlet: EndpointState, delivery: Delivery): void {
    const { format } = outlet.endpoint;
    if (format !== "json") {
      outlet.inFlight += 1;
      this.#underWay.set(delivery.delivery_id, outlet);
      this.#inTurn(outlet, delivery, format).catch((error) => this.#tellUnsent(delivery, error));
      return;
    }
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

  /** Sends a message once the one before of its property is over. */
  async #inTurn(outlet: EndpointState, delivery: Delivery, format: OtaFormat): Promise<void> {
    const subject = `${delivery.endpoint_id} ${delivery.subject}`;
    const before = this.#turns.get(subject);
    const turn = Promise.withResolvers<void>();
    this.#turns.set(subject, turn.promise);
    await before;
    try {
      await this.#sendMessage(outlet, delivery, format);
    } catch (error) {
      this.#end(outlet, delivery.delivery_id);
      this.#postpone(delivery, error);
    } finally {
      if (this.#turns.get(subject) === turn.promise) this.#turns.delete(subject);
      turn.resolve();
    }
  }

  async #sendMessage(outlet: EndpointState, delivery: Delivery, format: OtaFormat): Promise<void> {
    const { claims, bodies, now } = this.#options;
    const { endpoint } = outlet;
    // Found in flight by the next start.
    if (this.#stopping.signal.aborted) return this.#end(outlet, delivery.delivery_id);
    const given = (reason: Reason) => {
      this.#settler.add({ delivery, at: now(), attempt: null, reason });
    };
    if (!isShown(endpoint, delivery.property_id)) return given("endpoint_narrowed");
    const waiting = delivery.replay_of === null ? claims.waitingFor(delivery, ALONG_MAX) : [];
    const message = bodies.messageOf(delivery, waiting, { ota: endpoint.ota, format });
    if (typeof message === "string") return given(message);
    await this.#send(outlet, delivery, message.sent, message.along);
  }

  async #send(
    outlet: EndpointState,
    delivery: Delivery,
    body: SentBody,
    along: readonly Delivery[] = [],
  ): Promise<void> {
    const { terms, journalId, now } = this.#options;
    const at = now();
    const { signal } = this.#stopping;
    const kept = { connections: this.#connections, signal };
    const attempt = await sendOnce(outlet.endpoint, { ...body, journalId }, { ...terms, ...kept });
    if (signal.aborted && attempt.status === null) return this.#end(outlet, delivery.delivery_id);
    outlet.noteAttempt(attempt, { engineMs: at, steadyMs: performance.now() });
    this.#settler.add({ delivery, along, at, attempt, reason: null });
  }

  #noteSettled(ended: readonly Ended[], dead: ReadonlySet<string>): void {
    const left = new Set<string>();
    for (const each of ended) {
      const outlet = this.#underWay.get(each.delivery.delivery_id)!;
      this.#end(outlet, each.delivery.delivery_id);
      if (each.attempt) this.#tellStanding(outlet, each.attempt);
      this.#options.onSettled(outlet, each, dead.has(each.delivery.delivery_id));
      if (outlet.place === "none") left.add(outlet.endpoint.endpoint_id);
    }
    if (left.size > 0) this.#options.nudge(left);
  }

  #end(outlet: EndpointState, deliveryId: string): void {
    outlet.inFlight -= 1;
    this.#underWay.delete(deliveryId);
    outlet.signal();
    if (this.#underWay.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** An endpoint that wants nothing more, or has failed for too long, is disabled. */
  #tellStanding(outlet: EndpointState, { ok, reason }: SentAttempt): void {
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

  /** A message that cannot be made now is tried again later, whatever keeps it from being made. */
  #postpone(delivery: Delivery, error: unknown): void {
    const { claims, now, damage } = this.#options;
    if (error instanceof RecordDamaged) damage.tell(error);
    else this.#tellUnsent(delivery, error);
    claims.giveBack([delivery], now() + DAMAGED_AGAIN_MS);
  }

  #tellUnsent({ delivery_id }: Delivery, error: unknown): void {
    const told = { delivery_id, error: String(error) };
    this.#options.log("error", "a delivery cannot be made for now", told);
  }

  /** What cannot be told from the journal as it is now is tried again later. */
  #putOff(deliveries: readonly Delivery[], error: unknown): void {
    const { claims, now, damage } = this.#options;
    if (error instanceof RecordDamaged) damage.tell(error);
    else if (error instanceof Damage) this.#tellUnsent(deliveries[0]!, error);
    else throw error;
    claims.giveBack(deliveries, now() + DAMAGED_AGAIN_MS);
  }
}
