/**
 * Goal: one directory at a time owns a prefix; the next start of the same directory never waits.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fenced } from "../../engine/log/care/damage.ts";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { type Connections, openConnections } from "./connections.ts";
import { Lease } from "./lease.ts";

const LEASE_MS = 3_000;
const SOON_MS = 1_500;
const PREFIX = "ik-lease";
const KEY = `${PREFIX}:owner`;

let directory: string;
let redis: RedisProcess;
let connections: Connections<"producer">;
let leases: Lease[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-lease-"));
  const log = logger("redis", { logLevel: "error" });
  redis = await startRedis({ dataDir: directory, maxMemoryMb: 16, log });
  connections = await openConnections(redis, ["producer"], () => {});
});
beforeEach(() => void connections.producer.flushall());
afterEach(async () => {
  await Promise.all(leases.map((lease) => lease.stop()));
  leases = [];
});
afterAll(async () => {
  await connections.stop();
  await redis.stop();
  rmSync(directory, { recursive: true, force: true });
});

function leaseOf(name: string, onLost: (fence: Fenced) => void = () => {}): Lease {
  const dataDir = join(directory, name);
  mkdirSync(dataDir, { recursive: true });
  const { producer } = connections;
  const about = { producer, prefix: PREFIX, dataDir, leaseMs: LEASE_MS };
  const lease = new Lease({ ...about, onLost, onError: () => {} });
  leases.push(lease);
  return lease;
}

async function msOf(work: Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work;
  return performance.now() - startedMs;
}

test("another directory is refused while the holder renews; the message names the holder", async () => {
  await leaseOf("original").start();
  const refused = leaseOf("clone").start();
  const said = new RegExp(
    `^redis_prefix_in_use: process ${process.pid} on .+ from ${directory}/original since 20`,
  );
  await expect(refused).rejects.toThrow(said);
});

test("the same directory takes over at once, and the previous process learns it is fenced", async () => {
  const lost = Promise.withResolvers<Fenced>();
  await leaseOf("original", lost.resolve).start();
  expect(await msOf(leaseOf("original").start())).toBeLessThan(SOON_MS);
  expect((await lost.promise).message).toContain(`process ${process.pid} on `);
});

test("the lease of a dead holder is waited for; a released lease is free at once", async () => {
  const gone = { place: "elsewhere", host: "gone", data_dir: "/x", pid: 1, since: "2026" };
  await connections.producer.set(KEY, JSON.stringify(gone), "PX", LEASE_MS);
  const next = leaseOf("next");
  expect(await msOf(next.start())).toBeGreaterThan(SOON_MS);
  await next.stop();
  expect(await msOf(leaseOf("other").start())).toBeLessThan(SOON_MS);
});

test("an emptied Redis stays with its previous owner", async () => {
  await leaseOf("original").start();
  await connections.producer.flushall();
  while ((await connections.producer.exists(KEY)) === 0) await Bun.sleep(20);
  await expect(leaseOf("clone").start()).rejects.toThrow("redis_prefix_in_use");
});
