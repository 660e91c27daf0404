/**
 * Goal: the published description is true. Method: a walk through every operation and every error
 * that can be provoked, each answer held against the schemas of the document; the served document
 * held against the table of routes and an independent linter; the pages read like a visitor does.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PUBLIC_KINDS } from "../../engine/core/public-events.ts";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { ROUTES } from "../../src/app.ts";
import { documentedPath } from "../../src/http/contract.ts";
import { GUIDE_NAMES } from "../../src/publish/docs/guides.ts";
import { EXAMPLES } from "../../src/publish/openapi/examples.ts";
import { REFUSALS, remediationOf } from "../../src/refusals/catalogue.ts";
import { contractFaults } from "../openapi/contract-check.ts";
import { WALK_SETTINGS, walk } from "../openapi/flow.ts";
import type { Recorder } from "../openapi/recorder.ts";
import type { Answer } from "../support/answer.ts";
import { Service } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
/** A linter takes a document that names a local server for an unfinished one. */
const BASE_URL = "https://booking.example";

interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly "x-error-codes": readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly unknown[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let service: Service;
let said: Recorder;
let served: Document;

const get = (path: string): Promise<Answer> => service.api("GET", path, { agent: null });

beforeAll(async () => {
  service = await Service.start({ ...WALK_SETTINGS, BASE_URL, WEBHOOKS_ALLOW_PRIVATE: "1" });
  said = await walk(service);
  served = (await get("/openapi.json")).json as Document;
});
afterAll(() => service.stop());

function operationsOf(document: Document): OperationObject[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

describe("answers", () => {
  test("are what the document says, without a field too few or too many", () => {
    const faults = said.all.flatMap((each) => {
      return contractFaults(each).map((fault) => `${each.answer.call}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  test("of every operation were seen", () => {
    const seen = new Set(said.all.map(({ operationId }) => operationId));
    const unseen = ROUTES.published.filter(({ id, success }) => {
      return !seen.has(id) && success.contentType !== "*/*";
    });
    expect(unseen.map(({ id }) => id)).toEqual([]);
  });
});

describe("the document", () => {
  test("names its version, license, contact and server", () => {
    expect(served.openapi).toBe("3.0.3");
    expect(served.info).toMatchObject({ version: "0.0.0", license: { name: "Apache-2.0" } });
    expect(served.servers).toEqual([{ url: BASE_URL }]);
  });

  test("has every route of the service and no other", () => {
    const documented = Object.entries(served.paths).flatMap(([path, methods]) => {
      return Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`);
    });
    const routed = ROUTES.published.map((route) => {
      return `${route.method} ${documentedPath(route)}`;
    });
    expect(documented.sort()).toEqual(routed.sort());
    const ids = operationsOf(served).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("lists for each operation a response for every code", () => {
    for (const operation of operationsOf(served)) {
      const missing = operation["x-error-codes"].filter((code) => {
        return !(String(REFUSALS[code as keyof typeof REFUSALS].status) in operation.responses);
      });
      expect({ id: operation.operationId, missing }).toEqual({
        id: operation.operationId,
        missing: [],
      });
    }
  });

  test("says the same as YAML", async () => {
    const answer = await get("/openapi.yaml");
    expect(answer.headers.get("content-type")).toBe("application/yaml");
    expect(Bun.YAML.parse(answer.text)).toEqual(served);
  });

  test("is sent once to those who keep it, and to every origin", async () => {
    const first = await get("/openapi.json");
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    const headers = { "if-none-match": first.headers.get("etag")! };
    const again = await service.api("GET", "/openapi.json", { agent: null, headers });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("passes the recommended rules of Redocly without error or warning", async () => {
    const folder = mkdtempSync(join(tmpdir(), "innkeep-openapi-"));
    try {
      const path = join(folder, "openapi.json");
      await Bun.write(path, JSON.stringify(served, null, 1));
      const cli = join(ROOT, "node_modules/@redocly/cli/bin/cli.js");
      const config = join(ROOT, "test/openapi/redocly.yaml");
      const lint = ["lint", path, "--config", config, "--format", "json"];
      const child = Bun.spawn(["node", cli, ...lint], {
        env: {
          ...process.env,
          REDOCLY_TELEMETRY: "off",
          REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect(out).toStartWith("{");
      const found = JSON.parse(out) as { problems: { ruleId: string; message: string }[] };
      const problems = found.problems.filter((each) => !isOfDeliveries(each));
      expect({ problems, exit: await child.exited }).toEqual({ problems: [], exit: 0 });
      expect(err).not.toContain("error");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/**
 * `deliveries` stands where an endpoint's id could: such ids begin with `whe_`, and a path that
 * names its segments whole comes first.
 */
function isOfDeliveries({ ruleId, message }: { ruleId: string; message: string }): boolean {
  const named = "`/v1/admin/webhook-deliveries/";
  return ruleId === "no-ambiguous-paths" && message.split(named).length === 2;
}

describe("examples", () => {
  test("are there for every operation that answers JSON", () => {
    // One always refuses, one answers events, one answers this document.
    const unfit = ["get_authorize", "mcp", "get_openapi_json"];
    const without = ROUTES.published.filter(({ id, success }) => {
      const isJson = success.contentType === undefined;
      return isJson && !unfit.includes(id) && !EXAMPLES.operations[id];
    });
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test("are of operations and codes that exist, and hold no secret", () => {
    const ids = ROUTES.published.map(({ id }) => id);
    expect(Object.keys(EXAMPLES.operations).filter((id) => !ids.includes(id))).toEqual([]);
    for (const [code, { status, response }] of Object.entries(EXAMPLES.errors)) {
      expect(response).toMatchObject({ error: { code } });
      expect(status).toBe(REFUSALS[code as keyof typeof REFUSALS].status);
    }
    const text = JSON.stringify(EXAMPLES);
    expect(text).not.toMatch(/\bik_(live|test)_(?!EXAMPLE)\w/);
    expect(text).not.toMatch(/\bwhsec_(?!EXAMPLE)\w/);
    expect(text).not.toMatch(/\beyJ[\w-]{40,}\./);
  });
});

describe("pages", () => {
  test("explain every code, as HTML and as Markdown, without script", async () => {
    for (const code of REFUSAL_CODES) {
      const page = await get(`/docs/errors/${code}`);
      expect({ code, status: page.status }).toEqual({ code, status: 200 });
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.text).toContain(`<h1><code>${code}</code></h1>`);
      expect(page.text).not.toContain("<script");
      expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      const markdown = await get(`/docs/errors/${code}.md`);
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(markdown.text).toStartWith(`# ${code}\n`);
      expect(markdown.text).toContain(remediationOf(code));
    }
  });

  test("are where the errors of the service say", async () => {
    const refused = (await get("/v1/properties")).refused("unauthenticated");
    const { pathname } = new URL(refused.docs_url);
    expect((await get(pathname)).text).toContain("unauthenticated");
    const index = await get("/docs/errors");
    for (const code of REFUSAL_CODES) expect(index.text).toContain(`/docs/errors/${code}"`);
  });

  test("tell every kind of event, where the catalogue says, as HTML and as Markdown", async () => {
    const agent = service.demo.admin;
    const answer = await service.api("GET", "/v1/admin/events/kinds", { agent });
    type Kind = { kind: string; meaning: string; docs_url: string };
    const { items } = answer.ok<{ items: readonly Kind[] }>().data;
    expect(items.map(({ kind }) => kind).sort()).toEqual([...PUBLIC_KINDS].sort());
    const index = (await get("/docs/events")).text;
    for (const { kind, meaning, docs_url } of items) {
      const { pathname } = new URL(docs_url);
      expect(index).toContain(`href="${pathname}"`);
      const page = await get(pathname);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.text).toContain(`<h1><code>${kind}</code></h1>`);
      expect(page.text).not.toMatch(/<script|style=/);
      const markdown = await get(`${pathname}.md`);
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(markdown.text).toStartWith(`# ${kind}\n\n${meaning}\n`);
    }
    (await get("/docs/events/hold.lost")).refused("validation_failed", 404);
  });

  test("say in the document what is sent to webhooks, with an example that fits", async () => {
    const { "x-webhooks": webhooks } = (await get("/openapi.json")).json as {
      "x-webhooks": Record<string, { post: { operationId: string; requestBody: object } }>;
    };
    expect(Object.keys(webhooks).sort()).toEqual([...PUBLIC_KINDS].sort());
    expect(webhooks["hold.created"]!.post).toMatchObject({
      operationId: "hold_created_webhook",
      requestBody: {
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/HoldCreatedEvent" },
            example: { type: "hold.created" },
          },
        },
      },
    });
  });

  test("guide those who work on the service, as HTML and as Markdown", async () => {
    expect((await get("/docs")).text).toContain('href="/docs/guides"');
    const index = (await get("/docs/guides")).text;
    for (const name of GUIDE_NAMES) {
      expect(index).toContain(`href="/docs/guides/${name}"`);
      const path = `/docs/guides/${name}`;
      const page = await get(path);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      expect(page.headers.get("content-security-policy")).toEndWith("; script-src 'self'");
      expect(page.text).toMatch(/<h1 id="[a-z-]+">/);
      const scripts = [...page.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
      expect(scripts).toEqual([expect.stringContaining('src="/docs/assets/copy.js?')]);
      expect(page.text).not.toContain("style=");
      const markdown = await get(`${path}.md`);
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(markdown.text).toStartWith("# ");
      for (const at of [path, `${path}.md`]) {
        const headers = { "if-none-match": (await get(at)).headers.get("etag")! };
        const again = await service.api("GET", at, { agent: null, headers });
        expect([again.status, again.text]).toEqual([304, ""]);
      }
      const head = await service.api("HEAD", path, { agent: null });
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(head.headers.get("etag")).toBe(page.headers.get("etag"));
    }
  });

  test("load nothing from elsewhere, and everything they load is there", async () => {
    const guides = ["/docs/guides", ...GUIDE_NAMES.map((name) => `/docs/guides/${name}`)];
    for (const path of ["/docs", "/docs/errors", "/docs/errors/conflict", ...guides]) {
      const { text } = await get(path);
      const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
      expect(loaded.filter((address) => !/^[/#]/.test(address))).toEqual([]);
      const anchors = loaded.filter((address) => address.startsWith("#"));
      for (const each of anchors) expect(text).toContain(` id="${each.slice(1)}"`);
      for (const address of new Set(loaded.filter((each) => !anchors.includes(each)))) {
        expect({ address, status: (await get(address)).status }).toEqual({ address, status: 200 });
      }
      expect(text).not.toMatch(/<script(?![^>]* src=)/);
      expect(text).not.toContain("style=");
    }
  });

  test("give the reference what it needs and no more", async () => {
    const { headers } = await get("/docs");
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
    const at = "/docs/assets/scalar.js";
    const ask = (coding: string) =>
      fetch(service.baseUrl + at, { headers: { "accept-encoding": coding }, decompress: false });
    const [small, whole] = await Promise.all([ask("gzip, br"), ask("identity")]);
    const codings = [small, whole].map((each) => each.headers.get("content-encoding"));
    expect(codings).toEqual(["gzip", null]);
    const [packed, plain] = [await small.arrayBuffer(), await whole.arrayBuffer()];
    expect(Buffer.from(plain).equals(Bun.gunzipSync(packed))).toBeTrue();
    expect(small.headers.get("cache-control")).toBe("public, max-age=31536000");
    expect(small.headers.get("vary")).toBe("Accept-Encoding");
    expect(small.headers.get("etag")).not.toBe(whole.headers.get("etag"));
  });

  test("do not exist for what does not exist", async () => {
    const paths = ["/docs/errors/no_such_code", "/docs/errors/.md", "/docs/assets/package.json"];
    const guides = ["/docs/guides/.md", "/docs/guides/no-such", "/docs/guides/..%2fguides.ts"];
    for (const path of [...paths, ...guides, "/docs/assets/..%2fassets.ts"]) {
      (await get(path)).refused("validation_failed", 404);
    }
  });
});
