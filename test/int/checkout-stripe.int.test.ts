/**
 * Goal: with Stripe a person pays on its page and comes back to a booked room. Money that was
 * reserved is captured by that booking or given back, also when the agent books first or a process
 * is killed. Method: the whole service against a double of Stripe that serves the page too; a
 * browser for redirects.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { changeAgent, DEFAULT_SCOPES } from "../../src/access/control/agents.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { openBrowser } from "../support/browser.ts";
import { handedOver, pageOf, type Session } from "../support/checkout.ts";
import { createHotel, type Hotel, newHold, sendBooking, stayRequest } from "../support/client.ts";
import { Person } from "../support/console.ts";
import { Service, until } from "../support/service.ts";
import { DOUBLE_KEY, StripeDouble } from "../support/stripe-double.ts";

const ADA = { full_name: "Ada Lovelace", email: "ada@example.com", phone: "+34 600 000" } as const;
const CARD = "pm_card_visa";

let double: StripeDouble;
let service: Service;
let hotel: Hotel;
let browser: Browser;

beforeAll(async () => {
  double = await StripeDouble.start();
  const settings = { PAYMENT_PROVIDER: "stripe", STRIPE_SECRET_KEY: DOUBLE_KEY };
  [service, browser] = await Promise.all([
    Service.start({ ...settings, STRIPE_API_URL: double.url, TRUSTED_PROXIES: "1" }),
    openBrowser(),
  ]);
  hotel = await createHotel(service, { units: [500] });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await double.stop();
});

interface Leaving {
  readonly session: Session;
  readonly page: string;
  readonly person: Person;
  readonly hold: Awaited<ReturnType<typeof newHold>>;
  /** Reference of Stripe's page. */
  readonly ref: string;
}

/** A person who has filled in the form and is at Stripe's page. */
async function leaving(
  fields: Readonly<Record<string, string>> = {},
  agent: DemoAgent = service.demo.agent,
): Promise<Leaving> {
  const hold = await newHold(service, stayRequest(hotel), { agent });
  const session = await handedOver(service, hold, agent);
  const [page, person] = [pageOf(session), new Person(service)];
  const { location } = await person.submit(page, `${page}/pay`, { ...ADA, ...fields });
  return { session, page, person, hold, ref: refOf(location) };
}

function refOf(location: string | null): string {
  expect(location).toStartWith(`${double.url}/c/pay/cs_`);
  return location!.split("/").at(-1)!;
}

async function read({ session_id }: Session): Promise<Session> {
  return (await service.api("GET", `/v1/checkout/sessions/${session_id}`)).ok<Session>().data;
}

/** State of the intent that a person has authorized on a page. */
function intentOf({ ref }: Pick<Leaving, "ref">): string {
  const { payment_intent } = double.pages.all.find(({ id }) => id === ref)!;
  return double.ledger.intent(payment_intent!).status;
}

/** Resolves when the hold of a page is booked. */
async function untilBooked(session: Session): Promise<void> {
  await until("the hold is booked", async () => (await read(session)).state === "completed");
}

/** Changes the row of a payment, as time or an operator does. */
function inStore(sql: string, { ref }: Pick<Leaving, "ref">): void {
  using db = new Database(join(service.dataDir, "checkout.db"));
  db.run("PRAGMA busy_timeout = 2000");
  db.run(sql, [ref]);
}

/** Files of the service in which a text stands in clear. */
function filesWith(text: string): string {
  const { stdout } = Bun.spawnSync(["grep", "-rlF", "--binary-files=text", text, service.dataDir]);
  return stdout.toString();
}

test("a person pays at Stripe in a browser, comes back, and the room is booked", async () => {
  const session = await handedOver(service, await newHold(service, stayRequest(hotel)));
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    const isOurs = message.location().url.startsWith(service.baseUrl);
    if (message.type() === "error" && isOurs) faults.push(message.text());
  });
  await page.goto(session.url);
  expect(await page.getByLabel("Pay with").count()).toBe(0);
  await page.getByLabel("Full name").fill(ADA.full_name);
  await page.getByLabel("E-mail").fill(ADA.email);
  await page.getByRole("button", { name: "Pay" }).click();
  await page.waitForURL(`${double.url}/**`);
  expect((await read(session)).state).toBe("open");
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("heading", { name: "Your stay is booked" }).waitFor();
  expect(page.url()).toBe(session.url);
  expect(faults).toEqual([]);
  const { state, booking_id } = await read(session);
  expect(state).toBe("completed");
  type Paid = { payment: { amount: number }; guest: { primary: { full_name: string } } };
  const booking = (await service.api("GET", `/v1/bookings/${booking_id}`)).ok<Paid>().data;
  expect(booking.payment.amount).toBe(20_000);
  expect(booking.guest.primary.full_name).toBe(ADA.full_name);
  await page.close();
});

test("a person who comes back without paying finds the typed data, and can pay then", async () => {
  const { person, page, session, ref } = await leaving();
  const back = await person.get(page);
  for (const text of Object.values(ADA)) expect(back.html).toContain(text);
  const again = await person.submit(page, `${page}/pay`, { ...ADA, full_name: "Ada King" });
  expect(refOf(again.location)).toBe(ref);
  double.pages.pay(ref, CARD);
  const returned = await person.get(page);
  expect(returned).toMatchObject({ status: 303, location: page });
  const { booking_id } = await read(session);
  const booking = await service.api("GET", `/v1/bookings/${booking_id}`);
  expect(booking.ok<{ guest: { primary: object } }>().data.guest.primary).toMatchObject({
    full_name: "Ada King",
  });
});

test("who pays at Stripe comes back in the language of the page, and the booking has it", async () => {
  const session = await handedOver(service, await newHold(service, stayRequest(hotel)));
  const [page, person] = [pageOf(session), new Person(service)];
  const leave = async (lang: string) => {
    const query = `?lang=${lang}`;
    const { location } = await person.submit(page + query, `${page}/pay${query}`, ADA);
    return refOf(location);
  };
  const german = await leave("de");
  expect(await leave("de")).toBe(german);
  const french = await leave("fr");
  const stateOf = (ref: string) => double.pages.all.find(({ id }) => id === ref)!.status;
  expect([stateOf(german), stateOf(french)]).toEqual(["expired", "open"]);
  const again = await leave("de");
  expect([stateOf(french), stateOf(again)]).toEqual(["expired", "open"]);
  const last = await leave("fr");
  const back = new URL(double.pages.pay(last, CARD));
  expect(back.pathname + back.search).toBe(`${page}?lang=fr`);
  const returned = await person.get(back.pathname + back.search);
  expect(returned).toMatchObject({ status: 303, location: `${page}?lang=fr` });
  const { html } = await person.get(returned.location!);
  expect(html).toContain("Votre séjour est réservé");
  const { booking_id } = await read(session);
  const booking = await service.api("GET", `/v1/bookings/${booking_id}`);
  expect(booking.ok<{ guest: { primary: object } }>().data.guest.primary).toMatchObject({
    language: "fr",
  });
});

test("two tabs that come back at once make one booking and one charge", async () => {
  const { person, page, session, ref } = await leaving();
  double.pages.pay(ref, CARD);
  const before = double.ledger.movements.size;
  const tabs = await Promise.all([1, 2, 3].map(() => person.get(page)));
  expect(tabs.every(({ status }) => status === 303 || status === 200)).toBe(true);
  await untilBooked(session);
  expect((await person.get(page)).html).toContain("Your stay is booked");
  expect(double.ledger.movements.size - before).toBe(1);
  expect(intentOf({ ref })).toBe("succeeded");
});

test("what was reserved is given back when the agent has booked meanwhile", async () => {
  const { person, page, session, hold, ref } = await leaving();
  double.pages.pay(ref, CARD);
  (await sendBooking(service, hold, { token: CARD })).ok(201);
  expect((await person.get(page)).html).toContain("Your stay is booked");
  expect(intentOf({ ref })).toBe("canceled");
  expect((await read(session)).state).toBe("completed");
});

test("what was reserved is given back when the page was taken back or the hold released", async () => {
  const [taken, released] = [await leaving(), await leaving()];
  (await service.api("POST", `/v1/checkout/sessions/${taken.session.session_id}/cancel`)).ok();
  (await service.api("POST", `/v1/holds/${released.hold.hold_id}/release`)).ok();
  for (const { person, page, ref } of [taken, released]) {
    double.pages.pay(ref, CARD);
    expect((await person.get(page)).html).toContain("This page has ended");
    expect(intentOf({ ref })).toBe("canceled");
  }
});

test("a page that cannot be ended now is not replaced, so that what is paid there is known", async () => {
  const { person, page, session, hold, ref } = await leaving();
  const declined = await sendBooking(service, hold, { token: "pm_card_chargeDeclined" });
  expect(declined.status).toBe(402);
  double.pages.failsNextEnd = true;
  const refused = await person.submit(page, `${page}/pay`, ADA);
  expect(refused).toMatchObject({ status: 503, location: null });
  double.pages.pay(ref, CARD);
  expect((await person.get(page)).location).toBe(page);
  await untilBooked(session);
  expect(intentOf({ ref })).toBe("succeeded");
});

test("a hold that is handed over again has a page of its own", async () => {
  const first = await leaving();
  (await service.api("POST", `/v1/checkout/sessions/${first.session.session_id}/cancel`)).ok();
  const session = await handedOver(service, first.hold);
  const [page, { person }] = [pageOf(session), first];
  const { location } = await person.submit(page, `${page}/pay`, { ...ADA, full_name: "Ada King" });
  double.pages.pay(refOf(location), CARD);
  expect((await person.get(page)).location).toBe(page);
  expect((await read(session)).state).toBe("completed");
});

test("after a refusal the person is led to a page that still takes a payment", async () => {
  const [agent] = await service.newAgents([{ kind: "agent" }]);
  const { person, page, ref } = await leaving({}, agent);
  double.pages.pay(ref, CARD);
  const allow = async (scopes: readonly string[], status: number) => {
    service.control((store) => changeAgent(store, agent!.agent_id, { scopes: [...scopes] }));
    await until("the agent's rights are known", async () => {
      return (await service.api("GET", "/v1/holds", { agent: agent! })).status === status;
    });
  };
  await allow(["search"], 403);
  expect((await person.get(page)).status).toBe(403);
  expect(intentOf({ ref })).toBe("canceled");
  await allow(DEFAULT_SCOPES, 200);
  const { location } = await person.submit(page, `${page}/pay`, ADA);
  double.pages.pay(refOf(location), CARD);
  expect(await person.get(page)).toMatchObject({ status: 303, location: page });
});

test("what cannot be decrypted any more is given back, and holds up no other payment", async () => {
  const [lost, other] = [await leaving(), await leaving()];
  inStore("UPDATE page_payment SET encrypted = 'gone.AA', created_at = 0 WHERE page_ref = ?", lost);
  expect((await lost.person.get(lost.page)).status).toBe(200);
  for (const { ref } of [lost, other]) double.pages.pay(ref, CARD);
  await untilBooked(other.session);
  expect([lost, other].map(intentOf)).toEqual(["canceled", "succeeded"]);
  expect((await lost.person.get(lost.page)).html).toContain("Full name");
});

test("a sweep that takes long books with what was typed last", async () => {
  const [slow, changed] = [await leaving(), await leaving()];
  const age = "UPDATE page_payment SET created_at = 0 WHERE page_ref = ?";
  double.pages.pay(slow.ref, "pm_double_hang_at_update");
  for (const each of [changed, slow]) inStore(age.replace("0", each === slow ? "0" : "1"), each);
  const { payment_intent } = double.pages.all.find(({ id }) => id === slow.ref)!;
  const isAsked = `POST /v1/payment_intents/${payment_intent}`;
  await until("the sweep waits for the first payment", () => double.calls.includes(isAsked));
  const { person, page, session, ref } = changed;
  const again = await person.submit(page, `${page}/pay`, { ...ADA, full_name: "Ada King" });
  expect(refOf(again.location)).toBe(ref);
  double.pages.pay(ref, CARD);
  await untilBooked(session);
  const { booking_id } = await read(session);
  const booking = await service.api("GET", `/v1/bookings/${booking_id}`);
  expect(booking.ok<{ guest: { primary: object } }>().data.guest.primary).toMatchObject({
    full_name: "Ada King",
  });
});

test("a missing name is said before anybody leaves, and a page that fails can be asked for again", async () => {
  const session = await handedOver(service, await newHold(service, stayRequest(hotel)));
  const [page, person] = [pageOf(session), new Person(service)];
  const before = double.pages.all.length;
  const refused = await person.submit(page, `${page}/pay`, { ...ADA, full_name: " " });
  expect(refused).toMatchObject({ status: 400, location: null });
  expect(refused.html).toContain("Write the guest's name.");
  expect(double.pages.all).toHaveLength(before);
  double.pages.failsNext = true;
  const failed = await person.submit(page, `${page}/pay`, ADA);
  expect(failed).toMatchObject({ status: 502, location: null });
  expect(failed.html).toContain("nothing was charged");
  const { location } = await person.submit(page, `${page}/pay`, ADA);
  double.pages.pay(refOf(location), CARD);
  expect((await person.get(page)).status).toBe(303);
  expect((await read(session)).state).toBe("completed");
});

test("nothing of a person is at Stripe or readable on disk before the booking", async () => {
  const { page, person } = await leaving({ full_name: "Katherine Goble", email: "kg@example.com" });
  expect(JSON.stringify(double.pages.all)).not.toMatch(/Goble|example\.com/);
  for (const text of ["Katherine Goble", "kg@example.com"]) {
    expect(filesWith(text)).toBe("");
    expect((await person.get(page)).html).toContain(text);
  }
});

test("a person who paid and did not come back has the room, also when the api was killed", async () => {
  const { ref, session } = await leaving();
  const api = service.pids["api-1"] ?? service.pids.api!;
  process.kill(api, "SIGKILL");
  double.pages.pay(ref, CARD);
  await until("the hold is booked", async () => {
    return (
      (await service
        .api("GET", `/v1/checkout/sessions/${session.session_id}`)
        .then((answer) => answer.ok<Session>().data.state)
        .catch(() => "")) === "completed"
    );
  });
  expect(intentOf({ ref })).toBe("succeeded");
});
