/**
 * The queue of payments and refunds to be made. A job is only a nudge: what is to be done is found
 * by state in the projections, so a lost job costs a sweep, never a payment.
 */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Service } from "../../engine/shell/service.ts";
import { PAYMENTS_QUEUE } from "../queues.ts";

/**
 * What is to be settled, by its id. `deadline_ms` is the wall clock until which a booking's client
 * waits, epoch milliseconds; absent for swept jobs. Nobody waits for a refund longer than it takes.
 */
export type PaymentJob =
  | { readonly kind: "payment"; readonly id: string; readonly deadline_ms?: number }
  | { readonly kind: "refund"; readonly id: string };

/** The sending end; used by the engine right after a commit and by the sweeper. */
export class PaymentsQueue implements Service {
  readonly id = "payments queue";
  readonly #queue: Queue<PaymentJob>;

  constructor(producer: Redis, prefix: string, onError: (error: unknown) => void) {
    this.#queue = new Queue<PaymentJob>(PAYMENTS_QUEUE, {
      connection: producer,
      prefix,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    });
    this.#queue.on("error", onError);
  }

  /**
   * Enqueues under a job id that is fresh per `slot`, the sweeper's count of tries (the first one,
   * right after the commit, is slot 0): BullMQ silently ignores an id it still has.
   *
   * @throws Error when Redis is down; the next sweep repeats it.
   */
  async enqueue(job: PaymentJob, slot = 0): Promise<void> {
    await this.#queue.add(job.kind, job, { jobId: `${job.id}-${slot}` });
  }

  async stop(): Promise<void> {
    await this.#queue.close();
  }
}
