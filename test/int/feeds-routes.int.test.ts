/**
 * Goal: partners get their documents or the reason for a refusal, and operators see and build them.
 * Method: real processes and the small second tenant of the demo; the worker is delayed where a
 * caller must wait.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PARTNERS } from "../../feeds/partners.ts";
import { createTenant } from "../../src/access/control/tenants.ts";
import { feedsDirectory, feedsPath } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import { newKey } from "../support/client.ts";
import { Service, until } from "../support/service.ts";

const FEEDS = "/v1/admin/feeds";
const PASSWORD = "séçret:1";

let service: Service;
let tenant: string;
let operator: DemoAgent;

beforeAll(async () => {
  service = await Service.start({
    ...{ API_PROCESSES: "2", FEED_WAIT_S: "2", FEED_DEBOUNCE_S: "3600" },
    FEED_CREDENTIALS: `trivago=t%20v:${encodeURIComponent(PASSWORD)}`,
  });
  ({ tenant_id: tenant, admin: operator } = service.demo.second_tenant);
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  service.api("GET", path, { agent: null, headers });
const of = (partner: string, document = "hotel-list.xml", tenantId = tenant) =>
  `/feeds/${partner}/${document}?tenant_id=${tenantId}`;
const ask = (method: string, path: string, more: object = {}) =>
  service.api(method, path, { agent: operator, ...more });

interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly trigger: string;
  readonly progress: number;
  readonly seq: number | null;
}

const runsOf = async (partner: string) =>
  (await ask("GET", `${FEEDS}/${partner}/runs`)).ok<{ items: Run[] }>().data.items;

/** What the published document says of its position, and what the headers say. */
function positionOf({ headers, text }: Answer) {
  const [, seq, at] = /<!-- innkeep seq=(\d+) at=(\S+) -->/.exec(text) ?? [];
  return {
    said: { seq, at },
    told: [headers.get("innkeep-feed-seq"), headers.get("innkeep-feed-at")],
  };
}

test("an unknown partner is refused first, with the known partners", async () => {
  for (const path of ["/feeds/expedia/ari.xml?days=0", "/feeds/Google/pointofsale.xml"]) {
    const { detail, next_actions } = (await get(path)).refused("validation_failed", 404);
    expect(detail.partners).toEqual([...PARTNERS]);
    expect(detail.field_errors).toHaveLength(1);
    for (const { href } of next_actions) expect((await get(href)).status).toBe(200);
  }
  const path = `${FEEDS}/expedia/runs`;
  for (const method of ["GET", "POST"]) {
    const { next_actions } = (await ask(method, path)).refused("validation_failed", 404);
    expect(next_actions).toEqual([{ rel: "get", method: "GET", href: FEEDS }]);
  }
});

test("missing and unknown query parameters are refused at once", async () => {
  const faults = async (path: string) => (await get(path)).faults();
  expect(await faults("/feeds/google/ari.xml?x=1")).toEqual(["?tenant_id", "?x"]);
  expect(await faults("/feeds/google/hotel-list.xml?tenant_id=1&days=3")).toEqual([
    ...["?days", "?tenant_id"],
  ]);
  for (const days of ["0", "91", "1.5", "-1", "", "030", "1e1"]) {
    expect({ days, faults: await faults(`${of("google", "ari.xml")}&days=${days}`) }).toEqual({
      ...{ days, faults: ["?days"] },
    });
  }
  expect(await faults("/feeds/google/pointofsale.xml?tenant_id=1")).toEqual(["?tenant_id"]);
});

test("an unknown tenant is answered like an empty one and leaves no state", async () => {
  const idle = service.control((store) => createTenant(store, "Idle"));
  const unknown = crypto.randomUUID();
  for (const document of ["hotel-list.xml", "ari.xml"]) {
    const [first, ...others] = [
      await get(of("google", document, unknown)),
      await get(of("google", document, unknown.toUpperCase())),
      await get(of("google", document, idle)),
    ];
    expect([first!.status, first!.text.length < 250]).toEqual([200, true]);
    expect(first!.headers.has("innkeep-feed-seq")).toBeFalse();
    const shown = ({ text, headers }: Answer) => {
      return { text, headers: [...headers].filter(([name]) => name !== "date") };
    };
    for (const other of others) expect(shown(other)).toEqual(shown(first!));
  }
  const db = new Database(feedsPath(service.dataDir), { readonly: true });
  const kept = db.query("SELECT tenant_id FROM feed UNION SELECT tenant_id FROM run").all();
  db.close();
  expect(JSON.stringify(kept)).not.toContain(unknown);
  expect(JSON.stringify(kept)).not.toContain(idle);
  expect(service.log).not.toContain(unknown);
});

test("the first request waits for a limited time, and all requests share one build", async () => {
  const { worker } = service.pids;
  process.kill(worker!, "SIGSTOP");
  try {
    const startedMs = performance.now();
    const answers = await Promise.all([1, 2, 3, 4].map(() => get(of("kayak"))));
    expect(performance.now() - startedMs).toBeGreaterThan(1_900);
    for (const answer of answers) {
      const { detail, retry_after } = answer.refused("upstream_unavailable");
      expect(detail).toEqual({ upstream: "feeds" });
      expect(answer.headers.get("retry-after")).toBe(String(retry_after));
    }
  } finally {
    process.kill(worker!, "SIGCONT");
  }
  await until("the document is there", async () => (await get(of("kayak"))).status === 200);
  const runs = await runsOf("kayak");
  expect(runs).toMatchObject([{ trigger: "first", state: "published", progress: 1 }]);
  const list = await get(of("kayak"));
  const ari = await get(of("kayak", "ari.xml"));
  const { said, told } = positionOf(list);
  expect(told).toEqual([said.seq!, said.at!]);
  expect(positionOf(ari)).toEqual({ said, told });
  expect(String(runs[0]!.seq)).toBe(said.seq!);
});

test("removed files are rebuilt for the next request", async () => {
  const before = await get(of("kayak"));
  const { worker } = service.pids;
  process.kill(worker!, "SIGSTOP");
  try {
    rmSync(join(feedsDirectory(service.dataDir), tenant, "kayak"), { recursive: true });
    // Nothing is answered of the removed ones, however long the build takes.
    (await get(of("kayak"))).refused("upstream_unavailable");
  } finally {
    process.kill(worker!, "SIGCONT");
  }
  await until("they are there again", async () => (await get(of("kayak"))).status === 200);
  const after = await get(of("kayak"));
  expect(after.text.match(/<listing>.*/g)).toEqual(before.text.match(/<listing>.*/g));
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
});

test("a partner must present its credential, and repeated wrong ones are soon ignored", async () => {
  const basic = (pair: string) => ({
    authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
  });
  const right = basic(`t v:${PASSWORD}`);
  const none = await get("/feeds/trivago/pointofsale.xml");
  expect(none.refused("unauthenticated").detail).toEqual({ reason: "missing_credential" });
  expect(none.headers.get("www-authenticate")).toBe(
    'Basic realm="Feeds for trivago", charset="UTF-8"',
  );
  const path = of("trivago", "hotel-list.xml", crypto.randomUUID());
  for (const headers of [basic("t v:séçret"), basic("google:x"), { authorization: "Bearer x" }]) {
    (await get(path, headers)).refused("unauthenticated");
  }
  const answer = await get(path, right);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("private, max-age=300, must-revalidate");
  expect(answer.headers.get("vary")).toBe("Accept-Encoding, Authorization");
  const guess = (count: number) =>
    Promise.all(Array.from({ length: count }, () => get(path, basic("t v:x"))));
  const many = (await guess(80)).filter(({ status }) => status === 429);
  expect(many.length).toBeWithin(10, 30);
  expect(many[0]!.refused("rate_limited").detail.policy).toBe("feed_credentials");
  // Nor is the right one, or its answer would tell it; a second later one more may be tried.
  await until("the right one is refused", async () => {
    await guess(5);
    return (await get(path, right)).status === 429;
  });
  (await get(path)).refused("unauthenticated");
  expect((await get("/feeds/kayak/pointofsale.xml")).status).toBe(200);
  expect(service.log).not.toContain(PASSWORD);
  const { components } = (await get("/openapi.json")).json as {
    components: { securitySchemes: Record<string, unknown> };
  };
  expect(components.securitySchemes.partner).toMatchObject({ type: "http", scheme: "basic" });
});

test("an operator sees every partner, and the addresses are those of the documents", async () => {
  const { items, note } = (await ask("GET", FEEDS)).ok<{
    note: string | null;
    items: {
      partner: string;
      needs_credential: boolean;
      documents: Record<string, string>;
      published: { run_id: string; hotel_list: { listings: number; bytes: number } } | null;
    }[];
  }>().data;
  expect(note).toBeNull();
  expect(items.map(({ partner }) => partner)).toEqual([...PARTNERS]);
  const guarded = items.filter(({ needs_credential }) => needs_credential);
  expect(guarded.map(({ partner }) => partner)).toEqual(["trivago"]);
  const kayak = items.find(({ partner }) => partner === "kayak")!;
  const [{ run_id }] = (await runsOf("kayak")) as [Run];
  const { text } = await get(kayak.documents.hotel_list!.replace(/^https?:\/\/[^/]+/, ""));
  expect(kayak.published).toMatchObject({
    run_id,
    hotel_list: { listings: text.match(/<listing>/g)!.length, bytes: Buffer.byteLength(text) },
  });
  for (const address of Object.values(kayak.documents)) {
    expect((await get(address.replace(/^https?:\/\/[^/]+/, ""))).status).toBe(200);
  }
});

test("an operator builds a feed once for a key, and follows it to its end", async () => {
  const headers = { "idempotency-key": newKey() };
  const path = `${FEEDS}/microsoft/runs`;
  const made = await ask("POST", path, { headers, body: { accept_shrink: true } });
  const { data, next_actions } = made.ok<Run & { partner: string }>(202);
  expect(data).toMatchObject({ partner: "bing", trigger: "operator", accept_shrink: true });
  const again = await ask("POST", path, { headers, body: { accept_shrink: true } });
  expect([again.text, again.isReplayed]).toEqual([made.text, true]);
  const { href } = next_actions[0]!;
  await until("the run is published", async () => {
    return (await ask("GET", href)).ok<Run>().data.state === "published";
  });
  expect((await ask("GET", href)).ok<Run>().data).toMatchObject({
    progress: 1,
    run_id: data.run_id,
  });
  expect(await runsOf("bing")).toHaveLength(1);
  expect((await get(of("bing"))).headers.get("etag")).toContain(data.run_id);
  (await ask("POST", path, { body: { accept_shrinking: true } })).refused("validation_failed");
  (await ask("GET", `${FEEDS}/google/runs/${data.run_id}`)).refused("validation_failed", 404);
});

test("operators of mode test learn that feeds are live only and see no run", async () => {
  const agent = service.demo.test_admin;
  const { items, note } = (await service.api("GET", FEEDS, { agent })).ok<{
    items: unknown[];
    note: string;
  }>().data;
  expect(items).toEqual([]);
  expect(note).toContain("live");
  const path = `${FEEDS}/google/runs`;
  const refused = (await service.api("POST", path, { agent })).refused("forbidden");
  expect(refused.detail).toEqual({ reason: "live_mode_only" });
  expect((await service.api("GET", path, { agent })).ok<{ items: [] }>().data.items).toEqual([]);
});
