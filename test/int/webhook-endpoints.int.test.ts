/**
 * Goal: an operator configures endpoints, and no event goes to a forbidden address or reader.
 * Method: endpoints of a real service at the test's own receivers, which verify events with the
 * public library; each write twice, by an allowed and by a forbidden caller.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { EVENTS_API_VERSION, PUBLIC_KINDS } from "../../engine/core/public-events.ts";
import { EVENT_EXAMPLES } from "../../src/api/events/kinds.ts";
import { controlPath } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Answer, keysOf, steps } from "../support/answer.ts";
import { createHotel, type Hotel, newKey } from "../support/client.ts";
import { WRITTEN } from "../support/forbidden-hosts.ts";
import { RawReceiver, verified } from "../support/raw-receiver.ts";
import { SecondApi } from "../support/second-api.ts";
import { Service } from "../support/service.ts";
import { endpointBody } from "../support/trials.ts";

const WEBHOOKS = "/v1/admin/webhooks";

interface Endpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly state: string;
  readonly paused_reason: string | null;
  readonly disabled_reason: string | null;
  readonly ping: { readonly ok: boolean; readonly reason: string | null } | null;
  readonly secret_hint: string;
  readonly retiring_secrets: readonly { readonly secret_hint: string }[];
  readonly version: number;
}
interface Sent {
  readonly event_id: string;
  readonly ok: boolean;
  readonly reason: string | null;
}
interface NewEndpoint extends Endpoint {
  readonly secret: string;
}

let service: Service;
let hotel: Hotel;
let receiver: RawReceiver;
/** At a receiver that takes its ping and never answers; begun first, because it takes its time. */
let silent: Promise<Answer>;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", WEBHOOKS_ALLOW_PRIVATE: "1" });
  hotel = await createHotel(service);
  silent = atSilence();
});
afterAll(() => service.stop());

async function atSilence() {
  const listener = new RawReceiver();
  listener.answer = () => new Promise<never>(() => {});
  try {
    return await call("POST", WEBHOOKS, endpointBody({ url: listener.url }));
  } finally {
    await listener.stop();
  }
}

beforeEach(async () => {
  await receiver?.stop();
  receiver = new RawReceiver();
});
afterAll(() => receiver.stop());

interface Terms {
  readonly agent?: DemoAgent;
  readonly headers?: Readonly<Record<string, string>>;
}

function call(method: string, path: string, body?: unknown, terms: Terms = {}) {
  const { agent = service.demo.admin, headers = {} } = terms;
  return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
}

const bodyOf = (terms: object = {}) => ({ url: receiver.url, events: ["*"], ...terms });

async function newEndpoint(terms: object = {}): Promise<NewEndpoint> {
  return (await call("POST", WEBHOOKS, bodyOf(terms))).ok<NewEndpoint>(201).data;
}

const pathOf = ({ endpoint_id }: Pick<Endpoint, "endpoint_id">) => `${WEBHOOKS}/${endpoint_id}`;

async function shown(endpoint: Pick<Endpoint, "endpoint_id">): Promise<Endpoint> {
  return (await call("GET", pathOf(endpoint))).ok<Endpoint>().data;
}

test("an endpoint that answers the signed ping is active, and its secret is shown once", async () => {
  const headers = { "idempotency-key": newKey() };
  const body = bodyOf({ headers: { "X-Tenant": "our own" }, events: ["booking.confirmed"] });
  const first = await call("POST", WEBHOOKS, body, { headers });
  const { secret, ...made } = first.ok<NewEndpoint>(201).data;
  expect(made).toMatchObject({
    ...{ state: "active", paused_reason: null, disabled_reason: null, version: 2 },
    ...{ ping: { ok: true, reason: null, status: 204 }, headers: { "X-Tenant": "***" } },
    ...{ events: ["booking.confirmed"], property_ids: null, subjects: null, scopes: [] },
    ...{ max_in_flight: 10, max_per_s: null, ordering: "none", mode: "live" },
    ...{ secret_hint: `whsec_…${secret.slice(-4)}`, retiring_secrets: [] },
  } as never);
  const event = verified(receiver.last, secret);
  expect(event).toMatchObject({
    ...{ type: "webhook.ping", tenant_id: service.demo.tenant_id, mode: "live" },
    ...{ seq: null, prev_seq: null, data: { endpoint_id: made.endpoint_id } },
  });
  expect(receiver.last.headers).toMatchObject({ "webhook-id": event.id, "x-tenant": "our own" });
  const again = await call("POST", WEBHOOKS, body, { headers });
  const replayed = again.ok<NewEndpoint & { readonly secret_note: string }>(201).data;
  expect(again.isReplayed).toBeTrue();
  expect(replayed).toMatchObject({ ...made, secret: null } as never);
  expect(replayed.secret_note).toContain("rotate");
  expect(receiver.received).toHaveLength(1);
  const got = await call("GET", pathOf(made));
  expect(got.ok<Endpoint>().data).toEqual(made as never);
  const list = await call("GET", WEBHOOKS);
  expect(list.ok<{ items: Endpoint[] }>().data.items[0]).toEqual(made as never);
  for (const { text } of [again, got, list]) expect(text).not.toContain(secret);
  const files = ["", "-wal"].map((end) => {
    return readFileSync(controlPath(service.dataDir) + end).toString("latin1");
  });
  for (const word of [secret, secret.slice(6), "our own"]) {
    expect(files.some((text) => text.includes(word))).toBeFalse();
  }
});

test("an endpoint that fails its ping stays paused with the reason until it is resumed", async () => {
  const location = "http://169.254.169.254/";
  for (const [status, reason] of [
    [500, "http_5xx"],
    [404, "http_4xx"],
    [410, "gone"],
    [302, "too_many_redirects"],
  ] as const) {
    receiver.answer = () => new Response("no", { status, headers: { location } });
    const { endpoint_id, state, paused_reason, ping } = await newEndpoint();
    expect({ state, paused_reason, ping }).toMatchObject({
      ...{ state: "paused", paused_reason: "ping_failed", ping: { ok: false, reason, status } },
    });
    (await call("DELETE", `${WEBHOOKS}/${endpoint_id}`)).ok();
  }
  const nowhere = await newEndpoint({ url: "http://127.0.0.1:1/" });
  expect(nowhere.ping).toMatchObject({ ok: false, reason: "connect", status: null } as never);
  const answer = await call("PATCH", pathOf(nowhere), { url: receiver.url });
  const { data } = answer.ok<Endpoint>();
  expect(data).toMatchObject({
    state: "paused",
    ping: { ok: false, reason: "too_many_redirects" },
  });
  receiver.answer = () => new Response();
  const resumed = await call("POST", `${pathOf(nowhere)}/resume`);
  expect(resumed.ok<Endpoint>().data).toMatchObject({ state: "active", ping: { ok: true } });
  expect(steps(resumed.ok().next_actions)).toEqual([
    `get GET ${pathOf(nowhere)}`,
    `get GET ${pathOf(nowhere)}/stats`,
  ]);
  verified(receiver.last, nowhere.secret);
});

test("an endpoint deleted during its ping is not created, and the answer says so", async () => {
  const isPinged = Promise.withResolvers<void>();
  const isDeleted = Promise.withResolvers<void>();
  receiver.answer = async () => {
    isPinged.resolve();
    await isDeleted.promise;
    return new Response();
  };
  const making = call("POST", WEBHOOKS, bodyOf({ description: "short-lived" }));
  await isPinged.promise;
  const { items } = (await call("GET", WEBHOOKS)).ok<{ readonly items: readonly Endpoint[] }>()
    .data;
  (await call("DELETE", pathOf(items[0]!))).ok();
  isDeleted.resolve();
  const { endpoint_id } = items[0]!;
  expect((await making).refused("webhook_endpoint_not_found").detail).toEqual({ endpoint_id });
});

test("a change needs the version that was seen, and another address has to answer", async () => {
  const named = { constructor: "four" };
  const endpoint = await newEndpoint({ headers: { "X-A": "one", "X-B": "two", ...named } });
  const path = pathOf(endpoint);
  const seen = { headers: { "if-match": `"${endpoint.version}"` } };
  const terms = { events: ["hold.created"], ordering: "per_subject", max_per_s: 5 };
  const headers = { "x-a": "***", "X-C": "three", constructor: "***" };
  const changed = await call("PATCH", path, { ...terms, headers }, seen);
  expect(changed.ok<Endpoint>().data).toMatchObject({
    ...{ ...terms, state: "active", version: endpoint.version + 1 },
    headers: { "x-a": "***", "X-C": "***", constructor: "***" },
  });
  expect(receiver.received).toHaveLength(1);
  const stale = (await call("PATCH", path, terms, seen)).refused("conflict");
  expect(stale.detail).toMatchObject({ reason: "version_mismatch" });
  const moved = new RawReceiver();
  try {
    moved.answer = () => new Response(null, { status: 503 });
    // Whoever may say where events go reads no header that is masked.
    for (const own of [{}, { headers: { "x-a": "one", "X-C": "***" } }]) {
      const taken = await call("PATCH", path, { url: moved.url, ...own });
      expect(taken.faults()).toEqual(["/headers"]);
    }
    expect(moved.received).toEqual([]);
    (await call("PATCH", path, { url: `${endpoint.url}?elsewhere` })).ok();
    expect(receiver.last.headers).toMatchObject({ "x-a": "one", "x-c": "three", ...named });
    expect(receiver.last.headers).not.toHaveProperty("x-b");
    const anew = { url: moved.url, headers: { "X-C": "five" } };
    const away = (await call("PATCH", path, anew)).ok<Endpoint>().data;
    expect(away).toMatchObject({ state: "paused", ping: { reason: "http_5xx" } } as never);
    expect(moved.last.headers).toMatchObject({ "x-c": "five" });
    expect(moved.last.headers).not.toHaveProperty("x-a");
    verified(moved.last, endpoint.secret);
  } finally {
    await moved.stop();
  }
});

test("during a rotation both secrets sign, and afterwards the new one alone", async () => {
  const endpoint = await newEndpoint();
  const path = pathOf(endpoint);
  const ping = async () => {
    (await call("POST", `${path}/pause`)).ok();
    (await call("POST", `${path}/resume`)).ok();
    return receiver.last;
  };
  const rotate = async (overlap_s: number) => {
    return (await call("POST", `${path}/rotate-secret`, { overlap_s })).ok<NewEndpoint>(201).data;
  };
  const second = await rotate(3600);
  expect(second.secret).not.toBe(endpoint.secret);
  expect(second.retiring_secrets).toMatchObject([{ secret_hint: endpoint.secret_hint }]);
  const both = await ping();
  expect(verified(both, endpoint.secret)).toEqual(verified(both, second.secret));
  const third = await rotate(0);
  expect(third.retiring_secrets).toEqual([]);
  const one = await ping();
  verified(one, third.secret);
  for (const { secret } of [endpoint, second]) expect(() => verified(one, secret)).toThrow();
  const more = [await rotate(60), await rotate(60), await rotate(60)];
  expect(new Set(more.map(({ secret }) => secret)).size).toBe(3);
  const { detail } = (await call("POST", `${path}/rotate-secret`)).refused("conflict");
  expect(detail).toEqual({ ...{ reason: "secrets_overlap", limit: 4 }, ...idOf(endpoint) });
});

const idOf = ({ endpoint_id }: Endpoint) => ({ endpoint_id });

test("an endpoint is paused, disabled, resumed and deleted, each as often as one likes", async () => {
  const endpoint = await newEndpoint();
  const path = pathOf(endpoint);
  const step = async (verb: string) => (await call("POST", `${path}/${verb}`)).ok<Endpoint>().data;
  for (const _ of [1, 2]) {
    expect(await step("pause")).toMatchObject({ state: "paused", paused_reason: "operator" });
  }
  const { version } = await shown(endpoint);
  expect(version).toBe(endpoint.version + 1);
  for (const _ of [1, 2]) {
    const disabled = await step("disable");
    expect(disabled).toMatchObject({ state: "disabled", disabled_reason: "operator" });
    expect(disabled).toMatchObject({ version: version + 1 });
  }
  const refused = (await call("POST", `${path}/pause`)).refused("conflict");
  expect(refused.detail).toEqual({ reason: "endpoint_disabled", ...idOf(endpoint) });
  expect(steps(refused.next_actions)).toEqual([`get GET ${path}`]);
  const found = (await call("GET", path)).ok<Endpoint>();
  // What was done on purpose is undone by no offer.
  expect(found.next_actions).toEqual([]);
  for (const _ of [1, 2]) expect(await step("resume")).toMatchObject({ state: "active" });
  expect(receiver.received).toHaveLength(2);
  expect((await call("DELETE", path)).ok<Endpoint>().data).toMatchObject(idOf(endpoint));
  const gone = (await call("GET", path)).refused("webhook_endpoint_not_found");
  expect(gone.detail).toEqual(idOf(endpoint));
  expect(steps(gone.next_actions)).toEqual([`get GET ${WEBHOOKS}`]);
});

test("no endpoint gets more than its credential may read", async () => {
  const [elsewhere] = [await createHotel(service)];
  const property_ids = [hotel.id];
  const scopes = ["admin:webhooks"];
  const [poor, confined] = (await service.newAgents([
    { kind: "operator", scopes },
    { kind: "operator", scopes: [...scopes, "bookings:read"], property_ids },
  ])) as [DemoAgent, DemoAgent];
  const rich = await newEndpoint({ scopes: ["bookings:read"] });
  const lack = { reason: "beyond_own_rights", missing_scopes: ["bookings:read"] };
  for (const [method, path, body] of [
    ["POST", WEBHOOKS, bodyOf({ scopes: ["bookings:read"] })],
    ["PATCH", pathOf(rich), { url: "http://127.0.0.1:1/" }],
    ["POST", `${pathOf(rich)}/rotate-secret`, {}],
    ["POST", `${pathOf(rich)}/resume`, {}],
    ["DELETE", pathOf(rich), {}],
  ] as const) {
    const answer = await call(method, path, body, { agent: poor });
    expect(answer.refused("forbidden").detail).toEqual(lack);
  }
  (await call("GET", pathOf(rich), undefined, { agent: poor })).ok();
  const all = { reason: "all_properties" };
  const denied = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body, { agent: confined });
    return answer.refused("resource_access_denied").detail;
  };
  expect(await denied("GET", pathOf(rich))).toEqual(all);
  expect(await denied("POST", WEBHOOKS, bodyOf({ property_ids: null }))).toEqual(all);
  const both = bodyOf({ property_ids: [hotel.id, elsewhere.id] });
  expect(await denied("POST", WEBHOOKS, both)).toEqual({ property_id: elsewhere.id });
  const own = (await call("POST", WEBHOOKS, bodyOf(), { agent: confined })).ok<NewEndpoint>(201);
  expect(own.data).toMatchObject({ property_ids } as never);
  expect(await denied("PATCH", pathOf(own.data), { property_ids: null })).toEqual(all);
  const list = await call("GET", WEBHOOKS, undefined, { agent: confined });
  const { items } = list.ok<{ items: Endpoint[] }>().data;
  expect(items.map(({ endpoint_id }) => endpoint_id)).toEqual([own.data.endpoint_id]);
});

test("a test sends the example of any kind at once and returns the result", async () => {
  const endpoint = await newEndpoint({ events: ["hold.created"], headers: { "X-A": "secret" } });
  const path = `${pathOf(endpoint)}/test`;
  const send = async (body?: object) => (await call("POST", path, body)).ok<Sent>().data;
  receiver.answer = () => new Response("thank you", { headers: { "x-seen": "yes" } });
  const plain = await send();
  expect(plain).toMatchObject({
    ...{ ...idOf(endpoint), kind: "webhook.test", ok: true, reason: null, status: 200 },
    ...{ address: "127.0.0.1", excerpt: "thank you", response_headers: { "x-seen": "yes" } },
    request_headers: { "x-a": "***", "webhook-signature": "***", "webhook-id": plain.event_id },
  });
  for (const kind of PUBLIC_KINDS) {
    const { event_id } = await send({ kind });
    const event = verified(receiver.last, endpoint.secret);
    const { subject, data } = EVENT_EXAMPLES[kind];
    expect(event).toEqual({
      ...{ id: event_id, type: kind, timestamp: event.timestamp, api_version: EVENTS_API_VERSION },
      ...{ tenant_id: service.demo.tenant_id, mode: "live", seq: null, prev_seq: null },
      ...{ test: true, subject, data },
    } as never);
  }
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(
    PUBLIC_KINDS.length + 2,
  );
  (await call("POST", `${pathOf(endpoint)}/rotate-secret`)).ok(201);
  await send();
  verified(receiver.last, endpoint.secret);
  receiver.answer = () => new Response("x".repeat(5_000), { status: 410 });
  const gone = (await call("POST", path, { kind: "booking.confirmed" })).refused(
    "notification_delivery_failed",
  );
  expect(gone.detail).toMatchObject({
    ...{ ...idOf(endpoint), reason: "gone", status: 410 },
    attempt: { kind: "booking.confirmed", excerpt: "x".repeat(1024) },
  });
  expect(steps(gone.next_actions)).toEqual([`retry POST ${path}`, `get GET ${pathOf(endpoint)}`]);
  expect(await shown(endpoint)).toMatchObject({ state: "active", version: endpoint.version + 1 });
  expect((await call("POST", path, { kind: "hold.melted" })).faults()).toEqual(["/kind"]);
});

test("no endpoint is made or moved where this service may not call", async () => {
  const api = await SecondApi.start(service);
  try {
    const agent = service.demo.admin;
    const made = await newEndpoint({ url: "https://receiver.invalid/" });
    const urls = WRITTEN.map((host) => `https://${host}/`);
    for (const url of [...urls, "http://receiver.example/"]) {
      for (const [method, path] of [
        ["POST", WEBHOOKS],
        ["PATCH", pathOf(made)],
      ] as const) {
        const body = { url, ...(method === "POST" && { events: ["*"] }) };
        const answer = await api.api(method, path, { agent, body });
        expect({ method, url, faults: answer.faults() }).toEqual({ method, url, faults: ["/url"] });
      }
    }
    expect(await shown(made)).toMatchObject({ url: made.url, version: made.version });
    const body = endpointBody({ headers: { Host: "x" }, property_ids: [newKey()] });
    const faulty = await api.api("POST", WEBHOOKS, { agent, body });
    expect(faulty.faults()).toEqual(["/headers/Host", "/property_ids/0"]);
    const inside = await newEndpoint();
    const test = await api.api("POST", `${pathOf(inside)}/test`, { agent });
    const { detail } = test.refused("notification_delivery_failed");
    expect(detail).toMatchObject({ reason: "address", status: null, attempt: { address: null } });
  } finally {
    await api.stop();
  }
});

test("two calls under one key create one endpoint and both get it", async () => {
  const headers = { "idempotency-key": newKey() };
  const body = bodyOf();
  const pinged = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  receiver.answer = async () => {
    pinged.resolve();
    await answered.promise;
    return new Response();
  };
  const first = call("POST", WEBHOOKS, body, { headers });
  await pinged.promise;
  const between = (await call("POST", WEBHOOKS, body, { headers })).ok<NewEndpoint>(201).data;
  expect(between).toMatchObject({ state: "paused", paused_reason: "ping_pending", secret: null });
  (await call("POST", `${pathOf(between)}/pause`)).ok();
  answered.resolve();
  const made = (await first).ok<NewEndpoint>(201).data;
  expect(made).toMatchObject({ ...idOf(between), state: "paused", paused_reason: "operator" });
  expect(made).toMatchObject({ ping: { ok: true } });
  verified(receiver.last, made.secret);
});

test("a tenant has fifty endpoints in a mode, and the other mode and other tenants none of them", async () => {
  const { test_admin: agent, second_tenant } = service.demo;
  const make = () => call("POST", WEBHOOKS, endpointBody({ url: receiver.url }), { agent });
  for (let made = 0; made < 50; made += 1) (await make()).ok(201);
  const { detail, next_actions } = (await make()).refused("conflict");
  expect(detail).toEqual({ reason: "endpoint_limit", limit: 50 });
  expect(steps(next_actions)).toEqual([`get GET ${WEBHOOKS}`]);
  const { items } = (await call("GET", WEBHOOKS, undefined, { agent })).ok<{ items: Endpoint[] }>()
    .data;
  expect(items).toHaveLength(50);
  expect(keysOf(items[0]!)).not.toContain("secret");
  for (const other of [second_tenant.admin, service.demo.admin]) {
    const list = await call("GET", WEBHOOKS, undefined, { agent: other });
    for (const { endpoint_id } of items) expect(list.text).not.toContain(endpoint_id);
    (await call("GET", pathOf(items[0]!), undefined, { agent: other })).refused(
      "webhook_endpoint_not_found",
    );
  }
});

test("a receiver that never answers its ping delays no caller for long", async () => {
  const { state, ping } = (await silent).ok<NewEndpoint>(201).data;
  expect({ state, ping }).toMatchObject({
    state: "paused",
    ping: { ok: false, reason: "timeout" },
  });
});
