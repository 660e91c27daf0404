/** Goal: each way a credential can fail gets its own answer, and the order is that of rules §3. */
import { afterAll, expect, test } from "bun:test";
import { createAgent, DEFAULT_SCOPES, setAgentState } from "../control/agents.ts";
import { issueCredential, retireCredential, revokeCredential } from "../control/credentials.ts";
import { openTestControl } from "../control/test-control.ts";
import { authenticate } from "./bearer.ts";
import { type Principal, type PrincipalKind, requireKind, requireScope } from "./principal.ts";
import { mintSecret } from "./secrets-format.ts";

const control = openTestControl();
const { store, view, tenantId } = control;
afterAll(control.close);

const NOW_MS = Date.now();

function newCredential(kind: PrincipalKind, expiresAtMs: number | null = null) {
  const agentId = createAgent(store, tenantId, { name: kind, kind, mode: "live" });
  return { agentId, ...issueCredential(store, agentId, expiresAtMs) };
}

function answer(authorization: string | null, nowMs = NOW_MS) {
  view.refresh();
  const result = authenticate(view, authorization, nowMs);
  return result.ok ? "ok" : `${result.code} ${String(result.detail.reason)}`;
}

function principal(kind: PrincipalKind): Principal {
  const { secret } = newCredential(kind);
  view.refresh();
  const result = authenticate(view, `Bearer ${secret}`);
  if (!result.ok) throw new Error(result.code);
  return result.principal;
}

test("a valid secret gives the principal, whatever the case of the scheme", () => {
  const { agentId, credential_id, secret } = newCredential("agent");
  expect(answer(`bearer ${secret}`)).toBe("ok");
  expect(answer(`BEARER  ${secret}`)).toBe("ok");
  const result = authenticate(view, `Bearer ${secret}`);
  expect(result).toMatchObject({
    ok: true,
    principal: { tenant_id: tenantId, agent_id: agentId, credential_id, property_ids: null },
  });
});

test("missing, malformed and unknown credentials are unauthenticated", () => {
  const { secret } = newCredential("agent");
  expect(answer(null)).toBe("unauthenticated missing_credential");
  expect(answer("")).toBe("unauthenticated bearer_scheme_required");
  expect(answer(secret)).toBe("unauthenticated bearer_scheme_required");
  expect(answer(`Basic ${secret}`)).toBe("unauthenticated bearer_scheme_required");
  expect(answer("Bearer ")).toBe("unauthenticated malformed_credential");
  expect(answer(`Bearer ${secret}x`)).toBe("unauthenticated malformed_credential");
  expect(answer(`Bearer ${mintSecret("live")}`)).toBe("unauthenticated unknown_credential");
});

test("an expired or retired credential is refused from that instant on", () => {
  const expiring = newCredential("agent", NOW_MS + 10);
  const retiring = newCredential("agent");
  expect(retireCredential(store, retiring.credential_id, NOW_MS + 10)).toBe(true);
  for (const { secret } of [expiring, retiring]) {
    expect(answer(`Bearer ${secret}`, NOW_MS + 9)).toBe("ok");
    expect(answer(`Bearer ${secret}`, NOW_MS + 10)).toBe("unauthenticated credential_expired");
  }
});

test("revocation is unauthenticated and goes before suspension, which is forbidden", () => {
  const { agentId, credential_id, secret } = newCredential("agent");
  const authorization = `Bearer ${secret}`;
  setAgentState(store, agentId, "suspended");
  expect(answer(authorization)).toBe("forbidden agent_suspended");
  setAgentState(store, agentId, "active");
  expect(answer(authorization)).toBe("ok");
  setAgentState(store, agentId, "suspended");
  revokeCredential(store, credential_id);
  expect(answer(authorization)).toBe("unauthenticated credential_revoked");
});

test("a revoked agent's credentials are unauthenticated", () => {
  const { agentId, secret } = newCredential("agent");
  setAgentState(store, agentId, "revoked");
  expect(answer(`Bearer ${secret}`)).toBe("unauthenticated credential_revoked");
});

test("a kind outside the route's kinds is refused with both", () => {
  expect(requireKind(principal("operator"), ["operator"])).toBeNull();
  expect(requireKind(principal("partner"), ["agent", "operator"])).toEqual({
    ok: false,
    code: "principal_kind_not_allowed",
    detail: { kind: "partner", allowed: ["agent", "operator"] },
  });
});

test("an agent has every scope but administration, an operator that too", () => {
  const [agent, operator] = [principal("agent"), principal("operator")];
  for (const scope of DEFAULT_SCOPES) {
    expect(requireScope(agent, scope)).toBeNull();
    expect(requireScope(operator, scope)).toBeNull();
  }
  expect(requireScope(operator, "admin:properties")).toBeNull();
  expect(requireScope(agent, "admin:properties")).toEqual({
    ok: false,
    code: "forbidden",
    detail: { required_scope: "admin:properties", granted: [...DEFAULT_SCOPES].sort() },
  });
});
