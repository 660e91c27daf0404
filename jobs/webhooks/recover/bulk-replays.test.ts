/**
 * Goal: a bulk request is completed once, despite killed processes. Method: a real file with two
 * connections, one as an api process has it and one as the worker does.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  anEndpoint,
  DeliveriesRig,
  failed,
  NOON,
  REALM,
} from "../../../test/support/deliveries.ts";
import { BulkReplays, bulkReplayService } from "./bulk-replays.ts";

let rig: DeliveriesRig;
let asked: BulkReplays;
beforeEach(() => {
  rig = new DeliveriesRig();
  asked = new BulkReplays(rig.operatorsDb);
});
afterEach(() => rig.stop());

const LATER = NOON + 60_000;
const FILTER = {
  ...{ ...REALM, visible_property_ids: null, endpoint_id: "whe_1" },
  ...{ since: NOON, until: LATER },
};

function dead(count: number): void {
  const both = [anEndpoint(), anEndpoint({ endpoint_id: "whe_2" })];
  rig.derive(
    Array.from({ length: count }, (_, i) => i + 1),
    both,
  );
  rig.kill();
  rig.kill(failed(), "whe_2");
}

const replayed = () => rig.all().filter(({ replay_of }) => replay_of !== null);

test("a worker that is killed between two slices leaves the rest to the next one", () => {
  dead(450);
  const { recovery_id, total } = asked.request(FILTER, LATER);
  expect(total).toBe(450);
  expect(new BulkReplays(rig.db).step(LATER)).toBe("whe_1");
  expect(asked.get(recovery_id)).toMatchObject({ replayed: 200, done_at: null });
  const next = new BulkReplays(rig.db);
  const steps = [1, 2, 3].map(() => next.step(LATER + 1_000));
  expect(steps).toEqual(["whe_1", "whe_1", null]);
  const done = { recovery_id, filter: FILTER, total: 450, replayed: 450, created_at: LATER };
  expect(asked.get(recovery_id)).toEqual({ ...done, done_at: LATER + 1_000 });
  expect(new Set(replayed().map(({ webhook_id }) => webhook_id)).size).toBe(450);
  expect(replayed().map(({ trigger }) => trigger)).toEqual(Array(450).fill("recover"));
  expect(rig.store.counts("whe_2").dead_letters).toBe(450);
});

test("a slice that fails midway writes nothing and counts nothing", () => {
  dead(3);
  const { recovery_id } = asked.request(FILTER, LATER);
  rig.db.run(`CREATE TRIGGER full BEFORE UPDATE ON recovery
    BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  expect(() => new BulkReplays(rig.db).step(LATER)).toThrow("no room");
  expect(replayed()).toEqual([]);
  rig.db.run("DROP TRIGGER full");
  new BulkReplays(rig.db).step(LATER);
  expect(asked.get(recovery_id)).toMatchObject({ replayed: 3, done_at: LATER });
});

test("a delivery that dies again is not replayed for ever", () => {
  dead(2);
  const worker = new BulkReplays(rig.db);
  asked.request(FILTER, LATER);
  worker.step(LATER);
  for (const laterMs of [0, 2_000, 20_000]) rig.attempt(failed(), LATER + laterMs);
  expect(rig.store.counts("whe_1").dead_letters).toBe(2);
  asked.request(FILTER, LATER + 30_000);
  worker.step(LATER + 30_000);
  expect(replayed().length).toBe(2);
});

test("one request key starts one replay, also when the first answer was lost", () => {
  dead(2);
  const [first, again] = [1, 2].map((n) => asked.request(FILTER, LATER + n, "key-1"));
  expect(again).toEqual(first!);
  const other = asked.request(FILTER, LATER, "key-2");
  expect(other.recovery_id).not.toBe(first!.recovery_id);
  const [delivery] = rig.all().filter(({ endpoint_id }) => endpoint_id === "whe_1");
  const replay = (key: string) => rig.store.replay(delivery!.delivery_id, "manual", LATER, key)!;
  const made = replay("key-3");
  expect(made.ok).toBeTrue();
  expect(replay("key-3")).toEqual(made);
  expect(replay("key-4").ok).toBeFalse();
});

test("the runner runs each request, and none after it was stopped", async () => {
  dead(2);
  const { recovery_id } = asked.request(FILTER, LATER);
  const told: string[] = [];
  const onReplayed = (ids: readonly string[]) => void told.push(...ids);
  const onError = (error: unknown) => expect(error).toBeNull();
  const runner = bulkReplayService({ db: rig.db, now: () => LATER, onReplayed, onError });
  await runner.start!();
  expect(asked.get(recovery_id)).toMatchObject({ replayed: 2, done_at: LATER });
  expect(told).toEqual(["whe_1"]);
  await runner.stop();
});
