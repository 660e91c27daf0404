/**
 * The whole process tree of `main.ts all` on a temporary `DATA_DIR` and a free port, with the demo
 * data. Several can run side by side; everything is ended by its pid and nothing outlives the test
 * process.
 */
import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, type NewAgent } from "../../src/access/control/agents.ts";
import { issueCredential } from "../../src/access/control/credentials.ts";
import type { PrincipalKind } from "../../src/access/control/principal.ts";
import { type ControlStore, openControlStore } from "../../src/access/control/store.ts";
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { controlPath } from "../../src/config.ts";
import { commandLine } from "../../src/lib/process.ts";
import { type DemoAgent, type DemoFile, readDemoFile } from "../../src/ops/demo/demo-file.ts";
import { type DelegationOptions, mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { Answer } from "./answer.ts";
import { expectDeclared } from "./declared.ts";

const ROOT = join(import.meta.dir, "..", "..");
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 45_000;
/** Longer than the 10 s that any answer may take. */
const ANSWER_LIMIT_MS = 14_000;

export interface Options {
  /** Whose credential; null sends none; the demo agent unless given. */
  readonly agent?: DemoAgent | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** It runs another tree than ours, so our table of routes says nothing of its answers. */
  readonly isForeign?: boolean;
}

type AgentTerms = Partial<NewAgent> & { readonly tenantId?: string };

/** What a client needs of a service, or of one of its processes. */
export type Front = Pick<Service, "api" | "demo" | "mintDelegation">;

/** For tests of the demo itself. Others bring their own hotels, and a start takes half the time. */
export const WHOLE_DEMO = { DEMO_HOTELS: "66" } as const;

const LOOK_EVERY_MS = 20;

/**
 * Resolves when `isSo` answers true; rejects when it does not within `limitMs`. Looks are counted
 * instead of time: when other work keeps the cores busy, each look takes longer as well.
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  for (let left = limitMs / LOOK_EVERY_MS; !(await isSo()); left -= 1) {
    if (left <= 0) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** True while the process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  return commandLine(pid) !== null;
}

export class Service {
  readonly dataDir: string;
  /** What all processes wrote to stderr. */
  log = "";
  demo!: DemoFile;
  readonly #port = freePort();
  readonly metricsPort = freePort();
  #env: Readonly<Record<string, string>>;
  readonly #root: string;
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;
  /** What its command is run through. */
  readonly #through: readonly string[];
  readonly #killAtExit = () => this.#child?.kill("SIGKILL");

  private constructor(
    env: Readonly<Record<string, string>>,
    root: string,
    dataDir: string,
    through: readonly string[] = [],
  ) {
    this.dataDir = dataDir;
    this.#through = through;
    this.#env = env;
    this.#root = root;
    process.on("exit", this.#killAtExit);
  }

  /**
   * Starts a service of its own; resolves when its demo data are on sale: one live hotel, unless
   * told. With `DEMO=0` there are none. `root`: the tree it is started from.
   */
  static async start(env: Readonly<Record<string, string>> = {}, root = ROOT): Promise<Service> {
    return Service.startOn(mkdtempSync(join(tmpdir(), "innkeep-int-")), env, root);
  }

  /** Starts a service on a directory that is there already; the service removes it in the end. */
  static async startOn(
    dataDir: string,
    env: Readonly<Record<string, string>> = {},
    root = ROOT,
    through: readonly string[] = [],
  ): Promise<Service> {
    const service = new Service(env, root, dataDir, through);
    try {
      await service.#start();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** Where this process finds `dataDir`, also when the service has another file system there. */
  get files(): string {
    const { pid } = this.#child ?? {};
    return this.#through.length > 0 ? `/proc/${pid}/root${this.dataDir}` : this.dataDir;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The settings that say where it is. */
  get place(): Readonly<Record<string, string>> {
    const ports = { PORT: String(this.#port), METRICS_PORT: String(this.metricsPort) };
    return { DATA_DIR: this.dataDir, ...ports };
  }

  /** The metrics of all processes as they stand. */
  async metrics(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`);
    return response.text();
  }

  /** Pids of the supervisor and of everything it runs, by name. */
  get pids(): Readonly<Record<string, number>> {
    const at = (...path: string[]) => {
      const file = join(this.dataDir, ...path);
      // A Redis that the service shares has its file elsewhere.
      return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    };
    const children = readdirSync(join(this.dataDir, "pids")).map((id) => [id, at("pids", id)]);
    const redis = at("redis", "redis.pid");
    return { supervisor: this.#child?.pid ?? 0, redis, ...Object.fromEntries(children) };
  }

  /** Sends one request; every answer's envelope can be asked of what comes back. */
  api(method: string, path: string, options: Options = {}): Promise<Answer> {
    const { agent = this.demo.agent } = options;
    const isForeign = this.#root !== ROOT;
    return send(this.baseUrl, method, path, { ...options, agent, isForeign });
  }

  /** A delegation token of the demo issuer. */
  mintDelegation(options: Partial<DelegationOptions> = {}): Promise<string> {
    return mintDelegation(this.demo.delegation, { sub: "traveler-1", ttlS: 300, ...options });
  }

  /** Works on the control plane as an operator's process would. */
  control<T>(work: (store: ControlStore) => T): T {
    const { credential_pepper } = loadSecrets(this.dataDir, {});
    const store = openControlStore(controlPath(this.dataDir), credential_pepper);
    try {
      return work(store);
    } finally {
      store.close();
    }
  }

  /** Does something while another process holds a file, so that nobody can write it. */
  async whileStoreIsBusy<T>(work: () => Promise<T>, file = controlPath("")): Promise<T> {
    using other = new Database(join(this.dataDir, file));
    other.run("BEGIN IMMEDIATE");
    return await work();
  }

  /** Creates agents, without limits unless told; resolves when the api knows them. */
  async newAgents(terms: readonly AgentTerms[]): Promise<DemoAgent[]> {
    const agents = this.control((store) =>
      terms.map(({ tenantId = this.demo.tenant_id, ...terms }) => {
        const agent = { name: "Test", kind: "agent" as PrincipalKind, mode: "live" as const };
        const limits = { rpm: null, burst: null, max_open_holds: null, max_open_quotes: null };
        const agent_id = createAgent(store, tenantId, { ...agent, limits, ...terms });
        return { agent_id, secret: issueCredential(store, agent_id).secret };
      }),
    );
    await this.untilKnown(agents.at(-1)!);
    return agents;
  }

  /** Resolves when the api has read the control plane as it was when this agent was made. */
  async untilKnown(agent: DemoAgent): Promise<void> {
    await until("the api knows the new agent", async () => {
      return (await this.api("GET", "/v1/properties", { agent })).status !== 401;
    });
  }

  /** Stops everything and starts it again on the same data, with other settings if given. */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.end("SIGTERM");
    this.#env = { ...this.#env, ...env };
    await this.#start();
  }

  /** Sends the supervisor a signal; resolves to its exit code when it is gone. */
  async end(signal: NodeJS.Signals): Promise<number> {
    const child = this.#child;
    if (!child) return 0;
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    const exitCode = await child.exited;
    clearTimeout(timer);
    this.#child = null;
    return exitCode;
  }

  /** Stops everything and removes the directory. */
  async stop(): Promise<void> {
    await this.end("SIGTERM");
    process.off("exit", this.#killAtExit);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Starts another `main.ts all`; resolves to what it said when it has ended. */
  async startSecond(env: Readonly<Record<string, string>> = {}) {
    const child = this.#spawn({ METRICS_PORT: "0", ...env });
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    const message = await child.stderr.text();
    const exitCode = await child.exited;
    clearTimeout(timer);
    return { message, exitCode };
  }

  async #start(): Promise<void> {
    const child = this.#spawn({});
    this.#child = child;
    void this.#follow(child.stderr);
    await untilWelcome(child.stdout, () => this.log);
    if (this.#env.DEMO !== "0") this.demo = await readDemoFile(join(this.files, "demo.json"));
  }

  #spawn(env: Readonly<Record<string, string>>) {
    const few = { DEMO: "1", DEMO_HOTELS: "1" };
    const own = { NODE_ENV: "production", ...few, REDIS_URL: "", HOST: "127.0.0.1" };
    return Bun.spawn([...this.#through, process.execPath, "src/main.ts", "all"], {
      cwd: this.#root,
      env: { ...process.env, ...own, ...this.place, ...this.#env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.log += decoder.decode(chunk, { stream: true });
  }
}

/** Sends one request to whatever front end listens there; without `agent`, no credential. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  { agent, body, raw, headers, isForeign }: Options,
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
  const response = await fetch(baseUrl + path, {
    method,
    body: sent,
    headers: {
      ...(agent ? { authorization: `Bearer ${agent.secret}` } : {}),
      ...(sent === null ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    // Who asks for a connection of its own shall not get one from the pool.
    keepalive: headers?.connection !== "close",
  });
  const text = await response.text();
  if (!isForeign) expectDeclared(method, path, response.status, text);
  return new Answer(`${method} ${path}`, response.status, response.headers, text);
}

/**
 * A port that nobody listens on. It is below those that the system gives to connections and to
 * other listeners, which would take it while a killed service starts again.
 */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(22_000 * Math.random());
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== "EADDRINUSE") throw error;
    }
  }
}

/** Reads on after the welcome, so that the writer never blocks. */
async function untilWelcome(stream: ReadableStream<Uint8Array>, log: () => string): Promise<void> {
  const welcomed = Promise.withResolvers<void>();
  const read = async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("Innkeep is ready at")) welcomed.resolve();
    }
    welcomed.reject(new Error(`the service ended before it was ready:\n${log()}`));
  };
  const fail = () => welcomed.reject(new Error(`no start in ${START_LIMIT_MS} ms:\n${log()}`));
  const timer = setTimeout(fail, START_LIMIT_MS);
  void read().catch(welcomed.reject);
  await welcomed.promise;
  clearTimeout(timer);
}
