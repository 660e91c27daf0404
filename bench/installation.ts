/** A private copy of the whole process tree, as `npm start` runs it, on a data directory. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PropertyTree } from "../engine/core/supply.ts";
import { type DemoFile, readDemoFile } from "../src/ops/demo/demo-file.ts";
import { processTree } from "./cpu.ts";
import { onInterrupt } from "./teardown.ts";

/** This checkout. */
export const OWN_ROOT = join(import.meta.dir, "..");
/** A journal of ten million rows takes minutes to be read by every role. */
const READY_DEADLINE_MS = 600_000;
const POLL_MS = 50;
/** In the data directory. */
export const LOG_FILE = "innkeep.log";
const LOG_LINES_SHOWN = 20;
/** The supervisor gives its children 10 s altogether. */
const STOP_BUDGET_MS = 15_000;

/** Of every process of a benchmark. */
export const SETTINGS = {
  DEMO: "1",
  // Delegation tokens are made out to it, and the port changes from start to start.
  BASE_URL: "http://bench.innkeep.example",
  // The stored quotes outlive any run, and all of them fit.
  QUOTE_TTL_S: "86400",
  REDIS_MAXMEMORY_MB: "4096",
  // The receiver of webhooks is on the same machine.
  WEBHOOKS_ALLOW_PRIVATE: "1",
  LOG_LEVEL: "warn",
  // Pages are limited by address; each person of the benchmark has one.
  TRUSTED_PROXIES: "1",
} as const;

/** What the engine counts. */
export interface EngineCounts {
  readonly commands: number;
  readonly groups: number;
}

/** A port that was free a moment ago. */
function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
}

/** What an installation uses that its supervisor does not start. */
export interface Surroundings {
  /** Settings of the installation. */
  readonly env: Readonly<Record<string, string>>;
  /** Its processes at this moment. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** An installation that has everything itself. */
export const ALONE: Surroundings = { env: {}, pids: [], stop: async () => {} };

interface Start {
  readonly wrapper?: readonly string[];
  readonly root?: string;
  readonly surroundings?: Surroundings;
}

export class Installation {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly demo: DemoFile;
  readonly #metricsUrl: string;
  readonly #process: Bun.Subprocess;
  readonly #surroundings: Surroundings;

  private constructor(
    dataDir: string,
    ports: { readonly api: number; readonly metrics: number },
    demo: DemoFile,
    child: Bun.Subprocess,
    surroundings: Surroundings,
  ) {
    this.dataDir = dataDir;
    this.baseUrl = `http://127.0.0.1:${ports.api}`;
    this.#metricsUrl = `http://127.0.0.1:${ports.metrics}/metrics`;
    this.demo = demo;
    this.#process = child;
    this.#surroundings = surroundings;
  }

  /**
   * Starts everything on `dataDir` and resolves when it is ready and the demo supply is on sale.
   * Its output goes to a file there. `wrapper` is a command put before; `root` another
   * checkout than this one; `surroundings` outlive it.
   *
   * @throws Error when it ends or is not ready within ten minutes; nothing is left running then.
   */
  static async start(
    dataDir: string,
    { wrapper = [], root = OWN_ROOT, surroundings = ALONE }: Start = {},
  ): Promise<Installation> {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const output = openSync(join(dataDir, LOG_FILE), "a");
    const ports = { api: freePort(), metrics: freePort() };
    const env = { ...process.env, ...SETTINGS, NODE_ENV: "production", DATA_DIR: dataDir };
    const child = Bun.spawn([...wrapper, process.execPath, join(root, "src", "main.ts"), "all"], {
      cwd: root,
      env: {
        ...{ ...env, HOST: "127.0.0.1", REDIS_URL: "" },
        ...{ PORT: String(ports.api), METRICS_PORT: String(ports.metrics) },
        ...surroundings.env,
      },
      stdin: "ignore",
      stdout: output,
      stderr: output,
      // A group of its own: Ctrl-C reaches it through us, after the clients have ended.
      detached: true,
    });
    closeSync(output);
    const isEnded = onInterrupt(() => end(child));
    void child.exited.then(isEnded);
    try {
      const demo = await untilReady(dataDir, `http://127.0.0.1:${ports.api}`, child);
      return new Installation(dataDir, ports, demo, child, surroundings);
    } catch (error) {
      await end(child);
      throw error;
    }
  }

  /** Of everything that serves it. */
  get pids(): number[] {
    return [...processTree(this.supervisorPid), ...this.#surroundings.pids];
  }

  get supervisorPid(): number {
    return this.#process.pid;
  }

  /** The engine's counters, at most a second old. */
  async counts(): Promise<EngineCounts> {
    const text = await (await fetch(this.#metricsUrl)).text();
    const value = (name: string) =>
      Number(new RegExp(`^innkeep_engine_${name}_total\\{.*\\} (\\S+)$`, "m").exec(text)?.[1]);
    return { commands: value("commands"), groups: value("groups") };
  }

  /** Ends every process, in order, and resolves when all are gone. */
  stop(): Promise<void> {
    return end(this.#process);
  }
}

async function untilReady(
  dataDir: string,
  baseUrl: string,
  child: Bun.Subprocess,
): Promise<DemoFile> {
  const path = join(dataDir, "demo.json");
  const deadlineMs = performance.now() + READY_DEADLINE_MS;
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const status = await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    const demo = status === 200 && existsSync(path) ? await readDemoFile(path) : null;
    // The file lists the properties once all of them are on sale.
    if (demo && demo.properties.length > 0) return demo;
    await Bun.sleep(POLL_MS);
  }
  const lines = readFileSync(join(dataDir, LOG_FILE), "utf8").trim().split("\n");
  const said = lines.slice(-LOG_LINES_SHOWN).join("\n");
  throw new Error(`the installation did not get ready (exit code ${child.exitCode}):\n${said}`);
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_BUDGET_MS);
  await child.exited;
  clearTimeout(timer);
}

/**
 * Imports properties as NDJSON in one call; how many. Each is taken from `trees` as the service
 * reads it. Throws when a line is refused.
 */
export async function importProperties(
  { baseUrl, secret }: { readonly baseUrl: string; readonly secret: string },
  trees: Iterator<PropertyTree>,
): Promise<number> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = trees.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
  });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/x-ndjson" };
  const path = "/v1/admin/properties/import";
  const response = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`the import was answered ${response.status} ${text}`);
  const { data } = JSON.parse(text) as { data: { imported: number; failed: number } };
  if (data.failed > 0) throw new Error(`${data.failed} lines of the import failed: ${text}`);
  return data.imported;
}
