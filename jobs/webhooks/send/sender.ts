/**
 * Serves an endpoint for a time slice: takes due deliveries, sends them and settles them. After the
 * slice the next endpoint is served; deliveries in flight end by themselves.
 *
 * Invariant: a partner gets one message of a property at a time, replays included, and each message
 * is made when its turn comes. So the last one that arrives is the newest.
 */

import { Damage } from "../../../engine/core/damage.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { OtaFormat } from "../../../feeds/changed-cells.ts";
import type { Log, Service } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";
import type { DamageReports } from "../../lanes/damage-reports.ts";
import { KeptConnections } from "../../net/kept-connections.ts";
import { DAMAGED_AGAIN_MS } from "../derive/journal-rows.ts";
import { type ServedEndpoint, SLOW_MS } from "../dispatch/served-endpoint.ts";
import { type EndpointBook, isShown } from "../endpoint.ts";
import type { Claims, Ended } from "../store/claims.ts";
import type { Delivery, Reason, SentAttempt } from "../store/delivery.ts";
import type { Bodies } from "./bodies.ts";
import type { Unsendable } from "./ota.ts";
import { type SendTerms, type SentBody, sendOnce } from "./send.ts";
import { Settler } from "./settler.ts";

const SLICE_MS = 250;
/** Waiting deliveries of a subject that one message covers at most. */
const COVERED_MAX = 100;
/** Five days without one success disable an endpoint. */
const FAILING_MS_MAX = 5 * 86_400_000;
/** Time for answers in flight when the process stops. */
const LAST_ANSWERS_MS = 1_000;

export interface SenderOptions {
  readonly claims: Claims;
  readonly bodies: Bodies;
  readonly book: Pick<EndpointBook, "disable" | "recovered">;
  readonly terms: Pick<SendTerms, "allowPrivate">;
  /** From `historyId`. */
  readonly journalId: string;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** These endpoints may have due deliveries, and are not being served. */
  readonly nudge: (endpointIds: Iterable<string>) => void;
  /** Called after the delivery is settled. */
  readonly onSettled: (served: ServedEndpoint, ended: Ended, isDead: boolean) => void;
  readonly damage: Pick<DamageReports, "report">;
  readonly log: Log;
}

export class Sender implements Service {
  readonly id = "webhook sender";
  readonly #options: SenderOptions;
  readonly #settler: Settler;
  readonly #stopping = new AbortController();
  readonly #connections = new KeptConnections();
  /** By delivery, from the time it is taken until it is settled. */
  readonly #underWay = new Map<string, ServedEndpoint>();
  /** By endpoint and subject: resolves after the last message that was started. */
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

  /** Resolves after the time slice, or when nothing more can be sent now. */
  async serve(served: ServedEndpoint, share: number): Promise<void> {
    const isPatient = served.health === "troubled";
    const untilMs = performance.now() + SLICE_MS;
    while (true) {
      if (performance.now() < untilMs) this.#sendDue(served, share);
      else if (!isPatient) return;
      if (served.inFlight === 0) return;
      if (await served.changes(SLOW_MS)) continue;
      served.noteSlow();
      // A slow endpoint gives up its healthy slot.
      if (!isPatient) return;
    }
  }

  /** Waits a moment for answers in flight, then aborts. */
  async drain(): Promise<void> {
    const idle = Promise.withResolvers<void>();
    if (this.#underWay.size === 0) return;
    this.#whenIdle.push(idle.resolve);
    await Promise.race([idle.promise, Bun.sleep(LAST_ANSWERS_MS)]);
    this.#stopping.abort();
  }

  /** Writes the known results. The next start finds the rest in flight and sends it again. */
  stop(): void {
    this.#stopping.abort();
    this.#settler.stop();
    this.#connections.stop();
  }

  /** Takes only as many deliveries as can be sent at once. */
  #sendDue(served: ServedEndpoint, share: number): void {
    const { claims, bodies, now } = this.#options;
    const steadyMs = performance.now();
    const room = served.room(share, steadyMs);
    if (room < 1 || this.#stopping.signal.aborted || served.endpoint.state !== "active") return;
    const { endpoint } = served;
    const taken = claims.take(endpoint.endpoint_id, room, now());
    served.rate.take(taken.length, endpoint.max_per_s, steadyMs);
    try {
      bodies.read(taken);
    } catch (error) {
      this.#putOff(taken, error);
      return;
    }
    for (const delivery of taken) this.#begin(served, delivery);
  }

  #begin(served: ServedEndpoint, delivery: Delivery): void {
    const { format } = served.endpoint;
    if (format !== "json") {
      served.inFlight += 1;
      this.#underWay.set(delivery.delivery_id, served);
      this.#inTurn(served, delivery, format).catch((error) => this.#logUnsent(delivery, error));
      return;
    }
    const { bodies, now } = this.#options;
    let body: SentBody | Unsendable;
    try {
      body = bodies.bodyOf(delivery, served.endpoint);
    } catch (error) {
      this.#putOff([delivery], error);
      return;
    }
    served.inFlight += 1;
    this.#underWay.set(delivery.delivery_id, served);
    const given = (reason: Reason) => {
      this.#settler.add({ delivery, at: now(), attempt: null, reason });
    };
    if (typeof body === "string") given(body);
    // The endpoint's properties were narrowed after this delivery was made.
    else if (!isShown(served.endpoint, delivery.property_id)) given("endpoint_narrowed");
    else void this.#send(served, delivery, body);
  }

  /** Sends a message after the previous one of its property. */
  async #inTurn(served: ServedEndpoint, delivery: Delivery, format: OtaFormat): Promise<void> {
    const subject = `${delivery.endpoint_id} ${delivery.subject}`;
    const before = this.#turns.get(subject);
    const turn = Promise.withResolvers<void>();
    this.#turns.set(subject, turn.promise);
    await before;
    try {
      await this.#sendMessage(served, delivery, format);
    } catch (error) {
      this.#end(served, delivery.delivery_id);
      this.#postpone(delivery, error);
    } finally {
      if (this.#turns.get(subject) === turn.promise) this.#turns.delete(subject);
      turn.resolve();
    }
  }

  async #sendMessage(served: ServedEndpoint, delivery: Delivery, format: OtaFormat): Promise<void> {
    const { claims, bodies, now } = this.#options;
    const { endpoint } = served;
    // The next start finds it in flight.
    if (this.#stopping.signal.aborted) return this.#end(served, delivery.delivery_id);
    const given = (reason: Reason) => {
      this.#settler.add({ delivery, at: now(), attempt: null, reason });
    };
    if (!isShown(endpoint, delivery.property_id)) return given("endpoint_narrowed");
    const waiting = delivery.replay_of === null ? claims.waitingFor(delivery, COVERED_MAX) : [];
    const message = bodies.messageOf(delivery, waiting, { ota: endpoint.ota, format });
    if (typeof message === "string") return given(message);
    await this.#send(served, delivery, message.sent, message.covered);
  }

  async #send(
    served: ServedEndpoint,
    delivery: Delivery,
    body: SentBody,
    covered: readonly Delivery[] = [],
  ): Promise<void> {
    const { terms, journalId, now } = this.#options;
    const at = now();
    const { signal } = this.#stopping;
    const kept = { connections: this.#connections, signal };
    const attempt = await sendOnce(served.endpoint, { ...body, journalId }, { ...terms, ...kept });
    if (signal.aborted && attempt.status === null) return this.#end(served, delivery.delivery_id);
    served.noteAttempt(attempt, { engineMs: at, steadyMs: performance.now() });
    this.#settler.add({ delivery, covered, at, attempt, reason: null });
  }

  #noteSettled(ended: readonly Ended[], dead: ReadonlySet<string>): void {
    const left = new Set<string>();
    for (const each of ended) {
      const served = this.#underWay.get(each.delivery.delivery_id)!;
      this.#end(served, each.delivery.delivery_id);
      if (each.attempt) this.#updateHealth(served, each.attempt);
      this.#options.onSettled(served, each, dead.has(each.delivery.delivery_id));
      if (served.slot === null) left.add(served.endpoint.endpoint_id);
    }
    if (left.size > 0) this.#options.nudge(left);
  }

  #end(served: ServedEndpoint, deliveryId: string): void {
    served.inFlight -= 1;
    this.#underWay.delete(deliveryId);
    served.signal();
    if (this.#underWay.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Disables an endpoint that answers 410 or has failed for too long; notes a success. */
  #updateHealth(served: ServedEndpoint, { ok, reason }: SentAttempt): void {
    const { book, claims, now, log } = this.#options;
    const { endpoint_id } = served.endpoint;
    try {
      if (ok) return book.recovered(endpoint_id);
      if (reason === "gone") return book.disable(endpoint_id, "gone");
      const since = claims.failingSince(endpoint_id);
      if (since !== null && now() - since > FAILING_MS_MAX) book.disable(endpoint_id, "failing");
    } catch (error) {
      // The next attempt repeats the call.
      if (!isBusy(error)) {
        log("error", "cannot update endpoint health", {
          endpoint_id,
          error: String(error),
        });
      }
    }
  }

  /** Tries a message that cannot be made later, whatever the cause. */
  #postpone(delivery: Delivery, error: unknown): void {
    const { claims, now, damage } = this.#options;
    if (error instanceof RecordDamaged) damage.report(error);
    else this.#logUnsent(delivery, error);
    claims.giveBack([delivery], now() + DAMAGED_AGAIN_MS);
  }

  #logUnsent({ delivery_id }: Delivery, error: unknown): void {
    const fields = { delivery_id, error: String(error) };
    this.#options.log("error", "a delivery cannot be made; it is tried again", fields);
  }

  /** Tries deliveries later whose events cannot be read because of damage. */
  #putOff(deliveries: readonly Delivery[], error: unknown): void {
    const { claims, now, damage } = this.#options;
    if (error instanceof RecordDamaged) damage.report(error);
    else if (error instanceof Damage) this.#logUnsent(deliveries[0]!, error);
    else throw error;
    claims.giveBack(deliveries, now() + DAMAGED_AGAIN_MS);
  }
}
