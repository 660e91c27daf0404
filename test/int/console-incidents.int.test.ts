/**
 * Goal: an operator ends oversold nights in each of five ways, and sees before what a way costs.
 * Method: a small hotel whose rooms are taken away, a browser without script, and Chromium.
 */
import { expect, test } from "bun:test";
import { openBrowser } from "../support/browser.ts";
import { type Booking, createHotel, dateIn, newBooking, stayRequest } from "../support/client.ts";
import { HOSTILE_NAME, hiddenFields, signedIn } from "../support/console.ts";
import { faultsOf, openConsole } from "../support/console-browser.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const API = "/v1/admin/oversell-incidents";

/** A hotel with two doubles and a suite, of which one guest's double is taken away. */
async function flooded(day: number) {
  const hotel = await createHotel(service, { units: [2, 1], rate: 10_000 });
  const body = stayRequest(hotel, { inDays: day });
  const first = await newBooking(service, body);
  const second = await newBooking(service, body);
  const [double] = hotel.rooms;
  const range = { from: dateIn(day), to: dateIn(day + 1), capacity: 1 };
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  const ari = { inventory: [{ room_type_id: double!.id, ...range }] };
  const cut = await service.api("PUT", path, { agent, body: ari });
  const [id] = cut.ok<{ readonly incident_ids: readonly string[] }>().data.incident_ids;
  return { hotel, first, second, id: id!, page: `/console/incidents/${id}` };
}

interface Incident {
  readonly state: string;
  readonly candidates: readonly {
    readonly alternative: { readonly room_type_id: string; readonly rate_plan_id: string };
  }[];
  readonly resolution: { readonly reason: string; readonly note: string | null } | null;
}

async function read(id: string): Promise<Incident> {
  return (await service.api("GET", `${API}/${id}`, { agent })).ok<Incident>().data;
}

interface Detail extends Booking {
  readonly room_type_id: string;
  readonly refunds: readonly { readonly amount: number }[];
}

async function bookingOf({ booking_id }: Booking): Promise<Detail> {
  return (await service.api("GET", `/v1/bookings/${booking_id}`, { agent })).ok<Detail>().data;
}

test("an incident is listed with its nights and cause, and its page ranks whom to move", async () => {
  const { page, first, second } = await flooded(30);
  const person = await signedIn(service);
  const list = await person.get("/console/incidents");
  expect(list.html).toContain(`href="${page}"`);
  expect(list.html).toContain("2 taken of 1");
  expect(list.html).toContain("Availability was changed");
  const { html } = await person.get(page);
  expect(html).toContain("Room R1");
  const order = [second, first].map(({ booking_id }) => html.indexOf(booking_id));
  expect(order[0]).toBePositive();
  expect(order[1]).toBeGreaterThan(order[0]!);
  const done = await person.submit(page, `${page}/acknowledge`);
  expect(done.location).toBe(page);
  expect((await person.get("/console/incidents?state=acknowledged")).html).toContain(page);
});

test("a guest is moved to the room that the API proposes, with goodwill to the cent", async () => {
  const { page, hotel, second, id } = await flooded(40);
  const person = await signedIn(service);
  const at = `${page}/move?booking_id=${second.booking_id}`;
  const { html } = await person.get(at);
  const [, proposed] = /<option value="([^"]+)" selected/.exec(html) ?? [];
  const { alternative } = (await read(id)).candidates[0]!;
  expect(proposed).toBe(`${alternative.room_type_id} ${alternative.rate_plan_id}`);
  const fields = { to: proposed!, action: "upgrade" };
  const wrong = await person.submit(at, `${page}/move`, { ...fields, compensation: "5.005" });
  expect(wrong.status).toBe(409);
  expect(wrong.html).toContain("Nothing was changed");
  expect((await bookingOf(second)).room_type_id).toBe(hotel.rooms[0]!.id);
  const much = await person.submit(at, `${page}/move`, { ...fields, compensation: "999" });
  expect(much.html).toContain("refund_exceeds_remaining");
  const sent = await person.submit(at, `${page}/move`, { ...fields, compensation: "5.05" });
  expect(sent.location).toBe(page);
  const moved = await bookingOf(second);
  expect(moved).toMatchObject({ room_type_id: hotel.rooms[1]!.id, refunds: [{ amount: 505 }] });
  expect((await read(id)).resolution).toMatchObject({ reason: "upgrade" });
  expect((await person.get(page)).html).toContain("ended by upgrade");
});

test("a cancellation shows its refund first; another refund meanwhile stops it", async () => {
  const { page, second, id } = await flooded(50);
  const person = await signedIn(service);
  const at = `${page}/cancel?booking_id=${second.booking_id}`;
  const shown = await person.get(at);
  expect(shown.html).toContain("€200.00");
  const refund = { amount: 1_000, reason: "goodwill" };
  const refunds = `/v1/admin/bookings/${second.booking_id}/refunds`;
  const stale = await person.get(at);
  (await service.api("POST", refunds, { agent, body: refund })).ok(201);
  const fields = hiddenFields(stale.html, `${page}/cancel`);
  const stopped = await person.send(`${page}/cancel`, fields);
  expect(stopped.status).toBe(409);
  expect(stopped.html).toContain("€190.00");
  expect((await bookingOf(second)).state).toBe("confirmed");
  const again = await person.get(at);
  expect(again.html).not.toContain("€200.00");
  const done = await person.submit(at, `${page}/cancel`);
  expect(done.location).toBe(page);
  expect((await bookingOf(second)).refunds).toMatchObject([{ amount: 1_000 }, { amount: 19_000 }]);
  expect((await read(id)).resolution).toMatchObject({ reason: "cancel_with_refund" });
});

test("rooms are restored as the page says, and nights accepted with a note", async () => {
  const [restored, accepted] = [await flooded(60), await flooded(60)];
  const person = await signedIn(service);
  const { html } = await person.get(restored.page);
  expect(html).toContain(`${dateIn(60)} to ${dateIn(61)}: 2 in all, 0 out of order`);
  const broken = await person.submit(restored.page, `${restored.page}/restore`, { ari: "{" });
  expect(broken.html).toContain("validation_failed");
  await person.submit(restored.page, `${restored.page}/restore`);
  expect((await read(restored.id)).resolution).toMatchObject({ reason: "restore_capacity" });
  const note = "the owner's flat is free";
  await person.submit(accepted.page, `${accepted.page}/accept`, { note });
  expect(await read(accepted.id)).toMatchObject({
    ...{ state: "dismissed", resolution: { reason: "accept", note } },
  });
  const after = await person.get(accepted.page);
  expect(after.html).not.toContain("Accept the nights");
  expect(after.html).not.toContain("Move…");
});

test("who may not resolve sees no form, and others' incidents are not there", async () => {
  const { page } = await flooded(70);
  const [reader] = await service.newAgents([{ kind: "operator", scopes: ["bookings:read"] }]);
  const seen = await (await signedIn(service, reader)).get(page);
  expect(seen.html).toContain("forbidden");
  const other = await signedIn(service, service.demo.second_tenant.admin);
  expect((await other.get(page)).status).toBe(404);
});

test("in a browser the list renews itself, and every page fits and shows names as text", async () => {
  await using browser = await openBrowser();
  const tab = await openConsole(browser, service);
  await tab.keyboard.press("g");
  await tab.keyboard.press("i");
  await tab.waitForURL(`${service.baseUrl}/console/incidents`);
  await tab.locator("#live[data-state=live]").waitFor();
  const { hotel, id } = await flooded(80);
  const path = `/v1/admin/properties/${hotel.id}`;
  (await service.api("PATCH", path, { agent, body: { name: HOSTILE_NAME } })).ok();
  await tab.locator(`tr[id="${id}"] a`).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.locator(`tr[id="${id}"] a`).click();
  await tab.locator("h1", { hasText: HOSTILE_NAME }).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.getByRole("link", { name: "Cancel and refund…" }).first().click();
  await tab.getByRole("button", { name: "Cancel the booking and refund it" }).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.goBack();
  await tab.getByRole("link", { name: "Move…" }).first().click();
  await tab.getByRole("button", { name: "Move the guest" }).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Move the guest" }).click();
  await tab.locator("h1 .chip", { hasText: "resolved" }).waitFor();
});
