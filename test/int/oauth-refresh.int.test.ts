/**
 * Goal: a connection lasts while its client and its operator want it, and ends at once when either
 * ends it or a token was stolen. Method: an assistant by hand, the console, and the tools of `/mcp`
 * as witness.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { REFRESH_GRACE_MS } from "../../src/access/control/oauth-grants.ts";
import { Assistant, post, type Tokens, toolsStatus } from "../support/assistant.ts";
import { hiddenFields, type Person, signedIn } from "../support/console.ts";
import { mcpUrl } from "../support/mcp-client.ts";
import { Service, until } from "../support/service.ts";

let service: Service;
let person: Person;
let assistant: Assistant;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1", LOG_LEVEL: "debug" });
  person = await signedIn(service);
  assistant = await Assistant.register(service);
});
afterAll(() => service.stop());

const failure = ({ status, json }: { status: number; json: object }) => {
  return [status, (json as { readonly error?: string }).error];
};
const INVALID_GRANT = [400, "invalid_grant"];
const tokensOf = ({ json }: { json: object }) => json as Tokens;
const agentIdOf = ({ access_token }: Tokens) =>
  JSON.parse(Buffer.from(access_token.split(".")[1]!, "base64url").toString()).sub as string;

/** A new agent for the assistant. */
const connect = () => assistant.connect(person, {}, { agent: "" });

async function untilTools({ access_token }: Tokens, status: number): Promise<void> {
  await until(`tools answer ${status}`, async () => {
    return (await toolsStatus(service, access_token)) === status;
  });
}

test("a refresh replaces both tokens, for the same client and the same rights or fewer", async () => {
  const first = await connect();
  const other = await Assistant.register(service);
  expect(failure(await other.refresh(first.refresh_token))).toEqual(INVALID_GRANT);
  for (const [parameters, error] of [
    [{ scope: "search holds" }, "invalid_scope"],
    [{ scope: "admin:agents" }, "invalid_scope"],
    [{ resource: mcpUrl(service).origin }, "invalid_target"],
    [{ refresh_token: "" }, "invalid_request"],
  ] as const) {
    const answer = await assistant.refresh(first.refresh_token, parameters as { scope: string });
    expect(failure(answer)).toEqual([400, error]);
  }
  const narrowed = tokensOf(await assistant.refresh(first.refresh_token, { scope: "search" }));
  expect(narrowed.scope).toBe("search");
  const whole = tokensOf(await assistant.refresh(narrowed.refresh_token));
  expect(whole.scope).toBe("search quotes");
  expect(new Set([first, narrowed, whole].map((each) => each.refresh_token)).size).toBe(3);
  for (const tokens of [first, narrowed, whole]) await untilTools(tokens, 200);
});

test("an old refresh token that comes again ends the connection", async () => {
  const first = await connect();
  const second = tokensOf(await assistant.refresh(first.refresh_token));
  const third = tokensOf(await assistant.refresh(second.refresh_token));
  expect(failure(await assistant.refresh(first.refresh_token))).toEqual(INVALID_GRANT);
  for (const tokens of [first, second, third]) await untilTools(tokens, 401);
  expect(failure(await assistant.refresh(third.refresh_token))).toEqual(INVALID_GRANT);
});

test("a lost answer is made again for half a minute; the lost token then betrays a thief", async () => {
  const first = await connect();
  const lost = tokensOf(await assistant.refresh(first.refresh_token));
  const again = tokensOf(await assistant.refresh(first.refresh_token));
  const next = tokensOf(await assistant.refresh(again.refresh_token));
  await untilTools(next, 200);
  expect(failure(await assistant.refresh(lost.refresh_token))).toEqual(INVALID_GRANT);
  await untilTools(next, 401);
  const late = await connect();
  const used = tokensOf(await assistant.refresh(late.refresh_token));
  const db = new Database(join(service.dataDir, "oauth.db"));
  const past = `UPDATE oauth_grant SET rotated_at = rotated_at - ${REFRESH_GRACE_MS}
    WHERE agent_id = '${agentIdOf(late)}'`;
  expect(db.run(past).changes).toBe(1);
  db.close();
  expect(failure(await assistant.refresh(late.refresh_token))).toEqual(INVALID_GRANT);
  await untilTools(used, 401);
});

test("a suspended agent gets nothing and goes on when it is resumed; a revoked one is over", async () => {
  const tokens = await connect();
  const at = `/console/agents/${agentIdOf(tokens)}`;
  await person.submit(`${at}/suspend`, `${at}/suspend`);
  await untilTools(tokens, 403);
  expect(failure(await assistant.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT);
  await person.submit(`${at}/resume`, `${at}/resume`);
  await untilTools(tokens, 200);
  const next = tokensOf(await assistant.refresh(tokens.refresh_token));
  await person.submit(`${at}/revoke`, `${at}/revoke`);
  await untilTools(next, 401);
  expect(failure(await assistant.refresh(next.refresh_token))).toEqual(INVALID_GRANT);
});

test("an agent's page shows the connection and ends it", async () => {
  const tokens = await connect();
  const at = `/console/agents/${agentIdOf(tokens)}`;
  const { html } = await person.get(at);
  expect(html).toContain("Connected assistant");
  expect(html).toContain("<code>assistant.example</code>");
  const [, revoke] = /href="([^"]+\/revoke)">Disconnect/.exec(html) ?? [];
  await person.submit(revoke!, revoke!);
  await untilTools(tokens, 401);
  expect(failure(await assistant.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT);
  expect((await person.get(at)).html).not.toContain("Connected assistant");
});

test("a client that connects again keeps its agent, and its former tokens end", async () => {
  const own = await Assistant.register(service);
  const first = await own.connect(person);
  const { html } = await person.get(await own.asks(person));
  expect(html).toContain("It is connected already");
  const agent = agentIdOf(first);
  const scopes = { scope: "search quotes holds" };
  const second = await own.connect(person, scopes, { agent, scope_holds: "yes", rpm: "30" });
  expect([agentIdOf(second), second.scope]).toEqual([agent, "search quotes holds"]);
  await untilTools(first, 401);
  await untilTools(second, 200);
  expect(failure(await own.refresh(first.refresh_token))).toEqual(INVALID_GRANT);
  const beside = await own.connect(person, {}, { agent: "" });
  expect(agentIdOf(beside)).not.toBe(agent);
  await untilTools(second, 200);
});

test("a form that is sent twice is one agent, and one code", async () => {
  const own = await Assistant.register(service, { client_name: "Sent twice" });
  const consent = await own.asks(person);
  const action = `${consent}/allow`;
  const { html } = await person.get(consent);
  const sent = { ...hiddenFields(html, action), scope_search: "yes", agent: "" };
  const answers = [await person.send(action, sent), await person.send(action, sent)];
  const codes = answers.map(({ location }) => new URL(location!).searchParams.get("code")!);
  expect(failure(await own.redeem(codes[0]!))).toEqual(INVALID_GRANT);
  expect((await own.redeem(codes[1]!)).status).toBe(200);
  expect((await person.send(action, sent)).status).toBe(404);
  const list = await service.api("GET", "/v1/admin/agents", { agent: service.demo.admin });
  const { items } = list.ok<{ items: readonly { readonly name: string }[] }>().data;
  expect(items.filter(({ name }) => name === "Sent twice").length).toBe(1);
});

test("a client ends its own connection by revoking a token, and nobody else's", async () => {
  const [mine, narrow] = [await connect(), await connect()];
  const other = await Assistant.register(service);
  const revoke = (client: Assistant, token: string) =>
    post(service, "/oauth/revoke", { client_id: client.client_id, token });
  for (const token of [mine.refresh_token, mine.access_token, "unknown", "a.b"]) {
    expect(await revoke(other, token)).toMatchObject({ status: 200, json: {} });
  }
  await untilTools(mine, 200);
  expect((await revoke(assistant, narrow.access_token)).status).toBe(200);
  await untilTools(narrow, 401);
  await untilTools(tokensOf(await assistant.refresh(narrow.refresh_token)), 200);
  expect((await revoke(assistant, mine.refresh_token)).status).toBe(200);
  await untilTools(mine, 401);
  expect(failure(await assistant.refresh(mine.refresh_token))).toEqual(INVALID_GRANT);
});

test("a refresh token can be asked about, by agents of its tenant and mode", async () => {
  const tokens = await connect();
  const ask = async ({ agent_id, secret }: { agent_id: string; secret: string }, token: string) => {
    const client = { client_id: agent_id, client_secret: secret };
    return (await post(service, "/oauth/introspect", { ...client, token })).json;
  };
  expect(await ask(service.demo.agent, tokens.refresh_token)).toMatchObject({
    ...{ active: true, token_type: "refresh_token", client_id: assistant.client_id },
    ...{ scope: "search quotes", sub: agentIdOf(tokens) },
  });
  expect(await ask(service.demo.agent, tokens.access_token)).toMatchObject({ active: true });
  const stranger = await ask(service.demo.second_tenant.admin, tokens.refresh_token);
  expect(stranger).toEqual({ active: false });
  await assistant.refresh(tokens.refresh_token);
  expect(await ask(service.demo.agent, tokens.refresh_token)).toEqual({ active: false });
});

test("no log has a code, a token or the secret of the agent", async () => {
  const code = await assistant.code(person, {}, { agent: "" });
  const tokens = tokensOf(await assistant.redeem(code));
  for (const secret of [code, tokens.refresh_token, tokens.access_token, "ik_live_"]) {
    expect(service.log.includes(secret)).toBeFalse();
  }
});
