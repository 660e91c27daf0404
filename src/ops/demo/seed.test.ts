/**
 * Seeding against a small server that records its calls: which calls are made, by whom, in which
 * order and under which keys. Tests of the real API cover their meaning.
 */
import { afterEach, expect, test } from "bun:test";
import type { AriUpdate, PropertyTree } from "../../../engine/core/supply.ts";
import type { DemoFile } from "./demo-file.ts";
import { seedDemo } from "./seed.ts";

interface Recorded {
  readonly call: string;
  readonly bearer: string;
  readonly key: string;
  readonly contentType: string;
  readonly body: string;
}

const agent = (secret: string) => ({ agent_id: `agt_${secret}`, secret });
const DEMO: DemoFile = {
  base_url: "http://unused.example",
  tenant_id: "a",
  admin: agent("live-admin"),
  agent: agent("live"),
  test_agent: agent("test"),
  test_admin: agent("test-admin"),
  second_tenant: { tenant_id: "b", admin: agent("second-admin"), agent: agent("second") },
  delegation: { iss: "https://i", aud: "a", alg: "ES256", kid: "k", private_jwk: { kty: "EC" } },
  properties: [],
};

const refusal = (status: number, code: string, retry_after: number | null) =>
  Response.json({ error: { code, retry_after } }, { status });

let server: Bun.Server<undefined> | null = null;
afterEach(async () => {
  await server?.stop(true);
  server = null;
});

/** Accepts everything that `refuse` lets pass; a property created twice is a conflict. */
function serve(refuse: (recorded: Recorded, nth: number) => Response | null) {
  const calls: Recorded[] = [];
  const created = new Set<string>();
  const importLine = (bearer: string, json: string, index: number) => {
    const { id } = JSON.parse(json) as PropertyTree;
    const exists = created.has(`${bearer} ${id}`);
    created.add(`${bearer} ${id}`);
    return { line: index + 1, ...(exists ? { error: { code: "conflict" } } : { property_id: id }) };
  };
  server = Bun.serve({
    port: 0,
    async fetch(request) {
      const header = (name: string) => request.headers.get(name) ?? "";
      const recorded: Recorded = {
        call: `${request.method} ${new URL(request.url).pathname}`,
        bearer: header("authorization").replace("Bearer ", ""),
        key: header("idempotency-key"),
        contentType: header("content-type"),
        body: await request.text(),
      };
      calls.push(recorded);
      const refused = refuse(recorded, calls.length);
      if (refused) return refused;
      if (!recorded.call.endsWith("/import")) return Response.json({ data: {} });
      const lines = recorded.body.trimEnd().split("\n");
      const items = lines.map((line, index) => importLine(recorded.bearer, line, index));
      return Response.json({ data: { items } });
    },
  });
  const options = { baseUrl: server.url.href, demo: DEMO, log: () => {}, nights: 30 };
  return { calls, options };
}

test("each operator sets rates and imports, prices and promotes its own properties", async () => {
  const { calls, options } = serve(() => null);
  const lines: string[] = [];
  await seedDemo({ ...options, log: (line) => lines.push(line) });
  const counts = { "live-admin": 66, "test-admin": 3, "second-admin": 3 };
  for (const [bearer, count] of Object.entries(counts)) {
    const own = calls.filter((call) => call.bearer === bearer);
    const imports = own.filter(({ call }) => call === "POST /v1/admin/properties/import");
    const ids = imports
      .flatMap(({ body }) => body.trimEnd().split("\n"))
      .map((line) => (JSON.parse(line) as PropertyTree).id);
    expect(ids).toHaveLength(count);
    expect(new Set(imports.map(({ contentType }) => contentType))).toEqual(
      new Set(["application/x-ndjson"]),
    );
    const sequence = own.map(({ call }) => call);
    expect(sequence[0]).toBe("PUT /v1/admin/fx");
    for (const id of ids) {
      const priced = sequence.indexOf(`PUT /v1/admin/properties/${id}/ari`);
      expect(priced).toBeGreaterThan(0);
      expect(sequence.indexOf(`POST /v1/admin/properties/${id}/promote`)).toBeGreaterThan(priced);
    }
    expect(own).toHaveLength(1 + imports.length + 2 * count);
  }
  expect(calls).toHaveLength(3 + 5 + 2 * 72);
  expect(lines).toHaveLength(3);
});

test("no hotel of one tenant has the slug of another's", async () => {
  const { calls, options } = serve(() => null);
  await seedDemo(options);
  const slugs = calls
    .filter(({ call, bearer }) => call.endsWith("/import") && bearer !== "test-admin")
    .flatMap(({ body }) => body.trimEnd().split("\n"))
    .map((line) => (JSON.parse(line) as PropertyTree).slug);
  expect(new Set(slugs).size).toBe(66 + 3);
});

test("the result lists the first tenant's properties with their modes", async () => {
  const { options } = serve(() => null);
  const { properties } = await seedDemo(options);
  expect(properties.filter(({ mode }) => mode === "live")).toHaveLength(66);
  const tests = properties.filter(({ mode }) => mode === "test");
  expect(tests.map(({ slug }) => slug)).toContain("scenario-hotel");
  expect(tests).toHaveLength(3);
});

test("a demo may have fewer hotels; the other groups stay whole", async () => {
  const { options } = serve(() => null);
  const { properties } = await seedDemo({ ...options, hotels: 2 });
  expect(properties.map(({ mode }) => mode)).toEqual(["live", "live", "test", "test", "test"]);
});

test("ARI covers as many nights as asked and the body of a promotion is empty", async () => {
  const { calls, options } = serve(() => null);
  await seedDemo({ ...options, nights: 5 });
  const ari = JSON.parse(calls.find(({ call }) => call.endsWith("/ari"))!.body) as AriUpdate;
  const [whole] = ari.inventory!;
  expect(Date.parse(whole!.to) - Date.parse(whole!.from)).toBe(4 * 86_400_000);
  const promotions = calls.filter(({ call }) => call.endsWith("/promote"));
  expect(new Set(promotions.map(({ body }) => body))).toEqual(new Set(["{}"]));
});

test("a repeated seeding repeats every key and counts existing properties as done", async () => {
  const { calls, options } = serve(() => null);
  const first = await seedDemo(options);
  const keys = calls.splice(0).map(({ bearer, key }) => `${bearer} ${key}`);
  expect(await seedDemo(options)).toEqual(first);
  expect(calls.map(({ bearer, key }) => `${bearer} ${key}`).sort()).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(keys.length);
  expect(calls[0]!.key).toMatch(/^demo-1-[0-9a-f]{32}$/);
});

test("a refusal ends the seeding with the call, the status and the code", async () => {
  const { calls, options } = serve(({ call }) =>
    call.endsWith("/promote") ? refusal(409, "property_not_promotable", null) : null,
  );
  const failed = seedDemo(options);
  await expect(failed).rejects.toThrow(
    /^POST \/v1\/admin\/properties\/[0-9a-f-]{36}\/promote answered 409 property_not_promotable$/,
  );
  expect(calls.filter(({ call }) => call.endsWith("/promote")).length).toBeLessThanOrEqual(8);
});

test("a call that an earlier start had refused is tried once more, under another key", async () => {
  const promoted = new Map<string, number>();
  const { calls, options } = serve(({ call, key }) => {
    if (!call.endsWith("/promote") || !/^demo-1-[0-9a-f]{32}$/.test(key)) return null;
    promoted.set(call, (promoted.get(call) ?? 0) + 1);
    const refused = refusal(409, "property_not_promotable", null);
    refused.headers.set("idempotent-replayed", "true");
    return refused;
  });
  await seedDemo(options);
  expect(new Set(promoted.values())).toEqual(new Set([1]));
  const promotes = calls.filter(({ call }) => call.endsWith("/promote"));
  expect(promotes).toHaveLength(2 * promoted.size);
});

test("an import line that is refused for any reason but a conflict ends the seeding", async () => {
  const { options } = serve(({ call }) =>
    call.endsWith("/import")
      ? Response.json({ data: { items: [{ line: 1, error: { code: "validation_failed" } }] } })
      : null,
  );
  await expect(seedDemo(options)).rejects.toThrow("refused line 1: validation_failed");
});

test("a call answered with retry_after is repeated under the same key", async () => {
  const { calls, options } = serve((_, nth) =>
    nth === 1 ? refusal(503, "upstream_unavailable", 0) : null,
  );
  await seedDemo(options);
  expect(calls[1]!).toEqual(calls[0]!);
});

test("a call answered with retry_after is not repeated forever", async () => {
  const { calls, options } = serve(() => refusal(503, "upstream_unavailable", 0));
  await expect(seedDemo(options)).rejects.toThrow(
    "PUT /v1/admin/fx answered 503 upstream_unavailable",
  );
  expect(calls).toHaveLength(5);
});

test("an unreachable server is reported as such", async () => {
  const { options } = serve(() => null);
  await server?.stop(true);
  server = null;
  await expect(seedDemo(options)).rejects.toThrow("PUT /v1/admin/fx got no answer");
});
