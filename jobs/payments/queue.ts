/**
 * The queue of payments and refunds to be made. A job is only a nudge: what is to be done is found
 * by state in the projections, so a lost job costs a sweep, never a payment.
 */
import type { DueWork } from "../../engine/core/due-work.ts";
import { LaneQueue } from "../lane-queue.ts";
import type { MessageMacs } from "../message-macs.ts";
import type { NativeRedis } from "../native-redis.ts";
import { PAYMENTS_QUEUE, queuePlace } from "../queues.ts";

/**
 * What is to be settled, by its id. `deadline_ms` is the engine time until which a booking's client
 * waits; absent for what was swept. Nobody waits for a refund longer than it takes.
 */
export interface PaymentWork extends DueWork {
  readonly deadline_ms?: number;
}

/** All that one group has made due: a job costs Redis and both sides the same whatever is in it. */
interface PaymentJob {
  readonly due: readonly PaymentWork[];
}

/** What a job asks for; nothing when its MAC is wrong. */
export function dueIn(data: string, prefix: string, macs: MessageMacs): readonly PaymentWork[] {
  const text = macs.read("payments", queuePlace(prefix, PAYMENTS_QUEUE), data);
  return text === null ? [] : (JSON.parse(text) as PaymentJob).due;
}

/** The queue as both ends have it. */
export function paymentsLane(redis: NativeRedis, prefix: string): LaneQueue {
  return new LaneQueue({ redis, prefix, name: PAYMENTS_QUEUE });
}

/** The sending end; used by the engine right after a commit. */
export class PaymentsQueue {
  readonly #lane: LaneQueue;
  readonly #place: string;
  readonly #macs: MessageMacs;

  constructor(redis: NativeRedis, prefix: string, macs: MessageMacs) {
    this.#lane = paymentsLane(redis, prefix);
    this.#place = queuePlace(prefix, PAYMENTS_QUEUE);
    this.#macs = macs;
  }

  /**
   * Tells the worker what became due; `deadlineMs` is until when clients wait for payments.
   *
   * @throws Error when Redis is down; the next sweep finds all of it.
   */
  async nudge(due: readonly DueWork[], deadlineMs: number): Promise<void> {
    const works = due.map(({ kind, id }) =>
      kind === "payment" ? { kind, id, deadline_ms: deadlineMs } : { kind, id },
    );
    const job: PaymentJob = { due: works };
    await this.#lane.add(this.#macs.write("payments", this.#place, JSON.stringify(job)));
  }
}
