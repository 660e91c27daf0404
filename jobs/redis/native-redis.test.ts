/** Goal: Bun's client keeps the promises of ioredis. Method: a real Redis with injected faults. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { NativeRedis } from "./native-redis.ts";

let dataDir: string;
let server: RedisProcess;
const opened: NativeRedis[] = [];

async function start(): Promise<void> {
  const log = logger("redis", { logLevel: "error" });
  server = await startRedis({ dataDir, maxMemoryMb: 16, log });
}

function open(silenceMs = 60_000): { redis: NativeRedis; errors: string[] } {
  const errors: string[] = [];
  const onError = (error: Error) => void errors.push(error.message);
  const redis = new NativeRedis({ target: server, silenceMs, onError });
  opened.push(redis);
  return { redis, errors };
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "native-redis %41 ö#"));
  await start();
});
afterEach(async () => {
  for (const redis of opened.splice(0)) redis.stop();
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

test("commands are refused at once while Redis is down, and all messages arrive once it is back", async () => {
  const { redis, errors } = open();
  const heard: string[] = [];
  await redis.ready();
  await redis.subscribe("news", (text) => void heard.push(`one ${text}`));
  await redis.subscribe("news", (text) => void heard.push(`two ${text}`));
  const { redis: sender, errors: lost } = open();
  await sender.ready();
  const blocked = sender.send("BZPOPMIN", ["none", "0"]).catch(String);
  await server.kill("SIGKILL");
  await server.exited;
  expect(await blocked).toContain("Connection closed");
  // Nothing starts Redis meanwhile: a client that waited for it would hang.
  await expect(sender.send("PING", [])).rejects.toThrow("Connection");
  while (errors.length === 0 || lost.length === 0) await Bun.sleep(1);
  await start();
  await Promise.all([redis.ready(), sender.ready()]);
  expect(await sender.send<number>("PUBLISH", ["news", "ä"])).toBe(1);
  while (heard.length < 2) await Bun.sleep(1);
  expect(heard).toEqual(["one ä", "two ä"]);
});

test("a silent Redis counts as down; a blocking call does not", async () => {
  const { redis, errors } = open(100);
  const waiting = redis.blockingCopy(1_000);
  opened.push(waiting);
  await Promise.all([redis.ready(), waiting.ready()]);
  expect(await waiting.send<null>("BZPOPMIN", ["none", "0.3"])).toBeNull();
  expect(errors).toEqual([]);
  server.kill("SIGSTOP");
  await expect(redis.send("PING", [])).rejects.toThrow("Connection closed");
  server.kill("SIGCONT");
  expect(errors[0]).toBe("redis was silent for 100 ms");
  await redis.ready();
  expect(await redis.send<string>("PING", [])).toBe("PONG");
});

test("a subscription made before the connection gets each message once", async () => {
  const { redis } = open();
  const heard: string[] = [];
  await redis.subscribe("news", (text) => void heard.push(text));
  const { redis: sender } = open();
  await sender.ready();
  for (const text of ["one", "two"]) await sender.send("PUBLISH", ["news", text]);
  while (!heard.includes("two")) await Bun.sleep(1);
  expect(heard).toEqual(["one", "two"]);
});

test("a Redis that falls silent after its greeting is dropped and reconnected once it answers", async () => {
  let isSilent = true;
  const reply = (text: string) => {
    if (text.includes("HELLO")) return "%1\r\n+server\r\n+redis\r\n";
    if (isSilent) return "";
    return text.includes("SUBSCRIBE") ? ">3\r\n+subscribe\r\n+news\r\n:1\r\n" : "+PONG\r\n";
  };
  const data = (socket: Bun.Socket, bytes: Buffer) => void socket.write(reply(String(bytes)));
  const halfway = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data } });
  const errors: string[] = [];
  const onError = (error: Error) => {
    errors.push(error.message);
    isSilent = false;
  };
  const url = `redis://127.0.0.1:${halfway.port}`;
  const redis = new NativeRedis({ target: { url }, onError });
  opened.push(redis);
  await redis.subscribe("news", () => {});
  expect(errors).toEqual(["Connection closed"]);
  halfway.stop(true);
});

test("errors of Redis and of scripts keep their names", async () => {
  const { redis } = open();
  await redis.ready();
  await redis.send("SET", ["text", "no list"]);
  await expect(redis.send("LLEN", ["text"])).rejects.toThrow("WRONGTYPE");
  const script = "return redis.error_reply('FULL no room')";
  await expect(redis.send("EVAL", [script, "0"])).rejects.toThrow("FULL no room");
});

test("the login and the database are taken from the address", async () => {
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--requirepass", "p@ss"];
  const child = Bun.spawn(["redis-server", ...args], { stdout: "ignore", stderr: "ignore" });
  const errors: string[] = [];
  const openAt = (url: string) => {
    const onError = (error: Error) => void errors.push(error.message);
    opened.push(new NativeRedis({ target: { url }, onError }));
    return opened.at(-1)!;
  };
  const redis = openAt(`redis://:p%40ss@127.0.0.1:${port}/3`);
  await redis.ready();
  await redis.send("SET", ["in", "three"]);
  const other = openAt(`redis://default:p%40ss@127.0.0.1:${port}`);
  await other.ready();
  await other.send("SELECT", ["3"]);
  expect(await other.send<string>("GET", ["in"])).toBe("three");
  const stranger = openAt(`redis://:wrong@127.0.0.1:${port}`);
  errors.length = 0;
  while (errors.length === 0) await Bun.sleep(5);
  await expect(stranger.send("GET", ["in"])).rejects.toThrow("Connection");
  child.kill();
  await child.exited;
});

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
