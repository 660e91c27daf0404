/**
 * Goal: an operator finds undelivered events with their reasons and replays or discards each once.
 * Method: deliveries as left by a worker, to endpoints without a receiver; each write twice, by an
 * allowed and by a forbidden caller.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDeliveries } from "../../jobs/webhooks/store/schema.ts";
import { deliveriesPath } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { steps } from "../support/answer.ts";
import { createHotel, type Hotel, newKey } from "../support/client.ts";
import { givenDelivery, untilFollowed } from "../support/deliveries.ts";
import { Service, until } from "../support/service.ts";
import { endpointBody } from "../support/trials.ts";

const WEBHOOKS = "/v1/admin/webhooks";
const DELIVERIES = "/v1/admin/webhook-deliveries";
const LONG_AGO = "2026-01-01T00:00:00Z";

interface Delivery {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly state: string;
  readonly replay_of: string | null;
  readonly replayed_as: string | null;
  readonly discard_reason: string | null;
}
interface Recovery {
  readonly recovery_id: string;
  readonly state: string;
  readonly deliveries: number;
  readonly progress: { readonly done: number; readonly of: number };
}

let service: Service;
let hotels: readonly [Hotel, Hotel];

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1" });
  hotels = [await createHotel(service), await createHotel(service)];
});
afterAll(() => service.stop());

interface Terms {
  readonly agent?: DemoAgent;
  readonly headers?: Readonly<Record<string, string>>;
}

function call(method: string, path: string, body?: unknown, terms: Terms = {}) {
  const { agent = service.demo.admin, headers = {} } = terms;
  return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
}

async function newEndpoint(terms: object = {}): Promise<string> {
  const made = await call("POST", WEBHOOKS, endpointBody(terms));
  return made.ok<{ readonly endpoint_id: string }>(201).data.endpoint_id;
}

/** Deliveries of the list, and the path of the next page. */
async function list(query: string, agent?: DemoAgent) {
  const answer = await call("GET", `${DELIVERIES}?${query}`, undefined, agent ? { agent } : {});
  const { data, next_actions } = answer.ok<{ readonly items: readonly Delivery[] }>();
  return { ids: data.items.map((each) => each.delivery_id), next: next_actions[0]?.href };
}

async function get(id: string): Promise<Delivery> {
  return (await call("GET", `${DELIVERIES}/${id}`)).ok<Delivery>().data;
}

/** The recovery at this path once it is done. */
async function recovered(path: string): Promise<Recovery> {
  const found: Recovery[] = [];
  await until("the recovery is done", async () => {
    const { data } = (await call("GET", path)).ok<Recovery>();
    if (data.state === "completed") found.push(data);
    return found.length > 0;
  });
  return found[0]!;
}

test("deliveries are found by what is known of them, page by page, newest first", async () => {
  const endpoint_id = await newEndpoint();
  const [at, elsewhere] = [hotels[0].id, hotels[1].id];
  const mine = [
    givenDelivery(service, { endpoint_id, property_id: at, reason: "timeout" }),
    givenDelivery(service, { endpoint_id, property_id: elsewhere, kind: "hold.expired" }),
    givenDelivery(service, { endpoint_id, state: "in_flight" }),
  ];
  const [first, second, third] = mine as [string, string, string];
  const found = (query: string) => list(`endpoint_id=${endpoint_id}&${query}`);
  expect((await found("")).ids).toEqual([third, second, first]);
  expect((await found("unhandled=true")).ids).toEqual([second, first]);
  expect((await found("reason=timeout")).ids).toEqual([first]);
  expect((await found("kinds=hold.expired,hold.created")).ids).toEqual([second]);
  expect((await found(`property_id=${elsewhere}`)).ids).toEqual([second]);
  expect((await found(`property_id=${hotels[1].slug}`)).ids).toEqual([second]);
  expect((await found("states=in_flight,succeeded&status=500")).ids).toEqual([third]);
  expect((await found(`since=${LONG_AGO}&until=2026-01-02T00:00:00%2B02:00`)).ids).toEqual([]);
  const page = await found("limit=2");
  expect(page.ids).toEqual([third, second]);
  const next = await call("GET", page.next!);
  expect(next.ok<{ items: Delivery[] }>().data.items.map((each) => each.delivery_id)).toEqual([
    first,
  ]);
  expect(steps(next.ok().next_actions)).toEqual([]);
  const faulty = await call(
    "GET",
    `${DELIVERIES}?kinds=x&since=2026-02-30T00:00:00Z&limit=0&after=`,
  );
  const { field_errors } = faulty.refused("validation_failed").detail;
  expect(field_errors!.map(({ path }) => path).sort()).toEqual([
    ...["?after", "?kinds", "?limit", "?since"],
  ]);
});

test("without a limit the list is complete, and of too many the bound is named", async () => {
  const endpoint_id = await newEndpoint();
  const ids = [1, 2, 3].map(() => givenDelivery(service, { endpoint_id }));
  expect(await list(`endpoint_id=${endpoint_id}&state=dead_lettered`)).toEqual({
    ids: ids.toReversed(),
    next: undefined,
  });
  const db = openDeliveries(deliveriesPath(service.dataDir), "full");
  db.run(`CREATE TEMP TABLE copy AS SELECT * FROM delivery WHERE delivery_id = '${ids[0]}'`);
  db.transaction(() => {
    for (let n = 0; n < 2_000; n += 1) {
      db.run("UPDATE copy SET delivery_id = ?, seq = ?", [`dlv_0${n}`, 7_000_000_000 + n]);
      db.run("INSERT INTO delivery SELECT * FROM copy");
    }
  })();
  db.close();
  const refused = await call("GET", `${DELIVERIES}?endpoint_id=${endpoint_id}`);
  expect(refused.faults()).toEqual(["?limit"]);
  const [next] = refused.refused("validation_failed").next_actions;
  expect((await call("GET", next!.href)).ok<{ items: Delivery[] }>().data.items).toHaveLength(50);
});

test("a delivery shows every attempt and links to its endpoint", async () => {
  const endpoint_id = await newEndpoint();
  const id = givenDelivery(service, { endpoint_id });
  const answer = await call("GET", `${DELIVERIES}/${id}`);
  const { data, next_actions } = answer.ok<Delivery & { attempts: readonly object[] }>();
  expect(data).toMatchObject({
    ...{ delivery_id: id, endpoint_id, state: "dead_lettered", reason: "http_5xx", status: 500 },
    // The journal holds no such event.
    ...{ attempt_count: 1, request: null },
    attempts: [{ nth: 1, latency_ms: 12, address: "192.0.2.1", excerpt: "oh no" }],
  });
  expect(steps(next_actions)).toEqual([`get GET ${WEBHOOKS}/${endpoint_id}`]);
  const replayed = (await call("POST", `${DELIVERIES}/${id}/replay`, {})).ok<Delivery>(202);
  expect(steps(replayed.next_actions)).toEqual([
    `get GET ${DELIVERIES}/${replayed.data.delivery_id}`,
  ]);
  (await call("POST", `${WEBHOOKS}/${endpoint_id}/disable`)).ok();
});

test("a replay is a new delivery of the same event, once for its key and one at a time", async () => {
  const endpoint_id = await newEndpoint();
  await untilFollowed(service, endpoint_id);
  const id = givenDelivery(service, { endpoint_id });
  const replay = (key = newKey()) =>
    call("POST", `${DELIVERIES}/${id}/replay`, {}, { headers: { "idempotency-key": key } });
  const key = newKey();
  const { data } = (await replay(key)).ok<Delivery>(202);
  const { webhook_id } = await get(id);
  expect(data).toMatchObject({ webhook_id, replay_of: id, state: "pending", trigger: "manual" });
  const again = await replay(key);
  expect(again.isReplayed).toBeTrue();
  expect(again.ok<Delivery>(202).data).toEqual(data);
  expect((await get(id)).replayed_as).toBe(data.delivery_id);
  const refused = await replay();
  const { detail, retry_after, next_actions } = refused.refused("webhook_delivery_not_replayable");
  const paused = { endpoint_state: "paused", endpoint_id };
  expect(detail).toMatchObject({ delivery_id: data.delivery_id, state: "pending", ...paused });
  expect(refused.anyRefusal().remediation).toContain(`/v1/admin/webhooks/${endpoint_id}/resume`);
  expect(retry_after).toBeNull();
  expect(steps(next_actions)).toEqual([
    `get GET ${DELIVERIES}/${data.delivery_id}`,
    `get GET ${WEBHOOKS}/${endpoint_id}`,
  ]);
  (await call("POST", `${WEBHOOKS}/${endpoint_id}/disable`)).ok();
  const other = givenDelivery(service, { endpoint_id });
  const toNobody = await call("POST", `${DELIVERIES}/${other}/replay`);
  expect(toNobody.refused("conflict").detail).toEqual({ reason: "endpoint_disabled", endpoint_id });
  (await call("DELETE", `${WEBHOOKS}/${endpoint_id}`)).ok();
  const toNothing = await call("POST", `${DELIVERIES}/${other}/replay`);
  expect(toNothing.refused("webhook_endpoint_not_found").detail).toEqual({ endpoint_id });
});

test("a delivery in flight is neither replayed nor discarded", async () => {
  const endpoint_id = await newEndpoint();
  const path = `${DELIVERIES}/${givenDelivery(service, { endpoint_id, state: "in_flight" })}`;
  const replayed = (await call("POST", `${path}/replay`)).refused(
    "webhook_delivery_not_replayable",
  );
  expect(replayed).toMatchObject({ detail: { state: "in_flight", next_attempt_at: null } });
  expect(replayed.retry_after).toBe(15);
  const discarded = (await call("POST", `${path}/discard`, { reason: "x" })).refused("conflict");
  expect(discarded.detail.reason).toBe("delivery_in_flight");
});

test("a discard has its reason, counts once, and the delivery can be replayed", async () => {
  const endpoint_id = await newEndpoint();
  const id = givenDelivery(service, { endpoint_id });
  const discard = (reason: string) => call("POST", `${DELIVERIES}/${id}/discard`, { reason });
  for (const reason of ["their system is gone", "and so is this"]) {
    expect((await discard(reason)).ok<Delivery>().data).toMatchObject({
      ...{ state: "cancelled", discard_reason: "their system is gone" },
    });
  }
  (await call("POST", `${DELIVERIES}/${id}/discard`, {})).refused("validation_failed");
  expect((await list(`endpoint_id=${endpoint_id}&unhandled=true`)).ids).toEqual([]);
  (await call("POST", `${DELIVERIES}/${id}/replay`)).ok(202);
});

test("dead letters are counted first, then recovered bit by bit, and none of them twice", async () => {
  const endpoint_id = await newEndpoint();
  await untilFollowed(service, endpoint_id);
  const path = `${WEBHOOKS}/${endpoint_id}/recover`;
  const dead = Array.from({ length: 5 }, (_, i) =>
    givenDelivery(service, { endpoint_id, reason: i === 0 ? "timeout" : "tls" }),
  );
  const dry = await call("POST", path, { since: LONG_AGO, reason: "tls", dry_run: true });
  const { data, next_actions } = dry.ok<Recovery>();
  expect(data).toMatchObject({ recovery_id: null, state: "dry_run", deliveries: 4 });
  expect((await list(`endpoint_id=${endpoint_id}&unhandled=true`)).ids).toHaveLength(5);
  expect(steps(next_actions)).toEqual([`get GET ${WEBHOOKS}/${endpoint_id}`]);
  const begun = await call("POST", path, { since: LONG_AGO, reason: "tls" });
  const { recovery_id } = begun.ok<Recovery>().data;
  const done = await recovered(begun.ok().next_actions[0]!.href);
  expect(done).toMatchObject({ recovery_id, deliveries: 4, progress: { done: 4, of: 4 } });
  expect((await list(`endpoint_id=${endpoint_id}&unhandled=true`)).ids).toEqual([dead[0]!]);
  const again = (await call("POST", path, { since: LONG_AGO, reason: "tls" })).ok<Recovery>();
  expect(await recovered(again.next_actions[0]!.href)).toMatchObject({ deliveries: 0 });
  const backwards = await call("POST", path, { since: "2999-01-01T00:00:00Z" });
  expect(backwards.refused("validation_failed").detail.field_errors![0]!.path).toBe("/since");
  const foreign = await call("GET", `${WEBHOOKS}/${await newEndpoint()}/recoveries/${recovery_id}`);
  foreign.refused("validation_failed", 404);
});

test("a credential of some properties handles what lies at them alone", async () => {
  const [own, other] = hotels;
  const [ownEnd, otherEnd, anyEnd] = [
    await newEndpoint({ property_ids: [own.id] }),
    await newEndpoint({ property_ids: [other.id] }),
    await newEndpoint(),
  ];
  const [agent] = await service.newAgents([
    { kind: "operator", scopes: ["admin:webhooks"], property_ids: [own.id] },
  ]);
  const at = (endpoint_id: string, { id }: Hotel) =>
    givenDelivery(service, { endpoint_id, property_id: id });
  const [seen, moved, theirs, everybodys] = [
    ...[at(ownEnd, own), at(ownEnd, other), at(otherEnd, other), at(anyEnd, own)],
  ] as [string, string, string, string];
  expect((await list("limit=500", agent!)).ids).toEqual([seen]);
  const replay = (id: string) => call("POST", `${DELIVERIES}/${id}/replay`, {}, { agent: agent! });
  for (const id of [moved, theirs]) {
    const { detail } = (await replay(id)).refused("resource_access_denied");
    expect(detail).toEqual({ property_id: other.id });
  }
  const whole = (await replay(everybodys)).refused("resource_access_denied");
  expect(whole.detail).toEqual({ reason: "all_properties" });
  const body = { since: LONG_AGO };
  const recovery = await call("POST", `${WEBHOOKS}/${ownEnd}/recover`, body, { agent: agent! });
  const { recovery_id } = recovery.ok<Recovery>().data;
  await recovered(`${WEBHOOKS}/${ownEnd}/recoveries/${recovery_id}`);
  expect((await get(seen)).replayed_as).not.toBeNull();
  expect((await get(moved)).replayed_as).toBeNull();
});

test("an endpoint's figures show its state", async () => {
  const endpoint_id = await newEndpoint();
  givenDelivery(service, { endpoint_id });
  givenDelivery(service, { endpoint_id, state: "in_flight" });
  const path = `${WEBHOOKS}/${endpoint_id}/stats`;
  expect((await call("GET", path)).ok<object>().data).toMatchObject({
    ...{ endpoint_id, open: 1, dead_letters: 1, failing_since: null, hours: [] },
  });
  const backwards = await call("GET", `${path}?since=2999-01-01T00:00:00Z`);
  backwards.refused("validation_failed");
});
