/**
 * One data directory and the process tree of `main.ts all` on it, made to be killed part by part
 * and started again. The address stays the same over restarts, as clients expect.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DemoFile, readDemoFile } from "../../src/demo/demo-file.ts";
import { commandLine } from "../../src/process.ts";
import { LogWatch } from "./log-watch.ts";

const MAIN_PATH = join(import.meta.dir, "..", "..", "src", "main.ts");
const START_LIMIT_MS = 40_000;
const RECOVERY_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 12_000;
const POLL_EVERY_MS = 20;

export const VICTIMS = ["api-1", "api-2", "engine", "worker", "redis", "supervisor"] as const;
export type Victim = (typeof VICTIMS)[number];

export class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), "innkeep-crash-"));
  readonly journalPath = join(this.dataDir, "engine", "0.db");
  readonly log = new LogWatch();
  readonly url: string;
  readonly #env: Record<string, string | undefined>;
  readonly #extra: Bun.Subprocess[] = [];
  #supervisor: Bun.Subprocess | null = null;

  /** Chooses a free port; nothing runs yet. `env` overrides the settings of the tests. */
  constructor(env: Readonly<Record<string, string>> = {}) {
    const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const port = String(probe.port);
    probe.stop(true);
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      ...process.env,
      ...{ NODE_ENV: "production", DEMO: "1", LOG_LEVEL: "info", REDIS_URL: "" },
      ...{ DATA_DIR: this.dataDir, HOST: "127.0.0.1", PORT: port, BASE_URL: this.url },
      ...{ API_PROCESSES: "2", PARTITIONS: "4", HOLD_TTL_S: "15" },
      ...env,
    };
  }

  /** Starts everything; resolves when it is ready and the demo data are there. */
  async start(): Promise<void> {
    const supervisor = Bun.spawn([process.execPath, MAIN_PATH, "all"], this.#spawnOptions());
    this.#supervisor = supervisor;
    void this.log.follow(supervisor.stderr);
    const welcomed = untilText(supervisor.stdout, "Innkeep is ready");
    await within(welcomed, START_LIMIT_MS, () => `no start\n${this.log.tail()}`);
    await this.untilReady();
  }

  /** Another engine on the same directory, outside of the supervisor, as an operator's mistake. */
  startEngine(): Bun.Subprocess {
    const engine = Bun.spawn([process.execPath, MAIN_PATH, "engine"], this.#spawnOptions());
    this.#extra.push(engine);
    void this.log.follow(engine.stderr);
    return engine;
  }

  demo(): Promise<DemoFile> {
    return readDemoFile(join(this.dataDir, "demo.json"));
  }

  /** Resolves to the exit code of `main.ts all` when it is gone. */
  async exitCode(): Promise<number> {
    const exited = this.#supervisor?.exited ?? Promise.resolve(0);
    return await within(exited, RECOVERY_LIMIT_MS, () => `no end\n${this.log.tail()}`);
  }

  pidOf(victim: Victim): number {
    if (victim === "supervisor") return this.#supervisor!.pid;
    const path = victim === "redis" ? ["redis", "redis.pid"] : ["pids", victim];
    return Number(readFileSync(join(this.dataDir, ...path), "utf8"));
  }

  /** SIGKILLs a part; resolves when it runs again and the service says that it is ready. */
  async kill(victim: Victim): Promise<void> {
    const pid = this.pidOf(victim);
    const role = victim.replace(/-\d$/, "");
    if (victim === "supervisor") {
      process.kill(pid, "SIGKILL");
      await this.exitCode();
      await this.start();
      return;
    }
    const isBack = (line: { msg: string; role?: string; pid?: number }) =>
      line.msg === "ready" && line.role === role && line.pid !== pid;
    const back =
      victim === "redis" ? null : this.log.next(`a new ${victim}`, isBack, RECOVERY_LIMIT_MS);
    process.kill(pid, "SIGKILL");
    if (back) await back;
    else await this.#untilRedisIsNot(pid);
    await this.untilReady();
  }

  /** Resolves when `/readyz` says `ok`. */
  async untilReady(): Promise<void> {
    await poll(async () => {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      const { data } = (await response.json()) as { data?: { status: string } };
      return data?.status === "ok";
    }, `/readyz is not ok`);
  }

  /** Stops everything in order. */
  async stop(): Promise<void> {
    this.#supervisor?.kill("SIGTERM");
    await this.exitCode();
  }

  /** Ends whatever still runs, by its pid, and removes the directory. */
  async close(): Promise<void> {
    const own = [...this.#extra, ...(this.#supervisor ? [this.#supervisor] : [])];
    for (const child of own) child.kill("SIGTERM");
    const ended = Promise.all(own.map((child) => child.exited));
    await Promise.race([ended, Bun.sleep(STOP_LIMIT_MS)]);
    for (const child of own) child.kill("SIGKILL");
    for (const pid of this.#knownPids()) {
      if (commandLine(pid)?.includes(this.dataDir)) process.kill(pid, "SIGKILL");
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  #spawnOptions() {
    const pipes = { stdin: "ignore", stdout: "pipe", stderr: "pipe" } as const;
    return { env: this.#env, ...pipes };
  }

  #untilRedisIsNot(pid: number): Promise<void> {
    return poll(async () => this.pidOf("redis") !== pid, "redis was not started again");
  }

  #knownPids(): number[] {
    const files = readdirSync(this.dataDir, { recursive: true, encoding: "utf8" });
    return files
      .filter((name) => /^pids\/.|^redis\/redis\.pid$/.test(name))
      .map((name) => Number(readFileSync(join(this.dataDir, name), "utf8")))
      .filter((pid) => pid > 0);
  }
}

/** Resolves when the text was written; goes on reading so that the writer never blocks. */
function untilText(stream: ReadableStream<Uint8Array>, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of stream) {
        text += decoder.decode(chunk, { stream: true });
        if (text.includes(wanted)) resolve();
      }
      reject(new Error(`it ended without "${wanted}"`));
    };
    read().catch(reject);
  });
}

/** Asks again and again; an error counts as no. Throws when the answer stays no. */
async function poll(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const startMs = performance.now();
  while (!(await isSo().catch(() => false))) {
    const waitedMs = performance.now() - startMs;
    if (waitedMs > RECOVERY_LIMIT_MS) throw new Error(`${otherwise} after ${waitedMs} ms`);
    await Bun.sleep(POLL_EVERY_MS);
  }
}

async function within<T>(work: Promise<T>, limitMs: number, otherwise: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise())), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
