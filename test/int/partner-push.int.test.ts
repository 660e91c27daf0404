/**
 * Goal: changes by operators and guests reach a push partner as valid messages with the current
 * state. Method: a real service, endpoints made by the API, a receiver that answers as partners do;
 * messages are validated by libxml2 and compared with quotes of the same nights.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import type { DeliveryDetail } from "../../src/ops/cli/dead-letter-views.ts";
import {
  createHotel,
  dateIn,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { RawReceiver, type Received } from "../support/raw-receiver.ts";
import { Service, until } from "../support/service.ts";
import { validate } from "../support/xmllint.ts";

const ROOT = join(import.meta.dir, "..", "..");
const WEBHOOKS = "/v1/admin/webhooks";
const DELIVERIES = "/v1/admin/webhook-deliveries";
const KINDS = ["rates", "availability", "inventory"] as const;
type Kind = (typeof KINDS)[number];

interface Made {
  readonly endpoint_id: string;
  readonly secret: string;
  readonly state: string;
  readonly ping: null;
}

const answer = (inner: string) => `<?xml version="1.0" encoding="UTF-8"?><RS>${inner}</RS>`;
const taken = () => new Response(answer("<Success/>"));
const refused = () =>
  new Response(answer('<Errors><Error Type="12">No such hotel</Error></Errors>'));

let service: Service;
let hotel: Hotel;
let receiver: RawReceiver;
const endpoints = new Map<Kind, Made>();

beforeAll(async () => {
  const env = { WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,0.1" };
  service = await Service.start({ API_PROCESSES: "1", ...env });
  receiver = new RawReceiver();
  receiver.answer = taken;
  for (const kind of KINDS) {
    const ota = { requestor_id: "innkeep" };
    const body = { url: receiver.url + kind, format: `ota_${kind}`, ota };
    const made = await admin("POST", WEBHOOKS, body);
    endpoints.set(kind, made.ok<Made>(201).data);
  }
  hotel = await createHotel(service, { units: [5], rate: 10_000 });
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});
beforeEach(() => {
  receiver.answer = taken;
});

function admin(method: string, path: string, body?: unknown) {
  const agent = service.demo.admin;
  return service.api(method, path, { agent, ...(body === undefined ? {} : { body }) });
}

async function set(ari: object): Promise<void> {
  (await admin("PUT", `/v1/admin/properties/${hotel.id}/ari`, ari)).ok();
}

/** What came to the address of a kind about the hotel. */
function cameTo(kind: Kind): Received[] {
  const about = `HotelCode="${hotel.id}"`;
  return receiver.received.filter(({ path, body }) => path === `/${kind}` && body.includes(about));
}

/** The last thing that was told of the night in so many days of a room or plan. */
function toldOf(kind: Kind, code: string, inDays: number): string | undefined {
  const item =
    /Start="(.{10})" End="(.{10})" InvTypeCode="(.{36})"(?: RatePlanCode="(.{36})")?\/>(.*?)<\/(?:Inventory|AvailStatusMessage|RateAmountMessage)>/g;
  const night = dateIn(inDays);
  const all = cameTo(kind).flatMap(({ body }) => [...body.matchAll(item)]);
  return all.findLast(([, start, end, room, plan]) => {
    return (plan ?? room) === code && start! <= night && night <= end!;
  })?.[5];
}

const countOf = (inDays: number) =>
  /Count="(\d+)"/.exec(toldOf("inventory", hotel.rooms[0]!.id, inDays) ?? "")?.[1];
const untilCount = (inDays: number, count: number) =>
  until(`${count} units are told`, () => countOf(inDays) === String(count));

test("an endpoint of messages is active at once, and says what it is sent", async () => {
  for (const kind of KINDS) {
    const { endpoint_id, state, ping } = endpoints.get(kind)!;
    expect({ state, ping }).toEqual({ state: "active", ping: null });
    const shown = (await admin("GET", `${WEBHOOKS}/${endpoint_id}`)).ok<object>().data;
    expect(shown).toMatchObject({
      ...{ format: `ota_${kind}`, ota: { requestor_id: "innkeep" }, ordering: "per_subject" },
      ...{ scopes: [], subjects: null, version: 2 },
    });
  }
  const { endpoint_id } = endpoints.get("rates")!;
  const path = `${WEBHOOKS}/${endpoint_id}`;
  expect((await admin("PATCH", path, { events: ["*"] })).faults()).toEqual(["/events"]);
  expect((await admin("PATCH", path, { ordering: "none" })).faults()).toEqual(["/ordering"]);
  (await admin("POST", `${path}/pause`)).ok();
  const resumed = await admin("POST", `${path}/resume`);
  expect(resumed.ok<Made>().data).toMatchObject({ state: "active", ping: null });
  const test = await admin("POST", `${path}/test`);
  expect(test.ok<object>().data).toMatchObject({ ok: true, kind: "webhook.test" });
  const pings = receiver.received.filter(({ body }) => body.includes("<OTA_PingRQ "));
  expect(pings.map((each) => each.path)).toEqual(["/rates"]);
  const example = await admin("POST", `${path}/test`, { kind: "ari.changed" });
  expect(example.faults()).toEqual(["/kind"]);
});

test("a property that goes on sale is sent completely in valid, signed messages", async () => {
  await until("all three have come", () => KINDS.every((kind) => cameTo(kind).length > 0));
  for (const kind of KINDS) {
    const [{ body, headers }] = cameTo(kind) as [Received];
    validate(`ota-${kind}`, body);
    expect(headers["content-type"]).toBe("application/xml");
    new Webhook(endpoints.get(kind)!.secret).verify(body, { ...headers }, { jsonParse: false });
    expect(body).toContain('<RequestorID ID="innkeep"/>');
  }
  // Tomorrow here is on sale wherever the hotel is; today may be over there.
  expect(countOf(1)).toBe("5");
});

test("a rate is sent as the total of a quote for the night", async () => {
  const [plan] = hotel.rooms[0]!.planIds;
  const range = { from: dateIn(40), to: dateIn(42) };
  await set({ rates: [{ rate_plan_id: plan, ...range, amount: 23_457 }] });
  await until("it is told", () => Boolean(toldOf("rates", plan!, 41)?.includes("234.57")));
  const { price_breakdown } = await newQuote(
    service,
    stayRequest(hotel, { inDays: 41, nights: 1 }),
  );
  const total = (price_breakdown.total / 100).toFixed(2);
  expect(toldOf("rates", plan!, 41)).toContain(`AmountAfterTax="${total}"`);
  const before = cameTo("inventory").length;
  await set({ restrictions: [{ room_type_id: hotel.rooms[0]!.id, ...range, min_los_arrival: 3 }] });
  const limit = '<LengthOfStay Time="3" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/>';
  const lastOne = () => cameTo("availability").at(-1)!.body;
  await until("the restriction is told", () => lastOne().includes(limit));
  const message = lastOne();
  expect(toldOf("availability", plan!, 41)).toBeDefined();
  expect(message).toContain(`Start="${range.from}" End="${range.to}"`);
  expect(cameTo("inventory")).toHaveLength(before);
});

test("taken and released units are sent; a hold that becomes a booking is not", async () => {
  const stay = { inDays: 50, nights: 2 };
  const { booking_id } = await newBooking(service, stayRequest(hotel, stay));
  await untilCount(51, 4);
  const hold = await newHold(service, stayRequest(hotel, stay));
  await untilCount(50, 3);
  const release = `/v1/holds/${hold.hold_id}/release`;
  (await service.api("POST", release, { headers: { "idempotency-key": newKey() } })).ok();
  await untilCount(50, 4);
  (await sendCancel(service, booking_id)).ok();
  await untilCount(51, 5);
  expect(countOf(52)).toBe("5");
  const kinds = (await deliveriesTo("inventory")).map(({ kind }) => kind);
  expect(kinds).not.toContain("booking.confirmed");
  for (const kind of KINDS) for (const { body } of cameTo(kind)) validate(`ota-${kind}`, body);
});

test("a message that a partner refuses is a dead letter, and its replay has the current state", async () => {
  receiver.answer = refused;
  const room_type_id = hotel.rooms[0]!.id;
  const night = { room_type_id, from: dateIn(60), to: dateIn(60) };
  await set({ inventory: [{ ...night, capacity: 9 }] });
  let dead: DeliveryDetail | undefined;
  await until("it is dead", async () => {
    [dead] = (await deliveriesTo("inventory")).filter(({ state }) => state === "dead_lettered");
    return dead !== undefined;
  });
  const { delivery_id } = dead!;
  const shown = (await admin("GET", `${DELIVERIES}/${delivery_id}`)).ok<DeliveryDetail>().data;
  expect(shown).toMatchObject({ reason: "invalid_answer", status: 200, subject: about() });
  expect(shown.attempts[0]!.excerpt).toContain("No such hotel");
  expect(shown.request!.curl).toContain(`EchoToken="${delivery_id}"`);
  receiver.answer = taken;
  await set({ inventory: [{ ...night, capacity: 7 }] });
  await untilCount(60, 7);
  const before = cameTo("inventory").length;
  const args = ["dead-letters", "replay", delivery_id, "--json"];
  const child = Bun.spawn([process.execPath, "src/ops/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: service.dataDir, INNKEEP_URL: "", INNKEEP_SECRET: "" },
  });
  expect(JSON.parse(await child.stdout.text())).toMatchObject({ state: "succeeded" });
  expect(cameTo("inventory")).toHaveLength(before + 1);
  expect(countOf(60)).toBe("7");
});

const about = () => `property:${hotel.id}`;

async function deliveriesTo(kind: Kind): Promise<DeliveryDetail[]> {
  const query = `?endpoint_id=${endpoints.get(kind)!.endpoint_id}&limit=500`;
  return (await admin("GET", DELIVERIES + query)).ok<{ items: DeliveryDetail[] }>().data.items;
}
