/** Goal: a dead engine loses no command. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeHoldText } from "../../engine/core/codec/place-hold-text.ts";
import { quoteText } from "../../engine/core/price/quote-codec.ts";
import { transientReply } from "../../engine/writer/group.ts";
import type { Submission } from "../../engine/writer/waiting.ts";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import {
  createProperty,
  frozenQuote,
  placeHold,
  propertyTree,
} from "../../test/support/builders.ts";
import { macsOf } from "../../test/support/macs.ts";
import { type Connections, openConnections } from "../redis/connections.ts";
import { InventoryLanes } from "./inventory-lanes.ts";
import { JobQueue } from "./job-queue.ts";
import { type Envelope, laneName } from "./queues.ts";
import { reclaimQueue } from "./reclaim-queue.ts";

const PREFIX = "ik-test";
const MACS = macsOf();
/** So long that only who takes the dead engine's work back gets it in this test. */
const DEAD_LOCK_MS = 3_600_000;

let directory: string;
let redis: RedisProcess;
let connections: Connections<"producer" | "hot">;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-lanes-"));
  redis = await startRedis({
    dataDir: directory,
    maxMemoryMb: 16,
    log: logger("redis", { logLevel: "error" }),
  });
  connections = await openConnections(redis, ["producer", "hot"], () => {});
});
beforeEach(() => connections.producer.flushall());
afterAll(async () => {
  await connections.stop();
  await redis.stop();
  rmSync(directory, { recursive: true, force: true });
});

function envelopeOf(trace_id: string): string {
  const command = { ...createProperty(propertyTree()), trace_id };
  return messageOf({ a: "replies", t: 0, cs: [{ i: 1, c: command }] });
}

/** An envelope as it lies in the first lane. */
function messageOf(envelope: Envelope): string {
  return MACS.write("commands", `${PREFIX}:${laneName(0)}`, JSON.stringify(envelope));
}

function laneQueue(lane: number): JobQueue {
  const { hot: redis } = connections;
  return new JobQueue({ redis, prefix: PREFIX, name: laneName(lane), lockMs: DEAD_LOCK_MS });
}

test("jobs of a dead engine are taken back before any later job", async () => {
  const { producer, hot } = connections;
  const dead = laneQueue(0);
  await dead.add(envelopeOf("first"));
  await dead.take(undefined);
  const decided: string[] = [];
  const second = Promise.withResolvers<void>();
  const lanes = new InventoryLanes({
    ...{ hot, producer, prefix: PREFIX, macs: MACS, lanes: 1 },
    now: () => 0,
    submit: ({ command, send }) => {
      decided.push(command.trace_id);
      send(transientReply(null, null));
      if (command.trace_id === "second") second.resolve();
    },
    onError: () => {},
    log: () => {},
  });
  await lanes.start();
  await laneQueue(0).add(envelopeOf("second"));
  await second.promise;
  expect(decided).toEqual(["first", "second"]);
  await lanes.stop();
});

test("active jobs return in order, before the jobs that waited behind them", async () => {
  const { producer } = connections;
  const dead = laneQueue(1);
  for (const data of ["one", "two", "three"]) await dead.add(data);
  await dead.take(undefined);
  await dead.take(undefined);
  expect(await reclaimQueue(producer, PREFIX, laneName(1))).toBe(2);
  const next = laneQueue(1);
  const taken: (string | undefined)[] = [];
  for (let n = 0; n < 4; n += 1) taken.push((await next.take(undefined))?.data);
  expect(taken).toEqual(["one", "two", "three", undefined]);
});

test("commands of an envelope are delivered in order, and its job stays until all are answered", async () => {
  const { producer, hot } = connections;
  const withTime = (trace_id: string, time_left_ms: number) => {
    return { ...createProperty(propertyTree()), trace_id, time_left_ms };
  };
  const c = [withTime("soon", 99), withTime("later", 101), withTime("last", 1_000)];
  const envelope = {
    a: "replies",
    t: 1_000,
    cs: c.map((command, i) => ({ i, c: command })),
  };
  const submitted: Submission[] = [];
  const isThere = Promise.withResolvers<void>();
  const lanes = new InventoryLanes({
    ...{ hot, producer, prefix: PREFIX, macs: MACS, lanes: 1 },
    now: () => 1_100,
    submit: (submission) => {
      if (submitted.push(submission) === c.length) isThere.resolve();
    },
    onError: () => {},
    log: () => {},
  });
  await lanes.start();
  await laneQueue(0).add(messageOf(envelope));
  await isThere.promise;
  expect(submitted.map(({ command, isLapsed }) => [command.trace_id, isLapsed])).toEqual([
    ["soon", true],
    ["later", false],
    ["last", false],
  ]);
  for (const { send } of submitted.slice(1)) send(transientReply(null, null));
  await producer.ping();
  await lanes.stop();
  const active = `${PREFIX}:${laneName(0)}:active`;
  expect(await producer.llen(active)).toBe(1);
  submitted[0]!.send(transientReply(null, null));
});

test("an unreadable command is refused alone, with the trace of its sender", async () => {
  const { producer, hot } = connections;
  const unreadable = placeHold(frozenQuote(propertyTree()));
  const text = placeHoldText({ ...unreadable, quote: quoteText(unreadable.quote!) }, 1_000)!;
  const cs = ["one", "two"].map((trace_id, n) => ({
    i: 2 * n + 1,
    c: { ...createProperty(propertyTree()), trace_id },
  }));
  const envelope = {
    ...{ a: "replies-of-three", t: 0 },
    cs: [cs[0]!, { i: 2, c: text.slice(0, text.indexOf("|quote|") + 20) }, cs[1]!],
  };
  const told = Promise.withResolvers<readonly object[]>();
  const listener = await openConnections(redis, ["subscriber"], () => {});
  await listener.subscriber.subscribe(envelope.a, (text) => {
    told.resolve(JSON.parse(MACS.read("replies", envelope.a, text)!));
  });
  const errors: string[] = [];
  const lanes = new InventoryLanes({
    ...{ hot, producer, prefix: PREFIX, macs: MACS, lanes: 1 },
    now: () => 0,
    submit: ({ send }) => send(transientReply("other", null)),
    onError: (error) => void errors.push(String(error)),
    log: () => {},
  });
  await lanes.start();
  await laneQueue(0).add(messageOf(envelope));
  const { trace_id, docs } = unreadable;
  expect(await told.promise).toEqual([
    { i: 1, k: "other", p: "transient", x: false, r: 0, o: null },
    expect.objectContaining({
      i: 2,
      o: { ok: false, trace_id, docs, code: "internal_error", detail: {} },
    }),
    { i: 3, k: "other", p: "transient", x: false, r: 0, o: null },
  ]);
  expect(errors).toEqual(["Error: a command cannot be read: Error: a field is missing"]);
  await Promise.all([lanes.stop(), listener.stop()]);
});
