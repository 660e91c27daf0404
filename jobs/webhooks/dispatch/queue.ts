/**
 * The queues of endpoints with due deliveries. A job has only the endpoint's id; the deliveries are
 * durable rows. A lost job delays deliveries and loses none, and a large backlog is one job too.
 */
import { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Service } from "../../../src/lib/service.ts";
import { queueAddress } from "../../lanes/queues.ts";
import type { MessageMacs } from "../../redis/message-macs.ts";
import type { Health } from "./served-endpoint.ts";

/** Endpoints served at once, per health. */
export const SERVED_MAX = 64;
const QUEUES = { healthy: "webhooks", troubled: "webhooks-troubled" } as const;
/** An attempt takes at most half of it. */
const LOCK_MS = 60_000;

/** BullMQ's message for a job that Redis lost while it was served; harmless. */
const LOST_JOB = /Missing (?:key|lock) for job/;

export interface WebhookQueueOptions {
  readonly health: Health;
  readonly producer: Redis;
  /** Duplicated for a blocking connection. */
  readonly blocking: Redis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  /** Serves an endpoint; resolves when its slot is free again. */
  readonly serve: (endpointId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The queue and the slots of the endpoints of one health. */
export class WebhookQueue implements Service {
  readonly id: string;
  readonly #options: WebhookQueueOptions;
  readonly #address: string;
  /** Jobs are endpoint ids with a MAC. */
  readonly #queue: Queue<string>;
  #worker: Worker<string> | null = null;

  constructor(options: WebhookQueueOptions) {
    const { health, producer, prefix, onError } = options;
    this.id = `${health} webhooks queue`;
    this.#options = options;
    this.#address = queueAddress(prefix, QUEUES[health]);
    this.#queue = new Queue<string>(QUEUES[health], {
      connection: producer,
      prefix,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    });
    this.#queue.on("error", onError);
  }

  /** Starts to take jobs. */
  start(): void {
    const { health, blocking, prefix, macs, serve, onError } = this.#options;
    const work = async ({ data }: { readonly data: unknown }) => {
      const endpointId = macs.read("webhooks", this.#address, data);
      if (endpointId !== null) await serve(endpointId);
    };
    this.#worker = new Worker<string>(QUEUES[health], work, {
      connection: blocking,
      prefix,
      concurrency: SERVED_MAX,
      lockDuration: LOCK_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on("error", (error) => {
      if (!LOST_JOB.test(String(error))) onError(error);
    });
  }

  /**
   * Enqueues an endpoint. Repeating a job id does nothing while its job exists (BullMQ).
   *
   * @throws Error when Redis is down; the caller enqueues it again later.
   */
  async enqueue(endpoint_id: string, slot: string): Promise<void> {
    const message = this.#options.macs.write("webhooks", this.#address, endpoint_id);
    await this.#queue.add("serve", message, { jobId: `${endpoint_id}-${slot}` });
  }

  /** Leaves the queue without waiting for jobs. */
  async stop(): Promise<void> {
    await this.#worker?.close(true);
    await this.#queue.close();
  }
}
