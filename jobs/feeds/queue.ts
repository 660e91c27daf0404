/**
 * The queue of feeds to be built. A job is only a nudge: the run that it names is a durable row,
 * which is enqueued again when Redis has lost its job.
 */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Service } from "../../engine/shell/service.ts";
import type { MessageMacs } from "../message-macs.ts";
import { FEEDS_QUEUE, queueAddress } from "../queues.ts";

/** Attempts at one run, and what is waited before the second one; doubled before the third. */
export const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 5_000;

/** `run`: that one. `nightly`: what the schedule of a tenant triggers. */
export type FeedJob =
  | { readonly kind: "run"; readonly run_id: string }
  | { readonly kind: "nightly"; readonly tenant_id: string };

/** Jobs as they lie in the queue of a prefix: their JSON with a MAC. */
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

  /** Null for what has not been written here. */
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
  /** For the schedules, which live in it. */
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
   * Enqueues a run, before all others when somebody waits for it. Once more does nothing while its
   * job is there: BullMQ ignores an id it has.
   *
   * @throws Error when Redis is down; whoever looks after open runs repeats it.
   */
  async enqueue(run_id: string, isAwaited = true): Promise<void> {
    const message = this.messages.write({ kind: "run", run_id });
    await this.queue.add("run", message, { jobId: run_id, lifo: isAwaited });
  }

  async stop(): Promise<void> {
    await this.queue.close();
  }
}
