/**
 * Takes runs from the queue and builds them, one at a time. A job is only a hint: a run's state is
 * its row, so a job may come twice, late, or after the run ended.
 */
import { mkdirSync, rmSync } from "node:fs";
import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { BuildOrder } from "../../feeds/build-order.ts";
import type { Log, Service } from "../../src/lib/service.ts";
import { FEEDS_QUEUE } from "../lanes/queues.ts";
import { reclaimQueue } from "../lanes/reclaim-queue.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import { type BuildEnd, runBuild } from "./build-process.ts";
import { settle } from "./publish.ts";
import { ATTEMPTS_MAX, FeedMessages } from "./queue.ts";
import { AWAITED, type FeedRun } from "./run.ts";
import type { RunBook } from "./run-book.ts";
import { runDirectory } from "./store.ts";

/** A feed of maximum size takes a minute on an idle machine. */
const LIMIT_MS = 900_000;
/** Progress is recorded at most this often, and at every new phase. */
const PROGRESS_EVERY_MS = 500;
/** Pause after each slice of a build without a waiting caller: twice as long as the slice. */
const REST_MS = 100;
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** Time for a killed build to end. */
const GONE_MS = 2_000;

export interface RunnerOptions {
  readonly producer: Redis;
  /** Duplicated for a blocking connection. */
  readonly blocking: Redis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly book: RunBook;
  /** Root directory of all feeds' files. */
  readonly directory: string;
  readonly journalPath: string;
  readonly siteUrl: string;
  /** The build program; default: this installation's. */
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
  /** The current build; resolves when its process has ended and its row is updated. */
  #current: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#messages = new FeedMessages(options.prefix, options.macs);
  }

  /** Reclaims jobs of the last worker, then takes jobs. Throws when Redis is down. */
  async start(): Promise<void> {
    const { producer, blocking, prefix, log, onError } = this.#options;
    const reclaimed = await reclaimQueue(producer, prefix, FEEDS_QUEUE);
    if (reclaimed > 0) log("info", "a feed run is resumed", { reclaimed });
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
      // The row counts attempts; a dropped job would be enqueued again.
      maxStalledCount: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on("error", onError);
  }

  /** Kills the build. The next start repeats it, and the attempt does not count. */
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

  /** @throws Error when the build crashed and is to be retried. */
  async #attempt(run: FeedRun, job: Job<string>): Promise<void> {
    const { book, log } = this.#options;
    const end = await this.#build(run, job);
    if (end.kind === "stopped") return book.giveBack(run);
    const mayPass = end.kind === "crashed" || end.kind === "timed_out";
    if (!mayPass || run.attempts >= ATTEMPTS_MAX) return settle(run, end, this.#options);
    const { run_id, tenant_id, partner, attempts } = run;
    log("warn", "a feed build is retried", { run_id, tenant_id, partner, attempts, ...end });
    throw new Error(`${end.kind}: ${end.detail}`);
  }

  async #build(run: FeedRun, job: Job<string>): Promise<BuildEnd> {
    if (run.attempts > ATTEMPTS_MAX) {
      const detail = `the worker ended during each of ${ATTEMPTS_MAX} attempts`;
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
      // For example a full disk: the operator sees this error instead of a crash.
      return { kind: "crashed", detail: String(error), manifest: null };
    }
  }

  /** Records progress in the row and on the job. */
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
