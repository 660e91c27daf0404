/**
 * Goal: an operator creates an agent, replaces and revokes its credentials, suspends and ends it,
 * and ends the trust in an issuer; each secret is shown once. Method: a real service, the API as
 * witness of what the pages did, a browser without script, and Chromium.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { hiddenFields, type Person, type Seen, signedIn } from "../support/console.ts";
import { expectFit, openConsole } from "../support/console-browser.ts";
import { Service, until } from "../support/service.ts";

const AGENTS = "/console/agents";
const HOSTILE = `"><img src=x onerror=alert(1)> שלום`;
const HOSTILE_IN_HTML = "&quot;>&lt;img src=x onerror=alert(1)>";
const RIGHTS = { "scope_supply:read": "yes", scope_search: "yes" };
const REFUSED = { name: "Refused", kind: "agent" };

let service: Service;
let person: Person;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
  person = await signedIn(service);
});
afterAll(() => service.stop());

interface Made {
  readonly agent_id: string;
  readonly secret: string;
}

function secretOn({ html }: Seen): string | null {
  return /<code id="secret">([^<]+)<\/code>/.exec(html)?.[1] ?? null;
}

async function newAgent(fields: Readonly<Record<string, string>> = {}): Promise<Made> {
  const named = { name: HOSTILE, kind: "agent", ...RIGHTS, ...fields };
  const made = await person.submit(AGENTS, AGENTS, named);
  expect(made.status).toBe(200);
  const [, agent_id] = new RegExp(`href="${AGENTS}/(\\w+)">To the agent`).exec(made.html) ?? [];
  const agent = { agent_id: agent_id!, secret: secretOn(made)! };
  await service.untilKnown(agent);
  return agent;
}

async function statusOf(agent: Made): Promise<number> {
  return (await service.api("GET", "/v1/properties", { agent })).status;
}

interface Terms {
  readonly scopes: readonly string[];
  readonly limits: object;
  readonly credentials: readonly { readonly credential_id: string; readonly state: string }[];
}

async function termsOf({ agent_id }: Made): Promise<Terms> {
  const path = `/v1/admin/agents/${agent_id}`;
  return (await service.api("GET", path, { agent: service.demo.admin })).ok<Terms>().data;
}

test("an agent is created with the rights and limits of the form, its secret shown once", async () => {
  const { html } = await person.get(AGENTS);
  const limits = { rpm: "60", max_open_holds: "5", max_amount: "1000.5", currency: "eur" };
  const sent = {
    ...{ ...hiddenFields(html, AGENTS), ...RIGHTS, ...limits },
    ...{ name: HOSTILE, kind: "agent", contact: "ops@example.com" },
  };
  const headers = { "sec-fetch-site": "same-origin", "accept-encoding": "br, gzip" };
  const made = await person.send(AGENTS, sent, headers);
  expect([made.status, made.headers.get("content-encoding")]).toEqual([200, null]);
  expect(made.html).toContain(HOSTILE_IN_HTML);
  const secret = secretOn(made)!;
  const [, agent_id] = new RegExp(`href="(${AGENTS}/\\w+)"`).exec(made.html) ?? [];
  const again = await person.send(AGENTS, sent);
  expect(again.html).toContain("is not shown again");
  const page = await person.get(agent_id!);
  expect(page.html).toContain("60 calls a minute, 5 holds");
  expect(page.html).toContain("€1,000.50");
  for (const seen of [again, page, await person.get(AGENTS)]) {
    expect(seen.html).not.toContain(secret);
    expect(seen.html).toContain(HOSTILE_IN_HTML);
  }
  expect(service.log.includes(secret)).toBeFalse();
  const agent = { agent_id: agent_id!.split("/").at(-1)!, secret };
  await service.untilKnown(agent);
  const { scopes, limits: given } = await termsOf(agent);
  expect(scopes).toEqual(["supply:read", "search"]);
  expect(given).toMatchObject({ max_booking_amount: { amount: 100_050, currency: "EUR" } });
});

test("what may not be granted is refused with the field at fault, and nothing is created", async () => {
  const refused = await person.submit(AGENTS, AGENTS, { ...REFUSED, "scope_admin:agents": "yes" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("<code>/scopes/0</code> is for operators only");
  // A limit that is no number does not become none.
  const unclear = await person.submit(AGENTS, AGENTS, { ...RIGHTS, ...REFUSED, rpm: "many" });
  expect(unclear.html).toContain("<code>/limits/rpm</code>");
  expect((await person.get(AGENTS)).html).not.toContain("<bdi>Refused</bdi>");
});

test("an agent is suspended, resumed and revoked, each after a question", async () => {
  const agent = await newAgent();
  const at = `${AGENTS}/${agent.agent_id}`;
  for (const [deed, status] of [
    ["suspend", 403],
    ["resume", 200],
    ["revoke", 401],
  ] as const) {
    const asked = await person.get(`${at}/${deed}`);
    expect(asked.html).toContain(HOSTILE_IN_HTML);
    expect((await person.submit(`${at}/${deed}`, `${at}/${deed}`)).location).toBe(at);
    await until(`${deed} is in force`, async () => (await statusOf(agent)) === status);
  }
  const { html } = await person.get(at);
  expect(html).not.toContain("Suspend…");
  expect(html).not.toContain("New credential");
  // An operator that locked itself out could not undo it.
  const own = `${AGENTS}/${service.demo.admin.agent_id}/suspend`;
  const refused = await person.submit(own, own);
  expect([refused.status, refused.html.includes("own_agent")]).toEqual([409, true]);
});

test("what pages for guests need of an agent is set with it, and changed", async () => {
  const agent = await newAgent({ return_origins: "https://a.example, http://localhost:8080" });
  const at = `${AGENTS}/${agent.agent_id}`;
  const { html } = await person.get(at);
  expect(html).toContain('value="https://a.example, http://localhost:8080"');
  const refused = await person.submit(at, `${at}/pages`, { return_origins: "https://a.example/x" });
  expect(refused.html).toContain("<code>/return_origins/0</code>");
  const fields = { return_origins: "https://b.example", sells_directly: "yes" };
  expect((await person.submit(at, `${at}/pages`, fields)).location).toBe(at);
  expect(await termsOf(agent)).toMatchObject({
    ...{ return_origins: ["https://b.example"], sells_directly: true },
  });
  await person.submit(at, `${at}/pages`, { return_origins: "" });
  expect(await termsOf(agent)).toMatchObject({ return_origins: [], sells_directly: false });
});

test("an operator has an amount above which it is asked again, set with it and changed", async () => {
  const typed = { step_up_amount: "500", step_up_currency: "eur" };
  const of = { scope_search: "yes", ...typed };
  const agent = await newAgent({ ...of, kind: "operator" });
  const at = `${AGENTS}/${agent.agent_id}`;
  const limitOf = async () => (await termsOf(agent)).limits;
  expect(await limitOf()).toMatchObject({ step_up_amount: { amount: 50_000, currency: "EUR" } });
  const { html } = await person.get(at);
  expect(html).toContain("asked again above");
  expect(html).toContain("€500.00");
  expect(html).toContain('value="500.00"');
  const change = (fields: Readonly<Record<string, string>>) =>
    person.submit(at, `${at}/step-up`, fields);
  // What is no amount does not become none.
  const unclear = await change({ step_up_amount: "5OO", step_up_currency: "EUR" });
  expect(unclear.html).toContain("<code>/limits/step_up_amount");
  expect(await limitOf()).toMatchObject({ step_up_amount: { amount: 50_000, currency: "EUR" } });
  expect((await change({ step_up_amount: "750,5", step_up_currency: "EUR" })).location).toBe(at);
  expect(await limitOf()).toMatchObject({ step_up_amount: { amount: 75_050, currency: "EUR" } });
  expect((await change({ step_up_amount: "" })).location).toBe(at);
  expect(await limitOf()).toMatchObject({ step_up_amount: null });
  expect((await person.get(at)).html).not.toContain("asked again above");
  const refused = await person.submit(AGENTS, AGENTS, { ...of, ...REFUSED });
  expect(refused.html).toContain("<code>/limits/step_up_amount</code> is for operators only");
  const booker = `${AGENTS}/${(await newAgent()).agent_id}`;
  expect((await person.get(booker)).html).not.toContain(`${booker}/step-up`);
});

test("credentials are added, replaced with an overlap, and revoked", async () => {
  const agent = await newAgent();
  const at = `${AGENTS}/${agent.agent_id}`;
  const second = secretOn(await person.submit(at, `${at}/credentials`))!;
  expect(second).not.toBe(agent.secret);
  const [first] = (await termsOf(agent)).credentials.toSorted((a, b) =>
    a.credential_id < b.credential_id ? -1 : 1,
  );
  const one = `${at}/credentials/${first!.credential_id}`;
  const replaced = await person.submit(`${one}/rotate`, `${one}/rotate`, { overlap_s: "3600" });
  expect([replaced.status, replaced.headers.get("content-encoding")]).toEqual([200, null]);
  const third = { ...agent, secret: secretOn(replaced)! };
  await service.untilKnown(third);
  // In the overlap all three work.
  for (const secret of [agent.secret, second, third.secret]) {
    expect(await statusOf({ ...agent, secret })).toBe(200);
  }
  expect((await person.get(at)).html).toContain("retiring");
  expect((await person.submit(`${one}/revoke`, `${one}/revoke`)).location).toBe(at);
  const ended = (await termsOf(agent)).credentials.filter(({ state }) => state === "revoked");
  expect(ended.map(({ credential_id }) => credential_id)).toEqual([first!.credential_id]);
  const [own] = (await termsOf({ ...agent, ...service.demo.admin })).credentials;
  const mine = `${AGENTS}/${service.demo.admin.agent_id}/credentials/${own!.credential_id}/revoke`;
  expect((await person.submit(mine, mine)).html).toContain("own_credential");
});

test("an issuer of travelers' tokens is suspended, activated and revoked", async () => {
  const keys = { keys: [{ kty: "EC", kid: "k", alg: "ES256", crv: "P-256", x: "AA", y: "AA" }] };
  const body = { iss: "https://issuer.example", name: HOSTILE, jwks: keys };
  const path = "/v1/admin/delegation-issuers";
  const made = await service.api("POST", path, { agent: service.demo.admin, body });
  const { issuer_id } = made.ok<{ issuer_id: string }>(201).data;
  const at = `/console/issuers/${issuer_id}`;
  const states: string[] = [];
  for (const [page, deed] of [
    [`${at}/suspend`, "suspend"],
    [AGENTS, "activate"],
    [`${at}/revoke`, "revoke"],
  ] as const) {
    expect((await person.submit(page, `${at}/${deed}`)).location).toBe(AGENTS);
    const { html } = await person.get(AGENTS);
    expect(html).toContain(HOSTILE_IN_HTML);
    const [, row = ""] = new RegExp(`<tr id="${issuer_id}"[^>]*>(.*?)</tr>`).exec(html) ?? [];
    states.push(/class="chip \w+">(\w+)</.exec(row)?.[1] ?? "");
  }
  expect(states).toEqual(["suspended", "active", "revoked"]);
});

test("agents of others are unknown, and who may not administer them changes nothing", async () => {
  const agent = await newAgent();
  const at = `${AGENTS}/${agent.agent_id}`;
  const [reader] = await service.newAgents([{ kind: "operator", scopes: ["bookings:read"] }]);
  for (const operator of [service.demo.second_tenant.admin, service.demo.test_admin, reader!]) {
    const stranger = await signedIn(service, operator);
    for (const path of [at, `${at}/revoke`]) {
      expect({ path, status: (await stranger.get(path)).status }).toEqual({ path, status: 404 });
    }
    expect((await stranger.get(AGENTS)).html).not.toContain(agent.agent_id);
  }
  expect((await person.send(`${at}/revoke`, {})).status).toBe(403);
  expect(await statusOf(agent)).toBe(200);
});

test("a list of hundreds is shown in pages, by kind and by state", async () => {
  await service.newAgents(Array.from({ length: 210 }, (_, n) => ({ name: `Service ${n}` })));
  const rows = ({ html }: Seen) => html.match(/<tr id="agt_/g)?.length ?? 0;
  const first = await person.get(`${AGENTS}?kind=agent`);
  expect(rows(first)).toBe(200);
  expect(first.html).toContain("of which 1 to 200");
  const [, next] = /href="([^"]+)" rel="next">Next/.exec(first.html) ?? [];
  const second = await person.get(next!.replaceAll("&amp;", "&"));
  expect(rows(second)).toBeGreaterThan(10);
  expect(second.html).not.toContain('rel="next"');
  const revoked = await person.get(`${AGENTS}?state=revoked`);
  expect(rows(revoked)).toBe(1);
});

test("the pages have no barrier, no image of a name and no sideways scroll", async () => {
  const agent = await newAgent({ contact: HOSTILE });
  const at = `${AGENTS}/${agent.agent_id}`;
  const [credential] = (await termsOf(agent)).credentials;
  await using browser = await openBrowser();
  const page = await openConsole(browser, service, service.demo.admin);
  const rotation = `${at}/credentials/${credential!.credential_id}/rotate`;
  const list = `${AGENTS}?state=active&kind=operator`;
  await expectFit(page, service.baseUrl, [list, at, `${at}/revoke`, rotation]);
  // The page of a secret, in the browser.
  await page.getByRole("button", { name: "Replace it" }).click();
  await page.locator("#secret").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  expect(await page.locator("#secret").textContent()).not.toContain(agent.secret);
  expect(page.url()).toBe(service.baseUrl + rotation);
});
