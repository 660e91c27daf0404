/**
 * Takes the jobs of a queue: of a lane, or of payments. The script that takes the next job also
 * finishes the last one, and an empty queue is waited for: two scripts and one wait per job.
 *
 * So an answered job may stay taken for some ms. If the process dies meanwhile, the next process
 * takes it again, and its commands are answered by their keys.
 */
import type { Service } from "../../src/lib/service.ts";
import type { NativeRedis } from "../redis/native-redis.ts";
import type { JobQueue, Taken } from "./job-queue.ts";

/** Each api process has at most three unanswered envelopes per lane. */
const IN_WORK_MAX = 32;
/** A lost marker delays a job by at most this time, and the notice of a silent Redis as well. */
const WAIT_MS = 1_000;
/** On an idle queue, answered jobs are finished after this time. */
const IDLE_MS = 20;
const AFTER_TROUBLE_MS = 100;
const LAST_WORDS_MS_MAX = 500;

export interface QueueConsumerOptions {
  readonly queue: JobQueue;
  readonly redis: NativeRedis;
  /** Resolves when the whole job is answered. */
  readonly handle: (taken: Taken) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Serves a queue from start to stop. */
export class QueueConsumer implements Service {
  readonly id = "queue consumer";
  readonly #options: QueueConsumerOptions;
  readonly #waiter: NativeRedis;
  /** Unfinished jobs, with the time until which their lock is fresh. */
  readonly #held = new Map<string, number>();
  #inWork = 0;
  #answered: Taken[] = [];
  /** Resolves the loop's wait for room. */
  #onRoom: (() => void) | null = null;
  #idleTimer: Timer | null = null;
  #keepTimer: Timer | undefined;
  #hasTaken = false;
  #isEnding = false;

  constructor(options: QueueConsumerOptions) {
    this.#options = options;
    this.#waiter = options.redis.blockingCopy(WAIT_MS);
  }

  async start(): Promise<void> {
    await this.#waiter.ready();
    this.#keepTimer = setInterval(() => void this.#keep(), this.#options.queue.lookEveryMs);
    void this.#serve();
  }

  /** Ends without waiting for jobs in work; unanswered senders send again. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#keepTimer);
    this.#waiter.stop();
    this.#onRoom?.();
    await Promise.race([this.#finishAnswered(), Bun.sleep(LAST_WORDS_MS_MAX)]);
  }

  async #serve(): Promise<void> {
    while (!this.#isEnding) {
      try {
        await this.#takeNext();
        await this.#room();
        await this.#waitForMore();
      } catch (error) {
        if (this.#isEnding) return;
        this.#options.onError(error);
        await Bun.sleep(AFTER_TROUBLE_MS);
        await this.#waiter.ready();
      }
    }
  }

  async #takeNext(): Promise<void> {
    const done = this.#answered.shift();
    this.#hasTaken = true;
    let taken: Taken | null = null;
    try {
      taken = await this.#options.queue.take(done);
    } catch (error) {
      if (done !== undefined) this.#keepUnfinished(done, error);
      throw error;
    }
    if (done !== undefined) this.#held.delete(done.id);
    // At the end it stays taken; the next engine reclaims it.
    if (taken !== null && !this.#isEnding) this.#begin(taken);
  }

  #begin(taken: Taken): void {
    this.#inWork += 1;
    this.#held.set(taken.id, performance.now() + this.#options.queue.lockMs);
    const { handle, onError } = this.#options;
    void handle(taken)
      // An unreadable job is dropped like a failed one.
      .catch(onError)
      .then(() => this.#end(taken));
  }

  #end(taken: Taken): void {
    this.#inWork -= 1;
    this.#answered.push(taken);
    this.#idleTimer ??= setTimeout(() => this.#whenIdle(), IDLE_MS);
    this.#onRoom?.();
  }

  /** Finishes answered jobs of an idle queue; on a busy one the next take does it. */
  #whenIdle(): void {
    this.#idleTimer = null;
    if (this.#answered.length === 0 || this.#isEnding) return;
    if (!this.#hasTaken) void this.#finishAnswered();
    this.#hasTaken = false;
    this.#idleTimer = setTimeout(() => this.#whenIdle(), IDLE_MS);
  }

  async #finishAnswered(): Promise<void> {
    const answered = this.#answered;
    this.#answered = [];
    const finish = async (taken: Taken) => {
      try {
        await this.#options.queue.finish(taken);
        this.#held.delete(taken.id);
      } catch (error) {
        this.#keepUnfinished(taken, error);
        if (!this.#isEnding) this.#options.onError(error);
      }
    };
    await Promise.all(answered.map(finish));
  }

  /** Keeps a job to finish it again, unless Redis refused: then it is another's or gone. */
  #keepUnfinished(taken: Taken, error: unknown): void {
    const isRefused = typeof (error as { readonly code?: unknown }).code === "number";
    if (isRefused) this.#held.delete(taken.id);
    else this.#answered.push(taken);
  }

  async #room(): Promise<void> {
    while (this.#inWork >= IN_WORK_MAX && !this.#isEnding) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
      this.#onRoom = null;
    }
  }

  /**
   * Returns when there may be a job. Taking a job sets the marker again even on an empty queue, so
   * it is removed before the queue is checked: a job added after the check sets it again.
   */
  async #waitForMore(): Promise<void> {
    const { markerKey, waitKey } = this.#options.queue;
    const unmarked = this.#waiter.send("ZREM", [markerKey, "0"]);
    const left = this.#waiter.send<number>("LLEN", [waitKey]);
    const marked = this.#waiter.send("BZPOPMIN", [markerKey, String(WAIT_MS / 1_000)]);
    // Not awaited when jobs are left; the next job that is taken ends it.
    marked.catch(() => {});
    const [count] = await Promise.all([left, unmarked]);
    if (count === 0) await marked;
  }

  /** Renews the locks of long jobs, and puts stalled jobs of others back. */
  async #keep(): Promise<void> {
    const { queue, onError } = this.#options;
    try {
      const soonMs = performance.now() + queue.lockMs / 2;
      const due = [...this.#held].filter(([, untilMs]) => untilMs < soonMs).map(([id]) => id);
      if (due.length > 0) {
        const lost = new Set(await queue.renew(due));
        const untilMs = performance.now() + queue.lockMs;
        for (const id of due) if (!lost.has(id) && this.#held.has(id)) this.#held.set(id, untilMs);
      }
      await queue.takeBackStalled();
    } catch (error) {
      if (!this.#isEnding) onError(error);
    }
  }
}
