/** Agents, credentials and issuers as operators administer them. */
import { LISBOA, SEVILLA } from "../hotels.ts";
import type { Actor } from "../session.ts";
import type { World } from "../world.ts";

type Json = Readonly<Record<string, unknown>>;

const AGENTS = "/v1/admin/agents";
const ISSUERS = "/v1/admin/delegation-issuers";

/** All of `/v1/admin/agents` and `/v1/admin/delegation-issuers`. */
export async function administerAccess(world: World): Promise<void> {
  await makeAgents(world);
  await changeAgents(world);
  await credentials(world);
  await lockOut(world);
  await makeIssuers(world);
  await changeIssuers(world);
  await testTokens(world);
}

async function makeAgents(world: World): Promise<void> {
  const good = { name: "n", kind: "agent" };
  const variants: readonly Json[] = [
    {},
    { kind: "operator" },
    { kind: "service", contact: null, property_ids: null },
    { kind: "partner", property_ids: [SEVILLA.id, LISBOA.id] },
    { kind: "robot" },
    { name: "" },
    { name: "n".repeat(201) },
    { mode: "test" },
    { mode: "live" },
    { scopes: ["search", "search"] },
    { scopes: ["admin:agents"] },
    { scopes: ["unknown"] },
    { kind: "operator", scopes: ["admin:*"] },
    { property_ids: [world.unknownUuid, "x"] },
    { limits: { rpm: 0 } },
    { limits: { rpm: 1, burst: 2, max_open_holds: 0, max_open_quotes: 0 } },
    { limits: { max_booking_amount: { amount: 1, currency: "eur" } } },
    { limits: { nonsense: 1 } },
    { contact: "c".repeat(255) },
    { expires_at: "2199-12-31T23:59:59.123Z" },
    { expires_at: "2020-01-01T00:00:00Z" },
    { expires_at: "2199-02-30T00:00:00Z" },
    { expires_at: "tomorrow" },
    { expires_at: null },
  ];
  for (const change of variants) {
    await world.admin("agents: create", `POST ${AGENTS}`, { body: { ...good, ...change } });
  }
  const lesser: readonly (readonly [string, Json])[] = [
    ["agents-operator", { kind: "operator", scopes: ["admin:agents"] }],
    ["agents-operator", { kind: "operator", scopes: ["admin:fx"] }],
    ["agents-operator", { kind: "operator" }],
    ["confined-operator", {}],
    ["confined-operator", { property_ids: null }],
    ["confined-operator", { property_ids: [LISBOA.id] }],
    ["confined-operator", { property_ids: [SEVILLA.id] }],
    ["supply-operator", {}],
  ];
  for (const [name, change] of lesser) {
    const ask = { as: world.agent(name), body: { ...good, ...change } };
    await world.admin("agents: create as a lesser operator", `POST ${AGENTS}`, ask);
  }
}

async function changeAgents(world: World): Promise<void> {
  const body = { name: "changed", kind: "agent" };
  const made = await world.admin("agents: create", `POST ${AGENTS}`, { body });
  const path = `${AGENTS}/${made.data.agent_id}`;
  const patch = (change: unknown, headers = {}, as: Actor = world.operator) =>
    world.admin("agents: change", `PATCH ${path}`, { as, headers, body: change });
  for (const version of ["1", '"2"', "*", "99", 'W/"2"', "two", ""]) {
    await patch({ name: `Name ${version.length}` }, { "if-match": version });
  }
  const changes: readonly Json[] = [
    {},
    { contact: "me@example.com" },
    { scopes: ["search", "quotes"] },
    { scopes: ["admin:fx"] },
    { property_ids: [SEVILLA.id] },
    { property_ids: ["x"] },
    { limits: { rpm: 600 } },
    { limits: { rpm: null, burst: 3 } },
    { kind: "service" },
    { state: "asleep" },
    { state: "suspended" },
    { state: "active" },
  ];
  for (const change of changes) await patch(change);
  await patch({ property_ids: null }, {}, world.agent("confined-operator"));
  await patch({ name: "x" }, {}, world.testOperator);
  await patch({ name: "x" }, {}, world.otherOperator);
  const key = world.session.keyed();
  for (const name of ["k", "k", "other"]) await patch({ name }, key);
  await world.admin("agents: show", `GET ${path}`);
  await patch({ state: "revoked" });
  await patch({ name: "after its end" });
  for (let i = 0; i < 2; i += 1) await world.admin("agents: revoke", `DELETE ${path}`);
  await world.admin("agents: show", `GET ${path}`);
  for (const as of [world.operator, world.testOperator, world.agent("agents-operator")]) {
    await world.admin("agents: list", `GET ${AGENTS}`, { as });
    await world.admin("agents: unknown", `GET ${AGENTS}/agt_unknown`, { as });
    await world.admin("agents: show", `GET ${AGENTS}/${world.main.agent_id}`, { as });
  }
}

async function credentials(world: World): Promise<void> {
  const body = { name: "with credentials", kind: "agent" };
  const made = await world.admin("credentials: agent", `POST ${AGENTS}`, { body });
  const { agent_id, credential } = made.data;
  const path = `${AGENTS}/${agent_id}/credentials`;
  const issue = (sent?: unknown, headers = {}) =>
    world.admin("credentials: issue", `POST ${path}`, { body: sent, headers });
  const times = ["2199-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "x", null];
  for (const expires_at of times) await issue({ expires_at });
  const key = world.session.keyed();
  const second = await issue(undefined, key);
  await issue({}, key);
  const rotate = (id: string, sent?: unknown, headers = {}) =>
    world.admin("credentials: rotate", `POST ${path}/${id}/rotate`, { body: sent, headers });
  const first = credential?.credential_id ?? "crd_missing";
  for (const overlap_s of [-1, 604_801, 1.5, "1"]) await rotate(first, { overlap_s });
  const keyRotate = world.session.keyed();
  const rotated = await rotate(first, { overlap_s: 3600 }, keyRotate);
  await rotate(first, { overlap_s: 3600 }, keyRotate);
  await rotate(first);
  const actor = { agent_id, secret: credential?.secret ?? "missing" };
  await world.ask("credentials: old one still good", "GET /v1/properties", { as: actor });
  const next = rotated.data.credential ?? {};
  await rotate(next.credential_id, { overlap_s: 0, expires_at: "2199-01-01T00:00:00Z" });
  const retired = { agent_id, secret: next.secret ?? "missing" };
  await world.ask("credentials: retired", "GET /v1/properties", { as: retired });
  const ended = second.data.credential?.credential_id ?? "crd_missing";
  for (let i = 0; i < 2; i += 1) {
    await world.admin("credentials: revoke", `DELETE ${path}/${ended}`);
  }
  await rotate(ended);
  await rotate("crd_unknown");
  await world.admin("credentials: show", `GET ${AGENTS}/${agent_id}`);
  await world.admin("credentials: end of agent", `DELETE ${AGENTS}/${agent_id}`);
  await issue();
  await rotate(first);
}

/** An operator may not shut itself out. */
async function lockOut(world: World): Promise<void> {
  const path = `${AGENTS}/${world.operator.agent_id}`;
  const changes = [{ state: "suspended" }, { scopes: ["admin:fx"] }, { state: "active" }];
  for (const body of changes) await world.admin("agents: own", `PATCH ${path}`, { body });
  await world.admin("agents: own", `DELETE ${path}`);
  const shown = await world.admin("agents: own", `GET ${path}`);
  const id = shown.data.credentials?.[0]?.credential_id;
  await world.admin("credentials: own", `DELETE ${path}/credentials/${id}`);
}

async function makeIssuers(world: World): Promise<void> {
  const { jwks } = world.tokens;
  const [es, rs] = jwks.keys as [Json, Json];
  const good = { iss: "https://made.example", name: "Made", jwks };
  const url = (jwks_url: string) => ({ jwks: undefined, jwks_url });
  const variants: readonly Json[] = [
    {},
    {},
    { iss: "" },
    { iss: "https://two.example", jwks_url: "https://two.example/jwks" },
    { iss: "https://three.example", ...url("https://three.example/jwks") },
    { iss: "https://four.example", jwks: undefined },
    ...["http://a.example/j", "https://localhost/j", "https://10.0.0.1/j", "https://[::1]/j"].map(
      url,
    ),
    ...["https://u:p@a.example/j", "https://a.example/j#x", "ftp://a.example", "no url"].map(url),
    { jwks: { keys: [] } },
    { jwks: { keys: [{ kty: "EC" }, { kty: "RSA" }, { kty: "oct", k: "x" }] } },
    { jwks: { keys: [{ ...es, d: "private" }] } },
    { iss: "https://rs.example", jwks: { keys: [rs] }, allowed_algs: ["RS256"] },
    { allowed_algs: ["HS256"] },
    { allowed_algs: [] },
    { allowed_audiences: [] },
    { allowed_audiences: ["a", "a"] },
    { max_ttl_s: 0, clock_skew_s: 301 },
    { iss: "https://five.example", max_ttl_s: 60, clock_skew_s: 0, allowed_audiences: ["a"] },
  ];
  for (const change of variants) {
    await world.admin("issuers: create", `POST ${ISSUERS}`, { body: { ...good, ...change } });
  }
  for (const as of [world.operator, world.testOperator, world.otherOperator]) {
    await world.admin("issuers: list", `GET ${ISSUERS}`, { as });
  }
}

async function changeIssuers(world: World): Promise<void> {
  const { jwks } = world.tokens;
  const body = { iss: "https://changed.example", name: "Changed", jwks };
  const made = await world.admin("issuers: create", `POST ${ISSUERS}`, { body });
  const path = `${ISSUERS}/${made.data.issuer_id}`;
  const patch = (change: unknown, headers = {}, as: Actor = world.operator) =>
    world.admin("issuers: change", `PATCH ${path}`, { as, headers, body: change });
  for (const version of ["1", '"2"', "*", "99", "two"]) {
    await patch({ name: `Name ${version.length}` }, { "if-match": version });
  }
  const changes: readonly Json[] = [
    {},
    { max_ttl_s: 300 },
    { allowed_algs: ["ES256"] },
    { jwks_url: "https://changed.example/jwks" },
    { jwks },
    { jwks, jwks_url: "https://changed.example/jwks" },
    { jwks_url: "https://127.0.0.1/jwks" },
    { iss: "https://other.example" },
    { status: "active" },
    { max_ttl_s: 86_401 },
  ];
  for (const change of changes) await patch(change);
  await patch({ name: "x" }, {}, world.testOperator);
  await patch({ name: "x" }, {}, world.otherOperator);
  const steps = ["activate", "suspend", "suspend", "activate", "revoke", "revoke", "activate"];
  for (const step of steps) {
    const key = world.session.keyed();
    for (let i = 0; i < 2; i += 1) {
      await world.admin(`issuers: ${step}`, `POST ${path}/${step}`, { headers: key });
    }
    await world.admin("issuers: show", `GET ${path}`);
  }
  await patch({ name: "after its end" });
  for (const id of [made.data.issuer_id, "iss_unknown"]) {
    for (const as of [world.operator, world.otherOperator]) {
      await world.admin("issuers: delete", `DELETE ${ISSUERS}/${id}`, { as });
      await world.admin("issuers: show", `GET ${ISSUERS}/${id}`, { as });
    }
  }
}

async function testTokens(world: World): Promise<void> {
  const listed = await world.admin("issuers: list", `GET ${ISSUERS}`);
  const items = (listed.data.items ?? []) as { issuer_id: string; iss: string; status: string }[];
  const tokens = { good: await world.tokens.sign(), ...(await world.tokens.bad()) };
  const ids = ["https://issuer.example", "https://revoked.example", "https://es-only.example"];
  for (const iss of ids) {
    const id = items.find((item) => item.iss === iss)?.issuer_id ?? "iss_missing";
    for (const [name, token] of Object.entries(tokens)) {
      const ask = { body: { token } };
      await world.admin(`issuers: test, ${name}`, `POST ${ISSUERS}/${id}/test`, ask);
    }
  }
  const first = `${ISSUERS}/${items[0]?.issuer_id}/test`;
  for (const token of ["", "x".repeat(16_385), "x".repeat(9_000), 7]) {
    await world.admin("issuers: test, bad", `POST ${first}`, { body: { token } });
  }
}
