/**
 * Goal: no caller grants, keeps or takes a right beyond those of its credential, and a secret is
 * shown once. Method: the escalations by which an operator of agents alone came to read guests, one
 * test each, by its secret and by the access token of an all-powerful colleague that was narrowed
 * to the same scope.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ADMIN_SCOPES, DEFAULT_SCOPES, NO_LIMITS } from "../../src/access/control/agents.ts";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import { createHotel, type Hotel, newKey } from "../support/client.ts";
import { Service } from "../support/service.ts";

const AGENTS = "/v1/admin/agents";
const LIMITS = { rpm: 600, burst: 50, max_open_holds: 5, max_open_quotes: 100 };
const EUR_1000 = { amount: 100_000, currency: "EUR" };

interface Made {
  readonly agent_id: string;
  readonly scopes: readonly string[];
  readonly limits: Readonly<Record<string, unknown>>;
  readonly property_ids: readonly string[] | null;
  readonly version: number;
  readonly credential: { readonly credential_id: string; readonly secret: string | null };
}

let service: Service;
let hotel: Hotel;
let otherHotel: Hotel;
/** An operator of `admin:agents` alone; one of everything; the latter by a token of the former. */
let poor: DemoAgent;
let root: DemoAgent;
let narrowed: DemoAgent;

beforeAll(async () => {
  service = await Service.start();
  [hotel, otherHotel] = [await createHotel(service), await createHotel(service)];
  const limits = { ...LIMITS, max_booking_amount: EUR_1000 };
  const kind = "operator" as const;
  const scopes = ["admin:agents"];
  [poor, root] = (await service.newAgents([{ kind, scopes, limits }, { kind }])) as [
    DemoAgent,
    DemoAgent,
  ];
  narrowed = { ...root, secret: await tokenOf(root, "admin:agents") };
});
afterAll(() => service.stop());

async function tokenOf({ agent_id, secret }: DemoAgent, scope: string): Promise<string> {
  const grant = { grant_type: "client_credentials", client_id: agent_id, client_secret: secret };
  const body = new URLSearchParams({ ...grant, scope });
  const answer = await fetch(`${service.baseUrl}/oauth/token`, { method: "POST", body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

function as(agent: DemoAgent, method: string, path: string, body?: unknown, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
}

/** Refused for what is lacking, which is told. */
function expectLack(answer: Answer, lack: object): void {
  expect(answer.refused("forbidden").detail).toEqual({ reason: "beyond_own_rights", ...lack });
}

/** The agent as it is, to a root that sees it. */
async function shown({ agent_id }: Pick<DemoAgent, "agent_id">) {
  const answer = await as(root, "GET", `${AGENTS}/${agent_id}`);
  return answer.ok<Made & { readonly credentials: readonly { credential_id: string }[] }>().data;
}

test("who only administers agents makes no service agent that reads guests", async () => {
  const body = { name: "Reader", kind: "service", scopes: ["bookings:read"] };
  for (const by of [poor, narrowed]) {
    expectLack(await as(by, "POST", AGENTS, body), { missing_scopes: ["bookings:read"] });
  }
  const byDefault = await as(poor, "POST", AGENTS, { name: "Default", kind: "agent" });
  expectLack(byDefault, {
    missing_scopes: [
      ...["supply:read", "search", "quotes", "holds"],
      ...["bookings:read", "bookings:write", "bookings:cancel"],
    ],
  });
  (await as(poor, "POST", AGENTS, { ...body, scopes: [] })).ok(201);
  (await as(root, "POST", AGENTS, body)).ok(201);
});

test("no caller adds a scope to itself", async () => {
  const path = `${AGENTS}/${poor.agent_id}`;
  const before = await shown(poor);
  const scopes = ["admin:agents", "admin:*", "search"];
  expectLack(await as(poor, "PATCH", path, { scopes }), { missing_scopes: ["admin:*", "search"] });
  expect(await shown(poor)).toMatchObject({ scopes: before.scopes, version: before.version });
  const owner = await as(narrowed, "PATCH", `${AGENTS}/${root.agent_id}`, { name: "Mine" });
  expect(owner.refused("forbidden").detail.missing_scopes).toContain("admin:*");
});

test("no caller raises a limit beyond its own, for itself or for another", async () => {
  const path = `${AGENTS}/${poor.agent_id}`;
  const lifted = { rpm: 601, burst: null, max_booking_amount: { ...EUR_1000, currency: "JPY" } };
  const lack = { missing_limits: ["rpm", "burst", "max_booking_amount"] };
  expectLack(await as(poor, "PATCH", path, { limits: lifted }), lack);
  const body = { name: "Fast", kind: "agent", scopes: [] };
  expectLack(await as(poor, "POST", AGENTS, { ...body, limits: lifted }), lack);
  const made = (await as(poor, "POST", AGENTS, body)).ok<Made>(201).data;
  const given = { max_booking_amount: EUR_1000, step_up_amount: null };
  expect(made.limits).toEqual({ ...LIMITS, ...given });
  const limits = { ...LIMITS, rpm: 60, max_booking_amount: { ...EUR_1000, amount: 1 } };
  (await as(poor, "PATCH", `${AGENTS}/${made.agent_id}`, { limits })).ok();
});

test("an agent with more rights cannot be changed or revoked, nor its credentials", async () => {
  const [strong] = await service.newAgents([{ kind: "operator", scopes: ["admin:*"] }]);
  const path = `${AGENTS}/${strong!.agent_id}`;
  const before = await shown(strong!);
  const credential = `${path}/credentials/${before.credentials[0]!.credential_id}`;
  const attempts: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["DELETE", path],
    ...[{}, { name: "Gone" }, { state: "suspended" }, { state: "revoked" }, { scopes: [] }].map(
      (change) => ["PATCH", path, change] as const,
    ),
    ["POST", `${path}/credentials`, {}],
    ["POST", `${credential}/rotate`, {}],
    ["DELETE", credential],
  ];
  for (const [method, at, body] of attempts) {
    const byPoor = await as(poor, method, at, body);
    expectLack(byPoor, {
      missing_scopes: ["admin:*"],
      missing_limits: ["rpm", "burst", "max_open_holds", "max_open_quotes", "max_booking_amount"],
    });
    const byToken = await as(narrowed, method, at, body);
    expect(byToken.refused("forbidden").detail.missing_scopes).toEqual(["admin:*"]);
  }
  expect(await shown(strong!)).toEqual(before);
  (await as(root, "DELETE", path)).ok();
});

test("a narrowed token does not touch the agent that it was made for", async () => {
  const path = `${AGENTS}/${root.agent_id}`;
  const own = (await shown(root)).credentials[0]!.credential_id;
  for (const answer of [
    await as(narrowed, "PATCH", path, { contact: "me" }),
    await as(narrowed, "POST", `${path}/credentials`),
    await as(narrowed, "POST", `${path}/credentials/${own}/rotate`),
    await as(narrowed, "DELETE", path),
  ]) {
    expect(answer.refused("forbidden").detail.reason).toBe("beyond_own_rights");
  }
  (await as(root, "PATCH", path, { contact: "me" })).ok();
});

test("properties beyond one's own are neither given nor taken, and all of them are more", async () => {
  const limits = { ...LIMITS, max_booking_amount: EUR_1000 };
  const scopes = ["admin:agents", "search"];
  const [local, wide] = await service.newAgents([
    { kind: "operator", scopes, limits, property_ids: [hotel.id] },
    { scopes: ["search"], limits, property_ids: [hotel.id, otherHotel.id] },
  ]);
  const body = { name: "Local", kind: "agent", scopes: ["search"] };
  const create = (property_ids?: unknown) =>
    as(local!, "POST", AGENTS, {
      ...body,
      ...(property_ids === undefined ? {} : { property_ids }),
    });
  expectLack(await create(null), { missing_property_ids: null });
  const both = [hotel.id, otherHotel.id];
  expectLack(await create(both), { missing_property_ids: [otherHotel.id] });
  const made = (await create()).ok<Made>(201).data;
  expect(made.property_ids).toEqual([hotel.id]);
  const change = (property_ids: unknown) =>
    as(local!, "PATCH", `${AGENTS}/${made.agent_id}`, { property_ids });
  expectLack(await change(both), { missing_property_ids: [otherHotel.id] });
  expectLack(await change(null), { missing_property_ids: null });
  (await change([])).ok();
  const taken = await as(local!, "PATCH", `${AGENTS}/${wide!.agent_id}`, { property_ids: [] });
  expectLack(taken, { missing_property_ids: [otherHotel.id] });
});

test("a secret is shown once: replays of creation, issue and rotation say so instead", async () => {
  const created = { name: "Once", kind: "agent" };
  const keys = [newKey(), newKey(), newKey()];
  const first = await as(root, "POST", AGENTS, created, keys[0]);
  const { agent_id, credential } = first.ok<Made>(201).data;
  const path = `${AGENTS}/${agent_id}/credentials`;
  const rotation = `${path}/${credential.credential_id}/rotate`;
  const calls = [
    { answer: first, send: () => as(root, "POST", AGENTS, created, keys[0]) },
    ...[path, rotation].map((at, i) => ({
      answer: null,
      send: () => as(root, "POST", at, {}, keys[i + 1]),
    })),
  ];
  for (const { answer, send } of calls) {
    const shownOnce = answer ?? (await send());
    const { secret } = shownOnce.ok<Made>(201).data.credential;
    expect(secret).toMatch(/^ik_live_/);
    expect(shownOnce.text).not.toContain("secret_hint");
    const replay = await send();
    expect(replay.isReplayed).toBeTrue();
    expect(replay.text).not.toContain(secret!);
    const { credential: replayed } = replay.ok<Made>(201).data;
    expect(replayed).toMatchObject({
      secret: null,
      secret_hint: expect.stringContaining("rotate the credential"),
    });
    expect(replayed.credential_id).toBe(shownOnce.ok<Made>(201).data.credential.credential_id);
    expect((await send()).text).toBe(replay.text);
  }
});

/** Everything there is to have, and who has all of it but one. */
interface Right {
  readonly name: string;
  /** What an agent has that has it and nothing else. */
  readonly having: Terms;
  readonly lack: object;
  /** What an operator has that has everything else. */
  readonly lacking: Terms;
}

type Terms = Parameters<Service["newAgents"]>[0][number];

const SCOPES: readonly string[] = [...DEFAULT_SCOPES, ...ADMIN_SCOPES];
const NONE: Terms = {
  scopes: [],
  property_ids: [],
  limits: { ...LIMITS, max_booking_amount: EUR_1000 },
};

function everyRight(): Right[] {
  const everything: Terms = { kind: "operator", scopes: SCOPES, limits: NO_LIMITS };
  const scopes = SCOPES.filter((scope) => scope !== "admin:agents").map((scope) => {
    // `admin:*` is all of them, so who lacks one lacks it as well.
    const others = SCOPES.filter((each) => each !== scope && each !== "admin:*");
    return {
      name: scope,
      having: { ...NONE, scopes: [scope] },
      lack: { missing_scopes: [scope] },
      lacking: {
        ...everything,
        scopes: scope.startsWith("admin:") ? others : [...others, "admin:*"],
      },
    };
  });
  const limits = (["rpm", "burst", "max_open_holds", "max_open_quotes"] as const).map((limit) => ({
    name: limit,
    having: { ...NONE, limits: { ...NONE.limits, [limit]: LIMITS[limit] + 1 } },
    lack: { missing_limits: [limit] },
    lacking: {
      ...everything,
      // Without a rate there is no burst to lack.
      limits: {
        ...NO_LIMITS,
        ...(limit === "burst" && { rpm: LIMITS.rpm }),
        [limit]: LIMITS[limit],
      },
    },
  }));
  const property_ids = [hotel.id];
  return [
    ...scopes,
    ...limits,
    {
      name: "max_booking_amount",
      having: { ...NONE, limits: { ...NONE.limits, max_booking_amount: null } },
      lack: { missing_limits: ["max_booking_amount"] },
      lacking: { ...everything, limits: { ...NO_LIMITS, max_booking_amount: EUR_1000 } },
    },
    {
      name: "a property",
      having: { ...NONE, property_ids: [otherHotel.id] },
      lack: { missing_property_ids: [otherHotel.id] },
      lacking: { ...everything, property_ids },
    },
    {
      name: "every property",
      having: { ...NONE, property_ids: null },
      lack: { missing_property_ids: null },
      lacking: { ...everything, property_ids: [hotel.id, otherHotel.id] },
    },
  ];
}

test("a caller without one right can neither grant it nor change an agent that has it", async () => {
  const rights = everyRight();
  // People are of the caller's own agent (`console-people.int.test.ts`).
  const routes = ROUTES.all.filter(({ access, method, path }) => {
    const isOfPeople = path.startsWith("/v1/admin/people");
    return access !== "public" && access.touches === "agents" && method !== "GET" && !isOfPeople;
  });
  expect(routes.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["create_agent", "update_agent", "revoke_agent", "rotate_credential"]),
  );
  const holders = await service.newAgents(
    rights.map(({ having }) => ({ ...having, kind: "operator" as const })),
  );
  const poorer = await service.newAgents(rights.map(({ lacking }) => lacking));
  const [plain] = await service.newAgents([{ ...NONE, kind: "operator" }]);
  for (const [i, { name, having, lack }] of rights.entries()) {
    const { agent_id } = holders[i]!;
    const before = await shown({ agent_id });
    const credential = before.credentials[0]!.credential_id;
    for (const { id, method, path } of routes) {
      const at = path.replace(":id", agent_id).replace(":credential_id", credential);
      const body = id === "create_agent" ? { ...having, name, kind: "operator" } : undefined;
      const answer = await as(
        poorer[i]!,
        method,
        at,
        body ?? (method === "PATCH" ? {} : undefined),
      );
      expect({ name, id, detail: answer.refused("forbidden").detail }).toEqual({
        ...{ name, id, detail: { reason: "beyond_own_rights", ...lack } },
      });
    }
    const given = await as(poorer[i]!, "PATCH", `${AGENTS}/${plain!.agent_id}`, having);
    expectLack(given, lack);
    expect(await shown({ agent_id })).toEqual(before);
  }
  expect((await shown(plain!)).version).toBe(1);
});
