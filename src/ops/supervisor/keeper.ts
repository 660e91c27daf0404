/**
 * Keeps one process running: restarts it when it dies or hangs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT_CONFIG, EXIT_FENCED, StartRefused } from "../../lib/lifecycle.ts";
import type { Logger } from "../../lib/log.ts";
import { type Process, stopProcess } from "../../lib/process.ts";
import type { Replacement } from "../../lib/replacements.ts";
import type { SilenceWatch, Watched } from "./silence-watch.ts";

export interface KeeperOptions {
  readonly id: string;
  /**
   * Starts the process and resolves when it is ready. It leaves nothing running when it rejects,
   * and rejects soon after `signal` aborts. It calls `heard` for every heartbeat after readiness.
   */
  readonly start: (signal: AbortSignal, heard: () => void) => Promise<Process>;
  readonly stopBudgetMs: number;
  readonly watch: Pick<SilenceWatch, "watch">;
  /** Called before each restart. */
  readonly onReplaced?: (reason: Replacement["reason"]) => void;
  readonly log: Logger;
}

/** The process ended before it was ready. */
export class EarlyExit extends Error {
  override readonly name = "EarlyExit";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with code ${exitCode} before it was ready`);
    this.exitCode = exitCode;
  }
}

/** The process is not restarted; `exitCode` is that of the supervisor. */
export class GaveUp extends Error {
  override readonly name = "GaveUp";
  readonly exitCode: number;

  constructor(reason: string, exitCode: number, cause?: unknown) {
    super(reason, { cause });
    this.exitCode = exitCode;
  }
}

const BACKOFF_MS_MIN = 100;
const BACKOFF_MS_MAX = 5_000;
/** After this time the backoff starts small again. */
const HEALTHY_MS = 10_000;
/** A process that is never ready points to a configuration error. */
const FIRST_STARTS_MAX = 5;

interface End {
  readonly exitCode: number;
  readonly cause?: unknown;
  readonly readyForMs: number;
  /** Set when it was killed because it hung. */
  readonly silentMs?: number;
}

export class Keeper {
  readonly id: string;
  readonly #options: KeeperOptions;
  readonly #abort = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #current: Process | null = null;
  #running: Promise<void> | null = null;
  #wasReady = false;

  constructor(options: KeeperOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /** Resolves when the process is ready for the first time; stays pending if it never is. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Keeps the process running. Resolves after `stop` or `kill`.
   *
   * @throws GaveUp when it was fenced, refused its start, or was never ready in several starts.
   */
  run(): Promise<void> {
    this.#running ??= this.#keep();
    return this.#running;
  }

  /** The running process; null between two. */
  get current(): Process | null {
    return this.#current;
  }

  /** Stops the process within its budget, without a restart. */
  async stop(): Promise<void> {
    this.#abort.abort();
    if (this.#current !== null) await stopProcess(this.#current, this.#options.stopBudgetMs);
    await this.#running?.catch(() => {});
  }

  /** Kills the process at once, without a restart. */
  kill(): void {
    this.#abort.abort();
    this.#current?.kill("SIGKILL");
  }

  async #keep(): Promise<void> {
    const { signal } = this.#abort;
    let backoffMs = BACKOFF_MS_MIN;
    for (let starts = 1; !signal.aborted; starts++) {
      const end = await this.#runOnce(signal);
      if (signal.aborted) return;
      this.#giveUpIfFinal(end, starts);
      if (end.readyForMs >= HEALTHY_MS) backoffMs = BACKOFF_MS_MIN;
      const { exitCode: exit_code, cause, silentMs } = end;
      const fields = { exit_code, restart_in_ms: backoffMs, cause };
      if (silentMs === undefined) this.#options.log.warn(`${this.id} died`, fields);
      this.#options.onReplaced?.(silentMs === undefined ? "died" : "silent");
      await sleep(backoffMs, undefined, { signal }).catch(() => {});
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX);
    }
  }

  async #runOnce(signal: AbortSignal): Promise<End> {
    let watched: Watched | undefined;
    try {
      this.#current = await this.#options.start(signal, () => watched?.heard());
    } catch (cause) {
      if (cause instanceof EarlyExit) return { exitCode: cause.exitCode, readyForMs: 0 };
      const exitCode = cause instanceof StartRefused ? EXIT_CONFIG : 1;
      return { exitCode, cause, readyForMs: 0 };
    }
    // `stop` was called before `#current` was set.
    if (signal.aborted) await stopProcess(this.#current, this.#options.stopBudgetMs);
    const readyAt = performance.now();
    this.#wasReady = true;
    this.#ready.resolve();
    let silence: { readonly silentMs?: number } = {};
    const current = this.#current;
    watched = this.#options.watch.watch((ms) => {
      // A stop has its own budget.
      if (signal.aborted) return;
      silence = { silentMs: Math.round(ms) };
      const fields = { id: this.id, silent_pid: current.pid, silent_ms: silence.silentMs };
      this.#options.log.warn(`${this.id} does not respond: killed, restarting`, fields);
      current.kill("SIGKILL");
    });
    const exitCode = await current.exited;
    watched.end();
    this.#current = null;
    return { exitCode, readyForMs: performance.now() - readyAt, ...silence };
  }

  #giveUpIfFinal({ exitCode, cause }: End, starts: number): void {
    if (exitCode === EXIT_FENCED) {
      throw new GaveUp(`${this.id} was fenced: another engine has taken over`, exitCode);
    }
    if (exitCode === EXIT_CONFIG) {
      const reason = cause instanceof StartRefused ? cause.message : "no reason given";
      throw new GaveUp(`${this.id} refused its start: ${reason}`, exitCode, cause);
    }
    if (!this.#wasReady && starts >= FIRST_STARTS_MAX) {
      const reason = `${this.id} ended ${starts} times before it was ready (code ${exitCode})`;
      throw new GaveUp(reason, 1, cause);
    }
  }
}
