/**
 * `main.ts <all|engine|worker|api>`: the composition root. `all` supervises the other roles as
 * child processes; each can also be started alone on the same `DATA_DIR`.
 */

import { Damage } from "../engine/core/damage.ts";
import { loadSecrets, type Secrets } from "./access/privacy/secrets.ts";
import { type Config, journalPath, readConfig } from "./config.ts";
import { startHeartbeat } from "./lib/heartbeat.ts";
import {
  CHILD_ROLES,
  type ChildRole,
  EXIT_CONFIG,
  operatorMessage,
  STOP_BUDGETS_MS,
  StartRefused,
} from "./lib/lifecycle.ts";
import { logger } from "./lib/log.ts";
import { printRefusal } from "./lib/refused-starts.ts";
import { endWithin, type Role } from "./lib/service.ts";
import { refusedByDamage } from "./ops/roles/damage-refusal.ts";
import { READY_MESSAGE, type RefusalMessage } from "./ops/supervisor/children.ts";
import { stopLeftoverRedis } from "./ops/supervisor/redis-server.ts";
import { untilRedis } from "./ops/supervisor/redis-wait.ts";
import { supervise } from "./ops/supervisor/supervisor.ts";

interface RoleModule {
  open(config: Config, secrets: Secrets): Promise<Role>;
}

/** Loaded on demand: an engine does not need the HTTP server in memory. */
const ROLE_MODULES: Readonly<Record<ChildRole, () => Promise<RoleModule>>> = {
  engine: () => import("./ops/roles/engine.ts"),
  worker: () => import("./ops/roles/worker.ts"),
  api: () => import("./ops/roles/api.ts"),
};

const NO_ARGUMENTS =
  "a start takes no arguments: set environment variables, as in `PORT=8080 npm start`";

async function main([role, ...rest]: readonly string[]): Promise<number> {
  try {
    if (role === "all" && rest.length === 0) return await supervise(process.env);
    const childRole = CHILD_ROLES.find((name) => name === role);
    if (childRole !== undefined) return await runRole(childRole);
    if (role === "all") throw new StartRefused(NO_ARGUMENTS);
    throw new StartRefused(`usage: main.ts <all|${CHILD_ROLES.join("|")}>`);
  } catch (error) {
    if (error instanceof StartRefused) return refuse(error);
    const message = operatorMessage(error);
    console.error(message === null ? error : `innkeep: ${message}`);
    return 1;
  }
}

/** Under a supervisor the message is sent to it, so that it is printed once. */
function refuse(error: StartRefused): number {
  const refusal: RefusalMessage = { refused: error.message };
  if (process.send === undefined) printRefusal(error);
  else process.send(refusal);
  return EXIT_CONFIG;
}

/** Runs one role until it is stopped, and resolves to its exit code. */
async function runRole(role: ChildRole): Promise<number> {
  const config = readConfig(process.env);
  const log = logger(role, config);
  // A supervisor has already waited.
  if (process.send === undefined && !config.redisIsPrivate) {
    await untilRedis(config.redis, { timeoutMs: config.startTimeoutMs, log });
  }
  const orders = listenForOrders();
  const starting = startRole(role, config);
  // A hanging start must not outlive the supervisor; its end is like a crash.
  const service = await Promise.race([starting, orders.then(() => null)]);
  if (service !== null) {
    process.send?.(READY_MESSAGE);
    startHeartbeat();
    log.info("ready");
  }
  const order = await orders;
  // Before the supervisor kills, so that the log names the timeout.
  const budgetMs = STOP_BUDGETS_MS[role] - 100;
  const isStopped = service === null || (await endWithin(service, budgetMs));
  if (!isStopped) log.warn("stop timed out", { budget_ms: budgetMs });
  // Redis does not notice the supervisor's end. The engine needs it last and stops it.
  if (order === "orphaned" && role === "engine" && config.redisIsPrivate) {
    await stopLeftoverRedis(config.dataDir, log);
  }
  return isStopped ? 0 : 1;
}

async function startRole(role: ChildRole, config: Config): Promise<Role> {
  const { open } = await ROLE_MODULES[role]();
  try {
    const service = await open(config, loadSecrets(config.dataDir, process.env));
    await service.start();
    return service;
  } catch (error) {
    throw error instanceof Damage ? refusedByDamage(error, journalPath(config.dataDir)) : error;
  }
}

/**
 * Resolves when the process must stop: by a signal, or because its supervisor has ended, which
 * closes the pipe on stdin. Without a supervisor (no message channel) stdin is ignored.
 */
function listenForOrders(): Promise<"signalled" | "orphaned"> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve("signalled"));
    process.on("SIGINT", () => resolve("signalled"));
    if (process.send === undefined) return;
    process.stdin.on("end", () => resolve("orphaned"));
    process.stdin.on("error", () => resolve("orphaned"));
    process.stdin.resume();
  });
}

// All files, including those of SQLite and Redis, are readable by this user only.
process.umask(0o077);
process.exit(await main(process.argv.slice(2)));
