/**
 * Goal: checks run in the contract's order. Method: each way to be refused is a change to one good
 * booking request; for each pair both changes are made, and the earlier step must answer. Then each
 * step is tested alone.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { changeAgent } from "../../src/access/control/agents.ts";
import {
  issueCredential,
  retireCredential,
  revokeCredential,
} from "../../src/access/control/credentials.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import {
  bookingBody,
  createHotel,
  type Hold,
  newHold,
  newKey,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { Service, until, WHOLE_DEMO } from "../support/service.ts";

const OTHER_TENANT = "00000000-0000-4000-8000-000000000000";

let service: Service;
let hold: Hold;
let delegation: string;
/** A key that was used for another body. */
const usedKey = newKey();
const callers: Record<string, DemoAgent> = {};

/** Which of the caller's own properties are at fault; together they choose the credential. */
interface Draft {
  method: string;
  isRevoked: boolean;
  isPartner: boolean;
  isScopeless: boolean;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

interface Way {
  readonly step: number;
  readonly name: string;
  readonly code: string;
  readonly status?: number;
  readonly spoil: (draft: Draft) => void;
}

const WAYS: readonly Way[] = [
  {
    step: 1,
    name: "wrong method",
    code: "validation_failed",
    status: 405,
    spoil: (draft) => {
      draft.method = "PUT";
    },
  },
  {
    step: 2,
    name: "revoked credential",
    code: "unauthenticated",
    spoil: (draft) => {
      draft.isRevoked = true;
    },
  },
  {
    step: 3,
    name: "another tenant's header",
    code: "resource_access_denied",
    spoil: (draft) => {
      draft.headers["x-tenant-id"] = OTHER_TENANT;
    },
  },
  {
    step: 4,
    name: "wrong kind",
    code: "principal_kind_not_allowed",
    spoil: (draft) => {
      draft.isPartner = true;
    },
  },
  {
    step: 5,
    name: "no scope",
    code: "forbidden",
    spoil: (draft) => {
      draft.isScopeless = true;
    },
  },
  {
    step: 6,
    name: "no delegation",
    code: "delegation_required",
    spoil: (draft) => {
      delete draft.headers["x-delegated-user"];
    },
  },
  {
    step: 7,
    name: "bad body",
    code: "validation_failed",
    status: 400,
    spoil: (draft) => {
      draft.body.payment = "card";
    },
  },
  {
    step: 8,
    name: "used key",
    code: "idempotency_conflict",
    spoil: (draft) => {
      draft.headers["idempotency-key"] = usedKey;
    },
  },
  {
    step: 9,
    name: "unknown hold",
    code: "hold_not_found",
    spoil: (draft) => {
      draft.body.hold_id = "hld_unknown";
    },
  },
  {
    step: 10,
    name: "another quote",
    code: "quote_mismatch",
    spoil: (draft) => {
      draft.body.quote_id = "qt_other";
    },
  },
];

beforeAll(async () => {
  service = await Service.start(WHOLE_DEMO);
  hold = await newHold(service, stayRequest(await createHotel(service)));
  delegation = await service.mintDelegation();
  (await sendBooking(service, { ...hold, hold_id: "hld_x" }, { key: usedKey })).refused(
    "hold_not_found",
  );
  const scopes = ["supply:read", "bookings:read"];
  const [partner, scopeless, poor, revoked] = await service.newAgents([
    { kind: "partner" },
    { scopes },
    { kind: "partner", scopes },
    { kind: "partner", scopes },
  ]);
  Object.assign(callers, { partner, scopeless, poor, revoked });
  service.control((store) => changeAgent(store, revoked!.agent_id, { state: "revoked" }));
  await untilStatus(revoked!, 401);
});
afterAll(() => service.stop());

function untilStatus(agent: DemoAgent, status: number): Promise<void> {
  return until(`the api answers ${status}`, async () => {
    return (await service.api("GET", "/v1/properties", { agent })).status === status;
  });
}

function callerOf({ isRevoked, isPartner, isScopeless }: Draft): DemoAgent {
  if (isRevoked) return callers.revoked!;
  if (isPartner) return isScopeless ? callers.poor! : callers.partner!;
  return isScopeless ? callers.scopeless! : service.demo.agent;
}

async function sendSpoiled(...ways: readonly Way[]) {
  const draft: Draft = {
    ...{ method: "POST", isRevoked: false, isPartner: false, isScopeless: false },
    headers: { "x-delegated-user": delegation, "idempotency-key": newKey() },
    body: { ...bookingBody(hold) },
  };
  for (const way of ways) way.spoil(draft);
  const { method, headers, body } = draft;
  return service.api(method, "/v1/bookings", { agent: callerOf(draft), headers, body });
}

test("each step answers before every later one", async () => {
  for (const earlier of WAYS) {
    (await sendSpoiled(earlier)).refused(earlier.code, earlier.status);
    for (const later of WAYS.filter(({ step }) => step > earlier.step)) {
      const answer = await sendSpoiled(later, earlier);
      const { code } = answer.anyRefusal();
      expect(`${earlier.name} before ${later.name}: ${code}`).toBe(
        `${earlier.name} before ${later.name}: ${earlier.code}`,
      );
      expect(answer.status).toBe(earlier.status ?? answer.status);
    }
  }
  (await sendSpoiled(...WAYS.toReversed())).refused("validation_failed", 405);
  expect((await sendSpoiled()).status).toBe(201);
});

test("the tenant's header may be left out, must be a uuid and the credential's", async () => {
  const send = (value: string) =>
    service.api("GET", "/v1/properties", { headers: { "x-tenant-id": value } });
  (await service.api("GET", "/v1/properties")).ok();
  (await send(service.demo.tenant_id)).ok();
  (await send(service.demo.tenant_id.toUpperCase())).ok();
  expect((await send("hotels")).faults()).toEqual(["X-Tenant-Id"]);
  (await send(service.demo.second_tenant.tenant_id)).refused("resource_access_denied");
});

test("a missing, malformed, unknown, revoked or expired credential is refused", async () => {
  const [agent] = await service.newAgents([{}]);
  const [revoked, retired, expired] = service.control((store) => {
    const [first, second] = [0, 1].map(() => issueCredential(store, agent!.agent_id));
    const third = issueCredential(store, agent!.agent_id, Date.now() - 1);
    revokeCredential(store, first!.credential_id);
    retireCredential(store, second!.credential_id, Date.now() - 1);
    return [first!, second!, third];
  });
  const marker = (await service.newAgents([{}]))[0]!;
  await service.untilKnown(marker);
  const { secret } = service.demo.agent;
  const unknown = `${secret.slice(0, -7)}${secret.at(-7) === "A" ? "B" : "A"}${secret.slice(-6)}`;
  const values = [
    ...["", secret, `Basic ${secret}`, "Bearer", "Bearer x", `Bearer ${unknown}`],
    ...[revoked, retired, expired].map((credential) => `Bearer ${credential!.secret}`),
  ];
  for (const authorization of values) {
    const headers = { authorization };
    const answer = await service.api("GET", "/v1/properties", { agent: null, headers });
    answer.refused("unauthenticated");
    expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
    expect(answer.text).not.toContain(secret.slice(8, 40));
  }
  (await service.api("GET", "/v1/properties", { agent: null })).refused("unauthenticated");
  (await service.api("GET", "/v1/properties", { agent: agent! })).ok();
});

test("a refused consent has a challenge of its own: no client is sent for another bearer", async () => {
  const path = "/v1/bookings/bkg_unknown/cancel";
  const { agent } = service.demo;
  for (const [token, told] of [
    [undefined, 'error="delegation_required"'],
    ["a.b.c", 'error="delegation_invalid", reason="bad_signature"'],
  ] as const) {
    const headers = token === undefined ? {} : { "x-delegated-user": token };
    const answer = await service.api("POST", path, { agent, headers });
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get("www-authenticate");
    expect(challenge).toStartWith(`Delegation header="X-Delegated-User", ${told}, issuers="http`);
    expect(challenge).toEndWith('/.well-known/delegation-issuers"');
  }
});

test("a suspended agent is forbidden until it is active; a revoked one is unauthenticated", async () => {
  const [agent] = await service.newAgents([{}]);
  const set = (state: "active" | "suspended" | "revoked") =>
    service.control((store) => changeAgent(store, agent!.agent_id, { state }));
  set("suspended");
  await untilStatus(agent!, 403);
  const refusal = await service.api("GET", "/v1/properties", { agent: agent! });
  expect(refusal.refused("forbidden").detail).toEqual({ reason: "agent_suspended" });
  set("active");
  await untilStatus(agent!, 200);
  set("revoked");
  await untilStatus(agent!, 401);
});

test("refusals for kind and for scope differ and name the required one", async () => {
  const { partner, scopeless, poor } = callers;
  (await service.api("GET", "/v1/properties", { agent: partner! })).ok();
  const kind = await service.api("POST", "/v1/search", { agent: poor! });
  expect(kind.refused("principal_kind_not_allowed").detail).toEqual({
    kind: "partner",
    allowed: ["agent", "operator", "service"],
  });
  const scope = await service.api("POST", "/v1/search", { agent: scopeless! });
  expect(scope.refused("forbidden").detail).toEqual({
    required_scope: "search",
    granted: ["bookings:read", "supply:read"],
  });
  const admin = await service.api("GET", "/v1/admin/properties");
  admin.refused("principal_kind_not_allowed");
  const [narrow] = await service.newAgents([{ kind: "operator", scopes: ["admin:fx"] }]);
  const { detail } = (await service.api("GET", "/v1/admin/properties", { agent: narrow! })).refused(
    "forbidden",
  );
  expect(detail.required_scope).toBe("admin:properties");
  const body = { base: "EUR", rates: { USD: "1.0800" } };
  (await service.api("PUT", "/v1/admin/fx", { agent: narrow!, body })).ok();
});

test("a property outside an agent's list is denied by name, missing from lists", async () => {
  const [one, two] = service.demo.properties.filter(({ mode }) => mode === "live");
  const [agent] = await service.newAgents([{ property_ids: [one!.id] }]);
  const get = (path: string) => service.api("GET", path, { agent: agent! });
  (await get(`/v1/properties/${one!.slug}`)).ok();
  const denied = (await get(`/v1/properties/${two!.id}`)).refused("resource_access_denied");
  expect(denied.detail).toEqual({ property_id: two!.id });
  const { items } = (await get("/v1/properties")).ok<{ items: readonly { id: string }[] }>().data;
  expect(items.map(({ id }) => id)).toEqual([one!.id]);
  const { stay, guests } = stayRequest({ ...one!, rooms: [{ id: "r", planIds: ["p"] }] });
  const body = { stay, guests };
  const found = (await service.api("POST", "/v1/search", { agent: agent!, body })).ok<{
    results: readonly { hotel_id: string }[];
  }>().data;
  expect(found.results.map(({ hotel_id }) => hotel_id)).toEqual([one!.id]);
  const quote = { hotel_id: two!.id, room_type_id: "r", rate_plan_id: "p", stay, guests };
  const refused = await service.api("POST", "/v1/quotes", { agent: agent!, body: quote });
  refused.refused("resource_access_denied");
});

test("next actions never name a call that the caller may not make", async () => {
  const scopes = ["supply:read", "search", "quotes", "holds"];
  const [agent] = await service.newAgents([{ scopes }]);
  const hotel = await createHotel(service);
  const own = await newHold(service, stayRequest(hotel), { agent: agent! });
  const shown = (await service.api("GET", `/v1/holds/${own.hold_id}`, { agent: agent! })).ok();
  expect(shown.next_actions.map(({ rel }) => rel)).toEqual(["extend", "release", "get"]);
});
