/**
 * Goal: a client gets what an operator gave it and nothing else, whoever asks for it and however.
 * Method: an assistant and operators by hand, so that each step of the way can be made wrong; the
 * tools of `/mcp` as witness.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULT_SCOPES } from "../../src/access/control/agents.ts";
import { CODE_TTL_MS } from "../../src/access/control/oauth-grants.ts";
import { REQUEST_TTL_MS } from "../../src/access/control/oauth-requests.ts";
import { Assistant, CALLBACK, post, toolsStatus, VERIFIER } from "../support/assistant.ts";
import { HOSTILE_NAME, hiddenFields, Person, type Seen, signedIn } from "../support/console.ts";
import { mcpUrl } from "../support/mcp-client.ts";
import { Service, until } from "../support/service.ts";

let service: Service;
let person: Person;
let assistant: Assistant;
let base: string;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
  person = await signedIn(service);
  assistant = await Assistant.register(service);
  base = mcpUrl(service).origin;
});
afterAll(() => service.stop());

const failure = ({ status, json }: { status: number; json: object }) => {
  return [status, (json as { readonly error?: string }).error];
};
const INVALID_GRANT = [400, "invalid_grant"];
const CONSENT_CSP = /form-action 'self' https:\/\/assistant\.example;/;

/** The claims of an access token, unverified. */
function claimsOf(token: string): Readonly<Record<string, string>> {
  return JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
}

interface Agent {
  readonly agent_id: string;
  readonly name: string;
  readonly kind: string;
  readonly mode: string;
  readonly scopes: readonly string[];
  readonly property_ids: readonly string[] | null;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly connection: { readonly client_id: string; readonly credential_id: string } | null;
}

async function agentOf(token: string, agent = service.demo.admin): Promise<Agent> {
  const path = `/v1/admin/agents/${claimsOf(token).sub}`;
  return (await service.api("GET", path, { agent })).ok<Agent>().data;
}

/** Moves what the file knows into the past. */
function age(table: "request" | "oauth_grant", where: string, column: string, ms: number): void {
  const db = new Database(join(service.dataDir, "oauth.db"));
  expect(db.run(`UPDATE ${table} SET ${column} = ${column} - ${ms} WHERE ${where}`).changes).toBe(
    1,
  );
  db.close();
}

test("a client without a token learns where to get one, and no scope that it may lack", async () => {
  const answer = await service.api("POST", "/mcp", { agent: null, body: { jsonrpc: "2.0" } });
  const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
    ...[401, `Bearer resource_metadata="${metadata}"`],
  ]);
  const server = await fetch(`${base}/.well-known/oauth-authorization-server`);
  expect(await server.json()).toMatchObject({
    registration_endpoint: `${base}/oauth/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
  });
});

test("what a client says of itself is checked, and refused as RFC 7591 says", async () => {
  const register = (metadata: object) => post(service, "/oauth/register", metadata);
  const redirect_uris = [CALLBACK];
  for (const [metadata, error] of [
    [{}, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_redirect_uri"],
    [{ redirect_uris: [CALLBACK, "javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["http://assistant.example/cb"] }, "invalid_redirect_uri"],
    [
      { redirect_uris: Array.from({ length: 11 }, (_, i) => `${CALLBACK}${i}`) },
      "invalid_redirect_uri",
    ],
    [{ redirect_uris, client_name: "x".repeat(101) }, "invalid_client_metadata"],
    [{ redirect_uris, client_name: "a\u202eb" }, "invalid_client_metadata"],
    [{ redirect_uris, client_name: "\n" }, "invalid_client_metadata"],
    [{ redirect_uris, grant_types: ["implicit"] }, "invalid_client_metadata"],
    [{ redirect_uris, response_types: ["token"] }, "invalid_client_metadata"],
    [{ redirect_uris, token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
    [[], "invalid_client_metadata"],
  ] as const) {
    expect({ metadata, is: failure(await register(metadata)) }).toEqual({
      ...{ metadata, is: [400, error] },
    });
  }
  const { status, json, headers } = await register({ redirect_uris, scope: "search", jwks: {} });
  expect([status, headers.get("cache-control")]).toEqual([201, "no-store"]);
  expect(json).toMatchObject({
    client_name: "assistant.example",
    ...{ redirect_uris, token_endpoint_auth_method: "client_secret_basic" },
    ...{ grant_types: ["authorization_code", "refresh_token"], client_secret_expires_at: 0 },
  });
});

test("a confidential client needs its secret, a public one has none", async () => {
  const method = { token_endpoint_auth_method: "client_secret_post" };
  const confidential = await Assistant.register(service, method);
  const code = await confidential.code(person);
  for (const client_secret of ["", "wrong"]) {
    expect(failure(await confidential.redeem(code, { client_secret }))).toEqual([
      ...[401, "invalid_client"],
    ]);
  }
  expect((await confidential.redeem(code)).status).toBe(200);
  const own = await assistant.code(person);
  expect(failure(await assistant.redeem(own, { client_secret: "any" }))).toEqual([
    ...[401, "invalid_client"],
  ]);
  const { agent_id } = service.demo.agent;
  for (const client_id of ["", "cli_unknown", agent_id]) {
    expect(failure(await assistant.redeem(own, { client_id }))).toEqual([401, "invalid_client"]);
  }
});

test("an unknown client or address is told to the person, never answered by a redirect", async () => {
  const other = await Assistant.register(service, { redirect_uris: ["http://127.0.0.1:1/cb"] });
  for (const [client, parameters] of [
    [assistant, { client_id: "" }],
    [assistant, { client_id: "cli_unknown" }],
    [assistant, { client_id: service.demo.agent.agent_id }],
    ...[
      ...["", "https://evil.example/", `${CALLBACK}/`, `${CALLBACK}?x=1`, `${CALLBACK}#f`],
      ...["https://assistant.example/", "http://assistant.example/callback", "/callback"],
      ...["https://assistant.example@evil.example/callback", "https://ASSISTANT.example/callback"],
      ...["https://assistant.example/x/../callback", "https://assistant.example:443/callback"],
      ...["javascript:alert(1)", "//evil.example/", other.redirect_uri],
    ].map((redirect_uri) => [assistant, { redirect_uri }] as const),
    [other, { redirect_uri: "http://127.0.0.1:2@evil.example/cb" }],
    [other, { redirect_uri: "http://localhost:1/cb" }],
    [other, { redirect_uri: "http://127.0.0.1:99999/cb" }],
  ] as const) {
    const seen = await person.get(client.page(parameters as Record<string, string>));
    expect({ parameters, to: [seen.status, seen.location] }).toEqual({
      parameters,
      to: [400, null],
    });
    expect(seen.html).not.toContain("evil.example");
  }
  const twice = `${assistant.page()}&redirect_uri=${encodeURIComponent("https://evil.example/")}`;
  expect(await person.get(twice)).toMatchObject({ status: 400, location: null });
  await other.asks(person, { redirect_uri: "http://127.0.0.1:54321/cb" });
});

/** The client's answer behind the page's link: nobody is led to an unverified address unasked. */
function answerIn({ status, location, html }: Seen): URL {
  expect([status, location]).toEqual([400, null]);
  const [, href = ""] = /<a class="button" href="([^"]*)" rel="noreferrer"/.exec(html) ?? [];
  return new URL(href.replaceAll("&amp;", "&"));
}

test("every other fault is answered to the client, with its state and who answers", async () => {
  for (const [parameters, error] of [
    [{ code_challenge: "" }, "invalid_request"],
    [{ code_challenge_method: "" }, "invalid_request"],
    [{ code_challenge_method: "plain", code_challenge: VERIFIER }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ response_type: "" }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: "code token" }, "unsupported_response_type"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ scope: "everything" }, "invalid_scope"],
    [{ resource: "https://evil.example/mcp" }, "invalid_target"],
  ] as const) {
    const seen = await person.get(assistant.page(parameters as Record<string, string>));
    const { origin, pathname, searchParams } = answerIn(seen);
    expect(origin + pathname).toBe(CALLBACK);
    const { error_description, ...answer } = Object.fromEntries(searchParams);
    expect({ parameters, answer }).toEqual({
      ...{ parameters, answer: { error, state: "s t&=å", iss: base } },
    });
    expect(error_description).toMatch(/^[\x20-\x7e]+$/);
  }
  const twice = await person.get(`${assistant.page({ state: "" })}&scope=search`);
  const answer = answerIn(twice).searchParams;
  expect([answer.get("error"), answer.get("state")]).toEqual(["invalid_request", null]);
});

test("the operator's answer has the state as it was, and none where there was none", async () => {
  for (const state of ["s t&=å", "%00+%2B", ""]) {
    const { location, status } = await assistant.allowed(person, { state });
    const answer = new URL(location!).searchParams;
    expect([status, answer.get("state"), answer.get("iss")]).toEqual([303, state || null, base]);
  }
  const consent = await assistant.asks(person);
  const refused = await person.submit(consent, `${consent}/refuse`);
  const { searchParams } = new URL(refused.location!);
  expect(searchParams.get("error")).toBe("access_denied");
  expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["s t&=å", base]);
  expect((await person.get(consent)).status).toBe(404);
});

test("a code needs its verifier, its address and its client, and works once", async () => {
  const code = await assistant.code(person);
  const other = await Assistant.register(service);
  for (const wrong of ["x".repeat(43), VERIFIER.slice(1), `${VERIFIER}x`]) {
    const answer = await assistant.redeem(code, { code_verifier: wrong });
    expect(failure(answer)).toEqual(INVALID_GRANT);
  }
  for (const name of ["code_verifier", "redirect_uri", "code"]) {
    const answer = await assistant.redeem(code, { [name]: "" });
    expect(failure(answer)).toEqual([400, "invalid_request"]);
  }
  expect(failure(await other.redeem(code))).toEqual(INVALID_GRANT);
  const elsewhere = await assistant.redeem(code, { redirect_uri: `${CALLBACK}/` });
  expect(failure(elsewhere)).toEqual(INVALID_GRANT);
  const target = await assistant.redeem(code, { resource: base });
  expect(failure(target)).toEqual([400, "invalid_target"]);
  const tokens = (await assistant.redeem(code)).json as Record<string, string>;
  expect(await toolsStatus(service, tokens.access_token!)).toBe(200);
  // A code that comes again was stolen: all that it gave ends.
  expect(failure(await assistant.redeem(code))).toEqual(INVALID_GRANT);
  await until("the access token ends", async () => {
    return (await toolsStatus(service, tokens.access_token!)) === 401;
  });
  expect(failure(await assistant.refresh(tokens.refresh_token!))).toEqual(INVALID_GRANT);
});

test("of an app on a computer, the code is for the port that asked", async () => {
  const app = await Assistant.register(service, { redirect_uris: ["http://127.0.0.1/cb"] });
  const redirect_uri = "http://127.0.0.1:5001/cb";
  const seen = await app.allowed(person, { redirect_uri });
  expect(seen.location).toStartWith(`${redirect_uri}?code=`);
  const code = new URL(seen.location!).searchParams.get("code")!;
  const another = await app.redeem(code, { redirect_uri: "http://127.0.0.1:5002/cb" });
  expect(failure(another)).toEqual(INVALID_GRANT);
  expect((await app.redeem(code, { redirect_uri })).status).toBe(200);
});

test("a code that is too old is of no use, nor is a request", async () => {
  const own = await Assistant.register(service);
  const code = await own.code(person);
  const mine = `client_id = '${own.client_id}'`;
  age("oauth_grant", mine, "created_at", CODE_TTL_MS);
  expect(failure(await own.redeem(code))).toEqual(INVALID_GRANT);
  const late = await Assistant.register(service);
  const consent = await late.asks(person);
  const { html } = await person.get(consent);
  age("request", `client_id = '${late.client_id}'`, "created_at", REQUEST_TTL_MS);
  const action = `${consent}/allow`;
  const sent = { ...hiddenFields(html, action), scope_search: "yes" };
  expect(await person.send(action, sent)).toMatchObject({ status: 404, location: null });
  expect((await person.get(consent)).status).toBe(404);
});

test("consent is taken from our own page alone, with the token of the session", async () => {
  const consent = await assistant.asks(person);
  const action = `${consent}/allow`;
  const { html } = await person.get(consent);
  const sent = { ...hiddenFields(html, action), scope_search: "yes" };
  for (const site of ["cross-site", "same-site", "none"]) {
    const forged = await person.send(action, sent, { "sec-fetch-site": site });
    expect([forged.status, forged.location]).toEqual([403, null]);
  }
  const foreign = await person.send(action, sent, { origin: "https://evil.example" });
  expect([foreign.status, foreign.location]).toEqual([403, null]);
  for (const form_token of ["", "0".repeat(64)]) {
    const forged = await person.send(action, { ...sent, form_token });
    expect([forged.status, forged.location]).toEqual([403, null]);
  }
  // The token of the other form, and that of another operator's session.
  const { form_token } = hiddenFields(html, `${consent}/refuse`);
  expect((await person.send(action, { ...sent, form_token: form_token! })).status).toBe(403);
  const other = await signedIn(service);
  const kept = await other.send(action, sent);
  expect(kept.status).toBe(403);
  // It is asked once more, on a page whose form leads to the client as well.
  expect(kept.headers.get("content-security-policy")).toMatch(CONSENT_CSP);
  const nobody = new Person(service);
  expect((await nobody.send(action, sent)).status).toBe(403);
  expect((await nobody.get(consent)).location).toBe(
    `/console/sign-in?to=${encodeURIComponent(consent)}`,
  );
  expect((await person.send(action, sent)).location).toStartWith(`${CALLBACK}?code=`);
});

test("neither page is framed or kept, and a form leads to the client's site alone", async () => {
  const first = await person.get(assistant.page());
  const consent = await person.get(await assistant.asks(person));
  for (const { headers } of [first, consent]) {
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(first.headers.get("content-security-policy")).toContain("form-action 'self';");
  expect(consent.headers.get("content-security-policy")).toMatch(CONSENT_CSP);
  const agents = await person.get("/console/agents");
  expect(agents.headers.get("content-security-policy")).toContain("form-action 'self';");
});

test("a name that is markup is shown as text on both pages", async () => {
  const hostile = await Assistant.register(service, { client_name: HOSTILE_NAME });
  for (const path of [hostile.page(), await hostile.asks(person)]) {
    const { html } = await person.get(path);
    expect(html).toContain("&quot;>&lt;img src=x onerror=&quot;document.title=1&quot;> فندق");
    expect(html).not.toContain("<img src=x");
  }
});

test("an agent gets what was ticked of what was asked for, within the operator's rights", async () => {
  const limits = { rpm: "120", max_amount: "500", currency: "EUR" };
  const asked = { scope: "search quotes admin:agents offline_access unknown" };
  const own = await Assistant.register(service);
  const page = await person.get(await own.asks(person, asked));
  expect(page.html).toContain('name="scope_admin:agents" value="yes"/>');
  expect(page.html).not.toContain("scope_holds");
  const forged = { "scope_admin:webhooks": "yes", scope_holds: "yes", agent: "" };
  const fields = { ...limits, ...forged };
  const { access_token, scope } = await own.connect(person, asked, fields);
  expect(scope).toBe("search quotes");
  expect(await agentOf(access_token)).toMatchObject({
    ...{ name: "Tripmate", kind: "agent", mode: "live", scopes: ["search", "quotes"] },
    ...{ property_ids: null, connection: { client_id: own.client_id } },
    limits: { rpm: 120, max_booking_amount: { amount: 50_000, currency: "EUR" } },
  });
  const all = await (await Assistant.register(service)).connect(person, { scope: "" });
  expect(all.scope.split(" ").sort()).toEqual([...DEFAULT_SCOPES].sort());
  const admin = { "scope_admin:agents": "yes", agent: "" };
  const operator = await own.connect(person, asked, admin);
  expect(await agentOf(operator.access_token)).toMatchObject({
    ...{ kind: "operator", scopes: ["search", "quotes", "admin:agents"] },
  });
});

test("chosen hotels are the only ones; a form without rights or hotels asks again", async () => {
  const consent = await assistant.asks(person);
  const { html } = await person.get(consent);
  const [, hotel] = /name="hotel_([^"]+)"/.exec(html) ?? [];
  const chosen = { hotels: "chosen", [`hotel_${hotel}`]: "yes", agent: "" };
  const { access_token } = await assistant.connect(person, {}, chosen);
  expect((await agentOf(access_token)).property_ids).toEqual([hotel!]);
  const action = `${consent}/allow`;
  const hidden = hiddenFields(html, action);
  const noRight = await person.send(action, { ...hidden, hotels: "all" });
  expect([noRight.status, noRight.html.includes("at least one right")]).toEqual([409, true]);
  const noHotel = await person.send(action, { ...hidden, scope_search: "yes", hotels: "chosen" });
  expect([noHotel.status, noHotel.html.includes("at least one hotel")]).toEqual([409, true]);
});

test("an operator that may not create agents cannot let anybody in", async () => {
  const [reader] = await service.newAgents([{ kind: "operator", scopes: ["search", "quotes"] }]);
  const other = await signedIn(service, reader);
  const consent = await assistant.asks(other);
  const { html } = await other.get(consent);
  expect(html).toContain("You cannot allow this");
  const action = `${consent}/allow`;
  expect(html).not.toContain(`action="${action}"`);
  const { form_token } = hiddenFields((await person.get(consent)).html, action);
  const forged = await other.send(action, { form_token: form_token!, scope_search: "yes" });
  expect([forged.status, forged.location]).toEqual([403, null]);
});

test("the agent is of the operator's tenant and mode, and others' connections are not seen", async () => {
  const { access_token } = await assistant.connect(person, {}, { agent: "" });
  const { sub } = claimsOf(access_token);
  for (const operator of [service.demo.second_tenant.admin, service.demo.test_admin]) {
    const other = await signedIn(service, operator);
    const { html } = await other.get(await assistant.asks(other));
    expect(html).not.toContain("It is connected already");
    const { access_token: theirs } = await assistant.connect(other, {}, { agent: sub! });
    const [mine, own] = [claimsOf(access_token), claimsOf(theirs)];
    expect([own.tenant_id, own.mode]).not.toEqual([mine.tenant_id, mine.mode]);
    expect(own.sub).not.toBe(sub);
  }
  expect(await toolsStatus(service, access_token)).toBe(200);
});

test("a token of the way is for MCP unless another resource was asked for", async () => {
  const [own, other] = [await Assistant.register(service), await Assistant.register(service)];
  const { access_token } = await own.connect(person);
  const headers = (token: string) => ({ authorization: `Bearer ${token}` });
  const properties = (token: string) =>
    service.api("GET", "/v1/properties", { agent: null, headers: headers(token) });
  (await properties(access_token)).refused("unauthenticated");
  const asked = { resource: base, scope: "supply:read" };
  const whole = await other.connect(person, asked);
  (await properties(whole.access_token)).ok();
  expect(await toolsStatus(service, whole.access_token)).toBe(401);
});
