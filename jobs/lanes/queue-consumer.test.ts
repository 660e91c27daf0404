/**
 * Goal: a job costs two scripts and one wait, and none is lost. Method: a real Redis, several
 * senders and lanes, workers that die or stall.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { type Connections, openConnections } from "../redis/connections.ts";
import { JobQueue, type Taken } from "./job-queue.ts";
import { QueueConsumer } from "./queue-consumer.ts";
import { laneName } from "./queues.ts";

const PREFIX = "ik-test";
const SHORT_LOCK_MS = 200;

let directory: string;
let redis: RedisProcess;
let connections: Connections<"producer" | "hot">;
const consumers: QueueConsumer[] = [];
const errors: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-lane-"));
  const log = logger("redis", { logLevel: "error" });
  redis = await startRedis({ dataDir: directory, maxMemoryMb: 16, log });
  connections = await openConnections(redis, ["producer", "hot"], () => {});
});
beforeEach(() => connections.producer.flushall());
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  expect(errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await connections.stop();
  await redis.stop();
  rmSync(directory, { recursive: true, force: true });
});

function queueOf(lane = 0, lockMs = 60_000): JobQueue {
  const name = laneName(lane);
  return new JobQueue({ redis: connections.hot, prefix: PREFIX, name, lockMs });
}

async function serve(
  queue: JobQueue,
  handle: (taken: Taken) => Promise<void>,
): Promise<QueueConsumer> {
  const onError = (error: unknown) => void errors.push(String(error));
  const consumer = new QueueConsumer({ queue, redis: connections.hot, handle, onError });
  consumers.push(consumer);
  await consumer.start();
  return consumer;
}

/** Calls of a command so far, those that scripts make too. */
async function callsOf(name: string): Promise<number> {
  const info = await connections.producer.info("commandstats");
  return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(info)?.[1] ?? 0);
}

async function lengthOf(list: "wait" | "active", lane = 0): Promise<number> {
  return connections.producer.llen(`${PREFIX}:${laneName(lane)}:${list}`);
}

/** Sends one after the other, each once the one before is answered, as an api process does. */
class Sender {
  readonly answered = new Map<string, () => void>();

  async send(queue: JobQueue, texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.answered.set(text, resolve);
      await queue.add(text);
      await promise;
    }
  }
}

const texts = (name: string, count: number) => Array.from({ length: count }, (_, i) => name + i);

test("an envelope costs two scripts and one wait", async () => {
  const sender = new Sender();
  // As long as a group takes: the queue is empty meanwhile and must not be read again.
  const handle = async ({ data }: Taken) => {
    await Bun.sleep(1);
    sender.answered.get(data)!();
  };
  await serve(queueOf(), handle);
  await sender.send(queueOf(), texts("warm", 5));
  const names = ["evalsha", "eval", "bzpopmin"];
  const before = await Promise.all(names.map(callsOf));
  const envelopes = 200;
  await sender.send(queueOf(), texts("e", envelopes));
  // Each but the last was finished when the next was taken.
  expect(await lengthOf("active")).toBeLessThanOrEqual(1);
  const after = await Promise.all(names.map(callsOf));
  const [evalsha, evaluated, waits] = after.map((calls, i) => (calls - before[i]!) / envelopes);
  // Each pause of this process lets the idle consumer finish one by itself.
  expect(evalsha).toBeWithin(1.9, 2.5);
  // A script is sent as text once.
  expect(evaluated).toBeLessThan(0.05);
  expect(waits).toBeWithin(0.9, 1.5);
});

test("senders on several lanes get one answer per command, each in its own order", async () => {
  const sender = new Sender();
  const handled: string[] = [];
  for (const lane of [0, 1]) {
    await serve(queueOf(lane), async ({ data }) => {
      handled.push(data);
      if (handled.length % 3 === 0) await Bun.sleep(1);
      sender.answered.get(data)!();
    });
  }
  const names = ["a-", "b-", "c-", "d-"];
  await Promise.all(names.map((name, i) => sender.send(queueOf(i % 2), texts(name, 60))));
  for (const name of names) {
    expect(handled.filter((text) => text.startsWith(name))).toEqual(texts(name, 60));
  }
  // Nothing comes any more: what is answered is finished all the same, before a wait runs out.
  const overMs = performance.now();
  for (const lane of [0, 1]) while ((await lengthOf("active", lane)) > 0) await Bun.sleep(5);
  expect(performance.now() - overMs).toBeLessThan(3_000);
  expect(await connections.producer.keys(`${PREFIX}:*:lock`)).toEqual([]);
});

test("many simultaneous jobs never exceed the limit of active jobs, and all are processed", async () => {
  const release: (() => void)[] = [];
  const queue = queueOf();
  await Promise.all(texts("e", 40).map((text) => queue.add(text)));
  await serve(queue, () => new Promise((resolve) => void release.push(resolve)));
  while (release.length < 32) await Bun.sleep(1);
  // Round trips in which a consumer without the limit takes another job.
  for (let trips = 0; trips < 50; trips += 1) await lengthOf("active");
  expect([await lengthOf("active"), await lengthOf("wait")]).toEqual([32, 8]);
  for (let i = 0; i < 40; i += 1) {
    while (release[i] === undefined) await Bun.sleep(1);
    release[i]!();
  }
  while ((await lengthOf("active")) > 0) await Bun.sleep(5);
  expect(await lengthOf("wait")).toBe(0);
});

test("a job that outlasts its lock is not taken again; a job of a dead worker is", async () => {
  const dead = queueOf(0, SHORT_LOCK_MS);
  await dead.add("left behind");
  expect(await dead.take(undefined)).toMatchObject({ data: "left behind" });
  const handled: string[] = [];
  const { promise: slow, resolve: endSlow } = Promise.withResolvers<void>();
  const handle = async ({ data }: Taken) => {
    handled.push(data);
    if (data === "slow") await slow;
  };
  await serve(queueOf(0, SHORT_LOCK_MS), handle);
  await serve(queueOf(0, SHORT_LOCK_MS), handle);
  await dead.add("slow");
  while (handled.length < 2) await Bun.sleep(5);
  expect(handled.sort()).toEqual(["left behind", "slow"]);
  await Bun.sleep(3 * SHORT_LOCK_MS);
  endSlow();
  while ((await lengthOf("active")) > 0) await Bun.sleep(5);
  expect(handled).toHaveLength(2);
});

test("an envelope that kills each worker stays available for the next worker", async () => {
  const deaths = 4;
  await queueOf().add("deadly");
  for (let n = 0; n < deaths; n += 1) {
    const dying = queueOf(0, SHORT_LOCK_MS / 10);
    while ((await dying.take(undefined)) === null) {
      await dying.takeBackStalled();
      await Bun.sleep(5);
    }
  }
  const handled = Promise.withResolvers<string>();
  await serve(queueOf(0, SHORT_LOCK_MS), async ({ data }) => handled.resolve(data));
  expect(await handled.promise).toBe("deadly");
});

test("a stopping consumer leaves its active jobs but no answered one", async () => {
  const taken: string[] = [];
  const handle = ({ data }: Taken) => {
    taken.push(data);
    return data === "answered" ? Promise.resolve() : new Promise<void>(() => {});
  };
  const consumer = await serve(queueOf(), handle);
  await queueOf().add("in work");
  await queueOf().add("answered");
  while (taken.length < 2) await Bun.sleep(1);
  await consumer.stop();
  const ids = await connections.producer.lrange(`${PREFIX}:${laneName(0)}:active`, 0, -1);
  const left = await Promise.all(
    ids.map((id) => connections.producer.hget(`${PREFIX}:${laneName(0)}:${id}`, "data")),
  );
  expect(left).toEqual(["in work"]);
});

test("jobs are compatible with BullMQ: each worker processes the other's jobs", async () => {
  const options = { connection: connections.producer, prefix: PREFIX };
  const queue = new Queue(laneName(0), options);
  const served = Promise.withResolvers<Taken>();
  const consumer = await serve(queueOf(), async (taken) => served.resolve(taken));
  await queue.add("e", { by: "another program" });
  expect(await served.promise).toMatchObject({ data: '{"by":"another program"}' });
  await consumer.stop();
  const byWorker = Promise.withResolvers<unknown>();
  const process = async ({ data }: { data: unknown }) => byWorker.resolve(data);
  const connection = connections.producer.duplicate({ maxRetriesPerRequest: null });
  const worker = new Worker(laneName(0), process, { ...options, connection });
  worker.on("error", () => {});
  await queueOf().add('{"by":"us"}');
  expect(await byWorker.promise).toEqual({ by: "us" });
  await worker.close(true);
  await queue.close();
  connection.disconnect();
});
