/**
 * Goal: each endpoint gets each selected event once, despite a loss of the journal or of the file
 * of derived events. Method: a real journal and real files that are restored.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, rmSync } from "node:fs";
import { anEndpoint } from "../../../test/support/deliveries.ts";
import { until } from "../../../test/support/service.ts";
import { WebhookRig } from "../../../test/support/webhook-rig.ts";
import { Derivation } from "./derivation.ts";

const DAY_MS = 86_400_000;

let rig: WebhookRig;
beforeEach(() => {
  rig = new WebhookRig();
  // Derived, and left where it is.
  rig.endpoints = [anEndpoint({ state: "paused" })];
});
afterEach(() => rig.stop());

const seqs = (endpointId = "whe_1") =>
  rig.all().flatMap(({ endpoint_id, seq }) => (endpoint_id === endpointId ? [seq] : []));
const untilDerived = (count: number) =>
  until(`${count} are derived`, () => rig.all().length === count);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

test("each event is derived once, in order, with its predecessor, across restarts", async () => {
  rig.notice(300);
  rig.start();
  await untilDerived(300);
  rig.end();
  rig.notice(300);
  rig.start();
  rig.notice(10);
  await untilDerived(610);
  expect(seqs()).toEqual(upTo(610));
  for (const { seq, prev_seq } of rig.all()) expect(prev_seq).toBe(seq - 1);
  expect(rig.worker!.deriver.lagRows).toBe(0);
});

test("an endpoint gets the events after its creation, even if the worker learns of it late", async () => {
  rig.notice(20);
  rig.start();
  await untilDerived(20);
  rig.endpoints = [
    ...rig.endpoints,
    anEndpoint({ endpoint_id: "whe_2", after_row: 5, state: "paused" }),
  ];
  await untilDerived(35);
  expect(seqs("whe_2")).toEqual(upTo(20, 6));
  rig.notice(1);
  await untilDerived(37);
  expect(seqs("whe_2")).toEqual(upTo(21, 6));
});

test("a disabled endpoint misses events meanwhile; a paused one does not", async () => {
  rig.notice(3);
  rig.start();
  await untilDerived(3);
  rig.change({ state: "disabled" });
  rig.notice(3);
  // What it begins after is noted by whoever takes it up again.
  rig.change({ state: "paused", after_row: 6 });
  rig.notice(1);
  await until("the last one is derived", () => seqs().at(-1) === 7);
  expect(seqs()).toEqual([1, 2, 3, 7]);
});

test("an endpoint that was disabled sees the gap by prev_seq and nothing else", async () => {
  const some = { endpoint_id: "whe_2", subjects: ["credential:crd_2"], state: "paused" } as const;
  rig.endpoints = [...rig.endpoints, anEndpoint(some)];
  rig.notice(5, 5);
  rig.start();
  await untilDerived(6);
  for (const id of ["whe_1", "whe_2"]) rig.change({ state: "disabled" }, id);
  // More rows than are looked at in one go, of which the second endpoint wanted some of the first.
  rig.notice(5, 5);
  rig.notice(1_500, 1_000_000);
  for (const id of ["whe_1", "whe_2"]) rig.change({ state: "paused", after_row: 1_510 }, id);
  rig.notice(5, 5);
  await untilDerived(12);
  const chainOf = (endpointId: string) =>
    rig.all().flatMap(({ endpoint_id, seq, prev_seq }) => {
      return endpoint_id === endpointId ? [[prev_seq, seq]] : [];
    });
  expect(chainOf("whe_1").slice(5, 7)).toEqual([
    [1_510, 1_511],
    [1_511, 1_512],
  ]);
  expect(chainOf("whe_2")).toEqual([
    [0, 2],
    [7, 1_512],
  ]);
});

test("a refill derives the events without a delivery, and none twice", async () => {
  rig.notice(10);
  rig.endpoints = [anEndpoint({ state: "paused", after_row: 6 })];
  rig.start();
  await untilDerived(4);
  const { db } = rig.worker!;
  const insert = `INSERT INTO refill (refill_id, endpoint_id, since, until, row, found, created_at)
    VALUES ('rfl_1', 'whe_1', 0, ?, 0, 0, 0)`;
  db.query(insert).run(rig.now() + 1_000);
  await until("it is done", () => {
    return db.query("SELECT 1 FROM refill WHERE done_at IS NOT NULL").get() !== null;
  });
  expect(seqs()).toEqual(upTo(10));
  expect(db.query("SELECT found FROM refill").get()).toEqual({ found: 6 });
  expect(rig.all().map(({ trigger }) => trigger)).toEqual([
    ...Array.from({ length: 6 }, () => "missing" as const),
    ...Array.from({ length: 4 }, () => "event" as const),
  ]);
});

test("missed events are searched for while the endpoint's own events are still ahead", async () => {
  rig.endpoints = [...rig.endpoints, anEndpoint({ endpoint_id: "whe_2", state: "paused" })];
  rig.start();
  rig.notice(1);
  await untilDerived(2);
  rig.change({ state: "disabled" }, "whe_2");
  rig.notice(4);
  await untilDerived(6);
  // Resumed where the journal was before it lost its end.
  rig.change({ state: "paused", after_row: 8 }, "whe_2");
  const insert = `INSERT INTO refill (refill_id, endpoint_id, since, until, row, found, created_at)
    VALUES ('rfl_1', 'whe_2', 0, ?, 0, 0, 0)`;
  rig.worker!.db.query(insert).run(rig.now() + 1_000);
  await untilDerived(10);
  expect(seqs("whe_2")).toEqual(upTo(5));
});

test("refilled events come after the last event that the journal still has", async () => {
  rig.notice(4);
  rig.start();
  await untilDerived(4);
  const { db } = rig.worker!;
  const derivation = new Derivation(db);
  expect([1, 4, 9].map((seq) => derivation.seqBefore("whe_1", seq))).toEqual([0, 3, 4]);
  db.run("UPDATE delivery SET is_lost = 1 WHERE seq >= 3");
  expect([1, 4, 9].map((seq) => derivation.seqBefore("whe_1", seq))).toEqual([0, 2, 2]);
});

test("a restored older file derives the rest again with the same ids", async () => {
  rig.notice(10);
  rig.start();
  await untilDerived(10);
  rig.end();
  copyFileSync(rig.path, `${rig.path}.kept`);
  rig.notice(10);
  rig.start();
  await untilDerived(20);
  const before = rig.all().map(({ webhook_id }) => webhook_id);
  rig.end();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(rig.path + suffix, { force: true });
  copyFileSync(`${rig.path}.kept`, rig.path);
  rig.start();
  await untilDerived(20);
  expect(rig.all().map(({ webhook_id }) => webhook_id)).toEqual(before);
});

test("without its file, events older than five days count as settled, and that is logged", async () => {
  rig.aheadMs = -6 * DAY_MS;
  rig.notice(5);
  rig.aheadMs = 0;
  rig.notice(5);
  rig.start();
  await untilDerived(5);
  expect(seqs()).toEqual(upTo(10, 6));
  expect(rig.logged).toEqual(["warn: deliveries.db is new: recent events are delivered again"]);
});

test("after a change of journal, all rows after the last common row are derived again", async () => {
  rig.notice(5);
  rig.start();
  await untilDerived(5);
  rig.end();
  const other = new WebhookRig();
  try {
    other.endpoints = rig.endpoints;
    other.notice(3);
    copyFileSync(rig.path, other.path);
    other.start();
    const lost = () => other.all().filter(({ reason }) => reason === "event_lost");
    await until("its rows are derived", () => lost().length === 3);
    expect(lost().map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const open = other.all().filter(({ state }) => state === "pending");
    // The last two are of nothing that the journal holds, and die when they are to be sent.
    expect(open.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(other.logged).toEqual(["warn: deliveries were derived from another journal"]);
  } finally {
    other.stop();
  }
});
