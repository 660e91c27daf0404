/**
 * Goal: what an engine had in work when it died is decided by the next one, at once. Method: a real
 * Redis; the first engine takes an envelope and is gone without a word.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Submission } from "../engine/shell/waiting.ts";
import { logger, logOf } from "../src/base/log.ts";
import { type RedisProcess, startRedis } from "../src/supervisor/redis-server.ts";
import { createProperty, propertyTree } from "../test/support/builders.ts";
import { type Connections, openConnections } from "./connections.ts";
import { InventoryLanes } from "./inventory-worker.ts";
import { Submitter } from "./submitter.ts";

const USES = ["producer", "subscriber", "blocking"] as const;
/** BullMQ finds by itself what has stalled only when a lock of 5 s has run out. */
const AT_ONCE_MS = 3_000;

const log = logger("test", "error", () => {});
let dataDir: string;
let redis: RedisProcess;
let connections: Connections<(typeof USES)[number]>;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-lanes-"));
  redis = await startRedis({ dataDir, maxMemoryMb: 64, log });
  connections = await openConnections(redis, USES, () => {});
});
afterEach(async () => {
  await connections.stop();
  await redis.stop();
  rmSync(dataDir, { recursive: true });
});

function common() {
  const { producer, subscriber, blocking } = connections;
  const terms = { prefix: "ik-test", installationId: "installation", lanes: 2, now: Date.now };
  return { ...terms, producer, subscriber, blocking, onError: () => {}, log: logOf(log) };
}

test(
  "an envelope that a dead engine had in work is taken by the next one at once",
  async () => {
    const submitter = new Submitter({ ...common(), instance: "test", byKey: () => null });
    await submitter.start();
    const taken = Promise.withResolvers<Submission>();
    const dead = new InventoryLanes({ ...common(), submit: taken.resolve });
    await dead.start();
    const command = createProperty(propertyTree());
    const answer = submitter.submit(command, { deadlineMs: 30_000 });
    expect((await taken.promise).command).toEqual(command);
    submitter.drain();
    await expect(answer).rejects.toThrow("shutting down");
    await dead.stop();

    const again = Promise.withResolvers<Submission>();
    const next = new InventoryLanes({ ...common(), submit: again.resolve });
    await next.start();
    const found = await Promise.race([again.promise, Bun.sleep(AT_ONCE_MS)]);
    expect(found?.command).toEqual(command);
    await next.stop();
    await submitter.stop();
    // A worker that is closed in this process may still take the hint that was meant for the next.
  },
  { timeout: 20_000, retry: 2 },
);
