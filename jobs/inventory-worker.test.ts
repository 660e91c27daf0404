/** Goal: an engine that dies takes no command with it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { quoteText } from "../engine/core/quote-codec.ts";
import { transientReply } from "../engine/shell/group.ts";
import { logger } from "../src/base/log.ts";
import { type RedisProcess, startRedis } from "../src/supervisor/redis-server.ts";
import { createProperty, frozenQuote, placeHold, propertyTree } from "../test/support/builders.ts";
import { type Connections, openConnections } from "./connections.ts";
import { InventoryLanes } from "./inventory-worker.ts";
import { LaneQueue } from "./lane-queue.ts";
import { placeHoldText } from "./place-hold-text.ts";
import { type Envelope, laneName } from "./queues.ts";

const PREFIX = "ik-test";
const INSTALLATION = "a".repeat(32);
/** So long that only who takes the dead engine's work back gets it in this test. */
const DEAD_LOCK_MS = 3_600_000;

let directory: string;
let redis: RedisProcess;
let connections: Connections<"producer" | "hot" | "blocking">;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-lanes-"));
  redis = await startRedis({
    dataDir: directory,
    maxMemoryMb: 16,
    log: logger("redis", { logLevel: "error" }),
  });
  connections = await openConnections(redis, ["producer", "hot", "blocking"], () => {});
});
afterAll(async () => {
  await connections.stop();
  await redis.stop();
  rmSync(directory, { recursive: true, force: true });
});

function envelopeOf(trace_id: string): Envelope {
  const command = { ...createProperty(propertyTree()), trace_id };
  return { by: INSTALLATION, a: "replies", cs: [{ i: 1, c: command }] };
}

/** Leaves an envelope as an engine does that is killed while it decides. */
async function dieWith(queue: Queue<Envelope>, envelope: Envelope): Promise<void> {
  const taken = Promise.withResolvers<void>();
  const never = () => {
    taken.resolve();
    return new Promise<void>(() => {});
  };
  const connection = connections.blocking;
  const options = { connection, prefix: PREFIX, lockDuration: DEAD_LOCK_MS };
  const dead = new Worker<Envelope>(queue.name, never, { ...options, skipStalledCheck: true });
  dead.on("error", () => {});
  await queue.add("e", envelope);
  await taken.promise;
  await dead.close(true);
}

test("what a dead engine had in work is taken back before anything that comes later", async () => {
  const { producer, hot } = connections;
  const queue = new Queue<Envelope>(laneName(0), { connection: producer, prefix: PREFIX });
  await dieWith(queue, envelopeOf("first"));
  const decided: string[] = [];
  const second = Promise.withResolvers<void>();
  const lanes = new InventoryLanes({
    ...{ hot, producer, prefix: PREFIX, installationId: INSTALLATION, lanes: 1 },
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
  await queue.add("e", envelopeOf("second"));
  await second.promise;
  expect(decided).toEqual(["first", "second"]);
  await lanes.stop();
  await queue.close();
});

test("a command that cannot be read is refused alone, with its sender's trace", async () => {
  const { producer, hot } = connections;
  const unreadable = placeHold(frozenQuote(propertyTree()));
  const text = placeHoldText({ ...unreadable, quote: quoteText(unreadable.quote!) }, 1_000)!;
  const cs = ["one", "two"].map((trace_id, n) => ({
    i: 2 * n + 1,
    c: { ...createProperty(propertyTree()), trace_id },
  }));
  const envelope = {
    ...{ by: INSTALLATION, a: "replies-of-three" },
    cs: [cs[0]!, { i: 2, c: text.slice(0, text.indexOf("|quote|") + 20) }, cs[1]!],
  };
  const told = Promise.withResolvers<readonly object[]>();
  const listener = await openConnections(redis, ["subscriber"], () => {});
  await listener.subscriber.subscribe(envelope.a, (text) => told.resolve(JSON.parse(text)));
  const errors: string[] = [];
  const lanes = new InventoryLanes({
    ...{ hot, producer, prefix: PREFIX, installationId: INSTALLATION, lanes: 1 },
    now: () => 0,
    submit: ({ send }) => send(transientReply("other", null)),
    onError: (error) => void errors.push(String(error)),
    log: () => {},
  });
  await lanes.start();
  await new LaneQueue({ redis: hot, prefix: PREFIX, name: laneName(0) }).add(
    JSON.stringify(envelope),
    0,
  );
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
