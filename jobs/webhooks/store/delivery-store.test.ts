/**
 * Goal: operators' actions are durable, touch only their own data, and are refused if an event
 * would be sent twice at once. Method: a real file, filled by the worker's own statements.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import {
  anEndpoint,
  anEvent,
  DeliveriesRig,
  failed,
  NOON,
  REALM,
  succeeded,
} from "../../../test/support/deliveries.ts";
import type { DeliveryFilter } from "./delivery-store.ts";

let rig: DeliveriesRig;
beforeEach(() => {
  rig = new DeliveriesRig();
});
afterEach(() => rig.stop());

const ALL = { ...REALM, visible_property_ids: null };
const seqsOf = (filter: Partial<DeliveryFilter>) =>
  rig.store
    .list({ ...ALL, ...filter }, { after: null, limit: 100 })
    .items.map(({ seq }) => seq)
    .sort();

test("the file and SQLite's files beside it are readable by their owner alone", () => {
  rig.derive([1]);
  for (const suffix of ["", "-wal", "-shm"]) {
    expect(statSync(rig.path + suffix).mode & 0o077).toBe(0);
  }
});

test("a delivery is shown with all its attempts", () => {
  const [delivery] = rig.derive([7]);
  expect(delivery).toMatchObject({
    ...{ ...REALM, endpoint_id: "whe_1", webhook_id: "evt_7", row: 7, seq: 7, prev_seq: 6 },
    ...{ kind: "hold.released", subject: "hold:hld_7", property_id: "p-1", state: "pending" },
    ...{ attempts: 0, next_attempt_at: NOON, created_at: NOON, settled_at: null },
    ...{ trigger: "event", replay_of: null, replayed_as: null },
  });
  rig.attempt(failed({ response_headers: { "retry-after": "3" }, retry_after_s: 3 }));
  expect(rig.store.get(delivery!.delivery_id)).toMatchObject({
    ...{ state: "scheduled", attempts: 1, next_attempt_at: NOON + 3_000 },
    ...{ reason: "http_5xx", last_status: 500 },
  });
  rig.attempt(succeeded(), NOON + 3_000);
  const { settled_at, state, reason, attempts } = rig.store.get(delivery!.delivery_id)!;
  expect({ settled_at, state, reason, attempts }).toEqual({
    ...{ settled_at: NOON + 3_000, state: "succeeded", reason: null, attempts: 2 },
  });
  expect(rig.store.attempts(delivery!.delivery_id)).toMatchObject([
    { nth: 1, at: NOON, status: 500, excerpt: "oh no", response_headers: { "retry-after": "3" } },
    { nth: 2, at: NOON + 3_000, status: 200, address: "192.0.2.1", request_id: "req_1" },
  ]);
});

test("lists are filtered, paged and limited to the rights of the caller", () => {
  const kinds = ["hold.created", "hold.released", "fx.changed"] as const;
  rig.derive([1, 2, 3], [anEndpoint(), anEndpoint({ endpoint_id: "whe_2" })], (seq) => ({
    ...anEvent(seq, { type: kinds[seq - 1]! }),
    property_id: ["p-1", "p-2", null][seq - 1]!,
  }));
  rig.kill();
  expect(seqsOf({})).toEqual([1, 1, 2, 2, 3, 3]);
  expect(seqsOf({ endpoint_id: "whe_1", states: ["dead_lettered"] })).toEqual([1, 2, 3]);
  expect(seqsOf({ is_unhandled: true })).toEqual([1, 2, 3]);
  expect(seqsOf({ states: ["pending", "dead_lettered"], kinds: ["fx.changed"] })).toEqual([3, 3]);
  expect(seqsOf({ visible_property_ids: ["p-1"] })).toEqual([1, 1]);
  expect(seqsOf({ visible_property_ids: ["p-1"], property_id: "p-2" })).toEqual([]);
  expect(seqsOf({ visible_property_ids: [] })).toEqual([]);
  expect(seqsOf({ reason: "http_5xx", status: 500, webhook_id: "evt_2" })).toEqual([2]);
  expect(seqsOf({ subject: "hold:hld_3" })).toEqual([3, 3]);
  expect(seqsOf({ mode: "test" })).toEqual([]);
  expect(seqsOf({ since: NOON + 1 })).toEqual([]);
  expect(seqsOf({ since: NOON, until: NOON + 1 }).length).toBe(6);
  expect(rig.store.count({ ...ALL, states: ["pending"] })).toBe(3);
  const seen: string[] = [];
  for (let after: string | null = null; ; after = seen.at(-1)!) {
    const page = rig.store.list(ALL, { after, limit: 4 }).items;
    seen.push(...page.map(({ delivery_id }) => delivery_id));
    if (page.length < 4) break;
  }
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect(seen.length).toBe(6);
});

test("dead letters are counted by rights and property, replayed ones and old ones not", () => {
  const endpoints = [anEndpoint(), anEndpoint({ endpoint_id: "whe_2" })];
  rig.derive([1, 2, 3], endpoints, (seq) => ({
    ...anEvent(seq),
    property_id: ["p-1", "p-2", null][seq - 1]!,
  }));
  const count = (filter: Partial<DeliveryFilter> = {}, scannedMax = 100) =>
    rig.store.countDead({ ...ALL, ...filter }, scannedMax);
  expect(count()).toBe(0);
  rig.kill();
  expect(count()).toBe(3);
  rig.kill(failed(), "whe_2");
  expect(count()).toBe(6);
  expect(count({}, 5)).toBe(5);
  expect(count({ property_id: "p-1" })).toBe(2);
  expect(count({ visible_property_ids: ["p-1", "p-2"] })).toBe(4);
  const visible_endpoint_ids = ["whe_2"];
  expect(count({ visible_property_ids: ["p-1"], visible_endpoint_ids })).toBe(1);
  expect(count({ mode: "test" })).toBe(0);
  const [first] = rig.store.list(ALL, { after: null, limit: 1 }).items;
  rig.store.replay(first!.delivery_id, "manual", NOON);
  expect(count()).toBe(5);
});

test("a page scans a bounded number of deliveries and links to the next page", () => {
  const [first] = rig.derive([1]);
  rig.db.run(
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20_500)
     INSERT INTO delivery (delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
       prev_seq, kind, subject, property_id, event_at, created_at, state, next_attempt_at, trigger)
     SELECT delivery_id || printf('%05d', i), endpoint_id, tenant_id, mode, webhook_id, i, i, i - 1,
       kind, 'hold:other', property_id, event_at, created_at, state, next_attempt_at, trigger
     FROM n, (SELECT * FROM delivery) AS first`,
  );
  const rare = { ...ALL, subject: "hold:hld_1" };
  for (const filter of [rare, { ...rare, endpoint_id: "whe_1" }, { ...rare, until: NOON + 1 }]) {
    const page = rig.store.list(filter, { after: null, limit: 10 });
    expect(page.items).toEqual([]);
    const rest = rig.store.list(filter, { after: page.next, limit: 10 });
    expect(rest.items.map(({ delivery_id }) => delivery_id)).toEqual([first!.delivery_id]);
    expect(rest.next).toBeNull();
  }
  const theirs = { ...rare, tenant_id: "t-2", endpoint_id: "whe_1" };
  expect(rig.store.list(theirs, { after: null, limit: 10 })).toEqual({ items: [], next: null });
  for (const filter of [{ since: NOON + 1 }, { until: NOON }, { webhook_id: "evt_none" }]) {
    const page = rig.store.list({ ...ALL, ...filter }, { after: null, limit: 10 });
    expect(page).toEqual({ items: [], next: null });
  }
});

test("a replay is a new delivery of the same event, one at a time", () => {
  const [delivery] = rig.derive([1]);
  const id = delivery!.delivery_id;
  const replay = () => rig.store.replay(id, "manual", NOON + 50_000)!;
  expect(replay()).toMatchObject({ ok: false, delivery: { delivery_id: id, state: "pending" } });
  rig.claims.take("whe_1", 1, NOON);
  expect(replay()).toMatchObject({ ok: false, delivery: { state: "in_flight" } });
  rig.claims.reclaim(NOON);
  rig.kill();
  const first = replay();
  expect(first).toMatchObject({
    ok: true,
    delivery: {
      ...{ webhook_id: "evt_1", seq: 1, prev_seq: 0, row: 1, replay_of: id, trigger: "manual" },
      ...{ state: "pending", attempts: 0, next_attempt_at: NOON + 50_000 },
    },
  });
  const { delivery_id } = first.delivery;
  expect(rig.store.get(id)).toMatchObject({ state: "dead_lettered", replayed_as: delivery_id });
  expect(rig.store.count({ ...ALL, is_unhandled: true })).toBe(0);
  // The first replay is still under way.
  expect(replay()).toMatchObject({ ok: false, delivery: { delivery_id } });
  rig.attempt(succeeded(), NOON + 50_000);
  expect(replay()).toMatchObject({ ok: true });
  expect(rig.store.replay("dlv_unknown", "manual", NOON)).toBeNull();
});

test("recovery takes the dead letters of a filter in slices, each once", () => {
  rig.derive([1, 2, 3, 4, 5], [anEndpoint(), anEndpoint({ endpoint_id: "whe_2" })]);
  rig.kill();
  rig.kill(failed(), "whe_2");
  const filter = { ...ALL, endpoint_id: "whe_1" };
  expect(rig.store.count({ ...filter, is_unhandled: true })).toBe(5);
  const slice = { limit: 2, nowMs: NOON + 60_000 };
  const slices = [1, 2, 3, 4].map(() => rig.store.recover(filter, slice));
  expect(slices).toEqual([2, 2, 1, 0]);
  const due = rig.store.list({ ...filter, states: ["pending"] }, { after: null, limit: 100 }).items;
  expect(due.map(({ trigger }) => trigger)).toEqual(Array(5).fill("recover"));
  expect(due.map(({ webhook_id }) => webhook_id).sort()).toEqual(
    [1, 2, 3, 4, 5].map((seq) => `evt_${seq}`),
  );
  expect(rig.store.counts("whe_2").dead_letters).toBe(5);
});

test("a delivery is discarded with a reason, unless it is in flight or settled", () => {
  const [first, second, third] = rig.derive([1, 2, 3]);
  const discard = (id: string) => rig.store.discard(id, "receiver is gone", NOON + 99_000);
  rig.claims.take("whe_1", 1, NOON);
  expect(discard(first!.delivery_id)).toMatchObject({
    ok: false,
    delivery: { state: "in_flight" },
  });
  rig.claims.reclaim(NOON);
  expect(discard(third!.delivery_id)).toMatchObject({
    ok: true,
    delivery: { state: "cancelled", note: "receiver is gone", next_attempt_at: null },
  });
  rig.kill();
  expect(rig.store.counts("whe_1").dead_letters).toBe(2);
  expect(discard(second!.delivery_id)).toMatchObject({ ok: true });
  expect(rig.store.counts("whe_1").dead_letters).toBe(1);
  expect(discard(second!.delivery_id)).toMatchObject({ ok: false });
  expect(discard("dlv_unknown")).toBeNull();
  // What was given up can be had again.
  expect(rig.store.replay(second!.delivery_id, "manual", NOON)).toMatchObject({ ok: true });
});

test("an endpoint has hourly figures and its current state", () => {
  rig.derive([1, 2]);
  rig.attempt(failed({ latency_ms: 40 }));
  rig.attempt(succeeded({ latency_ms: 100 }), NOON + 3_600_000);
  expect(rig.store.stats("whe_1", NOON, NOON + 7_200_000)).toEqual([
    { hour: NOON, attempts: 2, succeeded: 0, dead_lettered: 0, latency_ms: 80, latency_ms_max: 40 },
    {
      ...{ hour: NOON + 3_600_000, attempts: 2, succeeded: 2, dead_lettered: 0 },
      ...{ latency_ms: 200, latency_ms_max: 100 },
    },
  ]);
  rig.derive([3]);
  rig.attempt(failed(), NOON + 3_700_000);
  expect(rig.store.counts("whe_1")).toEqual({
    ...{ open: 1, oldest_open_at: NOON, dead_letters: 0, failing_since: NOON + 3_700_000 },
  });
});

test("missed events are requested, and the request is stored", () => {
  const ask = (endpointId: string) => {
    return rig.store.requestMissing(endpointId, NOON - 1_000, NOON, NOON);
  };
  const asked = ask("whe_1").search;
  expect(rig.store.missingSearch(asked.refill_id)).toEqual({
    ...{ refill_id: asked.refill_id, endpoint_id: "whe_1", since: NOON - 1_000, until: NOON },
    ...{ row: 0, found: 0, created_at: NOON, done_at: null },
  });
  // One at a time: each walks the journal.
  expect(ask("whe_1")).toEqual({ ok: false, search: asked });
  expect(ask("whe_2")).toMatchObject({ ok: true });
  rig.derivation.recordSearch(asked.refill_id, [], { row: 9, isDone: true }, NOON);
  expect(ask("whe_1")).toMatchObject({ ok: true });
  expect(rig.store.missingSearch("rfl_unknown")).toBeNull();
});

test("on a full disk a request is refused completely, and succeeds once there is space", () => {
  rig.derive(Array.from({ length: 500 }, (_, i) => i + 1));
  rig.kill();
  const before = rig.store.count(ALL);
  const pragma = (name: string) =>
    Object.values(rig.operatorsDb.query<Record<string, number>, []>(`PRAGMA ${name}`).get()!)[0]!;
  const pages = pragma("page_count");
  pragma(`max_page_count = ${pages}`);
  const recover = () => rig.store.recover(ALL, { limit: 500, nowMs: NOON });
  expect(recover).toThrow("database or disk is full");
  expect(rig.store.count(ALL)).toBe(before);
  expect(rig.store.count({ ...ALL, is_unhandled: true })).toBe(500);
  pragma(`max_page_count = ${2 * pages}`);
  expect(recover()).toBe(500);
  expect(rig.store.count(ALL)).toBe(before + 500);
});

test("after a change of history no delivery waits for an event that does not exist", () => {
  const endpoint = anEndpoint({ ordering: "per_subject" });
  const told = (history: string, ofOne: readonly number[]) => (seq: number) => {
    const id = ofOne.includes(seq) ? "hld_1" : `hld_${history}${seq}`;
    return anEvent(seq, { id: `${history}${seq}`, subject: { type: "hold", id, version: null } });
  };
  rig.derive([1, 2, 3], [endpoint], told("former", [1, 3]));
  rig.attempt(failed());
  // The second is held up by what was to be the third, which is lost after it.
  rig.derive([1, 2, 3], [endpoint], told("present", [2]));
  rig.attempt(succeeded(), NOON + 20_000);
  const open = rig.all().filter(({ settled_at }) => settled_at === null);
  expect(open).toEqual([]);
  const present = rig.all().filter(({ webhook_id }) => webhook_id.startsWith("present"));
  expect(present).toMatchObject(
    [1, 2, 3].map(() => ({ state: "succeeded", after_dead_letter: null })),
  );
});
