/**
 * Goal: rates, availability and hotels can be kept from the console, and nothing is saved before
 * its effect was shown. Method: the forms as a browser without script sends them; the calendar by
 * keyboard alone in Chromium, against what a quote and the events then say.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { barriersOn, openBrowser } from "../support/browser.ts";
import {
  createHotel,
  dateIn,
  type Hotel,
  newHold,
  newQuote,
  propertyBody,
  stayRequest,
} from "../support/client.ts";
import { hiddenFields, type Person, signedIn } from "../support/console.ts";
import { enter } from "../support/console-browser.ts";
import { entered, newPerson } from "../support/people.ts";
import { Service } from "../support/service.ts";

const CALENDAR = "/console/calendar";
const HOTELS = "/console/properties";
const HOSTILE = `"><img src=x onerror=alert(1)> 'Sol' & Mar`;

interface Nights {
  readonly room_types: readonly {
    readonly nights: readonly {
      readonly rate_plans: readonly {
        readonly amount: number;
        readonly changed: { readonly actor: { readonly id: string } };
      }[];
    }[];
  }[];
}

let service: Service;
let browser: Browser;
let hotel: Hotel;

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start({ TRUSTED_PROXIES: "1" }), openBrowser()]);
  hotel = await createHotel(service, { units: [3, 2] });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const pageOf = ({ id }: Hotel) => `${CALENDAR}?property_id=${id}`;

/** Total of a night in minor units, by a quote. */
async function priceOn(inDays: number, plan = 0): Promise<number> {
  const quote = await newQuote(service, stayRequest(hotel, { inDays, plan, nights: 1 }));
  return quote.price_breakdown.total;
}

/** Sends the form for many nights, and saves what it shows. */
async function changeMany(person: Person, fields: Record<string, string>) {
  const at = pageOf(hotel);
  const shown = await person.submit(at, `${CALENDAR}/check-many`, {
    ...{ property_id: hotel.id, target: "", how: "set", value: "", ...fields },
  });
  return shown;
}

/** The hidden fields of the first form of a page that leads to `action`. */
async function save(person: Person, html: string) {
  const fields = hiddenFields(html, `${CALENDAR}/save`);
  const update = fields.update!.replaceAll("&quot;", '"');
  return person.send(`${CALENDAR}/save`, { ...fields, update });
}

test("a change of many nights is shown with what it replaces, then saved as it was shown", async () => {
  const person = await signedIn(service);
  const [from, to] = [dateIn(20), dateIn(33)];
  const shown = await changeMany(person, {
    from,
    to,
    field: "amount",
    value: "123,45",
    weekday_4: "yes",
  });
  expect(shown.status).toBe(200);
  expect(shown.html).toContain("8 changes, not saved yet");
  expect(shown.html).toMatch(/<s>100\.00 EUR<\/s> → <b>123\.45 EUR<\/b>/);
  const fridays = Array.from({ length: 14 }, (_, i) => 20 + i).filter(
    (days) => new Date(`${dateIn(days)}T00:00:00Z`).getUTCDay() === 5,
  );
  expect(await priceOn(fridays[0]!)).toBe(10_000);
  const saved = await save(person, shown.html);
  expect(saved.location).toStartWith(`${pageOf(hotel)}&from=`);
  for (const days of fridays) expect(await priceOn(days)).toBe(12_345);
  expect(await priceOn(fridays[0]! + 1)).toBe(10_000);
});

test("a percentage is rounded half up, night by night", async () => {
  const person = await signedIn(service);
  const [from, to] = [dateIn(50), dateIn(51)];
  const set = { from, to: from, field: "amount", value: "100.05" };
  await save(person, (await changeMany(person, set)).html);
  const shown = await changeMany(person, {
    from,
    to,
    field: "amount",
    how: "percent",
    value: "-50",
  });
  await save(person, shown.html);
  expect([await priceOn(50), await priceOn(51)]).toEqual([5_003, 5_000]);
});

test("a cut of capacity says which nights it oversells before it is saved", async () => {
  const other = await createHotel(service, { units: [2] });
  await newHold(service, stayRequest(other, { inDays: 40, nights: 1 }));
  const person = await signedIn(service);
  const at = pageOf(other);
  const fields = { property_id: other.id, target: "", how: "set" };
  const when = { from: dateIn(40), to: dateIn(41), field: "capacity", value: "0" };
  const shown = await person.submit(at, `${CALENDAR}/check-many`, { ...fields, ...when });
  expect(shown.html).toContain("1 night oversold");
  expect(shown.html).toContain(`${dateIn(40)}: 0 sold and 1 held of 0`);
});

test("what cannot be is named, and nothing is saved", async () => {
  const person = await signedIn(service);
  const [from, to] = [dateIn(20), dateIn(21)];
  const wrong: [Record<string, string>, string][] = [
    [{ from: to, to: from, field: "amount", value: "1" }, "in order"],
    [{ from, to, field: "amount", value: "12.345" }, "is no price"],
    [{ from, to, field: "capacity", value: "two" }, "is no whole number"],
    [{ from, to, field: "capacity", how: "percent", value: "10" }, "Only prices"],
    [{ from, to, field: "amount", how: "percent", value: "lots" }, "Give a percentage"],
    [{ from, to, field: "everything", value: "1" }, "Choose what to change"],
  ];
  for (const [fields, words] of wrong) {
    const { status, html } = await changeMany(person, fields);
    expect({ fields, status }).toEqual({ fields, status: 409 });
    expect(html).toContain(words);
  }
});

test("the calendar works without script: every cell is sent, and those with another value change", async () => {
  const person = await signedIn(service);
  const { html } = await person.get(`${pageOf(hotel)}&from=${dateIn(60)}`);
  const cells = [...html.matchAll(/<input name="(cell:[^"]+)" value="([^"]*)"/g)];
  expect(cells.length).toBe(14 * (2 + 4));
  const sent = Object.fromEntries(cells.map(([, name, value]) => [name!, value!]));
  const name = cells.find(([, each]) => each!.startsWith("cell:amount"))![1]!;
  const shown = await person.submit(`${pageOf(hotel)}&from=${dateIn(60)}`, `${CALENDAR}/check`, {
    ...{ ...sent, [name]: "77" },
  });
  expect(shown.html).toContain("1 change, not saved yet");
  expect(shown.html).toContain(`<bdi>Hotel ${hotel.id.slice(0, 8)}</bdi>`);
  await save(person, shown.html);
  expect(await priceOn(60)).toBe(7_700);
  // A later night alone, as the script sends it: the calendar stays where it was.
  const later = name.replace(dateIn(60), dateIn(63));
  const from = `${pageOf(hotel)}&from=${dateIn(60)}`;
  const next = await person.submit(from, `${CALENDAR}/check`, { [later]: "78" });
  const saved = await save(person, next.html);
  expect(saved.location).toBe(from);
});

test("who saves over another's change is told of it first", async () => {
  const person = await signedIn(service);
  const at = `${pageOf(hotel)}&from=${dateIn(80)}`;
  const { html } = await person.get(at);
  const fields = hiddenFields(html, `${CALENDAR}/check`);
  const name = /name="(cell:amount:[^"]+)"/.exec(html)![1]!;
  const [, , room_type_id, rate_plan_id, date] = name.split(":");
  const rates = [{ room_type_id, rate_plan_id, from: date, to: date, amount: 9_900 }];
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  const agent = service.demo.admin;
  (await service.api("PUT", path, { agent, body: { rates } })).ok();
  const shown = await person.send(`${CALENDAR}/check`, { ...fields, [name]: "88.00" });
  expect(shown.html).toContain("Others have changed these nights");
  expect(shown.html).toContain("<s>99.00 EUR</s>");
});

test("a person who set a night meanwhile is named, not the operator of that person", async () => {
  const person = await signedIn(service);
  const at = `${pageOf(hotel)}&from=${dateIn(80)}`;
  const { html } = await person.get(at);
  const fields = hiddenFields(html, `${CALENDAR}/check`);
  const name = /name="(cell:amount:[^"]+)"/.exec(html)![1]!;
  const eva = await entered(service, await newPerson(service, { name: "Eva Sol" }));
  await save(eva, (await eva.submit(at, `${CALENDAR}/check`, { [name]: "87.00" })).html);
  const shown = await person.send(`${CALENDAR}/check`, { ...fields, [name]: "88.00" });
  expect(shown.html).toContain(`${dateIn(80)}: Price, by Eva Sol`);
});

test("what others set between the check and the save is named and asked about again", async () => {
  const person = await signedIn(service);
  const [from, to] = [dateIn(90), dateIn(91)];
  const shown = await changeMany(person, { from, to, field: "amount", value: "88" });
  const agent = service.demo.admin;
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  const [rate_plan_id] = hotel.rooms[0]!.planIds;
  const rates = [{ rate_plan_id, from, to: from, amount: 9_900 }];
  (await service.api("PUT", path, { agent, body: { rates } })).ok();
  const again = await save(person, shown.html);
  expect(again.status).toBe(409);
  expect(again.html).toContain("Others have changed these nights");
  expect(again.html).toContain(`${from}: Price, by ${agent.agent_id}`);
  expect(again.html).not.toContain(`${to}: Price, by`);
  expect(await priceOn(90)).toBe(9_900);
  const saved = await save(person, again.html);
  expect(saved.location).toStartWith(CALENDAR);
  expect([await priceOn(90), await priceOn(91)]).toEqual([8_800, 8_800]);
});

test("a large hotel's room types come in pages, and are found by name", async () => {
  const large = await createHotel(service, { units: Array.from({ length: 23 }, () => 1) });
  const person = await signedIn(service);
  const events = await person.get("/console/events");
  const [, whole, seq] = /href="([^"]+event=(\d+))"/.exec(events.html)!;
  expect((await person.get(whole!)).html).toContain(`&quot;seq&quot;: ${seq},`);
  const rowsOf = (html: string) => html.match(/<tr class="left"/g)?.length ?? 0;
  const first = await person.get(`${pageOf(large)}&nights=62`);
  expect(rowsOf(first.html)).toBe(10);
  expect(first.html).toContain("Page 1 of 3, 23 room types");
  const next = /href="([^"]+)">more rooms/.exec(first.html)![1]!.replaceAll("&amp;", "&");
  expect(next).toContain("nights=62");
  const last = await person.get(next.replace("page=2", "page=3"));
  expect(rowsOf(last.html)).toBe(3);
  const name = /name="(cell:amount:[^"]+)"/.exec(last.html)![1]!;
  const there = next.replace("page=2", "page=3");
  const shown = await person.submit(there, `${CALENDAR}/check`, { [name]: "70" });
  expect(shown.html).toContain("1 change, not saved yet");
  expect((await save(person, shown.html)).location).toContain("page=3");
  expect((await person.get(`${pageOf(large)}&rooms=nowhere`)).html).toContain("No room type here.");
});

test("thirty Fridays are repriced by keyboard alone, and the event names who did it", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await enter(page, service);
  await page.goto(service.baseUrl + pageOf(hotel));
  expect(await barriersOn(page)).toEqual([]);
  await page.locator("summary", { hasText: "Change many nights" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  for (const days of [1, 210]) {
    const [year, month, day] = dateIn(days).split("-");
    await page.keyboard.type(`${month}${day}${year}`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
  }
  // Target: all; then the fifth of the weekdays.
  await page.keyboard.press("Tab");
  for (let i = 0; i < 4; i += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Tab");
  // Price, to this value.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("140");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /120 changes, not saved yet/ }).waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForURL("**/console/calendar?**");
  const agent = service.demo.admin;
  const friday = Array.from({ length: 7 }, (_, i) => dateIn(190 + i)).find((date) => {
    return new Date(`${date}T00:00:00Z`).getUTCDay() === 5;
  })!;
  const path = `/v1/admin/properties/${hotel.id}/ari?from=${friday}&to=${friday}`;
  const { room_types } = (await service.api("GET", path, { agent })).ok<Nights>().data;
  const plans = room_types.flatMap(({ nights }) => nights[0]!.rate_plans);
  for (const { amount, changed } of plans) {
    expect([amount, changed.actor.id]).toEqual([14_000, agent.agent_id]);
  }
  expect(faults).toEqual([]);
  await page.close();
});

test("arrows, edits and a pasted column stage changes, and only they are sent", async () => {
  const page = await browser.newPage();
  await enter(page, service);
  await page.goto(`${service.baseUrl}${pageOf(hotel)}&from=${dateIn(100)}`);
  const first = page.locator('input[name^="cell:amount"]').first();
  await first.focus();
  await page.keyboard.type("150");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("130");
  await page.keyboard.press("Escape");
  expect(await page.locator("#staged").textContent()).toBe("1 change");
  // From the end of what was typed, the arrow leads on to the next night.
  await first.focus();
  await page.keyboard.type("much");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("160");
  await page.getByRole("button", { name: "Check changes" }).first().click();
  await page.getByText('"much" is no price').waitFor();
  await page.getByRole("link", { name: "Back to the calendar" }).click();
  await page.locator("#staged", { hasText: "2 changes" }).waitFor();
  await page.keyboard.press("Escape");
  await first.fill("150");
  const second = page.locator('input[name^="cell:amount"]').nth(1);
  await second.focus();
  await page.keyboard.press("Escape");
  expect(await page.locator("#staged").textContent()).toBe("1 change");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Check changes" }).first().click();
  const body = new URLSearchParams((await sent).postData()!);
  expect([...body.keys()].filter((name) => name.startsWith("cell:"))).toHaveLength(1);
  await page.getByRole("heading", { name: "1 change, not saved yet" }).waitFor();
  await page.close();
});

test("a draft shows what it lacks, and goes on sale when it has it", async () => {
  const person = await signedIn(service);
  const agent = service.demo.admin;
  const { policies: _none, ...rest } = propertyBody();
  const lacking = { ...rest, name: HOSTILE, address: { ...rest.address, line1: "1 Way" } };
  (await service.api("POST", "/v1/admin/properties", { agent, body: lacking })).ok(201);
  const at = `${HOTELS}/${lacking.id}`;
  const draft = await person.get(at);
  expect(draft.html).toContain("✗");
  expect(draft.html).not.toContain("<img src=x");
  expect(draft.html).not.toContain("Put on sale</button>");
  const whole = propertyBody();
  (await service.api("POST", "/v1/admin/properties", { agent, body: whole })).ok(201);
  const there = `${HOTELS}/${whole.id}`;
  expect((await person.get(there)).html).toContain("✓ Everything that a sale needs is there.");
  const done = await person.submit(there, `${there}/promote`);
  expect(done.location).toBe(there);
  expect((await person.get(there)).html).toContain('<span class="chip good">live</span>');
  const off = await person.submit(`${there}/suspend`, `${there}/suspend`);
  expect(off.location).toBe(there);
  expect((await person.get(there)).html).toContain("suspended");
});

test("all drafts go on sale at once, and each that cannot says why", async () => {
  const person = await signedIn(service);
  const agent = service.demo.admin;
  const draft = propertyBody();
  (await service.api("POST", "/v1/admin/properties", { agent, body: draft })).ok(201);
  const { html } = await person.submit(HOTELS, `${HOTELS}/promote`);
  expect(html).toContain("1 hotel now on sale.");
  expect(html).toContain("cannot be yet");
});

test("an import is tried first, names each fault, and then writes what it said", async () => {
  const person = await signedIn(service);
  const good = propertyBody();
  const lines = [JSON.stringify(good), JSON.stringify({ ...propertyBody(), timezone: "Nowhere" })];
  const hotels = lines.join("\n");
  const tried = await person.submit(`${HOTELS}/import`, `${HOTELS}/import`, { hotels });
  expect(tried.html).toContain("1 new, 0 changed, 0 as before, 1 refused.");
  expect(tried.html).toContain("/timezone");
  expect((await person.get(HOTELS)).html).not.toContain(good.slug);
  const names = [
    ...(await person.get(HOTELS)).html.matchAll(/properties\/[\w-]{36}"><bdi>([^<]+)/g),
  ];
  const live = names.map(([, name]) => name!).filter((name) => name.startsWith("Hotel "));
  expect(live.length).toBeGreaterThan(1);
  expect(live).toEqual(live.toSorted((a, b) => a.localeCompare(b)));
  const done = await person.submit(`${HOTELS}/import`, `${HOTELS}/import`, {
    ...{ hotels, import: "yes" },
  });
  expect(done.html).toContain("Imported");
  expect(done.html).toContain(`href="${HOTELS}"`);
  const wrong = await person.submit(`${HOTELS}/import`, `${HOTELS}/import`, { hotels: "rooms\n1" });
  expect(wrong.html.split("is not a known column")).toHaveLength(2);
  expect((await person.get(HOTELS)).html).toContain(good.slug);
});

test("the pages of hotels keep people out of nothing", async () => {
  const page = await browser.newPage();
  await enter(page, service);
  for (const path of [HOTELS, `${HOTELS}/import`, `${HOTELS}/${hotel.id}`]) {
    await page.goto(service.baseUrl + path);
    for (const [width, colorScheme] of [
      [320, "light"],
      [1440, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect({ path, width, barriers: await barriersOn(page) }).toEqual({
        path,
        width,
        barriers: [],
      });
      const wide = await page.evaluate<boolean>(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth",
      );
      expect({ path, width, wide }).toEqual({ path, width, wide: false });
    }
  }
  await page.close();
});
