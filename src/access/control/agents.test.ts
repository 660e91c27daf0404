/** Goal: a change affects only the members it names, and agents are isolated by tenant and mode. */
import { afterAll, expect, test } from "bun:test";
import { changeAgent, createAgent, findAgent, listAgents, summaryReaders } from "./agents.ts";
import {
  findCredential,
  issueCredential,
  listCredentials,
  noteUses,
  retireCredential,
} from "./credentials.ts";
import { createTenant } from "./tenants.ts";
import { openTestControl } from "./test-control.ts";

const control = openTestControl();
const { store, tenantId } = control;
const realm = { tenant_id: tenantId, mode: "live" } as const;
afterAll(control.close);

function newAgent(terms: object = {}): string {
  return createAgent(store, tenantId, { name: "a", kind: "agent", mode: "live", ...terms });
}

test("an agent is found in its tenant and mode only", () => {
  const agentId = newAgent();
  expect(findAgent(store, realm, agentId)?.agent_id).toBe(agentId);
  const others = [
    { ...realm, mode: "test" as const },
    { ...realm, tenant_id: createTenant(store, "Other") },
  ];
  for (const other of others) {
    expect(findAgent(store, other, agentId)).toBeNull();
    expect(listAgents(store, other)).toEqual([]);
  }
});

test("agents and credentials are listed newest first", () => {
  const ids = [newAgent(), newAgent()];
  const listed = listAgents(store, realm).map(({ agent_id }) => agent_id);
  expect(listed.slice(0, 2)).toEqual(ids.toReversed());
  const issued = [issueCredential(store, ids[0]!), issueCredential(store, ids[0]!)];
  const credentials = listCredentials(store, ids[0]!, Date.now());
  expect(credentials.map(({ credential_id }) => credential_id)).toEqual(
    issued.map(({ credential_id }) => credential_id).toReversed(),
  );
});

test("a change keeps the members it omits and increments the version", () => {
  const agentId = newAgent({ property_ids: ["p1"], limits: { rpm: 60 }, contact: "desk" });
  const before = findAgent(store, realm, agentId)!;
  expect(changeAgent(store, agentId, { limits: { burst: null }, name: "b" })).toBe(true);
  expect(findAgent(store, realm, agentId)).toEqual({
    ...before,
    name: "b",
    limits: { ...before.limits, burst: null },
    version: 2,
  });
  expect(changeAgent(store, agentId, { property_ids: null, contact: null, scopes: [] })).toBe(true);
  expect(findAgent(store, realm, agentId)).toMatchObject({
    ...{ property_ids: null, contact: null, version: 3 },
    scopes: [],
  });
  expect(changeAgent(store, "agt_unknown", { name: "c" })).toBe(false);
});

test("revoking an agent revokes its credentials", () => {
  const agentId = newAgent();
  issueCredential(store, agentId);
  changeAgent(store, agentId, { state: "revoked" });
  const states = listCredentials(store, agentId, Date.now()).map(({ state }) => state);
  expect(states).toEqual(["revoked"]);
});

test("a credential expires at its own expiry or at the end of its overlap, whichever is first", () => {
  const agentId = newAgent();
  const stateAt = (credentialId: string, nowMs: number) =>
    findCredential(store, agentId, credentialId, nowMs)?.state;
  const { credential_id: ending } = issueCredential(store, agentId, 5_000);
  expect([stateAt(ending, 4_999), stateAt(ending, 5_000)]).toEqual(["active", "expired"]);
  retireCredential(store, ending, 3_000);
  expect([stateAt(ending, 2_999), stateAt(ending, 3_000)]).toEqual(["retiring", "expired"]);
  expect(stateAt("crd_unknown", 0)).toBeUndefined();
  expect(findCredential(store, newAgent(), ending, 0)).toBeNull();
});

test("an agent's last use is the latest use of its credentials", () => {
  const agentId = newAgent();
  const [first, second] = [issueCredential(store, agentId), issueCredential(store, agentId)];
  noteUses(
    store,
    new Map([
      [first.credential_id, 7_000],
      [second.credential_id, 9_000],
    ]),
  );
  noteUses(store, new Map([[second.credential_id, 8_000]]));
  expect(findAgent(store, realm, agentId)?.last_seen_at).toBe(9_000);
  const uses = listCredentials(store, agentId, 0).map(({ last_used_at }) => last_used_at);
  expect(uses).toEqual([9_000, 7_000]);
});

const SUMMARY = { email: "desk@inn.example", at: "07:00", timezone: "Europe/Madrid" };

test("summaries go to active operators that may read key figures and request them", () => {
  const operator = (scopes: readonly string[]) => {
    const agentId = newAgent({ kind: "operator", scopes });
    changeAgent(store, agentId, { daily_summary: SUMMARY });
    return agentId;
  };
  const ids = [operator(["admin:kpis"]), operator(["admin:*"])];
  for (const change of [
    { daily_summary: null },
    ...[{ state: "suspended" as const }, { state: "revoked" as const }, { scopes: ["admin:fx"] }],
  ]) {
    changeAgent(store, operator(["admin:kpis"]), change);
  }
  newAgent({ kind: "operator" });
  const readers = summaryReaders(store.db);
  expect(readers.map(({ agent_id }) => agent_id).sort()).toEqual(ids.toSorted());
  expect(readers[0]!.daily_summary).toEqual(SUMMARY);
});

test("an altered daily summary fails the checksum of its agent", () => {
  const agentId = newAgent({ kind: "operator", scopes: ["admin:kpis"] });
  changeAgent(store, agentId, { daily_summary: SUMMARY });
  expect(findAgent(store, realm, agentId)?.daily_summary).toEqual(SUMMARY);
  const set = store.db.query("UPDATE agent SET daily_summary = ? WHERE agent_id = ?");
  for (const damaged of [JSON.stringify({ ...SUMMARY, email: "eve@inn.example" }), null]) {
    set.run(damaged, agentId);
    expect(findAgent(store, realm, agentId)).toBeNull();
    expect(summaryReaders(store.db).map(({ agent_id }) => agent_id)).not.toContain(agentId);
  }
});

test("what pages need of an agent is kept, and altered values fail its checksum", () => {
  const terms = { return_origins: ["https://a.example"], sells_directly: true };
  const agentId = newAgent(terms);
  expect(findAgent(store, realm, agentId)).toMatchObject(terms);
  const plain = newAgent({});
  expect(findAgent(store, realm, plain)).toMatchObject({
    return_origins: [],
    sells_directly: false,
  });
  changeAgent(store, plain, terms);
  expect(findAgent(store, realm, plain)).toMatchObject(terms);
  for (const damage of [
    "return_origins = '[\"https://eve.example\"]'",
    ...["return_origins = NULL", "sells_directly = NULL", "sells_directly = 3"],
  ]) {
    const damaged = newAgent(terms);
    store.db.query(`UPDATE agent SET ${damage} WHERE agent_id = ?`).run(damaged);
    expect({ damage, found: findAgent(store, realm, damaged) }).toEqual({ damage, found: null });
  }
  const never = newAgent({});
  store.db.query("UPDATE agent SET sells_directly = 1 WHERE agent_id = ?").run(never);
  expect(findAgent(store, realm, never)).toBeNull();
});
