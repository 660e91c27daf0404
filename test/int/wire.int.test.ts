/**
 * Goal: the small rules of the wire: routes and methods, sizes and types of bodies,
 * query names, ids, traces, cache headers, the catalogue. Method: the service's own table of
 * routes gives the cases, so a new route is covered the day it is added.
 */
import { expect, test } from "bun:test";
import { METHODS, RELS } from "../../src/actions/steps.ts";
import { ROUTES } from "../../src/app.ts";
import { readsJson } from "../../src/http/contract.ts";
import { type Answer, keysOf } from "../support/answer.ts";
import { createHotel, newKey, stayRequest } from "../support/client.ts";
import { STATUS_OF } from "../support/contract.ts";
import { isForOperators } from "../support/declared.ts";
import { decoded } from "../support/decoded.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const KIB = 1024;

const service = await serviceOfFile();

const concrete = (path: string) => path.replace(/:\w+/g, "some-id");
const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
const PATHS = [...new Set(ROUTES.published.map(({ path }) => path))];
const protectedRoutes = ROUTES.all.filter(({ access }) => access !== "public");

function callerFor(path: string, method = "GET") {
  const isAdmin = path.startsWith("/v1/admin") || isForOperators(method, path);
  return isAdmin ? service.demo.admin : service.demo.agent;
}

const isOauth = (path: string) => path.startsWith("/oauth/");

/** OAuth refuses in its own small body, which has two values. */
function expectSmall(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual({
    error: "invalid_client",
    error_description: expect.stringContaining("the request "),
  });
}

test("a method that a path does not take is 405 with the methods it takes", async () => {
  for (const path of PATHS) {
    const answering = ROUTES.all.filter((route) => patternOf(route.path).test(concrete(path)));
    // `deliveries` is a path of its own and could be the id of an endpoint.
    const taken = [...new Set(answering.map(({ method }) => String(method)))];
    if (taken.includes("GET")) taken.push("HEAD");
    const options = await service.api("OPTIONS", concrete(path), { agent: null });
    expect(options.status).toBe(204);
    expect(options.headers.get("allow")!.split(", ").sort()).toEqual(taken.sort());
    for (const method of METHODS.filter((each) => !taken.includes(each))) {
      const answer = await service.api(method, concrete(path), { agent: null });
      const allow = answer.headers.get("allow")!.split(", ").sort();
      expect({ path, allow }).toEqual({ path, allow: taken.sort() });
      if (isOauth(path)) {
        expectSmall(answer, 405);
        continue;
      }
      const { detail } = answer.refused("validation_failed", 405);
      expect(detail.allowed).toEqual(answer.headers.get("allow")!.split(", "));
      expect(detail.field_errors).toHaveLength(1);
    }
  }
});

test("an unknown path is 404, and a path has one spelling", async () => {
  const unknown = ["/v1", "/v1/", "/v2/holds", "/v1/hold", "/V1/holds", "/v1/holds/a/b/c", "/x"];
  const slashed = PATHS.filter((path) => path !== "/").map((path) => `${concrete(path)}/`);
  for (const path of [...unknown, ...slashed]) {
    for (const method of ["GET", "POST"]) {
      const answer = await service.api(method, path);
      if (isOauth(path)) expectSmall(answer, 404);
      else expect(answer.refused("validation_failed", 404).detail.path).toBe(path);
    }
  }
});

test("unknown query names are refused under /v1 and ignored elsewhere", async () => {
  const ours = protectedRoutes.filter(({ path }) => path.startsWith("/v1/"));
  for (const { method, path, query: known = {} } of ours) {
    const query = "?cursor=a&offset=1&page=2&limit=3";
    const answer = await service.api(method, concrete(path) + query, {
      agent: callerFor(path, method),
    });
    if (answer.anyRefusal().code.startsWith("delegation")) continue;
    // What is known and missing is told beside them.
    const faults = answer.faults().filter((each) => /^\?/.test(each) && !(each.slice(1) in known));
    const unknown = ["cursor", "limit", "offset", "page"].filter((name) => !(name in known));
    expect({ path, faults }).toEqual({ path, faults: unknown.map((name) => `?${name}`) });
  }
  for (const path of ["/", "/healthz", "/readyz", "/.well-known/errors"]) {
    expect((await service.api("GET", `${path}?probe=1`, { agent: null })).status).toBe(200);
  }
});

test("a body may have as many bytes as its route allows and not one more", async () => {
  const { stay, guests } = stayRequest(await createHotel(service));
  const hotel = await createHotel(service);
  const routes = [
    { method: "POST", path: "/v1/search", body: { stay, guests }, most: 64 * KIB },
    {
      method: "PUT",
      path: `/v1/admin/properties/${hotel.id}/ari`,
      body: { rates: [] },
      most: 512 * KIB,
    },
  ];
  for (const { method, path, body, most } of routes) {
    const text = JSON.stringify(body);
    const padded = (bytes: number) => text + " ".repeat(bytes - text.length);
    const chunked = (bytes: number) => new Blob([padded(bytes)]).stream();
    const agent = callerFor(path, method);
    for (const raw of [padded(most), chunked(most)]) {
      (await service.api(method, path, { agent, raw })).ok();
    }
    for (const raw of [padded(most + 1), chunked(most + 1), chunked(4 * most)]) {
      const answer = await service.api(method, path, { agent, raw });
      expect(answer.faults()).toEqual([""]);
      const [fault] = answer.refused("validation_failed").detail.field_errors!;
      expect(fault!.expected).toBe(`≤ ${most} bytes`);
    }
  }
});

test("a body that is not well-formed JSON of its type is refused without a server error", async () => {
  const texts = [
    ...["{", "{]", "{'a':1}", '{"quote_id":}', "undefined", "NaN", '{"quote_id":"\\ud800"}'],
    ...['{"quote_id":"\\udc00\\ud800"}', '{"\\ud83d":1}', `${"[".repeat(33)}${"]".repeat(33)}`],
    ...["[".repeat(30_000), `{"a":${"[".repeat(60_000)}`, "\u0000", '"\u0001"'],
  ];
  for (const { method, path, access, ...route } of ROUTES.all) {
    if (!readsJson(route) || access === "public") continue;
    const headers = { "x-delegated-user": await service.mintDelegation(), "idempotency-key": "k" };
    const agent = callerFor(path, method);
    for (const raw of texts) {
      const answer = await service.api(method, concrete(path), { agent, headers, raw });
      expect({ path, raw, faults: answer.faults() }).toEqual({ path, raw, faults: [""] });
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"]) {
      const typed = { ...headers, "content-type": type };
      const answer = await service.api(method, concrete(path), {
        agent,
        headers: typed,
        raw: "{}",
      });
      expect(answer.faults()).toEqual(["Content-Type"]);
    }
  }
  for (const type of [
    "application/json; charset=utf-8",
    "application/vnd.api+json",
    "APPLICATION/JSON",
  ]) {
    const headers = { "idempotency-key": newKey(), "content-type": type };
    const raw = '{"quote_id":"\\ud83d\\ude00"}';
    (await service.api("POST", "/v1/holds", { headers, raw })).refused("quote_not_found");
  }
});

test("a malformed id is an unknown id, in paths and in bodies", async () => {
  const ids = [
    ...["x", "a".repeat(64), "a".repeat(65), "a".repeat(2_000), "%00", "%ff", "%E0%A4%A", "a%2Fb"],
    ...[
      "%F0%9F%8F%A8",
      "hld_",
      "hld_0",
      "bkg_ZZZZ",
      "1",
      "null",
      "-1",
      "'%20OR%201=1",
      "__proto__",
    ],
    crypto.randomUUID(),
  ];
  const { stay, guests } = stayRequest(await createHotel(service));
  const headers = { "x-delegated-user": await service.mintDelegation() };
  const { admin } = service.demo;
  for (const id of ids) {
    const post = (path: string, body?: object) =>
      service.api("POST", path, { headers: { ...headers, "idempotency-key": newKey() }, body });
    const get = (path: string) => service.api("GET", path);
    (await get(`/v1/holds/${id}`)).refused("hold_not_found");
    (await post(`/v1/holds/${id}/release`)).refused("hold_not_found");
    (await post(`/v1/holds/${id}/extend`)).refused("hold_not_found");
    for (const rest of ["", "/audit", "/cancellation-quote", "/refunds/x"]) {
      (await get(`/v1/bookings/${id}${rest}`)).refused("booking_not_found");
    }
    (await post(`/v1/bookings/${id}/cancel`)).refused("booking_not_found");
    (await get(`/v1/properties/${id}`)).refused("property_not_found");
    (await get(`/v1/properties/${id}/full`)).refused("property_not_found");
    const path = `/v1/admin/properties/${id}`;
    (await service.api("GET", path, { agent: admin })).refused("property_not_found");
    const ari = { agent: admin, body: { rates: [] } };
    (await service.api("PUT", `${path}/ari`, ari)).refused("property_not_found");
    (await service.api("POST", `${path}/promote`, { agent: admin })).refused("property_not_found");
    if (id.length > 64) continue;
    (await post("/v1/holds", { quote_id: id })).refused("quote_not_found");
    const quote = { hotel_id: id, room_type_id: id, rate_plan_id: id, stay, guests };
    (await post("/v1/quotes", quote)).refused("property_not_found");
  }
});

test("a caller's trace is kept, a bad one is replaced", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const span = "00f067aa0ba902b7";
  const traceIds = async (traceparent: string) => {
    const headers = { traceparent };
    const good = await service.api("GET", "/v1/properties", { headers });
    const bad = await service.api("GET", "/v1/holds/x", { headers });
    const lost = await service.api("GET", "/nowhere", { headers });
    return [good.ok().trace_id, bad.anyRefusal().trace_id, lost.anyRefusal().trace_id];
  };
  for (const good of [`00-${trace}-${span}-01`, `cc-${trace}-${span}-01-more`]) {
    expect(await traceIds(good)).toEqual([trace, trace, trace]);
  }
  for (const bad of [
    ...[`ff-${trace}-${span}-01`, `00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${span}`],
    ...[`00-${trace}-${"0".repeat(16)}-01`, `00-${trace}-${span}-01-more`, "x"],
    `00-${trace.toUpperCase()}-${span}-01`,
  ]) {
    const made = await traceIds(bad);
    expect(new Set([...made, trace]).size).toBe(4);
  }
});

test("the catalogue is published with exactly the contract's codes, each with its status", async () => {
  const answer = await service.api("GET", "/.well-known/errors", { agent: null });
  const { errors } = answer.json as {
    errors: readonly { code: string; status: number; next_actions: readonly { rel: string }[] }[];
  };
  const statuses = Object.fromEntries(errors.map(({ code, status }) => [code, status]));
  expect(statuses).toEqual({ ...STATUS_OF });
  for (const entry of errors) {
    expect(keysOf(entry)).toEqual(["code", "docs_url", "next_actions", "remediation", "status"]);
    for (const { rel } of entry.next_actions) expect<readonly string[]>(RELS).toContain(rel);
  }
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
});

test("answers are compressed for clients that accept it, by REST, MCP and A2A alike", async () => {
  const hotel = await createHotel(service);
  const { stay, guests } = stayRequest(hotel);
  const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const accept = "application/json, text/event-stream";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const part = { kind: "data", data: { skill: "search", input: { stay, guests } } };
  const message = { kind: "message", role: "user", messageId: "1", parts: [part] };
  const reads: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["GET", `/v1/properties/${hotel.id}`],
    ["GET", "/v1/properties"],
    ["POST", "/v1/search", { stay, guests }],
    ["POST", "/a2a", call("message/send", { message })],
    ["POST", "/mcp", call("tools/list", { _meta })],
  ];
  for (const [method, path, body] of reads) {
    const ask = (coding: string) =>
      fetch(service.baseUrl + path, {
        ...{ method, decompress: false, ...(body && { body: JSON.stringify(body) }) },
        headers: {
          ...(path === "/mcp" && { ...modern, accept }),
          authorization: `Bearer ${service.demo.agent.secret}`,
          "content-type": "application/json",
          "accept-encoding": coding,
        },
      });
    const plain = await ask("identity");
    const length = (await plain.bytes()).length;
    expect({ path, status: plain.status, coding: plain.headers.get("content-encoding") }).toEqual({
      ...{ path, status: 200, coding: null },
    });
    for (const coding of ["br", "gzip", "zstd"]) {
      const { headers, ...answer } = await ask(coding).then(whole);
      expect({ path, coding: headers.get("content-encoding") }).toEqual({ path, coding });
      expect(headers.get("vary")).toContain("Accept-Encoding");
      expect(headers.get("content-length")).toBe(String(answer.bytes.length));
      expect(answer.bytes.length).toBeLessThan(length);
      JSON.parse(decoded(answer.bytes, coding));
    }
  }
});

test("a property or a list is not sent again until it has changed", async () => {
  const { id } = await createHotel(service);
  const admin = service.demo.admin;
  for (const path of [`/v1/properties/${id}`, `/v1/properties/${id}/full`, "/v1/properties"]) {
    const ask = (known?: string) =>
      service.api("GET", path, known === undefined ? {} : { headers: { "if-none-match": known } });
    const etag = (await ask()).headers.get("etag")!;
    expect(etag).toStartWith('W/"');
    const again = await ask(etag);
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    const body = { name: `Hotel ${newKey()}` };
    (await service.api("PATCH", `/v1/admin/properties/${id}`, { agent: admin, body })).ok();
    const changed = await ask(etag);
    expect([changed.status, changed.headers.get("etag") !== etag]).toEqual([200, true]);
    expect(changed.text).toContain(body.name);
    const head = await service.api("HEAD", path);
    expect(head.headers.get("etag")).toBe(changed.headers.get("etag"));
    // A tag leads nobody past the checks.
    const headers = { "if-none-match": "*" };
    (await service.api("GET", path, { agent: null, headers })).refused("unauthenticated");
  }
});

const whole = async (response: Response) => ({
  headers: response.headers,
  bytes: await response.bytes(),
});

test("discovery may be kept for a while, properties by who asks each time, all else never", async () => {
  const cacheOf = async (path: string) =>
    (await service.api("GET", path)).headers.get("cache-control");
  expect(await cacheOf("/")).toBe("public, max-age=300");
  expect(await cacheOf("/.well-known/delegation-issuers")).toBe("public, max-age=60");
  for (const path of ["/healthz", "/readyz", "/v1/properties/x", "/v1/holds/x"]) {
    expect(await cacheOf(path)).toBe("no-store");
  }
  // Kept by who asked alone, and asked for again each time.
  expect(await cacheOf("/v1/properties")).toBe("private, no-cache");
  const index = (await service.api("GET", "/", { agent: null })).json as { links: object };
  expect(index).toMatchObject({ name: "innkeep", protocol_version: "1.0" });
  const ready = (await service.api("GET", "/readyz", { agent: null })).ok().data;
  expect(keysOf(ready)).toEqual(["dependencies", "service", "status", "timestamp"]);
  const issuers = (await service.api("GET", "/.well-known/delegation-issuers")).json as {
    issuers: readonly object[];
  };
  expect(issuers.issuers.map(keysOf)).toEqual([
    ["allowed_audiences", "iss", "jwks_url", "name", "status"],
  ]);
});
