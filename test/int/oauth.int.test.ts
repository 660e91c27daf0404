/**
 * Goal: real OAuth clients get tokens and can use them, and nothing else gets or keeps one. Method:
 * `openid-client` and `oauth4webapi`, unmodified, against two api processes that share the keys;
 * then every way of asking wrongly, by hand.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { publicReceiptKeys } from "../../engine/writer/receipts.ts";
import { changeAgent, DEFAULT_SCOPES } from "../../src/access/control/agents.ts";
import { revokeCredential } from "../../src/access/control/credentials.ts";
import { rotateSigningKey } from "../../src/access/control/signing-keys.ts";
import { openControlStore } from "../../src/access/control/store.ts";
import { mintSecret } from "../../src/access/privacy/credential-secret.ts";
import { keyVersionsOf, receiptKeysOf } from "../../src/access/privacy/keychain.ts";
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { controlPath } from "../../src/config.ts";
import { admin } from "../../src/ops/admin/commands.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import { dateIn } from "../support/client.ts";
import { outputOf } from "../support/operator-program.ts";
import { Service, until } from "../support/service.ts";

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;
const FORM = "application/x-www-form-urlencoded";

let service: Service;
/** What the service calls itself: `localhost`, where clients allow plain http. */
let base: string;
let agent: DemoAgent;
let as: oauth.AuthorizationServer;
/** Everything that must never be logged. */
const secrets: string[] = [];

beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "debug", API_PROCESSES: "2" });
  base = service.baseUrl.replace("127.0.0.1", "localhost");
  agent = service.demo.agent;
  as = await discover("oauth2");
});
afterAll(() => service.stop());

/** The limit of 60 requests a minute is for strangers; its own test is the last word on it. */
beforeEach(async () => {
  const socket = join(service.dataDir, "redis", "redis.sock");
  const client = new Bun.RedisClient(`redis+unix://${socket}`);
  const keys = (await client.send("KEYS", ["*:rate:token:*"])) as string[];
  if (keys.length > 0) await client.send("DEL", keys);
  client.close();
});

async function discover(algorithm: "oauth2" | "oidc") {
  const issuer = new URL(base);
  const response = await oauth.discoveryRequest(issuer, { algorithm, ...INSECURE });
  return oauth.processDiscoveryResponse(issuer, response);
}

interface Asked {
  readonly agent?: DemoAgent;
  readonly scope?: string;
  readonly resource?: string;
  readonly auth?: oauth.ClientAuth;
}

/** A token, as oauth4webapi gets one. */
async function newToken(asked: Asked = {}): Promise<oauth.TokenEndpointResponse> {
  const { agent: who = agent, auth = oauth.ClientSecretBasic(who.secret), ...parameters } = asked;
  const client = { client_id: who.agent_id };
  const response = await oauth.clientCredentialsGrantRequest(
    ...([as, client, auth, new URLSearchParams(parameters), INSECURE] as const),
  );
  const token = await oauth.processClientCredentialsResponse(as, client, response);
  secrets.push(token.access_token, who.secret);
  return token;
}

/** A search with whatever credential. */
function search(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  const body = {
    stay: { check_in: dateIn(30), check_out: dateIn(31) },
    guests: { adults: 1 },
  };
  const authorization = { authorization: `Bearer ${token}`, ...headers };
  return service.api("POST", "/v1/search", { agent: null, headers: authorization, body });
}

/** Resolves when every process answers as wanted: new connections spread over all of them. */
async function everywhere(
  what: string,
  url: string,
  wanted: (answer: Response) => unknown,
  init: RequestInit = {},
) {
  const ask = async () => {
    const answer = await fetch(base + url, { ...init, keepalive: false });
    return Boolean(await wanted(answer));
  };
  const isSo = async () => (await Promise.all(Array.from({ length: 16 }, ask))).every(Boolean);
  await until(what, isSo, 1_000);
}

async function untilRefused(token: string, reason: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const isRefused = async (answer: Response) =>
    (await answer.text()).includes(`"reason":"${reason}"`);
  await everywhere(`it is refused: ${reason}`, "/v1/properties", isRefused, { headers });
}

/** Agents that every process knows. */
async function newAgents(count: number): Promise<DemoAgent[]> {
  const agents = await service.newAgents(Array.from({ length: count }, () => ({})));
  const headers = { authorization: `Bearer ${agents.at(-1)!.secret}` };
  await everywhere("they are known", "/v1/properties", ({ status }) => status === 200, { headers });
  return agents;
}

interface Sent {
  readonly type?: string;
  readonly authorization?: string;
}

/** One request to an OAuth endpoint, by hand. */
async function post(path: string, body: string, { type = FORM, authorization }: Sent = {}) {
  const headers = { "content-type": type, ...(authorization ? { authorization } : {}) };
  const response = await fetch(base + path, { method: "POST", body, headers });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("pragma")).toBe("no-cache");
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, json, challenge: response.headers.get("www-authenticate") };
}

const passwordOf = ({ agent_id: client_id, secret: client_secret }: DemoAgent) => {
  return { client_id, client_secret };
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const grantForm = (fields: Record<string, string> = {}) =>
  form({ grant_type: "client_credentials", ...passwordOf(agent), ...fields });

async function untilPublished(kid: string): Promise<void> {
  const isPublished = async (answer: Response) => (await answer.text()).includes(kid);
  await everywhere("the new key is published", "/.well-known/jwks.json", isPublished);
}

/** A rotation as if it had been made at that time; resolves to the new `kid`. */
async function rotateAt(nowMs: number): Promise<string> {
  const installation = loadSecrets(service.dataDir, {});
  const store = openControlStore(controlPath(service.dataDir), installation.credential_pepper);
  const masters = keyVersionsOf(installation, "encryption");
  const { kid } = await rotateSigningKey(store, masters, "access_token", { nowMs });
  store.close();
  await untilPublished(kid);
  return kid;
}

/** A rotation by the command that is there for it. */
async function rotateByCommand(...options: string[]): Promise<string> {
  const env = { DATA_DIR: service.dataDir };
  const text = await outputOf(admin, ["oauth", "rotate-key", ...options], env);
  const { kid } = JSON.parse(text) as { readonly kid: string };
  await untilPublished(kid);
  return kid;
}

for (const algorithm of ["oidc", "oauth2"] as const) {
  test(`openid-client finds its way by ${algorithm} discovery and searches`, async () => {
    const { agent_id, secret } = agent;
    const found = await openid.discovery(new URL(base), agent_id, secret, undefined, {
      ...{ algorithm, execute: [openid.allowInsecureRequests] },
    });
    const token = await openid.clientCredentialsGrant(found, { scope: "search", resource: base });
    expect(token).toMatchObject({ token_type: "bearer", expires_in: 900, scope: "search" });
    (await search(token.access_token, { "x-tenant-id": service.demo.tenant_id })).ok();
    const url = new URL(`${base}/v1/properties`);
    const refused = openid.fetchProtectedResource(found, token.access_token, url, "GET");
    await expect(refused).rejects.toThrow(openid.WWWAuthenticateChallengeError);
  });
}

test("oauth4webapi authenticates both ways and gets what the agent may do", async () => {
  for (const auth of [
    oauth.ClientSecretBasic(agent.secret),
    oauth.ClientSecretPost(agent.secret),
  ]) {
    const token = await newToken({ auth });
    expect(token.scope?.split(" ").sort()).toEqual([...DEFAULT_SCOPES].sort());
    (await search(token.access_token)).ok();
  }
});

test("the protected resources point to the same issuer that signs", async () => {
  for (const path of ["", "/mcp"]) {
    const url = new URL(base + path);
    const response = await oauth.resourceDiscoveryRequest(url, INSECURE);
    const found = await oauth.processResourceDiscoveryResponse(url, response);
    expect(found.authorization_servers).toEqual([as.issuer]);
    expect(as.issuer).toBe(base);
    const resource = String(found.resource);
    const { access_token } = await newToken({ resource });
    expect(decodeJwt(access_token)).toMatchObject({ iss: base, aud: resource });
  }
});

test("a resource server can validate a token by the published keys", async () => {
  const { access_token } = await newToken({ scope: "search quotes" });
  const request = new Request(base, { headers: { authorization: `Bearer ${access_token}` } });
  const claims = await oauth.validateJwtAccessToken(as, request, base, INSECURE);
  expect(claims).toMatchObject({
    ...{ sub: agent.agent_id, client_id: agent.agent_id, scope: "search quotes", mode: "live" },
    ...{ tenant_id: service.demo.tenant_id, exp: claims.iat + 900 },
  });
});

test("a token works where it is meant for alone, the agent's secret everywhere", async () => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const accept = "application/json, text/event-stream";
  const listTools = (token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept };
    return service.api("POST", "/mcp", { agent: null, headers, body: message });
  };
  const ofMcp = (await newToken({ resource: `${base}/mcp` })).access_token;
  const ofOrigin = (await newToken()).access_token;
  for (const token of [ofMcp, agent.secret]) expect((await listTools(token)).status).toBe(200);
  for (const token of [ofOrigin, agent.secret]) (await search(token)).ok();
  for (const refused of [await search(ofMcp), await listTools(ofOrigin)]) {
    expect(refused.refused("unauthenticated").detail.reason).toBe("wrong_audience");
  }
  const challenge = (await listTools(ofOrigin)).headers.get("www-authenticate");
  expect(challenge).toContain(`${base}/.well-known/oauth-protected-resource/mcp"`);
});

test("no metadata document has an empty array", async () => {
  for (const document of ["oauth-authorization-server", "oauth-protected-resource"]) {
    for (const path of document === "oauth-protected-resource" ? ["", "/mcp"] : [""]) {
      const response = await fetch(`${base}/.well-known/${document}${path}`);
      const values = Object.values((await response.json()) as object);
      expect(values.filter((value) => Array.isArray(value) && value.length === 0)).toEqual([]);
    }
  }
});

test("a client that authenticates in two ways at once is refused, whether they agree or not", async () => {
  const { agent_id, secret } = agent;
  const authorization = `Basic ${btoa(`${agent_id}:${secret}`)}`;
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]) {
    for (const client_secret of [secret, mintSecret("live")]) {
      const sent = `${grantForm({ client_secret })}&token=t`;
      const { status, json } = await post(path, sent, { authorization });
      expect({ path, status, error: json.error }).toEqual({
        ...{ path, status: 400, error: "invalid_client" },
      });
      expect(json.error_description).toContain("client_secret");
    }
  }
  const only = form({ grant_type: "client_credentials", client_id: agent_id });
  expect((await post("/oauth/token", only, { authorization })).status).toBe(200);
});

test("a token may do no more than it was asked for", async () => {
  const { access_token, scope } = await newToken({ scope: "quotes supply:read quotes" });
  expect(scope).toBe("quotes supply:read");
  const answer = await search(access_token);
  expect(answer.refused("forbidden").detail).toEqual({
    required_scope: "search",
    granted: ["quotes", "supply:read"],
  });
  const challenge = answer.headers.get("www-authenticate");
  expect(challenge).toStartWith('Bearer error="insufficient_scope"');
  expect(challenge).toEndWith('scope="search"');
  const operator = passwordOf(service.demo.admin);
  const narrowed = await post("/oauth/token", grantForm({ ...operator, scope: "admin:agents" }));
  expect(narrowed.json).toMatchObject({ scope: "admin:agents" });
  const unknown = await post("/oauth/token", grantForm({ ...operator, scope: "admin:nothing" }));
  expect(unknown.json).toMatchObject({ error: "invalid_scope" });
});

test("a request without a credential learns where to get tokens", async () => {
  const url = new URL(`${base}/v1/properties`);
  const headers = new Headers();
  const answer = await service.api("GET", "/v1/properties", { agent: null });
  answer.refused("unauthenticated");
  const metadata = `${base}/.well-known/oauth-protected-resource`;
  expect(answer.headers.get("www-authenticate")).toBe(
    `Bearer resource_metadata="${metadata}", scope="supply:read"`,
  );
  const sent = oauth.protectedResourceRequest("a.b.c", "GET", url, headers, null, INSECURE);
  const error = (await sent.catch((thrown) => thrown)) as oauth.WWWAuthenticateChallengeError;
  expect(error.cause[0]?.parameters).toMatchObject({
    ...{ error: "invalid_token", resource_metadata: metadata, scope: "supply:read" },
  });
});

test("JSON is taken as the contract has it, and nothing besides", async () => {
  const type = "application/json";
  const body = { grant_type: "client_credentials", scope: "search", ...passwordOf(agent) };
  const answer = await post("/oauth/token", JSON.stringify(body), { type });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json).sort()).toEqual([
    ...["access_token", "expires_in", "scope", "token_type"],
  ]);
  expect(answer.json).toMatchObject({ expires_in: 900, scope: "search", token_type: "Bearer" });
  const more = { ...body, resource: base, extra: 1 };
  const refused = await post("/oauth/token", JSON.stringify(more), { type });
  expect(refused).toMatchObject({ status: 400, json: { error: "invalid_client" } });
  expect(refused.json.error_description).toContain("resource is not a known property");
  expect(refused.json.error_description).toContain("extra is not a known property");
});

test("malformed requests are 400 invalid_client and name what is wrong", async () => {
  const trials: readonly [string, string, string?][] = [
    [grantForm({ grant_type: "password" }), "grant_type"],
    [form(passwordOf(agent)), "grant_type"],
    [`${grantForm()}&scope=search&scope=quotes`, "scope"],
    [grantForm({ x: "x".repeat(70_000) }), "65536"],
    [grantForm(), "Content-Type", "text/plain"],
    ["{", "JSON", "application/json"],
    ['{"grant_type":"client_credentials","scope":[]}', "scope", "application/json"],
    ['{"grant_type":"client_credentials","\\"é\\\\":1}', "??? is not", "application/json"],
  ];
  for (const [body, named, type = FORM] of trials) {
    const { status, json, challenge } = await post("/oauth/token", body, { type });
    expect({ named, status, error: json.error }).toEqual({
      ...{ named, status: 400, error: "invalid_client" },
    });
    expect(json.error_description).toContain(named);
    expect(challenge).toBeNull();
  }
});

test("wrong credentials are 401 invalid_client with a challenge", async () => {
  const { agent_id, secret } = agent;
  const basic = (id: string, key: string) => `Basic ${btoa(`${id}:${key}`)}`;
  const only = form({ grant_type: "client_credentials" });
  const unknown = mintSecret("live");
  const [suspended] = await newAgents(1);
  service.control((store) => changeAgent(store, suspended!.agent_id, { state: "suspended" }));
  await untilRefused(suspended!.secret, "agent_suspended");
  const trials: readonly [string, string?][] = [
    [only],
    [form({ grant_type: "client_credentials", client_id: agent_id })],
    [grantForm({ client_secret: unknown })],
    [grantForm({ client_id: service.demo.admin.agent_id })],
    [grantForm(passwordOf(suspended!))],
    [only, basic(agent_id, unknown)],
    [only, basic("agt_unknown", secret)],
    [only, "Basic !"],
    [only, `Bearer ${secret}`],
  ];
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]) {
    for (const [body, authorization] of trials) {
      const sent = authorization === undefined ? {} : { authorization };
      const { status, json, challenge } = await post(path, `${body}&token=t`, sent);
      expect({ path, body, status, error: json.error }).toEqual({
        ...{ path, body, status: 401, error: "invalid_client" },
      });
      expect(challenge).toBe('Basic realm="innkeep"');
      expect(JSON.stringify(json)).not.toContain(unknown);
    }
  }
});

test("a scope that is unknown or not granted, and a foreign resource, are 400", async () => {
  for (const fields of [
    { scope: "search admin:agents" },
    { scope: "everything" },
    { scope: "search\tquotes" },
    { resource: "https://elsewhere.example" },
    { resource: `${base}/v1` },
  ]) {
    const { status, json } = await post("/oauth/token", grantForm(fields));
    expect({ fields, status, error: json.error }).toEqual({
      ...{ fields, status: 400, error: "invalid_scope" },
    });
    expect(json.error_description).toStartWith(Object.keys(fields)[0]!);
  }
});

async function introspect(token: string, who = agent) {
  const client = { client_id: who.agent_id };
  const auth = oauth.ClientSecretBasic(who.secret);
  const response = await oauth.introspectionRequest(as, client, auth, token, INSECURE);
  return oauth.processIntrospectionResponse(as, client, response);
}

async function revoke(token: string, who = agent) {
  const client = { client_id: who.agent_id };
  const auth = oauth.ClientSecretPost(who.secret);
  const response = await oauth.revocationRequest(as, client, auth, token, INSECURE);
  expect(await response.clone().json()).toEqual({});
  return oauth.processRevocationResponse(response);
}

test("a token of the own tenant can be looked into, anything else is inactive", async () => {
  const { access_token } = await newToken({ scope: "search" });
  const { iat, exp, jti } = decodeJwt(access_token);
  const { agent_id } = agent;
  const active = {
    ...{ active: true, scope: "search", client_id: agent_id, token_type: "Bearer" },
    ...{ iat: iat!, exp: exp!, jti: jti!, sub: agent_id, aud: base, iss: base },
  };
  expect(await introspect(access_token)).toEqual(active);
  expect(await introspect(access_token, service.demo.admin)).toEqual(active);
  const { second_tenant, test_agent } = service.demo;
  for (const stranger of [second_tenant.agent, test_agent]) {
    expect(await introspect(access_token, stranger)).toEqual({ active: false });
  }
  for (const other of ["x", "a.b.c", mintSecret("live"), `${access_token}x`]) {
    expect(await introspect(other)).toEqual({ active: false });
  }
});

test("a secret of the own tenant can be looked into while it may be used", async () => {
  const { agent_id, secret } = agent;
  const active = { active: true, client_id: agent_id, sub: agent_id, token_type: "Bearer" };
  for (const who of [agent, service.demo.admin]) {
    const { scope, ...claims } = await introspect(secret, who);
    expect(claims).toEqual({ ...active, iss: base });
    expect(String(scope).split(" ").sort()).toEqual([...DEFAULT_SCOPES].sort());
  }
  const { second_tenant, test_agent } = service.demo;
  for (const stranger of [second_tenant.agent, test_agent]) {
    expect(await introspect(secret, stranger)).toEqual({ active: false });
  }
  const [suspended] = await newAgents(1);
  expect(await introspect(suspended!.secret)).toMatchObject({ active: true });
  service.control((store) => changeAgent(store, suspended!.agent_id, { state: "suspended" }));
  await untilRefused(suspended!.secret, "agent_suspended");
  expect(await introspect(suspended!.secret)).toEqual({ active: false });
});

test("a revoked token ends in every process, and only that one", async () => {
  const [first, second] = [await newToken(), await newToken()];
  for (const nothing of ["x", "a.b.c", agent.secret]) await revoke(nothing);
  await revoke(first.access_token, service.demo.second_tenant.agent);
  (await search(first.access_token)).ok();
  await revoke(first.access_token);
  await untilRefused(first.access_token, "token_revoked");
  await revoke(first.access_token);
  expect(await introspect(first.access_token)).toEqual({ active: false });
  (await search(second.access_token)).ok();
  (await search(agent.secret)).ok();
});

test("revoking a credential ends its tokens within a second, suspending forbids them", async () => {
  const [revoked, suspended] = await newAgents(2);
  const ofRevoked = (await newToken({ agent: revoked! })).access_token;
  const ofSuspended = (await newToken({ agent: suspended! })).access_token;
  for (const token of [ofRevoked, ofSuspended]) (await search(token)).ok();
  const credentialId = String(decodeJwt(ofRevoked).credential_id);
  service.control((store) => {
    revokeCredential(store, credentialId);
    changeAgent(store, suspended!.agent_id, { state: "suspended" });
  });
  await untilRefused(ofRevoked, "credential_revoked");
  await untilRefused(ofSuspended, "agent_suspended");
  (await search(ofRevoked)).refused("unauthenticated");
  (await search(ofSuspended)).refused("forbidden");
});

test("a rotated key signs new tokens while the old ones go on; a lost one ends them", async () => {
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const before = (await newToken()).access_token;
  const successor = await rotateByCommand();
  expect(kidOf((await newToken()).access_token)).toBe(kidOf(before));
  // As if it had been made 300 s ago: what caches hold by now is past.
  const next = await rotateAt(Date.now() - 300_000);
  const during = (await newToken()).access_token;
  expect(kidOf(during)).toBe(next);
  for (const token of [before, during]) (await search(token)).ok();
  const last = await rotateByCommand("--immediately");
  await untilRefused(before, "token_invalid");
  await untilRefused(during, "token_invalid");
  const after = (await newToken()).access_token;
  expect(kidOf(after)).toBe(last);
  (await search(after)).ok();
  const { keys } = (await (await fetch(as.jwks_uri!)).json()) as { keys: { kid: string }[] };
  expect(keys.map(({ kid }) => kid)).not.toContain(successor);
});

test("metadata are one document under two names, and public", async () => {
  const at = (path: string) => fetch(`${base}/.well-known/${path}`);
  const [server, alias] = await Promise.all([
    at("oauth-authorization-server"),
    at("openid-configuration"),
  ]);
  const body = await server.text();
  expect(await alias.text()).toBe(body);
  expect(server.headers.get("cache-control")).toBe("public, max-age=300");
  expect(server.headers.get("access-control-allow-origin")).toBe("*");
  const etag = server.headers.get("etag")!;
  const again = await fetch(server.url, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
  expect(JSON.parse(body)).toMatchObject({
    ...{ issuer: base, response_types_supported: ["code"] },
    introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  });
  const authorize = await fetch(JSON.parse(body).authorization_endpoint);
  expect(authorize.status).toBe(400);
  expect(await authorize.text()).toContain("The assistant is not registered here");
});

test("asking too often is 429 for the address", async () => {
  const ask = () => fetch(`${base}/oauth/token`, { method: "POST", body: "{}" });
  const statuses = await Promise.all(Array.from({ length: 70 }, async () => (await ask()).status));
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("no token and no secret is logged", () => {
  expect(service.log).toContain("/oauth/token");
  expect(secrets.length).toBeGreaterThan(10);
  for (const secret of secrets) {
    for (const part of secret.split(".")) expect(service.log.includes(part)).toBeFalse();
  }
});

test("without an issuer OAuth is off and secrets still work", async () => {
  const { access_token } = await newToken();
  await service.restart({ OAUTH_ISSUER: "" });
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]) {
    const { status, json } = await post(path, grantForm());
    expect({ status, json }).toEqual({ status: 404, json: { error: "oauth_not_configured" } });
  }
  for (const path of [
    ...["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"],
    "oauth-protected-resource/mcp",
  ]) {
    const response = await fetch(`${base}/.well-known/${path}`);
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ error: "oauth_metadata_not_configured" });
  }
  const keys = await fetch(`${base}/.well-known/jwks.json`);
  // Receipts are checked with or without OAuth; nothing else is signed now.
  const { keys: published } = (await keys.json()) as { keys: { kid: string }[] };
  expect(published).toEqual([
    ...publicReceiptKeys(
      receiptKeysOf(keyVersionsOf(loadSecrets(service.dataDir, {}), "receipts")),
    ),
  ]);
  expect((await fetch(`${base}/oauth/authorize`)).status).toBe(404);
  const refused = await search(access_token);
  expect(refused.refused("unauthenticated").detail.reason).toBe("malformed_credential");
  expect(refused.headers.get("www-authenticate")).not.toContain("resource_metadata");
  (await search(agent.secret)).ok();
});
