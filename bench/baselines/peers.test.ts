import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { postgresBinaries } from "./peer1-store.ts";
import { CAPACITY } from "./peer2-seed.ts";
import { type RunningPeer, startPeer1, startPeer2 } from "./peers.ts";

// Peer 1 needs PostgreSQL and its own packages; where they are missing only peer 2 is tested.
const installed = existsSync(join(import.meta.dir, "node_modules")) && postgresBinaries() !== null;
const names = installed ? ["peer 2", "peer 1b"] : ["peer 2"];
const directories: string[] = [];
const peers = new Map<string, RunningPeer>();

function workDir(): string {
  const directory = mkdtempSync(join(tmpdir(), "peer-"));
  directories.push(directory);
  return directory;
}

beforeAll(async () => {
  const started = await Promise.all([
    startPeer2({ workDir: workDir() }),
    ...(installed ? [startPeer1({ workDir: workDir() })] : []),
  ]);
  for (const peer of started) if (peer !== null) peers.set(peer.name, peer);
});

afterAll(async () => {
  for (const peer of peers.values()) await peer.stop();
  for (const directory of directories) rmSync(directory, { recursive: true });
});

async function hold(name: string, key: string | null, body: unknown, token = "sk_test_bench") {
  const response = await fetch(`${peers.get(name)!.origin}/v1/holds`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      ...(key !== null && { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  const replayed = response.headers.get("idempotent-replayed");
  const { data, error } = (await response.json()) as {
    data?: { hold_id: string; state: string };
    error?: { code: string };
  };
  return { status: response.status, data, code: error?.code, replayed };
}

test.each(names)("%s holds once per key and replays the same hold", async (name) => {
  const first = await hold(name, "k1", { quote_id: "q1" });
  const again = await hold(name, "k1", { quote_id: "q1" });
  expect(first).toMatchObject({ status: 201, data: { state: "held" }, replayed: null });
  expect(again).toEqual({ ...first, replayed: "true" });
});

test.each(names)("%s refuses a key that is repeated with another body", async (name) => {
  await hold(name, "k2", { quote_id: "q1" });
  const other = await hold(name, "k2", { quote_id: "q2" });
  expect(other).toMatchObject({ status: 409, code: "idempotency_conflict" });
});

test.each(names)("%s checks the bearer, the key, the body and the quote", async (name) => {
  const body = { quote_id: "q1" };
  expect(await hold(name, "k3", body, "sk_wrong")).toMatchObject({ code: "unauthenticated" });
  expect(await hold(name, null, body)).toMatchObject({ status: 400, code: "validation_failed" });
  expect(await hold(name, "k4", { ...body, x: 1 })).toMatchObject({ code: "validation_failed" });
  expect(await hold(name, "k5", { quote_id: "unknown" })).toMatchObject({
    status: 404,
    code: "quote_not_found",
  });
});

test("peer 2 returns the units of an expired hold", async () => {
  const redis = new Redis({ path: join(directories[0]!, "redis.sock") });
  // Quote q8 is for room type 9 and one night from night 296.
  const left = async () => (await redis.getBuffer("inv:{9}"))!.readUInt16BE(296 * 2);
  const { data } = await hold("peer 2", "k6", { quote_id: "q8" });
  expect(await left()).toBe(CAPACITY - 1);
  await redis.zadd("exp:{9}", "XX", 1, data!.hold_id);
  while ((await redis.zcard("exp:{9}")) > 0) await Bun.sleep(20);
  expect(await left()).toBe(CAPACITY);
  redis.disconnect();
});

test.each(names)("%s names its processes, including the store's", (name) => {
  expect(peers.get(name)!.pids.length).toBeGreaterThanOrEqual(2);
});
