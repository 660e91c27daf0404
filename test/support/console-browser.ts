/** The console in Chromium: signing in, and what every page of it must hold. */
import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { barriersOn } from "./browser.ts";
import type { Service } from "./service.ts";

const HEIGHT = 900;
/** The narrowest first: it is where a page breaks. */
const WIDTHS = [320, 360, 768, 1440];
/** From here on the navigation is beside the content. */
const RAIL_FROM_WIDTH = 1024;
/** Whether header and navigation are as wide as the page, and whether the content is below both. */
const AREAS = `(() => {
  const [bar, rail, main] = [".bar", ".rail", "main"].map((name) =>
    document.querySelector(name).getBoundingClientRect());
  const isWide = ({ width }) => width === document.documentElement.clientWidth;
  return { bar: isWide(bar), rail: isWide(rail), isBelow: main.top >= rail.bottom };
})()`;
const STACKED = { bar: true, rail: true, isBelow: true };
const BESIDE = { bar: true, rail: false, isBelow: false };

/** A tab of its own, in which the operator has signed in. */
export async function openConsole(
  browser: Browser,
  { baseUrl }: Pick<Service, "baseUrl">,
  { secret }: Pick<DemoAgent, "secret">,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: HEIGHT } });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/console/sign-in`);
  await page.getByLabel("secret").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${baseUrl}/console`);
  return page;
}

/** Pages have no barrier in light and dark, no image of somebody's words, no sideways scroll. */
export async function expectFit(page: Page, baseUrl: string, paths: readonly string[]) {
  for (const path of paths) {
    await page.goto(baseUrl + path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ path, colorScheme, barriers: await barriersOn(page) }).toEqual({
        ...{ path, colorScheme, barriers: [] },
      });
    }
    expect({ path, images: await page.locator("main img").count() }).toEqual({ path, images: 0 });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect({ path, width, over: Number(over) > 0 }).toEqual({ path, width, over: false });
      expect({ path, width, areas: await page.evaluate(AREAS) }).toEqual({
        ...{ path, width, areas: width < RAIL_FROM_WIDTH ? STACKED : BESIDE },
      });
    }
  }
}
