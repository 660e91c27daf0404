/**
 * Goal: each discovery document has its documented shape, is true, and can be cached, read by
 * any page and requested with HEAD. Method: a real service, closed schemas written by hand from the
 * contract, and for coverage a property that goes on sale during the test.
 */
import { expect, test } from "bun:test";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { ROUTES } from "../../src/app.ts";
import { documentedPath } from "../../src/http/contract.ts";
import { REFUSALS, remediationOf } from "../../src/refusals/catalogue.ts";
import { createHotel } from "../support/client.ts";
import { decoded } from "../support/decoded.ts";
import {
  AgentCard,
  AiCatalog,
  ApiCatalog,
  CommerceDiscovery,
  Coverage,
  expectShape,
  PluginManifest,
  ServerCard,
  ServiceIndex,
} from "../support/discovery-schemas.ts";
import { until, WHOLE_DEMO } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";
const SERVER_CARD_TYPE = "application/mcp-server-card+json";

/** Path → media type of every document. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "/": JSON_TYPE,
  "/.well-known/agent-card.json": JSON_TYPE,
  "/.well-known/ai-plugin.json": JSON_TYPE,
  "/.well-known/acp.json": JSON_TYPE,
  "/.well-known/errors": JSON_TYPE,
  "/.well-known/delegation-issuers": JSON_TYPE,
  "/.well-known/api-catalog":
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  "/.well-known/ai-catalog.json": "application/ai-catalog+json",
  "/mcp/server-card": SERVER_CARD_TYPE,
  "/.well-known/mcp/server-card.json": SERVER_CARD_TYPE,
  "/capabilities.json": JSON_TYPE,
  "/coverage.json": JSON_TYPE,
  "/llms.txt": TEXT_TYPE,
  "/llms-full.txt": TEXT_TYPE,
  "/legal": TEXT_TYPE,
  "/robots.txt": TEXT_TYPE,
  "/logo.svg": "image/svg+xml",
};
const PATHS = Object.keys(DOCUMENTS);

const service = await serviceOfFile(WHOLE_DEMO);

const get = (path: string, headers: Record<string, string> = {}) =>
  service.api("GET", path, { agent: null, headers });

async function json<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
  const answer = await get(path, headers);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return answer.json as T;
}

interface Card {
  readonly auth: { readonly schemes: readonly { type: string; name: string; required: boolean }[] };
  readonly capabilities: readonly {
    readonly id: string;
    readonly method: string;
    readonly href: string;
    readonly idempotent: boolean;
  }[];
  readonly flows: readonly { readonly id: string; readonly steps: readonly string[] }[];
  readonly contracts: { readonly delegation: Readonly<Record<string, unknown>> };
}

const card = () => json<Card>("/.well-known/agent-card.json");

interface City {
  readonly city: string;
  readonly country: string;
  readonly properties: number;
  readonly currencies: readonly string[];
}

const coverage = () =>
  json<{ readonly properties: number; readonly cities: readonly City[] }>("/coverage.json");

test("a document is publicly cacheable for 300 s and is not sent twice", async () => {
  for (const path of PATHS) {
    const { status, headers } = await get(`${path}?utm_source=probe`);
    const maxAge = path.endsWith("issuers") ? 60 : 300;
    expect({
      ...{ path, status, type: headers.get("content-type"), cache: headers.get("cache-control") },
      origin: headers.get("access-control-allow-origin"),
      sniffing: headers.get("x-content-type-options"),
    }).toEqual({
      ...{ path, status: 200, type: DOCUMENTS[path]!, cache: `public, max-age=${maxAge}` },
      ...{ origin: "*", sniffing: "nosniff" },
    });
    const etag = headers.get("etag")!;
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await get(path, { "if-none-match": `"other", ${etag}` });
    expect({ path, status: again.status, text: again.text }).toEqual({
      ...{ path, status: 304, text: "" },
    });
    expect(again.headers.get("etag")).toBe(etag);
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
  }
});

test("HEAD answers as GET does, without the body", async () => {
  const kept = ["content-type", "content-length", "cache-control", "etag", "link", "vary"];
  for (const path of PATHS) {
    const options = { agent: null };
    const [whole, head] = await Promise.all([get(path), service.api("HEAD", path, options)]);
    const headersOf = ({ headers }: typeof head) => kept.map((name) => [name, headers.get(name)]);
    expect({ path, status: head.status, text: head.text }).toEqual({ path, status: 200, text: "" });
    expect(headersOf(head)).toEqual(headersOf(whole));
  }
});

test("a document is compressed for clients that accept it, with the length of the bytes sent", async () => {
  const paths = [
    "/",
    "/.well-known/errors",
    "/capabilities.json",
    "/llms-full.txt",
    "/openapi.json",
  ];
  for (const path of [...paths, "/docs/guides", "/docs/assets/pages.css"]) {
    const plain = await get(path, { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const tags = new Set([plain.headers.get("etag")]);
    for (const coding of ["br", "gzip", "zstd"]) {
      const ask = (method: string, more: object = {}) => {
        const headers = { "accept-encoding": coding, ...more };
        return fetch(service.baseUrl + path, { method, headers, decompress: false });
      };
      const [got, head] = await Promise.all([ask("GET"), ask("HEAD")]);
      const bytes = await got.bytes();
      expect(decoded(bytes, coding)).toBe(plain.text);
      const about = ["content-encoding", "content-length", "content-type", "etag", "vary"];
      const [ofGot, ofHead] = [got, head].map(({ headers }) =>
        about.map((each) => headers.get(each)),
      );
      expect(ofHead!).toEqual(ofGot!);
      const vary = expect.stringContaining("Accept-Encoding");
      const type = plain.headers.get("content-type");
      const etag = got.headers.get("etag")!;
      expect(ofGot!).toEqual([coding, String(bytes.length), type, etag, vary]);
      tags.add(etag);
      const known = await ask("GET", { "if-none-match": etag });
      expect([known.status, known.headers.get("content-encoding")]).toEqual([304, null]);
    }
    expect({ path, tags: tags.size }).toEqual({ path, tags: 4 });
  }
});

test("a page of another origin may read documents with headers of its own", async () => {
  const headers = {
    origin: "https://agent.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "a2a-version",
  };
  for (const path of PATHS) {
    const answer = await service.api("OPTIONS", path, { agent: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD");
    expect(answer.headers.get("access-control-allow-headers")).toBe("*");
  }
});

test("the index links to everything, and its header to what describes the service", async () => {
  const index = await json<{ links: Record<string, string> }>("/");
  expectShape(ServiceIndex, index);
  expect(Object.keys(index.links)).toContain("oauth_protected_resource");
  const link = (await get("/")).headers.get("link")!;
  for (const [rel, target] of [
    ["service-desc", index.links.openapi_json],
    ["service-doc", index.links.docs],
    ["api-catalog", index.links.api_catalog],
  ]) {
    expect(link).toContain(`<${target}>; rel="${rel}"`);
  }
});

test("the agent card keeps every promise of the contract", async () => {
  const document = await card();
  expectShape(AgentCard, document);
  expect(document.flows.map(({ id, steps }) => `${id}: ${steps.join(", ")}`)).toEqual([
    "book_a_room: search, quote, hold, book",
    "rebook_after_hold_expiry: quote, hold, book",
    "cancel_with_refund: get_booking, cancel",
    "abandon_and_retry: release_hold, quote, hold, book",
    "prove_what_happened: get_booking, get_audit",
  ]);
  const ids = document.capabilities.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const step of document.flows.flatMap(({ steps }) => steps)) expect(ids).toContain(step);
  expect(document.auth.schemes.map(({ type, name, required }) => [type, name, required])).toEqual([
    ["bearer", "Authorization", true],
    ["header", "X-Tenant-Id", false],
    ["header", "X-Delegated-User", false],
    ["oauth2", "client_credentials", false],
    ["oauth2", "authorization_code", false],
  ]);
  expect(document.contracts.delegation.gated_routes).toEqual([
    { method: "POST", href: "/v1/bookings" },
    { method: "POST", href: "/v1/bookings/{id}/cancel" },
  ]);
});

test("a capability is idempotent when it reads or takes a key", async () => {
  const { capabilities } = await card();
  const not = capabilities.filter(({ idempotent }) => !idempotent).map(({ id }) => id);
  expect(not).toEqual(["search", "quote", "verify_receipt"]);
});

test("every call of the booking flow is a capability", async () => {
  const { capabilities } = await card();
  const covered = capabilities.map(({ method, href }) => `${method} ${href}`);
  const offered = ROUTES.published
    .filter(({ path, access, tag, tool }) => {
      const isForAgents = access !== "public" && access.kinds.includes("agent");
      // Of advisor and checkout a model needs only some; their sessions end by themselves.
      const isCovered = tool !== undefined || (tag !== "Advisor" && tag !== "Checkout");
      return path.startsWith("/v1/") && isForAgents && isCovered;
    })
    .map((route) => `${route.method} ${documentedPath(route)}`);
  expect(covered.toSorted()).toEqual([...offered, "POST /v1/receipts/verify"].toSorted());
});

test("a client that names an A2A version gets the card of A2A under the same address", async () => {
  const path = "/.well-known/agent-card.json";
  const ours = await get(path);
  const pure = await get(path, { "a2a-version": "1.0" });
  expect([ours.headers.get("vary"), pure.headers.get("vary")]).toEqual([
    "A2A-Version, Accept-Encoding",
    "A2A-Version, Accept-Encoding",
  ]);
  expect(pure.headers.get("etag")).not.toBe(ours.headers.get("etag"));
  const a2a = pure.json as Record<string, unknown>;
  expect(a2a.capabilities).toEqual(expect.objectContaining({ streaming: false }));
  expect(Object.keys(a2a)).not.toContain("contracts");
  const mixed = ours.json as Record<string, unknown>;
  for (const name of ["supportedInterfaces", "skills", "defaultInputModes"]) {
    expect(mixed[name]).toEqual(a2a[name]);
  }
  const etag = pure.headers.get("etag")!;
  expect((await get(path, { "a2a-version": "1.0", "if-none-match": etag })).status).toBe(304);
  expect((await get(path, { "if-none-match": etag })).status).toBe(200);
});

test("the plugin manifest and the commerce document are the contract's", async () => {
  expectShape(PluginManifest, await json("/.well-known/ai-plugin.json"));
  expectShape(CommerceDiscovery, await json("/.well-known/acp.json"));
});

test("the catalogs lead to the interfaces", async () => {
  const { links } = await json<{ links: Record<string, string> }>("/");
  const catalog = await get("/.well-known/api-catalog");
  expectShape(ApiCatalog, catalog.json);
  expect(catalog.headers.get("link")).toBe(`<${links.api_catalog}>; rel="api-catalog"`);
  const ai = await json<{ entries: readonly { type: string; url: string }[] }>(
    "/.well-known/ai-catalog.json",
  );
  expectShape(AiCatalog, ai);
  expect(ai.entries.map(({ url }) => url)).toEqual([links.mcp_server_card!, links.a2a_agent!]);
  const server = await json<{ remotes: readonly { url: string }[] }>("/mcp/server-card");
  expectShape(ServerCard, server);
  expect(server.remotes[0]!.url).toBe(new URL("/mcp", links.mcp_server_card).href);
  expect((await get("/.well-known/mcp/server-card.json")).text).toBe(JSON.stringify(server));
});

test("every protocol version on the MCP server card is spoken", async () => {
  const { remotes } = await json<{
    remotes: readonly { url: string; supportedProtocolVersions: readonly string[] }[];
  }>("/mcp/server-card");
  const [{ url, supportedProtocolVersions }] = remotes as [(typeof remotes)[0]];
  expect(supportedProtocolVersions.length).toBeGreaterThan(1);
  for (const version of supportedProtocolVersions) {
    const text = await opening(url, version);
    expect(text).toContain(`"${version}"`);
    expect(text).toContain('"result"');
  }
});

/** What the MCP server answers to a client that opens with this version. */
async function opening(url: string, version: string): Promise<string> {
  const isStateless = version >= "2026";
  const method = isStateless ? "server/discover" : "initialize";
  const client = { name: "test", version: "1" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": client,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const legacy = { protocolVersion: version, clientInfo: client, capabilities: {} };
  const params = isStateless ? { _meta } : legacy;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.demo.agent.secret}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(isStateless ? { "mcp-protocol-version": version, "mcp-method": method } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return response.text();
}

test("the capability index says what the card says", async () => {
  const { capabilities, flows } = await card();
  const index = await json<Record<string, unknown>>("/capabilities.json");
  expect(index).toMatchObject({ service: "innkeep", protocol_version: "1.0", capabilities, flows });
  expect(index.lifetimes).toEqual({ quote_s: 1800, hold_s: 900, hold_extensions_max: 2 });
});

test("llms.txt is a title, a summary and lists of links", async () => {
  const { text } = await get("/llms.txt");
  const [title, , summary] = text.split("\n");
  expect(title).toBe("# Innkeep");
  expect(summary).toStartWith("> ");
  const [intro, ...sections] = text.split(/^## /m);
  expect(intro!.match(/^#/gm)).toHaveLength(1);
  expect(sections.length).toBeGreaterThan(2);
  for (const section of sections) {
    const [, blank, ...lines] = section.trimEnd().split("\n");
    expect(blank).toBe("");
    for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(https?:\/\/\S+\)(: .+)?$/);
  }
});

test("llms-full.txt has every operation and every error with its way out", async () => {
  const { text } = await get("/llms-full.txt");
  const { capabilities } = await card();
  for (const { id, method, href } of capabilities)
    expect(text).toContain(`${id} (${method} ${href})`);
  for (const code of REFUSAL_CODES) {
    expect(text).toContain(`### ${code} (${REFUSALS[code].status})\n`);
    expect(text).toContain(remediationOf(code));
  }
  const bodies = [...text.matchAll(/```json\n(.*?)\n```/gs)].map(([, body]) => body!);
  expect(bodies.length).toBeGreaterThan(6);
  for (const body of bodies) expect(() => JSON.parse(body)).not.toThrow();
});

test("coverage follows the properties on sale", async () => {
  const before = await coverage();
  expectShape(Coverage, before);
  expect(before.cities.map(({ city }) => city)).not.toContain("Testville");
  await createHotel(service, { currency: "EUR" });
  await createHotel(service, { operator: service.demo.test_admin });
  const isListed = async () => (await coverage()).cities.some(({ city }) => city === "Testville");
  await until("the new city is covered", isListed);
  const after = await coverage();
  expect(after.properties).toBe(before.properties + 1);
  const { tenant_id } = service.demo;
  const own = await json<typeof after>(`/coverage.json?tenant_id=${tenant_id}`);
  expectShape(Coverage, own);
  expect(own).toMatchObject({ supply_of: { tenant_id, mode: "live" } });
  expect(own.properties).toBeLessThan(after.properties);
  const nobody = await json<typeof after>(`/coverage.json?tenant_id=${crypto.randomUUID()}`);
  expect(nobody).toMatchObject({ properties: 0, cities: [] });
  expect(after.cities.find(({ city }) => city === "Testville")).toEqual({
    ...{ city: "Testville", country: "ES", properties: 1, currencies: ["EUR"] },
  });
});

test("no document reveals data of a tenant", async () => {
  const { items } = (await service.api("GET", "/v1/properties")).ok<{
    readonly items: readonly Readonly<Record<"id" | "name" | "slug", string>>[];
  }>().data;
  const { demo } = service;
  const secrets = [demo.tenant_id, demo.agent.agent_id, demo.agent.secret, demo.admin.agent_id];
  const private_ = [...secrets, ...items.flatMap(({ id, name, slug }) => [id, name, slug])];
  expect(items.length).toBeGreaterThan(10);
  for (const path of PATHS) {
    const { text } = await get(path);
    expect({ path, told: private_.filter((each) => text.includes(each)) }).toEqual({
      ...{ path, told: [] },
    });
  }
});

test("without OAuth its links and its scheme are left out", async () => {
  await service.restart({ OAUTH_ISSUER: "" });
  const index = await json<{ links: Record<string, string> }>("/");
  expectShape(ServiceIndex, index);
  const names = Object.keys(index.links);
  expect(names.filter((name) => /oauth|openid/.test(name))).toEqual([]);
  const document = await card();
  expectShape(AgentCard, document);
  expect(document.auth.schemes.map(({ type }) => type)).toEqual(["bearer", "header", "header"]);
  expect((await get("/llms-full.txt")).text).not.toContain("/oauth/token");
});
