/**
 * Takes runs from the queue and has them built, one at a time. The job is a nudge: what a run has
 * come to stands in its row, so a job may come twice, late, or for a run that has ended.
 */
import { mkdirSync, rmSync } from "node:fs";
import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Log, Service } from "../../engine/shell/service.ts";
import type { BuildOrder } from "../../feeds/build-order.ts";
import type { MessageMacs } from "../message-macs.ts";
import { FEEDS_QUEUE } from "../queues.ts";
import { reclaimQueue } from "../reclaim-queue.ts";
import { type BuildEnd, runBuild } from "./build-process.ts";
import { settle } from "./publish.ts";
import { ATTEMPTS_MAX, FeedMessages } from "./queue.ts";
import { AWAITED, type FeedRun } from "./run.ts";
import type { RunBook } from "./run-book.ts";
import { runDirectory } from "./store.ts";

/** A feed of the largest size is built within a minute on a quiet machine. */
const LIMIT_MS = 900_000;
/** Progress is written down this often at most, and at every new phase. */
const PROGRESS_EVERY_MS = 500;
/** After each piece of a build that nobody waits for: twice as long as the piece. */
const REST_MS = 100;
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** For a build that is killed to be gone. */
const GONE_MS = 2_000;

export interface RunnerOptions {
  readonly producer: Redis;
  /** A blocking connection is duplicated from this one. */
  readonly blocking: Redis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly book: RunBook;
  /** Where the files of all feeds are. */
  readonly directory: string;
  readonly journalPath: string;
  readonly siteUrl: string;
  /** What builds, unless it is the program of this installation. */
  readonly program?: string;
  readonly onNightly: (tenantId: string) => Promise<void>;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

export class FeedRunner implements Service {
  readonly id = "feed runner";
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  readonly #messages: FeedMessages;
  #worker: Worker<string> | null = null;
  /** What is being built; resolves when its process is gone and its row says so. */
  #current: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#messages = new FeedMessages(options.prefix, options.macs);
  }

  /** Takes back what a worker before it had in work, then takes jobs. Throws when Redis is down. */
  async start(): Promise<void> {
    const { producer, blocking, prefix, log, onError } = this.#options;
    const reclaimed = await reclaimQueue(producer, prefix, FEEDS_QUEUE);
    if (reclaimed > 0) log("info", "a feed's run is taken up again", { reclaimed });
    const handle = (job: Job<string>) => {
      this.#current = this.#handle(job);
      return this.#current;
    };
    this.#worker = new Worker<string>(FEEDS_QUEUE, handle, {
      connection: blocking,
      prefix,
      concurrency: 1,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A row counts the attempts; a job that was dropped would only be enqueued again.
      maxStalledCount: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on("error", onError);
  }

  /** Kills the build: the next start begins it anew, and the attempt does not count. */
  async drain(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#current.catch(() => {}), Bun.sleep(GONE_MS)]);
  }

  async stop(): Promise<void> {
    await this.drain();
    await this.#worker?.close(true);
  }

  async #handle(job: Job<string>): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const data = this.#messages.read(job.data);
    if (data === null) return;
    if (data.kind === "nightly") return await this.#options.onNightly(data.tenant_id);
    const { book, now } = this.#options;
    const run = book.begin(data.run_id, now());
    if (run !== null) await this.#attempt(run, job);
  }

  /** @throws Error when the build has crashed and is to be tried again. */
  async #attempt(run: FeedRun, job: Job<string>): Promise<void> {
    const { book, log } = this.#options;
    const end = await this.#build(run, job);
    if (end.kind === "stopped") return book.giveBack(run);
    const mayPass = end.kind === "crashed" || end.kind === "timed_out";
    if (!mayPass || run.attempts >= ATTEMPTS_MAX) return settle(run, end, this.#options);
    const { run_id, tenant_id, partner, attempts } = run;
    log("warn", "a feed is tried again", { run_id, tenant_id, partner, attempts, ...end });
    throw new Error(`${end.kind}: ${end.detail}`);
  }

  async #build(run: FeedRun, job: Job<string>): Promise<BuildEnd> {
    if (run.attempts > ATTEMPTS_MAX) {
      const detail = `begun ${ATTEMPTS_MAX} times, and the worker ended every time`;
      return { kind: "crashed", detail, manifest: null };
    }
    const { book, directory, journalPath, siteUrl, program, now } = this.#options;
    const { tenant_id, partner, run_id, trigger } = run;
    const order: BuildOrder = {
      ...{ tenant_id, partner, run_id, directory: runDirectory(directory, run) },
      ...{ journal_path: journalPath, now_ms: now(), site_url: siteUrl },
      rest_ms: AWAITED.has(trigger) ? 0 : REST_MS,
    };
    try {
      rmSync(order.directory, { recursive: true, force: true });
      mkdirSync(order.directory, { recursive: true, mode: 0o700 });
      return await runBuild({
        ...{ order, limitMs: LIMIT_MS, signal: this.#stopping.signal },
        ...(program === undefined ? {} : { program }),
        onProgress: this.#progressOf(run, job),
        isAwaited: () => book.isAwaited(),
      });
    } catch (error) {
      // A full disk, say: whoever looks at the run is told so, and not that the worker has ended.
      return { kind: "crashed", detail: String(error), manifest: null };
    }
  }

  /** Writes progress down, where operators look and on the job. */
  #progressOf(run: FeedRun, job: Job<string>) {
    let saidAtMs = Number.NEGATIVE_INFINITY;
    let saidPhase = "";
    return (phase: string, progress: number) => {
      const atMs = performance.now();
      if (phase === saidPhase && atMs - saidAtMs < PROGRESS_EVERY_MS) return;
      saidAtMs = atMs;
      saidPhase = phase;
      this.#options.book.progress(run, phase, progress);
      job.updateProgress({ phase, progress }).catch(this.#options.onError);
    };
  }
}
