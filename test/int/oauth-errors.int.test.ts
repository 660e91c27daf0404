/**
 * Goal: whatever goes wrong under `/oauth` is told as OAuth tells it: 4xx in its small
 * body with one of two values, with the headers that say what to do; what is broken on our side in
 * the envelope, which says when to come again. Method: every method on every path and beside it,
 * too many requests of an address and of a client, a store that is busy.
 */
import { expect, test } from "bun:test";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const FORM = "application/x-www-form-urlencoded";
const POSTS = ["/oauth/token", "/oauth/revoke", "/oauth/introspect"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const service = await serviceOfFile({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });

interface Sent {
  readonly method?: string;
  readonly raw?: string;
  readonly type?: string;
  readonly by?: DemoAgent;
}

/** One request; credentials go in the body, as clients send them. */
function send(path: string, { method = "POST", raw, type = FORM, by }: Sent = {}): Promise<Answer> {
  const credentials = by && `client_id=${by.agent_id}&client_secret=${by.secret}&token=t`;
  const body = raw ?? credentials ?? "";
  const sent = method === "GET" ? {} : { raw: body, headers: { "content-type": type } };
  return service.api(method, path, { agent: null, ...sent });
}

/** The description of a 4xx in OAuth's body, whose headers are those of an answer nobody keeps. */
function smallBody(answer: Answer, status: number, error = "invalid_client"): string {
  const { json, headers } = answer;
  const { error_description } = json as { readonly error_description: string };
  expect({ call: answer.call, status: answer.status, json }).toEqual({
    ...{ call: answer.call, status, json: { error, error_description } },
  });
  // RFC 6749 §5.2: %x20-21 / %x23-5B / %x5D-7E.
  expect(error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,500}$/);
  expect(headers.get("content-type")).toStartWith("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  return error_description;
}

test("a method that a path does not take is 405 in the small body and names those it takes", async () => {
  for (const path of [...POSTS, "/oauth/register"]) {
    for (const method of METHODS.filter((each) => each !== "POST")) {
      const answer = await send(path, { method });
      expect(smallBody(answer, 405)).toContain("POST");
      expect(answer.headers.get("allow")).toBe("POST");
    }
    const options = await send(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST"]);
  }
  // A page, for a person.
  const page = await send("/oauth/authorize");
  expect([page.status, page.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("a path that does not exist is 404 in the small body below /oauth, in the envelope beside it", async () => {
  for (const method of METHODS) {
    for (const path of [
      "/oauth",
      "/oauth/",
      "/oauth/tokens",
      "/oauth/token/",
      "/oauth/token/x/y",
    ]) {
      smallBody(await send(path, { method }), 404);
    }
    for (const path of ["/oauth2/token", "/OAuth/token", "/v1/oauth/token", "/"]) {
      const answer = await send(path, { method });
      if (method === "GET" && path === "/") continue;
      answer.refused("validation_failed", path === "/" ? 405 : 404);
    }
  }
});

test("a request at fault is 400 or 401 in the small body with one of the two values", async () => {
  const { agent } = service.demo;
  for (const path of POSTS) {
    smallBody(await send(path, { raw: "{", type: "application/json" }), 400);
    smallBody(await send(path, { raw: "x", type: "text/plain" }), 400);
    smallBody(await send(path, { raw: `x=${"x".repeat(70_000)}` }), 400);
    smallBody(await send(path, { raw: "a=%22%5C%C3%A9&token=t" }), path === POSTS[0] ? 400 : 401);
    smallBody(await send(path, { raw: "grant_type=client_credentials&token=t" }), 401);
  }
  const grant = `grant_type=client_credentials&client_id=${agent.agent_id}`;
  const asking = `${grant}&client_secret=${agent.secret}&scope=nothing`;
  smallBody(await send("/oauth/token", { raw: asking }), 400, "invalid_scope");
  const type = "application/json";
  for (const raw of ["{", "[]", "{}"]) {
    const error = raw === "{}" ? "invalid_redirect_uri" : "invalid_client_metadata";
    smallBody(await send("/oauth/register", { raw, type }), 400, error);
  }
});

test("a client that asks too often gets 429 in the small body with its rate", async () => {
  const [hasty] = await service.newAgents([{ limits: { rpm: 1, burst: 4 } }]);
  for (const path of ["/oauth/introspect", "/oauth/revoke"]) {
    let answer = await send(path, { by: hasty! });
    while (answer.status === 200) {
      expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=4;w=240');
      answer = await send(path, { by: hasty! });
    }
    const seconds = Number(answer.headers.get("retry-after"));
    expect(smallBody(answer, 429)).toBe(`too many requests: wait ${seconds} s`);
    expect(seconds).toBeWithin(1, 61);
    expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=4;w=240');
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
  }
});

test("what is broken on our side is in the envelope and says when to come again", async () => {
  const { agent } = service.demo;
  const grant = `client_id=${agent.agent_id}&client_secret=${agent.secret}`;
  const asked = await send("/oauth/token", { raw: `grant_type=client_credentials&${grant}` });
  const { access_token } = asked.json as { readonly access_token: string };
  const revoke = () => send("/oauth/revoke", { raw: `${grant}&token=${access_token}` });
  const busy = await service.whileStoreIsBusy(revoke);
  const { detail, retry_after } = busy.refused("upstream_unavailable");
  expect({ detail, retry_after }).toEqual({
    detail: { upstream: "control_store" },
    retry_after: 1,
  });
  expect(busy.headers.get("cache-control")).toBe("no-store");
  expect(await revoke()).toMatchObject({ status: 200, text: "{}" });
});

test("who comes while another process writes is told to come again", async () => {
  const redirect_uris = ["https://assistant.example/callback"];
  const raw = JSON.stringify({ redirect_uris, token_endpoint_auth_method: "none" });
  const register = () => send("/oauth/register", { raw, type: "application/json" });
  const busy = await service.whileStoreIsBusy(register, "oauth.db");
  const { detail, retry_after } = busy.refused("upstream_unavailable");
  expect([detail, retry_after]).toEqual([{ upstream: "disk", reason: "busy" }, 1]);
  expect((await register()).status).toBe(201);
});

test("an address that asks too often gets 429 in the small body", async () => {
  const limits = { token: 60, revoke: 60, introspect: 600 };
  for (const [name, limit] of Object.entries(limits)) {
    const path = `/oauth/${name}`;
    // Each endpoint has a limit of its own: what was refused beside it does not count here.
    smallBody(await send(path), 400);
    const answers = await Promise.all(Array.from({ length: limit + 30 }, () => send(path)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    for (const answer of limited) {
      const seconds = Number(answer.headers.get("retry-after"));
      expect(smallBody(answer, 429)).toBe(`too many requests: wait ${seconds} s`);
      expect(answer.headers.get("ratelimit-policy")).toBe(`"${name}";q=${limit};w=60`);
      expect(answer.headers.get("ratelimit")).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`));
    }
    smallBody(await send(path, { method: "GET" }), 405);
  }
});

test("a form of 64 KiB that is all names is refused at once", async () => {
  const by = { "x-forwarded-for": "203.0.113.9" };
  for (const path of POSTS) {
    const headers = { "content-type": FORM, ...by };
    const raw = "a&".repeat(32_767);
    const answer = await service.api("POST", path, { agent: null, headers, raw });
    expect(smallBody(answer, 400)).toBe("the form has more than 32 parameters");
  }
});
