/**
 * Builds the open runs, one at a time: those that a caller waits for first, then by age. A run is a
 * row of `feeds.db`; one that was under way when the last worker ended is built again.
 */
import { mkdirSync, rmSync } from "node:fs";
import type { BuildOrder } from "../../feeds/build-order.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import { type BuildEnd, runBuild } from "./build-process.ts";
import { settle } from "./publish.ts";
import { AWAITED, type FeedRun } from "./run.ts";
import type { RunBook } from "./run-book.ts";
import { runDirectory } from "./store.ts";

const LOOK_EVERY_MS = 100;
const ATTEMPTS_MAX = 3;
/** Pause before the second attempt; doubled before the third. */
const BACKOFF_MS = 5_000;
/** A feed of maximum size takes a minute on an idle machine. */
const LIMIT_MS = 900_000;
/** Progress is recorded at most this often, and at every new phase. */
const PROGRESS_EVERY_MS = 500;
/** Pause after each slice of a build without a waiting caller: twice as long as the slice. */
const REST_MS = 100;
/** Time for a killed build to end. */
const GONE_MS = 2_000;

export interface RunnerOptions {
  readonly book: RunBook;
  /** Root directory of all feeds' files. */
  readonly directory: string;
  readonly journalPath: string;
  readonly siteUrl: string;
  /** The build program; default: this installation's. */
  readonly program?: string;
  /** Default: `BACKOFF_MS`. */
  readonly backoffMs?: number;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

export class FeedRunner implements Service {
  readonly id = "feed runner";
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.#look());
  /** Runs to be tried again, and when, steady clock. */
  readonly #againAtMs = new Map<string, number>();
  /** The current build; resolves when its process has ended and its row is updated. */
  #current: Promise<void> | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  /** Kills the build. The next start repeats it, and the attempt does not count. */
  async drain(): Promise<void> {
    this.#timer.stop();
    this.#stopping.abort();
    await Promise.race([this.#current, Bun.sleep(GONE_MS)]);
  }

  stop(): Promise<void> {
    return this.drain();
  }

  #look(): void {
    this.#current ??= this.#buildDue()
      .catch(this.#options.onError)
      .finally(() => {
        this.#current = null;
      });
  }

  async #buildDue(): Promise<void> {
    for (let run = this.#next(); run !== null; run = this.#next()) await this.#attempt(run);
  }

  /** Begins an attempt of the first run that is due; null without one. */
  #next(): FeedRun | null {
    const { book, now } = this.#options;
    if (this.#stopping.signal.aborted) return null;
    const open = book.open();
    const awaited = open.filter(({ trigger }) => AWAITED.has(trigger));
    for (const { run_id } of new Set([...awaited, ...open])) {
      if (performance.now() < (this.#againAtMs.get(run_id) ?? 0)) continue;
      const run = book.begin(run_id, now());
      if (run !== null) return run;
    }
    return null;
  }

  /** After a crash, and if the end cannot be written, the run is tried again later. */
  async #attempt(run: FeedRun): Promise<void> {
    const { backoffMs = BACKOFF_MS } = this.#options;
    const delayMs = backoffMs * 2 ** (run.attempts - 1);
    let isOver = false;
    try {
      isOver = this.#end(run, await this.#build(run));
    } finally {
      if (isOver) this.#againAtMs.delete(run.run_id);
      else this.#againAtMs.set(run.run_id, performance.now() + delayMs);
    }
  }

  /** Records how an attempt ended; false when another one follows. */
  #end(run: FeedRun, end: BuildEnd): boolean {
    const { book, log } = this.#options;
    if (end.kind === "stopped") {
      book.giveBack(run);
      return true;
    }
    const mayPass = end.kind === "crashed" || end.kind === "timed_out";
    if (!mayPass || run.attempts >= ATTEMPTS_MAX) {
      settle(run, end, this.#options);
      return true;
    }
    const { run_id, tenant_id, partner, attempts } = run;
    log("warn", "a feed build is retried", { run_id, tenant_id, partner, attempts, ...end });
    return false;
  }

  async #build(run: FeedRun): Promise<BuildEnd> {
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
        onProgress: this.#progressOf(run),
        isAwaited: () => book.isAwaited(),
      });
    } catch (error) {
      // For example a full disk: the operator sees this error instead of a crash.
      return { kind: "crashed", detail: String(error), manifest: null };
    }
  }

  /** Records progress in the row. */
  #progressOf(run: FeedRun) {
    let saidAtMs = Number.NEGATIVE_INFINITY;
    let saidPhase = "";
    return (phase: string, progress: number) => {
      const atMs = performance.now();
      if (phase === saidPhase && atMs - saidAtMs < PROGRESS_EVERY_MS) return;
      saidAtMs = atMs;
      saidPhase = phase;
      this.#options.book.progress(run, phase, progress);
    };
  }
}
