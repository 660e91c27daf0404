/** A person at the console, as a browser without script: a cookie, pages, and forms of pages. */
import type { Browser, Page } from "playwright-core";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { barriersOn } from "./browser.ts";
import type { Service } from "./service.ts";

/** What a browser sends with a form of the page's own origin. */
const SAME_ORIGIN = { "sec-fetch-site": "same-origin" } as const;

export interface Seen {
  readonly status: number;
  /** Of a redirect; null otherwise. */
  readonly location: string | null;
  readonly headers: Headers;
  readonly html: string;
}

type Fields = Readonly<Record<string, string>>;

let people = 0;

export class Person {
  /** `name=value` of the session; null without one. */
  cookie: string | null = null;
  readonly #baseUrl: string;

  /** Sign-ins are limited by address: each person has one, where a proxy is trusted. */
  readonly #address = `198.51.${Math.floor(++people / 250)}.${people % 250}`;

  constructor({ baseUrl }: Pick<Service, "baseUrl">) {
    this.#baseUrl = baseUrl;
  }

  get(path: string, headers: Fields = {}): Promise<Seen> {
    return this.#ask(path, { headers });
  }

  /** Sends a form as it is. */
  send(path: string, fields: Fields, headers: Fields = SAME_ORIGIN): Promise<Seen> {
    const body = new URLSearchParams(fields).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return this.#ask(path, { method: "POST", body, headers: { ...type, ...headers } });
  }

  /** Fills in and sends the form of the page at `page` that leads to `action`. */
  async submit(page: string, action: string, fields: Fields = {}, headers?: Fields): Promise<Seen> {
    const { html } = await this.get(page);
    return this.send(action, { ...hiddenFields(html, action), ...fields }, headers);
  }

  async signIn({ secret }: Pick<DemoAgent, "secret">): Promise<Seen> {
    return this.send("/console/sign-in", { secret });
  }

  async #ask(path: string, init: RequestInit & { readonly headers: Fields }): Promise<Seen> {
    const response = await fetch(this.#baseUrl + path, {
      ...init,
      headers: {
        "x-forwarded-for": this.#address,
        ...init.headers,
        ...(this.cookie !== null && { cookie: this.cookie }),
      },
      redirect: "manual",
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = /Max-Age=0/.test(set) ? null : set.split(";")[0]!;
    const { status, headers } = response;
    return { status, headers, location: headers.get("location"), html: await response.text() };
  }
}

/** A person who has signed in as the operator, unless told. */
export async function signedIn(service: Service, agent = service.demo.admin): Promise<Person> {
  const person = new Person(service);
  const seen = await person.signIn(agent);
  if (seen.location !== "/console") throw new Error(`not signed in: ${seen.status}`);
  return person;
}

/** The hidden fields of the page's form that leads to `action`. */
export function hiddenFields(html: string, action: string): Fields {
  const forms = [...html.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)];
  const form = forms.find(([, attributes = ""]) => {
    return /method="post"/.test(attributes) && attributes.includes(`action="${action}"`);
  });
  if (!form) throw new Error(`no form leads to ${action}`);
  const hidden = form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...hidden].map(([, name, value]) => [name!, decoded(value!)]));
}

/** A value of an attribute as the renderer escapes it. */
function decoded(value: string): string {
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

/** A name that is markup, for pages that must show it as text. */
export const HOSTILE_NAME = '"><img src=x onerror="document.title=1"> فندق';

/** A tab of the browser in which the operator has signed in by the form. */
export async function signedInTab(
  browser: Browser,
  { baseUrl, demo }: Pick<Service, "baseUrl" | "demo">,
): Promise<Page> {
  const tab = await browser.newPage();
  await tab.goto(`${baseUrl}/console/sign-in?to=/console/events`);
  await tab.locator("input[name=secret]").fill(demo.admin.secret);
  await tab.locator("button[type=submit]").click();
  await tab.waitForURL(`${baseUrl}/console/events`);
  return tab;
}

/** Widths of a phone and a desk; the least is that of reflow (WCAG 1.4.10). */
const SCREENS = [
  { width: 320, colorScheme: "light" },
  { width: 768, colorScheme: "dark" },
  { width: 1440, colorScheme: "light" },
] as const;

/** What is wrong with the open page on any screen: barriers, sideways scroll, markup of a name. */
export async function faultsOf(tab: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, colorScheme } of SCREENS) {
    await tab.setViewportSize({ width, height: 800 });
    await tab.emulateMedia({ colorScheme });
    faults.push(...(await barriersOn(tab)).map((each) => `${width} ${each}`));
    const isWide = await tab.evaluate<boolean>(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    if (isWide) faults.push(`${width} scrolls sideways`);
  }
  if (await tab.locator("main img").count()) faults.push("a name is markup");
  return faults;
}

/** Signs the tab in by a one-time link; resolves on the first page. */
export async function enter(page: Page, service: Service, agent = service.demo.admin) {
  const made = await service.api("POST", "/v1/admin/console-links", { agent });
  const { pathname, hash } = new URL(made.ok<{ readonly url: string }>(201).data.url);
  await page.goto(service.baseUrl + pathname + hash);
  await page.waitForURL("**/console");
}
