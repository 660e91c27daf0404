/**
 * Goal: a guest on a phone, in a browser without script, opens the link of a mail, changes and
 * cancels the stay and keeps the receipt, in the own language; forged forms do nothing, and names
 * are text. Method: Chromium with JavaScript off; axe on every page; a person who sends forms by
 * hand.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { PORTAL_WORDS } from "../../src/portal/tongue.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { dateIn, type Hotel, propertyBody, putOnSale, stayRequest } from "../support/client.ts";
import { HOSTILE_NAME, hiddenFields, Person } from "../support/console.ts";
import { faultsOf } from "../support/console-browser.ts";
import { bookedByGuest, linkOf, mailsOf } from "../support/guest.ts";
import { Service, until } from "../support/service.ts";

const PHONE = { width: 360, height: 740 };
const BYTES_MAX = 20_000;
const STAY = "/guest/stay";
const CANCEL = "/guest/stay/cancel";
const CHANGE = "/guest/stay/change";

let service: Service;
let browser: Browser;
let sold: Hotel;
const hotel = {
  ...propertyBody({ units: [50] }),
  name: HOSTILE_NAME,
  geo: { lat: 40.4, lng: -3.7 },
};

beforeAll(async () => {
  [service, browser] = await Promise.all([
    Service.start({ TRUSTED_PROXIES: "1", API_PROCESSES: "1" }),
    openBrowser(),
  ]);
  sold = await putOnSale(service, hotel);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

function book(name = HOSTILE_NAME, language?: string) {
  return bookedByGuest(service, stayRequest(sold), {
    name,
    ...(language !== undefined && { language }),
  });
}

/** Asks for the mail as a person, and opens its link. */
async function entered(booked: Awaited<ReturnType<typeof book>>) {
  const person = new Person(service);
  const { email, confirmation_code } = booked;
  const asked = await person.submit("/guest", "/guest", { email, confirmation_code });
  const link = await linkOf(service, booked);
  const { pathname, search } = new URL(link.url);
  return { person, asked, link, at: pathname + search };
}

async function signedIn(booked: Awaited<ReturnType<typeof book>>): Promise<Person> {
  const { person, at } = await entered(booked);
  const seen = await person.submit(at, "/guest/enter");
  expect(seen).toMatchObject({ status: 303, location: STAY });
  return person;
}

/** The tab's page, looked at by axe in a tab that has script and the same cookies. */
async function expectOpen(page: Page, twin: Page): Promise<void> {
  await twin.goto(page.url());
  expect({ at: page.url(), faults: await faultsOf(twin) }).toEqual({ at: page.url(), faults: [] });
}

test("on a phone without script: mail, link, other dates, cancellation, receipt", async () => {
  const booked = await book(HOSTILE_NAME, "de");
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, viewport: PHONE, locale: "de-DE" },
  });
  const page = await context.newPage();
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  let bytes = 0;
  page.on("requestfinished", async (request) => {
    bytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(`${service.baseUrl}/guest`, { waitUntil: "networkidle" });
  expect(bytes).toBeLessThan(BYTES_MAX);
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await page.getByLabel("E-Mail-Adresse").fill(booked.email);
  await page.getByLabel("Bestätigungscode").fill(booked.confirmation_code.toLowerCase());
  await page.getByRole("button", { name: "Link senden" }).click();
  await page.getByText("Öffnen Sie den Link").waitFor();

  const link = await linkOf(service, booked);
  expect(link.text).toContain("Öffnen Sie diesen Link");
  await page.goto(service.baseUrl + new URL(link.url).pathname + new URL(link.url).search);
  await page.getByRole("button", { name: "Meine Buchung zeigen" }).click();
  await page.getByText("Ihr Aufenthalt").waitFor();
  expect(page.url()).toBe(service.baseUrl + STAY);
  expect(await page.getByText(HOSTILE_NAME, { exact: true }).count()).toBe(2);
  expect(await page.title()).toBe("Ihr Aufenthalt · Innkeep");

  await page.getByRole("link", { name: "Daten ändern" }).click();
  await page.getByLabel("Anreise").fill(dateIn(40));
  await page.getByLabel("Abreise").fill(dateIn(43));
  await page.getByLabel("Wünsche").fill("Ein ruhiges Zimmer");
  await page.getByRole("button", { name: "Speichern" }).click();
  expect(await page.getByRole("alert").textContent()).toContain("andere Zahl von Nächten");
  expect(await page.getByLabel("Wünsche").inputValue()).toBe("Ein ruhiges Zimmer");
  await page.getByLabel("Abreise").fill(dateIn(42));
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Ihre Änderungen sind gespeichert.").waitFor();

  await page.getByRole("link", { name: "Buchung stornieren" }).click();
  await page.getByRole("button", { name: /Stornieren und 200,00/ }).click();
  await page.getByText("Storniert", { exact: true }).waitFor();
  const href = await page.getByRole("link", { name: /^Stornierung/ }).getAttribute("href");
  const [{ name = "", value = "" } = {}] = await context.cookies();
  const file = await fetch(service.baseUrl + href, { headers: { cookie: `${name}=${value}` } });
  expect(file.headers.get("content-disposition")).toContain("attachment");
  const receipt = (await file.json()) as { readonly kind: string };
  expect(receipt.kind).toBe("booking_cancelled");
  (await service.api("POST", "/v1/receipts/verify", { agent: null, body: receipt })).ok();
  await until("the guest has the mail", async () => {
    return mailsOf(service, "cancellation", booked).some((text) => text.includes("storniert"));
  });
  await page.getByRole("button", { name: "Abmelden" }).click();
  await page.getByText("Sie sind abgemeldet").waitFor();
  await page.goto(service.baseUrl + STAY);
  expect(await page.getByLabel("E-Mail-Adresse").count()).toBe(1);
  expect([...hosts]).toEqual([new URL(service.baseUrl).host]);
  await context.close();
});

test("every page is open to all, on any screen", async () => {
  const booked = await book();
  const { link } = await entered(booked);
  const context = await browser.newContext({ viewport: PHONE });
  const [page, twin] = [await context.newPage(), await context.newPage()];
  await page.goto(`${service.baseUrl}/guest`);
  await expectOpen(page, twin);
  const { pathname, search } = new URL(link.url);
  await page.goto(service.baseUrl + pathname + search);
  await expectOpen(page, twin);
  await page.getByRole("button").click();
  await page.waitForURL(service.baseUrl + STAY);
  for (const path of [STAY, CANCEL, CHANGE]) {
    await page.goto(service.baseUrl + path);
    await expectOpen(page, twin);
  }
  const sent = await context.newPage();
  await sent.goto(`${service.baseUrl}/guest`);
  await sent.getByLabel("E-mail address").fill("nobody@example.com");
  await sent.getByLabel("Confirmation code").fill("ZZZZZZZZ");
  await sent.getByRole("button").click();
  await sent.getByText("Open the link in your mail").waitFor();
  expect(await barriersOn(sent)).toEqual([]);
  await context.close();
});

test("a scanner that opens the link uses nothing up, and no other page learns its token", async () => {
  const booked = await book();
  const { person, at, link } = await entered(booked);
  for (let i = 0; i < 3; i += 1) {
    const seen = await person.get(at);
    expect(seen.status).toBe(200);
    expect(seen.headers.get("referrer-policy")).toBe("no-referrer");
    expect(seen.headers.get("cache-control")).toBe("no-store");
    expect(seen.headers.getSetCookie()).toEqual([]);
    expect(seen.html).not.toContain("<script");
  }
  const seen = await person.submit(at, "/guest/enter");
  expect(seen).toMatchObject({ status: 303, location: STAY });
  const [cookie = ""] = seen.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-innkeep-guest=ikg_[\w-]{43}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const other = new Person(service);
  const { email, confirmation_code } = booked;
  await other.submit("/guest", "/guest", { email, confirmation_code });
  const digits = await linkOf(service, booked, 2);
  const page = await other.submit("/guest", "/guest", { email, confirmation_code });
  const form = hiddenFields(page.html, "/guest/code");
  expect((await other.send("/guest/code", { ...form, code: "12" })).status).toBe(403);
  const third = await linkOf(service, booked, 3);
  expect(third.token).not.toBe(digits.token);
  expect(link.token).not.toBe(digits.token);
  const done = await other.send("/guest/code", { ...form, code: third.code });
  expect(done).toMatchObject({ status: 303, location: STAY });
});

test("a form is taken from our own page of the same session alone", async () => {
  const [booked, foreign] = [await book("Ada Lovelace"), await book("Grace Hopper")];
  const [person, other] = [await signedIn(booked), await signedIn(foreign)];
  const form = hiddenFields((await person.get(CANCEL)).html, CANCEL);
  const theirs = hiddenFields((await other.get(CANCEL)).html, CANCEL);
  const elsewhere = hiddenFields((await person.get(STAY)).html, "/guest/stay/resend");
  const { form_token: _, ...without } = form;
  const OURS = { "sec-fetch-site": "same-origin" };
  const { origin } = new URL(service.baseUrl);
  const tries: [Record<string, string>, Record<string, string>][] = [
    [without, OURS],
    [{ ...form, form_token: theirs.form_token! }, OURS],
    [{ ...form, form_token: elsewhere.form_token! }, OURS],
    ...["cross-site", "same-site", "none"].map((site): [typeof form, typeof OURS] => {
      return [form, { "sec-fetch-site": site, origin } as unknown as typeof OURS];
    }),
    [form, { origin: "https://evil.example" }],
    [form, {}],
  ];
  for (const [fields, headers] of tries) {
    expect((await person.send(CANCEL, fields, headers)).status).toBe(403);
  }
  expect((await new Person(service).send(CANCEL, form)).status).toBe(403);
  expect((await person.get(`${CANCEL}?expected_refund=20000`)).status).toBe(200);
  expect((await person.get(STAY)).html).toContain("Confirmed");
  const changed = { ...form, expected_refund: "19999", idempotency_key: crypto.randomUUID() };
  const wrong = await person.send(CANCEL, changed, OURS);
  expect(wrong.status).toBe(409);
  expect(wrong.html).toContain("The amount changed while you were reading");
  expect(await person.send(CANCEL, form, OURS)).toMatchObject({ status: 303, location: STAY });
  expect(await person.send(CANCEL, form, OURS)).toMatchObject({ status: 303, location: STAY });
  expect((await person.get(STAY)).html).toContain("Cancelled");
  expect((await other.get(STAY)).html).toContain("Confirmed");
});

test("each language has its page, its address is kept, and the mails follow the guest's", async () => {
  const booked = await book("Ada Lovelace", "fr");
  const person = await signedIn(booked);
  for (const [lang, words] of Object.entries(PORTAL_WORDS)) {
    const { html } = await person.get(`${STAY}?lang=${lang}`);
    expect(html).toContain(`<html lang="${lang}">`);
    expect(html).toContain(words.resend.replaceAll("'", "&#39;").split("&#39;")[0]!);
    expect(html).toContain(`action="/guest/stay/resend?lang=${lang}"`);
    expect(html).not.toContain("undefined");
  }
  await until("the confirmation is in the outbox", async () => {
    return mailsOf(service, "confirmation", booked).length > 0;
  });
  const [confirmation = ""] = mailsOf(service, "confirmation", booked);
  expect(confirmation).toContain("Votre réservation est confirmée");
  expect(confirmation).toMatch(/https?:\S+\/guest\r?\n/);
  const sent = await person.submit(STAY, "/guest/stay/resend");
  expect(sent.html).toContain("The mail is on its way.");
});

test("the links of the languages lead to pages that can be got, also below the answer to a form", async () => {
  const booked = await book("Ada Lovelace");
  const { person, asked, at } = await entered(booked);
  const expectGerman = async (answer: Promise<typeof asked> | typeof asked) => {
    const [, path = ""] = /href="([^"?]*)\?lang=de"/.exec((await answer).html) ?? [];
    const { status, html } = await person.get(`${path}?lang=de`);
    const isGerman = html.includes('<html lang="de">');
    expect({ path, status, isGerman }).toMatchObject({ status: 200, isGerman: true });
  };
  await expectGerman(asked);
  const digits = hiddenFields(asked.html, "/guest/code");
  await expectGerman(person.send("/guest/code", { ...digits, code: "x" }));
  await expectGerman(person.send("/guest/enter", {}));
  await person.submit(at, "/guest/enter");
  await expectGerman(person.submit(STAY, "/guest/stay/resend"));
  const dates = { check_in: dateIn(40), check_out: dateIn(45) };
  const typed = { ...dates, full_name: "Ada Lovelace", language: "en" };
  await expectGerman(person.submit(CHANGE, CHANGE, typed));
  await expectGerman(person.submit(CANCEL, CANCEL, { expected_refund: "1" }));
  await expectGerman(person.submit(STAY, "/guest/sign-out"));
});

test("a saved page keeps the language with its region, and an emptied number is removed", async () => {
  const booked = await book("Ada Lovelace", "de-AT");
  const person = await signedIn(booked);
  const stored = async () => {
    const path = `/v1/bookings/${booked.booking_id}`;
    const { data } = (await service.api("GET", path, { agent: service.demo.admin })).ok<{
      guest: { primary: Record<string, unknown> };
    }>();
    const { phone, language } = data.guest.primary;
    return { phone, language };
  };
  const save = async (phone: string, chosen?: string) => {
    const { html } = await person.get(CHANGE);
    const [, shown = ""] = /<option value="([^"]*)" selected/.exec(html) ?? [];
    const fields = { full_name: "Ada Lovelace", phone, language: chosen ?? shown };
    const saved = await person.submit(CHANGE, CHANGE, fields);
    expect(saved.html).toContain("Your changes are saved.");
  };
  await save("+34 600 000 000");
  expect(await stored()).toEqual({ phone: "+34 600 000 000", language: "de-AT" });
  await save("");
  expect(await stored()).toEqual({ phone: undefined, language: "de-AT" });
  await save("", "fr");
  expect(await stored()).toEqual({ phone: undefined, language: "fr" });
});

test("every time of day on a page says its zone", async () => {
  const person = await signedIn(await book("Ada Lovelace"));
  const { html } = await person.get(STAY);
  const times = html.match(/\b\d{2}:\d{2}\b.{0,5}/g) ?? [];
  expect(times.length).toBeGreaterThan(3);
  for (const time of times) expect(time).toMatch(/^\d{2}:\d{2} CES?T\b/);
});
