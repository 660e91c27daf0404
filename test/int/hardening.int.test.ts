/**
 * Goal: nothing an answer carries can be run, framed, cached or read by a page that should not, and
 * nothing a request carries can reach into JavaScript itself. Method: every route of the table,
 * called badly and well, over a real port; raw bytes where a client library is too polite.
 */
import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { ROUTES } from "../../src/app.ts";
import { readsJson } from "../../src/http/contract.ts";
import { newKey } from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();

const PAGE = "https://page.example";
const concrete = (path: string) => path.replace(/:\w+/g, "x1");
const PROTECTED = ROUTES.all.filter(({ access }) => access !== "public");
const PUBLIC = ROUTES.all.filter(({ access, method }) => access === "public" && method === "GET");

/** Pages with forms tell their own origin where they were: else their forms carry no origin. */
const REFERRER = /^(?:no-referrer|same-origin)$/;

function expectSecured(headers: Headers, isPage = false): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toMatch(isPage ? REFERRER : /^no-referrer$/);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.has("server")).toBeFalse();
  expect(headers.has("x-powered-by")).toBeFalse();
}

test("every answer is secured, whatever route, method or mistake", async () => {
  for (const { method, path, isPage } of ROUTES.all) {
    for (const agent of [service.demo.agent, null]) {
      const answer = await service.api(method, concrete(path), { agent });
      expectSecured(answer.headers, isPage || /^\/book\b/.test(path));
    }
  }
  for (const [method, path] of [
    ["GET", "/nowhere"],
    ["DELETE", "/v1/holds"],
    ["OPTIONS", "/v1/holds"],
  ] as const) {
    expectSecured((await service.api(method, path)).headers);
  }
});

test("pages of other origins may read what is public and nothing else", async () => {
  for (const { method, path } of PROTECTED) {
    const headers = { origin: PAGE };
    const answer = await service.api(method, concrete(path), { headers });
    const preflight = await service.api("OPTIONS", concrete(path), {
      agent: null,
      headers: { ...headers, "access-control-request-method": method },
    });
    for (const { headers: sent } of [answer, preflight]) {
      expect({ path, cors: sent.get("access-control-allow-origin") }).toEqual({ path, cors: null });
      expect(sent.has("access-control-allow-credentials")).toBeFalse();
    }
    expect(answer.headers.get("cache-control")).toMatch(/^(?:no-store|private, no-cache)$/);
  }
  for (const path of ["/", "/.well-known/errors", "/.well-known/delegation-issuers"]) {
    const { headers } = await service.api("GET", path, { agent: null });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.has("access-control-allow-credentials")).toBeFalse();
  }
});

test("HEAD is GET without its body, and a document that is known is not sent again", async () => {
  for (const { path } of PUBLIC.filter((route) => !route.path.includes(":"))) {
    const got = await service.api("GET", path, { agent: null });
    const head = await service.api("HEAD", path, { agent: null });
    expect({ path, status: head.status }).toEqual({ path, status: got.status });
    expect(head.text).toBe("");
    expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
    const etag = got.headers.get("etag");
    if (etag === null) continue;
    expect(head.headers.get("etag")).toBe(etag);
    const weak = etag.replace(/^(W\/)?/, "W/");
    for (const known of [etag, weak, `"other", ${etag}`, "*"]) {
      const headers = { "if-none-match": known };
      const again = await service.api("GET", path, { agent: null, headers });
      expect({ path, known, status: again.status }).toEqual({ path, known, status: 304 });
      expect(again.text).toBe("");
      expect(again.headers.get("etag")).toBe(etag);
    }
    const headers = { "if-none-match": '"other"' };
    expect((await service.api("GET", path, { agent: null, headers })).status).toBe(200);
  }
});

test("keys that mean something to JavaScript are refused wherever a body has members", async () => {
  const takers = PROTECTED.filter((route) => readsJson(route) && "key" in route);
  expect(takers.length).toBeGreaterThan(5);
  const token = await service.mintDelegation();
  for (const { method, path, access } of takers) {
    const isAdmin = access !== "public" && access.kinds.length === 1;
    const agent = isAdmin ? service.demo.admin : service.demo.agent;
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const headers = { "idempotency-key": newKey(), "x-delegated-user": token };
      const raw = `{"${name}":{"isAdmin":true}}`;
      const answer = await service.api(method, concrete(path), { agent, headers, raw });
      expect({ path, faults: answer.faults() }).toEqual({
        path,
        faults: expect.arrayContaining([`/${name}`]),
      });
    }
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

/** Sends bytes as they are; resolves to all that comes back before the server closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(service.baseUrl);
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.end(text));
    socket.setTimeout(10_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

test("a malformed HTTP request is refused without effect on others", async () => {
  const host = "host: x\r\nconnection: close\r\n";
  const refused = [
    `GET /healthz HTTP/1.1\r\n${host}x-long: ${"a".repeat(40_000)}\r\n\r\n`,
    `GET /${"a".repeat(40_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /healthz HTTP/1.1\r\n${host}bad header\r\n\r\n`,
    `POST /v1/search HTTP/1.1\r\n${host}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /v1/search HTTP/1.1\r\n${host}content-length: 3\r\ncontent-length: 4\r\n\r\n{}`,
    `POST /v1/search HTTP/1.1\r\n${host}content-length: -1\r\n\r\n{}`,
    "NONSENSE\r\n\r\n",
  ];
  for (const text of refused) {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(await raw(text))?.[1] ?? 400);
    const isRefused = status >= 400 && status < 500;
    expect({ text: text.slice(0, 40), status, isRefused }).toMatchObject({ isRefused: true });
  }
  (await service.api("GET", "/healthz", { agent: null })).ok();
});

/** Sends the head and the beginning of a body, then hangs up. */
async function hangUpIn(path: string, length: string, begun: string): Promise<void> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  const type = "content-type: application/x-www-form-urlencoded";
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\n${type}\r\n${length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + begun, () => resolve()));
  socket.destroy();
  await once(socket, "close");
}

/** Requests to a path whose client was gone before there was an answer. */
async function countGone(path: string): Promise<number> {
  const text = await service.metrics();
  const lines = text.split("\n").filter((line) => /^innkeep_http_requests_total.*"499"/.test(line));
  const own = lines.filter((line) => line.includes(`route="${path}"`));
  return own.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test("a disconnect in the middle of a body is not a server error", async () => {
  for (const path of ["/oauth/token", "/oauth/revoke", "/v1/receipts/verify"]) {
    for (const [length, begun] of [
      ["content-length: 5000", "a="],
      ["transfer-encoding: chunked", "2\r\na=\r\n"],
    ] as const) {
      const before = await countGone(path);
      await until("it is counted", async () => {
        await hangUpIn(path, length, begun);
        return (await countGone(path)) > before;
      });
    }
  }
  expect(service.log).not.toContain("a handler threw");
});
