/**
 * The queue of feeds to be built. A job is only a nudge: the run that it names is a durable row,
 * which is enqueued again when Redis has lost its job.
 */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Service } from "../../engine/shell/service.ts";
import { FEEDS_QUEUE } from "../queues.ts";

/** Attempts at one run, and what is waited before the second one; doubled before the third. */
export const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 5_000;

/** `run`: that one. `nightly`: what the schedule of a tenant triggers. */
export type FeedJob =
  | { readonly kind: "run"; readonly run_id: string }
  | { readonly kind: "nightly"; readonly tenant_id: string };

/** The sending end. */
export class FeedQueue implements Service {
  readonly id = "feeds queue";
  /** For the schedules, which live in it. */
  readonly queue: Queue<FeedJob>;

  constructor(producer: Redis, prefix: string, onError: (error: unknown) => void) {
    this.queue = new Queue<FeedJob>(FEEDS_QUEUE, {
      connection: producer,
      prefix,
      defaultJobOptions: {
        ...{ removeOnComplete: true, removeOnFail: true },
        ...{ attempts: ATTEMPTS_MAX, backoff: { type: "exponential", delay: BACKOFF_MS } },
      },
    });
    this.queue.on("error", onError);
  }

  /**
   * Enqueues a run, before all others when somebody waits for it. Once more does nothing while its
   * job is there: BullMQ ignores an id it has.
   *
   * @throws Error when Redis is down; whoever looks after open runs repeats it.
   */
  async enqueue(run_id: string, isAwaited = true): Promise<void> {
    await this.queue.add("run", { kind: "run", run_id }, { jobId: run_id, lifo: isAwaited });
  }

  async stop(): Promise<void> {
    await this.queue.close();
  }
}
