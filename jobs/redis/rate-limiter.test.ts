/** Goal: a Redis clock that is set back blocks no caller. Method: a real Redis. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { openConnections } from "./connections.ts";
import { RateLimiter } from "./rate-limiter.ts";

const POLICY = { name: "default", limit: 60, windowS: 60, burst: 2 };
const HOUR_US = 3_600_000_000;

const dataDir = mkdtempSync(join(tmpdir(), "rate-limiter-"));
let redis: RedisProcess;
beforeAll(async () => {
  const log = logger("test", { logLevel: "error" });
  redis = await startRedis({ dataDir, maxMemoryMb: 32, log });
});
afterAll(async () => {
  await redis.stop();
  rmSync(dataDir, { recursive: true });
});

test("entries dated in the future by a clock that was set back are ignored", async () => {
  const connections = await openConnections(redis, ["producer", "hot"], () => {});
  const { producer, hot } = connections;
  const limiter = new RateLimiter(hot, "test");
  const take = async () => (await limiter.take("caller", POLICY))?.isAllowed;
  expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  const ahead = (await producer.get("test:rate:default:caller"))!;
  // As if all of that had been while the clock was an hour ahead.
  await producer.set("test:rate:default:caller", String(Number(ahead) + HOUR_US));
  expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  await connections.stop();
});

test("a look returns what a request would get and takes nothing", async () => {
  const connections = await openConnections(redis, ["producer", "hot"], () => {});
  const limiter = new RateLimiter(connections.hot, "test");
  const look = async () => (await limiter.take("looked at", POLICY, 0))?.isAllowed;
  expect([await look(), await look(), await look()]).toEqual([true, true, true]);
  for (let n = 0; n < POLICY.burst; n += 1) await limiter.take("looked at", POLICY);
  expect(await look()).toBe(false);
  await connections.stop();
});

test("a request takes its own cost and learns how long to wait for it", async () => {
  const connections = await openConnections(redis, ["producer", "hot"], () => {});
  const limiter = new RateLimiter(connections.hot, "test");
  const policy = { name: "prices", limit: 600, windowS: 60, burst: 600 };
  const take = (cost: number) => limiter.take("dear", policy, cost);
  expect(await take(400)).toMatchObject({ isAllowed: true, remaining: 200, retryInS: 0 });
  // Ten a second come back: the two hundred that lack do in twenty seconds.
  const refused = (await take(400))!;
  expect(refused.isAllowed).toBe(false);
  expect(refused.remaining).toBeWithin(200, 210);
  expect(refused.retryInS).toBeWithin(19, 21);
  // What was refused has cost nothing.
  expect((await take(200))?.isAllowed).toBe(true);
  expect((await take(600))?.retryInS).toBeWithin(59, 61);
  expect((await limiter.take("another", policy, 600))?.isAllowed).toBe(true);
  await connections.stop();
});
