/**
 * Goal: a writer to Redis without the installation's secret can neither command nor answer. Method:
 * a real engine on a real Redis, and messages added by hand.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { roleOf } from "../../src/lib/service.ts";
import {
  beginBooking,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  suspendProperty,
} from "../../test/support/builders.ts";
import { EngineRig, pack } from "../../test/support/engine-rig.ts";
import { RIG_LANES } from "../../test/support/lone-engine.ts";
import { macsOf } from "../../test/support/macs.ts";
import { type Connections, openConnections } from "../redis/connections.ts";
import type { MessageKind, MessageMacs } from "../redis/message-macs.ts";
import { JobQueue } from "./job-queue.ts";
import {
  answeredChannel,
  laneKeyOf,
  laneName,
  laneOf,
  queueAddress,
  replyChannel,
} from "./queues.ts";
import { Submitter } from "./submitter.ts";

const DAY_MS = 86_400_000;
const TREE = propertyTree();
const LANE = laneOf(TREE.id, RIG_LANES);

let rig: EngineRig;
let connections: Connections<"producer" | "hot" | "subscriber">;

beforeAll(async () => {
  rig = await EngineRig.start();
  const uses = ["producer", "hot", "subscriber"] as const;
  connections = await openConnections(rig.redis, uses, () => {});
  await rig.submit(createProperty(TREE));
  await rig.submit(promoteProperty(TREE));
});

afterAll(async () => {
  await connections.stop();
  await rig.stop();
});

function hold(inDays: number, due_now = 0) {
  const now = rig.lone.now();
  const date = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(inDays), check_out: date(inDays + 1) };
  return placeHold(frozenQuote(TREE, { created_at: now, stay, due_now }));
}

function laneQueue(lane = LANE): JobQueue {
  return new JobQueue({ redis: connections.hot, prefix: rig.prefix, name: laneName(lane) });
}

function refusedCount(kind: MessageKind): number {
  return rig.macs.refused().find((refused) => refused.kind === kind)!.count;
}

/** Resolves once the lanes have come past all that was put there before. */
async function passed(): Promise<void> {
  for (const command of [hold(300), createProperty(propertyTree())]) await rig.submit(command);
}

/** What an envelope with a command looks like on Redis, as `macs` would have it. */
function messageOf(command: Parameters<typeof pack>[0], macs: MessageMacs, prefix = rig.prefix) {
  const cs = [{ i: 1, c: { ...pack(command), time_left_ms: 5_000 } }];
  const body = JSON.stringify({ a: `${prefix}:reply:x`, t: rig.lone.now(), cs });
  return { body, message: macs.write("commands", queueAddress(prefix, laneName(LANE)), body) };
}

test("a command added by hand is refused, counted and logged by name, and has no effect", async () => {
  const suspend = suspendProperty(TREE);
  const { body, message } = messageOf(suspend, rig.macs);
  const altered = (at: number) => {
    const byte = message[at] === "x" ? "y" : "x";
    return message.slice(0, at) + byte + message.slice(at + 1);
  };
  const places = Array.from({ length: 40 }, (_, n) => Math.floor((n * message.length) / 40));
  const elsewhere = messageOf(suspend, rig.macs, rig.prefix.replace("ik-", "ik-f"));
  const forged = [
    ...[body, "", "{}", "null", `quote-v1..${body}`, `..${body}`, message.slice(0, -1)],
    ...places.map(altered),
    ...[messageOf(suspend, macsOf(2)).message, elsewhere.message],
    rig.macs.write("replies", queueAddress(rig.prefix, laneName(LANE)), body),
  ];
  const before = refusedCount("commands");
  for (const each of forged) await laneQueue().add(each);
  await laneQueue(1 - LANE).add(message);
  await passed();
  expect(refusedCount("commands") - before).toBe(forged.length + 1);
  expect(rig.lone.logged.some((line) => line.includes("without a valid MAC"))).toBeTrue();
  expect((await rig.submit(hold(301))).outcome).toMatchObject({ ok: true });
});

test("an entry that is not a job does not stop its lane", async () => {
  const { producer } = connections;
  const lane = `${rig.prefix}:${laneName(LANE)}`;
  await producer.hset(`${lane}:odd`, "name", "e");
  await producer.lpush(`${lane}:wait`, "missing", "odd", "0:1:2");
  await producer.zadd(`${lane}:marker`, 0, "0");
  expect((await rig.submit(hold(302))).outcome).toMatchObject({ ok: true });
});

test("a genuine envelope that is added again has no second effect", async () => {
  const added = spyOn(JobQueue.prototype, "add");
  const command = hold(303);
  await rig.submit(command);
  const message = added.mock.calls[0]![0];
  added.mockRestore();
  const { row } = rig.lone.journal.head;
  await laneQueue(laneOf(laneKeyOf(pack(command)), RIG_LANES)).add(message);
  const refused = { ...hold(304), quote: null };
  await rig.submit(refused);
  expect(rig.lone.journal.head.row).toBeLessThanOrEqual(row + 1);
  // One that came to nothing has lapsed by the time that its sender gave it.
  const late = messageOf(suspendProperty(TREE), rig.macs).message;
  rig.lone.advance(5_001);
  await laneQueue().add(late);
  await passed();
  expect((await rig.submit(hold(305))).outcome).toMatchObject({ ok: true });
});

test("a client gets the outcome of the journal despite forged answers", async () => {
  const { producer, hot, subscriber } = connections;
  const submitter = new Submitter({
    ...{ hot, subscriber, prefix: rig.prefix, macs: rig.macs, lanes: RIG_LANES },
    ...{ instance: "lied-to", now: rig.lone.now, onError: () => {} },
    byKey: (key) => rig.lone.journal.byKey(key),
  });
  const role = roleOf("lied to", [submitter], rig.lone.log);
  await role.start();
  const standstill = spyOn(rig.lone.engine, "runGroup").mockImplementation(() => {});
  const command = hold(306);
  const answer = submitter.submit(pack(command), { deadlineMs: 20_000 });
  while (rig.lone.engine.queued < 1) await Bun.sleep(5);
  const o = { ok: false, trace_id: "x", docs: "", code: "hold_not_found", detail: {} };
  const lie = JSON.stringify([{ i: 1, k: command.key, p: "sealed", x: false, r: 1, o }]);
  const channel = replyChannel(rig.prefix, "lied-to");
  const before = refusedCount("replies");
  const others = replyChannel(rig.prefix, "another");
  const lies = [
    ...[lie, "garbage", "[]", macsOf(2).write("replies", channel, lie)],
    rig.macs.write("replies", others, lie),
  ];
  for (const each of lies) expect(await producer.publish(channel, each)).toBe(1);
  while (refusedCount("replies") < before + lies.length) await Bun.sleep(5);
  standstill.mockRestore();
  rig.lone.engine.tick();
  expect((await answer).outcome).toMatchObject({ ok: true, kind: "hold" });
  await role.stop();
});

test("an answer older than a client's attempt is not taken for its answer", async () => {
  const placed = await rig.hold(hold(307, 8_000));
  const command = beginBooking(placed);
  const booked = rig.submit(command);
  await rig.lone.until(() => rig.paymentOf(placed.hold_id) !== null);
  // Once this is answered, the client has heard that its own key runs.
  await rig.submit(hold(308));
  const o = { ok: false, trace_id: "x", docs: "", code: "payment_failed", detail: {} };
  const item = { k: command.key, p: "open", x: false, r: 1, o };
  const channel = answeredChannel(rig.prefix);
  const old = JSON.stringify({ t: rig.lone.now() - 10_000, items: [item] });
  await connections.producer.publish(channel, rig.macs.write("replies", channel, old));
  await connections.producer.publish(channel, JSON.stringify({ t: 1e15, items: [item] }));
  await rig.submit(paymentResult(rig.paymentOf(placed.hold_id)!.payment_id, "captured"));
  expect((await booked).outcome).toMatchObject({ kind: "booking" });
});
