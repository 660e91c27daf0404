/** Goal: each fault of a credential gets its own answer, in a fixed order. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { changeAgent, createAgent, DEFAULT_SCOPES } from "../control/agents.ts";
import {
  findCredential,
  issueCredential,
  retireCredential,
  revokeCredential,
} from "../control/credentials.ts";
import {
  type Principal,
  type PrincipalKind,
  requireKind,
  requireScope,
} from "../control/principal.ts";
import { revokeToken } from "../control/revoked-tokens.ts";
import { ensureSigningKeys } from "../control/signing-keys.ts";
import { openTestControl } from "../control/test-control.ts";
import { mintSecret } from "../privacy/credential-secret.ts";
import { KeyVersions } from "../privacy/key-versions.ts";
import { AccessTokens, type Resource } from "./access-token.ts";
import { authenticate } from "./bearer.ts";
import { KeyRing } from "./key-ring.ts";

const BASE = "https://innkeep.example";
const MASTER_KEY = new KeyVersions([
  { kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 },
]);
const NOW_MS = Date.now();

const control = openTestControl();
const { store, view, tenantId } = control;
const tokens = new AccessTokens(new KeyRing(view, MASTER_KEY), BASE, BASE);
const authority = { control: view, accessTokens: tokens };

beforeAll(async () => {
  await ensureSigningKeys(store, MASTER_KEY, NOW_MS);
  view.refresh();
});
afterAll(control.close);

function newCredential(kind: PrincipalKind, expiresAtMs: number | null = null) {
  const agentId = createAgent(store, tenantId, { name: kind, kind, mode: "live" });
  return { agentId, ...issueCredential(store, agentId, expiresAtMs) };
}

function resultOf(authorization: string | null, nowMs = NOW_MS, resource?: Resource) {
  view.refresh();
  return authenticate(authority, { authorization, resource, nowMs });
}

async function answer(authorization: string | null, nowMs = NOW_MS, resource?: Resource) {
  const result = await resultOf(authorization, nowMs, resource);
  return result.ok ? "ok" : `${result.code} ${String(result.detail.reason)}`;
}

async function principalOf(authorization: string): Promise<Principal> {
  const result = await resultOf(authorization);
  if (!result.ok) throw new Error(result.code);
  return result.principal;
}

function principal(kind: PrincipalKind): Promise<Principal> {
  return principalOf(`Bearer ${newCredential(kind).secret}`);
}

interface TokenTerms {
  readonly scopes?: readonly string[];
  readonly audience?: string;
}

async function tokenOf(
  { agentId, credential_id }: ReturnType<typeof newCredential>,
  terms: TokenTerms = {},
) {
  const { scopes = DEFAULT_SCOPES, audience = BASE } = terms;
  const grant = { agentId, credentialId: credential_id, tenantId, mode: "live", scopes, audience };
  return `Bearer ${await tokens.mint(grant, NOW_MS)}`;
}

test("a valid secret gives the principal, and the scheme's case does not matter", async () => {
  const { agentId, credential_id, secret } = newCredential("agent");
  expect(await answer(`bearer ${secret}`)).toBe("ok");
  expect(await answer(`BEARER  ${secret}`)).toBe("ok");
  const result = await resultOf(`Bearer ${secret}`);
  expect(result).toMatchObject({
    ok: true,
    principal: { tenant_id: tenantId, agent_id: agentId, credential_id, property_ids: null },
  });
});

test("missing, malformed and unknown credentials are unauthenticated", async () => {
  const { secret } = newCredential("agent");
  expect(await answer(null)).toBe("unauthenticated missing_credential");
  expect(await answer("")).toBe("unauthenticated bearer_scheme_required");
  expect(await answer(secret)).toBe("unauthenticated bearer_scheme_required");
  expect(await answer(`Basic ${secret}`)).toBe("unauthenticated bearer_scheme_required");
  expect(await answer("Bearer ")).toBe("unauthenticated malformed_credential");
  expect(await answer(`Bearer ${secret}x`)).toBe("unauthenticated malformed_credential");
  expect(await answer(`Bearer ${mintSecret("live")}`)).toBe("unauthenticated unknown_credential");
});

test("a rotated credential ends at its own expiry, even if the overlap is longer", async () => {
  const { agentId, secret, credential_id } = newCredential("agent", NOW_MS + 10);
  retireCredential(store, credential_id, NOW_MS + 86_400_000);
  expect(await answer(`Bearer ${secret}`, NOW_MS + 9)).toBe("ok");
  expect(findCredential(store, agentId, credential_id, NOW_MS + 10)?.state).toBe("expired");
  expect(await answer(`Bearer ${secret}`, NOW_MS + 10)).toBe("unauthenticated credential_expired");
});

test("an expired credential stays expired when the clock is set back", async () => {
  const { secret } = newCredential("agent", NOW_MS + 10);
  expect(await answer(`Bearer ${secret}`, NOW_MS + 10)).toBe("unauthenticated credential_expired");
  expect(await answer(`Bearer ${secret}`, NOW_MS)).toBe("unauthenticated credential_expired");
});

test("a credential that cannot be ended in the store is denied in memory until a change is stored", async () => {
  const known = newCredential("agent");
  const other = { ...known, ...issueCredential(store, known.agentId) };
  const token = await tokenOf(other);
  const all = () => Promise.all([known, other].map(({ secret }) => answer(`Bearer ${secret}`)));
  expect(await all()).toEqual(["ok", "ok"]);
  const gone = "unauthenticated credential_revoked";
  view.deny({ kind: "credential", id: known.credential_id });
  expect(await all()).toEqual([gone, "ok"]);
  changeAgent(store, known.agentId, { name: "Renamed" });
  expect(await all()).toEqual([gone, "ok"]);
  expect(await answer(token)).toBe("ok");
  const { jti } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
  view.deny({ kind: "access_token", id: jti });
  expect(await answer(token)).toBe("unauthenticated token_revoked");
  view.deny({ kind: "agent", id: known.agentId });
  expect(await all()).toEqual([gone, gone]);
  changeAgent(store, known.agentId, { state: "active" });
  expect(await all()).toEqual([gone, "ok"]);
});

test("an expired or retired credential is refused from that instant on", async () => {
  const expiring = newCredential("agent", NOW_MS + 10);
  const retiring = newCredential("agent");
  expect(retireCredential(store, retiring.credential_id, NOW_MS + 10)).toBe(true);
  for (const { secret } of [expiring, retiring]) {
    expect(await answer(`Bearer ${secret}`, NOW_MS + 9)).toBe("ok");
    expect(await answer(`Bearer ${secret}`, NOW_MS + 10)).toBe(
      "unauthenticated credential_expired",
    );
  }
});

test("revocation gives unauthenticated and precedes suspension, which gives forbidden", async () => {
  const { agentId, credential_id, secret } = newCredential("agent");
  const authorization = `Bearer ${secret}`;
  changeAgent(store, agentId, { state: "suspended" });
  expect(await answer(authorization)).toBe("forbidden agent_suspended");
  changeAgent(store, agentId, { state: "active" });
  expect(await answer(authorization)).toBe("ok");
  changeAgent(store, agentId, { state: "suspended" });
  revokeCredential(store, credential_id);
  expect(await answer(authorization)).toBe("unauthenticated credential_revoked");
});

test("a revoked agent's credentials are unauthenticated", async () => {
  const { agentId, secret } = newCredential("agent");
  changeAgent(store, agentId, { state: "revoked" });
  expect(await answer(`Bearer ${secret}`)).toBe("unauthenticated credential_revoked");
});

test("a kind that the route excludes is refused with that kind and the allowed ones", async () => {
  expect(requireKind(await principal("operator"), ["operator"])).toBeNull();
  expect(requireKind(await principal("partner"), ["agent", "operator"])).toEqual({
    ok: false,
    code: "principal_kind_not_allowed",
    detail: { kind: "partner", allowed: ["agent", "operator"] },
  });
});

test("an agent has every scope but administration, an operator has that too", async () => {
  const [agent, operator] = await Promise.all([principal("agent"), principal("operator")]);
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

test("a token acts as its credential, with no more than its own scopes", async () => {
  const credential = newCredential("agent");
  const authorization = await tokenOf(credential, { scopes: ["search", "quotes"] });
  const found = await principalOf(authorization);
  const { agentId: agent_id, credential_id } = credential;
  expect(found).toMatchObject({ agent_id, credential_id, kind: "agent", tenant_id: tenantId });
  expect([...found.scopes].sort()).toEqual(["quotes", "search"]);
  expect(await principalOf(authorization)).toBe(found);
});

test("the tokens of an agent lose a scope when the agent loses it", async () => {
  const credential = newCredential("operator");
  const { agentId } = credential;
  const all = await tokenOf(credential, { scopes: ["search", "admin:*"] });
  const one = await tokenOf(credential, { scopes: ["search", "admin:agents"] });
  expect((await principalOf(one)).scopes).toEqual(new Set(["search", "admin:agents"]));
  changeAgent(store, agentId, { scopes: ["quotes", "admin:agents", "admin:webhooks"] });
  expect((await principalOf(all)).scopes).toEqual(new Set(["admin:agents", "admin:webhooks"]));
  expect((await principalOf(one)).scopes).toEqual(new Set(["admin:agents"]));
});

test("a token ends when it expires or when its credential or agent ends", async () => {
  const endMs = (Math.floor(NOW_MS / 1000) + 900 + 5) * 1000;
  const credential = newCredential("agent");
  const authorization = await tokenOf(credential);
  expect(await answer(authorization, endMs - 1)).toBe("ok");
  expect(await answer(authorization, endMs)).toBe("unauthenticated token_expired");
  expect(await answer(authorization, NOW_MS - 7_000)).toBe("unauthenticated token_invalid");
  changeAgent(store, credential.agentId, { state: "suspended" });
  expect(await answer(authorization)).toBe("forbidden agent_suspended");
  changeAgent(store, credential.agentId, { state: "active" });
  expect(await answer(authorization)).toBe("ok");
  revokeCredential(store, credential.credential_id);
  expect(await answer(authorization)).toBe("unauthenticated credential_revoked");
  const expiring = await tokenOf(newCredential("agent", NOW_MS + 10));
  expect(await answer(expiring, NOW_MS + 10)).toBe("unauthenticated credential_expired");
});

test("revoking a token leaves other tokens valid", async () => {
  const credential = newCredential("agent");
  const [first, second] = [await tokenOf(credential), await tokenOf(credential)];
  const [, payload = ""] = first.split(".");
  const { jti, exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
  revokeToken(store, jti, exp * 1000, NOW_MS);
  expect(await answer(first)).toBe("unauthenticated token_revoked");
  expect(await answer(second)).toBe("ok");
});

test("a token for one resource is refused by other resources", async () => {
  const credential = newCredential("agent");
  const forAll = await tokenOf(credential);
  const forMcp = await tokenOf(credential, { audience: `${BASE}/mcp` });
  expect(await answer(forAll)).toBe("ok");
  expect(await answer(forMcp, NOW_MS, "mcp")).toBe("ok");
  expect(await answer(forAll, NOW_MS, "mcp")).toBe("unauthenticated wrong_audience");
  expect(await answer(forMcp)).toBe("unauthenticated wrong_audience");
});

test("without OAuth a token is not accepted as a credential", async () => {
  const authorization = await tokenOf(newCredential("agent"));
  const off = { control: view, accessTokens: null };
  expect(await authenticate(off, { authorization, nowMs: NOW_MS })).toMatchObject({
    detail: { reason: "malformed_credential" },
  });
});
