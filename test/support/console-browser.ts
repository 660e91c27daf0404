/** The console in Chromium: signing in, and what every page of it must hold. */
import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { barriersOn } from "./browser.ts";
import type { Service } from "./service.ts";

const HEIGHT = 900;
/** The narrowest first: it is where a page breaks. */
const WIDTHS = [320, 360, 768, 1440];
/** What axe looks at; each layout in one of the two color schemes. */
const LOOKS = [
  { width: 1440, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
] as const;
/** From here on the navigation is beside the content. */
const RAIL_FROM_WIDTH = 1024;
/**
 * Whether header and navigation are as wide as the page, and the content is below both; null for a
 * page without navigation.
 */
const AREAS = `(() => {
  if (!document.querySelector(".rail")) return null;
  const [bar, rail, main] = [".bar", ".rail", "main"].map((name) =>
    document.querySelector(name).getBoundingClientRect());
  const isWide = ({ width }) => width === document.documentElement.clientWidth;
  return { bar: isWide(bar), rail: isWide(rail), isBelow: main.top >= rail.bottom };
})()`;
const STACKED = { bar: true, rail: true, isBelow: true };
const BESIDE = { bar: true, rail: false, isBelow: false };

/** A tab of its own, in which the operator has signed in by the form. */
export async function openConsole(
  browser: Browser,
  { baseUrl, demo }: Pick<Service, "baseUrl" | "demo">,
  { secret }: Pick<DemoAgent, "secret"> = demo.admin,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: HEIGHT } });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/console/sign-in`);
  await page.getByLabel("secret").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${baseUrl}/console`);
  return page;
}

/** Signs the tab in by a one-time link; resolves on the first page. */
export async function enter(page: Page, service: Service, agent = service.demo.admin) {
  const made = await service.api("POST", "/v1/admin/console-links", { agent });
  const { pathname, hash } = new URL(made.ok<{ readonly url: string }>(201).data.url);
  await page.goto(service.baseUrl + pathname + hash);
  await page.waitForURL("**/console");
}

/**
 * What is wrong with the open page on any screen: barriers, markup of a name, sideways scroll,
 * areas out of place. A page of the console is one that is shown to somebody who has signed in.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    faults.push(...(await barriersOn(page)).map((each) => `${width} ${colorScheme} ${each}`));
  }
  if (await page.locator("main img").count()) faults.push("a name is markup");
  const hasRail = new URL(page.url()).pathname.startsWith("/console");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const over = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
    if (over > 0) faults.push(`${width} scrolls sideways by ${over}`);
    const areas = await page.evaluate(AREAS);
    const layout = width < RAIL_FROM_WIDTH ? STACKED : BESIDE;
    if (!Bun.deepEquals(areas, hasRail ? layout : null))
      faults.push(`${width} ${JSON.stringify(areas)}`);
  }
  return faults;
}

/** Opens each of the pages; none has a fault. */
export async function expectFit(page: Page, baseUrl: string, paths: readonly string[]) {
  for (const path of paths) {
    await page.goto(baseUrl + path);
    expect({ path, faults: await faultsOf(page) }).toEqual({ path, faults: [] });
  }
}
