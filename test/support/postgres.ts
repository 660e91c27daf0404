/**
 * Clusters of the real PostgreSQL of Debian: each on a temporary directory and a free port, with
 * standbys if asked for. All of their processes are ended by pid and none outlives the test.
 */

import {
  appendFileSync,
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { freePort, until } from "./service.ts";

const START_LIMIT_MS = 60_000;
/** A primary in an orderly stop waits for a standby that is silent. */
const STOP_LIMIT_MS = 10_000;

const USER = "postgres";

/** The programs of the newest version that is installed. */
const BIN = globSync("/usr/lib/postgresql/*/bin")
  .filter((path) => existsSync(join(path, "postgres")))
  .sort((a, b) => Number.parseInt(a.split("/")[4]!, 10) - Number.parseInt(b.split("/")[4]!, 10))
  .at(-1);

/** Why these tests are skipped, or null when PostgreSQL is installed. */
export const POSTGRES_MISSING = BIN ? null : "PostgreSQL is not installed";

const isRoot = process.getuid?.() === 0;

/** Of every cluster; a standby copies the file, and `ALTER SYSTEM` overrides it. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 60
wal_keep_size = '256MB'
# A standby is back soon after its primary is.
wal_retrieve_retry_interval = '200ms'
# Files of the directory, which is removed; in /dev/shm they would outlive SIGKILL.
dynamic_shared_memory_type = mmap
`;

/** A program of PostgreSQL, which refuses root and so runs as its own user then. */
function commandOf(program: string, ...args: readonly string[]): string[] {
  const user = isRoot ? [`--reuid=${USER}`, `--regid=${USER}`, "--init-groups"] : [];
  // Also a test that is killed leaves no server: the postmaster dies with it, its children with it.
  return ["setpriv", ...user, "--pdeathsig=KILL", "--", join(BIN ?? "", program), ...args];
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(commandOf(program, ...args), {
    ...{ cwd: "/", stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${program}: ${said}`);
}

/** A directory that PostgreSQL may write. */
function newDirectory(parent: string): string {
  const directory = mkdtempSync(join(parent, "innkeep-postgres-"));
  if (!isRoot) return directory;
  const id = (flag: string) => Number(Bun.spawnSync(["id", flag, USER]).stdout.toString());
  chownSync(directory, id("-u"), id("-g"));
  return directory;
}

/** State and parent of a process; null when there is none. */
function look(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before them may contain any character, also parentheses.
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((each) => look(each)?.parent === pid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The role and the database that a cluster gets. */
const OWN = "innkeep";

/** One cluster. */
export class PostgresServer {
  /** What a standby is called in `synchronous_standby_names`. */
  readonly name: string;
  readonly port = freePort();
  /** What all of its processes wrote to stderr. */
  log = "";
  readonly #directory: string;
  #child: Bun.Subprocess<"ignore", "ignore", "pipe"> | null = null;
  /** Resolves when no process writes to stderr any more: all have ended. */
  #silent: Promise<void> = Promise.resolve();
  readonly #killAtExit = () => this.#signalAll("SIGKILL");

  private constructor(name: string, parent: string) {
    this.name = name;
    this.#directory = newDirectory(parent);
    process.on("exit", this.#killAtExit);
  }

  /**
   * Makes a cluster with a database of its own; resolves when it accepts connections. `parent`:
   * where its directory is made, and those of its standbys.
   */
  static start(parent = tmpdir()): Promise<PostgresServer> {
    return PostgresServer.#made("a", parent, async (server) => {
      const options = ["--data-checksums", "--no-locale", "--encoding=UTF8", "--no-sync"];
      await run(
        "initdb",
        `--pgdata=${server.#data}`,
        `--username=${USER}`,
        "--auth=trust",
        ...options,
      );
      appendFileSync(join(server.#data, "postgresql.conf"), SETTINGS);
      await server.#start();
      await server.#ask(USER, `CREATE ROLE ${OWN} LOGIN`);
      await server.#ask(USER, `CREATE DATABASE ${OWN} OWNER ${OWN}`);
    });
  }

  /**
   * Copies the cluster; resolves when the copy accepts connections and follows. `port`: where it
   * finds its primary, which may be that of a proxy.
   */
  startStandby(name = "b", port = this.port): Promise<PostgresServer> {
    return PostgresServer.#made(name, dirname(this.#directory), async (standby) => {
      const primary = `host=127.0.0.1 port=${port} user=${USER} application_name=${name}`;
      const options = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
      await run("pg_basebackup", `--pgdata=${standby.#data}`, `--dbname=${primary}`, ...options);
      // Its primary's was copied too, and once promoted it would wait for itself.
      const settings = join(standby.#data, "postgresql.auto.conf");
      appendFileSync(settings, "synchronous_standby_names = ''\n");
      await standby.#start();
      await until(`${name} follows`, async () => {
        const rows = await this.query("SELECT application_name, state FROM pg_stat_replication");
        return rows.some((row) => row.application_name === name && row.state === "streaming");
      });
    });
  }

  static async #made(
    name: string,
    parent: string,
    make: (server: PostgresServer) => Promise<void>,
  ): Promise<PostgresServer> {
    const server = new PostgresServer(name, parent);
    try {
      await make(server);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get url(): string {
    return `postgres://${OWN}@127.0.0.1:${this.port}/${OWN}`;
  }

  /** Of the postmaster; 0 while it does not run. */
  get pid(): number {
    const child = this.#child;
    return child?.exitCode === null && child.signalCode === null ? child.pid : 0;
  }

  /** The rows of a statement, as superuser, on a connection of its own. */
  query(statement: string): Promise<Record<string, unknown>[]> {
    return this.#ask(OWN, statement);
  }

  /**
   * Says which standbys a commit waits for, as `ANY 1 (b, c)`; "" for none. Resolves when commits
   * do, and every standby that is connected and named counts.
   */
  async setSyncStandbys(names: string): Promise<void> {
    const text = names.replaceAll("'", "''");
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '${text}'`);
    await this.query("SELECT pg_reload_conf()");
    await until(`the postmaster has read ${text}`, async () => {
      const [setting] = await this.query("SHOW synchronous_standby_names");
      return setting?.synchronous_standby_names === names;
    });
    // Commits wait once the checkpointer has read it too, which it does before a checkpoint.
    await this.query("CHECKPOINT");
    const named: readonly unknown[] = names.match(/\w+/g) ?? [];
    await until(`commits wait for ${names || "nobody"}`, async () => {
      const states = "SELECT application_name AS name, sync_state FROM pg_stat_replication";
      const rows = await this.query(states);
      const counted = rows.filter(({ sync_state }) => sync_state !== "async");
      const expected = rows.filter(({ name }) => named.includes(name));
      return counted.length === expected.length && counted.length > 0 === (names !== "");
    });
  }

  /** Kills all of its processes at once; resolves when all are gone. */
  async kill(): Promise<void> {
    this.#signalAll("SIGKILL");
    await this.#untilGone();
  }

  /**
   * Stops all of its processes where they are: it is silent, its connections stay open. Only then
   * does something outlive a test that is killed: what is stopped does not see its parent end.
   */
  async pause(): Promise<void> {
    await until("all processes are stopped", () => {
      // A postmaster that runs could still start one that is not in the list.
      const isComplete = look(this.pid)?.state === "T";
      this.#signalAll("SIGSTOP");
      const states = childrenOf(this.pid).map((pid) => look(pid)?.state ?? "Z");
      return isComplete && states.every((state) => "TZ".includes(state));
    });
  }

  /** Lets a paused cluster go on. */
  resume(): void {
    this.#signalAll("SIGCONT");
  }

  /** Starts a killed cluster again, on its data and port. */
  async restart(): Promise<void> {
    await this.#start();
  }

  /** Makes a standby a primary; resolves when it takes writes. */
  async promote(): Promise<void> {
    await this.query("SELECT pg_promote()");
    await until(`${this.name} takes writes`, async () => {
      const [setting] = await this.query("SHOW transaction_read_only");
      return setting?.transaction_read_only === "off";
    });
  }

  /** Ends it in good order, whatever state it is in, and removes the directory. */
  async stop(): Promise<void> {
    this.resume();
    // Fast: connections are ended, all is written.
    this.#child?.kill("SIGINT");
    const timer = setTimeout(() => this.#signalAll("SIGKILL"), STOP_LIMIT_MS);
    await this.#untilGone();
    clearTimeout(timer);
    process.off("exit", this.#killAtExit);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#directory, "data");
  }

  async #ask(database: string, statement: string): Promise<Record<string, unknown>[]> {
    await using sql = new SQL(`postgres://${USER}@127.0.0.1:${this.port}/${database}`, { max: 1 });
    return [...(await sql.unsafe(statement))];
  }

  async #start(): Promise<void> {
    const settings = ["-p", String(this.port), "-c", `cluster_name=${this.name}`];
    const child = Bun.spawn(commandOf("postgres", "-D", this.#data, ...settings), {
      ...{ cwd: "/", stdin: "ignore", stdout: "ignore", stderr: "pipe" },
    });
    this.#child = child;
    const ready = Promise.withResolvers<void>();
    this.#silent = this.#follow(child.stderr, ready.resolve).finally(() => {
      ready.reject(new Error(`PostgreSQL ended before it was ready:\n${this.log}`));
    });
    const fail = () => ready.reject(new Error(`no start in ${START_LIMIT_MS} ms:\n${this.log}`));
    const timer = setTimeout(fail, START_LIMIT_MS);
    await ready.promise.finally(() => clearTimeout(timer));
  }

  /** Reads on after it is ready, so that no process blocks. */
  async #follow(stream: ReadableStream<Uint8Array>, onReady: () => void): Promise<void> {
    const decoder = new TextDecoder();
    const from = this.log.length;
    let isReady = false;
    for await (const chunk of stream) {
      this.log += decoder.decode(chunk, { stream: true });
      isReady ||= /ready to accept (?:read-only )?connections/.test(this.log.slice(from));
      if (isReady) onReady();
    }
  }

  /** The postmaster first: it would start anew what ends without it. */
  #signalAll(name: NodeJS.Signals): void {
    const { pid } = this;
    if (pid > 0) for (const each of [pid, ...childrenOf(pid)]) signal(each, name);
  }

  async #untilGone(): Promise<void> {
    await Promise.all([this.#child?.exited, this.#silent]);
    this.#child = null;
    const path = join(this.#data, "postmaster.pid");
    if (!existsSync(path)) return;
    // It was killed. Like a machine that lost its power, it leaves no shared memory.
    const [, id] = readFileSync(path, "utf8").split("\n")[6]?.trim().split(/ +/) ?? [];
    if (id) Bun.spawnSync(["ipcrm", "--shmem-id", id]);
  }
}
