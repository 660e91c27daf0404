/**
 * The process tree of any checkout, started by path: `src/main.ts all` on a data directory of its
 * own, with settings and secrets that are the same in every recording.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;

export type Settings = Readonly<Record<string, string>>;

/** What every phase starts from. `BASE_URL` is nobody's real address: the port is drawn anew. */
const SETTINGS: Settings = {
  NODE_ENV: "production",
  DEMO: "0",
  REDIS_URL: "",
  HOST: "127.0.0.1",
  BASE_URL: "http://localhost:3000",
  PLATFORM_AUDIENCE: "https://innkeep.test",
  RECEIPT_ISSUER: "https://innkeep.test",
  RECEIPT_KEY: `${"R".repeat(42)}A`,
  MASTER_KEY: `${"M".repeat(42)}A`,
  HMAC_KEY: `${"H".repeat(42)}A`,
  CREDENTIAL_PEPPER: `${"P".repeat(42)}A`,
  API_PROCESSES: "1",
  LANES: "1",
  TRUSTED_PROXIES: "1",
  LOG_LEVEL: "error",
};

/** Settings of the machine or of whoever records; none of them may reach the service. */
const FOREIGN = [
  ...["PORT", "DOCS_URL", "SITE_URL", "OAUTH_ISSUER", "HOLD_TTL_S", "QUOTE_TTL_S", "SMTP_URL"],
  ...["PAYMENT_PROVIDER", "STRIPE_SECRET_KEY", "WEBHOOKS_ALLOW_PRIVATE", "REDIS_MAXMEMORY_MB"],
  ...["WEBHOOK_RETRY_SCHEDULE_S", "ACCEPT_CLOCK", "ACCEPT_LOSS", "DATA_DIR"],
];

/** Whether the status, or what is named as down, is what is waited for. */
type Readiness = (status: string | undefined, down: string | undefined) => boolean;

interface ReadyAnswer {
  readonly data?: { readonly status?: string };
  readonly error?: { readonly detail?: { readonly upstream?: string } };
}

/** A service that can be stopped and started again with other settings. */
export class Tree {
  readonly #root: string;
  readonly #dataDir = mkdtempSync(join(tmpdir(), "innkeep-rec-"));
  readonly #port = freePort();
  readonly #killAtExit = () => this.#child?.kill("SIGKILL");
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;
  /** What all processes wrote to stderr. */
  log = "";

  constructor(root: string) {
    this.#root = root;
    process.on("exit", this.#killAtExit);
  }

  /** Where it really listens. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Runs one admin command of the checkout; answers what it printed, as JSON. */
  async admin<T>(...args: readonly string[]): Promise<T> {
    const child = Bun.spawn([process.execPath, "src/ops/admin/main.ts", ...args], {
      cwd: this.#root,
      env: this.#env({}),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(`admin ${args.join(" ")}: ${err}`);
    return JSON.parse(out) as T;
  }

  /** Stops what runs and starts with these settings; resolves when `/readyz` says ok. */
  async start(settings: Settings = {}): Promise<void> {
    await this.#start(settings, (status) => status === "ok");
  }

  /** Like `start`, for settings with which something is always down. */
  async startUnready(settings: Settings, down = "payments"): Promise<void> {
    await this.#start(settings, (_, detail) => detail === down);
  }

  async #start(settings: Settings, isSo: Readiness): Promise<void> {
    await this.#end();
    const child = Bun.spawn([process.execPath, "src/main.ts", "all"], {
      cwd: this.#root,
      env: this.#env(settings),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#child = child;
    void child.stdout.text();
    void this.#follow(child.stderr);
    const deadlineMs = performance.now() + START_LIMIT_MS;
    while (!(await this.#isReady(isSo))) {
      const isLate = performance.now() > deadlineMs;
      if (isLate || child.exitCode !== null) throw new Error(`no start:\n${this.log}`);
      await Bun.sleep(50);
    }
  }

  /** Ends everything and removes its files. */
  async remove(): Promise<void> {
    await this.#end();
    process.off("exit", this.#killAtExit);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #env(settings: Settings): Record<string, string | undefined> {
    const env = { ...process.env, ...SETTINGS, ...settings };
    for (const name of FOREIGN) if (!(name in settings)) delete env[name];
    return { ...env, DATA_DIR: this.#dataDir, PORT: String(this.#port), METRICS_PORT: "0" };
  }

  async #isReady(isSo: Readiness): Promise<boolean> {
    try {
      const response = await fetch(`${this.address}/readyz`);
      const { data, error } = (await response.json()) as ReadyAnswer;
      return isSo(data?.status, error?.detail?.upstream);
    } catch {
      return false;
    }
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    await child.exited;
    clearTimeout(timer);
    this.#child = null;
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.log += decoder.decode(chunk, { stream: true });
  }
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
}
