/**
 * The queue of payments and refunds to be made. A job is only a nudge: what is to be done is found
 * by state in the projections, so a lost job costs a sweep, never a payment.
 */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { PAYMENTS_QUEUE } from "../queues.ts";

export interface PaymentJob {
  readonly kind: "payment" | "refund";
  readonly id: string;
  /** Wall clock until which the client waits, epoch milliseconds; absent for swept jobs. */
  readonly deadline_ms?: number;
}

/** The sending end; used by the engine right after a commit and by the sweeper. */
export class PaymentsQueue {
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
   * Enqueues under a job id that is fresh per `slot`: BullMQ silently ignores an id it still has.
   *
   * @throws Error when Redis is down; the next sweep repeats it.
   */
  async enqueue(job: PaymentJob, slot: number | string): Promise<void> {
    await this.#queue.add(job.kind, job, { jobId: `${job.id}-${slot}` });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
