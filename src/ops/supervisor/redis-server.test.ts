import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { privateSocketPath } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { logger } from "../../lib/log.ts";
import { commandLine } from "../../lib/process.ts";
import { type RedisProcess, startRedis, stopLeftoverRedis } from "./redis-server.ts";

let dataDir: string;
let started: RedisProcess[];
const log = logger("test", { logLevel: "error" });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-redis-"));
  started = [];
});

afterEach(async () => {
  for (const redis of started) redis.kill("SIGKILL");
  await Promise.all(started.map((redis) => redis.exited));
  rmSync(dataDir, { recursive: true });
});

async function start(directory = dataDir): Promise<RedisProcess> {
  const redis = await startRedis({ dataDir: directory, maxMemoryMb: 64, log });
  started.push(redis);
  return redis;
}

async function send(redis: RedisProcess, ...args: string[]): Promise<string> {
  const client = new Bun.RedisClient(`redis+unix://${redis.path}`);
  try {
    return JSON.stringify(await client.send(args[0] ?? "", args.slice(1)));
  } finally {
    client.close();
  }
}

test("Redis listens on a private socket only, keeps its data and never evicts", async () => {
  const redis = await start();
  expect(statSync(dirname(redis.path)).mode & 0o777).toBe(0o700);
  expect(await send(redis, "CONFIG", "GET", "port")).toContain('"0"');
  expect(await send(redis, "CONFIG", "GET", "maxmemory-policy")).toContain('"noeviction"');
  expect(await send(redis, "CONFIG", "GET", "maxmemory")).toContain(`"${64 * 1024 * 1024}"`);
  await send(redis, "SET", "key", "kept");
  await redis.stop();
  expect(commandLine(redis.pid)).toBeNull();
  expect(existsSync(redis.path)).toBe(false);
  expect(await send(await start(), "GET", "key")).toBe('"kept"');
});

test("an error answer of Redis counts as alive: a full disk makes it refuse PING too", async () => {
  let heard = Promise.withResolvers<void>();
  const onHeard = () => heard.resolve();
  const redis = await startRedis({ dataDir, maxMemoryMb: 64, log, onHeard });
  started.push(redis);
  await send(redis, "CONFIG", "SET", "requirepass", "secret");
  await expect(send(redis, "PING")).rejects.toThrow("NOAUTH");
  heard = Promise.withResolvers();
  await heard.promise;
});

test("a Redis left by an earlier run is replaced and its data kept", async () => {
  const leftover = await start();
  await send(leftover, "SET", "key", "kept");
  const redis = await start();
  expect(commandLine(leftover.pid)).toBeNull();
  expect(redis.pid).not.toBe(leftover.pid);
  expect(await send(redis, "GET", "key")).toBe('"kept"');
});

test("a Redis killed without warning can be started again", async () => {
  const killed = await start();
  killed.kill("SIGKILL");
  await killed.exited;
  expect(await send(await start(), "PING")).toBe('"PONG"');
});

test("without a leftover Redis nothing is stopped", async () => {
  await stopLeftoverRedis(dataDir, log);
  expect(existsSync(privateSocketPath(dataDir))).toBe(false);
});

test("a Redis of another directory on the socket refuses the start and keeps running", async () => {
  const redis = await start();
  rmSync(join(dataDir, "redis", "redis.pid"));
  expect(await start().catch((error) => error)).toBeInstanceOf(StartRefused);
  expect(await send(redis, "PING")).toBe('"PONG"');
});

test("anything else on the socket refuses the start", async () => {
  const path = privateSocketPath(dataDir);
  mkdirSync(dirname(path));
  const stranger = createServer((socket) => socket.end("220 mail.example ready\r\n"));
  await new Promise<void>((resolve) => stranger.listen(path, resolve));
  try {
    await expect(start()).rejects.toThrow(`${path} is in use by`);
  } finally {
    stranger.close();
  }
});

test("a directory with too long a socket path gets a socket elsewhere", async () => {
  const long = join(dataDir, "long-directory-name-".repeat(5));
  mkdirSync(long);
  const redis = await start(long);
  expect(redis.path).not.toStartWith(long);
  expect(statSync(dirname(redis.path)).mode & 0o777).toBe(0o700);
  expect(await send(redis, "PING")).toBe('"PONG"');
  await redis.stop();
  rmSync(dirname(redis.path), { recursive: true });
});

/** Runs `act` with a `redis-server` in the PATH that spends `microsPerKey` on each key it loads. */
async function withSlowLoading<T>(microsPerKey: number, act: () => Promise<T>): Promise<T> {
  const { PATH = "" } = process.env;
  const binary = Bun.which("redis-server", { PATH: `${PATH}:/usr/sbin` });
  const wrapper = join(dataDir, "redis-server");
  const script = `#!/bin/sh\nexec ${binary} "$@" --key-load-delay ${microsPerKey}\n`;
  writeFileSync(wrapper, script, { mode: 0o755 });
  process.env.PATH = `${dataDir}:${PATH}`;
  try {
    return await act();
  } finally {
    process.env.PATH = PATH;
  }
}

test("a server that is silent for longer than one time-out is waited for", async () => {
  const first = await start();
  await send(first, "SET", "key", "kept");
  await first.stop();
  const redis = await withSlowLoading(1_200_000, () => start());
  expect(await send(redis, "GET", "key")).toBe('"kept"');
});

test("a start aborted early starts no server", async () => {
  const abort = new AbortController();
  const starting = startRedis({ dataDir, maxMemoryMb: 64, log, signal: abort.signal });
  abort.abort();
  await expect(starting).rejects.toThrow();
  expect(existsSync(join(dataDir, "redis", "redis.log"))).toBe(false);
});
