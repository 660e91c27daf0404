/**
 * Goal: a console session belongs to one browser and one credential, and only forms of our own
 * pages change anything. Method: a browser without script, honest and forged requests, real
 * credentials that are revoked, suspended and limited.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changeAgent } from "../../src/access/control/agents.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import {
  type Booking,
  createHotel,
  type Hotel,
  newBooking,
  stayRequest,
} from "../support/client.ts";
import { hiddenFields, Person, type Seen, signedIn } from "../support/console.ts";
import { Service, until } from "../support/service.ts";

/** What a browser sends with a form of another site. */
const CROSS_SITE = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
const TOO_OLD = "The link was used before, or is too old.";

let service: Service;
let hotel: Hotel;
let booking: Booking;
let page: string;

beforeAll(async () => {
  service = await Service.start({ TRUSTED_PROXIES: "1" });
  hotel = await createHotel(service, { checkinTime: "00:00" });
  booking = await newBooking(service, stayRequest(hotel));
  page = `/console/bookings/${booking.booking_id}`;
});
afterAll(() => service.stop());

async function newOperator(terms: object = {}): Promise<DemoAgent> {
  const [operator] = await service.newAgents([{ kind: "operator", ...terms }]);
  return operator!;
}

async function newLink(agent = service.demo.admin): Promise<string> {
  const made = await service.api("POST", "/v1/admin/console-links", { agent });
  return made.ok<{ url: string }>(201).data.url;
}

async function stateOf({ booking_id }: Booking): Promise<string> {
  const agent = service.demo.admin;
  const answer = await service.api("GET", `/v1/bookings/${booking_id}`, { agent });
  return answer.ok<{ state: string }>().data.state;
}

test("without a session every page leads to the sign-in, and a form changes nothing", async () => {
  const stranger = new Person(service);
  for (const path of ["/console", "/console/bookings", "/console/events", page, `${page}/cancel`]) {
    const { status, location } = await stranger.get(path);
    const to = new URLSearchParams({ to: path });
    expect({ path, status, location }).toEqual({
      ...{ path, status: 303, location: `/console/sign-in?${to}` },
    });
  }
  const sent = await stranger.send(`${page}/check-in`, {});
  expect(sent).toMatchObject({ status: 303, location: "/console/sign-in" });
  expect(await stateOf(booking)).toBe("confirmed");
});

test("an operator's secret signs in, and leads back to the page that was asked for", async () => {
  const person = new Person(service);
  const { secret } = service.demo.admin;
  const seen = await person.send("/console/sign-in", { secret, to: page });
  expect(seen.location).toBe(page);
  const [cookie = ""] = seen.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-innkeep=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  expect((await person.get(page)).html).toContain(booking.confirmation_code);
  for (const to of ["https://evil.example", "//evil.example", "/console/../v1", "/docs"]) {
    const led = await new Person(service).send("/console/sign-in", { secret, to });
    expect({ to, location: led.location }).toEqual({ to, location: "/console" });
  }
});

test("whatever fails, the sign-in says the same", async () => {
  const operator = await newOperator();
  service.control((store) => changeAgent(store, operator.agent_id, { state: "suspended" }));
  await until("the operator is suspended", async () => {
    return (await service.api("GET", "/v1/properties", { agent: operator })).status === 403;
  });
  const secrets = ["", "nonsense", service.demo.agent.secret, operator.secret];
  const pages = new Set<string>();
  for (const secret of secrets) {
    const person = new Person(service);
    const seen = await person.send("/console/sign-in", { secret });
    expect({ secret, status: seen.status, cookie: person.cookie }).toEqual({
      ...{ secret, status: 403, cookie: null },
    });
    // The challenge for a passkey is new on each page.
    pages.add(seen.html.replace(/data-options="[^"]*"/, ""));
  }
  expect(pages.size).toBe(1);
});

test("an address may try ten times a minute, then it is asked to wait", async () => {
  const person = new Person(service);
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    statuses.push((await person.send("/console/sign-in", { secret: "x" })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(403), 429]);
  const { html, headers } = await person.send("/console/sign-in", { secret: "x" });
  expect(html).toContain("This page cannot be shown");
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});

test("pages are kept by no cache, read by no other origin and framed by none", async () => {
  const { headers } = await (await signedIn(service)).get(page);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(headers.get("etag")).toBeNull();
  expect(headers.get("referrer-policy")).toBe("same-origin");
  const policy = headers.get("content-security-policy")!;
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
    expect(policy).toContain(part);
  }
  expect(policy).not.toContain("unsafe");
});

test("a link signs in once; an access token gets none", async () => {
  const url = new URL(await newLink());
  const code = url.hash.slice(1);
  expect(url.pathname + url.search).toBe("/console/enter");
  const person = new Person(service);
  // Mail scanners and previews open links.
  expect((await person.get("/console/enter")).html).toContain('name="code"');
  const seen = await person.send("/console/enter", { code });
  expect(seen.location).toBe("/console");
  expect((await person.get(page)).status).toBe(200);
  const again = await new Person(service).send("/console/enter", { code });
  expect(again.status).toBe(403);
  expect(again.html).toContain(TOO_OLD);
  const { agent_id, secret } = service.demo.admin;
  const grant = { grant_type: "client_credentials", client_id: agent_id, client_secret: secret };
  const body = new URLSearchParams(grant);
  const token = await fetch(`${service.baseUrl}/oauth/token`, { method: "POST", body });
  const { access_token } = (await token.json()) as { access_token: string };
  const agent = { agent_id, secret: access_token };
  const refused = await service.api("POST", "/v1/admin/console-links", { agent });
  expect(refused.refused("forbidden").detail).toMatchObject({ reason: "secret_required" });
});

test("sign-out ends the session for who kept the cookie too", async () => {
  const person = await signedIn(service);
  const thief = new Person(service);
  thief.cookie = person.cookie;
  const out = await person.submit("/console/bookings", "/console/sign-out");
  expect(out.location).toBe("/console/sign-in");
  expect(person.cookie).toBeNull();
  expect((await thief.get(page)).status).toBe(303);
});

test("a session id that somebody else chose is worth nothing, and signing in makes a new one", async () => {
  const person = new Person(service);
  person.cookie = `__Host-innkeep=${"A".repeat(43)}`;
  expect((await person.get(page)).status).toBe(303);
  await person.send("/console/sign-in", { secret: service.demo.admin.secret });
  expect(person.cookie).not.toContain("A".repeat(43));
  const first = person.cookie;
  await person.send("/console/sign-in", { secret: service.demo.admin.secret });
  expect(person.cookie).not.toBe(first);
});

test("a session ends within a second of its credential, with its open stream", async () => {
  const operator = await newOperator();
  const person = await signedIn(service, operator);
  expect((await person.get(page)).status).toBe(200);
  const stream = await fetch(`${service.baseUrl}/console/live`, {
    headers: { cookie: person.cookie! },
  });
  const ended = stream.text();
  service.control((store) => changeAgent(store, operator.agent_id, { state: "revoked" }));
  await until("the session is over", async () => (await person.get(page)).status === 303);
  expect(await ended).toContain("retry:");
  expect((await person.get("/console/live")).status).toBe(303);
});

test("a form is taken only from a page of its own session, by each of two checks", async () => {
  const person = await signedIn(service);
  const other = await signedIn(service);
  const action = `${page}/check-in`;
  const own = hiddenFields((await person.get(page)).html, action);
  const others = hiddenFields((await other.get(page)).html, action);
  const elsewhere = hiddenFields((await person.get(page)).html, "/console/sign-out");
  const honest = { "sec-fetch-site": "same-origin" };
  const forged: [string, Record<string, string>, Record<string, string>][] = [
    ["no token", {}, honest],
    ["another session's token", others, honest],
    ["the token of another form", elsewhere, honest],
    ["a form of another site", own, CROSS_SITE],
    ["a form of the same site's other host", own, { "sec-fetch-site": "same-site" }],
    ["an address that was typed", own, { "sec-fetch-site": "none" }],
    ["an old browser and another origin", own, { origin: "https://evil.example" }],
    ["an old browser without an origin", own, {}],
  ];
  for (const [what, fields, headers] of forged) {
    const { status, html } = await person.send(action, fields, headers);
    expect({ what, status }).toEqual({ what, status: 403 });
    expect(html).toContain("Nothing was changed");
  }
  const asJson = await fetch(service.baseUrl + action, {
    method: "POST",
    body: JSON.stringify(own),
    headers: { ...honest, cookie: person.cookie!, "content-type": "application/json" },
  });
  expect(asJson.status).toBe(403);
  expect((await person.get(action)).status).toBe(405);
  expect(await stateOf(booking)).toBe("confirmed");
});

test("what was typed outlives the session: it is kept, asked again after sign-in, and done", async () => {
  const third = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${third.booking_id}/cancel`;
  const person = await signedIn(service);
  const reason = 'The "guest" called <again>';
  const typed = { ...hiddenFields((await person.get(at)).html, at), reason };
  person.cookie = null;
  const kept = await person.send(at, typed);
  expect(kept.status).toBe(403);
  expect(kept.html).toContain("You are signed out");
  const keptFields = hiddenFields(kept.html, at);
  const { form_token, ...withoutToken } = typed as Record<string, string>;
  expect(keptFields).toEqual(withoutToken);
  await person.signIn(service.demo.admin);
  const asked = await person.send(at, keptFields);
  expect(asked.status).toBe(403);
  expect(await stateOf(third)).toBe("confirmed");
  const done = await person.send(at, hiddenFields(asked.html, at));
  expect(done.location).toBe(`/console/bookings/${third.booking_id}`);
  expect(await stateOf(third)).toBe("cancelled");
  // Of another site, or with nothing typed, nothing is kept.
  person.cookie = null;
  for (const [fields, headers] of [[typed, CROSS_SITE], [{ form_token }]] as const) {
    const led = await person.send(at, fields as Record<string, string>, headers);
    expect(led).toMatchObject({ status: 303, location: "/console/sign-in" });
  }
});

test("a deed without an outcome is told as such, and the same form finds what became of it", async () => {
  const fourth = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${fourth.booking_id}`;
  const person = await signedIn(service);
  const amount = { amount: "1.00", reason: "goodwill" };
  const question = await person.submit(`${at}/refund`, `${at}/refund/check`, amount);
  const { supervisor, engine } = service.pids;
  const stopped = [supervisor!, engine!];
  let answer: Seen;
  try {
    for (const pid of stopped) process.kill(pid, "SIGSTOP");
    answer = await person.send(`${at}/refund`, hiddenFields(question.html, `${at}/refund`));
  } finally {
    for (const pid of stopped.reverse()) process.kill(pid, "SIGCONT");
  }
  expect(answer.status).toBe(503);
  expect(answer.html).toContain("No answer in time");
  const again = hiddenFields(answer.html, `${at}/refund`);
  for (let time = 0; time < 2; time += 1) {
    expect((await person.send(`${at}/refund`, again)).location).toBe(at);
  }
  const agent = service.demo.admin;
  const path = `/v1/admin/bookings/${fourth.booking_id}/refunds`;
  const { items } = (await service.api("GET", path, { agent })).ok<{ items: object[] }>().data;
  expect(items).toHaveLength(1);
});

test("a form that is sent twice is one deed", async () => {
  const second = await newBooking(service, stayRequest(hotel));
  const person = await signedIn(service);
  const at = `/console/bookings/${second.booking_id}`;
  const fields = { ...hiddenFields((await person.get(`${at}/cancel`)).html, `${at}/cancel`) };
  const sent = { ...fields, reason: "The guest called" };
  const [first, again] = await Promise.all([
    person.send(`${at}/cancel`, sent),
    person.send(`${at}/cancel`, sent),
  ]);
  expect([first.location, again.location]).toEqual([at, at]);
  const agent = service.demo.admin;
  const path = `/v1/admin/bookings/${second.booking_id}/refunds`;
  const { items } = (await service.api("GET", path, { agent })).ok<{ items: object[] }>().data;
  expect(items).toHaveLength(1);
});

test("a session sees its tenant, its mode and its properties alone", async () => {
  const { second_tenant, test_admin } = service.demo;
  const limited = await newOperator({ property_ids: [crypto.randomUUID()] });
  for (const operator of [second_tenant.admin, test_admin, limited]) {
    const person = await signedIn(service, operator);
    const { html, status } = await person.get(page);
    expect(status).toBe(404);
    expect(html).not.toContain(booking.confirmation_code);
    const found = await person.submit("/console/bookings", "/console/bookings", {
      sought: booking.confirmation_code,
    });
    expect(found.html).toContain("0 bookings");
  }
  expect((await (await signedIn(service, test_admin)).get("/console/events")).html).toContain(
    "TEST:",
  );
});

test("an operator sees and does no more than its scopes allow", async () => {
  const reader = await newOperator({ scopes: ["bookings:read"] });
  const person = await signedIn(service, reader);
  const { html } = await person.get(page);
  expect(html).toContain(booking.confirmation_code);
  const refused = await person.submit(page, `${page}/check-in`);
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("forbidden");
  expect(await stateOf(booking)).toBe("confirmed");
});

test("the live stream names kinds of events, and nothing of what happened", async () => {
  const person = await signedIn(service);
  const aborting = new AbortController();
  const response = await fetch(`${service.baseUrl}/console/live?after_seq=0`, {
    headers: { cookie: person.cookie! },
    signal: aborting.signal,
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("booking.confirmed")) break;
  }
  aborting.abort();
  const lines = new Set(text.split("\n").map((line) => line.replace(/\d+|[a-z_]+\.[a-z_]+/g, "…")));
  expect([...lines].sort()).toEqual(["", "data: …", "id: …", "retry: …"]);
});

test("no cookie opens the API, and no page takes a bearer", async () => {
  const person = await signedIn(service);
  const headers = { cookie: person.cookie! };
  const api = await service.api("GET", "/v1/admin/bookings", { agent: null as never, headers });
  expect(api.status).toBe(401);
  const { secret } = service.demo.admin;
  const stranger = await new Person(service).get(page, { authorization: `Bearer ${secret}` });
  expect(stranger.status).toBe(303);
});

test("neither the secret nor a session or a code is stored or logged in clear", async () => {
  const url = new URL(await newLink());
  const person = await signedIn(service);
  const clear = [url.hash.slice(1), person.cookie!.split("=")[1]!, service.demo.admin.secret];
  const files = readdirSync(service.dataDir).filter((name) => /^console\.db/.test(name));
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) {
    const bytes = readFileSync(join(service.dataDir, name), "latin1");
    for (const text of clear)
      expect({ name, has: bytes.includes(text) }).toEqual({ name, has: false });
  }
  for (const text of clear) expect(service.log.includes(text)).toBeFalse();
});

test("pages are in no document for programs", async () => {
  for (const path of ["/openapi.json", "/llms-full.txt", "/capabilities.json"]) {
    const { text } = await service.api("GET", path);
    expect({ path, has: /console_(?:today|bookings)|"\/console/.test(text) }).toEqual({
      ...{ path, has: false },
    });
  }
});

test("an open page follows what happens, and keeps no session open by that", async () => {
  const person = await signedIn(service, await newOperator());
  const db = new Database(join(service.dataDir, "console.db"));
  const seenAt = Date.now() - 20 * 60_000;
  const newest = "rowid = (SELECT max(rowid) FROM session)";
  db.run(`UPDATE session SET seen_at = ? WHERE ${newest}`, [seenAt]);
  const read = () => {
    const select = `SELECT seen_at FROM session WHERE ${newest}`;
    return db.query<{ seen_at: number }, []>(select).get()!.seen_at;
  };
  const headers = { accept: "text/event-stream", cookie: person.cookie! };
  const stream = await fetch(`${service.baseUrl}/console/live`, { headers });
  expect(stream.status).toBe(200);
  await stream.body!.cancel();
  expect(read()).toBe(seenAt);
  expect((await person.get("/console")).status).toBe(200);
  expect(read()).toBeGreaterThan(seenAt);
  db.close();
});

test("a link of another operator does not take the place of an open session", async () => {
  const [operator, other] = [await newOperator(), await newOperator()];
  const person = await signedIn(service, operator);
  const own = person.cookie;
  const codeOf = async (of: DemoAgent) => new URL(await newLink(of)).hash.slice(1);
  const refused = await person.send("/console/enter", { code: await codeOf(other) });
  expect(refused.status).toBe(403);
  expect(refused.html).toContain("Sign out first");
  expect(person.cookie).toBe(own);
  const enter = async (of: DemoAgent) =>
    (await person.send("/console/enter", { code: await codeOf(of) })).location;
  expect(await enter(operator)).toBe("/console");
  // Nobody can sign out of a session that cannot be used.
  service.control((store) => changeAgent(store, operator.agent_id, { state: "suspended" }));
  await until("the session has ended", async () => (await person.get("/console")).status === 303);
  expect(await enter(other)).toBe("/console");
});

test("signing in again ends the session that the browser had", async () => {
  const person = await signedIn(service);
  const before = person.cookie;
  expect((await person.signIn(service.demo.admin)).status).toBe(303);
  expect((await person.get("/console")).status).toBe(200);
  person.cookie = before;
  expect((await person.get("/console")).status).toBe(303);
});

test("a host that is no address cannot sign in, and is no fault of the service", async () => {
  const headers = { "sec-fetch-site": "same-origin", host: "localhost:99999" };
  for (const path of ["/console/sign-in", "/console/enter"]) {
    const { status, html } = await new Person(service).send(path, {}, headers);
    expect({ path, status }).toEqual({ path, status: 403 });
    expect(html).toContain("needs https");
  }
});

test("an id of an address stays one word of the command that is shown", async () => {
  const person = await signedIn(service);
  const { html } = await person.get("/console/agents/x'y");
  expect(html).toContain(`curl '${service.baseUrl.replace("127.0.0.1", "localhost")}`);
  expect(html).toContain(`/v1/admin/agents/x'\\''y'`);
});
