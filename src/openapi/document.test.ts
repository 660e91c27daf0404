/** What the document says of routes, read off the routes themselves. */
import { expect, test } from "bun:test";
import { SIMULATIONS } from "../../jobs/payments/sandbox-tokens.ts";
import { ROUTES } from "../app.ts";
import { readConfig } from "../config.ts";
import { documentedPath } from "../http/contract.ts";
import { openApiDocument } from "./document.ts";

type Fields = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

function pathsOf(env: Readonly<Record<string, string>> = {}) {
  const document = openApiDocument(ROUTES.all, readConfig(env));
  const { securitySchemes } = document.components as { securitySchemes: Fields };
  return { paths: document.paths as Paths, securitySchemes };
}

const { paths, securitySchemes } = pathsOf();

/** Names of the header parameters of an operation. */
function headersOf(operation: Fields | undefined): string[] {
  const parameters = (operation?.parameters ?? []) as { $ref?: string }[];
  return parameters.flatMap(({ $ref }) => ($ref ? [$ref.split("/").at(-1)!] : []));
}

test("every path parameter is described", () => {
  for (const route of ROUTES.all) {
    const count = route.path.split(":").length - 1;
    expect({ path: route.path, count }).toEqual({
      path: route.path,
      count: Object.keys(route.params ?? {}).length,
    });
  }
});

test("a path has the parameter names of the contract", () => {
  expect(documentedPath(ROUTES.byId("get_property_full"))).toBe("/v1/properties/{slug}/full");
});

test("headers, body and security are those of the route", () => {
  const book = paths["/v1/bookings"]?.post;
  expect(headersOf(book)).toEqual(["TenantId", "DelegatedUser", "IdempotencyKey", "Traceparent"]);
  expect(book?.security).toEqual([{ agent_key: [] }, { oauth2: ["bookings:write"] }]);
  expect(book?.requestBody).toMatchObject({
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/BookRequest" } } },
  });
  const cancel = paths["/v1/bookings/{id}/cancel"]?.post;
  expect(headersOf(cancel)).toContain("OptionalIdempotencyKey");
  expect(cancel?.requestBody).toMatchObject({ required: false });
  expect(headersOf(paths["/v1/admin/agents/{id}"]?.patch)).toContain("IfMatch");
  expect(paths["/healthz"]?.get?.security).toEqual([]);
});

test("without an OAuth issuer there are no access tokens in it", () => {
  expect(Object.keys(securitySchemes)).toEqual(["agent_key", "oauth2"]);
  const off = pathsOf({ OAUTH_ISSUER: "" });
  expect(Object.keys(off.securitySchemes)).toEqual(["agent_key"]);
  expect(off.paths["/v1/holds"]?.post?.security).toEqual([{ agent_key: [] }]);
});

test("a partner's credential is told of where one is set, and what a query needs is required", () => {
  const ari = "/feeds/{partner}/ari.xml";
  expect(paths[ari]?.get?.security).toEqual([]);
  expect(paths[ari]?.get?.parameters).toMatchObject([
    { name: "partner", required: true },
    { name: "tenant_id", required: true },
    { name: "days", required: false },
  ]);
  const guarded = pathsOf({ FEED_CREDENTIALS: "kayak=k:s" });
  expect(Object.keys(guarded.securitySchemes)).toContain("partner");
  expect(guarded.paths[ari]?.get?.security).toEqual([{ partner: [] }, {}]);
  expect(guarded.paths["/healthz"]?.get?.security).toEqual([]);
});

test("what simulates an outcome of a payment is told where the token is described", () => {
  const text = JSON.stringify(openApiDocument(ROUTES.all, readConfig({})));
  for (const { token, does } of SIMULATIONS) expect(text).toContain(`\`${token}\`: ${does}`);
});
