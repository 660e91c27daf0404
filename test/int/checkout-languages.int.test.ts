/**
 * Goal: a traveler reads the checkout page in one language from the link to the confirmed booking,
 * whose mails are in that language too. Method: a browser without script, in each language; every
 * state of the page, searched for texts of English; axe on the German page.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { CHECKOUT_WORDS } from "../../src/checkout/tongue.ts";
import { LANGUAGES } from "../../src/languages/languages.ts";
import { STAY_WORDS } from "../../src/languages/stay/stay-words.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { handedOver, pageOf, type Session } from "../support/checkout.ts";
import {
  dateIn,
  type Hotel,
  newHold,
  propertyBody,
  putOnSale,
  stayRequest,
} from "../support/client.ts";
import { hiddenFields, Person } from "../support/console.ts";
import { Service, until } from "../support/service.ts";

const ADA = { full_name: "Ada Lovelace", email: "ada@example.com", card: "ok" } as const;
const BYTES_MAX = 20_000;
const ALL = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];
const OTHERS = ALL.filter((language) => language !== "en");

let service: Service;
let browser: Browser;
let sold: Hotel;
/** Names in none of the languages. */
const hotel = { ...propertyBody({ units: [500] }), name: "Kastelo", checkin_time: "15:00" };
hotel.room_types[0]!.name = "Ĉambro";

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start({ TRUSTED_PROXIES: "1" }), openBrowser()]);
  sold = await putOnSale(service, hotel);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function open() {
  const hold = await newHold(service, stayRequest(sold));
  const session = await handedOver(service, hold);
  return { hold, session, page: pageOf(session), person: new Person(service) };
}

async function read({ session_id }: Session): Promise<Session> {
  return (await service.api("GET", `/v1/checkout/sessions/${session_id}`)).ok<Session>().data;
}

async function languageOf(session: Session): Promise<string | undefined> {
  const { booking_id } = await read(session);
  const booking = await service.api("GET", `/v1/bookings/${booking_id}`);
  type Booked = { guest: { primary: { language?: string } } };
  return booking.ok<Booked>().data.guest.primary.language;
}

/** What a person reads: title, text and labels, without what names other languages and hotels. */
function textOf(html: string): string {
  const [own = ""] = html.replace(/<nav class="languages".*?<\/nav>/s, "").split("</html>");
  const labels = [...own.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
  const text = own.replace(/<style.*?<\/style>/gs, "").replace(/<[^>]*>/g, "\n");
  return [text, ...labels].join("\n").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}

/** English texts of pages, those of sentences up to their first value. */
const ENGLISH: readonly string[] = [CHECKOUT_WORDS.en, STAY_WORDS.en, LANGUAGES.en].flatMap(
  (words) => {
    const texts = (value: unknown): string[] => {
      if (typeof value === "string") return [value];
      if (typeof value === "function") return String(value("\0", "\0")).split("\0");
      return value === null ? [] : Object.values(value as object).flatMap(texts);
    };
    return texts(words)
      .map((text) => text.trim())
      .filter((text) => /\p{L}{2}/u.test(text));
  },
);

/** Texts that are English and none of the language's. */
function englishIn(html: string, language: (typeof ALL)[number]): string[] {
  const shown = textOf(html);
  const own = JSON.stringify([
    ...[CHECKOUT_WORDS[language], STAY_WORDS[language], LANGUAGES[language]],
  ]);
  return ENGLISH.filter((text) => {
    const quoted = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const isShown = new RegExp(`(?<![\\p{L}\\d])${quoted}(?![\\p{L}\\d])`, "u").test(shown);
    return isShown && !own.includes(text);
  });
}

function expectIn(language: (typeof ALL)[number], html: string, title: string): void {
  expect(html).toContain(`<html lang="${language}">`);
  expect(textOf(html)).toContain(`${title} · Innkeep`);
  expect(html).not.toMatch(/undefined|\[object|function/);
  if (language !== "en") expect(englishIn(html, language)).toEqual([]);
  else expect(englishIn(html, "de")).toContain(title);
}

test.each(ALL)("%s is kept from the link through refused forms to the booking", async (lang) => {
  const { session, page, person } = await open();
  const words = { ...STAY_WORDS[lang], ...CHECKOUT_WORDS[lang] };
  const own = `${page}?lang=${lang}`;
  const { html } = await person.get(own);
  expectIn(lang, html, words.bookTitle);
  expect(textOf(html)).toContain(words.accept);
  for (const other of ALL) expect(html).toContain(`href="${page}?lang=${other}"`);
  for (const card of Object.values(words.cards)) expect(textOf(html)).toContain(card);

  const pay = (fields: object) => person.submit(own, `${page}/pay?lang=${lang}`, { ...fields });
  const bad = await person.send(`${page}/pay?lang=${lang}`, {
    ...hiddenFields(html, `${page}/pay?lang=${lang}`),
    ...{ full_name: "", email: "nonsense", phone: "1" },
  });
  expect(bad.status).toBe(400);
  expectIn(lang, bad.html, words.bookTitle);
  for (const hint of [words.badInput, words.nameHint, words.emailHint, words.phoneHint]) {
    expect(textOf(bad.html)).toContain(hint);
  }
  expect(bad.html).toContain(`href="${page}?lang=de"`);
  for (const [card, why] of [
    ["declined", words.cardDeclined],
    ["no-funds", words.cardWithoutFunds],
  ] as const) {
    const refused = await pay({ ...ADA, card });
    expect(refused.status).toBe(402);
    expectIn(lang, refused.html, words.bookTitle);
    expect(textOf(refused.html)).toContain(`${why} ${words.nothingCharged} ${words.otherCard}`);
  }
  expect(await pay(ADA)).toMatchObject({ status: 303, location: own });
  const done = await person.get(own);
  expectIn(lang, done.html, words.bookedTitle);
  expect(done.html).toContain(`href="/guest?lang=${lang}"`);
  expect(done.html).toContain(`href="${page}/receipt?lang=${lang}"`);
  expect(await languageOf(session)).toBe(lang);
});

test.each(OTHERS)("%s is the language of the other pages and of forms not taken", async (lang) => {
  const words = CHECKOUT_WORDS[lang];
  const { session, page, person } = await open();
  const own = `${page}?lang=${lang}`;
  const [, extend = ""] =
    /formaction="([^"]*)" formnovalidate/.exec((await person.get(own)).html) ?? [];
  expect(extend).toBe(`${page}/extend?lang=${lang}`);
  const forged = await person.send(`${page}/pay?lang=${lang}`, ADA);
  expect(forged.status).toBe(403);
  expectIn(lang, forged.html, words.bookTitle);
  expect(textOf(forged.html)).toContain(STAY_WORDS[lang].notTaken);
  expect(forged.html).toContain(`class="button" href="${own}"`);
  const unknown = await person.get(own.replace(/[0-9a-f]{64}/, "0".repeat(64)));
  expect(unknown.status).toBe(404);
  expectIn(lang, unknown.html, words.unknownTitle);
  (await service.api("POST", `/v1/checkout/sessions/${session.session_id}/cancel`)).ok();
  const taken = await person.get(own);
  expectIn(lang, taken.html, words.endedTitle);
  expect(textOf(taken.html)).toContain(words.takenBack);
});

test("a payment in progress is said in every language", async () => {
  const { page, person } = await open();
  const form = hiddenFields((await person.get(page)).html, `${page}/pay`);
  const paying = person.send(`${page}/pay`, { ...form, ...ADA, card: "late" });
  await until("the payment is in progress", async () => {
    return (await person.get(page)).html.includes(CHECKOUT_WORDS.en.payingTitle);
  });
  for (const lang of ALL) {
    const { html } = await person.get(`${page}?lang=${lang}`);
    expectIn(lang, html, CHECKOUT_WORDS[lang].payingTitle);
    expect(html).toContain(`class="button" href="${page}?lang=${lang}"`);
  }
  await paying;
});

test("without a choice the browser's language counts, with its region, and no address has it", async () => {
  const { session, page, person } = await open();
  const swiss = { "accept-language": "rm, de-CH;q=0.9, en;q=0.5" };
  const { html } = await person.get(page, swiss);
  expectIn("de", html, CHECKOUT_WORDS.de.bookTitle);
  const form = { ...hiddenFields(html, `${page}/pay`), ...ADA };
  const paid = await person.send(`${page}/pay`, form, {
    ...swiss,
    "sec-fetch-site": "same-origin",
  });
  expect(paid).toMatchObject({ status: 303, location: page });
  expectIn("de", (await person.get(page, swiss)).html, CHECKOUT_WORDS.de.bookedTitle);
  expectIn("en", (await person.get(page)).html, CHECKOUT_WORDS.en.bookedTitle);
  expectIn("en", (await person.get(`${page}?lang=ja`, swiss)).html, CHECKOUT_WORDS.en.bookedTitle);
  expect(await languageOf(session)).toBe("de-CH");
});

test("a hotel's page in a language leads to a checkout page in it, and an ended one back", async () => {
  const stay = { check_in: dateIn(30), check_out: dateIn(32), adults: "2" };
  const query = { ...stay, lang: "fr", tenant_id: service.demo.tenant_id };
  const person = new Person(service);
  const book = `/book/${hotel.id}?${new URLSearchParams(query)}`;
  const order = hiddenFields((await person.get(book)).html, `${hotel.id}/reserve`);
  const { location } = await person.send(`/book/${hotel.id}/reserve`, order);
  const { pathname, search } = new URL(location!);
  expect(search).toBe("?lang=fr");
  expectIn("fr", (await person.get(pathname + search)).html, CHECKOUT_WORDS.fr.bookTitle);

  const admin = { agent: service.demo.admin };
  const agents = await service.api("GET", "/v1/admin/agents", admin);
  type Agents = { items: { agent_id: string; sells_directly: boolean }[] };
  const seller = agents.ok<Agents>().data.items.find(({ sells_directly }) => sells_directly)!;
  const { hold, page } = await open();
  (await service.api("POST", `/v1/holds/${hold.hold_id}/release`)).ok();
  for (const [agent_id, sells_directly] of [
    [seller.agent_id, false],
    [service.demo.agent.agent_id, true],
  ] as const) {
    const path = `/v1/admin/agents/${agent_id}`;
    (await service.api("PATCH", path, { ...admin, body: { sells_directly } })).ok();
  }
  await until("the page leads to the hotel's", async () => {
    const { html } = await person.get(`${page}?lang=fr`);
    return html.includes(`/book/${hotel.id}?`) && html.includes("&amp;lang=fr");
  });
});

test("every time of day on the page says its zone", async () => {
  const { page, person } = await open();
  const { html } = await person.get(`${page}?lang=de`);
  const times = textOf(html).match(/\b\d{2}:\d{2}\b.{0,10}/g) ?? [];
  expect(times.length).toBeGreaterThan(3);
  for (const time of times) expect(time).toMatch(/^\d{2}:\d{2} (?:MES?Z\b|\(Ortszeit)/);
});

test("the German page is small, has no barriers, and a person books on it without script", async () => {
  const { page: path } = await open();
  const url = `${service.baseUrl + path}?lang=de`;
  const axe = await browser.newPage({ viewport: { width: 320, height: 740 } });
  await axe.goto(url);
  expect(await barriersOn(axe)).toEqual([]);
  expect(await axe.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
  await axe.close();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  let bytes = 0;
  page.on("requestfinished", async (request) => {
    bytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(url, { waitUntil: "networkidle" });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(BYTES_MAX);
  await page.getByLabel("Vollständiger Name").fill("Ada Lovelace");
  await page.getByLabel("E-Mail-Adresse").fill("ada@");
  await page.getByRole("button", { name: "Zimmer länger reservieren" }).click();
  await page.getByText("noch 29 Minuten").waitFor();
  expect(await page.getByLabel("E-Mail-Adresse").inputValue()).toBe("ada@");
  await page.getByLabel("E-Mail-Adresse").fill("ada@example.com");
  await page.getByRole("button", { name: /200,00.*bezahlen/ }).click();
  await page.waitForURL(url);
  expect(await page.locator("h1").textContent()).toBe("Ihr Aufenthalt ist gebucht");
  await context.close();
});
