/**
 * Goal: the page shows everything that a quote would, and no text of a hotel or a visitor becomes
 * markup. Method: pages of small hotels, made without a server; `test/int/landing.int.test.ts`
 * covers the browser and the service.
 */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { freezeQuote } from "../../../engine/core/availability/quoting.ts";
import { dateOf } from "../../../engine/core/calendar.ts";
import { decodeState, encodeState } from "../../../engine/core/codec/state-codec.ts";
import type { FxTable } from "../../../engine/core/price/money.ts";
import { findOffer, type PropertyEntry } from "../../../engine/core/state/state.ts";
import type { AriUpdate } from "../../../engine/core/supply.ts";
import { hotelPageUrl } from "../../../feeds/point-of-sale.ts";
import {
  createProperty,
  NOON,
  OTHER_TENANT,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { onSale, singleRoom, smallHotel } from "../../../test/support/small-hotel.ts";
import { linksOf } from "../../about/links.ts";
import { readConfig } from "../../config.ts";
import { formatsOf } from "../../languages/formats.ts";
import { LANGUAGES, localeFor } from "../../languages/languages.ts";
import { offersFor } from "./offers.ts";
import { choicePage, hotelPage, POLICY } from "./page.tsx";
import { hotelsNamed } from "./routes.ts";
import { readAsked } from "./stay-request.ts";

const CONFIG = readConfig({ BASE_URL: "https://api.example", SITE_URL: "https://hotels.example" });
const FX: FxTable = { base: "EUR", rates: { USD: "1.1000" }, as_of: "2026-08-30T00:00:00.000Z" };

const TREE = smallHotel({
  room_types: [
    singleRoom({ base_rate_per_night: 6_000 }),
    roomType({
      rate_plans: [
        ratePlan({ extra_adult_per_night: 3_000 }),
        ratePlan({ id: "plan-fix", code: "FIX", name: "Fix", cancellation_kind: "non_refundable" }),
      ],
    }),
    roomType({
      id: "room-suite",
      code: "STE",
      name: "Suite",
      rate_plans: [ratePlan({ id: "plan-suite", base_rate_per_night: 25_000 })],
    }),
  ],
});

function shown(property: PropertyEntry, link: string, fx: FxTable | null = FX) {
  const query = new Map(new URLSearchParams(link)).set("tenant_id", property.tenant_id);
  const at = { nowMs: NOON, todayDay: dayIn(0) };
  const asked = readAsked(query, at.todayDay);
  const offers = offersFor(property, asked, at);
  const locale = localeFor(query.get("lang"), null);
  const html = hotelPage({
    ...{ property, asked, offers, fx, locale, query, ...at },
    words: LANGUAGES[locale.language],
    formats: formatsOf(locale),
    here: property.tree.id,
    publicUrl: hotelPageUrl(CONFIG.siteUrl, property),
    ...{ question: query.get("ask") ?? null, sale: null, notice: null },
    links: linksOf(CONFIG),
  });
  return { html, text: textOf(html), offers };
}

/** What is read on a page, in one line. */
function textOf(html: string): string {
  const body = html.slice(html.indexOf("<body>"));
  return body
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}

const STAY = `check_in=${dateOf(dayIn(10))}&check_out=${dateOf(dayIn(12))}`;

/** The JSON-LD of a page. */
function dataOf(html: string) {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as {
    readonly name: string;
    readonly url: string;
    readonly makesOffer: readonly {
      readonly identifier: string;
      readonly price: string;
      readonly url: string;
      readonly priceSpecification: { readonly priceComponent: readonly { price: string }[] };
    }[];
  };
}

test("every offer has the total of a quote for the same stay, and its parts sum to it", () => {
  const property = onSale(TREE);
  for (const adults of [1, 2, 3]) {
    const { html, offers } = shown(property, `${STAY}&adults=${adults}`);
    const found = offers.rooms.flat();
    expect(found).toHaveLength(4);
    const data = dataOf(html);
    for (const each of found) {
      const { roomType, plan } = each.offer;
      const offer = findOffer(property, roomType.id, plan.id);
      if (typeof offer === "string") throw new Error(offer);
      const quote = freezeQuote(
        offer,
        {
          ...{ hotel_id: TREE.id, room_type_id: roomType.id, rate_plan_id: plan.id },
          stay: { check_in: dateOf(dayIn(10)), check_out: dateOf(dayIn(12)) },
          guests: { adults: each.adults, children: [] },
        },
        {
          ...{ ...REALM, quote_id: "q", agent_id: "google", nowMs: NOON, ttlMs: 1 },
          sha256: () => "0".repeat(64),
        },
      );
      if (typeof quote === "string") throw new Error(quote);
      expect(each.total).toBe(quote.total);
      expect(each.price.due_at_property).toBe(quote.due_at_property);
      const told = data.makesOffer.find(({ identifier }) => identifier === plan.id)!;
      expect(told.price).toBe((quote.total / 100).toFixed(2));
      const parts = told.priceSpecification.priceComponent.map(({ price }) => Number(price) * 100);
      expect(Math.round(parts.reduce((sum, part) => sum + part, 0))).toBe(quote.total);
      expect(html).toContain(`€${told.price}`);
    }
  }
});

test("the chosen rate is first, with its price lines, place of payment and terms", () => {
  const { text, offers } = shown(onSale(TREE), `${STAY}&room=room-double&rate=plan-flex`);
  expect(offers.missed).toBeNull();
  expect(offers.rooms[0]![0]!.offer.plan.id).toBe("plan-flex");
  // 200.00 with 10 % VAT inside, 2.50 a head and night at the hotel, 15.00 for cleaning.
  for (const line of [
    "Total €225.00 All taxes and fees included",
    "Room, 2 nights €181.82 VAT 10% €18.18 City tax paid at the hotel €10.00 Cleaning €15.00",
    "You pay when booking €215.00 You pay at the hotel €10.00",
    "Free cancellation until 9 Sep 2026, 15:00 (Madrid time); then it costs 50 % of the prepaid " +
      "amount, and 100 % from 11 Sep 2026, 15:00 (Madrid time).",
    "Your choice : Double, Flexible",
  ]) {
    expect(text).toContain(line);
  }
});

test("after check-in the terms of a rate are its cancellation cost from then on", () => {
  const policies = TREE.policies.map((terms) => ({ ...terms, no_show_fee_pct: 75 }));
  const property = onSale({ ...TREE, policies, checkin_time: "00:00" });
  const today = `check_in=${dateOf(dayIn(0))}&check_out=${dateOf(dayIn(1))}`;
  const { text } = shown(property, `${today}&room=room-double&rate=plan-flex`);
  expect(text).toContain("Cancellation costs 75 % from now, of the prepaid amount.");
  expect(text).not.toContain("50 %");
});

test("the page answers a question from the hotel's facts, for the stay that it shows", () => {
  const property = onSale({ ...TREE, checkin_time: "15:00" });
  const asks = (question: string) => {
    return shown(property, `${STAY}&adults=2&ask=${encodeURIComponent(question)}`);
  };
  expect(asks("When is check-in?").text).toContain("Check-in is from 15:00.");
  expect(asks("What does it cost?").text).toContain("Fri, 11 Sept – Sun, 13 Sept 2026");
  const { html } = asks('"><script>alert(1)</script> Is there a pool?');
  expect(html).not.toContain("<script>alert");
});

test("the default offer is the cheapest for all the guests, not a smaller room", () => {
  const { offers, text } = shown(onSale(TREE), STAY);
  expect(offers.chosen!.offer.roomType.id).toBe("room-double");
  expect(offers.rooms.map(([first]) => first!.offer.roomType.id)).toEqual([
    "room-double",
    "room-suite",
    "room-single",
  ]);
  expect(text).toContain("Price for 1 adult");
  expect(shown(onSale(TREE), `${STAY}&room=room-suite`).offers.chosen!.offer.plan.id).toBe(
    "plan-suite",
  );
});

test("for a large hotel the page has the clicked and the lowest rate, and the number of others", () => {
  const rates = (room: number) =>
    Array.from({ length: 20 }, (_, n) =>
      ratePlan({
        ...{ id: `plan-${room}-${n}`, code: `P${n}`, name: `Plan ${n}` },
        base_rate_per_night: 30_000 - 100 * room - n,
      }),
    );
  const rooms = Array.from({ length: 60 }, (_, n) =>
    roomType({ id: `room-${n}`, code: `R${n}`, name: `Room ${n}`, rate_plans: rates(n) }),
  );
  const property = onSale(propertyTree({ room_types: rooms }));
  for (const [link, first] of [
    [STAY, "plan-59-19"],
    [`${STAY}&room=room-3`, "plan-3-19"],
    [`${STAY}&room=room-3&rate=plan-3-7`, "plan-3-7"],
  ] as const) {
    const { offers, html, text } = shown(property, link);
    const told = offers.rooms.map((each) => each.map(({ offer }) => offer.plan.id));
    expect([offers.missed, offers.chosen?.offer.plan.id, told[0]![0]]).toEqual([
      null,
      first,
      first,
    ]);
    expect(told.map(({ length }) => length)).toEqual(Array(6).fill(4));
    // Besides the chosen room's, the lowest of the hotel.
    const lowest = [59, 58, 57, 56, 55].map((n) => `plan-${n}-19`);
    expect(told.map(([id]) => id)).toEqual(
      [...new Set([first, ...lowest, "plan-54-19"])].slice(0, 6),
    );
    expect(offers.more).toBe(60 * 20 - 24);
    expect(text).toContain("1176 more rates are free on these dates.");
    expect(dataOf(html).makesOffer.map(({ identifier }) => identifier)).toEqual(told.flat());
    expect(html.match(/<li class="rate"/g)).toHaveLength(24);
    expect(html.length).toBeLessThan(200_000);
    // What is not shown is free all the same.
    expect(offers.shut).toEqual([]);
  }
  expect(shown(onSale(TREE), STAY).text).not.toContain("more rate");
});

test("the price in the visitor's currency is an approximation, or said to be unknown", () => {
  const property = onSale(TREE);
  const { text } = shown(property, `${STAY}&currency=USD`);
  expect(text).toContain("about US$247.50");
  expect(text).toContain("Converted at the rates of 30 Aug 2026");
  expect(shown(property, `${STAY}&currency=CHF`).text).toContain("no exchange rate for CHF");
  expect(shown(property, `${STAY}&currency=USD`, null).text).toContain("no exchange rate for USD");
  expect(shown(property, `${STAY}&currency=EUR`).text).not.toContain("about");
});

const closed = (room_type_id: string, from: number, to: number): AriUpdate => ({
  inventory: [{ room_type_id, from: dateOf(dayIn(from)), to: dateOf(dayIn(to)), capacity: 0 }],
});

test("a sold-out room is shown with its next dates and with other rooms", () => {
  const property = onSale(TREE, closed("room-double", 10, 11));
  const { text, offers, html } = shown(property, `${STAY}&room=room-double&rate=plan-fix`);
  expect(offers).toMatchObject({
    missed: "not_free",
    chosen: { offer: { plan: { id: "plan-suite" } } },
  });
  expect(text).toContain("The room or rate of your link is not free on these dates.");
  expect(text).toContain("Double : sold out");
  expect(offers.others.map(({ checkInDay, rate }) => [checkInDay, rate])).toEqual([
    [dayIn(8), "plan-fix"],
    [dayIn(12), "plan-fix"],
  ]);
  const { checkInDay, nights, total } = offers.others[0]!;
  const link = html.match(/href="(property-one\?[^"]*rate=plan-fix[^"]*)"/)![1]!;
  const next = shown(property, link.replaceAll("&amp;", "&").split("?")[1]!);
  expect(next.offers).toMatchObject({ missed: null, chosen: { total } });
  expect(next.text).toContain(`${nights} nights`);
  expect(link).toContain(`check_in=${dateOf(checkInDay)}`);
});

test("without any room the page offers stays near it and gives the reason", () => {
  const from = dateOf(dayIn(10));
  const property = onSale(TREE, closed("room-double", 10, 11), closed("room-single", 10, 11), {
    restrictions: [{ room_type_id: "room-suite", from, to: from, min_los_arrival: 4 }],
  });
  const { text, offers, html } = shown(property, STAY);
  expect(offers).toMatchObject({ rooms: [], chosen: null });
  expect(text).toContain("Nothing is free on these dates");
  expect(text).toContain("Suite : from 4 nights on");
  expect(offers.others.map(({ checkInDay, nights }) => [checkInDay - dayIn(0), nights])).toEqual([
    [8, 2],
    [10, 4],
    [11, 2],
    [12, 2],
  ]);
  // A single room is no stay for two, however cheap.
  expect(offers.others.map(({ total }) => total)).toEqual([22_500, 103_500, 52_500, 22_500]);
  expect(text).toContain("4 nights from €1,035.00");
  expect(dataOf(html).makesOffer).toEqual([]);
});

const HOSTILE = `</script><script>alert(1)</script>"><img src=x onerror=alert(1)>&amp;\u202e'`;

test("no text of a hotel or a visitor becomes markup", () => {
  const tree = propertyTree({
    ...{ name: HOSTILE, description: HOSTILE, amenities: [HOSTILE], phone: "+34931234567" },
    address: { line1: HOSTILE, city: HOSTILE, country: "ES" },
    images: ['https://example.com/"onerror="alert(1)', "javascript:alert(1)"],
    room_types: [
      roomType({
        ...{ name: HOSTILE, description: HOSTILE, bed_type: HOSTILE, amenities: [HOSTILE] },
        images: ["http://example.com/plain.jpg"],
        rate_plans: [ratePlan({ name: HOSTILE })],
      }),
    ],
  });
  const marks = encodeURIComponent(HOSTILE);
  const names = ["check_in", "adults", "room", "rate", "currency", "lang", "partner", "tenant_id"];
  const { html } = shown(onSale(tree), names.map((name) => `${name}=${marks}`).join("&"));
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<\/script/g)).toHaveLength(1);
  expect(html).not.toContain("<img src=x");
  expect(html).not.toContain("plain.jpg");
  expect(dataOf(html).name).toBe(HOSTILE);
  // Every attribute is quoted and every element closed: a strict reader finds the same tree.
  const strict = html
    .replace("<!doctype html>", "")
    .replace(/<(style|script)\b.*?<\/\1>/gs, "")
    .replace(/ (required|alt)(?=[ /])/g, ' $1=""');
  expect(XMLValidator.validate(strict)).toBeTrue();
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(strict) as object;
  expect(JSON.stringify(parsed)).not.toContain('"@_onerror"');
});

test("the page may load only its own style and pictures, and it has no script", () => {
  const { html } = shown(onSale(TREE), STAY);
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(POLICY).toContain(`style-src 'sha256-${hash}'`);
  expect(POLICY).not.toContain("script-src");
  expect(html).not.toMatch(/ style="| on\w+="/);
});

test("there is a page in every language, and its choices keep the language", () => {
  const property = onSale(TREE, closed("room-single", 10, 11));
  for (const lang of Object.keys(LANGUAGES)) {
    const { html, text } = shown(property, `${STAY}&lang=${lang}`);
    expect(html).toContain(`<html lang="${lang}">`);
    const hrefs = [...html.matchAll(/href="property-one\?([^"]*)"/g)].map(([, query]) => query!);
    expect(hrefs.length).toBeGreaterThan(5);
    for (const href of hrefs) expect(href).toContain(`tenant_id=${REALM.tenant_id}`);
    const choices = hrefs.filter((href) => href.includes(`lang=${lang}`));
    expect(choices.length).toBe(hrefs.length - (Object.keys(LANGUAGES).length - 1));
    expect(text).not.toContain("undefined");
  }
});

test("every address on a page names its tenant", () => {
  const { html } = shown(onSale(TREE, closed("room-double", 10, 11)), `${STAY}&room=room-double`);
  const whose = ({ searchParams }: URL) => searchParams.get("tenant_id");
  const own = [...html.matchAll(/(?:href|"@id"|"url")(?:=|:)"([^"]*property-one[^"]*)"/g)].map(
    ([, address]) => new URL(address!.replaceAll("&amp;", "&"), CONFIG.siteUrl),
  );
  expect(own.length).toBeGreaterThan(10);
  expect(new Set(own.map(whose))).toEqual(new Set([REALM.tenant_id]));
  const canonical = `https://hotels.example/book/property-one?tenant_id=${REALM.tenant_id}`;
  expect(html).toContain(`<link rel="canonical" href="${canonical}"/>`);
  expect(html).toContain(`<input type="hidden" name="tenant_id" value="${REALM.tenant_id}"/>`);
  const { makesOffer, url } = dataOf(html);
  expect(url).toBe(canonical);
  for (const offer of makesOffer) {
    expect(offer.url).toStartWith("https://hotels.example/book/property-one?");
    expect(new URL(offer.url).searchParams.get("rate")).toBe(offer.identifier);
  }
});

test("a hotel on sale is found by its id at any tenant, by its slug at its own", () => {
  const other = { tenant_id: OTHER_TENANT };
  const second = propertyTree({ id: "property-two", slug: "two" });
  const { state } = given(
    createProperty(TREE),
    promoteProperty(TREE),
    createProperty(TREE, other),
    createProperty(second, other),
    promoteProperty(second, other),
  );
  const found = (name: string, tenant?: string) => hotelsNamed(state, name, tenant)[0]?.tenant_id;
  expect(found("property-one")).toBe(REALM.tenant_id);
  expect(found("property-one", "")).toBe(REALM.tenant_id);
  expect(found("property-one", ` ${REALM.tenant_id.toUpperCase()}`)).toBe(REALM.tenant_id);
  expect(found("PROPERTY-TWO")).toBe(OTHER_TENANT);
  expect([found("Two"), found("two", OTHER_TENANT), found("two", REALM.tenant_id)]).toEqual([
    OTHER_TENANT,
    OTHER_TENANT,
    undefined,
  ]);
  for (const [name, tenant] of [["property-one", OTHER_TENANT], [""], ["one", "x"]] as const) {
    expect(found(name, tenant)).toBeUndefined();
  }
});

test("another tenant's id changes nothing of what an address shows", () => {
  const squatter = { tenant_id: OTHER_TENANT };
  const id = TREE.id;
  // Created first, and known to the service for longer, but on sale later.
  const world = given(createProperty(TREE, squatter), createProperty(TREE), promoteProperty(TREE));
  const shownNow = () =>
    [REALM.tenant_id, undefined].flatMap((tenant) => {
      return hotelsNamed(world.state, id, tenant).map(({ tenant_id }) => tenant_id);
    });
  const own = [REALM.tenant_id, REALM.tenant_id];
  expect(shownNow()).toEqual(own);
  world.when(promoteProperty(TREE, squatter)).recorded("property.promoted");
  expect(shownNow()).toEqual(own);
  expect(hotelsNamed(world.state, id, OTHER_TENANT)[0]?.tenant_id).toBe(OTHER_TENANT);
  // Nor does a restart, which reads tenants in another order.
  world.state = decodeState([...encodeState(world.state)].reverse(), { tracksExpiry: true });
  expect(shownNow()).toEqual(own);
});

test("a slug shared by hotels of several tenants gives a page with a link to each", () => {
  const other = { tenant_id: OTHER_TENANT };
  const second = propertyTree({ id: "property-two", slug: TREE.slug, name: "<Second>" });
  const { state } = given(
    ...[createProperty(TREE), promoteProperty(TREE)],
    ...[createProperty(second, other), promoteProperty(second, other)],
  );
  const hotels = hotelsNamed(state, TREE.slug, undefined);
  expect(hotels.map(({ tenant_id }) => tenant_id)).toEqual([REALM.tenant_id, OTHER_TENANT]);
  const locale = localeFor("de", null);
  const query = new Map([
    ["hotel", TREE.slug],
    ["check_in", "2026-09-20"],
  ]);
  const words = LANGUAGES[locale.language];
  const html = choicePage({ locale, words, query, hotels, here: (id) => `book/${id}` });
  expect(html).toContain("Welches Hotel meinen Sie?");
  expect([...html.matchAll(/href="(book[^"]*)"/g)].map(([, href]) => href)).toEqual([
    `book/${TREE.id}?check_in=2026-09-20&amp;tenant_id=${REALM.tenant_id}`,
    `book/property-two?check_in=2026-09-20&amp;tenant_id=${OTHER_TENANT}`,
  ]);
  expect(html).toContain("&lt;Second>");
});
