/**
 * Starts the two programs a team would otherwise build for `POST /v1/holds`, each on a private
 * store that holds the same data: 200 room types × 400 nights, capacity 60,000, 100,000 quotes.
 * Both answer only after the store has synced its log to disk.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { processTree } from "../cpu.ts";
import { postgresBinaries, type RunningPostgres, startPostgres } from "./peer1-store.ts";
import { QUOTES, seed } from "./peer2-seed.ts";

export interface PeerOptions {
  /** An existing empty directory for the store; its path must be short enough for a socket. */
  readonly workDir: string;
  /** Command put before that of the store, such as a tracer that slows its syncs down. */
  readonly storeWrapper?: readonly string[];
}

/** A peer of the service. */
export interface RunningProgram {
  readonly name: string;
  /** `http://…` without a path. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Every process of the peer at this moment, its store included. */
  readonly pids: number[];
  stop(): Promise<void>;
}

/** A peer of holds. */
export interface RunningPeer extends RunningProgram {
  /** Any whole number names a quote; there are 100,000, each of which can be held repeatedly. */
  quoteId(i: number): string;
}

/** A program that listens, and the process of its store. */
interface Parts {
  readonly name: string;
  readonly server: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly store: Bun.Subprocess;
  stopStore(): Promise<void>;
}

/** Bun.serve and one Redis script per hold, `appendfsync always`. Needs `redis-server`. */
export async function startPeer2(options: PeerOptions): Promise<RunningPeer> {
  const socket = join(options.workDir, "redis.sock");
  const directory = join(options.workDir, "redis");
  mkdirSync(directory);
  const durability = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];
  const place = ["--port", "0", "--unixsocket", socket, "--dir", directory];
  const store = Bun.spawn(
    [...(options.storeWrapper ?? []), "redis-server", ...place, ...durability],
    { stdout: "ignore", stderr: "inherit" },
  );
  const redis = new Redis({ path: socket, retryStrategy: () => 20, maxRetriesPerRequest: null });
  // Until the server listens every attempt fails; ioredis reports each and tries again.
  redis.on("error", () => {});
  const ended = store.exited.then(() => Promise.reject(new Error("redis-server ended early")));
  await Promise.race([seed(redis), ended]).finally(() => redis.disconnect());
  const server = spawnServer([process.execPath, join(import.meta.dir, "peer2-redis.ts"), socket]);
  const stopStore = async () => {
    const last = new Redis({ path: socket, retryStrategy: () => null });
    // The server closes the connection instead of answering.
    await last.shutdown("NOSAVE").catch(() => {});
    last.disconnect();
  };
  return sellingQuotes(await running({ name: "peer 2", server, store, stopStore }));
}

/**
 * Fastify under Node and PostgreSQL, one PL/pgSQL call per hold. Installs its packages on first
 * use. Null, with the reason on stderr, when PostgreSQL is not installed.
 */
export async function startPeer1(options: PeerOptions): Promise<RunningPeer | null> {
  const binaries = postgresBinaries();
  if (binaries === null) {
    console.error("peer 1 is skipped: PostgreSQL is not installed (no initdb found)");
    return null;
  }
  installPackages();
  const scripts = ["peer1-schema.sql", "peer1-seed.sql"];
  const postgres = await startPostgres({ ...options, binaries, scripts });
  const program = ["peer1-postgres.mjs", postgres.directory] as const;
  return sellingQuotes(await runOnNode("peer 1b", postgres, program));
}

/** Starts a program of this folder beside its PostgreSQL, which ends with it. */
export function runOnNode(
  name: string,
  { process: store, stop }: RunningPostgres,
  [program, ...args]: readonly [string, ...string[]],
): Promise<RunningProgram> {
  const server = spawnServer(["node", join(import.meta.dir, program), ...args]);
  return running({ name, server, store, stopStore: stop });
}

function sellingQuotes(program: RunningProgram): RunningPeer {
  return Object.assign(program, { quoteId: (i: number) => `q${i % QUOTES}` });
}

/** What the programs that run on Node need. Throws when it cannot be had. */
export function installPackages(): void {
  if (existsSync(join(import.meta.dir, "node_modules", "fastify"))) return;
  const command = ["npm", "ci", "--silent", "--no-audit", "--no-fund"];
  const { success, stderr } = Bun.spawnSync(command, { cwd: import.meta.dir });
  if (!success) throw new Error(`the packages of peer 1 cannot be installed: ${stderr}`);
}

/** The programs end when their stdin closes, so none outlives a harness that was killed. */
function spawnServer(command: string[]): Parts["server"] {
  return Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
}

async function running({ name, server, store, stopStore }: Parts): Promise<RunningProgram> {
  const stop = async () => {
    server.stdin.end();
    await server.exited;
    await stopStore();
    await store.exited;
  };
  const port = await announcedPort(server);
  if (port === null) {
    await stop();
    throw new Error(`${name} ended before it listened`);
  }
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    headers: { authorization: "Bearer sk_test_bench" },
    get pids() {
      return [...processTree(server.pid), ...processTree(store.pid)];
    },
    stop,
  };
}

/** The port from the program's first line of output; null when it ended without one. */
async function announcedPort(server: Parts["server"]): Promise<number | null> {
  let output = "";
  for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk;
    if (output.includes("\n")) return (JSON.parse(output) as { port: number }).port;
  }
  return null;
}
