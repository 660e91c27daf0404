/** A person at the console, as a browser without script: a cookie, pages, and forms of pages. */
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
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
