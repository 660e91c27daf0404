/**
 * Goal: operators manage their agents over HTTP, and changes take effect everywhere at once: a
 * revoked credential ends in every process within a second, a rotated one overlaps, a secret is
 * shown once, and no caller gets more rights than its operator has. Method: two api processes;
 * calls that both must answer use new connections.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { openControlStore } from "../../src/access/control/store.ts";
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { controlPath } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { keysOf, steps } from "../support/answer.ts";
import {
  createHotel,
  newHold,
  newKey,
  newQuote,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";

const AGENTS = "/v1/admin/agents";
const APART = { connection: "close" };

interface CredentialOut {
  readonly credential_id: string;
  readonly last4: string;
  readonly state: string;
  readonly retire_at: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly secret?: string;
}

interface AgentOut {
  readonly agent_id: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly property_ids: readonly string[] | null;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly last_seen_at: string | null;
  readonly credential: Required<CredentialOut>;
  readonly credentials: readonly CredentialOut[];
  readonly connection: unknown;
}

interface Issued {
  readonly credential: Required<CredentialOut>;
  readonly previous: CredentialOut;
}

let service: Service;
let monitor: Socket;
/** Every command that Redis was sent. */
let passed = "";
const secrets: string[] = [];

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "2", LOG_LEVEL: "debug" });
  monitor = createConnection(join(service.dataDir, "redis", "redis.sock"));
  monitor.setEncoding("latin1");
  monitor.on("data", (chunk: string) => {
    passed += chunk;
  });
  monitor.write("MONITOR\r\n");
});
afterAll(async () => {
  monitor?.destroy();
  await service.stop();
});

/** One call of an operator; the live admin unless said. */
function admin(method: string, path: string, body?: unknown, options: object = {}) {
  const agent = service.demo.admin;
  return service.api(method, path, { agent, ...(body === undefined ? {} : { body }), ...options });
}

async function newAgent(terms: object = {}, operator?: DemoAgent) {
  const body = { name: "Test", kind: "agent", ...terms };
  const options = operator ? { agent: operator } : {};
  const { data } = (await admin("POST", AGENTS, body, options)).ok<AgentOut>(201);
  secrets.push(data.credential.secret);
  return { ...data, secret: data.credential.secret };
}

/** The different statuses of 24 calls at once, on as many connections: both processes get some. */
async function statusesEverywhere(agent: DemoAgent): Promise<number[]> {
  const calls = Array.from({ length: 24 }, () =>
    service.api("GET", "/v1/properties", { agent, headers: APART }),
  );
  return [...new Set((await Promise.all(calls)).map(({ status }) => status))];
}

test("a new agent has the defaults, its secret once, and is known everywhere", async () => {
  const agent = await newAgent({ name: "Concierge", contact: "ops@example.com" });
  expect(keysOf(agent)).toEqual(
    [
      ...[
        "agent_id",
        "contact",
        "created_at",
        "credential",
        "daily_summary",
        "kind",
        "last_seen_at",
        "limits",
      ],
      ...["mode", "name", "property_ids", "return_origins", "scopes", "sells_directly", "state"],
      ...["version", "secret"],
    ].sort(),
  );
  expect(agent).toMatchObject({
    ...{ name: "Concierge", kind: "agent", state: "active", mode: "live", property_ids: null },
    scopes: [
      ...["supply:read", "search", "quotes", "holds"],
      ...["bookings:read", "bookings:write", "bookings:cancel"],
    ],
    limits: {
      ...{ rpm: 1200, burst: 200, max_booking_amount: null },
      ...{ max_open_holds: 20, max_open_quotes: 1000 },
    },
    ...{ contact: "ops@example.com", last_seen_at: null, version: 1 },
  });
  expect(agent.secret).toMatch(/^ik_live_[0-9A-Za-z]{42}$/);
  await until("every process knows it", async () => {
    return (await statusesEverywhere(agent)).join() === "200";
  });
  const shown = await admin("GET", `${AGENTS}/${agent.agent_id}`);
  const { credentials, connection, ...record } = shown.ok<AgentOut>().data;
  expect(connection).toBeNull();
  expect(credentials).toEqual([
    {
      ...{ credential_id: agent.credential.credential_id, prefix: "ik_live_" },
      ...{ last4: agent.secret.slice(-4), state: "active", created_at: expect.any(String) },
      ...{ expires_at: null, retire_at: null, last_used_at: null },
    },
  ] as never);
  const { credential: _, secret: __, ...created } = agent;
  expect(record).toEqual(created as never);
  const list = (await admin("GET", AGENTS)).ok<{ items: AgentOut[] }>().data.items;
  expect(list[0]).toEqual(record as never);
  expect(list.map(({ agent_id }) => agent_id)).toContain(service.demo.agent.agent_id);
});

test("origins that pages lead back to are exact, and only a live booker sells directly", async () => {
  const agent = await newAgent({ return_origins: ["https://a.example", "http://localhost:8080"] });
  const path = `${AGENTS}/${agent.agent_id}`;
  const pathsOf = async (body: object, options = {}) => {
    const refused = await admin("PATCH", path, body, options);
    const { field_errors } = refused.refused("validation_failed").detail;
    return field_errors?.map((each) => each.path);
  };
  for (const origin of [
    ...["https://a.example/", "https://A.example", "http://a.example", "https://*.example"],
    ...["https://a.example:443", "https://u@a.example", "javascript:alert(1)"],
  ]) {
    const return_origins = ["https://b.example", origin];
    expect({ origin, paths: await pathsOf({ return_origins }) }).toEqual({
      ...{ origin, paths: ["/return_origins/1"] },
    });
  }
  const many = Array.from({ length: 11 }, (_, i) => `https://a${i}.example`);
  expect(await pathsOf({ return_origins: many })).toEqual(["/return_origins"]);
  const terms = { return_origins: many.slice(1), sells_directly: true };
  expect((await admin("PATCH", path, terms)).ok<AgentOut>().data).toMatchObject(terms);
  for (const [kind, operator] of [
    ["partner", service.demo.admin],
    ["agent", service.demo.test_admin],
  ] as const) {
    const body = { name: "Seller", kind, sells_directly: true };
    (await admin("POST", AGENTS, body, { agent: operator })).refused("validation_failed");
  }
});

test("a revoked credential is refused by every process within a second", async () => {
  for (const revoke of [
    (agent: AgentOut) =>
      admin("DELETE", `${AGENTS}/${agent.agent_id}/credentials/${agent.credential.credential_id}`),
    (agent: AgentOut) => admin("DELETE", `${AGENTS}/${agent.agent_id}`),
  ]) {
    const agent = await newAgent();
    await until("known", async () => (await statusesEverywhere(agent)).join() === "200");
    const answer = await revoke(agent);
    expect(answer.ok<AgentOut>().data.state).toBe("revoked");
    await until("refused", async () => (await statusesEverywhere(agent)).join() === "401", 1_000);
    const again = await revoke(agent);
    expect(again.ok<AgentOut>().data.state).toBe("revoked");
  }
});

test("processes are notified of a change and do not wait for their next poll", async () => {
  let atOnce = 0;
  for (let round = 0; round < 5; round += 1) {
    const agent = await newAgent();
    await until("known", async () => (await statusesEverywhere(agent)).join() === "200");
    (await admin("DELETE", `${AGENTS}/${agent.agent_id}`)).ok();
    if ((await statusesEverywhere(agent)).join() === "401") atOnce += 1;
  }
  // Looking twice a second would make it one in ten.
  expect(atOnce).toBeGreaterThanOrEqual(3);
});

test("a suspended agent is forbidden until it is active again; a revoked one is gone", async () => {
  const agent = await newAgent();
  const path = `${AGENTS}/${agent.agent_id}`;
  expect((await admin("PATCH", path, { state: "suspended" })).ok<AgentOut>().data.version).toBe(2);
  await until("suspended", async () => (await statusesEverywhere(agent)).join() === "403");
  const refused = await service.api("GET", "/v1/properties", { agent });
  expect(refused.refused("forbidden").detail).toMatchObject({ reason: "agent_suspended" });
  (await admin("PATCH", path, { state: "active" })).ok();
  await until("active", async () => (await statusesEverywhere(agent)).join() === "200");
  (await admin("PATCH", path, { state: "revoked" })).ok();
  const detail = { reason: "revoked", agent_id: agent.agent_id };
  for (const answer of [
    await admin("PATCH", path, { state: "active" }),
    await admin("POST", `${path}/credentials`),
  ]) {
    const { detail: told, next_actions } = answer.refused("conflict");
    expect(told).toEqual(detail);
    expect(steps(next_actions)[0]).toBe(`get GET ${path}`);
  }
  const { credentials } = (await admin("GET", path)).ok<AgentOut>().data;
  expect(credentials.map(({ state }) => state)).toEqual(["revoked"]);
});

test("after a rotation both secrets work until the overlap ends", async () => {
  const agent = await newAgent();
  const path = `${AGENTS}/${agent.agent_id}/credentials`;
  const first = agent.credential.credential_id;
  const rotate = (id: string, body?: object) => admin("POST", `${path}/${id}/rotate`, body);
  const { data, next_actions } = (await rotate(first, { overlap_s: 2 })).ok<Issued>(201);
  const second = { agent_id: agent.agent_id, secret: data.credential.secret };
  secrets.push(second.secret);
  expect(data.previous).toMatchObject({ credential_id: first, state: "retiring" });
  expect(Date.parse(data.previous.retire_at!)).toBeLessThanOrEqual(Date.now() + 2_000);
  expect(data.credential).toMatchObject({ state: "active", retire_at: null });
  expect(steps(next_actions)).toEqual([`get GET ${AGENTS}/${agent.agent_id}`]);
  await until("the new one works", async () => (await statusesEverywhere(second)).join() === "200");
  expect(await statusesEverywhere(agent)).toEqual([200]);
  const twice = (await rotate(first)).refused("conflict");
  expect(twice.detail).toMatchObject({ reason: "credential_not_active", state: "retiring" });
  await until("the old one ends", async () => (await statusesEverywhere(agent)).join() === "401");
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(data.previous.retire_at!));
  expect(await statusesEverywhere(second)).toEqual([200]);
  const byDefault = (await rotate(data.credential.credential_id)).ok<Issued>(201).data;
  const overlapMs = Date.parse(byDefault.previous.retire_at!) - Date.now();
  expect(Math.round(overlapMs / 3_600_000)).toBe(24);
  const shown = (await admin("GET", `${AGENTS}/${agent.agent_id}`)).ok<AgentOut>().data;
  expect(shown.credentials.map(({ state }) => state)).toEqual(["active", "retiring", "expired"]);
  (await rotate("crd_unknown")).refused("credential_not_found");
});

test("a credential may expire, and not in the past", async () => {
  const agent = await newAgent();
  const path = `${AGENTS}/${agent.agent_id}/credentials`;
  const expires_at = new Date(Date.now() + 1_500).toISOString();
  const { credential } = (await admin("POST", path, { expires_at })).ok<Issued>(201).data;
  expect(credential.expires_at).toBe(expires_at);
  const holder = { agent_id: agent.agent_id, secret: credential.secret };
  await until("expired", async () => (await statusesEverywhere(holder)).join() === "401");
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
  for (const wrong of ["2020-01-01T00:00:00Z", "2031-02-30T00:00:00Z", "tomorrow", 1]) {
    expect((await admin("POST", path, { expires_at: wrong })).faults()).toEqual(["/expires_at"]);
  }
});

test("a replayed creation shows no secret, and another body is a conflict", async () => {
  const headers = { "idempotency-key": newKey() };
  const body = { name: "Once", kind: "agent" };
  const racing = Array.from({ length: 8 }, () =>
    admin("POST", AGENTS, body, { headers: { ...headers, ...APART } }),
  );
  const answers = await Promise.all(racing);
  for (const answer of answers) answer.ok(201);
  const [first, ...others] = answers.filter(({ isReplayed }) => !isReplayed);
  expect(others).toEqual([]);
  const made = first!.ok<AgentOut>(201).data;
  secrets.push(made.credential.secret);
  const replays = answers.filter(({ isReplayed }) => isReplayed).map(({ text }) => text);
  expect(new Set(replays).size).toBe(1);
  const inBody = { ...body, idempotency_key: headers["idempotency-key"] };
  const replay = await admin("POST", AGENTS, inBody);
  expect([replay.text, replay.isReplayed]).toEqual([replays[0]!, true]);
  const secret_hint = expect.stringContaining("rotate the credential");
  const credential = { ...made.credential, secret: null, secret_hint };
  expect(replay.ok<AgentOut>(201).data).toEqual({ ...made, credential } as never);
  const other = { ...body, name: "Twice" };
  (await admin("POST", AGENTS, other, { headers })).refused("idempotency_conflict");
  const operator = await newAgent({ kind: "operator", scopes: ["admin:agents"] });
  await service.untilKnown(operator);
  const theirs = { ...body, scopes: [] };
  const foreign = await admin("POST", AGENTS, theirs, { agent: operator, headers });
  expect(foreign.ok<AgentOut>(201).data.agent_id).not.toBe(made.agent_id);
  expect(foreign.isReplayed).toBeFalse();
  const missing = { headers: { "idempotency-key": newKey() } };
  const refusals = [
    await admin("DELETE", `${AGENTS}/agt_unknown`, undefined, missing),
    await admin("DELETE", `${AGENTS}/agt_unknown`, undefined, missing),
  ];
  for (const refusal of refusals) refusal.refused("agent_not_found");
  expect(refusals[1]!.text).toBe(refusals[0]!.text);
  expect(refusals[1]!.isReplayed).toBeTrue();
});

test("a change says what it changes, and If-Match refuses one of another version", async () => {
  const agent = await newAgent({ limits: { rpm: 60, burst: 10 } });
  const path = `${AGENTS}/${agent.agent_id}`;
  const change = { name: "Renamed", limits: { burst: null, max_open_holds: 3 }, contact: "me" };
  const matched = await admin("PATCH", path, change, { headers: { "if-match": '"1"' } });
  expect(matched.ok<AgentOut>().data).toMatchObject({
    ...{ name: "Renamed", contact: "me", version: 2, state: "active" },
    limits: { rpm: 60, burst: null, max_open_holds: 3, max_open_quotes: 1000 },
  } as never);
  const stale = await admin("PATCH", path, { name: "Lost" }, { headers: { "if-match": "1" } });
  const { detail, next_actions } = stale.refused("conflict");
  const { agent_id } = agent;
  expect(detail).toEqual({ reason: "version_mismatch", version: 2, agent_id });
  expect(steps(next_actions)).toEqual([`get GET ${path}`, `retry PATCH ${path}`]);
  const wrong = await admin("PATCH", path, {}, { headers: { "if-match": "v2" } });
  expect(wrong.faults()).toEqual(["If-Match"]);
  expect((await admin("PATCH", path, {})).ok<AgentOut>().data.version).toBe(2);
  const faults = { name: "", state: "gone", scopes: ["admin:all"], limits: { rpm: 0, x: 1 } };
  expect((await admin("PATCH", path, { ...faults, mode: "test" })).faults()).toEqual([
    ...["/limits/rpm", "/limits/x", "/mode", "/name", "/scopes/0", "/state"],
  ]);
});

test("an agent's ETag is what If-Match takes, and changes with its credentials too", async () => {
  const { agent_id } = await newAgent();
  const path = `${AGENTS}/${agent_id}`;
  const read = (known?: string | null) =>
    admin("GET", path, undefined, known ? { headers: { "if-none-match": known } } : {});
  const first = (await read()).headers.get("etag");
  expect(first).toMatch(/^"1-[0-9a-z]+"$/);
  const same = await read(first);
  expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", first]);
  (await admin("POST", `${path}/credentials`, {})).ok(201);
  const second = await read(first);
  expect(second.ok<AgentOut>().data.credentials).toHaveLength(2);
  const headers = { "if-match": second.headers.get("etag")! };
  (await admin("PATCH", path, { name: "Renamed" }, { headers })).ok();
  (await admin("PATCH", path, { name: "Late" }, { headers })).refused("conflict");
  expect((await read(headers["if-match"])).headers.get("etag")).toStartWith('"2-');
});

test("limits hold from the moment they are set", async () => {
  const hotel = await createHotel(service);
  const agent = await newAgent({ limits: { max_open_holds: 1, rpm: null } });
  await service.untilKnown(agent);
  await newHold(service, stayRequest(hotel), { agent });
  const { quote_id } = await newQuote(service, stayRequest(hotel), { agent });
  (await sendHold(service, quote_id, { agent })).refused("rate_limited");
  const path = `${AGENTS}/${agent.agent_id}`;
  (await admin("PATCH", path, { limits: { max_open_holds: 2 } })).ok();
  await until("a second hold fits", async () => {
    return (await sendHold(service, quote_id, { agent })).status === 201;
  });
});

test("an agent reaches the properties it was granted and no others", async () => {
  const [granted, other] = [await createHotel(service), await createHotel(service)];
  const agent = await newAgent({ property_ids: [granted.id] });
  await service.untilKnown(agent);
  const as = (method: string, path: string, body?: unknown) =>
    service.api(method, path, { agent, ...(body === undefined ? {} : { body }) });
  const list = (await as("GET", "/v1/properties")).ok<{ items: { id: string }[] }>().data.items;
  expect(list.map(({ id }) => id)).toEqual([granted.id]);
  const { stay, guests } = stayRequest(other);
  const found = await as("POST", "/v1/search", { stay, guests });
  const results = found.ok<{ results: { hotel_id: string }[] }>().data.results;
  expect(results.map(({ hotel_id }) => hotel_id)).toEqual([granted.id]);
  const named = await as("GET", `/v1/properties/${other.slug}/full`);
  expect(named.refused("resource_access_denied").detail.property_id).toBe(other.id);
  for (const answer of [
    await as("GET", `/v1/properties/${other.id}`),
    await as("POST", "/v1/quotes", stayRequest(other)),
  ]) {
    expect(answer.refused("resource_access_denied").detail.property_id).toBe(other.id);
  }
  await newHold(service, stayRequest(granted), { agent });
  const path = `${AGENTS}/${agent.agent_id}`;
  (await admin("PATCH", path, { property_ids: [granted.id, other.id] })).ok();
  await until("the grant is seen", async () => {
    return (await as("POST", "/v1/quotes", stayRequest(other))).status === 201;
  });
  const unknown = { property_ids: [granted.slug, crypto.randomUUID(), "nowhere"] };
  expect((await admin("PATCH", path, unknown)).faults()).toEqual([
    ...["/property_ids/1", "/property_ids/2"],
  ]);
  const doubled = { property_ids: [granted.id, granted.id] };
  expect((await admin("PATCH", path, doubled)).faults()).toEqual(["/property_ids"]);
});

test("rights that an agent cannot have are refused from every caller", async () => {
  const misfit = { name: "No", kind: "agent", scopes: ["search", "admin:fx"], mode: "test" };
  expect((await admin("POST", AGENTS, misfit)).faults()).toEqual(["/mode", "/scopes/1"]);
});

test("an operator cannot lock itself out", async () => {
  const self = await newAgent({ kind: "operator", scopes: ["admin:agents"] });
  await service.untilKnown(self);
  const as = (method: string, path: string, body?: unknown) =>
    admin(method, path, body, { agent: self });
  const path = `${AGENTS}/${self.agent_id}`;
  const { agent_id } = self;
  for (const answer of [
    await as("DELETE", path),
    await as("PATCH", path, { state: "suspended" }),
    await as("PATCH", path, { scopes: ["search"] }),
  ]) {
    expect(answer.refused("conflict").detail).toEqual({ reason: "own_agent", agent_id });
  }
  const { credential_id } = self.credential;
  const inUse = await as("DELETE", `${path}/credentials/${credential_id}`);
  expect(inUse.refused("conflict").detail).toEqual({
    ...{ reason: "own_credential", agent_id, credential_id },
  });
  (await as("PATCH", path, { name: "Myself", state: "active" })).ok();
  const { credential } = (await as("POST", `${path}/credentials`)).ok<Issued>(201).data;
  (await as("DELETE", `${path}/credentials/${credential.credential_id}`)).ok();
});

test("a change is refused with a retry while another writer locks the store", async () => {
  const { credential_pepper } = loadSecrets(service.dataDir, {});
  const other = openControlStore(controlPath(service.dataDir), credential_pepper);
  const headers = { "idempotency-key": newKey() };
  const body = { name: "Later", kind: "agent" };
  other.db.run("BEGIN IMMEDIATE");
  const busy = await admin("POST", AGENTS, body, { headers });
  other.db.run("ROLLBACK");
  other.close();
  const { detail, retry_after } = busy.refused("upstream_unavailable");
  expect([detail, retry_after]).toEqual([{ upstream: "control_store" }, 1]);
  const again = await admin("POST", AGENTS, body, { headers });
  secrets.push(again.ok<AgentOut>(201).data.credential.secret);
  expect(again.isReplayed).toBeFalse();
});

test("operators of the other mode or another tenant see none of these agents", async () => {
  const agent = await newAgent();
  for (const operator of [service.demo.test_admin, service.demo.second_tenant.admin]) {
    const list = await admin("GET", AGENTS, undefined, { agent: operator });
    expect(list.ok<{ items: AgentOut[] }>().data.items).not.toBeEmpty();
    expect(list.text).not.toContain(agent.agent_id);
  }
  const sandboxed = await newAgent({}, service.demo.test_admin);
  expect(sandboxed).toMatchObject({ mode: "test" });
  expect(sandboxed.secret).toStartWith("ik_test_");
});

test("the admin command makes a tenant while the service runs", async () => {
  const run = async (...args: string[]) => {
    const env = { ...process.env, DATA_DIR: service.dataDir };
    const child = Bun.spawn([process.execPath, "src/ops/main.ts", "admin", ...args], { env });
    expect(await child.exited).toBe(0);
    return JSON.parse(await child.stdout.text()) as Record<string, string>;
  };
  const made = await run("tenant", "create", "--name", "Newcomers");
  const operator = { agent_id: made.agent_id!, secret: made.secret! };
  await service.untilKnown(operator);
  const list = (await admin("GET", AGENTS, undefined, { agent: operator })).ok<{
    items: AgentOut[];
  }>().data.items;
  expect(list.map(({ agent_id }) => agent_id)).toEqual([operator.agent_id]);
  await createHotel(service, { operator });
  const again = await run("credential", "issue", "--agent", operator.agent_id);
  await service.untilKnown({ ...operator, secret: again.secret! });
});

test("no file, Redis key, log or answer contains a secret", async () => {
  const answers = [
    await admin("GET", AGENTS),
    ...(await Promise.all(
      (
        await admin("GET", AGENTS)
      )
        .ok<{ items: AgentOut[] }>()
        .data.items.map(({ agent_id }) => admin("GET", `${AGENTS}/${agent_id}`)),
    )),
  ];
  const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  const places = [...files, passed, service.log, ...answers.map(({ text }) => text)];
  expect(secrets.length).toBeGreaterThan(10);
  expect(passed).toContain(":control");
  for (const secret of secrets) {
    for (const form of [secret, Buffer.from(secret).toString("hex")]) {
      expect(places.filter((text) => text.includes(form))).toEqual([]);
    }
  }
});

test("the time an agent was last seen is saved at a stop", async () => {
  const agent = await newAgent();
  await service.untilKnown(agent);
  await service.restart();
  const shown = (await admin("GET", `${AGENTS}/${agent.agent_id}`)).ok<AgentOut>().data;
  expect(Date.now() - Date.parse(shown.last_seen_at!)).toBeLessThan(60_000);
  expect(shown.credentials[0]!.last_used_at).toBe(shown.last_seen_at);
});
