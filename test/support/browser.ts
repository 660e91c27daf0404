/** Chromium as visitors have it, and what they would complain of. */
import { readFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { TEST_LIMIT_MS } from "../stages.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** Nothing of it calls home. */
const ARGS = [
  ...["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** What axe-core answers, as far as it is read. */
interface Findings {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** @throws Error when there is no Chromium on the PATH. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = Bun.which("chromium") ?? Bun.which("chromium-browser");
  if (executablePath === null) throw new Error("install chromium, as scripts/setup.mjs does");
  const browser = await chromium.launch({ executablePath, args: ARGS, timeout: TEST_LIMIT_MS });
  // Of what a page is waited for; 30 s otherwise.
  browser.on("context", (context) => context.setDefaultTimeout(TEST_LIMIT_MS));
  return browser;
}

/** Rules that the page breaks, each with the first element at fault. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"] })',
  )) as Findings;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
