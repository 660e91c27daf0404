import { expect, test } from "bun:test";
import { ROUTES } from "../app.ts";
import { readConfig } from "../config.ts";
import type { Context } from "./context.ts";
import { finished } from "./headers.ts";
import { respondUnrouted } from "./unrouted.ts";

const PAGE = "https://app.example:8443";
const ON = { CORS_ORIGINS: `${PAGE}, http://localhost:6274` };

type Sent = Readonly<Record<string, string>>;

function contextOf(env: Sent): Context {
  const requestLog = { note() {} };
  return { config: readConfig(env), routes: ROUTES, requestLog } as unknown as Context;
}

/** What an answer under `path` carries to a page of `origin`. */
function answered(path: string, origin: string | null, env: Sent = ON, own: Sent = {}): Headers {
  const request = new Request(`http://localhost${path}`, {
    headers: origin === null ? {} : { origin },
  });
  const response = new Response(null, { headers: own });
  const traceId = "0".repeat(32);
  return finished(response, { request, path, traceId, context: contextOf(env) }).headers;
}

/** What a browser is told that asks for a page of `origin` before it sends `method`. */
async function asked(path: string, origin: string, method = "POST", more: Sent = {}, env = ON) {
  const headers = { origin, "access-control-request-method": method, ...more };
  const request = new Request(`http://localhost${path}`, { method: "OPTIONS", headers });
  const { status, headers: told } = await respondUnrouted(request, contextOf(env));
  return { status, told };
}

const PATHS = [
  "/v1/search",
  "/v1/properties/x",
  "/v1",
  "/mcp",
  "/a2a",
  "/v1/no/such/path",
  "/oauth/token",
];

test("a page of a configured origin can read every answer and all its headers", () => {
  for (const path of PATHS) {
    for (const origin of [PAGE, "http://localhost:6274"]) {
      const headers = answered(path, origin);
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(headers.get("access-control-expose-headers")).toBe("*");
      expect(headers.get("vary")).toBe("Origin");
      expect(headers.has("access-control-allow-credentials")).toBeFalse();
    }
  }
  expect(answered("/mcp", PAGE, ON, { vary: "Accept" }).get("vary")).toBe("Accept, Origin");
});

test("an origin that resembles a configured one is refused", async () => {
  for (const origin of [
    ...[
      "null",
      "*",
      "",
      "https://app.example",
      "http://app.example:8443",
      "https://app.example:443",
    ],
    ...["https://app.example:84430", "https://app.example:8443/", "https://APP.example:8443"],
    ...["https://app.example:8443.evil.example", "https://evil-app.example:8443"],
    ...["https://evil.example?https://app.example:8443", `${PAGE}, https://evil.example`],
    ...["https://x.app.example:8443", "https://app.example.:8443", "http://localhost"],
    ...["http://localhost:6275", "http://127.0.0.1:6274", "https://localhost:6274"],
  ]) {
    for (const path of PATHS) {
      const headers = answered(path, origin);
      expect({ origin, allowed: headers.get("access-control-allow-origin") }).toEqual({
        ...{ origin, allowed: null },
      });
      // A cache that keeps this answer must not give it to a page that may.
      expect(headers.get("vary")).toBe("Origin");
    }
    const { told } = await asked("/v1/search", origin);
    for (const [name] of told) expect(name).not.toStartWith("access-control-");
  }
});

test("CORS is off without configured origins, and on routes that browser clients do not call", () => {
  for (const path of PATHS) {
    for (const name of ["vary", "access-control-allow-origin", "access-control-expose-headers"]) {
      expect(answered(path, PAGE, {}).get(name)).toBeNull();
    }
  }
  for (const path of [
    "/oauth/authorize",
    "/oauth/token/x",
    "/oauth/introspect",
    "/console/authorize/x",
    "/feeds/google/query",
    "/v1x",
    "/mcpx",
    "/x/v1/search",
    "/",
  ]) {
    expect(answered(path, PAGE).get("access-control-allow-origin")).toBeNull();
    expect(answered(path, PAGE).get("vary")).toBeNull();
  }
});

test("a preflight lists what the path accepts, whatever headers it asks for", async () => {
  for (const [path, methods] of [
    ["/v1/search", "POST"],
    ["/mcp", "POST"],
    ["/a2a", "POST"],
    ["/v1/holds/x", "GET, HEAD"],
    ["/v1/no/such/path", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
  ] as const) {
    const { status, told } = await asked(path, PAGE);
    expect({ path, status }).toEqual({ path, status: 204 });
    expect(told.get("access-control-allow-origin")).toBe(PAGE);
    expect(told.get("access-control-allow-methods")!.split(", ")).toContainValues(
      methods.split(", "),
    );
    expect(told.get("access-control-allow-headers")).toBe("Authorization, *");
    expect(told.get("access-control-max-age")).toBe("7200");
    expect(told.has("access-control-allow-credentials")).toBeFalse();
  }
  const network = { "access-control-request-private-network": "true" };
  const { told } = await asked("/mcp", PAGE, "POST", network);
  expect(told.has("access-control-allow-private-network")).toBeFalse();
});

test("OPTIONS without a preflight, or from a refused origin, is answered as usual", async () => {
  const plain = new Request("http://localhost/v1/search", {
    ...{ method: "OPTIONS", headers: { origin: PAGE } },
  });
  const { headers } = await respondUnrouted(plain, contextOf(ON));
  expect(headers.get("allow")).toBe("POST");
  expect(headers.has("access-control-allow-methods")).toBeFalse();
  const none = {} as typeof ON;
  for (const env of [ON, none]) {
    expect((await asked("/v1/no/such/path", "https://evil.example", "POST", {}, env)).status).toBe(
      404,
    );
  }
  expect((await asked("/v1/search", PAGE, "POST", {}, none)).told.get("allow")).toBe("POST");
});
