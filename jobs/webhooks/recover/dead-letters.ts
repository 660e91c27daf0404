/**
 * The dead-letter queue on Redis, for tools of BullMQ: a job per dead letter without a replay, with
 * the delivery's id. Jobs are added and removed until the queue matches the durable rows, also
 * after a loss of Redis. It holds only the newest dead letters, to limit Redis' memory.
 */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { every, type Service } from "../../../src/lib/service.ts";
import type { Claims } from "../store/claims.ts";

/** Name of the queue. */
export const DEAD_LETTER_QUEUE = "webhooks-dead";
const POLL_EVERY_MS = 1_000;
const JOBS_MAX = 10_000;
const BULK_MAX = 250;

export interface DeadLettersOptions {
  readonly producer: Redis;
  readonly prefix: string;
  readonly claims: Pick<Claims, "deadLetters" | "dataVersion">;
  readonly onError: (error: unknown) => void;
}

export class DeadLetters implements Service {
  readonly id = "webhooks dead-letter queue";
  readonly #options: DeadLettersOptions;
  readonly #queue: Queue;
  readonly #timer = every(this.id, POLL_EVERY_MS, () => void this.#poll());
  #isRunning = false;
  #hasNews = true;
  #dataVersion = -1;
  #jobs = -1;

  constructor(options: DeadLettersOptions) {
    const { producer, prefix, onError } = options;
    this.#options = options;
    this.#queue = new Queue(DEAD_LETTER_QUEUE, { connection: producer, prefix });
    this.#queue.on("error", onError);
  }

  start(): void {
    this.#timer.start();
  }

  /** Call after new dead letters. */
  note(): void {
    this.#hasNews = true;
  }

  drain(): void {
    this.#timer.stop();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    await this.#queue.close();
  }

  async #poll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      const version = this.#options.claims.dataVersion();
      const isSame = version === this.#dataVersion && !this.#hasNews;
      if (isSame && (await this.#queue.getWaitingCount()) === this.#jobs) return;
      this.#hasNews = false;
      await this.#sync();
      this.#dataVersion = version;
    } catch (error) {
      this.#hasNews = true;
      this.#options.onError(error);
    } finally {
      this.#isRunning = false;
    }
  }

  async #sync(): Promise<void> {
    const dead = this.#options.claims.deadLetters(JOBS_MAX);
    const present = new Set(await this.#queue.getRanges(["wait"], 0, -1));
    const missing = dead.filter(({ delivery_id }) => !present.has(delivery_id));
    for (let i = 0; i < missing.length; i += BULK_MAX) {
      const slice = missing.slice(i, i + BULK_MAX);
      await this.#queue.addBulk(
        slice.map((letter) => ({
          name: letter.reason ?? "unknown",
          data: letter,
          opts: { jobId: letter.delivery_id },
        })),
      );
    }
    const wanted = new Set(dead.map(({ delivery_id }) => delivery_id));
    for (const id of present.difference(wanted)) await this.#queue.remove(id);
    this.#jobs = dead.length;
  }
}
