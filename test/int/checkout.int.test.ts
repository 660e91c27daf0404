/**
 * Goal: a person who has the link books the held room, once and for the agent that held it, and
 * nobody else does. Method: a browser without script, honest and forged requests, cards that are
 * declined and late, and an agent that loses its rights.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { changeAgent } from "../../src/access/control/agents.ts";
import { handedOver, pageOf, type Session, sendHandover } from "../support/checkout.ts";
import {
  createHotel,
  type Hold,
  type Hotel,
  newHold,
  newKey,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { hiddenFields, Person } from "../support/console.ts";
import { Service, until } from "../support/service.ts";

const ADA = { full_name: "Ada Lovelace", email: "ada@example.com", card: "ok" } as const;

let service: Service;
let hotel: Hotel;

beforeAll(async () => {
  service = await Service.start({ TRUSTED_PROXIES: "1" });
  hotel = await createHotel(service, { units: [2_000] });
});
afterAll(() => service.stop());

async function held(agent = service.demo.agent): Promise<Hold> {
  return newHold(service, stayRequest(hotel), { agent });
}

async function open(agent = service.demo.agent) {
  const hold = await held(agent);
  const session = await handedOver(service, hold, agent);
  return { hold, session, page: pageOf(session), person: new Person(service) };
}

function pay(person: Person, page: string, fields: Readonly<Record<string, string>> = {}) {
  return person.submit(page, `${page}/pay`, { ...ADA, ...fields });
}

async function read({ session_id }: Session, agent = service.demo.agent): Promise<Session> {
  return (await service.api("GET", `/v1/checkout/sessions/${session_id}`, { agent })).ok<Session>()
    .data;
}

test("an agent hands a hold over, a person books it, and the agent has the booking", async () => {
  const { hold, session, page, person } = await open();
  expect(session).toMatchObject({
    ...{ hold_id: hold.hold_id, state: "open", booking_id: null, expires_at: hold.expires_at },
    continue_url: session.url,
  });
  const { html, headers } = await person.get(page);
  for (const text of ["Room R0", "200.00", "Free", "2 adults", "Keep the room longer"]) {
    expect(html).toContain(text);
  }
  expect(html).not.toContain("<script");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toBe("no-store");
  const paid = await pay(person, page);
  expect(paid).toMatchObject({ status: 303, location: page });
  const done = await read(session);
  expect(done.state).toBe("completed");
  const booking = (await service.api("GET", `/v1/bookings/${done.booking_id}`)).ok<{
    confirmation_code: string;
    traveler: object;
    payment: { amount: number };
  }>().data;
  const outcome = (await person.get(page)).html;
  expect(outcome).toContain(booking.confirmation_code);
  expect((await person.get(page)).html).toBe(outcome);
  expect(booking.payment.amount).toBe(20_000);
  const iss = `${new URL(session.url).origin}/checkout`;
  expect(booking.traveler).toEqual({ iss, sub: session.session_id });
  const receipt = JSON.parse((await person.get(`${page}/receipt`)).html);
  (await service.api("POST", "/v1/receipts/verify", { agent: null, body: receipt })).ok();
});

test("a hold has one open session, and each agent sees its own alone", async () => {
  const { hold, session } = await open();
  const key = newKey();
  const again = await sendHandover(service, hold, { key });
  expect(again.ok<Session>(201).data).toEqual(session);
  const replayed = await sendHandover(service, hold, { key });
  expect(replayed.ok<Session>(201).data).toEqual(session);
  (await sendHandover(service, await held(), { key })).refused("idempotency_conflict");
  const [other] = await service.newAgents([{ kind: "agent" }]);
  const path = `/v1/checkout/sessions/${session.session_id}`;
  for (const agent of [other!, service.demo.admin]) {
    (await sendHandover(service, hold, { agent })).refused("hold_not_found");
    expect((await service.api("GET", path, { agent })).status).toBe(404);
    expect((await service.api("POST", `${path}/cancel`, { agent })).status).toBe(404);
  }
});

test("a hold that has ended, and an agent that may not book, get no page", async () => {
  const [holder] = await service.newAgents([{ kind: "agent", scopes: ["quotes", "holds"] }]);
  (await sendHandover(service, await held(holder), { agent: holder! })).refused("forbidden");
  const released = await held();
  (await service.api("POST", `/v1/holds/${released.hold_id}/release`)).ok();
  (await sendHandover(service, released)).refused("hold_not_active");
  const booked = await held();
  (await sendBooking(service, booked)).ok(201);
  (await sendHandover(service, booked)).refused("hold_not_active");
  (await sendHandover(service, { hold_id: "hld_unknown" })).refused("hold_not_found");
});

test("an ended page leads back to a registered origin, without redirecting or naming the guest", async () => {
  const origin = "https://agent.example";
  const admin = { agent: service.demo.admin };
  const terms = { name: "Planner", kind: "agent", return_origins: [origin] };
  const made = await service.api("POST", "/v1/admin/agents", { ...admin, body: terms });
  type Made = { agent_id: string; credential: { secret: string } };
  const { agent_id, credential } = made.ok<Made>(201).data;
  const agent = { agent_id, secret: credential.secret };
  await service.untilKnown(agent);
  for (const return_url of [
    "https://eve.example/",
    "javascript:alert(1)",
    `${origin}.eve.example`,
  ]) {
    const hold = await held(agent);
    const refused = await sendHandover(service, hold, { agent, return_url });
    expect(refused.refused("validation_failed").detail.field_errors).toEqual([
      expect.objectContaining({ path: "/return_url", expected: expect.stringContaining(origin) }),
    ]);
  }
  const [booked, taken] = await Promise.all(
    [1, 2].map(async () => {
      const hold = await held(agent);
      const address = { agent, return_url: `${origin}/done?trip=7` };
      const made = await sendHandover(service, hold, address);
      return made.ok<Session>(201).data;
    }),
  );
  const person = new Person(service);
  expect((await person.get(pageOf(booked!))).html).not.toContain(origin);
  await pay(person, pageOf(booked!));
  (await service.api("POST", `/v1/checkout/sessions/${taken!.session_id}/cancel`, { agent })).ok();
  for (const [{ session_id, ...page }, state] of [
    [booked!, "completed"],
    [taken!, "cancelled"],
  ] as const) {
    const { status, html } = await person.get(pageOf({ session_id, ...page }));
    expect(status).toBe(200);
    const link = `${origin}/done?trip=7&amp;session_id=${session_id}&amp;state=${state}`;
    expect(html).toContain(`href="${link}"`);
    expect(html).toContain("Back to <bdi>agent.example</bdi>");
  }
  const path = `/v1/admin/agents/${agent_id}`;
  (await service.api("PATCH", path, { ...admin, body: { return_origins: [] } })).ok();
  await until("the origin is gone", async () => {
    return !(await person.get(pageOf(booked!))).html.includes(origin);
  });
});

test("a page that was taken back books nothing, and another can be made", async () => {
  const { hold, session, page, person } = await open();
  const form = hiddenFields((await person.get(page)).html, `${page}/pay`);
  const path = `/v1/checkout/sessions/${session.session_id}/cancel`;
  for (let i = 0; i < 2; i += 1) {
    expect((await service.api("POST", path)).ok<Session>().data.state).toBe("cancelled");
  }
  const sent = await person.send(`${page}/pay`, { ...form, ...ADA });
  expect(sent).toMatchObject({ status: 303, location: page });
  expect((await person.get(page)).html).toContain("This page has ended");
  const other = await handedOver(service, hold);
  expect(other.url).not.toBe(session.url);
  await pay(person, pageOf(other));
  expect((await read(other)).state).toBe("completed");
});

test("who has a link that was taken back learns nothing of a booking by another link", async () => {
  const { hold, session, page, person } = await open();
  (await service.api("POST", `/v1/checkout/sessions/${session.session_id}/cancel`)).ok();
  const other = await handedOver(service, hold);
  await pay(person, pageOf(other));
  expect((await person.get(pageOf(other))).html).toContain("Your stay is booked");
  const stranger = new Person(service);
  const { html } = await stranger.get(page);
  expect(html).toContain("This page has ended");
  expect(html).not.toContain("Confirmation code");
  expect((await stranger.get(`${page}/receipt`)).status).toBe(404);
});

test("a declined card charges nothing, and another card books", async () => {
  const { session, page, person } = await open();
  const form = hiddenFields((await person.get(page)).html, `${page}/pay`);
  const declined = await person.send(`${page}/pay`, { ...form, ...ADA, card: "declined" });
  expect(declined.status).toBe(402);
  expect(declined.html).toContain("The card was declined. Nothing was charged");
  expect(declined.html).toContain('value="Ada Lovelace"');
  // The form of the first attempt was sent once more, by Back or a reload: it pays nothing.
  const stale = await person.send(`${page}/pay`, { ...form, ...ADA });
  expect(stale).toMatchObject({ status: 303, location: page });
  expect((await read(session)).state).toBe("open");
  expect((await person.get(page)).html).toContain("The card was declined");
  const poor = await pay(person, page, { card: "no-funds" });
  expect(poor.html).toContain("insufficient funds");
  expect(await pay(person, page)).toMatchObject({ status: 303 });
  expect((await read(session)).state).toBe("completed");
});

test("a late payment is shown as in progress, then as booked", async () => {
  const { session, page, person } = await open();
  expect(await pay(person, page, { card: "late" })).toMatchObject({ status: 303 });
  expect((await person.get(page)).html).toContain("The payment is in progress");
  await until("the payment is captured", async () => (await read(session)).state === "completed");
  expect((await person.get(page)).html).toContain("Your stay is booked");
});

test("what is missing or malformed is said at its field, and nothing typed is lost", async () => {
  const { session, page, person } = await open();
  const typed = { full_name: 'Ada "><img onerror=x>', email: "nonsense", phone: "1" };
  const { status, html } = await pay(person, page, typed);
  expect(status).toBe(400);
  for (const text of ["Write a complete address.", "Write 4 to 32 characters."]) {
    expect(html).toContain(text);
  }
  expect(html).toContain("Ada &quot;>&lt;img onerror=x>");
  expect(html).not.toContain("<img onerror");
  expect((await read(session)).state).toBe("open");
});

test("only a form of this page is taken: by the browser's word and by its token", async () => {
  const [mine, other] = [await open(), await open()];
  const { page, person, session } = mine;
  const form = hiddenFields((await person.get(page)).html, `${page}/pay`);
  const theirs = hiddenFields((await person.get(other.page)).html, `${other.page}/pay`);
  const { form_token: _, ...bare } = form;
  const forged = [
    await person.send(`${page}/pay`, { ...form, ...ADA }, { "sec-fetch-site": "cross-site" }),
    await person.send(`${page}/pay`, { ...form, ...ADA }, { origin: "null" }),
    await person.send(`${page}/pay`, { ...theirs, ...ADA }),
    await person.send(`${page}/pay`, { ...bare, ...ADA }),
    await person.send(`${page}/extend`, { ...form }),
  ];
  expect(forged.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  const unknown = page.replace(/.{64}$/, "0".repeat(64));
  expect((await person.get(unknown)).status).toBe(404);
  expect((await person.send(`${unknown}/pay`, { ...form, ...ADA })).status).toBe(404);
  expect((await read(session)).state).toBe("open");
});

test("the page keeps the hold longer, as often as a hold may be", async () => {
  const { session, page, person } = await open();
  // As a browser sends the form by that button: its token follows that of the form.
  const [, form_token = ""] =
    /formnovalidate name="form_token" value="(\w+)"/.exec((await person.get(page)).html) ?? [];
  const form = { form_token, full_name: "Ada" };
  const sent = [1, 2].map(() => person.send(`${page}/extend`, form));
  for (const { status, html } of await Promise.all(sent)) {
    expect(status).toBe(200);
    expect(html).toContain('value="Ada"');
  }
  const once = Date.parse((await read(session)).expires_at);
  expect(once).toBeGreaterThan(Date.parse(session.expires_at));
  await person.send(`${page}/extend`, form);
  expect(Date.parse((await read(session)).expires_at)).toBeGreaterThan(once);
  expect((await person.get(page)).html).not.toContain("Keep the room longer");
});

test("the agent's limit holds on the page, and its revocation stops payments at once", async () => {
  const limits = { max_booking_amount: { amount: 15_000, currency: "EUR" } };
  const [agent] = await service.newAgents([{ kind: "agent", limits }]);
  const { session, page, person } = await open(agent);
  const refused = await pay(person, page);
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("The hotel must approve this booking");
  const all = "/v1/admin/booking-authorizations";
  const operator = { agent: service.demo.admin };
  const waiting = (await service.api("GET", `${all}?state=pending`, operator))
    .ok<{
      items: readonly { authorization_id: string; agent_id: string }[];
    }>()
    .data.items.find(({ agent_id }) => agent_id === agent!.agent_id)!;
  const approve = `${all}/${waiting.authorization_id}/approve`;
  (await service.api("POST", approve, { ...operator, body: {} })).ok();
  expect(await pay(person, page)).toMatchObject({ status: 303 });
  const done = await read(session, agent);
  expect(done.state).toBe("completed");

  const next = await open(agent);
  const form = hiddenFields((await person.get(next.page)).html, `${next.page}/pay`);
  service.control((store) => changeAgent(store, agent!.agent_id, { state: "revoked" }));
  await until("the agent is revoked", async () => {
    return (await service.api("GET", "/v1/holds", { agent: agent! })).status === 401;
  });
  const late = await person.send(`${next.page}/pay`, { ...form, ...ADA });
  expect(late.status).toBe(403);
  expect(late.html).toContain("can no longer book");
  const html = (await person.get(page)).html;
  expect(html).toContain("Your stay is booked");
});

test("a hold that is handed over again is asked for anew, not as the page before has asked", async () => {
  const limits = { max_booking_amount: { amount: 15_000, currency: "EUR" } };
  const [agent] = await service.newAgents([{ kind: "agent", limits }]);
  const { hold, session, page, person } = await open(agent);
  expect((await pay(person, page)).status).toBe(409);
  const own = { agent: agent! };
  (await service.api("POST", `/v1/checkout/sessions/${session.session_id}/cancel`, own)).ok();
  const next = pageOf(await handedOver(service, hold, agent));
  const refused = await pay(person, next, { full_name: "Ada King" });
  expect(refused.html).toContain("The hotel must approve this booking");
});

test("page and API race for holds: one booking each, and money once", async () => {
  const [agent] = await service.newAgents([{ kind: "agent" }]);
  const races = 1_000;
  const before = capturedCharges();
  const winners = { page: 0, api: 0 };
  const race = async () => {
    const { hold, session, page, person } = await open(agent);
    const form = hiddenFields((await person.get(page)).html, `${page}/pay`);
    const [first, second, byApi] = await Promise.all([
      person.send(`${page}/pay`, { ...form, ...ADA }),
      person.send(`${page}/pay`, { ...form, ...ADA, full_name: "Another Tab" }),
      sendBooking(service, hold, { agent: agent! }),
    ]);
    expect([first.status, second.status]).toEqual([303, 303]);
    await until("the hold is booked", async () => {
      return (await read(session, agent)).state === "completed";
    });
    winners[byApi.status === 201 ? "api" : "page"] += 1;
    const { booking_id } = await read(session, agent);
    const found = await service.api("GET", `/v1/bookings?hold_id=${hold.hold_id}`, {
      agent: agent!,
    });
    type Found = { items: readonly { booking_id: string; payment: { amount: number } }[] };
    const { items } = found.ok<Found>().data;
    expect(items.map((each) => each.booking_id)).toEqual([booking_id!]);
    expect(items[0]!.payment.amount).toBe(20_000);
  };
  const lanes = Array.from({ length: 8 }, async () => {
    for (let i = 0; i < races / 8; i += 1) await race();
  });
  await Promise.all(lanes);
  expect(winners.page + winners.api).toBe(races);
  expect(Math.min(winners.page, winners.api)).toBeGreaterThan(0);
  expect(capturedCharges() - before).toBe(races);
});

/** Charges of the sandbox that took money. */
function capturedCharges(): number {
  const db = new Database(join(service.dataDir, "sandbox-provider.db"), { readonly: true });
  try {
    const count = "SELECT count(*) AS n FROM charges WHERE state = 'captured'";
    return db.query<{ n: number }, []>(count).get()!.n;
  } finally {
    db.close();
  }
}
