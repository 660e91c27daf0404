/**
 * Goal: an operator decides about a booking that waits for consent, and sees whose it is, what it
 * costs and why it waits. Method: requests of a limited agent, a browser without script, and
 * Chromium for the look and for what renews itself.
 */
import { expect, test } from "bun:test";
import { openBrowser } from "../support/browser.ts";
import { createHotel, dateIn, newHold, sendBooking, stayRequest } from "../support/client.ts";
import { HOSTILE_NAME, signedIn } from "../support/console.ts";
import { faultsOf, openConsole } from "../support/console-browser.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const hotel = await createHotel(service, { units: [50], rate: 10_000 });
const LIMITS = {
  ...{ rpm: null, burst: null, max_open_holds: null, max_open_quotes: null },
  max_booking_amount: { amount: 5_000, currency: "EUR" },
};
const [limited] = await service.newAgents([{ name: HOSTILE_NAME, limits: LIMITS }]);

let asked = 0;

/** The id of a request that a booking above the agent's limit opens: one for each stay. */
async function newRequest(): Promise<string> {
  asked += 1;
  const stay = stayRequest(hotel, { inDays: 30 + asked });
  const hold = await newHold(service, stay, { agent: limited! });
  const refused = await sendBooking(service, hold, { agent: limited! });
  return `${refused.refused("authorization_required").detail.authorization_id}`;
}

interface Authorization {
  readonly state: string;
  readonly max_amount: number;
  readonly note: string | null;
}

async function read(id: string): Promise<Authorization> {
  const path = `/v1/admin/booking-authorizations/${id}`;
  return (await service.api("GET", path, { agent })).ok<Authorization>().data;
}

test("a request is listed with its agent, hotel, amount, reason and end, and leads to its page", async () => {
  const id = await newRequest();
  const person = await signedIn(service);
  const list = await person.get("/console/approvals");
  expect(list.status).toBe(200);
  expect(list.html).toContain(`href="/console/approvals/${id}"`);
  expect(list.html).toContain("€200.00");
  expect(list.html).toContain("The agent may book at most");
  const shown = await person.get(`/console/approvals/${id}`);
  for (const text of ["€200.00", "€50.00", "Room R0", "Flexible", "pending", "2 adults"]) {
    expect({ text, has: shown.html.includes(text) }).toEqual({ text, has: true });
  }
});

test("it is approved up to the amount that was typed, in the form of its currency", async () => {
  const id = await newRequest();
  const person = await signedIn(service);
  const page = `/console/approvals/${id}`;
  const approve = (max_amount: string) =>
    person.submit(page, `${page}/approve`, { max_amount, note: "asked by phone" });
  for (const wrong of ["210.005", "", "210 EUR", "-210", "1,000.00"]) {
    const { status, html } = await approve(wrong);
    expect({ wrong, status }).toEqual({ wrong, status: 400 });
    expect(html).toContain("Nothing was approved");
  }
  expect((await read(id)).state).toBe("pending");
  expect(await approve("210.05")).toMatchObject({ status: 303, location: page });
  expect(await read(id)).toMatchObject({
    ...{ state: "approved", max_amount: 21_005, note: "asked by phone" },
  });
  const { html } = await person.get("/console/approvals?state=approved");
  expect(html).toContain(id);
});

test("an approved one is revoked, a waiting one refused; neither is decided again", async () => {
  const person = await signedIn(service);
  const [approved, waiting] = [await newRequest(), await newRequest()];
  const pageOf = (id: string) => `/console/approvals/${id}`;
  const stale = await person.get(pageOf(approved));
  expect(stale.html).toContain("Refuse");
  await person.submit(pageOf(approved), `${pageOf(approved)}/approve`, { max_amount: "200" });
  for (const id of [approved, waiting]) {
    const done = await person.submit(pageOf(id), `${pageOf(id)}/revoke`);
    expect(done.location).toBe(pageOf(id));
    expect((await read(id)).state).toBe("revoked");
    const { html } = await person.get(pageOf(id));
    expect(html).toContain("Refused or revoked by");
    expect(html).not.toContain(`${pageOf(id)}/approve`);
  }
});

test("who may not decide is offered no decision, and is refused by the API", async () => {
  const id = await newRequest();
  const [reader] = await service.newAgents([{ kind: "operator", scopes: ["bookings:read"] }]);
  const person = await signedIn(service, reader);
  const list = await person.get("/console/approvals");
  expect(list.html).toContain("forbidden");
  const shown = await person.get(`/console/approvals/${id}`);
  expect(shown.html).toContain("forbidden");
  expect(shown.html).not.toContain("€200.00");
  const other = await signedIn(service, service.demo.second_tenant.admin);
  expect(await other.get(`/console/approvals/${id}`)).toMatchObject({ status: 404 });
});

test("hundreds are shown in pages, each list on its own, and by the days of the filter", async () => {
  const [{ id: hotel_id, room_type_id, rate_plan_id }, [other]] = [
    { id: hotel.id, ...stayRequest(hotel) },
    await service.newAgents([{}]),
  ];
  const { stay, guests } = stayRequest(hotel);
  const grant = {
    ...{ agent_id: other!.agent_id, hotel_id, room_type_id, rate_plan_id, stay, guests },
    ...{ max_amount: 100_000, currency: "EUR" },
  };
  const made = Array.from({ length: 201 }, () =>
    service.api("POST", "/v1/admin/booking-authorizations", { agent, body: grant }),
  );
  for (const answer of await Promise.all(made)) answer.ok(201);
  const waiting = await newRequest();
  const person = await signedIn(service);
  const rows = (html: string) => [...html.matchAll(/<tr id="(aut_\w+)"/g)].map(([, id]) => id!);
  const { html } = await person.get(`/console/approvals?property_id=${hotel.id}`);
  expect(html).toContain("of which 1 to 200 of");
  const [, next] = /href="([^"]+)" rel="next"/.exec(html) ?? [];
  expect(next).toContain("skip_approved=200");
  const second = await person.get(next!.replaceAll("&amp;", "&"));
  expect(second.html).not.toContain('rel="next"');
  expect(rows(second.html)).toContain(waiting);
  const seen = new Set([...rows(html), ...rows(second.html)]);
  const path = `/v1/admin/booking-authorizations?property_id=${hotel.id}&state=`;
  const counts = await Promise.all(
    ["pending", "approved"].map(async (state) => {
      const all = await service.api("GET", path + state, { agent });
      return all.ok<{ readonly items: readonly object[] }>().data.items.length;
    }),
  );
  expect(seen.size).toBe(counts[0]! + counts[1]!);
  for (const [days, has] of [
    [`from=${dateIn(-1)}&until=${dateIn(1)}`, true],
    [`until=${dateIn(-2)}`, false],
    [`from=${dateIn(2)}`, false],
    ["from=2026-02-31&until=nonsense", true],
  ] as const) {
    const there = await person.get(`/console/approvals?${days}`);
    expect({ days, status: there.status }).toEqual({ days, status: 200 });
    expect({ days, has: rows(there.html).includes(waiting) }).toEqual({ days, has });
  }
});

test("in a browser the list renews itself, fits every screen and shows names as text", async () => {
  await using browser = await openBrowser();
  const tab = await openConsole(browser, service);
  await tab.keyboard.press("g");
  await tab.keyboard.press("a");
  await tab.waitForURL(`${service.baseUrl}/console/approvals`);
  await tab.locator("#live[data-state=live]").waitFor();
  const id = await newRequest();
  const link = tab.locator(`tr[id="${id}"] a`);
  await link.waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await link.click();
  await tab.locator("h1", { hasText: "asks for" }).waitFor();
  expect(await tab.locator("h1").textContent()).toContain(HOSTILE_NAME);
  expect(await faultsOf(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Approve" }).click();
  await tab.locator("h1 .chip", { hasText: "approved" }).waitFor();
  expect((await read(id)).state).toBe("approved");
  expect(await faultsOf(tab)).toEqual([]);
});
