/** The OAuth endpoints, and what an access token opens. */
import type { Actor, Ask, Reply } from "../session.ts";
import { unknownSecret, type World } from "../world.ts";

const FORM = "application/x-www-form-urlencoded";
const CLIENT = { grant_type: "client_credentials" };

type Fields = Readonly<Record<string, string>>;

/** Token, revocation, introspection, and tokens in use. */
export async function useOauth(world: World): Promise<void> {
  await authenticate(world);
  await askForTokens(world);
  await useTokens(world);
  await revokeAndIntrospect(world);
}

function idOf({ agent_id, secret }: Actor): Fields {
  return { client_id: agent_id, client_secret: secret };
}

function basic(id: string, secret: string): Fields {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}

function form(fields: Fields, headers: Fields = {}): Ask {
  const raw = new URLSearchParams(fields).toString();
  return { as: null, raw, headers: { "content-type": FORM, ...headers } };
}

/** How a client can say who it is, at each of the three endpoints. */
async function authenticate(world: World): Promise<void> {
  const { agent_id, secret } = world.main;
  const own = idOf(world.main);
  const by = basic(agent_id, secret);
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]) {
    const fields: Fields = path === "/oauth/token" ? CLIENT : { token: "x" };
    const json = (more: object, headers = {}) => ({
      as: null,
      body: { ...fields, ...more },
      headers,
    });
    const asks: Readonly<Record<string, Ask>> = {
      "basic form": form(fields, by),
      "basic JSON": json({}, by),
      "basic, lower case": form(fields, { authorization: by.authorization!.replace("B", "b") }),
      "post form": form({ ...fields, ...own }),
      "post JSON": json(own),
      both: form({ ...fields, ...own }, by),
      "both, other id": form({ ...fields, ...own, client_id: "agt_other" }, by),
      "both, other secret": form({ ...fields, client_secret: "x" }, by),
      nobody: form(fields),
      "id alone": form({ ...fields, client_id: agent_id }),
      "secret alone": form({ ...fields, client_secret: secret }),
      "wrong secret": form({ ...fields, ...own, client_secret: unknownSecret() }),
      "wrong id": form({ ...fields, ...own, client_id: world.operator.agent_id }),
      "basic, wrong secret": form(fields, basic(agent_id, "wrong")),
      "basic, no colon": form(fields, { authorization: `Basic ${btoa("x")}` }),
      "basic, no base64": form(fields, { authorization: "Basic ***" }),
      "basic, bad encoding": form(fields, basic("%zz", "x")),
      bearer: form(fields, { authorization: `Bearer ${secret}` }),
      suspended: form({ ...fields, ...idOf(world.agent("suspended")) }),
      revoked: form({ ...fields, ...idOf(world.agent("revoked")) }),
      "rate of its own": form({ ...fields, ...idOf(world.agent("default")) }),
      "too often": form({ ...fields, ...idOf(world.agent("slow-client")) }),
    };
    for (const [name, ask] of Object.entries(asks)) {
      await world.ask(`oauth: ${name}`, `POST ${path}`, ask);
    }
    await sendBadly(world, path, { ...fields, ...own });
  }
}

async function sendBadly(world: World, path: string, fields: Fields): Promise<void> {
  const text = JSON.stringify(fields);
  const encoded = new URLSearchParams(fields).toString();
  const typed = (raw: string | null, type: string): Ask => {
    return { as: null, raw, headers: { "content-type": type } };
  };
  const asks: Readonly<Record<string, Ask>> = {
    "no body": { as: null },
    "no type": typed(encoded, ""),
    "as text": typed(encoded, "text/plain"),
    "form with a charset": typed(encoded, `${FORM}; charset=UTF-8`),
    "form as JSON": typed(encoded, "application/json"),
    "JSON as form": typed(text, FORM),
    "broken JSON": typed(text.slice(1), "application/json"),
    "a list": typed("[]", "application/json"),
    "numbers in JSON": typed(
      text.replace(/"client_id":"[^"]*"/, '"client_id":1'),
      "application/json",
    ),
    "unknown in JSON": { as: null, body: { ...fields, nonsense: "1" } },
    "unknown in a form": form({ ...fields, nonsense: "1" }),
    "resource in JSON": { as: null, body: { ...fields, resource: "http://localhost:3000" } },
    "repeated in a form": typed(`${encoded}&client_id=a&scope=a&scope=b`, FORM),
    "empty values": form({ ...fields, scope: "", token_type_hint: "" }),
    "too large": typed(`${encoded}&x=${"x".repeat(70_000)}`, FORM),
    "a query": form(fields),
  };
  for (const [name, ask] of Object.entries(asks)) {
    const query = name === "a query" ? "?grant_type=password" : "";
    await world.ask(`oauth: ${name}`, `POST ${path}${query}`, ask);
  }
}

async function askForTokens(world: World): Promise<void> {
  const token = (fields: Fields, as = world.main) =>
    world.ask("oauth: token", "POST /oauth/token", form({ ...CLIENT, ...idOf(as), ...fields }));
  for (const grant_type of ["password", "authorization_code", "refresh_token", ""]) {
    await token({ grant_type });
  }
  const scopes = ["search", "search quotes search", " search  ", "admin:fx", "unknown", "search x"];
  for (const scope of scopes) await token({ scope });
  for (const scope of ["admin:*", "admin:fx", "admin:unknown"])
    await token({ scope }, world.operator);
  for (const name of ["unscoped", "scopeless", "service", "partner", "test"]) {
    await token({}, world.agent(name));
  }
  const base = "http://localhost:3000";
  for (const resource of [base, `${base}/`, `${base}/mcp`, "https://elsewhere.example", "x"]) {
    await token({ resource });
  }
  for (const query of ["", "?response_type=code&client_id=x", "?redirect_uri=https://a.example"]) {
    await world.ask("oauth: authorize", `GET /oauth/authorize${query}`, { as: null });
  }
}

async function newToken(world: World, fields: Fields, as: Actor): Promise<Actor> {
  const ask = form({ ...CLIENT, ...idOf(as), ...fields });
  const reply = await world.ask("oauth: token to use", "POST /oauth/token", ask);
  return { agent_id: as.agent_id, secret: reply.json.access_token ?? "missing" };
}

/** Tokens where secrets are taken: REST, MCP and A2A. */
async function useTokens(world: World): Promise<void> {
  const base = "http://localhost:3000";
  const whole = await newToken(world, {}, world.main);
  const [head = "", claims = ""] = whole.secret.split(".");
  const tokens: Readonly<Record<string, Actor>> = {
    whole,
    "to search": await newToken(world, { scope: "search" }, world.main),
    "for mcp": await newToken(world, { resource: `${base}/mcp` }, world.main),
    "for the base": await newToken(world, { resource: base }, world.main),
    operator: await newToken(world, { scope: "admin:fx" }, world.operator),
    "in test": await newToken(world, {}, world.agent("test")),
    forged: { ...whole, secret: `${head}.${claims}.${"A".repeat(86)}` },
    "of another issuer": { ...whole, secret: await world.tokens.sign() },
  };
  const search = { stay: world.stay(30), guests: { adults: 2 } };
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { accept: "application/json, text/event-stream" };
  for (const [name, as] of Object.entries(tokens)) {
    await world.ask(`access token: ${name}`, "GET /v1/properties", { as });
    await world.ask(`access token: ${name}`, "POST /v1/search", { as, body: search });
    await world.ask(`access token: ${name}`, "POST /v1/quotes", { as, body: world.quoteBody() });
    await world.ask(`access token: ${name}`, "GET /v1/admin/agents", { as });
    await world.ask(`access token: ${name}`, "PUT /v1/admin/fx", { as, body: {} });
    await world.ask(`access token: ${name}`, "POST /mcp", { as, headers, body: rpc });
    await world.ask(`access token: ${name}`, "POST /a2a", { as, body: rpc });
  }
}

async function revokeAndIntrospect(world: World): Promise<void> {
  const callers = [world.main, world.operator, world.agent("test"), world.agent("other")];
  const mine = await newToken(world, { scope: "search quotes" }, world.main);
  const introspect = (token: string, as: Actor): Promise<Reply> =>
    world.ask("oauth: introspect", "POST /oauth/introspect", form({ token, ...idOf(as) }));
  const revoke = (token: string, as: Actor): Promise<Reply> =>
    world.ask("oauth: revoke", "POST /oauth/revoke", form({ token, ...idOf(as) }));
  for (const as of callers) await introspect(mine.secret, as);
  for (const token of [world.main.secret, "x", `${mine.secret}x`, await world.tokens.sign()]) {
    await introspect(token, world.main);
    await revoke(token, world.main);
  }
  await revoke(mine.secret, world.agent("colleague"));
  await world.ask("oauth: not revoked", "POST /v1/search", { as: mine, body: {} });
  for (let i = 0; i < 2; i += 1) await revoke(mine.secret, world.main);
  await introspect(mine.secret, world.main);
  await world.ask("oauth: revoked", "POST /v1/search", { as: mine, body: {} });
  await world.ask("oauth: hint", "POST /oauth/revoke", {
    as: null,
    body: { token: "x", token_type_hint: "refresh_token", ...idOf(world.main) },
  });
}
