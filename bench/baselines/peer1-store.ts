/** A private PostgreSQL cluster with a peer's schema and data, reachable by unix socket only. */
import { chmodSync, chownSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

const DEBIAN_ROOT = "/usr/lib/postgresql";

/** As a team would set it for this load; durability stays at its safe defaults. */
const SETTINGS = { listen_addresses: "", shared_buffers: "512MB", max_wal_size: "4GB" };

export interface RunningPostgres {
  readonly process: Bun.Subprocess;
  /** Holds the data and the socket. */
  readonly directory: string;
  /** `psql` on the database, to which arguments may be added. */
  readonly psql: readonly string[];
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Must be reachable by the user `postgres` when this runs as root. */
  readonly workDir: string;
  /** From `postgresBinaries`. */
  readonly binaries: string;
  /** Scripts of this folder that fill it. */
  readonly scripts: readonly string[];
  /** Command put before the server's. */
  readonly storeWrapper?: readonly string[];
}

/** The directory of PostgreSQL's programs, the newest version's; null when there is none. */
export function postgresBinaries(): string | null {
  const onPath = Bun.which("initdb");
  if (onPath !== null) return dirname(realpathSync(onPath));
  // Debian keeps the server's programs off the path, in a directory per version.
  const packaged = [...new Bun.Glob("*/bin/initdb").scanSync({ cwd: DEBIAN_ROOT, absolute: true })];
  const version = (path: string) => Number(path.slice(DEBIAN_ROOT.length + 1).split("/")[0]);
  const newest = packaged.toSorted((a, b) => version(a) - version(b)).at(-1);
  return newest === undefined ? null : dirname(newest);
}

/** Creates, starts and fills a cluster in `workDir/pg`. Throws when a step fails, saying which. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { workDir, binaries, scripts, storeWrapper = [] } = options;
  const directory = join(workDir, "pg");
  prepare(workDir, directory);
  const program = (name: string) => join(binaries, name);
  run([program("initdb"), "-A", "trust", "-U", "postgres", "-D", directory]);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: directory });
  const flags = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = Bun.spawn(
    unprivileged([...storeWrapper, program("postgres"), "-D", directory, ...flags]),
    { stdout: "ignore", stderr: Bun.file(join(workDir, "pg.log")) },
  );
  const stop = async () => run([program("pg_ctl"), "-D", directory, "-m", "immediate", "stop"]);
  const connection = ["-h", directory, "-U", "postgres"];
  await accepting([program("pg_isready"), "-q", ...connection], server);
  const psql = [program("psql"), "-q", "-v", "ON_ERROR_STOP=1", ...connection];
  const onDatabase = [...psql, "-d", "peer"];
  try {
    run([...psql, "-c", "CREATE DATABASE peer"]);
    runScripts(onDatabase, scripts);
  } catch (error) {
    await stop();
    throw error;
  }
  return { process: server, directory, psql: onDatabase, stop };
}

/** Runs scripts of this folder, one after the other. Throws when one fails. */
export function runScripts(psql: readonly string[], scripts: readonly string[]): void {
  run([...psql, ...scripts.flatMap((name) => ["-f", join(import.meta.dir, name)])]);
}

const isRoot = () => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. `setpriv` replaces itself, so the pid stays the server's. */
function unprivileged(command: string[]): string[] {
  const user = ["--reuid=postgres", "--regid=postgres", "--init-groups"];
  return isRoot() ? ["setpriv", ...user, "--", ...command] : command;
}

function prepare(workDir: string, directory: string): void {
  mkdirSync(directory, { mode: 0o700 });
  if (!isRoot()) return;
  chmodSync(workDir, 0o755);
  chownSync(directory, userId("-u"), userId("-g"));
}

function userId(flag: "-u" | "-g"): number {
  return Number(Bun.spawnSync(["id", flag, "postgres"]).stdout.toString());
}

function run(command: string[]): void {
  const { success, stderr } = Bun.spawnSync(unprivileged(command), { cwd: "/" });
  if (!success) throw new Error(`${command[0]} failed: ${stderr}`);
}

async function accepting(probe: string[], server: Bun.Subprocess): Promise<void> {
  while (!Bun.spawnSync(probe).success) {
    if (server.exitCode !== null)
      throw new Error("PostgreSQL ended before it accepted connections");
    await Bun.sleep(50);
  }
}
