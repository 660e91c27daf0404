/**
 * One lane's worker, for commands and for payments. A job is finished by the script that takes the
 * next one, and an empty lane is asked once and then waited on: two scripts and one wait per
 * envelope, the sender's included.
 *
 * An answered job may therefore stay taken for some ms. If this process dies in them, the next one
 * takes it again, and its commands are answered by their keys.
 */
import type { Service } from "../engine/shell/service.ts";
import type { LaneQueue, Taken } from "./lane-queue.ts";
import type { NativeRedis } from "./native-redis.ts";

/** Each api process has up to three envelopes on a lane that are not answered yet. */
const IN_WORK_MAX = 32;
/** A wait ends by itself after this time: a marker that got lost costs no more. */
const WAIT_MS = 5_000;
/** On a lane where nothing comes, what is answered is finished after this time. */
const IDLE_MS = 20;
const AFTER_TROUBLE_MS = 100;
const LAST_WORDS_MS_MAX = 500;

export interface LaneOptions {
  readonly queue: LaneQueue;
  readonly redis: NativeRedis;
  /** Resolves when all that the job brings is answered. */
  readonly handle: (taken: Taken) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Serves a lane from its start to its stop. */
export class Lane implements Service {
  readonly id = "lane";
  readonly #options: LaneOptions;
  readonly #waiter: NativeRedis;
  /** Taken and not yet finished, with the time until which the lock is fresh. */
  readonly #held = new Map<string, number>();
  #inWork = 0;
  #answered: Taken[] = [];
  /** Whoever waits for room; the loop alone does. */
  #onRoom: (() => void) | null = null;
  #idleTimer: Timer | null = null;
  #keepTimer: Timer | undefined;
  #hasTaken = false;
  #isEnding = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#waiter = options.redis.blockingCopy(WAIT_MS);
  }

  async start(): Promise<void> {
    await this.#waiter.ready();
    this.#keepTimer = setInterval(() => void this.#keep(), this.#options.queue.lookEveryMs);
    void this.#serve();
  }

  /** Ends without waiting for what is in work: whoever gets no answer sends again. */
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
    // At the end it stays taken: the next engine takes it back.
    if (taken !== null && !this.#isEnding) this.#begin(taken);
  }

  #begin(taken: Taken): void {
    this.#inWork += 1;
    this.#held.set(taken.id, performance.now() + this.#options.queue.lockMs);
    const { handle, onError } = this.#options;
    void handle(taken)
      // What cannot even be read is dropped, as a job that failed.
      .catch(onError)
      .then(() => this.#end(taken));
  }

  #end(taken: Taken): void {
    this.#inWork -= 1;
    this.#answered.push(taken);
    this.#idleTimer ??= setTimeout(() => this.#whenIdle(), IDLE_MS);
    this.#onRoom?.();
  }

  /** While jobs come, each that is taken finishes one that is answered. */
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

  /** What Redis refused to finish is another's or gone; what it never heard of is said again. */
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
   * Returns when there may be a job. Taking one sets the marker anew, whether or not more wait, so
   * it is removed before the lane is looked at: every job added after that look sets it again.
   */
  async #waitForMore(): Promise<void> {
    const { markerKey, waitKey } = this.#options.queue;
    const unmarked = this.#waiter.send("ZREM", [markerKey, "0"]);
    const left = this.#waiter.send<number>("LLEN", [waitKey]);
    const marked = this.#waiter.send("BZPOPMIN", [markerKey, String(WAIT_MS / 1_000)]);
    // When jobs are left nobody waits for it: the next one that is taken ends it.
    marked.catch(() => {});
    const [count] = await Promise.all([left, unmarked]);
    if (count === 0) await marked;
  }

  /** Renews the locks of what is held for long, and puts back what others left lying. */
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
