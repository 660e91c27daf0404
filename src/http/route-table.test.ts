import { expect, test } from "bun:test";
import type { Method } from "../actions/steps.ts";
import type { RendererName } from "./answer.ts";
import type { Contract } from "./contract.ts";
import { RouteTable } from "./route-table.ts";

/** A contract of which only the place matters. */
function at(call: string, renderer?: RendererName): Contract {
  const [method, path] = call.split(" ") as [Method, string];
  const words = { tag: "Discovery", summary: "", description: "" } as const;
  const success = { status: 200, description: "" } as const;
  const about = { ...words, success, access: "public", errors: [] } as const;
  return { ...about, id: call, method, path, ...(renderer ? { renderer } : {}) };
}

function table(...calls: readonly string[]): RouteTable<Contract> {
  return new RouteTable(calls.map((call) => at(call)));
}

const PLACES = table(
  ...["GET /", "GET /v1/things", "GET /v1/things/:id", "PUT /v1/things/:thing"],
  ...["POST /v1/things/import", "GET /v1/things/:id/parts/:part", "POST /v1/:kind/all"],
);

test("a literal path takes precedence over a parameter, in any order of routes", () => {
  for (const calls of [
    ["POST /v1/things/import", "POST /v1/things/:id"],
    ["POST /v1/things/:id", "POST /v1/things/import"],
  ]) {
    const both = table(...calls);
    expect(both.match("POST", "/v1/things/import")?.id).toBe("POST /v1/things/import");
    expect(both.match("POST", "/v1/things/imports")?.id).toBe("POST /v1/things/:id");
    expect(both.at("/v1/things/import").map(({ path }) => path)).toEqual(["/v1/things/import"]);
  }
});

test("a method that the literal path lacks is answered by the parameter's route", () => {
  expect(PLACES.match("GET", "/v1/things/import")?.id).toBe("GET /v1/things/:id");
  expect(PLACES.match("PUT", "/v1/things/import")?.id).toBe("PUT /v1/things/:thing");
  expect(PLACES.match("POST", "/v1/things/import")?.id).toBe("POST /v1/things/import");
  expect(PLACES.match("DELETE", "/v1/things/import")).toBeUndefined();
});

test("a literal segment without a match does not hide a parameter that has one", () => {
  expect(PLACES.match("POST", "/v1/things/all")?.id).toBe("POST /v1/:kind/all");
  expect(PLACES.match("GET", "/v1/things/import/parts/x")?.id).toBe(
    "GET /v1/things/:id/parts/:part",
  );
});

test("parameters at one position may have different names", () => {
  const methods = PLACES.at("/v1/things/x").map(({ method }) => method);
  expect(methods).toEqual(["GET", "PUT"]);
});

test("a path with an extra, missing or empty segment is another path", () => {
  for (const path of [
    ...["", "/v1", "/v1/", "/v1/things/", "/v1/things//parts/x", "/v1/things/a/b", "v1/things"],
    ...["//", "/v1/things/x/parts/", "/v1/things/x/parts/y/z", "/V1/things"],
  ]) {
    expect({ path, found: PLACES.match("GET", path) }).toEqual({ path, found: undefined });
  }
  expect(PLACES.match("GET", "/")?.id).toBe("GET /");
  expect(PLACES.match("GET", "/v1/things/:id")?.id).toBe("GET /v1/things/:id");
});

test("names of JavaScript properties are ordinary segments", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(PLACES.match("GET", `/${name}`)).toBeUndefined();
    expect(PLACES.match("GET", `/v1/things/${name}`)?.id).toBe("GET /v1/things/:id");
  }
});

test("a route is found by its id; unknown and duplicate ids are refused", () => {
  expect(PLACES.byId("GET /").path).toBe("/");
  expect(() => PLACES.byId("x")).toThrow("no route x");
  expect(() => table("GET /x", "GET /x")).toThrow("two routes have the id GET /x");
  expect(PLACES.all.map(({ id }) => id)[0]).toBe("GET /");
});

test("refusals of an unknown path look like those below its last known segment", () => {
  const routes = new RouteTable([
    at("GET /"),
    at("GET /v1/things/:id"),
    at("POST /oauth/token", "oauth"),
    at("GET /oauth/authorize/:x", "oauth"),
    at("GET /docs", "page"),
    at("GET /docs/raw", "document"),
  ]);
  const near: Record<string, RendererName> = {
    "/oauth": "oauth",
    "/oauth/": "oauth",
    "/oauth/x": "oauth",
    "/oauth/token/x/y": "oauth",
    "/oauth/authorize": "oauth",
    "/oauthx": "envelope",
    "/v1/x": "envelope",
    "/v1/things/1/x": "envelope",
    "/docs/x": "envelope",
    "/docs/raw/x": "document",
    "/x": "envelope",
    "/": "envelope",
    "": "envelope",
  };
  for (const [path, renderer] of Object.entries(near)) {
    expect({ path, renderer: routes.rendererNear(path) }).toEqual({ path, renderer });
  }
  expect(new RouteTable([]).rendererNear("/x")).toBe("envelope");
});
