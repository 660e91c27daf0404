/**
 * The queues of deliveries. A job says no more than that an endpoint may have something due: what
 * that is stands in the durable rows, so a lost job costs a moment, never a delivery, and an
 * endpoint with a hundred thousand of them waits in line like one that has a single one.
 */
import { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Service } from "../../engine/shell/service.ts";
import type { MessageMacs } from "../message-macs.ts";
import { queuePlace } from "../queues.ts";
import type { Health } from "./endpoint-state.ts";

/** Endpoints that are served at once, of each health. */
export const PLACES = 64;
const QUEUES = { healthy: "webhooks", troubled: "webhooks-troubled" } as const;
/** One attempt may take half of it. */
const LOCK_MS = 60_000;

/** What is said of a job that Redis has lost while it was served, which costs nothing. */
const LOST_JOB = /Missing (?:key|lock) for job/;

export interface WebhookQueueOptions {
  readonly health: Health;
  readonly producer: Redis;
  /** A blocking connection is duplicated from this one. */
  readonly blocking: Redis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  /** Serves an endpoint; resolves when its place is free again. */
  readonly serve: (endpointId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The queue of the endpoints of one health, and the places in which they are served. */
export class WebhookQueue implements Service {
  readonly id: string;
  readonly #options: WebhookQueueOptions;
  readonly #place: string;
  /** Jobs are the ids of endpoints, with a MAC. */
  readonly #queue: Queue<string>;
  #worker: Worker<string> | null = null;

  constructor(options: WebhookQueueOptions) {
    const { health, producer, prefix, onError } = options;
    this.id = `${health} webhooks queue`;
    this.#options = options;
    this.#place = queuePlace(prefix, QUEUES[health]);
    this.#queue = new Queue<string>(QUEUES[health], {
      connection: producer,
      prefix,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    });
    this.#queue.on("error", onError);
  }

  /** Takes jobs from now on. */
  start(): void {
    const { health, blocking, prefix, macs, serve, onError } = this.#options;
    const work = async ({ data }: { readonly data: unknown }) => {
      const endpointId = macs.read("webhooks", this.#place, data);
      if (endpointId !== null) await serve(endpointId);
    };
    this.#worker = new Worker<string>(QUEUES[health], work, {
      connection: blocking,
      prefix,
      concurrency: PLACES,
      lockDuration: LOCK_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on("error", (error) => {
      if (!LOST_JOB.test(String(error))) onError(error);
    });
  }

  /**
   * Enqueues an endpoint; the same slot again does nothing while its job is there: BullMQ ignores
   * an id that it has.
   *
   * @throws Error when Redis is down; it is enqueued again later.
   */
  async enqueue(endpoint_id: string, slot: string): Promise<void> {
    const message = this.#options.macs.write("webhooks", this.#place, endpoint_id);
    await this.#queue.add("serve", message, { jobId: `${endpoint_id}-${slot}` });
  }

  /** Leaves the queue without waiting for jobs. */
  async stop(): Promise<void> {
    await this.#worker?.close(true);
    await this.#queue.close();
  }
}
