/**
 * What an installation needs to keep its journal in PostgreSQL: a primary, a standby that each
 * commit waits for, and a Redis that machines share. Each copy has its own, cloned from those that
 * were seeded.
 */
import { logger } from "../src/lib/log.ts";
import { KEPT_MEMORY } from "../src/ops/supervisor/children.ts";
import { type RedisProcess, startRedis } from "../src/ops/supervisor/redis-server.ts";
import { commandIdsIn, leadsOn, OtherMachine } from "../test/crash/machines.ts";
import { PostgresServer } from "../test/support/postgres.ts";
import { processTree } from "./cpu.ts";
import { type Installation, SETTINGS, type Surroundings } from "./installation.ts";
import { onInterrupt } from "./teardown.ts";

/** PostgreSQL of a copy, and the settings that its machines have in common. */
export interface SharedParts {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts these for the template of a fixture and for its copies. */
export class SharedStore {
  readonly #directory: string;
  /** Has the journal of the template. */
  #template: PostgresServer | null = null;
  #parts: SharedParts | null = null;
  readonly #isStopped = onInterrupt(() => this.stop());

  /** `directory`: on the disk that is measured, and PostgreSQL's user must be able to pass. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Those of the copy that runs. */
  get parts(): SharedParts {
    if (this.#parts === null) throw new Error("no copy runs");
    return this.#parts;
  }

  /** For the template at first, then for a copy. */
  readonly surround = async (dataDir: string): Promise<Surroundings> => {
    if (this.#template !== null) return this.#surroundCopy(this.#template, dataDir);
    this.#template = await PostgresServer.start(this.#directory);
    const redis = await redisOf(dataDir);
    return { env: settings([this.#template], redis), pids: [], stop: async () => redis.stop() };
  };

  /** Call when no copy runs any more. */
  async stop(): Promise<void> {
    await this.#template?.stop();
    this.#isStopped();
  }

  async #surroundCopy(template: PostgresServer, dataDir: string): Promise<Surroundings> {
    const servers: PostgresServer[] = [];
    const stopServers = async () => {
      this.#parts = null;
      // A primary in an orderly stop waits for its standby.
      for (const each of servers) await each.stop();
    };
    const areStopped = onInterrupt(stopServers);
    try {
      const [primary, standby] = await clonedPair(template, (server) => servers.push(server));
      const redis = await redisOf(dataDir);
      const env = settings(servers, redis);
      this.#parts = { primary, standby, env };
      const stop = async () => {
        await redis.stop();
        await stopServers();
        areStopped();
      };
      return {
        env,
        get pids() {
          return [redis, ...servers].flatMap(({ pid }) => processTree(pid));
        },
        stop,
      };
    } catch (error) {
      await stopServers();
      areStopped();
      throw error;
    }
  }
}

/** A primary with the template's data, and its standby; commits wait for it. */
async function clonedPair(template: PostgresServer, onStarted: (server: PostgresServer) => void) {
  const primary = await template.startStandby("a");
  onStarted(primary);
  await primary.promote();
  const standby = await primary.startStandby("b");
  onStarted(standby);
  await primary.setSyncStandbys("ANY 1 (b)");
  return [primary, standby] as const;
}

/** With the settings of a private one, where that would be: quotes are stored there. */
async function redisOf(dataDir: string): Promise<RedisProcess> {
  const log = logger("redis", { logLevel: "error" });
  const maxMemoryMb = Number(SETTINGS.REDIS_MAXMEMORY_MB);
  const redis = await startRedis({ dataDir, maxMemoryMb, log });
  void redis.exited.then(onInterrupt(async () => redis.stop()));
  return redis;
}

function settings(servers: readonly PostgresServer[], { path }: RedisProcess) {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return {
    ...{ STORE: "postgres", DATABASE_URL: `postgres://innkeep@${hosts}/innkeep` },
    // Says when an engine is ready; nothing is logged by request.
    ...{ REDIS_URL: `unix://${path}`, LOG_LEVEL: "info" },
  };
}

/** Runs `work` beside the engine of another machine, which is ready to lead. */
export async function withOtherMachine<T>(
  { env }: SharedParts,
  copy: Installation,
  work: (other: OtherMachine) => Promise<T>,
): Promise<T> {
  const other = new OtherMachine({ ...SETTINGS, ...KEPT_MEMORY, ...env }, copy);
  const isRemoved = onInterrupt(() => other.remove());
  try {
    await other.start();
    return await work(other);
  } finally {
    await other.remove();
    isRemoved();
  }
}

/** Throws unless the engine on this directory leads. */
export async function mustLead(server: PostgresServer, dataDir: string): Promise<void> {
  if (!(await leadsOn(server, dataDir))) throw new Error(`${dataDir} does not lead`);
}

/** How many of these commands are not in the journal in PostgreSQL. */
export async function countMissing(
  server: PostgresServer,
  commandIds: readonly string[],
): Promise<number> {
  const found = await commandIdsIn(server);
  return commandIds.filter((id) => !found.has(id)).length;
}
