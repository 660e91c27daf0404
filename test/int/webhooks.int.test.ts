/**
 * Goal: what happens at a hotel reaches the receivers that asked for it, signed, whatever dies in
 * between. Method: real processes, and receivers built on the unmodified public library.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { DEAD_LETTER_QUEUE } from "../../jobs/webhooks/recover/dead-letters.ts";
import type { DeliveryFilter } from "../../jobs/webhooks/store/delivery-store.ts";
import { DeliveryStore } from "../../jobs/webhooks/store/delivery-store.ts";
import { openDeliveries } from "../../jobs/webhooks/store/schema.ts";
import { deliveriesPath, privateSocketPath } from "../../src/config.ts";
import { createHotel, type Hotel, newBooking, stayRequest } from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { addEndpointTo, WebhookReceiver } from "../support/webhook-receiver.ts";

let service: Service;
let hotel: Hotel;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const env = { WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,0.1,0.2" };
  service = await Service.start({ ...env, API_PROCESSES: "1" });
  hotel = await createHotel(service, { units: [500] });
});
afterAll(() => service.stop());
afterEach(() => receiver?.stop());

/** The durable rows of an endpoint, oldest event first. */
function deliveriesOf(endpoint_id: string, filter: Partial<DeliveryFilter> = {}) {
  const store = new DeliveryStore(openDeliveries(deliveriesPath(service.dataDir), "full"));
  const realm = { tenant_id: service.demo.tenant_id, mode: "live" } as const;
  const all = { ...realm, visible_property_ids: null, endpoint_id, ...filter };
  const found = [...store.list(all, { after: null, limit: 1_000 }).items];
  store.close();
  return found.sort((a, b) => a.seq - b.seq);
}

test("a booking reaches a receiver, with its guest where the endpoint may see guests", async () => {
  receiver = new WebhookReceiver();
  // Who repeats what it was sent must not make us keep it.
  receiver.answer = ({ event }) => Response.json(event, { headers: { "x-echo": "Ada Lovelace" } });
  const scopes = ["bookings:read"];
  const kinds = ["booking.confirmed"];
  const { endpoint_id, secret } = addEndpointTo(service, receiver.url, { scopes, kinds });
  receiver.secret = secret;
  const booking = await newBooking(service, stayRequest(hotel));
  await until("the event is received", () => receiver.received.length > 0);
  const [{ id, event, headers }] = receiver.received as [(typeof receiver.received)[0]];
  expect(event).toMatchObject({
    ...{ id, type: "booking.confirmed", tenant_id: service.demo.tenant_id, mode: "live" },
    subject: { type: "booking", id: booking.booking_id, version: 1 },
    data: { state: "confirmed", property_id: hotel.id, guest: { primary: {} } },
  });
  expect(headers["webhook-id"]).toBe(id);
  const events = await service.api("GET", "/v1/admin/events?limit=1", {
    agent: service.demo.admin,
  });
  const { journal_id } = events.ok<{ readonly journal_id: string }>().data;
  expect(headers["innkeep-journal-id"]).toBe(journal_id);
  expect(receiver.faults).toEqual([]);
  await until("it is settled", () => deliveriesOf(endpoint_id)[0]?.state === "succeeded");
  expect(deliveriesOf(endpoint_id)).toMatchObject([
    { webhook_id: id, kind: "booking.confirmed", attempts: 1, last_status: 200 },
  ]);
  const guest = (event.data.guest as { readonly primary: Readonly<Record<string, string>> })
    .primary;
  const files = ["deliveries.db", "deliveries.db-wal"].map((file) => {
    return readFileSync(join(service.dataDir, file), "latin1");
  });
  const isKept = (text: string) => files.some((bytes) => bytes.includes(text));
  expect(isKept(id)).toBeTrue();
  const secrets = [...Object.values(guest), "Ada Lovelace", receiver.secret];
  expect(secrets.filter(isKept)).toEqual([]);
});

test("a delivery that fails its whole schedule is a dead letter, in the rows and the queue", async () => {
  receiver = new WebhookReceiver();
  receiver.answer = () => new Response("no room", { status: 500 });
  const terms = { kinds: ["booking.confirmed"], scopes: [] };
  const { endpoint_id, secret } = addEndpointTo(service, receiver.url, terms);
  receiver.secret = secret;
  await newBooking(service, stayRequest(hotel));
  await until("it has died", () => {
    return deliveriesOf(endpoint_id).some(({ state }) => state === "dead_lettered");
  });
  const dead = deliveriesOf(endpoint_id, { states: ["dead_lettered"] });
  expect(dead).toMatchObject([{ attempts: 3, reason: "http_5xx", last_status: 500 }]);
  expect(new Set(receiver.ids).size).toBe(dead.length);
  const connection = new Redis(privateSocketPath(service.dataDir));
  const [key] = await connection.keys(`*:${DEAD_LETTER_QUEUE}:meta`);
  const prefix = key!.split(":")[0]!;
  const queue = new Queue(DEAD_LETTER_QUEUE, { connection, prefix });
  const { delivery_id } = dead[0]!;
  await until("its job is there", async () => Boolean(await queue.getJob(delivery_id)));
  expect((await queue.getJob(delivery_id))!.name).toBe("http_5xx");
  await connection.flushall();
  await until("it is there again", async () => Boolean(await queue.getJob(delivery_id)));
  await queue.close();
  connection.disconnect();
});

test("metrics tell how deliveries go, and name no endpoint", async () => {
  const value = async (sample: string) => {
    const line = (await service.metrics()).split("\n").find((each) => each.startsWith(sample));
    return Number(line?.split(" ").at(-1));
  };
  const failed = 'innkeep_webhook_attempts_total{health="troubled",result="failed"';
  await until("failures are counted", async () => (await value(failed)) >= 3);
  await until("dead letters are", async () => (await value("innkeep_webhook_dead_letters{")) >= 1);
  expect(await value('innkeep_webhook_dead_letters_total{reason="http_5xx"')).toBe(1);
  expect(await value("innkeep_webhook_cursor_lag_rows{")).toBeLessThan(100);
  expect(await service.metrics()).not.toContain("whe_");
});
