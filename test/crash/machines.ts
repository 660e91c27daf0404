/**
 * Two machines of one installation: the service, and beside it another engine with a directory of
 * its own, over PostgreSQL with a standby and one Redis.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { PostgresServer } from "../support/postgres.ts";
import { freePort, isRunning, Service, until } from "../support/service.ts";
import { SharedRedis } from "../support/shared-redis.ts";
import { journalPathOf } from "./faults.ts";

const MAIN_PATH = join(import.meta.dir, "..", "..", "src", "main.ts");
/** Those that all machines have in common. */
export const SETTINGS = {
  STORE: "postgres",
  LANES: "4",
  BASE_URL: "http://innkeep.example",
} as const;
/** Far longer than a takeover may take. */
const LEAD_LIMIT_MS = 30_000;
const LOG_TAIL = 4_000;

/** A directory that another engine of the installation runs on, started and ended by the test. */
export class OtherMachine {
  readonly dataDir = mkdtempSync(join(tmpdir(), "innkeep-machine-"));
  /** What its engine wrote to stderr. */
  log = "";
  readonly #env: Readonly<Record<string, string>>;
  #child: Bun.Subprocess<"ignore", "ignore", "pipe"> | null = null;
  #isRemoved = false;

  constructor(env: Readonly<Record<string, string>>, { dataDir }: Pick<Service, "dataDir">) {
    this.#env = env;
    copyFileSync(join(dataDir, "secrets.json"), join(this.dataDir, "secrets.json"));
  }

  /** Resolves when its copy is at the head. Throws once it is removed. */
  async start(): Promise<void> {
    if (this.#isRemoved) throw new Error("the machine is removed");
    const env = { ...process.env, ...this.#env, DATA_DIR: this.dataDir, LOG_LEVEL: "info" };
    const child = Bun.spawn([process.execPath, MAIN_PATH, "engine"], {
      env: { ...env, NODE_ENV: "production", LOG_FORMAT: "json" },
      ...{ stdin: "ignore", stdout: "ignore", stderr: "pipe" },
    });
    this.#child = child;
    const from = this.log.length;
    void this.#follow(child.stderr);
    await this.ready(from);
  }

  /** Resolves when it leads, by what it has logged since. */
  leads(from: number): Promise<void> {
    return until("the other engine leads", () => this.#says("leads", from), LEAD_LIMIT_MS);
  }

  /** Resolves when its engine is ready, by what it has logged since. */
  async ready(from: number): Promise<void> {
    const isReady = () => this.#says("ready", from);
    await until("the other engine is ready", isReady, LEAD_LIMIT_MS).catch((error) => {
      throw new Error(this.log.slice(-LOG_TAIL), { cause: error });
    });
  }

  /** Ends its engine; resolves to the exit code. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    this.send(signal);
    return this.ended();
  }

  /** Sends its engine a signal. */
  send(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit code of its engine, once it has ended. */
  async ended(): Promise<number | null> {
    return (await this.#child?.exited) ?? null;
  }

  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.end("SIGKILL");
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  #says(message: string, from: number): boolean {
    return this.log.slice(from).includes(`"msg":"${message}"`);
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.log += decoder.decode(chunk, { stream: true });
  }
}

/** A whole service on a machine of its own, which another one may have to take over. */
export class SupervisedMachine {
  readonly dataDir = mkdtempSync(join(tmpdir(), "innkeep-machine-"));
  readonly baseUrl: string;
  /** All that it wrote. */
  log = "";
  readonly #env: Readonly<Record<string, string>>;
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;

  constructor(env: Readonly<Record<string, string>>) {
    const port = String(freePort());
    this.baseUrl = `http://127.0.0.1:${port}`;
    const own = { PORT: port, METRICS_PORT: "0", HOST: "127.0.0.1", API_PROCESSES: "1" };
    this.#env = { ...SETTINGS, ...own, ...env, DATA_DIR: this.dataDir };
  }

  /** With the secrets of the first machine. */
  join(first: SupervisedMachine): void {
    copyFileSync(join(first.dataDir, "secrets.json"), join(this.dataDir, "secrets.json"));
  }

  /** Resolves when it says that it is ready, or that it stands by. */
  async start(says: "Innkeep is ready" | "Innkeep stands by"): Promise<void> {
    const env = { ...process.env, NODE_ENV: "production", LOG_LEVEL: "info", ...this.#env };
    const child = Bun.spawn([process.execPath, MAIN_PATH, "all"], {
      env: { ...env, LOG_FORMAT: "json" },
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    this.#child = child;
    const from = this.log.length;
    for (const stream of [child.stdout, child.stderr]) void this.#follow(stream);
    await this.said(says, from);
  }

  /** Resolves when it has said so after `from` characters of its log. */
  async said(words: string, from: number): Promise<void> {
    const isSo = () => this.log.slice(from).includes(words);
    await until(`a machine says ${words}`, isSo, LEAD_LIMIT_MS).catch((error) => {
      throw new Error(this.log.slice(-LOG_TAIL), { cause: error });
    });
  }

  /** Ends the supervisor and all that it runs at once, as a lost machine does. */
  async lose(): Promise<void> {
    const directory = join(this.dataDir, "pids");
    const pids = readdirSync(directory).map((id) => Number(readFileSync(join(directory, id))));
    this.#child?.kill("SIGKILL");
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    await this.#child?.exited;
    await until("all of it has ended", () => !pids.some(isRunning));
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    this.#child?.kill("SIGTERM");
    await this.#child?.exited;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.log += decoder.decode(chunk, { stream: true });
  }
}

/** What the machines share, the service, and the other machine, whose engine is a candidate. */
export interface Machines {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly service: Service;
  readonly other: OtherMachine;
  readonly stop: () => Promise<void>;
}

/** Starts both; commits wait for the standby. */
export async function startMachines(): Promise<Machines> {
  const ends: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const primary = await PostgresServer.start();
    ends.push(() => primary.stop());
    const standby = await primary.startStandby();
    ends.push(() => standby.stop());
    await primary.setSyncStandbys("ANY 1 (b)");
    const redis = await SharedRedis.start();
    ends.push(() => redis.stop());
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    const database = { DATABASE_URL: `postgres://innkeep@${hosts}/innkeep` };
    const env = { ...SETTINGS, ...database, REDIS_URL: redis.url };
    const service = await Service.start({ ...env, API_PROCESSES: "1", HOLD_TTL_S: "15" });
    ends.push(() => service.stop());
    const other = new OtherMachine(env, service);
    ends.push(() => other.remove());
    await other.start();
    return { primary, standby, service, other, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Whether the engine on this directory leads. */
export async function leadsOn(server: PostgresServer, dataDir: string): Promise<boolean> {
  const [shard] = await server.query("SELECT owner FROM shard");
  const note = readFileSync(join(dataDir, "installation.json"), "utf8");
  const { machine } = JSON.parse(note) as { readonly machine: string };
  return String(shard?.owner).endsWith(` ${machine}`);
}

/** Ids of all commands in the journal. */
export async function commandIdsIn(server: PostgresServer): Promise<ReadonlySet<string>> {
  const blocks = await server.query("SELECT encode(key, 'hex') AS keys FROM journal");
  // A block has the keys of its rows side by side.
  return new Set(blocks.flatMap(({ keys }) => String(keys ?? "").match(/.{32}/g) ?? []));
}

/**
 * Names every way in which PostgreSQL and the copies of both machines differ, byte for byte. The
 * other one ended first: its copy may lack the last blocks.
 */
export async function auditCopies(
  server: PostgresServer,
  { service, other }: Pick<Machines, "service" | "other">,
): Promise<string[]> {
  const stored = await server.query(
    `SELECT row::int8, encode(key, 'hex') AS key, encode(payload, 'hex') AS payload, crc::int8,
       encode(chain, 'hex') AS chain FROM journal ORDER BY row`,
  );
  const expected = stored.map((block) => Object.values(block).join(" "));
  const own = {
    "this machine": journalPathOf(service),
    "the other": join(other.dataDir, "engine", "0.db"),
  };
  return Object.entries(own).flatMap(([name, path]) => {
    const blocks = blocksOf(path);
    const isWhole = path === own["this machine"];
    const wanted = isWhole ? expected : expected.slice(0, blocks.length);
    const at = wanted.findIndex((block, i) => block !== blocks[i]);
    if (at < 0 && blocks.length === wanted.length) return [];
    return [
      `${name}: ${blocks.length} blocks, PostgreSQL has ${expected.length}; block ${at} differs`,
    ];
  });
}

function blocksOf(path: string): string[] {
  using db = openForReading(path);
  const reader = new SqliteJournalReader(db);
  const hex = (bytes: Uint8Array | null) => (bytes ? Buffer.from(bytes).toString("hex") : "");
  return reader.storedBetween(0, reader.head().row).map(({ row, keys, payload, crc, chain }) => {
    return [row, hex(keys), hex(payload), crc, chain].join(" ");
  });
}
