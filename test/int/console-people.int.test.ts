/**
 * Goal: a person at the console has rights and a name of their own: no more than the operator, gone
 * within a second of a suspension, and named wherever it is said who did something. Method: a real
 * service with two api processes, people signed in by links, the API as witness, and Chromium.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changeAgent } from "../../src/access/control/agents.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import {
  type Booking,
  createHotel,
  type Hotel,
  newBooking,
  newKey,
  propertyBody,
  stayRequest,
} from "../support/client.ts";
import { HOSTILE_NAME, Person, signedIn } from "../support/console.ts";
import { faultsOf, openConsole } from "../support/console-browser.ts";
import {
  codeOf,
  DESK_SCOPES,
  entered,
  newPerson,
  PEOPLE,
  type PersonOut,
} from "../support/people.ts";
import { Service, until } from "../support/service.ts";

const APART = { connection: "close" };

let service: Service;
let hotel: Hotel;
let booking: Booking;
let page: string;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "2", TRUSTED_PROXIES: "1" });
  hotel = await createHotel(service, { checkinTime: "00:00" });
  booking = await newBooking(service, stayRequest(hotel));
  page = `/console/bookings/${booking.booking_id}`;
});
afterAll(() => service.stop());

function admin(method: string, path: string, body?: unknown, agent = service.demo.admin) {
  return service.api(method, path, { agent, ...(body !== undefined && { body }) });
}

interface Audited {
  readonly events: readonly { readonly type: string; readonly actor: object }[];
}

test("a person is added, found, changed and revoked; the address is stored encrypted", async () => {
  const email = "eva.desk@hotel.example";
  const key = { "idempotency-key": newKey() };
  const body = { name: "Eva", email, scopes: DESK_SCOPES };
  const send = () => service.api("POST", PEOPLE, { agent: service.demo.admin, body, headers: key });
  const made = (await send()).ok<PersonOut>(201).data;
  expect((await send()).ok<PersonOut>(201).data).toEqual(made);
  const { agent_id } = service.demo.admin;
  expect(made).toMatchObject({ agent_id, email, state: "active", property_ids: null, version: 1 });
  const path = `${PEOPLE}/${made.person_id}`;
  expect((await admin("GET", path)).ok().data).toEqual(made);
  const { items } = (await admin("GET", PEOPLE)).ok<{ items: PersonOut[] }>().data;
  expect(items[0]).toEqual(made);
  const stored = readdirSync(service.dataDir).filter((name) => /^control\.db/.test(name));
  for (const name of stored) {
    expect(readFileSync(join(service.dataDir, name), "latin1").includes(email)).toBeFalse();
  }
  const renamed = (await admin("PATCH", path, { name: "Eva B" })).ok<PersonOut>().data;
  expect(renamed).toEqual({ ...made, name: "Eva B", version: 2 });
  const ended = (await admin("PATCH", path, { state: "revoked" })).ok<PersonOut>().data;
  expect(ended).toMatchObject({ state: "revoked", email: null });
  (await admin("PATCH", path, { state: "active" })).refused("conflict");
  (await admin("POST", `${path}/links`)).refused("conflict");
});

test("nobody gives a person a right that is not there to be given", async () => {
  const [limited] = await service.newAgents([
    { kind: "operator", scopes: ["admin:agents", "admin:ari"], property_ids: [hotel.id] },
  ]);
  const body = { name: "Eva", scopes: ["admin:ari"] };
  const own = await newPerson(service, body, limited);
  expect(own.property_ids).toEqual([hotel.id]);
  const more = { name: "Eva", scopes: ["admin:refunds"] };
  expect((await admin("POST", PEOPLE, more, limited!)).status).toBe(400);
  const all = { ...body, property_ids: null };
  (await admin("PATCH", `${PEOPLE}/${own.person_id}`, { property_ids: null }, limited!)).ok();
  (await admin("POST", PEOPLE, all, limited!)).ok(201);
  const other = await newPerson(service, { scopes: ["admin:refunds"] });
  for (const [method, path, sent] of [
    ["PATCH", `${PEOPLE}/${other.person_id}`, { name: "Mine" }],
    ["POST", `${PEOPLE}/${other.person_id}/links`, {}],
  ] as const) {
    (await admin(method, path, sent, limited!)).refused("forbidden");
  }
  // A person who may add people is bound by their own rights in turn.
  const chief = await newPerson(service, { scopes: ["admin:agents", "bookings:read"] });
  const browser = await entered(service, chief);
  const wider = { name: "Wider", "scope_admin:refunds": "yes" };
  const refused = await browser.submit("/console/people", "/console/people", wider);
  expect(refused.html).toContain("forbidden: beyond_own_rights");
  const link = `/console/people/${other.person_id}`;
  const linked = await browser.submit(link, `${link}/link`);
  expect(linked.html).toContain("forbidden: beyond_own_rights");
  const self = `/console/people/${chief.person_id}`;
  expect((await browser.submit(`${self}/suspend`, `${self}/suspend`)).html).toContain("own_person");
});

test("who has a right that the operator has lost is renamed, suspended and revoked", async () => {
  const draft = await admin("POST", "/v1/admin/properties", propertyBody());
  const { property_id } = draft.ok<{ property_id: string }>(201).data;
  const [operator] = await service.newAgents([
    { kind: "operator", scopes: ["admin:agents", "admin:refunds"] },
  ]);
  const terms = { scopes: ["admin:refunds"], property_ids: [hotel.id, property_id] };
  const person = await newPerson(service, terms, operator);
  const path = `${PEOPLE}/${person.person_id}`;
  (await admin("DELETE", `/v1/admin/properties/${property_id}`)).ok();
  service.control((store) => {
    changeAgent(store, operator!.agent_id, { scopes: ["admin:agents"], property_ids: [] });
  });
  for (const agent of [operator!, service.demo.admin]) {
    (await admin("PATCH", path, { name: agent.agent_id }, agent)).ok();
    for (const state of ["suspended", "active"]) {
      const changed = (await admin("PATCH", path, { state }, agent)).ok<PersonOut>().data;
      expect(changed).toMatchObject({ ...terms, name: agent.agent_id, state });
    }
    // The right may come back, and is not given anew before.
    const given = await admin("PATCH", path, { scopes: terms.scopes }, agent);
    expect(given.faults()).toEqual(["/scopes/0"]);
  }
  await until("the operator has lost the right", async () => {
    return (await admin("POST", `${path}/links`, {}, operator!)).status === 403;
  });
  (await admin("PATCH", path, { state: "revoked" }, operator!)).ok();
});

test("people of another tenant or mode are not found", async () => {
  const { person_id } = await newPerson(service);
  const { second_tenant, test_admin } = service.demo;
  for (const agent of [second_tenant.admin, test_admin]) {
    for (const [method, path] of [
      ["GET", `${PEOPLE}/${person_id}`],
      ["PATCH", `${PEOPLE}/${person_id}`],
      ["POST", `${PEOPLE}/${person_id}/links`],
    ] as const) {
      const answer = await admin(method, path, method === "GET" ? undefined : {}, agent);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    }
    const { items } = (await admin("GET", PEOPLE, undefined, agent)).ok<{ items: PersonOut[] }>()
      .data;
    expect(items.some((each) => each.person_id === person_id)).toBeFalse();
    const seen = await (await signedIn(service, agent)).get(`/console/people/${person_id}`);
    expect(seen.status).toBe(404);
    expect(seen.html).not.toContain("Eva");
  }
});

test("a link that cannot be stored now is refused: another process writes", async () => {
  const { person_id } = await newPerson(service);
  const link = () => admin("POST", `${PEOPLE}/${person_id}/links`, {});
  const busy = await service.whileStoreIsBusy(link, "console.db");
  expect(busy.refused("upstream_unavailable").detail).toEqual({ upstream: "disk", reason: "busy" });
  (await link()).ok(201);
});

test("a link signs a person in once, in a session that replaces the browser's own", async () => {
  const person = await newPerson(service, { name: "Eva Link" });
  const browser = new Person(service);
  // A session that somebody else has put into the browser is not taken over.
  browser.cookie = `__Host-innkeep=${"A".repeat(43)}`;
  const fixed = browser.cookie;
  const code = await codeOf(service, person);
  expect((await browser.send("/console/enter", { code })).location).toBe("/console");
  expect(browser.cookie).not.toBe(fixed);
  expect((await browser.get("/console")).html).toContain("<bdi>Eva Link</bdi></a> · ");
  expect((await new Person(service).send("/console/enter", { code })).status).toBe(403);
  const db = new Database(join(service.dataDir, "console.db"), { readonly: true });
  const { n } = db
    .query<{ n: number }, [string]>("SELECT count(*) AS n FROM session WHERE caller_id = ?")
    .get(person.person_id)!;
  db.close();
  expect(n).toBe(1);
  // The link of another person does not take the session over unseen.
  const other = await codeOf(service, await newPerson(service));
  expect((await browser.send("/console/enter", { code: other })).status).toBe(403);
});

test("a person does what is theirs, and events, audit and pages say who", async () => {
  const person = await newPerson(service, { name: HOSTILE_NAME });
  const { person_id } = person;
  const browser = await entered(service, person);
  const theirs = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${theirs.booking_id}`;
  const done = await browser.submit(`${at}/cancel`, `${at}/cancel`, { reason: "Asked by phone" });
  expect(done.location).toBe(at);
  const path = `/v1/admin/events?kinds=booking.cancelled&subject=booking:${theirs.booking_id}`;
  const { items } = (await admin("GET", path)).ok<{ items: { person_id?: string }[] }>().data;
  expect(items.map((each) => each.person_id)).toEqual([person_id]);
  const audit = `/v1/bookings/${theirs.booking_id}/audit`;
  const { events } = (await admin("GET", audit)).ok<Audited>().data;
  const actor = { kind: "operator", id: service.demo.admin.agent_id, person_id };
  const actorOf = (kind: string) => events.find(({ type }) => type === kind)!.actor;
  expect(actorOf("booking.cancelled")).toEqual(actor);
  expect(actorOf("booking.confirmed")).not.toHaveProperty("person_id");
  const shown = "<bdi>&quot;>&lt;img src=x onerror=";
  const seen = await browser.get(`/console/events?subject=booking:${theirs.booking_id}`);
  expect(seen.html).toContain(shown);
  const anchored = await admin("GET", "/v1/admin/audit/anchor");
  expect(anchored.status).toBe(200);
});

test("a person has no right beyond their own, nor beyond what is left of the operator's", async () => {
  const [operator] = await service.newAgents([{ kind: "operator" }]);
  const reader = await newPerson(service, { scopes: ["bookings:read"] }, operator);
  const browser = await entered(service, reader, operator);
  expect((await browser.get(page)).html).toContain(booking.confirmation_code);
  const refused = await browser.submit(page, `${page}/check-in`);
  expect(refused.html).toContain("forbidden");
  const elsewhere = await newPerson(
    service,
    { scopes: ["bookings:read"], property_ids: [(await createHotel(service)).id] },
    operator,
  );
  expect((await (await entered(service, elsewhere, operator)).get(page)).status).toBe(404);
  service.control((store) => changeAgent(store, operator!.agent_id, { scopes: ["search"] }));
  await until("the operator's loss is the person's", async () => {
    return !(await browser.get(page)).html.includes(booking.confirmation_code);
  });
});

test("a suspended person is out of every process within a second, and back when resumed", async () => {
  const person = await newPerson(service);
  const browser = await entered(service, person);
  const path = `${PEOPLE}/${person.person_id}`;
  const isIn = async () => (await browser.get("/console", APART)).status === 200;
  expect(await isIn()).toBeTrue();
  const stream = await fetch(`${service.baseUrl}/console/live`, {
    headers: { cookie: browser.cookie! },
  });
  const code = await codeOf(service, person);
  (await admin("PATCH", path, { state: "suspended" })).ok();
  const suspendedMs = Date.now();
  const seen: boolean[] = [];
  while (Date.now() - suspendedMs < 1_000) seen.push(await isIn());
  for (let i = 0; i < 10; i += 1) expect(await isIn()).toBeFalse();
  expect(seen.at(-1)).toBeFalse();
  await stream.text();
  expect((await new Person(service).send("/console/enter", { code })).status).toBe(403);
  (await admin("POST", `${path}/links`)).refused("conflict");
  (await admin("PATCH", path, { state: "active" })).ok();
  await until("the person is back", isIn);
});

test("no secret and no token is a person's, and no person's id is a secret", async () => {
  const { person_id } = await newPerson(service);
  for (const secret of [person_id, ""]) {
    const answer = await service.api("GET", "/v1/properties", { agent: { secret } as never });
    expect(answer.status).toBe(401);
  }
  const browser = new Person(service);
  expect((await browser.send("/console/sign-in", { secret: person_id })).status).toBe(403);
});

test("the pages of people do their deeds by mouse, without barriers", async () => {
  await using browser = await openBrowser();
  const tab = await openConsole(browser, service);
  await tab.goto(`${service.baseUrl}/console/people`);
  await tab.locator("input[name=name]").fill(HOSTILE_NAME);
  await tab.locator("input[name=email]").fill("eva@hotel.example");
  expect(await faultsOf(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Add" }).click();
  await tab.waitForURL("**/console/people/per_*");
  expect(await faultsOf(tab)).toEqual([]);
  const at = tab.url();
  await tab.getByRole("button", { name: "Get a link" }).click();
  const link = (await tab.locator("#secret").textContent())!;
  const own = await browser.newContext();
  const theirs = await own.newPage();
  const { pathname, hash } = new URL(link);
  await theirs.goto(service.baseUrl + pathname + hash);
  await theirs.waitForURL("**/console");
  expect(await theirs.locator(".who").textContent()).toStartWith(HOSTILE_NAME);
  expect(await barriersOn(theirs)).toEqual([]);
  await tab.goto(at);
  await tab.getByRole("link", { name: "Suspend" }).click();
  expect(await barriersOn(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Suspend" }).click();
  await tab.waitForURL(at);
  await until("the person is out", async () => {
    await theirs.goto(`${service.baseUrl}/console`);
    return theirs.url().includes("/console/sign-in");
  });
});
