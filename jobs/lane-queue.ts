/**
 * A lane's queue: BullMQ's jobs, moved by BullMQ's own scripts, without what its `Queue` and
 * `Worker` do around each of them (options checked, events emitted, an empty lane asked again).
 * What stands in Redis is what they would have put there, but for the data, which need not be JSON.
 */
import { createRedisBackend, type IQueueBackend, type JobJson, type MinimalJob } from "bullmq";
import { SYSTEM_TIME } from "../engine/shell/system-time.ts";
import type { NativeRedis } from "./native-redis.ts";

/** A job that was taken, and what it brings: whatever somebody has put into Redis. */
export interface Taken {
  readonly id: string;
  readonly data: string;
}

export interface LaneQueueOptions {
  readonly redis: NativeRedis;
  readonly prefix: string;
  /** Of the queue. */
  readonly name: string;
  /** After so long without renewal a taken job is somebody else's. */
  readonly lockMs?: number;
}

const LOCK_MS = 5_000;
/** A crash loop must not discard a command. */
const STALLED_MAX = 1_000;
const LOOK_EVERY_MS = 1_000;
/** An envelope is tried until it is answered, and then gone: it has no options of its own. */
const BLANK = {
  ...{ id: "", name: "e", opts: {}, progress: 0, attemptsMade: 0, attemptsStarted: 0 },
  ...{ failedReason: "", returnvalue: "null", stalledCounter: 0 },
} satisfies Partial<JobJson>;

/** One lane as its senders and its one worker see it. */
export class LaneQueue {
  readonly lockMs: number;
  /** How often locks should be renewed and the stalled looked for. */
  readonly lookEveryMs: number;
  readonly #backend: IQueueBackend;
  /** Whose the locks are. */
  readonly #token = crypto.randomUUID();

  constructor({ redis, prefix, name, lockMs = LOCK_MS }: LaneQueueOptions) {
    this.lockMs = lockMs;
    this.lookEveryMs = Math.min(LOOK_EVERY_MS, lockMs / 4);
    const options = {
      ...{ connection: redis.forBullMq, prefix, skipVersionCheck: true },
      ...{ lockDuration: lockMs, maxStalledCount: STALLED_MAX, stalledInterval: this.lookEveryMs },
    };
    this.#backend = createRedisBackend(name, options);
  }

  /** Key of the jobs that wait. */
  get waitKey(): string {
    return this.#backend.keys.wait!;
  }

  /** Key of the marker that BullMQ sets whenever there may be something to take. */
  get markerKey(): string {
    return this.#backend.keys.marker!;
  }

  /** Adds a job behind all others. */
  async add(data: string): Promise<void> {
    await this.#backend.addJob({ ...BLANK, data, timestamp: SYSTEM_TIME.wallMs() }, "");
  }

  /** Takes the job that waited longest, or null; what is `done` is finished by the same script. */
  async take(done: Taken | undefined): Promise<Taken | null> {
    if (done === undefined) return takenOf(await this.#backend.moveToActive(this.#token));
    return takenOf(await this.#finish(done, true));
  }

  /** Removes a job that is done. Throws when it is another's by now. */
  async finish(done: Taken): Promise<void> {
    await this.#finish(done, false);
  }

  /** Keeps taken jobs; resolves to the ids of those that are lost. */
  renew(ids: readonly string[]): Promise<string[]> {
    const tokens = ids.map(() => this.#token);
    return this.#backend.extendLocks([...ids], tokens, this.lockMs);
  }

  /** Puts back what somebody took and keeps no longer. */
  async takeBackStalled(): Promise<void> {
    await this.#backend.moveStalledJobsToWait();
  }

  async #finish({ id }: Taken, fetchNext: boolean) {
    // Its id and its options are all that is read of a job here.
    const job = { id, opts: BLANK.opts } as MinimalJob;
    const done = await this.#backend.moveToCompleted(job, null, true, this.#token, fetchNext);
    return done.result;
  }
}

/** The tuple of BullMQ's scripts: the job and its id, or neither. */
function takenOf(result: unknown): Taken | null {
  const [job, id] = (result ?? []) as [(JobJson | null)?, string?];
  return job && id ? { id, data: String(job.data) } : null;
}
