/**
 * A queue of a lane or of payments: BullMQ's jobs, moved by BullMQ's scripts, without the overhead
 * of its `Queue` and `Worker` (option checks, events, polling). Redis holds the same keys as with
 * BullMQ, except that the data need not be JSON.
 */
import { createRedisBackend, type IQueueBackend, type JobJson, type MinimalJob } from "bullmq";
import { SYSTEM_TIME } from "../../engine/log/system-time.ts";
import type { NativeRedis } from "../redis/native-redis.ts";

/** A taken job; its data is untrusted. */
export interface Taken {
  readonly id: string;
  readonly data: string;
}

export interface JobQueueOptions {
  readonly redis: NativeRedis;
  readonly prefix: string;
  /** Name of the queue. */
  readonly name: string;
  /** Without renewal, another process may take the job after this time. */
  readonly lockMs?: number;
}

const LOCK_MS = 5_000;
/** High, so that a crash loop does not discard a command. */
const STALLED_MAX = 1_000;
const LOOK_EVERY_MS = 1_000;
/** Envelopes have no options: they are repeated until they are answered. */
const BLANK = {
  ...{ id: "", name: "e", opts: {}, progress: 0, attemptsMade: 0, attemptsStarted: 0 },
  ...{ failedReason: "", returnvalue: "null", stalledCounter: 0 },
} satisfies Partial<JobJson>;

/** A queue, for its senders and its consumer. */
export class JobQueue {
  readonly lockMs: number;
  /** Interval for renewing locks and looking for stalled jobs. */
  readonly lookEveryMs: number;
  readonly #backend: IQueueBackend;
  /** Owner of this process's locks. */
  readonly #token = crypto.randomUUID();

  constructor({ redis, prefix, name, lockMs = LOCK_MS }: JobQueueOptions) {
    this.lockMs = lockMs;
    this.lookEveryMs = Math.min(LOOK_EVERY_MS, lockMs / 4);
    const options = {
      ...{ connection: redis.forBullMq, prefix, skipVersionCheck: true },
      ...{ lockDuration: lockMs, maxStalledCount: STALLED_MAX, stalledInterval: this.lookEveryMs },
    };
    this.#backend = createRedisBackend(name, options);
  }

  /** Key of the list of waiting jobs. */
  get waitKey(): string {
    return this.#backend.keys.wait!;
  }

  /** Key of the marker that BullMQ sets when a job may be waiting. */
  get markerKey(): string {
    return this.#backend.keys.marker!;
  }

  /** Adds a job at the end. */
  async add(data: string): Promise<void> {
    await this.#backend.addJob({ ...BLANK, data, timestamp: SYSTEM_TIME.wallMs() }, "");
  }

  /** Takes the oldest job, or null; the same script finishes `done`. */
  async take(done: Taken | undefined): Promise<Taken | null> {
    if (done === undefined) return takenOf(await this.#backend.moveToActive(this.#token));
    return takenOf(await this.#finish(done, true));
  }

  /** Removes a finished job. Throws when another process owns it now. */
  async finish(done: Taken): Promise<void> {
    await this.#finish(done, false);
  }

  /** Renews the locks of jobs; resolves to the ids of lost ones. */
  renew(ids: readonly string[]): Promise<string[]> {
    const tokens = ids.map(() => this.#token);
    return this.#backend.extendLocks([...ids], tokens, this.lockMs);
  }

  /** Puts stalled jobs back into the queue. */
  async takeBackStalled(): Promise<void> {
    await this.#backend.moveStalledJobsToWait();
  }

  async #finish({ id }: Taken, fetchNext: boolean) {
    // The backend reads only the id and the options.
    const job = { id, opts: BLANK.opts } as MinimalJob;
    const done = await this.#backend.moveToCompleted(job, null, true, this.#token, fetchNext);
    return done.result;
  }
}

/** From the tuple of BullMQ's scripts: a job and its id, or neither. */
function takenOf(result: unknown): Taken | null {
  const [job, id] = (result ?? []) as [(JobJson | null)?, string?];
  return job && id ? { id, data: String(job.data) } : null;
}
