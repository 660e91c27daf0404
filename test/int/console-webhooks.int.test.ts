/**
 * Goal: an operator finds a dead letter, reads it, replays it and sees it succeed, and looks after
 * endpoints; secrets are shown once. Method: a real service, a receiver that fails and is repaired,
 * a browser without script, and Chromium.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { createHotel, type Hotel, newHold, stayRequest } from "../support/client.ts";
import { hiddenFields, type Person, signedIn } from "../support/console.ts";
import { expectFit, openConsole } from "../support/console-browser.ts";
import { givenDelivery } from "../support/deliveries.ts";
import { newEndpoint } from "../support/endpoints.ts";
import { Receiver } from "../support/receivers.ts";
import { Service, until } from "../support/service.ts";

const WEBHOOKS = "/console/webhooks";
const DEAD = `${WEBHOOKS}/dead-letters`;
const HOSTILE = `"><img src=x onerror=alert(1)> שלום`;
const HOSTILE_IN_HTML = "&quot;>&lt;img src=x onerror=alert(1)>";

let service: Service;
let browser: Browser;
let hotel: Hotel;
let receiver: Receiver;
let endpoint: string;
let person: Person;

beforeAll(async () => {
  [service, browser] = await Promise.all([
    Service.start({
      ...{ API_PROCESSES: "1", WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,3" },
      TRUSTED_PROXIES: "1",
    }),
    openBrowser(),
  ]);
  hotel = await createHotel(service);
  receiver = Receiver.start("hooks");
  endpoint = await newEndpoint(service, receiver, { events: ["hold.created"] });
  person = await signedIn(service);
});
afterAll(async () => {
  await receiver?.stop();
  await browser?.close();
  await service.stop();
});

interface Listed {
  readonly delivery_id: string;
  readonly state: string;
}

async function deliveries(query: string): Promise<readonly Listed[]> {
  const path = `/v1/admin/webhook-deliveries?endpoint_id=${endpoint}${query}`;
  const answer = await service.api("GET", path, { agent: service.demo.admin });
  return answer.ok<{ items: readonly Listed[] }>().data.items;
}

const openDeadLetters = () => deliveries("&unhandled=true");

/** Makes events that the receiver refuses, and repairs it; the ids of the dead letters. */
async function deadLetters(count: number): Promise<readonly string[]> {
  const before = new Set((await openDeadLetters()).map(({ delivery_id }) => delivery_id));
  await receiver.behave("failing");
  for (let n = 0; n < count; n += 1) await newHold(service, stayRequest(hotel));
  let found: readonly Listed[] = [];
  await until("the deliveries are dead", async () => {
    found = (await openDeadLetters()).filter((each) => !before.has(each.delivery_id));
    return found.length === count;
  });
  await receiver.behave("ok");
  return found.map(({ delivery_id }) => delivery_id);
}

async function untilSucceeded(ids: readonly string[]): Promise<void> {
  await until("the replays have succeeded", async () => {
    const done = await deliveries("&states=succeeded");
    return ids.every((id) => done.some(({ delivery_id }) => delivery_id === id));
  });
}

test("a dead letter is found, read, replayed and seen to succeed, live, in four clicks", async () => {
  await deadLetters(1);
  const page = await openConsole(browser, service, service.demo.admin);
  const clicks = [
    () => page.getByRole("link", { name: "1 dead letter" }).click(),
    () => page.getByRole("link", { name: "hold.created" }).click(),
    () => page.getByRole("button", { name: "Replay" }).click(),
  ];
  for (const click of clicks.slice(0, 2)) await click();
  await page.getByRole("heading", { name: "dead lettered" }).waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "http 5xx (500)" }).count()).toBe(2);
  expect(await page.getByText("The receiver failed.").count()).toBe(1);
  expect(await barriersOn(page)).toEqual([]);
  await clicks[2]!();
  // The page renews itself: nothing is clicked or reloaded.
  await page.getByRole("heading", { name: "hold.created succeeded" }).waitFor();
  expect(clicks.length).toBeLessThanOrEqual(4);
  expect(await openDeadLetters()).toEqual([]);
  await page.context().close();
});

test("several are replayed by one form, each once however often it is sent", async () => {
  const ids = await deadLetters(3);
  const action = `${DEAD}/replay`;
  const { html } = await person.get(DEAD);
  const picked = Object.fromEntries(ids.slice(0, 2).map((id) => [`pick_${id}`, "yes"]));
  const sent = { ...hiddenFields(html, action), ...picked };
  const [first, again] = await Promise.all([person.send(action, sent), person.send(action, sent)]);
  expect([first.status, again.status]).toEqual([303, 303]);
  const list = await person.get(first.location!);
  const made = [...new Set([...list.html.matchAll(/<tr id="(dlv_\w+)"/g)].map(([, id]) => id!))];
  expect(made).toHaveLength(2);
  await untilSucceeded(made);
  const left = await openDeadLetters();
  expect(left.map(({ delivery_id }) => delivery_id)).toEqual([ids[2]!]);
  // A replay that the API refuses is named, with its reason.
  const refused = await person.submit(DEAD, action, { pick_dlv_unknown: "yes" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("webhook_delivery_not_found");
  expect((await person.submit(DEAD, action)).html).toContain("No dead letter was selected.");
  // No page has so many, and each would be a call that nobody is charged for.
  const many = Array.from({ length: 101 }, (_, i) => [`pick_dlv_${i}`, "yes"]);
  expect((await person.submit(DEAD, action, Object.fromEntries(many))).status).toBe(403);
  // The last one is not needed.
  const at = `/console/deliveries/${ids[2]}`;
  const out = await person.submit(at, `${at}/discard`, { reason: HOSTILE });
  expect(out.location).toBe(at);
  expect((await person.get(at)).html).toContain(HOSTILE_IN_HTML);
  expect(await openDeadLetters()).toEqual([]);
});

test("a recovery is counted first, replays nothing later, and is followed to its end", async () => {
  await deadLetters(2);
  const at = `${WEBHOOKS}/${endpoint}/recover`;
  const asked = await person.get(at);
  const [, oldest] = /name="since" required value="([^"]+)"/.exec(asked.html) ?? [];
  expect(oldest).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  const counted = `${at}?since=${encodeURIComponent(oldest!)}`;
  const { html } = await person.get(counted);
  expect(html).toContain("Replay 2 dead letters?");
  expect(await openDeadLetters()).toHaveLength(2);
  const made = await person.submit(counted, at);
  expect(made.location).toMatch(new RegExp(`^${WEBHOOKS}/${endpoint}/recoveries/`));
  await until("the recovery is complete", async () => {
    return (await person.get(made.location!)).html.includes("2 of 2; 2 new deliveries");
  });
  expect(await openDeadLetters()).toEqual([]);
  const unclear = await person.get(`${at}?since=yesterday`);
  expect(unclear.status).toBe(409);
  expect(unclear.html).toContain("validation_failed");
});

test("a new endpoint's secret is on the answer to its form, once, and sent uncompressed", async () => {
  const other = Receiver.start("other");
  const { html } = await person.get(WEBHOOKS);
  const fields = { url: other.url, events: "hold.created, hold.released", description: HOSTILE };
  const sent = { ...hiddenFields(html, WEBHOOKS), ...fields };
  const headers = { "sec-fetch-site": "same-origin", "accept-encoding": "br, gzip" };
  const made = await person.send(WEBHOOKS, sent, headers);
  expect([made.status, made.headers.get("content-encoding")]).toEqual([200, null]);
  expect(made.headers.get("cache-control")).toBe("no-store");
  const [secret] = /whsec_[\w+/=]{20,}/.exec(made.html) ?? [];
  expect(secret).toBeDefined();
  const again = await person.send(WEBHOOKS, sent);
  expect(again.html).toContain("is not shown again");
  const list = await person.get(WEBHOOKS);
  const id = [...list.html.matchAll(/<tr id="(whe_\w+)"/g)].map(([, each]) => each!)[0]!;
  expect(list.html).toContain(HOSTILE_IN_HTML);
  const at = `${WEBHOOKS}/${id}`;
  const rotated = await person.submit(`${at}/rotate-secret`, `${at}/rotate-secret`, {
    overlap_s: "0",
  });
  expect(rotated.status).toBe(200);
  const [replaced] = /whsec_[\w+/=]{20,}/.exec(rotated.html) ?? [];
  expect(replaced).toBeDefined();
  expect(replaced).not.toBe(secret);
  for (const seen of [again, list, await person.get(at), await person.get(`${at}/rotate-secret`)]) {
    expect(seen.html).not.toMatch(/whsec_[\w+/=]{20,}/);
  }
  for (const text of [secret!, replaced!]) expect(service.log.includes(text)).toBeFalse();
  other.trust(replaced!);
  const tested = await person.submit(at, `${at}/test`);
  expect(tested.html).toContain("The test was taken");
  await other.behave("failing");
  const failed = await person.submit(at, `${at}/test`);
  expect([failed.status, failed.html.includes("notification_delivery_failed")]).toEqual([
    409,
    true,
  ]);
  await other.stop();
});

test("an endpoint is paused and resumed; a resumption whose ping fails says so", async () => {
  const at = `${WEBHOOKS}/${endpoint}`;
  expect((await person.submit(at, `${at}/pause`)).location).toBe(at);
  expect((await person.get(at)).html).toContain("paused</span> by an operator");
  await receiver.behave("failing");
  await person.submit(at, `${at}/resume`);
  expect((await person.get(at)).html).toContain("paused</span> ping failed");
  await receiver.behave("ok");
  await person.submit(at, `${at}/resume`);
  expect((await person.get(at)).html).toContain('<span class="chip good">active</span>');
});

test("other tenants and operators without the right see nothing and change nothing", async () => {
  const [dead] = await deadLetters(1);
  const [bookings] = await service.newAgents([{ kind: "operator", scopes: ["bookings:read"] }]);
  for (const agent of [service.demo.second_tenant.admin, service.demo.test_admin, bookings!]) {
    const stranger = await signedIn(service, agent);
    for (const path of [`/console/deliveries/${dead}`, `${WEBHOOKS}/${endpoint}`]) {
      expect({ path, status: (await stranger.get(path)).status }).toEqual({ path, status: 404 });
    }
    for (const path of [WEBHOOKS, DEAD, "/console/deliveries"]) {
      const { html } = await stranger.get(path);
      expect({ path, has: html.includes(endpoint) || html.includes(dead!) }).toEqual({
        ...{ path, has: false },
      });
    }
  }
  const forged = await person.send(`/console/deliveries/${dead}/replay`, {});
  expect(forged.status).toBe(403);
  expect(await openDeadLetters()).toHaveLength(1);
});

test("no barrier, no foreign script and no sideways scroll, from a phone to a desk", async () => {
  const [dead] = await openDeadLetters();
  const paths = [
    ...[WEBHOOKS, DEAD, `${WEBHOOKS}/${endpoint}`, `${WEBHOOKS}/${endpoint}/recover`],
    ...[`${WEBHOOKS}/${endpoint}/rotate-secret`, "/console/deliveries"],
    `/console/deliveries/${dead!.delivery_id}`,
  ];
  const page = await openConsole(browser, service, service.demo.admin);
  await expectFit(page, service.baseUrl, paths);
  await page.context().close();
});

test("more dead letters than a page shows are on pages that follow", async () => {
  for (let n = 0; n < 101; n += 1) givenDelivery(service, { endpoint_id: endpoint });
  const rows = (html: string) => html.match(/name="pick_/g)?.length ?? 0;
  const first = await person.get(DEAD);
  expect(rows(first.html)).toBe(100);
  const [, next] = /<a href="([^"]+)" rel="next"/.exec(first.html) ?? [];
  const second = await person.get(next!);
  expect(rows(second.html)).toBeGreaterThan(0);
  expect(second.html).not.toContain('rel="next"');
  expect(rows((await person.get(`${DEAD}?reason=timeout`)).html)).toBe(0);
  expect((await person.get(`${DEAD}?reason=nonsense`)).html).toContain("validation_failed");
});
