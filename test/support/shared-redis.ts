/** A Redis that several machines share, in a directory of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";

const MEMORY_MB = 64;

export class SharedRedis {
  readonly #directory = mkdtempSync(join(tmpdir(), "innkeep-redis-"));
  #process!: RedisProcess;
  /** Also a program that is interrupted while it starts leaves none. */
  readonly #killAtExit = () => this.#process.kill("SIGKILL");

  static async start(): Promise<SharedRedis> {
    const redis = new SharedRedis();
    await redis.#start();
    process.on("exit", redis.#killAtExit);
    return redis;
  }

  /** Its `REDIS_URL`. */
  get url(): string {
    return `unix://${this.#process.path}`;
  }

  /** Kills it with all that it holds; resolves when an empty one is in its place. */
  async replace(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.exited;
    await this.#start();
  }

  async stop(): Promise<void> {
    process.off("exit", this.#killAtExit);
    await this.#process.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const log = logger("redis", { logLevel: "error" });
    const dataDir = this.#directory;
    this.#process = await startRedis({ dataDir, maxMemoryMb: MEMORY_MB, log });
  }
}
