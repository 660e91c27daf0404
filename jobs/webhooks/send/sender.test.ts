/**
 * Goal: each event arrives, always with the same id, and no endpoint delays another, despite
 * failures. Method: a whole worker without Redis on real files, and real receivers on loopback;
 * crashes leave the state of real crashes.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { anEndpoint, SECRET } from "../../../test/support/deliveries.ts";
import { until } from "../../../test/support/service.ts";
import { WebhookReceiver } from "../../../test/support/webhook-receiver.ts";
import { WebhookRig } from "../../../test/support/webhook-rig.ts";

const NOTHING = "http://127.0.0.1:1/";

let rig: WebhookRig;
let receiver: WebhookReceiver;
beforeEach(() => {
  rig = new WebhookRig();
  receiver = new WebhookReceiver();
  receiver.secret = SECRET;
  rig.endpoints = [anEndpoint({ url: receiver.url })];
});
afterEach(async () => {
  rig.stop();
  await receiver.stop();
});

const untilSettled = () => until("all is settled", () => isSettled());
function isSettled(): boolean {
  const all = rig.all();
  return all.length > 0 && all.every(({ settled_at }) => settled_at !== null);
}
const ids = () => new Set(rig.all().map(({ webhook_id }) => webhook_id));
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

test("every event arrives once when nothing fails", async () => {
  rig.notice(200);
  rig.start();
  await untilSettled();
  expect(receiver.seqs.sort((a, b) => a - b)).toEqual(upTo(200));
  expect(receiver.faults).toEqual([]);
  for (const { event } of receiver.received) expect(event.prev_seq).toBe(event.seq - 1);
});

test("an advance of the test clock brings the retries of its realm forward, and no others", async () => {
  const realms = (["test", "live"] as const).map((mode) => ({ tenant_id: "t-1", mode }));
  rig.schedule = [0, 3_600_000, 3_600_000];
  rig.endpoints = realms.map((realm) => {
    return anEndpoint({ ...realm, endpoint_id: `whe_${realm.mode}`, url: receiver.url });
  });
  const attempts = () => realms.map((realm) => rig.all(realm).map(({ attempts }) => attempts));
  receiver.answer = () => new Response(null, { status: 503 });
  for (const realm of realms) rig.notice(1, 1, realm);
  rig.start();
  await until("each was tried", () => String(attempts()) === "1,1");
  // Retries are spread by up to a tenth.
  rig.advance(4_500, realms[0]!);
  await until("one was tried again", () => String(attempts()[0]) === "2,1");
  expect(attempts()[1]).toEqual([1]);
});

test("pending events outside an endpoint's narrowed filters are not sent", async () => {
  const [wide] = rig.endpoints;
  rig.endpoints = [{ ...wide!, state: "paused" }];
  rig.notice(3);
  rig.start();
  await until("its events wait", () => rig.all().length === 3);
  const other = new WebhookReceiver();
  other.secret = SECRET;
  rig.endpoints = [{ ...wide!, url: other.url, property_ids: ["prp_1"], version: 2 }];
  await untilSettled();
  expect(rig.all().map(({ state, reason }) => ({ state, reason }))).toEqual(
    Array(3).fill({ state: "dead_lettered", reason: "endpoint_narrowed" }),
  );
  expect([...other.ids, ...other.faults, ...receiver.ids]).toEqual([]);
  await other.stop();
});

test("deliveries in flight at a killed worker arrive again with the same ids", async () => {
  const hanging = Promise.withResolvers<Response>();
  receiver.answer = () => hanging.promise;
  rig.notice(20);
  rig.start();
  await until("some are under way", () => receiver.received.length === 4);
  rig.end({ kill: true });
  hanging.resolve(new Response(null, { status: 204 }));
  expect(rig.states()).toEqual({ in_flight: 4, pending: 16 });
  receiver.answer = () => new Response(null, { status: 204 });
  rig.start();
  await untilSettled();
  expect(receiver.ids).toHaveLength(24);
  expect(new Set(receiver.ids)).toEqual(ids());
  expect(rig.states()).toEqual({ succeeded: 20 });
});

test("on a full disk sending stops, sent deliveries are recorded later, and all arrive", async () => {
  rig.notice(100);
  rig.start();
  await until("it has begun", () => receiver.received.length > 10);
  const { db } = rig.worker!;
  const pages = db.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
  db.run(`PRAGMA max_page_count = ${pages}`);
  rig.notice(900);
  await until("it is told", () => rig.logged.some((line) => line.startsWith("error")));
  await Bun.sleep(300);
  const sent = receiver.received.length;
  await Bun.sleep(300);
  expect(receiver.received.length).toBeLessThanOrEqual(sent + 4);
  db.run("PRAGMA max_page_count = 1000000000");
  await until("all have arrived", () => receiver.received.length >= 1_000);
  await untilSettled();
  expect(receiver.ids).toHaveLength(1_000);
  expect(rig.states()).toEqual({ succeeded: 1_000 });
});

test("a lock on the file delays deliveries and nothing else", async () => {
  rig.notice(50);
  rig.start();
  await until("it has begun", () => receiver.received.length > 0);
  const { db } = rig.open();
  db.run("BEGIN IMMEDIATE");
  rig.notice(50);
  const startedMs = performance.now();
  let longestMs = 0;
  for (let last = startedMs; last - startedMs < 1_500; ) {
    await Bun.sleep(5);
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }
  db.run("ROLLBACK");
  db.close();
  expect(longestMs).toBeLessThan(1_200);
  await until("all have arrived", () => receiver.received.length >= 100);
  await untilSettled();
  expect(receiver.ids).toHaveLength(100);
  expect(rig.logged.filter((line) => line.startsWith("error"))).toEqual([]);
});

test("a dead or slow endpoint does not delay the others, whatever its backlog", async () => {
  const hangs = new WebhookReceiver();
  hangs.secret = SECRET;
  hangs.answer = () => new Promise(() => {});
  rig.endpoints = [
    anEndpoint({ endpoint_id: "whe_dead", url: NOTHING }),
    anEndpoint({ endpoint_id: "whe_slow", url: hangs.url, max_in_flight: 50 }),
    ...rig.endpoints,
  ];
  rig.notice(300);
  rig.start();
  try {
    await until("the healthy one has all", () => receiver.received.length === 300);
    const open = rig.all().filter(({ settled_at }) => settled_at === null);
    expect(new Set(open.map(({ endpoint_id }) => endpoint_id))).toContain("whe_slow");
    expect(receiver.seqs.sort((a, b) => a - b)).toEqual(upTo(300));
    expect(hangs.received.length).toBeLessThanOrEqual(50);
  } finally {
    await hangs.stop();
  }
});

test("endpoints of one tenant with backlogs do not wait for each other", async () => {
  rig.endpoints = Array.from({ length: 24 }, (_, i) => {
    const endpoint_id = `whe_${i + 10}`;
    return anEndpoint({ endpoint_id, url: `${receiver.url}?${endpoint_id}`, max_in_flight: 1 });
  });
  receiver.answer = async () => {
    await Bun.sleep(20);
    return new Response(null, { status: 204 });
  };
  rig.notice(30);
  rig.start();
  const settled = (state: string) => rig.all().filter((each) => each.state === state);
  await until("one has all", () => {
    const counts = Map.groupBy(settled("succeeded"), ({ endpoint_id }) => endpoint_id);
    return [...counts.values()].some(({ length }) => length === 30);
  });
  const reached = new Set(settled("succeeded").map(({ endpoint_id }) => endpoint_id));
  expect(reached.size).toBe(24);
});

test("a dead endpoint is probed at intervals; all its deliveries die by their schedule", async () => {
  rig.endpoints = [anEndpoint({ url: NOTHING })];
  rig.schedule = [0, 100];
  rig.notice(1_000);
  rig.start();
  await untilSettled();
  expect(rig.states()).toEqual({ dead_lettered: 1_000 });
  const reasons = new Set(rig.all().map(({ reason }) => reason));
  expect([...reasons]).toEqual(["connect"]);
  // Not a thousand attempts, nor two thousand.
  const attempts = rig.all().reduce((sum, each) => sum + each.attempts, 0);
  expect(attempts).toBeLessThan(100);
});

test("a receiver that answers gone is disabled, and its open deliveries are dead letters", async () => {
  receiver.answer = () => new Response(null, { status: 410 });
  rig.notice(50);
  rig.start();
  await untilSettled();
  expect(new Set(rig.disabled)).toEqual(new Set(["whe_1 gone"]));
  const reasons = Object.groupBy(rig.all(), ({ reason }) => reason ?? "");
  expect(Object.keys(reasons).sort()).toEqual(["endpoint_disabled", "gone"]);
  expect(receiver.received.length).toBe(reasons.gone!.length);
  expect(receiver.received.length).toBeLessThan(20);
});

test("five days without a success disable an endpoint", async () => {
  receiver.answer = () => new Response(null, { status: 500 });
  const dayMs = 86_400_000;
  rig.schedule = Array.from({ length: 9 }, (_, i) => (i === 0 ? 0 : 0.8 * dayMs));
  rig.notice(1);
  rig.start();
  for (let tries = 1; tries <= 6; tries += 1) {
    await until("it has failed", () => rig.all()[0]?.attempts === tries);
    expect(rig.disabled).toEqual([]);
    rig.aheadMs += 0.95 * dayMs;
  }
  await until("it is disabled", () => rig.disabled.length > 0);
  expect(rig.disabled).toEqual(["whe_1 failing"]);
});

test("a week of downtime of the service does not count as a week of failures", async () => {
  rig.schedule = [0, 100, 100, 100, 100, 100, 100, 100];
  receiver.answer = (_, count) => new Response(null, { status: count <= 2 ? 500 : 204 });
  rig.notice(1);
  rig.start();
  await until("it has failed", () => rig.all()[0]?.attempts === 1);
  rig.end();
  rig.aheadMs = 7 * 86_400_000;
  rig.start();
  await untilSettled();
  expect(rig.disabled).toEqual([]);
  expect(rig.states()).toEqual({ succeeded: 1 });
});

test("deliveries due during days of downtime are sent", async () => {
  rig.schedule = [0, 500, 1_000_000];
  receiver.answer = () => new Response(null, { status: 500 });
  rig.notice(20);
  rig.start();
  await until("it is left alone", () => receiver.received.length >= 5);
  // The machine sleeps, and wakes; the first to be tried still fails, as the network comes later.
  const asleep = receiver.received.length;
  receiver.answer = (_, count) => new Response(null, { status: count <= asleep + 1 ? 500 : 204 });
  rig.aheadMs = 4 * 86_400_000;
  await untilSettled();
  expect(rig.states()).toEqual({ succeeded: 20 });
});

test("each subject has one event in flight, in order, and a dead one is reported", async () => {
  rig.endpoints = [anEndpoint({ url: receiver.url, ordering: "per_subject" })];
  const underWay = new Map<string, number>();
  let most = 0;
  receiver.answer = async ({ event }) => {
    const { id } = event.subject;
    underWay.set(id, (underWay.get(id) ?? 0) + 1);
    most = Math.max(most, underWay.get(id)!);
    await Bun.sleep(2);
    underWay.set(id, underWay.get(id)! - 1);
    return new Response(null, { status: event.seq === 5 ? 422 : 204 });
  };
  rig.notice(60, 3);
  rig.start();
  await untilSettled();
  expect(most).toBe(1);
  const bySubject = Object.groupBy(receiver.received, ({ event }) => event.subject.id);
  expect(Object.keys(bySubject)).toHaveLength(3);
  for (const received of Object.values(bySubject)) {
    const seqs = received!.map(({ event }) => event.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  }
  const dead = rig.all().find(({ state }) => state === "dead_lettered")!;
  expect(dead).toMatchObject({ seq: 5, attempts: 3, reason: "payload_refused" });
  const told = receiver.received.filter(({ headers }) => headers["innkeep-after-dead-letter"]);
  expect(
    told.map(({ event, headers }) => [event.seq, headers["innkeep-after-dead-letter"]]),
  ).toEqual([[8, dead.webhook_id]]);
});

test("an event behind a slow answer of its subject is sent once the answer arrives", async () => {
  rig.endpoints = [anEndpoint({ url: receiver.url, ordering: "per_subject" })];
  receiver.answer = async (_received, count) => {
    // Longer than anybody stays with an endpoint that does not answer.
    if (count === 1) await Bun.sleep(1_300);
    return new Response(null, { status: 204 });
  };
  rig.notice(3, 1);
  rig.start();
  await until("all has come", () => receiver.received.length === 3, 5_000);
  expect(receiver.seqs).toEqual([1, 2, 3]);
});

test("a changed order applies to open deliveries and can be reverted", async () => {
  rig.endpoints = [anEndpoint({ url: receiver.url, state: "paused", max_in_flight: 20 })];
  rig.notice(600, 2);
  rig.start();
  await until("they are derived", () => rig.all().length === 600);
  const select = "SELECT count(*) AS n FROM delivery WHERE next_attempt_at IS NOT NULL";
  const due = () => rig.worker!.db.query<{ n: number }, []>(select).get()!.n;
  rig.change({ ordering: "per_subject" });
  await until("one of each subject is due", () => due() === 2);
  rig.change({ ordering: "none" });
  await until("all are due", () => due() === 600);
  rig.change({ ordering: "per_subject" });
  await until("one of each subject is due", () => due() === 2);
  rig.change({ state: "active" });
  await untilSettled();
  const bySubject = Object.groupBy(receiver.received, ({ event }) => event.subject.id);
  for (const received of Object.values(bySubject)) {
    const seqs = received!.map(({ event }) => event.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  }
  expect(rig.states()).toEqual({ succeeded: 600 });
});

test("deliveries in flight and started per second stay within the endpoint's limits", async () => {
  rig.endpoints = [anEndpoint({ url: receiver.url, max_in_flight: 3, max_per_s: 50 })];
  let [underWay, most] = [0, 0];
  receiver.answer = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Bun.sleep(10);
    underWay -= 1;
    return new Response(null, { status: 204 });
  };
  rig.notice(40);
  const startedMs = performance.now();
  rig.start();
  await untilSettled();
  // A burst of five, then one every 20 ms.
  expect(performance.now() - startedMs).toBeGreaterThan(34 * 20);
  expect(most).toBeLessThanOrEqual(3);
});

test("a receiver that sends Retry-After is left alone for that time", async () => {
  rig.schedule = [0, 10, 10];
  let refusedAtMs = 0;
  receiver.answer = (_received, count) => {
    if (count > 1) return new Response(null, { status: 204 });
    refusedAtMs = performance.now();
    return new Response(null, { status: 503, headers: { "retry-after": "1" } });
  };
  rig.endpoints = [anEndpoint({ url: receiver.url, max_in_flight: 1 })];
  rig.notice(3);
  rig.start();
  await untilSettled();
  expect(performance.now() - refusedAtMs).toBeGreaterThan(990);
  expect(rig.states()).toEqual({ succeeded: 3 });
});

test("a paused endpoint gets nothing until it resumes, then everything at its new address", async () => {
  rig.endpoints = [anEndpoint({ url: NOTHING, state: "paused" })];
  rig.notice(5);
  rig.start();
  await until("they are derived", () => rig.all().length === 5);
  rig.aheadMs = 3 * 86_400_000;
  await Bun.sleep(250);
  expect(rig.states()).toEqual({ pending: 5 });
  rig.change({ state: "active", url: receiver.url });
  await untilSettled();
  expect(rig.states()).toEqual({ succeeded: 5 });
});

test("no event is sent after a pause, however soon it comes", async () => {
  const [active] = rig.endpoints;
  rig.start();
  for (let round = 1; round <= 10; round += 1) {
    rig.endpoints = [{ ...active!, state: "paused", version: 2 * round }];
    rig.notice(5);
    await until("its events wait", () => rig.states().pending === 5, 5_000);
    expect(receiver.received).toHaveLength(5 * (round - 1));
    rig.endpoints = [{ ...active!, version: 2 * round + 1 }];
    await until("they are sent", () => rig.states().succeeded === 5 * round);
  }
});

test("open deliveries of a deleted endpoint are cancelled", async () => {
  rig.endpoints = [anEndpoint({ state: "paused" })];
  rig.notice(5);
  rig.start();
  await until("they are derived", () => rig.all().length === 5);
  rig.endpoints = [];
  await untilSettled();
  expect(rig.states()).toEqual({ cancelled: 5 });
});
