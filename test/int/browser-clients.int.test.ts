/**
 * Goal: a client in a browser calls the service from where the operator lets it, and from nowhere
 * else. Method: one server serves the same page under two names, of which one is in `CORS_ORIGINS`;
 * Chromium opens both, and each runs the released MCP client and a search.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { mcpUrl } from "../support/mcp-client.ts";
import { freePort, Service } from "../support/service.ts";

const PORT = freePort();
const LET_IN = `http://127.0.0.1:${PORT}`;
const OTHER = `http://localhost:${PORT}`;

let service: Service;
let browser: Browser;
let server: Bun.Server<undefined>;

beforeAll(async () => {
  const entrypoints = [new URL(import.meta.resolve("../support/browser-client.ts")).pathname];
  const [started, opened, built] = await Promise.all([
    Service.start({ API_PROCESSES: "1", CORS_ORIGINS: LET_IN }),
    openBrowser(),
    Bun.build({ entrypoints, target: "browser" }),
  ]);
  [service, browser] = [started, opened];
  const script = await built.outputs[0]!.text();
  const page =
    '<!doctype html><title>A client</title><script type="module" src="/client.js"></script>';
  const html = { headers: { "content-type": "text/html" } };
  const js = { headers: { "content-type": "text/javascript" } };
  server = Bun.serve({
    port: PORT,
    fetch: ({ url }) => (url.endsWith(".js") ? new Response(script, js) : new Response(page, html)),
  });
});
afterAll(async () => {
  await server.stop(true);
  await browser.close();
  await service.stop();
});

async function open(origin: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForFunction("globalThis.mcp !== undefined");
  return page;
}

const dateIn = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const SEARCH = { stay: { check_in: dateIn(14), check_out: dateIn(15) }, guests: { adults: 2 } };

/** Calls one of the page's functions. */
function call(page: Page, name: "search" | "mcp", ...args: unknown[]): Promise<unknown> {
  return page.evaluate(`${name}(...${JSON.stringify(args)})`);
}

test("a page of a configured origin searches, and reads refusals and headers", async () => {
  const page = await open(LET_IN);
  const { secret } = service.demo.agent;
  const search = (path: string, key: string) =>
    call(page, "search", service.baseUrl + path, key, SEARCH);
  const trace = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(await search("/v1/search", secret)).toMatchObject({ status: 200, trace });
  expect(await search("/v1/search", "wrong")).toMatchObject({ status: 401, trace });
  expect(await search("/v1/serach", secret)).toMatchObject({ status: 404, trace });
  await page.close();
});

test("the MCP client in such a page connects, lists the tools and calls one", async () => {
  const page = await open(LET_IN);
  expect(await call(page, "mcp", mcpUrl(service).href, service.demo.agent.secret)).toEqual({
    ...{ tools: expect.arrayContaining(["search", "quote", "hold", "book"]), isError: false },
  });
  await page.close();
});

test("a page of another origin is stopped by its browser before it calls", async () => {
  const page = await open(OTHER);
  const { secret } = service.demo.agent;
  const failed = { failed: "TypeError" };
  expect(await call(page, "search", `${service.baseUrl}/v1/search`, secret, SEARCH)).toEqual(
    failed,
  );
  expect(await call(page, "mcp", mcpUrl(service).href, secret)).toEqual(failed);
  await page.close();
});
