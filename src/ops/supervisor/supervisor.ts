/**
 * The role `all`: supervises a private Redis, one engine, one worker and the api processes of a
 * data directory. It starts them in the order of their dependencies, restarts them, and stops them
 * in the opposite order.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadSecrets, type Secrets } from "../../access/privacy/secrets.ts";
import { type Config, readConfig } from "../../config.ts";
import {
  type ChildRole,
  ENDING_MESSAGE,
  EXIT_CONFIG,
  STOP_BUDGETS_MS,
  StartFailed,
  StartRefused,
} from "../../lib/lifecycle.ts";
import { takeLock } from "../../lib/lock.ts";
import { type Logger, logger } from "../../lib/log.ts";
import { printRefusal, refusedStart } from "../../lib/refused-starts.ts";
import type { Replacement, ReplacementsMessage } from "../../lib/replacements.ts";
import { every } from "../../lib/service.ts";
import type { Environment } from "../../settings-reader.ts";
import { readDemoFile } from "../demo/demo-file.ts";
import { type ChildOptions, endFormerChildren, startChild } from "./children.ts";
import { makePrivate, refuseUnlessRoom, refuseUnlessWhole } from "./data-dir.ts";
import { GaveUp, Keeper, type KeeperOptions } from "./keeper.ts";
import { type LifecycleMessages, lifecycleMessages } from "./lifecycle-messages.ts";
import { startRedis } from "./redis-server.ts";
import { untilRedis } from "./redis-wait.ts";
import { SilenceWatch } from "./silence-watch.ts";

/** Ctrl-C arrives from the terminal and again from npm; only a later signal is a second one. */
const SAME_SIGNAL_MS = 500;

const SEND_EVERY_MS = 1_000;

/** Longer than a restart of the engine takes, and shorter than until another machine is home. */
const HOME_TRUSTED_MS = 4_500;
const DOUBT_EVERY_MS = 250;

/** Clients stop before the processes that they depend on. */
const STOP_ORDER = ["api", "worker", "engine", "redis"] as const;

/**
 * Runs everything until a signal or a permanent failure, and resolves to the exit code when all
 * processes have ended. SIGINT, SIGTERM and SIGHUP stop in order within 10 s; the second one kills.
 *
 * @throws StartRefused when the configuration is bad, the directory or the port is in use, or the
 * secrets cannot be read.
 */
export async function supervise(env: Environment): Promise<number> {
  const first = readConfig(env);
  const { dataDir, host, port, metricsHost, metricsPort, logFormat } = first;
  const log = logger("supervisor", first);
  for (const [given, meant] of first.misspelt) {
    log.warn(`${given} is not a setting and is ignored: did you mean ${meant}?`);
  }
  makePrivate(dataDir, log);
  const lock = takeLock(dataDir);
  try {
    await endFormerChildren(dataDir, log);
    // Children get the chosen port and an absolute directory.
    const childEnv = {
      NODE_ENV: "production",
      ...env,
      DATA_DIR: dataDir,
      PORT: String(freePort("", host, port)),
      LOG_FORMAT: logFormat,
    };
    // A taken default port is no error: a second installation may run.
    if (env.METRICS_PORT && metricsPort !== 0) freePort("METRICS_", metricsHost, metricsPort);
    refuseUnlessRoom(dataDir);
    const config = readConfig(childEnv);
    const secrets = loadSecrets(dataDir, env);
    if (config.databaseUrl === null) refuseUnlessWhole(dataDir);
    const demoPath = join(dataDir, "demo.json");
    if (config.demo && existsSync(demoPath)) await readDemoFile(demoPath);
    const { redis, startTimeoutMs: timeoutMs } = config;
    const messages = lifecycleMessages(config, log);
    messages.starting();
    if (!config.redisIsPrivate) await untilRedis(redis, { timeoutMs, log });
    return await new Supervisor(config, childEnv, log, messages).run(secrets);
  } finally {
    lock.release();
  }
}

class Supervisor {
  readonly #config: Config;
  readonly #env: Environment;
  readonly #log: Logger;
  readonly #messages: LifecycleMessages;
  readonly #keepers: { readonly role: keyof typeof STOP_BUDGETS_MS; readonly keeper: Keeper }[] =
    [];
  readonly #end = Promise.withResolvers<number>();
  readonly #watch = new SilenceWatch();
  readonly #replacements: Replacement[] = [];
  #isEnding = false;
  /** On one of several machines: whether api and worker run here; null until that is known. */
  #isHome: boolean | null = null;
  #moving: Promise<void> = Promise.resolve();
  /** `performance.now()` when the engine last said that they do. */
  #homeAtMs = 0;

  constructor(config: Config, env: Environment, log: Logger, messages: LifecycleMessages) {
    this.#config = config;
    this.#env = env;
    this.#log = log;
    this.#messages = messages;
  }

  async run(secrets: Secrets): Promise<number> {
    const ignoreSignals = this.#listenToSignals();
    const sending = every("replacements", SEND_EVERY_MS, () => this.#sendReplacements());
    const doubting = every("home", DOUBT_EVERY_MS, () => this.#doubtHome(secrets));
    this.#watch.start();
    sending.start();
    doubting.start();
    this.#boot(secrets).catch((error) => this.#failStart(error));
    const exitCode = await this.#end.promise;
    for (const { role, keeper } of this.#keepers) {
      if (role === "engine") keeper.current?.send?.(ENDING_MESSAGE);
    }
    for (const role of STOP_ORDER) {
      const ofRole = this.#keepers.filter((kept) => kept.role === role);
      await Promise.all(ofRole.map(({ keeper }) => keeper.stop()));
    }
    ignoreSignals();
    sending.stop();
    doubting.stop();
    this.#watch.stop();
    this.#messages.stopped(exitCode);
    return exitCode;
  }

  async #boot(secrets: Secrets): Promise<void> {
    const config = this.#config;
    if (config.redisIsPrivate) await this.#keepRedis();
    await this.#keepRole("engine", "engine", (isHome) => this.#moveHome(isHome, secrets));
    if (config.databaseUrl === null) await this.#serve(secrets);
  }

  /** Starts api and worker on one of several machines, or ends them; one after the other. */
  #moveHome(isHome: boolean, secrets: Secrets): Promise<void> {
    if (isHome) this.#homeAtMs = performance.now();
    const move = async () => {
      if (this.#isEnding || isHome === this.#isHome) return;
      const isFirst = this.#isHome === null;
      this.#isHome = isHome;
      // Not awaited: the engine is ready before its clients.
      if (isHome) this.#serve(secrets).catch((error) => this.#failStart(error));
      else if (isFirst) this.#messages.standingBy();
      else await this.#endClients();
    };
    this.#moving = this.#moving.then(move).catch((error) => this.#failStart(error));
    return this.#moving;
  }

  /**
   * Ends api and worker when the engine does not say any more that this machine is their home: then
   * another one soon is.
   */
  #doubtHome(secrets: Secrets): void {
    const silentMs = performance.now() - this.#homeAtMs;
    if (this.#isHome && silentMs > HOME_TRUSTED_MS) void this.#moveHome(false, secrets);
  }

  async #endClients(): Promise<void> {
    this.#log.warn("this machine is not the home any more: api and worker end");
    const clients = this.#keepers.filter(({ role }) => role === "api" || role === "worker");
    await Promise.all(clients.map(({ keeper }) => keeper.stop()));
    for (const client of clients) this.#keepers.splice(this.#keepers.indexOf(client), 1);
  }

  /** Starts the worker and the api processes. */
  async #serve(secrets: Secrets): Promise<void> {
    const config = this.#config;
    const apis = Array.from({ length: config.apiProcesses }, (_, i) => `api-${i + 1}`);
    await Promise.all([
      this.#keepRole("worker", "worker"),
      ...apis.map((id) => this.#keepRole("api", id)),
    ]);
    if (config.demo) {
      const { bootstrapDemo } = await import("../demo/bootstrap.ts");
      await bootstrapDemo(config, secrets);
    }
    if (!this.#isEnding) await this.#messages.ready();
  }

  #failStart(error: unknown): void {
    this.#fail(1, "stopping everything: the start failed", error);
  }

  #keepRedis(): Promise<void> {
    const { dataDir, redisMaxMemoryMb: maxMemoryMb } = this.#config;
    const log = this.#log;
    return this.#keep("redis", "redis", (signal, onHeard) =>
      startRedis({ dataDir, maxMemoryMb, log, signal, onHeard }),
    );
  }

  #keepRole(role: ChildRole, id: string, onHome?: ChildOptions["onHome"]): Promise<void> {
    const { dataDir } = this.#config;
    const child = { role, id, dataDir, env: this.#env, ...(onHome && { onHome }) };
    return this.#keep(role, id, (signal, heard) => startChild(child, signal, heard));
  }

  /** Resolves when the process is ready; never during a stop. */
  #keep(role: Replacement["role"], id: string, start: KeeperOptions["start"]): Promise<void> {
    const stopBudgetMs = STOP_BUDGETS_MS[role];
    const onReplaced = (reason: Replacement["reason"]) => this.#replaced(role, reason);
    const base = { log: this.#log, watch: this.#watch, onReplaced };
    const keeper = new Keeper({ id, start, stopBudgetMs, ...base });
    if (this.#isEnding) return keeper.ready;
    this.#keepers.push({ role, keeper });
    keeper.run().catch((error) => {
      const exitCode = error instanceof GaveUp ? error.exitCode : 1;
      this.#fail(exitCode, `stopping everything: ${error.message}`, error.cause);
    });
    return keeper.ready;
  }

  #replaced(role: Replacement["role"], reason: Replacement["reason"]): void {
    const at = this.#replacements.findIndex((each) => each.role === role && each.reason === reason);
    if (at < 0) this.#replacements.push({ role, reason, count: 1 });
    else this.#replacements[at] = { role, reason, count: this.#replacements[at]!.count + 1 };
  }

  /** Sent periodically, because a replaced worker has lost the counts. */
  #sendReplacements(): void {
    if (this.#replacements.length === 0) return;
    const worker = this.#keepers.find(({ role }) => role === "worker")?.keeper.current;
    const message: ReplacementsMessage = { replacements: this.#replacements };
    worker?.send?.(message);
  }

  /** A refused start is printed as its message only. */
  #fail(exitCode: number, reason: string, cause: unknown): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const isRefused = cause instanceof StartRefused;
    if (isRefused) printRefusal(cause);
    if (cause instanceof StartFailed) this.#log.error(`${reason}: ${cause.message}`);
    else if (!isRefused) this.#log.error(reason, { cause });
    else if (this.#config.logFormat === "json") this.#log.error(reason);
    this.#end.resolve(isRefused ? EXIT_CONFIG : exitCode);
  }

  #obey(signal: NodeJS.Signals): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#messages.stopping("stopping everything", { signal });
    this.#end.resolve(0);
  }

  #listenToSignals(): () => void {
    let firstAt: number | null = null;
    const onSignal = (signal: NodeJS.Signals) => {
      firstAt ??= performance.now();
      this.#obey(signal);
      if (performance.now() - firstAt < SAME_SIGNAL_MS) return;
      for (const { keeper } of this.#keepers) keeper.kill();
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const signal of signals) process.on(signal, onSignal);
    return () => {
      for (const signal of signals) process.off(signal, onSignal);
    };
  }
}

/**
 * Checks that `port` is free, or chooses one for 0. The api processes share their port
 * (SO_REUSEPORT) and would not notice another program on it; a bind without that option does.
 */
function freePort(prefix: "" | "METRICS_", host: string, port: number): number {
  try {
    const probe = Bun.listen({ hostname: host, port, socket: { data() {} } });
    probe.stop(true);
    return probe.port;
  } catch (cause) {
    // Bun gives no code for an unknown host name.
    const code = (cause as NodeJS.ErrnoException).code || "no such address";
    const facts = { port, host, variable: `${prefix}PORT` };
    if (code === "EADDRINUSE") throw refusedStart("port_in_use", facts, cause);
    throw refusedStart("port_refused", { ...facts, code, hostVariable: `${prefix}HOST` }, cause);
  }
}
