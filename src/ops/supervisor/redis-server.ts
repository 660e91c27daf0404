/**
 * The private Redis of a data directory. It is transport and never truth, so it can be killed and
 * replaced at any time. Two servers must never share a directory: both would write the same
 * append-only file.
 */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { createConnection } from "node:net";
import { dirname, join } from "node:path";
import { privateSocketPath } from "../../config.ts";
import { BEAT_EVERY_MS } from "../../lib/heartbeat.ts";
import { STOP_BUDGETS_MS, StartRefused } from "../../lib/lifecycle.ts";
import type { Logger } from "../../lib/log.ts";
import { endProcess, type Process, stopProcess } from "../../lib/process.ts";
import type { Service } from "../../lib/service.ts";

export interface RedisOptions {
  readonly dataDir: string;
  readonly maxMemoryMb: number;
  readonly log: Logger;
  /** Aborts the start; `startRedis` then rejects. */
  readonly signal?: AbortSignal;
  /** Called for each answer of the server to a ping, normally once a second. */
  readonly onHeard?: () => void;
}

export interface RedisProcess extends Process, Service {
  /** The unix socket. */
  readonly path: string;
}

/** Loading a full append-only file takes a few seconds, on busy cores longer. */
const READY_DEADLINE_MS = 60_000;
/** Time limit of one request. */
const SILENCE_MS_MAX = 2_000;

/**
 * Starts `redis-server` (or `valkey-server`) on the unix socket of `dataDir` and resolves when it
 * answers. A leftover server of an earlier run is shut down first.
 *
 * @throws StartRefused when no server is installed or another program listens on the socket.
 * @throws Error when the server ends or does not answer; its output is in `redis/redis.log`.
 */
export async function startRedis(options: RedisOptions): Promise<RedisProcess> {
  const { dataDir, log, signal } = options;
  const path = privateSocketPath(dataDir);
  makePrivateDirectory(join(dataDir, "redis"));
  makePrivateDirectory(dirname(path));
  await stopLeftoverRedis(dataDir, log);
  signal?.throwIfAborted();
  const child = spawnRedis(options, path);
  const kill = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", kill);
  try {
    await untilReady(child, path);
  } catch (cause) {
    kill();
    await child.exited;
    throw new Error(`redis-server did not start, see ${logPath(dataDir)}`, { cause });
  } finally {
    signal?.removeEventListener("abort", kill);
  }
  if (options.onHeard) pingUntilGone(child, path, options.onHeard);
  return {
    id: "redis",
    path,
    pid: child.pid,
    exited: child.exited,
    kill: (name) => child.kill(name),
    stop: () => stopProcess(child, STOP_BUDGETS_MS.redis),
  };
}

/**
 * Shuts down a leftover private Redis of `dataDir`. It is ours when the pid file, its pid and its
 * directory agree.
 *
 * @throws StartRefused when another program listens on the socket.
 */
export async function stopLeftoverRedis(dataDir: string, log: Logger): Promise<void> {
  const path = privateSocketPath(dataDir);
  const answer = await identify(path);
  if (answer === null) return;
  const pid = Number(/^process_id:(\d+)/m.exec(answer)?.[1]);
  const directory = /\r\ndir\r\n\$\d+\r\n(.*)\r\n/.exec(answer)?.[1];
  const isOurs = pid === readPid(dataDir) && directory === realpathSync(join(dataDir, "redis"));
  if (!isOurs) {
    throw new StartRefused(`${path} is in use by a Redis of another directory: stop that server`);
  }
  log.warn("shutting down the Redis of an earlier run", { redis_pid: pid });
  await ask(path, ["SHUTDOWN NOSAVE"]);
  await endProcess(pid, STOP_BUDGETS_MS.redis);
}

/** The answer of the server on the socket to `INFO`; null when nothing listens there. */
async function identify(path: string): Promise<string | null> {
  const start = performance.now();
  while (performance.now() - start < SILENCE_MS_MAX) {
    const answer = await ask(path, ["INFO server", "CONFIG GET dir"]).catch((cause) => {
      const message = `${path} is in use by a program that does not answer: stop that program`;
      throw new StartRefused(message, { cause });
    });
    // A server that is shutting down gives an empty answer.
    if (answer !== "") return answer;
    await Bun.sleep(20);
  }
  throw new StartRefused(`${path} is in use by a program that is not Redis: stop that program`);
}

function spawnRedis({ dataDir, maxMemoryMb }: RedisOptions, path: string) {
  // Debian and Homebrew keep servers in directories that are not in every user's PATH.
  const PATH = `${process.env.PATH ?? ""}:/usr/sbin:/usr/local/bin:/opt/homebrew/bin`;
  const binary = Bun.which("redis-server", { PATH }) ?? Bun.which("valkey-server", { PATH });
  if (binary === null) {
    throw new StartRefused("redis-server is not installed: install it, or set REDIS_URL");
  }
  const directory = join(dataDir, "redis");
  const settings = {
    port: "0",
    unixsocket: path,
    unixsocketperm: "700",
    dir: directory,
    pidfile: join(directory, "redis.pid"),
    daemonize: "no",
    appendonly: "yes",
    appendfsync: "everysec",
    // The file grows with every job; a small minimum would cause a rewrite every few seconds.
    "auto-aof-rewrite-min-size": "512mb",
    save: "",
    maxmemory: `${maxMemoryMb}mb`,
    "maxmemory-policy": "noeviction",
  };
  const output = openSync(logPath(dataDir), "a", 0o600);
  const child = Bun.spawn(
    [binary, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    // Its own session: Ctrl-C must not end Redis before its clients.
    { stdin: "ignore", stdout: output, stderr: output, detached: true },
  );
  closeSync(output);
  return child;
}

/** Resolves when the server on the socket answers and is the child. */
async function untilReady(child: Process, path: string): Promise<void> {
  let isGone = false;
  void child.exited.then(() => {
    isGone = true;
  });
  const start = performance.now();
  while (performance.now() - start < READY_DEADLINE_MS) {
    if (isGone) throw new Error(`it ended with code ${await child.exited}`);
    // A server that loads its file does not answer: only the deadline ends the wait.
    const answer = await ask(path, ["PING", "INFO server"]).catch(() => null);
    if (answer?.startsWith("+PONG") && answer.includes(`process_id:${child.pid}\r\n`)) return;
    await Bun.sleep(10);
  }
  throw new Error(`it did not answer within ${READY_DEADLINE_MS} ms`);
}

/**
 * Pings the server once a second while it runs. An error counts as an answer: with a full disk
 * Redis refuses even `PING`, and killing it would not help.
 */
function pingUntilGone(child: Process, path: string, onHeard: () => void): void {
  const ping = async () => {
    const answer = await ask(path, ["PING"]).catch(() => null);
    if (answer) onHeard();
  };
  const timer = setInterval(ping, BEAT_EVERY_MS);
  void child.exited.then(() => clearInterval(timer));
}

/**
 * Sends inline commands and resolves to the whole answer, or null when nothing listens. `QUIT` ends
 * the stream, so that no reply needs parsing.
 */
function ask(path: string, commands: readonly string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let answer = "";
    socket.setEncoding("utf8");
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error("no answer in time")));
    socket.on("connect", () => socket.write(`${[...commands, "QUIT"].join("\r\n")}\r\n`));
    socket.on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve(answer);
      else reject(error);
    });
    socket.on("close", () => resolve(answer));
  });
}

/** In a shared temporary directory another user may have created the directory. */
function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.()) {
    throw new StartRefused(`${path} is not a directory of this user`);
  }
  chmodSync(path, 0o700);
}

function readPid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, "redis", "redis.pid"), "utf8"));
  } catch {
    return null;
  }
}

function logPath(dataDir: string): string {
  return join(dataDir, "redis", "redis.log");
}
