/**
 * Goal: an operator sees what each partner gets, why a build failed, and has a feed built; a list
 * that has shrunk is published only after a question. Method: a real service and worker, a browser
 * without script, and Chromium.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { PARTNERS } from "../../feeds/partners.ts";
import { feedsPath } from "../../src/config.ts";
import { openBrowser } from "../support/browser.ts";
import { type Person, signedIn } from "../support/console.ts";
import { expectFit, openConsole } from "../support/console-browser.ts";
import { Service, until } from "../support/service.ts";

const FEEDS = "/console/feeds";
const AT = `${FEEDS}/google`;
/** Of the second tenant's demo hotels, those on sale. */
const LISTED = 3;

let service: Service;
let person: Person;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
  person = await signedIn(service, service.demo.second_tenant.admin);
});
afterAll(() => service.stop());

/** The part of the page about a partner. */
async function sectionOf(partner: string): Promise<string> {
  const { html } = await person.get(FEEDS);
  const [, section] = new RegExp(`id="feed-${partner}"(.*?)</section>`, "s").exec(html) ?? [];
  return section ?? "";
}

/** Has it built by the form of a page; its section once the build has ended. */
async function built(page: string, action: string): Promise<string> {
  expect((await person.submit(page, action)).location).toBe(FEEDS);
  let section = "";
  await until("the build has ended", async () => {
    section = await sectionOf("google");
    return !section.includes("<progress");
  });
  return section;
}

test("every partner is shown before its first build, and a build is followed to its feed", async () => {
  for (const partner of PARTNERS) expect(await sectionOf(partner)).toContain("not built");
  const section = await built(FEEDS, `${AT}/build`);
  expect(section).toContain('<span class="chip good">published</span>');
  expect(section).toMatch(new RegExp(`<dt>Properties</dt><dd>${LISTED} <span`));
  expect(section).toContain("<dt>Prices of 30 days</dt>");
  expect(section).toContain("<dt>Accuracy</dt><dd>not checked yet</dd>");
  const runs = await person.get(AT);
  expect(runs.html.match(/<tr id="run_/g)).toHaveLength(1);
  expect(runs.html).toContain("operator");
});

test("a list that has shrunk is published only after a question, with its reason", async () => {
  const db = new Database(feedsPath(service.dataDir));
  db.run("UPDATE run SET listings = 9 WHERE state = 'published'");
  db.close();
  const failed = await built(FEEDS, `${AT}/build`);
  expect(failed).toContain("The last build failed: shrunken");
  expect(failed).toContain("The feed before it stays published.");
  const { html } = await person.get(`${AT}/accept`);
  expect(html).toContain(`${LISTED} properties are published now`);
  const accepted = await built(`${AT}/accept`, `${AT}/accept`);
  expect(accepted).not.toContain("failed");
  expect(accepted).not.toContain("Accept the shorter list");
  expect((await person.get(AT)).html.match(/<tr id="run_/g)).toHaveLength(3);
});

test("who may not see feeds is refused in words; mode test has none", async () => {
  const [reader] = await service.newAgents([{ kind: "operator", scopes: ["bookings:read"] }]);
  const stranger = await signedIn(service, reader!);
  expect((await stranger.get(FEEDS)).html).toContain("forbidden");
  expect((await stranger.get(AT)).status).toBe(404);
  const tester = await signedIn(service, service.demo.test_admin);
  const { html } = await tester.get(FEEDS);
  expect(html).toContain("use a credential of mode live");
  expect(html).not.toContain("Build now");
  expect((await person.get(`${FEEDS}/nosuch`)).status).toBe(404);
});

test("the pages have no barrier and no sideways scroll, and a build is seen to end, live", async () => {
  await using browser = await openBrowser();
  const page = await openConsole(browser, service, service.demo.second_tenant.admin);
  await expectFit(page, service.baseUrl, [FEEDS, AT, `${AT}/accept`]);
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.waitForURL(service.baseUrl + FEEDS);
  const section = page.locator("#feed-bing");
  await section.getByRole("button", { name: "Build now" }).click();
  await section.locator(".chip.good", { hasText: "published" }).waitFor();
});
