/**
 * Goal: a change at a property reaches the partner's address as messages with the current state, by
 * the schedule and the dead letters of all deliveries. Method: a whole worker without Redis on real
 * files, and a receiver on loopback that answers as partners do.
 */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import { propertyTree } from "../../../test/support/builders.ts";
import { anEndpoint, SECRET } from "../../../test/support/deliveries.ts";
import { RawReceiver } from "../../../test/support/raw-receiver.ts";
import { until } from "../../../test/support/service.ts";
import { WebhookRig } from "../../../test/support/webhook-rig.ts";
import { DAMAGED_AGAIN_MS } from "../derive/journal-rows.ts";
import type { Endpoint } from "../endpoint.ts";
import { DeliveryStore } from "../store/delivery-store.ts";
import { openDeliveries } from "../store/schema.ts";
import { Bodies } from "./bodies.ts";
import { kindsOf } from "./ota.ts";

const TREE = propertyTree();
const TAKEN =
  '<?xml version="1.0"?><OTA_HotelInvCountNotifRS Version="3.0"><Success/></OTA_HotelInvCountNotifRS>';
const REFUSED =
  '<OTA_HotelInvCountNotifRS><Errors><Error Type="12" Code="450"/></Errors></OTA_HotelInvCountNotifRS>';

let rig: WebhookRig;
let receiver: RawReceiver;
beforeEach(() => {
  rig = new WebhookRig();
  receiver = new RawReceiver();
  receiver.answer = () => new Response(TAKEN);
  rig.endpoints = [messagesTo(receiver)];
});
afterEach(async () => {
  rig.stop();
  await receiver.stop();
});

function messagesTo({ url }: RawReceiver, over: Partial<Endpoint> = {}): Endpoint {
  const format = "ota_inventory";
  const ota = { requestor_id: "innkeep" };
  const terms = { format, ota, kinds: kindsOf(format), ordering: "per_subject" } as const;
  return anEndpoint({ ...terms, url, ...over });
}

/** Of the hotel: for some hours it is another day there than in UTC. */
const today = () => todayIn(TREE.timezone, rig.now());
const on = (inDays: number) => dateOf(today() + inDays);

/** Sets the units of a night in so many days. */
function set(inDays: number, capacity: number): void {
  const range = { room_type_id: "room-double", from: on(inDays), to: on(inDays), capacity };
  const data = { property_id: TREE.id, ari: { inventory: [range] } };
  rig.tell({ type: "ari.changed", data });
}

/** What has been told of the night, message by message. */
function toldOf(inDays: number): string[] {
  const item = new RegExp(`Start="${on(inDays)}" End="${on(inDays)}".*?Count="(\\d+)"`);
  return receiver.received.flatMap(({ body }) => item.exec(body)?.[1] ?? []);
}

const settled = () => rig.all().every(({ settled_at }) => settled_at !== null);
const untilSettled = (count: number) =>
  until("all is settled", () => rig.all().length === count && settled());

test("a change of supply is a message of its cells, signed like events", async () => {
  rig.supply(TREE);
  rig.start();
  await untilSettled(1);
  set(5, 7);
  rig.tell({ type: "ari.changed", data: { property_id: TREE.id, ari: { rates: [] } } });
  await untilSettled(2);
  expect(toldOf(5)).toEqual(["7"]);
  expect(rig.all()).toMatchObject([
    { kind: "property.promoted", subject: `property:${TREE.id}`, state: "succeeded" },
    { kind: "ari.changed", subject: `property:${TREE.id}`, state: "succeeded" },
  ]);
  const { body, headers } = receiver.last;
  expect(headers["content-type"]).toBe("application/xml");
  const { delivery_id, webhook_id } = rig.all()[1]!;
  expect(headers["webhook-id"]).toBe(webhook_id);
  expect(body).toContain(`EchoToken="${delivery_id}"`);
  new Webhook(SECRET).verify(body, { ...headers }, { jsonParse: false });
});

test("no message is sent for a property that is not on sale or for past nights", async () => {
  rig.supply(TREE);
  const draft = propertyTree({ id: "property-draft", slug: "draft" });
  rig.tell({ type: "property.created", data: { property_id: draft.id, tree: draft } });
  const range = { room_type_id: "room-double", from: on(5), to: on(5), capacity: 7 };
  const data = { property_id: draft.id, ari: { inventory: [range] } };
  rig.tell({ type: "ari.changed", data });
  set(-5, 7);
  rig.start();
  await untilSettled(1);
  await Bun.sleep(200);
  expect(rig.all().map(({ kind }) => kind)).toEqual(["property.promoted"]);
});

test("a suspended property is sent without rooms, and a changed property is sent again", async () => {
  rig.supply(TREE);
  rig.start();
  await untilSettled(1);
  const { id: property_id } = TREE;
  const suspended = { property_id, state: "suspended", version: 3 } as const;
  rig.tell({ type: "property.suspended", data: suspended });
  await untilSettled(2);
  const tree = { ...TREE, room_types: TREE.room_types.map(tripled) };
  rig.tell({
    type: "property.replaced",
    data: { property_id, tree, version: 4, supply_version: 2 },
  });
  rig.tell({ type: "property.promoted", data: { property_id, state: "live", version: 5 } });
  await until("all is settled", () => rig.all().length >= 3 && settled());
  const counts = receiver.received.flatMap(({ body }) => /Count="(\d+)"/.exec(body)?.[1] ?? []);
  expect([counts[0], counts[1], counts.at(-1)]).toEqual(["2", "0", "6"]);
});

function tripled(room: (typeof TREE)["room_types"][number]) {
  return { ...room, default_inventory: 3 * room.default_inventory };
}

test("a retried message has the current state", async () => {
  rig.supply(TREE);
  rig.schedule = [0, 600, 600];
  receiver.answer = () => new Response(TAKEN, { status: receiver.received.length > 1 ? 200 : 500 });
  rig.start();
  await untilSettled(1);
  receiver.received.length = 0;
  set(5, 7);
  await until("it has failed", () => rig.all()[1]?.attempts === 1);
  set(5, 3);
  await untilSettled(3);
  expect(toldOf(5)).toEqual(["7", "3"]);
});

test("a retried message leaves out nights that are past by then", async () => {
  rig.supply(TREE);
  rig.schedule = [0, 50, 200_000_000];
  receiver.answer = () => new Response(TAKEN, { status: 500 });
  rig.endpoints = [messagesTo(receiver, { kinds: ["ari.changed"] })];
  set(2, 7);
  rig.start();
  // Not only begun twice: the next attempt is counted from the end of this one.
  await until("it has failed twice", () => {
    return rig.all().some(({ state, attempts }) => state === "scheduled" && attempts === 2);
  });
  rig.aheadMs = 5 * 86_400_000;
  await until("it is settled", () => rig.all().at(-1)?.settled_at !== null);
  expect(rig.all().at(-1)).toMatchObject({ state: "cancelled", reason: "nothing_to_send" });
});

test("an answer without Success is a failure; a replay of a dead letter sends the current state", async () => {
  rig.supply(TREE);
  receiver.answer = () => new Response(REFUSED);
  rig.endpoints = [messagesTo(receiver, { kinds: ["ari.changed"] })];
  set(5, 7);
  rig.start();
  await untilSettled(1);
  const [dead] = rig.all();
  expect(dead).toMatchObject({
    state: "dead_lettered",
    reason: "invalid_answer",
    last_status: 200,
  });
  expect(dead!.attempts).toBe(3);
  const store = new DeliveryStore(openDeliveries(rig.path, "full"));
  expect(store.attempts(dead!.delivery_id)[0]!.excerpt).toBe(REFUSED);
  receiver.answer = () => new Response(TAKEN);
  receiver.received.length = 0;
  set(5, 4);
  await untilSettled(2);
  store.replay(dead!.delivery_id, "manual", rig.now());
  store.close();
  await untilSettled(3);
  expect(toldOf(5)).toEqual(["4", "4"]);
  expect(rig.states()).toEqual({ dead_lettered: 1, succeeded: 2 });
});

/** Answers when it is told to; how many of each property are under way, at most. */
function slowly() {
  const gate = Promise.withResolvers<void>();
  const underWay = new Map<string, number>();
  let [most, mostOfAll] = [0, 0];
  receiver.answer = async () => {
    const code = /HotelCode="([^"]+)"/.exec(receiver.last.body)![1]!;
    underWay.set(code, (underWay.get(code) ?? 0) + 1);
    most = Math.max(most, underWay.get(code)!);
    mostOfAll = Math.max(
      mostOfAll,
      [...underWay.values()].reduce((sum, each) => sum + each, 0),
    );
    await gate.promise;
    underWay.set(code, underWay.get(code)! - 1);
    return new Response(TAKEN);
  };
  return { open: gate.resolve, most: () => most, mostOfAll: () => mostOfAll };
}

test("a message that cannot be built frees its slot and is built once possible", async () => {
  rig.supply(TREE);
  rig.endpoints = [messagesTo(receiver, { max_in_flight: 1 })];
  const making = spyOn(Bodies.prototype, "messageOf").mockImplementationOnce(() => {
    throw new Error("not now");
  });
  rig.start();
  await until("it was put off", () => rig.logged.some((line) => line.includes("cannot be made")));
  rig.aheadMs += DAMAGED_AGAIN_MS;
  await untilSettled(1);
  making.mockRestore();
  expect(rig.states()).toEqual({ succeeded: 1 });
});

test("changes during a delivery are sent together in the next message", async () => {
  rig.supply(TREE);
  const slow = slowly();
  rig.start();
  await until("the first is under way", () => receiver.received.length === 1);
  for (let n = 1; n <= 40; n += 1) set(n % 10, n);
  await until("they wait", () => rig.all().length === 41);
  slow.open();
  await untilSettled(41);
  expect(receiver.received).toHaveLength(2);
  expect(rig.states()).toEqual({ succeeded: 41 });
  expect(rig.all().map(({ attempts }) => attempts)).toEqual(Array(41).fill(1));
  const last = (n: number) => String(n === 0 ? 40 : 30 + n);
  for (let n = 0; n < 10; n += 1) expect(toldOf(n).at(-1)).toBe(last(n));
  expect(slow.most()).toBe(1);
});

test("the changes of a failed message are sent with the next one, also after a crash", async () => {
  rig.supply(TREE);
  rig.schedule = [0, 100, 100, 100];
  rig.endpoints = [messagesTo(receiver, { kinds: ["ari.changed"] })];
  for (let n = 1; n <= 5; n += 1) set(n, n);
  const answers = [500, 200];
  receiver.answer = () => new Response(TAKEN, { status: answers.shift() ?? 200 });
  rig.start();
  await untilSettled(5);
  expect(rig.all().map(({ attempts }) => attempts)).toEqual([2, 1, 1, 1, 1]);
  const hanging = Promise.withResolvers<Response>();
  receiver.answer = () => hanging.promise;
  const before = receiver.received.length;
  for (let n = 1; n <= 5; n += 1) set(n, 10 + n);
  await until("they are under way", () => receiver.received.length === before + 1);
  rig.end({ kill: true });
  hanging.resolve(new Response(TAKEN));
  receiver.answer = () => new Response(TAKEN);
  rig.start();
  await untilSettled(10);
  expect(rig.states()).toEqual({ succeeded: 10 });
  for (let n = 1; n <= 5; n += 1) expect(toldOf(n).at(-1)).toBe(String(10 + n));
});

test("each property has one message in flight, replays included; properties do not wait", async () => {
  rig.supply(TREE);
  rig.supply(propertyTree({ id: "property-two", slug: "two" }));
  rig.start();
  await untilSettled(2);
  const store = new DeliveryStore(openDeliveries(rig.path, "full"));
  const slow = slowly();
  for (const { delivery_id } of rig.all()) store.replay(delivery_id, "manual", rig.now());
  await until("both properties are told", () => slow.mostOfAll() === 2);
  set(5, 9);
  const [first] = rig.all();
  await until("the change is there", () => rig.all().length === 5);
  await Bun.sleep(200);
  expect(receiver.received).toHaveLength(4);
  slow.open();
  await untilSettled(5);
  store.close();
  expect(slow.most()).toBe(1);
  expect(first!.property_id).toBe(TREE.id);
  expect(toldOf(5).at(-1)).toBe("9");
});
