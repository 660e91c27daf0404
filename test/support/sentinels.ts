/**
 * Redis with Sentinel as on three machines: a primary, two replicas and three sentinels on free
 * ports, all with passwords. They are ended by pid, and none outlives the test process.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, until } from "./service.ts";

const COUNT = 3;
/** Both need to be percent-encoded in an address. */
export const PASSWORDS = { redis: "open/s@same", sentinel: "who?knows#it" } as const;
export const PRIMARY_NAME = "hotel.1";

interface Server {
  readonly port: number;
  readonly child: Bun.Subprocess;
}

/** One Redis with its replicas and sentinels. */
export class SentinelRig {
  readonly #directory: string;
  readonly #redis: Server[] = [];
  readonly #sentinels: Server[] = [];

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when each sentinel knows the others and both replicas. */
  static async start(): Promise<SentinelRig> {
    const rig = new SentinelRig(mkdtempSync(join(tmpdir(), "innkeep-sentinels-")));
    try {
      await rig.#start();
    } catch (error) {
      await rig.stop();
      throw error;
    }
    return rig;
  }

  /** Ports of the sentinels. */
  get ports(): readonly number[] {
    return this.#sentinels.map(({ port }) => port);
  }

  /** The `REDIS_URL` of a service. */
  get url(): string {
    const { redis, sentinel } = PASSWORDS;
    const hosts = this.ports.map((port) => `127.0.0.1:${port}`).join(",");
    const query = `sentinel_password=${encodeURIComponent(sentinel)}`;
    return `redis+sentinel://:${encodeURIComponent(redis)}@${hosts}/${PRIMARY_NAME}/1?${query}`;
  }

  /** The server that every running sentinel takes for the primary; null while they differ. */
  async primary(): Promise<Server | null> {
    const ports = await Promise.all(
      this.ports.map(async (port) => (await this.#master(port)).get("port")),
    );
    const [first] = ports;
    if (ports.some((port) => port !== first)) return null;
    return this.#redis.find(({ port }) => String(port) === first) ?? null;
  }

  /** Continues a suspended server, so that it can end. */
  async stop(): Promise<void> {
    for (const { child } of [...this.#sentinels, ...this.#redis]) {
      child.kill("SIGKILL");
      await child.exited;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const own = `requirepass "${PASSWORDS.redis}"\nmasterauth "${PASSWORDS.redis}"\nsave ""\n`;
    for (let i = 0; i < COUNT; i += 1) {
      const [first] = this.#redis;
      const source = first ? `replicaof 127.0.0.1 ${first.port}\n` : "";
      const fast = "repl-diskless-sync-delay 0\nmaxmemory 64mb\nmaxmemory-policy noeviction\n";
      this.#redis.push(this.#spawn(`${own}${source}${fast}`, []));
    }
    const { port } = this.#redis[0]!;
    const watch = `
requirepass "${PASSWORDS.sentinel}"
sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${port} 2
sentinel auth-pass ${PRIMARY_NAME} "${PASSWORDS.redis}"
sentinel down-after-milliseconds ${PRIMARY_NAME} 1000
sentinel failover-timeout ${PRIMARY_NAME} 5000
`;
    await until("Redis answers", () => this.#answers(port, PASSWORDS.redis));
    for (let i = 0; i < COUNT; i += 1) this.#sentinels.push(this.#spawn(watch, ["--sentinel"]));
    const isComplete = async () => {
      const views = await Promise.all(this.ports.map((port) => this.#master(port)));
      return views.every((view) => {
        return view.get("num-slaves") === "2" && view.get("num-other-sentinels") === "2";
      });
    };
    await until("the sentinels know each other and the replicas", isComplete, 30_000);
  }

  #spawn(settings: string, options: readonly string[]): Server {
    const port = freePort();
    const file = join(this.#directory, `${port}.conf`);
    const dir = this.#directory;
    writeFileSync(
      file,
      `port ${port}\nbind 127.0.0.1\ndir ${dir}\ndbfilename ${port}\n${settings}`,
    );
    // Also a test that is killed leaves no server.
    const command = ["setpriv", "--pdeathsig=KILL", "--", "redis-server", file, ...options];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    return { port, child };
  }

  async #answers(port: number, password: string): Promise<boolean> {
    return (await ask(port, password, ["PING"]).catch(() => null)) === "PONG";
  }

  /** What a sentinel knows of the primary; empty when it does not answer. */
  async #master(port: number): Promise<ReadonlyMap<string, string>> {
    const command = ["SENTINEL", "MASTER", PRIMARY_NAME];
    const found = await ask(port, PASSWORDS.sentinel, command).catch(() => ({}));
    return new Map(Object.entries(found as Record<string, string>));
  }
}

async function ask(port: number, password: string, [name, ...args]: string[]): Promise<unknown> {
  const url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  const client = new Bun.RedisClient(url, { autoReconnect: false });
  try {
    return await client.send(name!, args);
  } finally {
    client.close();
  }
}
