/**
 * Goal: an operator finds a failed delivery with its reason and replays it, and the receiver
 * verifies the same event, at the endpoint's current address and with its current secret. Method: a
 * real service, a receiver on the public library that fails and is repaired, and commands as
 * processes.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Delivery, DeliveryDetail, Stats } from "../../src/ops/cli/dead-letter-views.ts";
import { createHotel, type Hotel, newHold, stayRequest } from "../support/client.ts";
import { Receiver } from "../support/receivers.ts";
import { Service, until } from "../support/service.ts";
import { ShiftedClock } from "../support/shifted-clock.ts";

const ROOT = join(import.meta.dir, "..", "..");
const WEBHOOKS = "/v1/admin/webhooks";
const DELIVERIES = "/v1/admin/webhook-deliveries";

let service: Service;
let hotel: Hotel;
let receiver: Receiver;
let endpoint: { readonly endpoint_id: string; readonly secret: string };

beforeAll(async () => {
  service = await Service.start({
    ...{ API_PROCESSES: "1", WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,2" },
  });
  hotel = await createHotel(service);
  receiver = Receiver.start("hooks");
  const headers = { "X-Tenant-Key": "not for other eyes" };
  const body = { url: receiver.url, events: ["hold.created"], headers };
  endpoint = (await admin("POST", WEBHOOKS, body)).ok<typeof endpoint>(201).data;
  receiver.trust(endpoint.secret);
});
afterAll(async () => {
  await receiver?.stop();
  await service.stop();
});

function admin(method: string, path: string, body?: unknown) {
  const agent = service.demo.admin;
  return service.api(method, path, { agent, ...(body === undefined ? {} : { body }) });
}

/** Of the operator's machine. */
let env: Readonly<Record<string, string>> = {};

/** A command line as an operator runs it at a shell without a terminal. */
async function command(...words: readonly string[]) {
  const child = Bun.spawn([process.execPath, "src/ops/main.ts", "dead-letters", ...words], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: service.dataDir, INNKEEP_URL: "", INNKEEP_SECRET: "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err, code: await child.exited };
}

async function listed(): Promise<readonly Delivery[]> {
  const { out, code } = await command("list", "--json", "--endpoint", endpoint.endpoint_id);
  expect(code).toBe(0);
  return JSON.parse(out);
}

/** Makes events while the receiver fails; their dead letters. */
async function deadLetters(count: number): Promise<readonly Delivery[]> {
  await receiver.behave("failing");
  for (let n = 0; n < count; n += 1) await newHold(service, stayRequest(hotel));
  const query = `?endpoint_id=${endpoint.endpoint_id}&unhandled=true`;
  let found: readonly Delivery[] = [];
  await until("the deliveries are dead", async () => {
    const answer = await admin("GET", DELIVERIES + query);
    found = answer.ok<{ items: readonly Delivery[] }>().data.items;
    return found.length === count;
  });
  return found;
}

/** Runs the commands of the guide, about this delivery. */
async function expectGuide(deliveryId: string): Promise<void> {
  const guide = await Bun.file(join(ROOT, "src/publish/docs/guides/webhooks.md")).text();
  const blocks = [...guide.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block!);
  const lines = blocks.join("").trim().split("\n");
  expect(lines.length).toBeGreaterThan(6);
  for (const line of lines) {
    const words = line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
    expect(words.splice(0, 5)).toEqual(["npm", "run", "--silent", "dead-letters", "--"]);
    const about = words.map((word) => (word === "dlv_…" ? deliveryId : word));
    expect({ line, code: (await command(...about)).code }).toEqual({ line, code: 0 });
  }
}

test("dead letters are found by API and command, sent by hand, and replayed after the repair", async () => {
  const [dead] = (await deadLetters(1)) as [Delivery];
  const path = `${DELIVERIES}/${dead.delivery_id}`;
  const detail = (await admin("GET", path)).ok<DeliveryDetail>().data;
  expect(detail).toMatchObject({ state: "dead_lettered", reason: "http_5xx", status: 500 });
  expect(detail.attempts.map(({ nth, status }) => [nth, status])).toEqual([
    ...[
      [1, 500],
      [2, 500],
    ],
  ]);
  expect(detail.attempts[0]!.request_headers).toMatchObject({
    ...{ "webhook-id": dead.webhook_id, "webhook-signature": "***", "x-tenant-key": "***" },
  });
  expect((await listed()).map((each) => each.delivery_id)).toEqual([dead.delivery_id]);
  const shown = await command("show", dead.delivery_id);
  expect(shown.code).toBe(0);
  for (const told of [dead.webhook_id, "http_5xx (500)", "x-tenant-key: ***", "curl -i -X POST"]) {
    expect(shown.out).toContain(told);
  }
  expect(shown.out).not.toContain("not for other eyes");
  expect(shown.out).not.toContain(endpoint.secret);

  await receiver.behave("ok");
  const env = { PATH: process.env.PATH!, WEBHOOK_SECRET: endpoint.secret };
  const sent = Bun.spawn(["sh", "-c", detail.request!.curl], { env, stderr: "ignore" });
  expect(await sent.stdout.text()).toStartWith("HTTP/1.1 204");
  const before = receiver.ids.filter((id) => id === dead.webhook_id).length;
  const replayed = await command("replay", dead.delivery_id, "--json");
  const again = JSON.parse(replayed.out) as DeliveryDetail;
  expect(again).toMatchObject({
    ...{ state: "succeeded", webhook_id: dead.webhook_id, replay_of: dead.delivery_id },
  });
  expect(replayed.code).toBe(0);
  expect(receiver.ids.filter((id) => id === dead.webhook_id)).toHaveLength(before + 1);
  expect(receiver.faults).toEqual([]);
  expect(await listed()).toEqual([]);
});

test("a replay goes to the endpoint's current address, signed with its current secret", async () => {
  const [dead] = (await deadLetters(1)) as [Delivery];
  let other = Receiver.start("moved");
  other.trust(endpoint.secret);
  try {
    const path = `${WEBHOOKS}/${endpoint.endpoint_id}`;
    (
      await admin("PATCH", path, { url: other.url, headers: { "X-Tenant-Key": "ours there" } })
    ).ok();
    const rotated = await admin("POST", `${path}/rotate-secret`, { overlap_s: 0 });
    const { secret } = rotated.ok<{ secret: string }>(201).data;
    other.trust(secret);
    (await admin("POST", `${DELIVERIES}/${dead.delivery_id}/replay`)).ok(202);
    await until("the event has arrived", () => other.ids.length > 0);
    expect(other.ids).toEqual([dead.webhook_id]);
    expect(other.faults).toEqual([]);
    await receiver.stop();
    [receiver, other] = [other, receiver];
  } finally {
    await other.stop();
  }
});

test("all dead letters are replayed at once after a confirmation or with --yes", async () => {
  // Five failures in a row would have the endpoint left alone for a while.
  const dead = await deadLetters(2);
  const unasked = await command("replay-all");
  expect({ code: unasked.code, out: unasked.out }).toEqual({ code: 2, out: "" });
  expect(unasked.err).toContain("--yes");
  const dry = await command("replay-all", "--dry-run", "--json", "--reason", "http_5xx");
  expect(JSON.parse(dry.out)).toEqual({ dead_letters: 2, replayed: 0 });
  expect((await command("replay-all", "--dry-run", "--since", "1s")).code).toBe(0);
  const clock = new ShiftedClock();
  clock.jump(-3_600_000);
  env = clock.env;
  const behind = await command("replay-all", "--dry-run", "--json");
  env = {};
  clock.close();
  expect(JSON.parse(behind.out)).toEqual({ dead_letters: 2, replayed: 0 });
  await receiver.behave("ok");
  const all = await command("replay-all", "--yes", "--endpoint", endpoint.endpoint_id);
  expect({ code: all.code, out: all.out.split("\n").at(-2) }).toEqual({
    ...{ code: 0, out: "2 replayed" },
  });
  expect(all.err).toContain("2 of 2 (100 %)");
  expect(all.err).toContain(`(tenant ${service.demo.tenant_id})`);
  await until("all have arrived", () =>
    dead.every(({ webhook_id }) => receiver.ids.includes(webhook_id)),
  );
  const { out } = await command("stats", "--json");
  const [stats] = JSON.parse(out) as readonly Stats[];
  expect(stats).toMatchObject({ endpoint_id: endpoint.endpoint_id, dead_letters: 0 });
  expect((await command("stats", "--endpoint", endpoint.endpoint_id)).out).toContain("MEAN MS");
});

test("events older than an endpoint are delivered on request, and none twice", async () => {
  const { hold_id } = await newHold(service, stayRequest(hotel));
  (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
  const late = Receiver.start("late");
  try {
    const body = { url: late.url, events: ["hold.released"] };
    const { data } = (await admin("POST", WEBHOOKS, body)).ok<typeof endpoint>(201);
    late.trust(data.secret);
    for (const found of [1, 0]) {
      const since = new Date(Date.now() - 60_000).toISOString();
      const path = `${WEBHOOKS}/${data.endpoint_id}/replay-missing`;
      const { next_actions } = (await admin("POST", path, { since })).ok();
      await until("the search is done", async () => {
        const shown = await admin("GET", next_actions[0]!.href);
        const { state, deliveries } = shown.ok<{ state: string; deliveries: number }>().data;
        return state === "completed" && deliveries === found;
      });
    }
    await until("the event has arrived", () => late.ids.length > 0);
    expect(late.arrivals.at(-1)).toMatchObject({ type: "hold.released", data: { hold_id } });
    expect(late.ids).toHaveLength(1);
  } finally {
    await late.stop();
  }
});

test("a discard is reported, and each impossible command has its own exit code", async () => {
  const states = await command(
    "list",
    "--states",
    "succeeded",
    "--endpoint",
    endpoint.endpoint_id,
    "--limit",
    "1",
    "--json",
  );
  const [succeeded] = JSON.parse(states.out) as [Delivery];
  await receiver.behave("failing");
  const failed = await command("replay", succeeded.delivery_id, "--json");
  const open = JSON.parse(failed.out) as Delivery;
  expect({ code: failed.code, state: open.state }).toEqual({ code: 1, state: "scheduled" });
  const given = await command("discard", open.delivery_id, "--reason", "told by telephone");
  expect({ code: given.code, isTold: given.out.includes("cancelled") }).toEqual({
    ...{ code: 0, isTold: true },
  });
  await receiver.behave("ok");
  await expectGuide(open.delivery_id);
  const unknown = await command("show", "dlv_x");
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain("webhook_delivery_not_found");
  for (const words of [["discard", "dlv_x"], ["list", "--since", "tomorrow"], ["play"], ["show"]]) {
    expect({ words, code: (await command(...words)).code }).toEqual({ words, code: 2 });
  }
  const help = await command("replay-all", "--help");
  expect({ code: help.code, isTold: help.out.includes("Exit codes") }).toEqual({
    ...{ code: 0, isTold: true },
  });
});

test("deliveries are found at the address that they had before, as at the present one", async () => {
  const [former, present] = ["/v1/admin/webhooks/deliveries", DELIVERIES];
  const items = async (path: string) => (await admin("GET", path)).ok<{ items: object[] }>().data;
  expect(await items(former)).toEqual(await items(present));
  for (const path of [former, present]) {
    (await admin("GET", `${path}/dlv_x`)).refused("webhook_delivery_not_found");
    (await admin("POST", `${path}/dlv_x/replay`, {})).refused("webhook_delivery_not_found");
  }
});
