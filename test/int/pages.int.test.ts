/**
 * Goal: every page is one that people can use. Method: Chromium opens each of them on a phone and
 * on a desk, light and dark; nothing may be wider than the screen, nothing may come from elsewhere,
 * and axe-core looks for barriers. What it looked like is left in `test/screenshots/`. The
 * reference is walked from a search to a cancelled booking by pressing its buttons alone.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { GUIDE_NAMES } from "../../src/publish/docs/guides.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const SCREENSHOTS = join(import.meta.dir, "..", "screenshots");
const MISSING = "/no/such/page";
/** Both widths and both schemes, though not in every pair of them. */
const SCREENS = [
  { width: 360, colorScheme: "light" },
  { width: 1440, colorScheme: "dark" },
] as const;
/** Of a picture: as much as one looks at. */
const HEIGHT = 1200;

const dateIn = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Who says so comes from elsewhere: only what has come through a proxy does. */
const ENV = { ...WHOLE_DEMO, API_PROCESSES: "1", TRUSTED_PROXIES: "1" };

let service: Service;
let browser: Browser;

beforeAll(async () => {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS);
  [service, browser] = await Promise.all([Service.start(ENV), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** A tab, with whatever it asks others for and whatever its console says against the page. */
async function tab() {
  const page = await browser.newPage();
  const faults: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(service.baseUrl) || url.startsWith("data:")) return route.continue();
    faults.push(`asks ${url}`);
    return route.abort();
  });
  page.on("console", (message) => {
    const text = message.text();
    const isMeant = message.location().url.endsWith(MISSING) && text.includes("404");
    // The renderer's word for a dialog that was closed.
    const isClosed = text.includes("request has been cancelled");
    if (message.type() === "error" && !isMeant && !isClosed) faults.push(text);
  });
  return { page, faults };
}

/** What is wider than the screen, if the page is. */
const wider = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isOver = (each) => each.getBoundingClientRect().right > width + 1;
    return [...document.body.querySelectorAll("*")].filter(isOver).map((each) => each.outerHTML.slice(0, 120));
  })()`);

/** The viewer of the reference has a main part of its own, within ours. */
const isOfViewer = (barrier: string) =>
  /^landmark-(?:main-is-top-level|no-duplicate-main):/.test(barrier);

/** Looks at a page that is open; `name` is that of its pictures. */
async function lookAt(page: Page, name: string): Promise<void> {
  // All guides are of one make: the others need no picture, and no second search for barriers.
  const isAlike = name.startsWith("guide-") && name !== `guide-${GUIDE_NAMES[0]}`;
  for (const { width, colorScheme } of SCREENS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    const picture = join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`);
    if (!isAlike) await page.screenshot({ path: picture });
    const seen = { name, width };
    expect({ ...seen, wider: await wider(page) }).toEqual({ ...seen, wider: [] });
    const found = isAlike && width !== 360 ? [] : await barriersOn(page);
    const barriers = name === "reference" ? found.filter((each) => !isOfViewer(each)) : found;
    expect({ ...seen, barriers }).toEqual({ ...seen, barriers: [] });
  }
}

let opened: ReturnType<typeof tab> | null = null;

/** The reference, in one tab for all tests; it is there when its script has read the document. */
function reference() {
  const open = async () => {
    const found = await tab();
    await found.page.setViewportSize({ width: 1440, height: 900 });
    await found.page.goto(`${service.baseUrl}/docs`);
    await found.page.locator("aside").first().waitFor();
    return found;
  };
  opened ??= open();
  return opened;
}

/** The main flow in order, with what each step is answered. */
const FLOW: readonly (readonly [id: string, status: number])[] = [
  ["search", 200],
  ["quote", 201],
  ["hold", 201],
  ["book", 201],
  ["get_booking", 200],
  ["get_audit", 200],
  ["cancel", 200],
];

/** Goes to an operation by the side navigation. */
async function goTo(page: Page, id: string): Promise<Locator> {
  const { tag } = ROUTES.byId(id);
  const side = page.locator("aside").first();
  const link = side.locator(`a[href$="/${id}"]`);
  if (!(await link.isVisible())) await side.getByText(tag, { exact: true }).click();
  await link.click();
  const slug = tag.toLowerCase().replaceAll(" ", "-");
  return page.locator(`[id$="tag/${slug}/${id}"]`);
}

/** From a search to a cancelled booking, in the tab of the reference. */
async function walk(): Promise<void> {
  const { page, faults } = await reference();
  await page.setViewportSize({ width: 1440, height: 900 });
  const intro = await page.locator("#reference").textContent();
  expect(intro).toContain("a key of your own is filled in");
  const answers: unknown[] = [];
  for (const [id, status] of FLOW) {
    const section = await goTo(page, id);
    await section.getByRole("button", { name: /Test Request/ }).click();
    const { method } = ROUTES.byId(id);
    const answered = page.waitForResponse((response) => {
      return response.request().method() === method && response.url().includes("/v1/");
    });
    await page.getByRole("button", { name: /^Send (get|post) request/ }).click();
    const response = await answered;
    expect({ id, status: response.status() }).toEqual({ id, status });
    answers.push(await response.json());
    if (id === "book") await page.screenshot({ path: join(SCREENSHOTS, "reference-try-it.png") });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  }
  expect(answers.at(-1)).toMatchObject({ data: { state: "cancelled" } });
  expect(faults).toEqual([]);
}

/** What the answers of the tab have said is in its requests after a reload too. */
async function reload(): Promise<void> {
  const { page } = await reference();
  const learned = await page.evaluate<string>("JSON.stringify(sessionStorage)");
  const [booking = "none"] = /bkg_[0-9a-z]+/.exec(learned) ?? [];
  await page.reload();
  await page.locator("aside").first().waitFor();
  const section = await goTo(page, "get_booking");
  // The first of them may be in a sample that another tab hides.
  await section.getByText(booking).first().waitFor({ state: "attached" });
}

/** The walk, once the reference was looked at: it waits for the page more than it works. */
let walking: Promise<void> | null = null;

const PATHS: Readonly<Record<string, string>> = {
  home: "/",
  missing: MISSING,
  errors: "/docs/errors",
  error: "/docs/errors/allocation_failed",
  events: "/docs/events",
  event: "/docs/events/booking.confirmed",
  guides: "/docs/guides",
  ...Object.fromEntries(GUIDE_NAMES.map((name) => [`guide-${name}`, `/docs/guides/${name}`])),
};

test("on a phone and on a desk, light and dark, every page fits and has no barriers", async () => {
  const left = Object.entries(PATHS);
  const visit = async () => {
    const { page, faults } = await tab();
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, path] = next;
      const answer = await page.goto(service.baseUrl + path);
      const status = name === "missing" ? 404 : 200;
      expect({ path, status: answer?.status() }).toEqual({ path, status });
      await lookAt(page, name);
      expect({ path, faults }).toEqual({ path, faults: [] });
    }
    await page.close();
  };
  const look = async () => {
    const { page, faults } = await reference();
    await lookAt(page, "reference");
    expect(faults).toEqual([]);
    walking = walk();
    // Its own test tells.
    walking.catch(() => {});
  };
  await Promise.all([look(), visit(), visit()]);
});

/** Where each block of code is, in the order of the page. */
const blocks = (page: Page) =>
  page.evaluate<number[][]>(`[...document.querySelectorAll("pre")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y + scrollY, width, height];
  })`);

test("a block of code is copied by its button, which moves nothing and is not needed", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ permissions, viewport: { width: 360, height: 800 } });
  const plain = await browser.newContext({
    ...{ javaScriptEnabled: false, viewport: { width: 360, height: 800 } },
  });
  const [page, still] = await Promise.all([context.newPage(), plain.newPage()]);
  const address = `${service.baseUrl}/docs/guides/mcp`;
  await Promise.all([page.goto(address), still.goto(address)]);
  const buttons = page.getByRole("button", { name: "Copy" });
  expect(await buttons.count()).toBe(await still.locator("pre").count());
  expect(await still.getByRole("button").count()).toBe(0);
  expect(await blocks(page)).toEqual(await blocks(still));
  const block = page.locator("pre").nth(1);
  await block.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Copied.").waitFor();
  const inClipboard = () => page.evaluate<string>("navigator.clipboard.readText()");
  expect(await inClipboard()).toBe(((await block.textContent()) ?? "").trimEnd());
  expect(await blocks(page)).toEqual(await blocks(still));
  // Where the page is served by plain http under a name, there is no clipboard to write to.
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await page.locator("pre").first().focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Copied" }).first().waitFor();
  const marked = await page.evaluate<string>("String(getSelection())");
  expect(marked.trim()).toBe(((await page.locator("pre").first().textContent()) ?? "").trim());
  await Promise.all([context.close(), plain.close()]);
});

test("the reference is walked from a search to a cancelled booking by pressing 'try it'", async () => {
  await (walking ?? walk());
  await reload();
});

test("a sample of the reference runs as it is copied, with ids and days of this installation", async () => {
  const { page } = await reference();
  const samples = await page.evaluate<{ label: string; source: string }[]>(
    'reference.getConfiguration().content.paths["/v1/quotes"].post["x-codeSamples"]',
  );
  expect(samples.map(({ label }) => label)).toEqual(["curl", "TypeScript", "Python"]);
  const [shell, program, script] = samples.map(({ source }) => source) as [string, string, string];
  for (const source of [shell, program, script]) expect(source).toContain(service.baseUrl);
  const run = async (...command: string[]) => {
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore" });
    return new Response(child.stdout).text();
  };
  expect(await run("sh", "-c", `${shell} -s`)).toStartWith('{"data":{"quote_id":"qt_');
  expect(await run(process.execPath, "-e", program)).toStartWith("201 ");
  // Python is not everywhere, and the package that the sample uses is not Python's own.
  if ((await run("python3", "-c", "import requests; print(1)").catch(() => "")) === "1\n") {
    expect(await run("python3", "-c", script)).toStartWith("201 ");
  }
});

test("the front page's place has room for its name on a tablet and on a desk", async () => {
  for (const width of [768, 1023, 1024, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(service.baseUrl);
    const box = await page.locator("[name=destination]").boundingBox();
    expect({ width, isWide: box!.width >= 240 }).toEqual({ width, isWide: true });
    await page.close();
  }
});

test("the front page searches without a script, with real prices that the next step keeps", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(service.baseUrl);
  await page.locator("[name=destination]").fill("Atlantis");
  await page.getByRole("button", { name: "Search" }).click();
  expect(await page.getByRole("status").textContent()).toBe("No place is known as “Atlantis”.");
  await page.locator(".meant").getByRole("link", { name: "Paris, France" }).click();
  expect(await page.locator("[name=destination]").inputValue()).toBe("Paris, France");
  expect(await page.locator('#places option[value="Gràcia, Barcelona, Spain"]').count()).toBe(1);
  await page.locator("[name=check_in]").fill(dateIn(50));
  await page.locator("[name=check_out]").fill(dateIn(53));
  await page.getByRole("button", { name: "Search" }).click();
  const hotel = page.locator(".found > li").first();
  const price = ((await hotel.locator(".price b").textContent()) ?? "").replace(/[^\d.]/g, "");
  const step = (await hotel.locator("pre").textContent()) ?? "";
  const body = JSON.parse(step.slice(step.indexOf("{")));
  expect(body.stay).toEqual({ check_in: dateIn(50), check_out: dateIn(53) });
  const quoted = await service.api("POST", "/v1/quotes", { body });
  type Quote = { price_breakdown: { total: number; due_now: number } };
  const { total, due_now } = quoted.ok<Quote>(201).data.price_breakdown;
  expect(Number(price) * 100).toBeCloseTo(total, 5);
  expect(await hotel.locator(".price").textContent()).toEndWith(" for 3 nights");
  const due = (await hotel.locator(".due").textContent()) ?? "";
  if (due_now === total) expect(due).toBe("With taxes and fees: all due now");
  else expect(due.replace(/[^\d. ]/g, "")).toContain((due_now / 100).toFixed(2));
  const shell = (await page.locator(".call pre").textContent()) ?? "";
  const child = Bun.spawn(["sh", "-c", shell], { stdout: "pipe", stderr: "ignore" });
  expect(await new Response(child.stdout).text()).toStartWith('{"data":{"results":[{"hotel_id":');
  await page.getByRole("link", { name: (await hotel.locator("h3").textContent()) ?? "" }).click();
  expect(new URL(page.url()).pathname).toBe(`/book/${body.hotel_id}`);
  await context.close();
});

test("programs get JSON at / and at unknown paths; browsers get a page, with Vary: Accept", async () => {
  const ask = (path: string, accept?: string, method = "GET") =>
    service.api(method, path, { agent: null, ...(accept ? { headers: { accept } } : {}) });
  const html = "text/html,application/xhtml+xml,*/*;q=0.8";
  for (const accept of [undefined, "*/*", "application/json"]) {
    expect((await ask("/", accept)).json).toMatchObject({ name: "innkeep" });
    const paths = ["/nowhere", "/v1/nowhere", "/docs/errors/nothing", "/docs/guides/nothing"];
    for (const path of paths) (await ask(path, accept)).refused("validation_failed", 404);
  }
  for (const path of ["/nowhere", "/v1/nowhere", "/docs/errors/nothing", "/docs/nothing"]) {
    const { status, headers, text } = await ask(path, html);
    expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(headers.get("vary")).toBe("Accept");
    expect(text).toContain("There is no such page");
  }
  for (const path of ["/", "/nowhere"]) {
    for (const accept of [undefined, html]) {
      const { headers } = await ask(path, accept);
      expect(headers.get("vary")!.split(", ")).toContain("Accept");
    }
  }
  (await ask("/nowhere", html, "POST")).refused("validation_failed", 404);
  (await ask("/v1/search", html)).refused("validation_failed", 405);
});

test("visitors of a demo see nothing of each other and may administer nothing", async () => {
  const come = () => service.api("POST", "/demo/visitors", { agent: null });
  type Visitor = { data: { agent_key: string; agent_id: string; expires_at: string } };
  const [one, other] = (await Promise.all([come(), come()])).map((each) => {
    const { agent_key: secret, agent_id, expires_at } = each.ok<Visitor["data"]>(201).data;
    const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeWithin(23.9, 24.01);
    return { secret, agent_id };
  }) as [DemoAgent, DemoAgent];
  const agent = one;
  (await service.api("GET", "/v1/admin/agents", { agent })).refused("principal_kind_not_allowed");
  const found = await service.api("POST", "/v1/search", {
    ...{
      agent,
      body: { stay: { check_in: dateIn(40), check_out: dateIn(41) }, guests: { adults: 1 } },
    },
  });
  const quoted = await service.api("POST", "/v1/quotes", {
    ...{ agent, body: found.ok().next_actions[0]!.body_hint },
  });
  const { quote_id } = quoted.ok<{ quote_id: string }>(201).data;
  const headers = { "idempotency-key": "visit-1" };
  const taken = { agent: other, body: { quote_id }, headers };
  (await service.api("POST", "/v1/holds", taken)).refused("quote_not_found");
});

test("a network is given so many visitors a day, at once or not, and takes nothing from others", async () => {
  const from = (address: string) => {
    const headers = { "x-forwarded-for": address };
    return service.api("POST", "/demo/visitors", { agent: null, headers });
  };
  const sameNetwork = Array.from({ length: 23 }, (_, i) => from(`2001:db8:1:2::${i.toString(16)}`));
  const answers = await Promise.all(sameNetwork);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.length).toBe(3);
  for (const answer of refused) {
    const { detail, retry_after } = answer.refused("rate_limited");
    expect(detail).toEqual({ policy: "visitors", limit: 20, burst: 20, window_s: 86_400 });
    expect(retry_after).toBeWithin(1, 86_400 / 20 + 1);
  }
  for (const other of ["2001:db8:1:3::1", "203.0.113.9"]) (await from(other)).ok(201);
});

test("the reference lists every operation before its renderer is there, and without scripts", async () => {
  const { page } = await tab();
  await page.route("**/scalar.js*", (route) => route.abort());
  await page.goto(`${service.baseUrl}/docs`);
  const listed = await page.locator("#reference .operations li").count();
  expect(listed).toBe(ROUTES.published.length);
  await page.close();
});
