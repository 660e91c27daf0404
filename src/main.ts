/**
 * `main.ts <all|engine|worker|api>`: the composition root. `all` supervises the other roles as
 * child processes; each of them can also be started by hand against the same `DATA_DIR`.
 */

import { logger } from "./base/log.ts";
import { READY_MESSAGE } from "./children.ts";
import { type Config, readConfig } from "./config.ts";
import { loadSecrets, type Secrets } from "./privacy/secrets.ts";
import { stopLeftoverRedis } from "./redis-server.ts";
import {
  CHILD_ROLES,
  type ChildRole,
  EXIT_CONFIG,
  type Service,
  STOP_BUDGETS_MS,
  StartRefused,
} from "./service.ts";
import { supervise } from "./supervisor.ts";

interface RoleModule {
  start(config: Config, secrets: Secrets): Promise<Service>;
}

/** Loaded on demand: an engine needs no HTTP front end in memory. */
const ROLE_MODULES: Readonly<Record<ChildRole, () => Promise<RoleModule>>> = {
  engine: () => import("./roles/engine.ts"),
  worker: () => import("./roles/worker.ts"),
  api: () => import("./roles/api.ts"),
};

async function main([role, ...rest]: readonly string[]): Promise<number> {
  try {
    if (role === "all" && rest.length === 0) return await supervise(process.env);
    const childRole = CHILD_ROLES.find((name) => name === role);
    if (childRole !== undefined) return await runRole(childRole);
    throw new StartRefused(`usage: main.ts <all|${CHILD_ROLES.join("|")}>`);
  } catch (error) {
    // A refusal is for the operator to read; anything else is for whoever finds the fault.
    console.error(error instanceof StartRefused ? `innkeep: ${error.message}` : error);
    return error instanceof StartRefused ? EXIT_CONFIG : 1;
  }
}

/** Runs one role until it is told to stop, and resolves to its exit code. */
async function runRole(role: ChildRole): Promise<number> {
  const config = readConfig(process.env);
  const log = logger(role, config.logLevel);
  const orders = listenForOrders();
  const { start } = await ROLE_MODULES[role]();
  const starting = start(config, loadSecrets(config.dataDir, process.env));
  // A start that hangs must not outlive the supervisor; cutting it off is like a crash.
  const service = await Promise.race([starting, orders.then(() => null)]);
  if (service !== null) {
    process.send?.(READY_MESSAGE);
    log.info("ready");
  }
  const order = await orders;
  // A little before the supervisor kills, so that the log says what was cut off.
  const budgetMs = STOP_BUDGETS_MS[role] - 100;
  const isStopped = service === null || (await stopWithin(service, budgetMs));
  if (!isStopped) log.warn("stop cut off", { budget_ms: budgetMs });
  // Redis watches no pipe. The engine needed it last, and sees that nobody else will end it.
  if (order === "orphaned" && role === "engine" && config.redisIsPrivate) {
    await stopLeftoverRedis(config.dataDir, log);
  }
  return isStopped ? 0 : 1;
}

/** Whether the service stopped within the budget. */
async function stopWithin(service: Service, budgetMs: number): Promise<boolean> {
  return await Promise.race([
    service.stop().then(() => true),
    Bun.sleep(budgetMs).then(() => false),
  ]);
}

/**
 * Resolves when the process shall stop: by a signal, or because its supervisor is gone, which
 * closes the pipe on stdin. Without a supervisor (no message channel) stdin means nothing.
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

process.exit(await main(process.argv.slice(2)));
