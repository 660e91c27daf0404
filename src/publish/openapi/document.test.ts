/** The document's description of routes, compared with the routes themselves. */
import { expect, test } from "bun:test";
import { SIMULATIONS } from "../../../jobs/payments/sandbox-tokens.ts";
import { PRODUCT_VERSION } from "../../about/about.ts";
import { ROUTES } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { documentedPath, TAGS } from "../../http/contract.ts";
import { openApiDocument } from "./document.ts";
import { COMPONENTS, MEANINGS } from "./meanings.ts";

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
  const ofAll = ["Traceparent", "TestScenario"];
  expect(headersOf(book)).toEqual(["TenantId", "DelegatedUser", "IdempotencyKey", ...ofAll]);
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

test("without an OAuth issuer the document has no access tokens", () => {
  expect(Object.keys(securitySchemes)).toEqual([
    "agent_key",
    "guest_session",
    "agent_basic",
    "oauth2",
  ]);
  const off = pathsOf({ OAUTH_ISSUER: "" });
  expect(Object.keys(off.securitySchemes)).toEqual(["agent_key", "guest_session", "agent_basic"]);
  expect(off.paths["/v1/holds"]?.post?.security).toEqual([{ agent_key: [] }]);
});

test("a configured partner credential is in the document, and necessary parameters are required", () => {
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

test("the description of the payment token lists the simulation tokens", () => {
  const text = JSON.stringify(openApiDocument(ROUTES.all, readConfig({})));
  for (const { token, does } of SIMULATIONS) expect(text).toContain(`\`${token}\`: ${does}`);
});

const document = openApiDocument(ROUTES.all, readConfig({}));
const { schemas } = document.components as { schemas: Readonly<Record<string, Fields>> };

/** Every schema of the document that is no component itself, with its place. */
function* inlineSchemas(value: unknown, at: string): Generator<[string, Fields]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    if (/^examples?$|^x-/.test(name)) continue;
    const isComponent = at === "/components/schemas";
    if (!isComponent && typeof (each as Fields)?.type === "string") yield [`${at}/${name}`, each];
    yield* inlineSchemas(each, `${at}/${name}`);
  }
}

test("every object of bodies and answers is a component, so that generators need no made-up names", () => {
  const anonymous = [...inlineSchemas(document, "")].filter(([, { type, properties }]) => {
    return type === "object" && properties !== undefined;
  });
  expect(anonymous.map(([at]) => at)).toEqual([]);
});

/** What a schema checks: itself without any words. */
function bare(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(bare);
  const isWords = ([name, value]: [string, unknown]) =>
    name === "description" && typeof value === "string";
  const parts = Object.entries(schema).filter((part) => !isWords(part));
  return Object.fromEntries(parts.map(([name, value]) => [name, bare(value)]));
}

test("no two components have the same schema", () => {
  const same = Map.groupBy(Object.keys(schemas), (name) => JSON.stringify(bare(schemas[name])));
  expect([...same.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test("a closed set of values used by several components is one component", () => {
  const inside = [...inlineSchemas(schemas, "")].filter(([at, each]) => {
    return Array.isArray(each.enum) && each.enum.length > 2 && at.lastIndexOf("/") > 0;
  });
  const places = Map.groupBy(inside, ([, each]) => JSON.stringify(each.enum));
  const named = new Set(Object.values(schemas).map((each) => JSON.stringify(each.enum)));
  const loose = [...places].filter(([words, at]) => at.length > 1 || named.has(words));
  expect(loose.map(([, at]) => at.map(([place]) => place))).toEqual([]);
});

test("nullable enums are components: generators fail on null among inline values", () => {
  const loose = [...inlineSchemas(schemas, "")].filter(([at, each]) => {
    return Array.isArray(each.enum) && each.enum.includes(null) && at.lastIndexOf("/") > 0;
  });
  expect(loose.map(([at]) => at)).toEqual([]);
});

test("answers are named after their data, and accepted and returned objects share a schema", () => {
  const answerOf = (operation: Fields | undefined, status: number) => {
    const { responses } = operation as { responses: Record<number, unknown> };
    return (responses[status] as { content: Record<string, { schema: Fields }> }).content[
      "application/json"
    ]!.schema;
  };
  const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(answerOf(paths["/v1/search"]?.post, 200)).toEqual(named("SearchResponse"));
  expect(schemas.SearchResponse?.properties).toMatchObject({ data: named("Search") });
  expect(answerOf(paths["/v1/bookings"]?.post, 201)).toEqual(named("BookingResponse"));
  expect(schemas.SearchRequest?.properties).toMatchObject({ guests: named("Guests") });
  expect(schemas.Alternative?.properties).toMatchObject({ quote: named("QuoteRequest") });
  expect(schemas.RatePlan?.properties).toMatchObject({ meal_plan: named("MealPlan") });
});

test("optional headers have no example, because clients send the examples", () => {
  const { parameters } = document.components as { parameters: Record<string, Fields> };
  const shown = Object.values(parameters).filter(({ example }) => example !== undefined);
  expect(shown.map(({ required }) => required)).toEqual([true]);
});

test("the document has the contract's version beside the service's own", () => {
  expect(document.info).toMatchObject({ version: "0.0.0", "x-service-version": PRODUCT_VERSION });
});

test("only variants with a discriminator are a union: generators make no type of others", () => {
  const unions = Object.entries(schemas).filter(([, each]) => {
    return JSON.stringify(each).includes('"anyOf"');
  });
  // JSON-RPC has its own.
  expect(unions.map(([name]) => name)).toEqual(["A2aRequest"]);
});

test("a receipt can be sent back unchanged: none of its members is parsed as a time", () => {
  const { issued_at } = schemas.Receipt!.properties as Readonly<Record<string, Fields>>;
  expect(issued_at).toEqual({ type: "string", description: expect.any(String) });
});

test("no component has a name that common generators reserve", () => {
  const reserved = /^(Property|Type|Object|List|Map|Set|Response|Request|Error|Date|Exception)$/;
  expect(Object.keys(schemas).filter((name) => reserved.test(name))).toEqual([]);
});

test("no component has the name of another's Go constructor", () => {
  const names = Object.keys(schemas);
  expect(names.filter((name) => names.some((each) => name === `New${each}`))).toEqual([]);
});

/** True when a reader is told something of what stands there. */
function isTold({ $ref, description, items, enum: words, type }: Fields): boolean {
  const named = ($ref ?? (items as Fields | undefined)?.$ref) as string | undefined;
  if (named !== undefined && description === undefined) {
    return schemas[named.split("/").at(-1)!]?.description !== undefined;
  }
  // A word that alone may stand there says itself.
  return description !== undefined || (type === "string" && (words as unknown[])?.length === 1);
}

test("every member of every component has a description", () => {
  const silent = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    const members = Object.entries(properties as Readonly<Record<string, Fields>>);
    return members.filter(([, each]) => !isTold(each)).map(([member]) => `${name}.${member}`);
  });
  expect(silent).toEqual([]);
});

test("every description belongs to an existing member or component", () => {
  const members = new Set<string>();
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    for (const member of Object.keys(properties as object)) {
      members.add(member).add(`${name}.${member}`);
    }
  }
  expect(Object.keys(MEANINGS).filter((name) => !members.has(name))).toEqual([]);
  expect(Object.keys(COMPONENTS).filter((name) => !(name in schemas))).toEqual([]);
});

/** True when a path is met by both templates, and neither says more of it than the other. */
function areAmbiguous(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => path.split("/")) as [string[], string[]];
  if (one === other || a.length !== b.length) return false;
  const isFree = (segment: string) => segment.startsWith("{");
  if (!a.every((each, i) => each === b[i] || isFree(each) || isFree(b[i]!))) return false;
  const saysMore = (x: string[], y: string[]) =>
    x.some((each, i) => !isFree(each) && isFree(y[i]!));
  return saysMore(a, b) === saysMore(b, a);
}

test("no path matches two templates of equal precedence", () => {
  const all = Object.keys(paths);
  const pairs = all.flatMap((one) => all.filter((other) => areAmbiguous(one, other)));
  expect(pairs).toEqual([]);
  expect(areAmbiguous("/a/{id}/b", "/a/c/{id}")).toBeTrue();
  expect(areAmbiguous("/a/{id}", "/a/c")).toBeFalse();
});

test("property components have the names of the contract", () => {
  for (const name of ["PropertyOut", "PropertyDetailOut", "PropertyFullOut"]) {
    expect(schemas).toHaveProperty(name);
  }
});

test("the parts together are the whole document, and each is at most 500 KB", () => {
  const parts = Object.keys(TAGS).map((tag) => {
    const part = openApiDocument(
      ROUTES.all.filter((each) => each.tag === tag),
      readConfig({}),
    );
    expect(JSON.stringify(part).length).toBeLessThanOrEqual(500_000);
    return Object.entries(part.paths as Paths).flatMap(([path, operations]) => {
      return Object.keys(operations).map((method) => `${method} ${path}`);
    });
  });
  const whole = Object.entries(paths).flatMap(([path, operations]) => {
    return Object.keys(operations).map((method) => `${method} ${path}`);
  });
  expect(parts.flat().sort()).toEqual(whole.sort());
});

test("an answer shared by several operations is a component, and every component is used", () => {
  const text = JSON.stringify(document);
  for (const [section, all] of Object.entries(document.components as Record<string, Fields>)) {
    for (const name of section === "securitySchemes" ? [] : Object.keys(all)) {
      expect({ name, isUsed: text.includes(`"#/components/${section}/${name}"`) }).toEqual({
        name,
        isUsed: true,
      });
    }
  }
  const refusals = Object.values(paths).flatMap((each) => {
    return Object.values(each).flatMap(({ responses }) => Object.entries(responses as Fields));
  });
  const inFull = refusals.filter(([status, each]) => status > "3" && !("$ref" in (each as Fields)));
  expect(new Set(inFull.map((each) => JSON.stringify(each))).size).toBe(inFull.length);
});
