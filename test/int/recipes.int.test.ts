/**
 * Goal: the guide "Adding things" is correct: each of its recipes, applied to a copy of the tree,
 * changes only the files it names, passes all checks, and works when the copy is started. Method:
 * the recipes as edits (`test/support/recipes.ts`), compared with the text of the guide. Prints
 * each step.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../../engine/core/events/event.ts";
import { Replica } from "../../engine/log/replica.ts";
import { pendingNotices } from "../../src/access/control/notices.ts";
import { createTenant } from "../../src/access/control/tenants.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { TSC } from "../stages.ts";
import { createHotel, newHold, stayRequest } from "../support/client.ts";
import { McpCaller } from "../support/mcp-client.ts";
import {
  HOLD_FILE,
  IMPRINT_FILE,
  JOB_FILE,
  OTA_FILE,
  PAGES_FILE,
  PARTNERS_FILE,
  PROFILE_FILE,
  PROVIDER_FILE,
  PROVIDERS_FILE,
  RECIPES,
  ROUTES_FILE,
  RULES_FILE,
  WORKER_FILE,
} from "../support/recipes.ts";
import {
  type DocumentName,
  expectValid,
  feedPath,
  fetchBuilt,
  resultsIn,
  textOf,
} from "../support/served-feeds.ts";
import { Service, until } from "../support/service.ts";
import { type Ended, TreeCopy } from "../support/tree-copy.ts";

/** Compiler, rules, style, service and other tests run side by side on few cores. */
const LIMIT_MS = 600_000;

const GUIDE = "src/publish/docs/guides/adding-things.md";
const RECIPE_LINES_MAX = 10;
const ISSUERS = "/v1/admin/delegation-issuers";
const CODE = "issuer_not_reviewable";
const EVENT = "delegation_issuer.reviewed";

const EDITS = Object.values(RECIPES).flat();

const copy = new TreeCopy();
/** Recipe → the files that it changes. */
const touched = new Map<string, string[]>();
let checks: Promise<readonly Ended[]>;
let service: Service;
let operator: DemoAgent;
let tenantId: string;

const say = (text: string) => console.log(`  ${(performance.now() / 1000).toFixed(1)} s  ${text}`);

/** Applies all recipes, and notes the files that each of them changes. */
function follow(): void {
  let before = new Map<string, string>();
  const now = () => new Map(copy.changed().map((path) => [path, copy.read(path)]));
  for (const [recipe, edits] of Object.entries(RECIPES)) {
    for (const edit of edits) copy.apply(edit);
    const after = now();
    const files = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
    touched.set(recipe, files);
    say(`${recipe}: ${files.length} files (${files.join(", ")})`);
    before = after;
  }
}

async function check(name: string, ...command: string[]): Promise<Ended> {
  const ended = await copy.run(command, LIMIT_MS);
  say(`${name}: ${ended.exitCode === 0 ? "nothing found" : `exit code ${ended.exitCode}`}`);
  return ended;
}

beforeAll(async () => {
  expect(copy.changed()).toEqual([]);
  say(`copied to ${copy.root}`);
  follow();
  const bin = (name: string) => join("node_modules", ".bin", name);
  checks = Promise.all([
    check("types", TSC, "--noEmit", "-p", "."),
    check("style", bin("biome"), "check", "."),
    check("rules", process.execPath, "test", "./test/tidy.test.ts"),
  ]);
  const env = { DEMO: "0", API_PROCESSES: "1", LANES: "1", PAYMENT_PROVIDER: "desk" };
  service = await Service.start(env, copy.root);
  tenantId = service.control((store) => createTenant(store, "Recipes"));
  const scopes = ["admin:*"];
  [operator] = (await service.newAgents([{ tenantId, kind: "operator", scopes }])) as [DemoAgent];
  say("the copy is started");
});

afterAll(async () => {
  await Promise.all([service?.stop(), checks]);
  copy.remove();
});

const get = (path: string) => service.api("GET", path, { agent: null });
const post = (path: string, key: string) => {
  return service.api("POST", path, { agent: operator, headers: { "idempotency-key": key } });
};

/** The lines of code of a recipe, or all lines that are not empty. */
function linesOf(recipe: string, isCode = false): string[] {
  const fenced = recipe.split(/^```\w*\n/m).flatMap((part, i) => (!isCode || i % 2 ? [part] : []));
  return fenced.flatMap((part) => part.split("\n")).filter((line) => line.trim() !== "");
}

/** True when `text` contains `lines` in this order, possibly with others between them. */
function standIn(text: string, lines: readonly string[]): boolean {
  const rest = lines.map((line) => line.trim());
  for (const line of text.split("\n")) if (line.trim() === rest[0]) rest.shift();
  return rest.length === 0;
}

test("the guide has exactly these recipes, each short, with the code of this test", () => {
  const [, ...sections] = copy.read(GUIDE).split(/^### /m);
  const recipes = sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    return { heading, text: lines.join("\n") };
  });
  expect(recipes.map(({ heading }) => heading)).toEqual(Object.keys(RECIPES));
  for (const { heading, text } of recipes) {
    const { length } = linesOf(text);
    say(`${heading}: ${length} lines`);
    expect({ heading, isShort: length <= RECIPE_LINES_MAX }).toEqual({ heading, isShort: true });
    const code = linesOf(text, true);
    const isTried = RECIPES[heading]!.some((edit) => standIn(edit.text, code));
    expect({ heading, code, isTried }).toEqual({ heading, code, isTried: true });
  }
});

test("the guide names only existing files, and every changed file", () => {
  const guide = copy.read(GUIDE);
  const spans = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  const paths = spans.filter((span) => /^(?:engine|jobs|feeds|src|test)\/[\w./-]+$/.test(span));
  expect(paths.length).toBeGreaterThan(30);
  const own = "test/int/recipes.int.test.ts";
  expect(paths.filter((path) => path !== own && !copy.has(path))).toEqual([]);
  expect(copy.changed().filter((path) => !paths.includes(path))).toEqual([]);
});

test("a route, its code and its event are four files; the others are as few as they can be", () => {
  const filesOf = (...recipes: string[]) => {
    return [...new Set(recipes.flatMap((recipe) => touched.get(recipe)!))].sort();
  };
  expect(filesOf("A route", "A tool for models")).toEqual([ROUTES_FILE]);
  const code = ["engine/core/refusals.ts", "src/refusals/access.ts"];
  expect(filesOf("A refusal code")).toEqual([code[0]!, ROUTES_FILE, code[1]!]);
  expect(filesOf("An event")).toEqual(["engine/core/events/notices.ts", ROUTES_FILE]);
  const files = filesOf("A route", "A tool for models", "A refusal code", "An event");
  expect(files).toEqual(["engine/core/events/notices.ts", code[0]!, ROUTES_FILE, code[1]!]);
  expect(filesOf("An engine event")).toEqual(["engine/core/events/holds.ts", HOLD_FILE]);
  expect(filesOf("A restriction rule")).toEqual([RULES_FILE, OTA_FILE]);
  expect(filesOf("A payment provider")).toEqual([PROVIDER_FILE, PROVIDERS_FILE]);
  expect(filesOf("A feed partner")).toEqual([PARTNERS_FILE, PROFILE_FILE]);
  expect(filesOf("A job")).toEqual([JOB_FILE, WORKER_FILE]);
  expect(filesOf("A page", "An answer in XML")).toEqual([IMPRINT_FILE, PAGES_FILE]);
  // A line each, and the import that it needs.
  expect(linesChanged(PROVIDERS_FILE)).toEqual({ added: 2, removed: 0 });
  expect(linesChanged(PARTNERS_FILE)).toEqual({ added: 2, removed: 0 });
  expect(linesChanged(WORKER_FILE)).toEqual({ added: 2, removed: 0 });
});

function linesChanged(path: string) {
  const linesAt = (text: string) => new Set(text.split("\n"));
  const before = linesAt(readFileSync(join(import.meta.dir, "..", "..", path), "utf8"));
  const after = linesAt(copy.read(path));
  return { added: after.difference(before).size, removed: before.difference(after).size };
}

test("the new code is published with its status, its page and its operation", async () => {
  const { errors } = (await get("/.well-known/errors")).json as { errors: { code: string }[] };
  expect(errors.find(({ code }) => code === CODE)).toMatchObject({ status: 409 });
  const page = await get(`/docs/errors/${CODE}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Sealed: the same request");
  expect(page.text).toContain("review_issuer");
  const { paths } = (await get("/openapi.json")).json as {
    paths: Record<string, { post?: { "x-error-codes": string[] } }>;
  };
  const operation = paths[`${ISSUERS}/{id}/review`]?.post;
  expect(operation).toMatchObject({ operationId: "review_issuer" });
  expect(operation!["x-error-codes"]).toContain(CODE);
  expect(paths["/docs/imprint"]).toBeDefined();
  say("published");
});

interface IssuerData {
  readonly issuer_id: string;
}

/** Rows of the journal that hold the new event. */
function reviewed(): Row[] {
  const replica = new Replica(join(service.dataDir, "engine", "0.db"));
  const rows = Array.from({ length: replica.head.row }, (_, i) => replica.row(i + 1)!);
  replica.close();
  return rows.filter(({ events }) => (events[0]?.type as string | undefined) === EVENT);
}

test("the new route refuses, sealed as declared, then succeeds and emits its event", async () => {
  const body = { iss: "https://r.example", name: "R", jwks_url: "https://r.example/jwks" };
  const made = await service.api("POST", ISSUERS, { agent: operator, body });
  const { issuer_id } = made.ok<IssuerData>(201).data;
  const at = `${ISSUERS}/${issuer_id}`;
  (await post(`${at}/suspend`, "k-0")).ok();
  const refused = await post(`${at}/review`, "k-1");
  const { error } = refused.json as { readonly error: object };
  expect(refused.status).toBe(409);
  expect(Object.keys(error)).toEqual([
    ...["code", "message", "detail", "remediation", "retry_after", "docs_url", "trace_id"],
    "next_actions",
  ]);
  expect(error).toMatchObject({
    code: CODE,
    message: "The issuer cannot be reviewed in its status.",
    detail: { issuer_id, status: "suspended" },
    retry_after: null,
    docs_url: expect.stringMatching(new RegExp(`/docs/errors/${CODE}$`)),
    next_actions: [{ rel: "get", method: "GET", href: ISSUERS }],
  });
  (await post(`${at}/activate`, "k-2")).ok();
  const again = await post(`${at}/review`, "k-1");
  expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([refused.text, "true"]);
  const succeeded = (await post(`${at}/review`, "k-3")).ok<IssuerData>();
  expect(succeeded.data).toMatchObject({ issuer_id, status: "active" });
  await until("the outbox is empty", () => service.control(pendingNotices).length === 0);
  const [row, ...more] = reviewed();
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    trace_id: succeeded.trace_id,
    actor: { kind: "operator", id: operator.agent_id },
    events: [{ type: EVENT, data: { issuer_id } }],
  });
  say("refused, replayed, succeeded, recorded");
});

test("the new engine event is published, documented and in the journal", async () => {
  const hotel = await createHotel(service, { operator, units: [1] });
  const [agent] = (await service.newAgents([{ tenantId, kind: "agent" }])) as [DemoAgent];
  const { hold_id } = await newHold(service, stayRequest(hotel), { agent });
  const extend = () => service.api("POST", `/v1/holds/${hold_id}/extend`, { agent });
  (await extend()).ok();
  (await extend()).ok();
  const listed = await service.api("GET", "/v1/admin/events?kinds=hold.exhausted", {
    agent: operator,
  });
  const { items } = listed.ok<{ items: readonly object[] }>().data;
  expect(items).toMatchObject([
    {
      type: "hold.exhausted",
      subject: { type: "hold", id: hold_id },
      data: { hold_id, extensions: 2, state: "held", property_id: hotel.id },
    },
  ]);
  const { paths: _paths, ...document } = (await get("/openapi.json")).json as {
    paths: object;
    components: { schemas: object };
  };
  const names = Object.keys(document.components.schemas);
  expect(names).toContain("HoldExhaustedEvent");
  expect(names).toContain("AuditedHoldExhausted");
  say("engine event published");
});

test("the new rule refuses what a search and a quote offered before", async () => {
  const hotel = await createHotel(service, { operator, units: [1] });
  const [agent] = (await service.newAgents([{ tenantId, kind: "agent" }])) as [DemoAgent];
  const body = stayRequest(hotel);
  const { check_out } = body.stay;
  const destination = { type: "property", value: hotel.id };
  const search = async () => {
    const asked = { destination, stay: body.stay, guests: body.guests };
    const answer = await service.api("POST", "/v1/search", { agent, body: asked });
    return answer.ok<{ results: readonly object[]; no_results: object | null }>().data;
  };
  expect((await search()).results).toHaveLength(1);
  const range = { room_type_id: body.room_type_id, from: check_out, to: check_out };
  const ari = { restrictions: [{ ...range, min_los_departure: 3 }] };
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  (await service.api("PUT", path, { agent: operator, body: ari })).ok();
  const reason = "min_los_departure";
  expect(await search()).toMatchObject({
    results: [],
    no_results: { reasons: [{ kind: "restriction", reason, properties: 1 }] },
  });
  const quoted = await service.api("POST", "/v1/quotes", { agent, body });
  const { availability } = quoted.ok<{ availability: object }>(201).data;
  const blocking = [{ date: check_out, reason, limit: 3 }];
  expect(availability).toMatchObject({ sellable: 0, blocking });
  say("refused by the new rule");
});

test("the new tool is listed for whom it is, and answers as the route does", async () => {
  const caller = await McpCaller.connect(service, { agent: operator });
  expect(await caller.toolNames()).toContain("review_issuer");
  const args = { issuer_id: "no-such-issuer" };
  await caller.refused("review_issuer", args, "delegation_issuer_not_found");
  await caller.close();
  say("listed and called as a tool");
});

test("the new page has the common frame, and the XML is well formed", async () => {
  const page = await get("/docs/imprint");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'");
  expect(page.headers.get("etag")).not.toBeNull();
  expect(page.text).toContain("<title>Imprint</title>");
  expect(page.text).toContain(`<main id="main" tabindex="-1"><h1>Imprint</h1>`);
  expect(page.text).toContain('<nav aria-label="Documentation">');
  const { text, headers } = await get("/docs/imprint.xml");
  expect([text, headers.get("content-type")]).toEqual([
    "<imprint/>",
    "application/xml; charset=utf-8",
  ]);
});

test("the new provider is opened, and the new job has done its work", async () => {
  await until("payments are ready", async () => {
    const { json } = await get("/readyz");
    const { data } = json as { data?: { dependencies: { payments: { state: string } } } };
    return data?.dependencies.payments.state === "ok";
  });
  expect(service.log).not.toContain("payments are not configured");
  const lines = service.log.split("\n").filter((line) => line.includes('"msg":"disk"'));
  expect(lines).not.toBeEmpty();
  expect(JSON.parse(lines[0]!)).toMatchObject({ role: "worker", free_bytes: expect.any(Number) });
  say("provider and job at work");
});

test("the new partner gets the hotels, their prices and the targets of clicks", async () => {
  const { id } = await createHotel(service, { operator, units: [1] });
  const query = { tenant_id: tenantId };
  const of = async (name: DocumentName) => {
    const days = name === "ari" ? { days: 1 } : {};
    const path = feedPath("skyscanner", name, name === "pointofsale" ? {} : { ...query, ...days });
    const text = textOf(await fetchBuilt(service, path));
    expectValid(name, text);
    return text;
  };
  expect(await of("hotel-list")).toContain(`<id>${id}</id>`);
  const results = resultsIn(await of("ari")).filter((text) => text.includes(id));
  expect(results).toHaveLength(7);
  expect(await of("pointofsale")).toContain("?partner=skyscanner&amp;");
  say("three documents of a new partner");
});

test(
  "types, style and rules hold in the copy",
  async () => {
    for (const { exitCode, output } of await checks) {
      expect({ exitCode, output: exitCode === 0 ? "" : output }).toEqual({
        exitCode: 0,
        output: "",
      });
    }
  },
  LIMIT_MS,
);

test("the reverted changes leave no trace", async () => {
  await checks;
  for (const edit of EDITS.toReversed()) copy.undo(edit);
  expect(copy.changed()).toEqual([]);
  say("taken back, byte for byte");
});
