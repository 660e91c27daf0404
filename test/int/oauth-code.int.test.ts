/**
 * Goal: a hosted assistant that knows nothing but the address of `/mcp` gets in when an operator
 * lets it, with the rights that the operator ticked, and keeps in. Method: the MCP client library,
 * unmodified, with Chromium as the person's browser, in which the way begins on another site.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  Client,
  IssuerMismatchError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Browser, Page } from "playwright-core";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { dateIn } from "../support/client.ts";
import { HOSTILE_NAME } from "../support/console.ts";
import { mcpUrl } from "../support/mcp-client.ts";
import { Service } from "../support/service.ts";

let service: Service;
let browser: Browser;
/** What the service calls itself; the assistant's site is another one. */
let base: string;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "2", TRUSTED_PROXIES: "1" });
  base = mcpUrl(service).origin;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** The site of an assistant: its pages, and what it keeps. */
class Site implements OAuthClientProvider {
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname === "/callback") this.#back(searchParams);
      const link = this.leadsTo
        ? `<a href="${this.leadsTo.href.replaceAll("&", "&amp;")}">Go</a>`
        : "";
      const headers = { "content-type": "text/html" };
      return new Response(`<title>${pathname}</title>${link}`, { headers });
    },
  });
  #back: (answer: URLSearchParams) => void = () => {};
  /** What a person is answered with. */
  readonly answer = new Promise<URLSearchParams>((resolve) => {
    this.#back = resolve;
  });
  readonly name: string;
  leadsTo: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

  constructor(name: string) {
    this.name = name;
  }
  get address() {
    return `http://127.0.0.1:${this.#server.port}`;
  }
  get redirectUrl() {
    return `${this.address}/callback`;
  }
  get clientMetadata() {
    const redirect_uris = [this.redirectUrl];
    return { client_name: this.name, redirect_uris, token_endpoint_auth_method: "none" };
  }
  state = () => "state of the site";
  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.leadsTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  stop = () => this.#server.stop(true);
}

async function signInTo(page: Page): Promise<void> {
  await page.getByLabel("secret").fill(service.demo.admin.secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const stay = { check_in: dateIn(30), check_out: dateIn(31) };
const SEARCH = { name: "search", arguments: { stay, guests: { adults: 1 } } };

test("an assistant connects, searches, refreshes and is disconnected", async () => {
  const site = new Site(HOSTILE_NAME);
  const transport = () =>
    new StreamableHTTPClientTransport(mcpUrl(service), { authProvider: site });
  const info = { name: "innkeep-test", version: "1.0.0" };
  const first = transport();
  await expect(new Client(info).connect(first)).rejects.toThrow(UnauthorizedError);
  // Nobody is signed in: the sign-in leads back.
  const page = await browser.newPage();
  await page.goto(`${site.address}/start`);
  await page.getByRole("link", { name: "Go" }).click();
  await page.getByRole("heading", { name: "Connect an assistant" }).waitFor();
  expect(await barriersOn(page)).toEqual([]);
  expect(await page.locator("bdi").first().textContent()).toBe(HOSTILE_NAME);
  expect(await page.locator("main img").count()).toBe(0);
  await page.getByRole("link", { name: "Continue" }).click();
  await signInTo(page);
  await page.getByRole("button", { name: "Allow" }).waitFor();
  expect(await barriersOn(page)).toEqual([]);
  expect(await page.locator("main img").count()).toBe(0);
  await page.getByLabel("bookings:cancel").uncheck();
  await page.getByRole("button", { name: "Allow" }).click();
  const answer = await site.answer;
  expect(page.url()).toStartWith(site.redirectUrl);
  expect([answer.get("state"), answer.get("iss")]).toEqual(["state of the site", base]);
  // An answer of another server does not make the client send it our code (RFC 9207).
  const mixedUp = new URLSearchParams({
    ...Object.fromEntries(answer),
    iss: "https://evil.example",
  });
  await expect(first.finishAuth(mixedUp)).rejects.toThrow(IssuerMismatchError);
  await first.finishAuth(answer);
  const client = new Client(info);
  await client.connect(transport());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search");
  expect((await client.callTool(SEARCH)).isError ?? false).toBeFalse();
  const before = site.tokens()!;
  expect(before.scope).not.toContain("bookings:cancel");
  // The library refreshes when its access token is refused.
  site.saveTokens({ ...before, access_token: "a.b.c" });
  expect((await client.callTool(SEARCH)).isError ?? false).toBeFalse();
  expect(site.tokens()!.refresh_token).not.toBe(before.refresh_token);
  await disconnect(page);
  await expect(client.callTool(SEARCH)).rejects.toThrow();
  await client.close();
  await page.close();
  site.stop();
});

/** By the page of the agent that the assistant is. */
async function disconnect(page: Page): Promise<void> {
  await page.goto(`${base}/console/agents`);
  await page.locator("bdi", { hasText: HOSTILE_NAME }).first().click();
  await page.getByRole("heading", { name: "Connected assistant" }).waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("link", { name: "Disconnect…" }).click();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("heading", { name: "Credentials" }).waitFor();
  expect(await page.getByRole("heading", { name: "Connected assistant" }).count()).toBe(0);
}
