/**
 * The queue of feed runs. A job is only a hint: its run is a durable row, which is enqueued again
 * when Redis loses the job.
 */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Service } from "../../src/lib/service.ts";
import { FEEDS_QUEUE, queueAddress } from "../lanes/queues.ts";
import type { MessageMacs } from "../redis/message-macs.ts";

/** Attempts per run, and the delay before the second; doubled before the third. */
export const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 5_000;

/** `run`: build this run. `nightly`: from a tenant's schedule. */
export type FeedJob =
  | { readonly kind: "run"; readonly run_id: string }
  | { readonly kind: "nightly"; readonly tenant_id: string };

/** Jobs in the queue: JSON with a MAC. */
export class FeedMessages {
  readonly #address: string;
  readonly #macs: MessageMacs;

  constructor(prefix: string, macs: MessageMacs) {
    this.#address = queueAddress(prefix, FEEDS_QUEUE);
    this.#macs = macs;
  }

  write(job: FeedJob): string {
    return this.#macs.write("feeds", this.#address, JSON.stringify(job));
  }

  /** Null for a message with a wrong MAC. */
  read(message: unknown): FeedJob | null {
    const text = this.#macs.read("feeds", this.#address, message);
    return text === null ? null : (JSON.parse(text) as FeedJob);
  }
}

export interface FeedQueueOptions {
  readonly producer: Redis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly onError: (error: unknown) => void;
}

/** The sending end. */
export class FeedQueue implements Service {
  readonly id = "feeds queue";
  /** For the schedules, which are stored in it. */
  readonly queue: Queue<string>;
  readonly messages: FeedMessages;

  constructor({ producer, prefix, macs, onError }: FeedQueueOptions) {
    this.messages = new FeedMessages(prefix, macs);
    this.queue = new Queue<string>(FEEDS_QUEUE, {
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
   * Enqueues a run, with priority when a caller waits for it. Repeating it does nothing while the
   * job exists (BullMQ).
   *
   * @throws Error when Redis is down; the planner repeats it.
   */
  async enqueue(run_id: string, isAwaited = true): Promise<void> {
    const message = this.messages.write({ kind: "run", run_id });
    await this.queue.add("run", message, { jobId: run_id, lifo: isAwaited });
  }

  async stop(): Promise<void> {
    await this.queue.close();
  }
}
