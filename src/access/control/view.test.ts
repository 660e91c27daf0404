/** Goal: the tables in memory follow every commit to the file, and only those. */
import { afterAll, expect, test } from "bun:test";
import { changeAgent, createAgent } from "./agents.ts";
import { issueCredential, noteUses, revokeCredential } from "./credentials.ts";
import { addIssuer, changeIssuer } from "./issuers.ts";
import { openControlStore } from "./store.ts";
import { createTenant } from "./tenants.ts";
import { openTestControl } from "./test-control.ts";
import { ControlView, type PublicIssuer } from "./view.ts";

const control = openTestControl();
const { store, view, tenantId, realm } = control;
afterAll(control.close);

function newIssuer(iss: string, status: "active" | "suspended") {
  return { iss, name: iss, status, allowed_audiences: ["aud"], jwks: { keys: [] } };
}

test("a refresh without a commit in between changes nothing", () => {
  view.refresh();
  expect(view.refresh()).toBe(false);
});

test("a credential is known after the next refresh, with its agent's terms", () => {
  const agentId = createAgent(store, tenantId, {
    name: "a",
    kind: "operator",
    mode: "test",
    property_ids: ["p1"],
    limits: { max_open_holds: null },
  });
  const { secret, credential_id } = issueCredential(store, agentId);
  expect(view.credential(secret)).toBeUndefined();
  expect(view.refresh()).toBe(true);
  const principal = view.credential(secret)?.authenticated.principal;
  expect(principal).toMatchObject({ tenant_id: tenantId, agent_id: agentId, credential_id });
  expect(principal).toMatchObject({ kind: "operator", mode: "test" });
  expect(principal?.property_ids).toEqual(new Set(["p1"]));
  expect(principal?.limits).toEqual({
    rpm: 1200,
    burst: 200,
    max_open_holds: null,
    max_open_quotes: 1000,
    max_booking_amount: null,
  });
  expect(principal?.scopes.has("admin:*")).toBe(true);
});

test("a commit made by another connection is seen", () => {
  const other = openControlStore(store.path, "pepper");
  view.refresh();
  createTenant(other, "From elsewhere");
  expect(view.refresh()).toBe(true);
  other.close();
});

test("a refresh reads new rows only: everything else stays the same object", () => {
  const agents = [1, 2].map((n) => {
    const agentId = createAgent(store, tenantId, { name: `a${n}`, kind: "agent", mode: "live" });
    return { agentId, issued: [issueCredential(store, agentId), issueCredential(store, agentId)] };
  });
  const iss = "https://still.example";
  addIssuer(store, realm, newIssuer(iss, "active"));
  view.refresh();
  const entries = () =>
    agents.map(({ issued }) => issued.map((one) => view.credential(one.secret)));
  const [before, issuer] = [entries(), view.issuer(realm, iss)];
  const [first, second] = agents as [(typeof agents)[0], (typeof agents)[0]];
  const same = (expected: boolean[][]) => {
    expect(view.refresh()).toBe(true);
    const now = entries();
    expect(now.map((of, i) => of.map((entry, j) => entry === before[i]![j]))).toEqual(expected);
    expect(view.issuer(realm, iss)).toBe(issuer!);
    return now;
  };
  noteUses(store, new Map([[first.issued[0]!.credential_id, 5]]));
  same([
    [true, true],
    [true, true],
  ]);
  addIssuer(store, realm, newIssuer("https://new.example", "active"));
  same([
    [true, true],
    [true, true],
  ]);
  revokeCredential(store, first.issued[0]!.credential_id);
  expect(
    same([
      [false, true],
      [true, true],
    ])[0]![0],
  ).toMatchObject({ state: "revoked" });
  changeAgent(store, second.agentId, { state: "suspended", scopes: ["search"] });
  for (const entry of same([
    [false, true],
    [false, false],
  ])[1]!) {
    expect(entry).toMatchObject({ state: "active", agent_state: "suspended" });
    expect(entry!.authenticated.principal.scopes).toEqual(new Set(["search"]));
  }
  for (const { issued } of agents) {
    for (const { credential_id, secret } of issued) {
      expect(view.credentialById(credential_id)).toBe(view.credential(secret)!);
    }
  }
  const late = new ControlView(store, { allowPrivate: true });
  for (const { secret } of agents.flatMap(({ issued }) => issued)) {
    expect(late.credential(secret)).toEqual(view.credential(secret)!);
  }
  late.stop();
});

test("a view with another pepper finds no secret", () => {
  const agentId = createAgent(store, tenantId, { name: "a", kind: "agent", mode: "live" });
  const { secret } = issueCredential(store, agentId);
  const other = openControlStore(store.path, "other pepper");
  const stranger = new ControlView(other, { allowPrivate: false });
  expect(stranger.credential(secret)).toBeUndefined();
  stranger.stop();
  other.close();
});

test("issuers belong to a tenant and a mode and keep their identity while unchanged", () => {
  const other = createTenant(store, "Other");
  const iss = "https://a.example";
  const issuerId = addIssuer(store, realm, newIssuer(iss, "active")) ?? "";
  view.refresh();
  const before = view.issuer(realm, iss);
  expect(before?.status).toBe("active");
  expect(view.issuer({ tenant_id: other, mode: "live" }, iss)).toBeUndefined();
  expect(view.issuer({ tenant_id: tenantId, mode: "test" }, iss)).toBeUndefined();
  createTenant(store, "Another");
  view.refresh();
  expect(view.issuer(realm, iss)).toBe(before);
  changeIssuer(store, issuerId, { status: "suspended" });
  view.refresh();
  expect(view.issuer(realm, iss)?.status).toBe("suspended");
});

test("among issuers of one iss the one that is not revoked is used, then the newest", () => {
  const iss = "https://again.example";
  const register = () => addIssuer(store, realm, newIssuer(iss, "active")) ?? "";
  const meant = () => {
    view.refresh();
    return view.issuer(realm, iss);
  };
  const first = register();
  changeIssuer(store, first, { status: "revoked" });
  expect(meant()).toMatchObject({ issuer_id: first, status: "revoked" });
  const second = register();
  expect(meant()).toMatchObject({ issuer_id: second, status: "active" });
  changeIssuer(store, second, { status: "revoked" });
  expect(meant()).toMatchObject({ issuer_id: second, status: "revoked" });
});

test("the public list is the union with the best status of each iss", () => {
  const other = createTenant(store, "Third");
  const inTest = { tenant_id: other, mode: "test" } as const;
  addIssuer(store, realm, newIssuer("https://shared.example", "suspended"));
  addIssuer(store, inTest, newIssuer("https://shared.example", "active"));
  view.refresh();
  const shared = (list: PublicIssuer[]) => list.filter((row) => row.iss.includes("shared"));
  const publicRow = (status: PublicIssuer["status"]): PublicIssuer => ({
    iss: "https://shared.example",
    name: "https://shared.example",
    status,
    jwks_url: null,
    allowed_audiences: ["aud"],
  });
  expect(shared(view.publicIssuers())).toEqual([publicRow("active")]);
  expect(shared(view.publicIssuers({ tenant_id: tenantId }))).toEqual([publicRow("suspended")]);
  expect(shared(view.publicIssuers({ mode: "live" }))).toEqual([publicRow("suspended")]);
  expect(shared(view.publicIssuers({ mode: "test" }))).toEqual([publicRow("active")]);
  expect(shared(view.publicIssuers({ tenant_id: other, mode: "live" }))).toEqual([]);
  expect(view.publicIssuers({ tenant_id: "unknown" })).toEqual([]);
});
