/**
 * Goal: a click on a partner's price leads to that price, on an accessible page. Method: the
 * addresses of the served `pointofsale.xml` are filled in from the served `ari.xml`, at random (the
 * seed is printed), and followed; Chromium renders the page as a phone and as a desktop, light and
 * dark, and axe-core checks it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { XMLParser } from "fast-xml-parser";
import type { Browser, Page } from "playwright-core";
import { Random } from "../../src/ops/demo/random.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { Service, until } from "../support/service.ts";

const SEED = process.env.SEED ?? String(Math.floor(Math.random() * 1e9));
const CLICKS = 40;

interface Amount {
  readonly "#text": string;
  readonly "@_currency": string;
}
interface Priced {
  readonly Baserate: Amount;
  readonly Tax: Amount;
  readonly OtherFees: Amount;
}
interface Bundle extends Priced {
  readonly RoomID: string;
  readonly RatePlanID: string;
  readonly Occupancy: string;
}
interface Result {
  readonly Property: string;
  readonly Checkin: string;
  readonly Nights: string;
  readonly RoomBundle?: readonly Bundle[];
}

let service: Service;
let browser: Browser;
let tenant: string;
let results: readonly Result[];

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start({ API_PROCESSES: "1" }), openBrowser()]);
  ({ tenant_id: tenant } = service.demo.second_tenant);
  await closeSomeDays();
  const { text, status } = await get(`/feeds/google/ari.xml?tenant_id=${tenant}&days=30`);
  expect(status).toBe(200);
  const parser = new XMLParser({
    ...{ ignoreAttributes: false, parseTagValue: false },
    isArray: (name) => name === "RoomBundle" || name === "Result",
  });
  results = (parser.parse(text) as { Transaction: { Result: Result[] } }).Transaction.Result;
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  service.api("GET", path, { agent: null, headers });

const dateIn = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** One hotel has nothing to sell in some nights, so that the feed has stays without a price. */
async function closeSomeDays(): Promise<void> {
  const { admin: agent } = service.demo.second_tenant;
  const list = await service.api("GET", "/v1/admin/properties", { agent });
  const { items } = list.ok<{ items: { property_id: string }[] }>().data;
  const path = `/v1/admin/properties/${items[0]!.property_id}`;
  const tree = (await service.api("GET", path, { agent })).ok<{ room_types: { id: string }[] }>();
  const { room_types } = tree.data;
  const inventory = room_types.map((room) => {
    return { room_type_id: room.id, from: dateIn(10), to: dateIn(13), capacity: 0 };
  });
  (await service.api("PUT", `${path}/ari`, { agent, body: { inventory } })).ok();
}

/** The address that a partner would send a traveler to. */
async function landingOf(
  partner: "google" | "bing" | "kayak",
): Promise<(values: object) => string> {
  const { text } = await get(`/feeds/${partner}/pointofsale.xml?tenant_id=${tenant}`);
  const { PointsOfSale } = new XMLParser().parse(text) as {
    PointsOfSale: { PointOfSale: { URL: string } };
  };
  const { pathname, search } = new URL(PointsOfSale.PointOfSale.URL);
  const template = decodeURIComponent(pathname) + search;
  return (values) => {
    const known = values as Readonly<Record<string, string>>;
    return template.replace(/\(([A-Z-]+)\)/g, (_, name: string) => known[name] ?? "");
  };
}

/** What Google and Microsoft put into the variables; Microsoft's January is 00. */
function variablesOf(result: Result, bundle: Bundle | undefined, monthBase: number) {
  const checkOut = new Date(`${result.Checkin}T00:00:00Z`);
  checkOut.setUTCDate(checkOut.getUTCDate() + Number(result.Nights));
  const [outYear, outMonth, outDay] = checkOut.toISOString().slice(0, 10).split("-");
  const [year, month, day] = result.Checkin.split("-");
  return {
    "PARTNER-HOTEL-ID": result.Property,
    CHECKINYEAR: year,
    CHECKINMONTH: String(Number(month) - 1 + monthBase).padStart(2, "0"),
    CHECKINDAY: day,
    CHECKOUTYEAR: outYear,
    CHECKOUTMONTH: outMonth,
    CHECKOUTDAY: outDay,
    LENGTH: result.Nights,
    "NUM-ADULTS": "2",
    "PARTNER-ROOM-ID": bundle?.RoomID,
    "RATE-PLAN-ID": bundle?.RatePlanID,
    "USER-LANGUAGE": "en",
    VERIFICATION: "true",
  };
}

interface TheOffer {
  readonly identifier: string;
  readonly price: string;
  readonly priceCurrency: string;
  readonly itemOffered: { readonly identifier: string };
  readonly priceSpecification: {
    readonly priceComponent: readonly { readonly name: string; readonly price: string }[];
  };
}

function offersOn(html: string): readonly TheOffer[] {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return (JSON.parse(json) as { makesOffer: TheOffer[] }).makesOffer;
}

/** A total as it is read, without what groups its digits. */
function amountOn(html: string): string {
  const [, amount = ""] = /<p class="amount">([^<]*)</.exec(html) ?? [];
  return amount.replace(/[^\d.]/g, "");
}

const totalOf = ({ Baserate, Tax, OtherFees }: Priced) =>
  [Baserate, Tax, OtherFees].reduce((sum, each) => sum + Number(each["#text"]), 0);

test("each link of the feed opens a page with its price and every part of it", async () => {
  console.log(`seed ${SEED}`);
  const random = new Random(SEED);
  const google = await landingOf("google");
  const bing = await landingOf("bing");
  const sold = results.filter(({ RoomBundle }) => RoomBundle === undefined);
  const open = results.filter(({ RoomBundle }) => RoomBundle !== undefined);
  expect([sold.length > 3, open.length > CLICKS]).toEqual([true, true]);
  for (const result of random.sample(open, CLICKS)) {
    const bundle = random.pick(result.RoomBundle!);
    const isBing = random.chance(0.3);
    const link = (isBing ? bing : google)(variablesOf(result, bundle, isBing ? 0 : 1));
    const { status, text } = await get(link);
    expect({ link, status }).toEqual({ link, status: 200 });
    const told = offersOn(text);
    const clicked = told.find(({ identifier }) => identifier === bundle.RatePlanID)!;
    expect({ link, currency: clicked.priceCurrency, room: clicked.itemOffered.identifier }).toEqual(
      {
        link,
        currency: bundle.Baserate["@_currency"],
        room: bundle.RoomID,
      },
    );
    expect({
      link,
      parts: clicked.priceSpecification.priceComponent.map((each) => each.price),
    }).toEqual({
      link,
      parts: [bundle.Baserate["#text"], bundle.Tax["#text"], bundle.OtherFees["#text"]],
    });
    // The feed has every offer that the page has, and no other.
    expect({ link, offers: told.map(({ identifier }) => identifier).sort() }).toEqual({
      link,
      offers: result.RoomBundle!.map(({ RatePlanID }) => RatePlanID).sort(),
    });
    // Microsoft's links name the room alone, so the cheapest rate of it is shown first.
    const first = isBing
      ? Math.min(...result.RoomBundle!.filter((each) => each.RoomID === bundle.RoomID).map(totalOf))
      : totalOf(bundle);
    expect({ link, total: Number(amountOn(text)) }).toEqual({
      link,
      total: Number(first.toFixed(2)),
    });
  }
  for (const result of random.sample(sold, 3)) {
    const { text } = await get(google(variablesOf(result, undefined, 1)));
    expect(offersOn(text)).toEqual([]);
    expect(text).toContain("Nothing is free on these dates");
  }
});

test("a link with unfilled variables leads to a page, and one to an unknown hotel to another", async () => {
  const { text: file } = await get("/feeds/google/pointofsale.xml");
  const { search } = new URL(/https:[^<]+/.exec(file)![0].replaceAll("&amp;", "&"));
  const [{ Property }] = results as readonly [Result];
  const raw = await get(`/book/${Property}${search}`);
  expect(raw.status).toBe(200);
  expect(raw.text).toContain("No dates came with your link");
  for (const path of ["/book", "/book?hotel=", "/book/nowhere", `/book/${Property.slice(1)}`]) {
    const { status, text, headers } = await get(path, { "accept-language": "de" });
    expect({ path, status }).toEqual({ path, status: 404 });
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("etag")).toBeNull();
    expect(text).toContain("Dieses Hotel kann hier nicht gebucht werden");
  }
});

test("a hotel's slug alone leads to its page, which names the tenant and assumes the dates", async () => {
  const { admin: agent } = service.demo.second_tenant;
  const { Property } = results[0]!;
  const path = `/v1/admin/properties/${Property}`;
  const { data } = (await service.api("GET", path, { agent })).ok<{ slug: string; name: string }>();
  for (const address of [`/book/${data.slug}`, `/book?hotel=${data.slug.toUpperCase()}`]) {
    const { status, text } = await get(address);
    expect({ address, status }).toEqual({ address, status: 200 });
    expect(text).toContain(`<h1 dir="auto">${data.name}</h1>`);
    expect(text).toContain("No dates came with your link");
    expect(text).toContain(`<input type="hidden" name="tenant_id" value="${tenant}"/>`);
    expect(text).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/book/${Property}[?]`));
  }
});

test("another tenant that sells under a hotel's id changes nothing of what its addresses show", async () => {
  const { Property } = results[1]!;
  const [link = ""] = (await landingOf("kayak"))(variablesOf(results[1]!, undefined, 1)).split(
    "&room",
  );
  const addresses = [`/book/${Property}`, `/book?hotel=${Property}`, `${link}&tenant_id=${tenant}`];
  const namesShown = () =>
    Promise.all(
      addresses.map(async (address) => /<h1[^>]*>(.*?)<\/h1>/.exec((await get(address)).text)![1]),
    );
  const before = await namesShown();
  const { admin: agent, tenant_id: squatter } = service.demo;
  const plan = {
    ...{ code: "A", name: "A", currency: "EUR", base_rate_per_night: 100 },
    ...{ meal_plan: "room_only", cancellation_kind: "non_refundable" },
  };
  const body = {
    ...{ id: Property, slug: "squat", name: "Squat", default_currency: "EUR" },
    ...{ timezone: "Europe/Madrid", geo: { lat: 1, lng: 1 }, checkin_time: "15:00" },
    address: { line1: "1", city: "C", country: "ES" },
    policies: [
      {
        ...{ version: "1", cancellation_kind: "non_refundable" },
        ...{ free_cancellation_hours_before_checkin: 0, cancellation_fee_pct_after_cutoff: 100 },
      },
    ],
    room_types: [
      { code: "R", name: "R", max_occupancy: 2, default_inventory: 1, rate_plans: [plan] },
    ],
  };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const path = "/v1/admin/properties";
  (await service.api("POST", path, { agent, body, headers })).ok(201);
  (await service.api("POST", `${path}/${Property}/promote`, { agent })).ok();
  const own = `/book/${Property}?tenant_id=${squatter}`;
  await until("it is on sale", async () => (await get(own)).text.includes('<h1 dir="auto">Squat'));
  expect(await namesShown()).toEqual(before);
});

test("a page is for its visitor alone, and is not sent again while it is the same", async () => {
  const path = `/book/${results[0]!.Property}?check_in=${dateIn(20)}&nights=2&lang=en`;
  // The footer tells the minute; two requests in one minute are within three.
  const again = async () => {
    const tag = (await get(path)).headers.get("etag") ?? "";
    return (await get(path, { "if-none-match": tag })).status;
  };
  expect([await again(), await again()]).toContain(304);
  const { headers } = await get(path);
  expect(headers.get("cache-control")).toBe("private, max-age=0, must-revalidate");
  expect(headers.get("vary")).toBe("Accept-Language, Accept-Encoding");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("content-security-policy")).not.toContain("script");
});

/** A visitor; pictures of others are not fetched, and whatever is asked for is noted. */
async function visitor(width: number, colorScheme: "light" | "dark") {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const asked: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    asked.push(url);
    return url.startsWith(service.baseUrl) ? route.continue() : route.abort();
  });
  const problems: string[] = [];
  page.on("console", (message) => {
    if (!message.text().includes("net::ERR_FAILED")) problems.push(message.text());
  });
  return { page, asked, problems };
}

const widthOf = (page: Page) => page.evaluate("document.documentElement.scrollWidth");
const paperOf = (page: Page) =>
  page.evaluate<string>("getComputedStyle(document.body).backgroundColor");

test("on a phone and on a desk, light and dark, the page fits, has no barriers and the feed's price", async () => {
  const google = await landingOf("google");
  const open = results.findLast(({ RoomBundle }) => (RoomBundle?.length ?? 0) > 2)!;
  const bundle = open.RoomBundle![1]!;
  const sold = results.find(({ RoomBundle }) => RoomBundle === undefined)!;
  const price = `${google(variablesOf(open, bundle, 1))}&currency=CHF`;
  const none = google(variablesOf(sold, undefined, 1));
  const papers = new Set<string>();
  for (const width of [360, 1280]) {
    for (const scheme of ["light", "dark"] as const) {
      const { page, asked, problems } = await visitor(width, scheme);
      // Both pages at every width and in every scheme, though not in every pair of them.
      const links = (width === 360) === (scheme === "light") ? [price, none] : [price];
      for (const link of links) {
        await page.goto(service.baseUrl + link);
        const seen = { width, scheme, link };
        expect({ ...seen, widest: await widthOf(page) }).toEqual({ ...seen, widest: width });
        expect({ ...seen, barriers: await barriersOn(page) }).toEqual({ ...seen, barriers: [] });
        expect({ ...seen, problems }).toEqual({ ...seen, problems: [] });
        papers.add(await paperOf(page));
        if (link === none) continue;
        const amount = (await page.locator(".amount").textContent()) ?? "";
        expect(Number(amount.replace(/[^\d.]/g, ""))).toBe(Number(totalOf(bundle).toFixed(2)));
        expect(await page.locator("[aria-current] h4").count()).toBe(1);
      }
      const own = asked.filter((url) => url.startsWith(service.baseUrl));
      expect(own).toEqual(links.map((link) => service.baseUrl + link));
      await page.close();
    }
  }
  // The style is there, though the policy lets nothing in but what it knows by its hash.
  expect(papers.size).toBe(2);
});

test("dates are changed and rates chosen without a script, and the choice is kept", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.route("https://**", (route) => route.abort());
  const open = results.findLast(({ RoomBundle }) => (RoomBundle?.length ?? 0) > 2)!;
  await page.goto(
    `${service.baseUrl}/book?hotel=${open.Property}&lang=fr&partner=bing&currency=CHF`,
  );
  const free = [dateIn(20), dateIn(22)] as const;
  const stay = page.locator("form", { has: page.locator("input[type=date]") });
  await stay.locator("[name=check_in]").fill(free[0]);
  await stay.locator("[name=check_out]").fill(free[1]);
  await stay.locator("[name=adults]").fill("1");
  await stay.getByRole("button").click();
  const at = () => new URL(page.url());
  expect(at().pathname).toBe(`/book/${open.Property}`);
  expect(Object.fromEntries(at().searchParams)).toMatchObject({
    ...{ check_in: free[0], check_out: free[1], adults: "1" },
    ...{ lang: "fr", partner: "bing", currency: "CHF" },
  });
  const before = await page.locator(".amount").textContent();
  const last = page.locator(".rate .button").last();
  const shown = await page.locator(".rate .price b").last().textContent();
  await last.click();
  expect(await page.locator(".amount").textContent()).toBe(shown);
  expect(shown).not.toBe(before);
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  await page.getByRole("link", { name: "Deutsch" }).click();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(at().searchParams.get("check_in")).toBe(free[0]);
  await context.close();
});
