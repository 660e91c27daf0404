/**
 * Goal: a passkey signs its own person in and confirms deeds, and nothing else does: no replayed or
 * foreign challenge, other origin, other person's, removed or suspended passkey. Method: Chromium
 * with virtual authenticators, and its genuine answers altered and sent again by hand.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { createHotel, newBooking, stayRequest } from "../support/client.ts";
import { Person } from "../support/console.ts";
import { codeOf, newPerson, PEOPLE, type PersonOut } from "../support/people.ts";
import { Service, until } from "../support/service.ts";

let service: Service;
let browser: Browser;
let operator: DemoAgent;
/** Passkeys are of a host by name, and this is that of `BASE_URL`. */
let base: string;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
  base = service.baseUrl.replace("127.0.0.1", "localhost");
  browser = await openBrowser();
  const step_up_amount = { amount: 100, currency: "EUR" };
  const limits = { rpm: null, step_up_amount };
  [operator] = (await service.newAgents([{ kind: "operator", limits }])) as [DemoAgent];
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** A tab of a browser of its own, with an authenticator that knows its user. */
async function tabWithKey(): Promise<Page> {
  const context: BrowserContext = await browser.newContext();
  const tab = await context.newPage();
  const cdp = await context.newCDPSession(tab);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return tab;
}

/** The person in a tab, signed in by a link, with a new passkey. */
async function withPasskey(person: PersonOut): Promise<Page> {
  const tab = await tabWithKey();
  await tab.goto(`${base}/console/enter#${await codeOf(service, person, operator)}`);
  await tab.waitForURL(`${base}/console`);
  await tab.goto(`${base}/console/you`);
  await tab.getByLabel("Name of the device").fill("Desk phone");
  await tab.getByRole("button", { name: "Add a passkey" }).click();
  await tab.locator("table").waitFor();
  return tab;
}

/** The form that the page's script would send, stopped before it is. */
async function heldAnswer(tab: Page): Promise<string> {
  await tab.context().clearCookies();
  await tab.goto(`${base}/console/sign-in`);
  await tab.evaluate(
    "HTMLFormElement.prototype.submit = function () { window.held = this.elements.namedItem('passkey').value; }",
  );
  await tab.getByRole("button", { name: "with a passkey" }).click();
  await tab.waitForFunction("window.held !== undefined");
  return String(await tab.evaluate("window.held"));
}

function send(passkey: string) {
  return new Person(service).send("/console/sign-in/passkey", { passkey });
}

/** The answer with its client data changed, which the signature no longer covers. */
function withClientData(answer: string, change: object): string {
  const sent = JSON.parse(answer);
  const said = JSON.parse(Buffer.from(sent.client_data, "base64url").toString());
  const client_data = Buffer.from(JSON.stringify({ ...said, ...change })).toString("base64url");
  return JSON.stringify({ ...sent, client_data });
}

test("a passkey is added, signs in, and is of no use when removed", async () => {
  const tab = await withPasskey(await newPerson(service, { name: "Eva" }, operator));
  expect(await barriersOn(tab)).toEqual([]);
  await tab.context().clearCookies();
  await tab.goto(`${base}/console/you`);
  expect(await barriersOn(tab)).toEqual([]);
  await tab.getByRole("button", { name: "with a passkey" }).click();
  await tab.waitForURL(`${base}/console/you`);
  expect(await tab.locator(".who").textContent()).toContain("Eva");
  await tab.getByRole("button", { name: "Remove" }).click();
  await tab.locator("table").waitFor({ state: "detached" });
  expect((await send(await heldAnswer(tab))).status).toBe(403);
});

test("an answer counts once, and only as it was signed", async () => {
  const tab = await withPasskey(await newPerson(service, {}, operator));
  const altered = await heldAnswer(tab);
  for (const change of [
    { origin: "https://evil.example" },
    { type: "webauthn.create" },
    { crossOrigin: true },
    { challenge: Buffer.from("1.a.b").toString("base64url") },
    { more: 1 },
  ]) {
    const { status } = await send(withClientData(altered, change));
    expect({ change, status }).toEqual({ change, status: 403 });
  }
  for (const text of ["", "null", "{}", "[]", '{"id":1}', "x".repeat(9_000)]) {
    expect((await send(text)).status).toBe(403);
  }
  const whole = await heldAnswer(tab);
  expect((await send(whole)).location).toBe("/console");
  expect((await send(whole)).status).toBe(403);
  const cross = await new Person(service).send(
    "/console/sign-in/passkey",
    { passkey: await heldAnswer(tab) },
    { "sec-fetch-site": "cross-site" },
  );
  expect(cross.status).toBe(403);
});

test("a suspended person's passkey signs nobody in", async () => {
  const person = await newPerson(service, {}, operator);
  const tab = await withPasskey(person);
  const path = `${PEOPLE}/${person.person_id}`;
  const body = { state: "suspended" };
  (await service.api("PATCH", path, { agent: operator, body })).ok();
  await until("nobody is let in", async () => (await send(await heldAnswer(tab))).status === 403);
  (await service.api("PATCH", path, { agent: operator, body: { state: "active" } })).ok();
  await until("the person is back", async () => (await send(await heldAnswer(tab))).status === 303);
});

function grownOld(): void {
  const db = new Database(join(service.dataDir, "console.db"));
  db.run("UPDATE session SET proved_at = proved_at - 360000");
  db.close();
}

test("a deed above the amount is confirmed by the person's own passkey", async () => {
  const hotel = await createHotel(service);
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const at = `${base}/console/bookings/${booking_id}`;
  const tab = await withPasskey(await newPerson(service, {}, operator));
  const others = await withPasskey(await newPerson(service, { name: "Bo" }, operator));
  grownOld();
  await tab.goto(`${at}/cancel`);
  await tab.getByLabel("Reason").fill("Asked by phone");
  await tab.getByLabel("Waive").check();
  await tab.getByRole("button", { name: "Cancel the booking" }).click();
  const confirm = tab.getByRole("button", { name: "Confirm with a passkey" });
  await confirm.waitFor();
  expect(await barriersOn(tab)).toEqual([]);
  // A sign-in by another person's passkey confirms nothing here.
  const sent = await heldAnswer(others);
  const foreign = await tab.evaluate<string>(`(async () => {
    const form = document.querySelector("form[data-passkey]");
    const fields = new URLSearchParams(new FormData(form));
    fields.set("passkey", ${JSON.stringify(sent)});
    const answer = await fetch(form.action, { method: "POST", body: fields });
    return answer.status + " " + (await answer.text()).includes("That was not accepted");
  })()`);
  expect(foreign).toBe("403 true");
  await confirm.click();
  await tab.waitForURL(at);
  const read = await service.api("GET", `/v1/bookings/${booking_id}`, {
    agent: service.demo.admin,
  });
  expect(read.ok<{ state: string }>().data.state).toBe("cancelled");
});

test("a passkey is added only in the first minutes of a session", async () => {
  const tab = await tabWithKey();
  const person = await newPerson(service, {}, operator);
  await tab.goto(`${base}/console/enter#${await codeOf(service, person, operator)}`);
  await tab.waitForURL(`${base}/console`);
  await tab.goto(`${base}/console/you`);
  grownOld();
  await tab.getByLabel("Name of the device").fill("Desk phone");
  await tab.getByRole("button", { name: "Add a passkey" }).click();
  await tab.getByText("Sign in again").waitFor();
  expect(await tab.locator("table").count()).toBe(0);
});
