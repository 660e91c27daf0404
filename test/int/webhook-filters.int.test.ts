/**
 * Goal: an endpoint gets the events that it asked for, whatever is done to it meanwhile, and each
 * is signed by every secret in force. Method: endpoints made by the API at a receiver that keeps
 * what comes, events made by bookings, and the public library to verify with.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hotel,
  newBooking,
  newHold,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { RawReceiver, type Received, verified } from "../support/raw-receiver.ts";
import { Service, until } from "../support/service.ts";

const WEBHOOKS = "/v1/admin/webhooks";

interface Standing {
  readonly state: string;
  readonly failing_since: string | null;
  readonly oldest_dead_letter_at: string | null;
}
interface Made {
  readonly endpoint_id: string;
  readonly secret: string;
}

let service: Service;
let one: Hotel;
let other: Hotel;
let receiver: RawReceiver;

beforeAll(async () => {
  const env = { WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,0.1" };
  service = await Service.start({ API_PROCESSES: "1", ...env });
  [one, other] = [await createHotel(service), await createHotel(service)];
});
afterAll(() => service.stop());

beforeEach(() => {
  receiver = new RawReceiver();
});
afterEach(() => receiver.stop());

async function post<Data>(path: string, body: object = {}, status = 200): Promise<Data> {
  const agent = service.demo.admin;
  return (await service.api("POST", path, { agent, body })).ok<Data>(status).data;
}

/** An endpoint whose events come to a path of its own. */
function endpointAt(path: string, terms: object = {}): Promise<Made> {
  return post(WEBHOOKS, { url: receiver.url + path, events: ["*"], ...terms }, 201);
}

/** What came to a path, pings left out. */
function eventsAt(path: string) {
  const ours = receiver.received.filter((each) => each.path === `/${path}`);
  const events = ours.map((each: Received) => ({ ...each, event: JSON.parse(each.body) }));
  return events.filter(({ event }) => event.seq !== null);
}

const typesAt = (path: string) => eventsAt(path).map(({ event }) => event.type);

const book = (hotel: Hotel): Promise<Booking> => newBooking(service, stayRequest(hotel));

test("an endpoint gets events of its kinds, properties and subjects, and of its mode", async () => {
  const { booking_id } = await book(one);
  const kinds = ["booking.confirmed", "booking.cancelled"];
  await endpointAt("kinds", { events: kinds });
  await endpointAt("property", { property_ids: [other.slug], events: kinds });
  await endpointAt("subject", { subjects: [`booking:${booking_id}`] });
  const all = await endpointAt("all");
  const agent = service.demo.test_admin;
  const body = { url: `${receiver.url}test-mode`, events: ["*"] };
  (await service.api("POST", WEBHOOKS, { agent, body })).ok(201);
  const there = await book(other);
  (await sendCancel(service, booking_id)).ok();
  const last = "refund.succeeded";
  // Deliveries overtake each other: the last event may come before others.
  const seqsOfAll = () => eventsAt("all").map(({ event }) => event.seq as number);
  const isDense = () => Math.max(...seqsOfAll()) - Math.min(...seqsOfAll()) < seqsOfAll().length;
  await until("all has come", () => {
    const hasCome = (path: string, count: number) => eventsAt(path).length >= count;
    const others = hasCome("kinds", 2) && hasCome("property", 1) && hasCome("subject", 1);
    return others && typesAt("all").includes(last) && isDense();
  });
  const subjectsAt = (path: string) => eventsAt(path).map(({ event }) => event.subject.id);
  expect(typesAt("kinds").sort()).toEqual(kinds.toSorted());
  expect(subjectsAt("property")).toEqual([there.booking_id]);
  expect(typesAt("subject")).toEqual(["booking.cancelled"]);
  expect(subjectsAt("subject")).toEqual([booking_id]);
  expect(eventsAt("test-mode")).toEqual([]);
  const seqs = eventsAt("all")
    .map(({ event }) => event.seq)
    .sort((a, b) => a - b);
  expect(seqs).toEqual(seqs.map((_, i) => seqs[0] + i));
  for (const received of eventsAt("all")) verified(received, all.secret);
});

test("events after the answer to a change use the changed filters", async () => {
  const { endpoint_id } = await endpointAt("changed", { events: ["hold.created"] });
  const { hold_id } = await newHold(service, stayRequest(one));
  await until("the worker knows the endpoint", () => typesAt("changed").length > 0);
  const body = { events: ["hold.created", "hold.released"] };
  const agent = service.demo.admin;
  (await service.api("PATCH", `${WEBHOOKS}/${endpoint_id}`, { agent, body })).ok();
  (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
  await until("the release has come", () => typesAt("changed").length > 1, 3_000);
  expect(typesAt("changed")).toEqual(["hold.created", "hold.released"]);
});

test("during a rotation every delivery has the signatures of both secrets", async () => {
  const { endpoint_id, secret } = await endpointAt("", { events: ["hold.created"] });
  const path = `${WEBHOOKS}/${endpoint_id}`;
  const hold = async () => {
    const before = eventsAt("").length;
    await newHold(service, stayRequest(one));
    await until("it has come", () => eventsAt("").length > before);
    return eventsAt("").at(-1)!;
  };
  verified(await hold(), secret);
  const second = await post<Made>(`${path}/rotate-secret`, { overlap_s: 60 }, 201);
  await until("the worker has heard", async () => signaturesOf(await hold()) === 2);
  const both = await hold();
  expect(verified(both, secret)).toEqual(verified(both, second.secret));
  const third = await post<Made>(`${path}/rotate-secret`, { overlap_s: 0 }, 201);
  await until("the worker has heard", async () => signaturesOf(await hold()) === 1);
  const alone = await hold();
  verified(alone, third.secret);
  for (const old of [secret, second.secret]) expect(() => verified(alone, old)).toThrow();
});

function signaturesOf({ headers }: Received): number {
  return headers["webhook-signature"]!.split(" ").length;
}

test("events wait while an endpoint is paused and are skipped while it is disabled", async () => {
  const { endpoint_id } = await endpointAt("", { events: ["hold.created"] });
  const path = `${WEBHOOKS}/${endpoint_id}`;
  const holdIds = (at = "") => eventsAt(at).map(({ event }) => event.subject.id);
  const hold = async () => (await newHold(service, stayRequest(one))).hold_id;
  await post(`${path}/pause`);
  const waiting = [await hold(), await hold()];
  await post(`${path}/resume`);
  await until("what waited has come", () => eventsAt("").length >= 2);
  expect(holdIds().sort()).toEqual(waiting.toSorted());
  await post(`${path}/disable`);
  // Who hears of this one has heard of what was done before.
  await endpointAt("later", { events: ["hold.created"] });
  await hold();
  await until("the worker has heard", () => holdIds("later").length > 0);
  const missed = await hold();
  await until("it has come to the other", () => holdIds("later").includes(missed));
  const agent = service.demo.admin;
  const resumed = await service.api("POST", `${path}/resume`, { agent });
  const after = await hold();
  await until("it has come", () => holdIds().includes(after));
  expect(holdIds()).not.toContain(missed);
  const { next_actions } = resumed.ok();
  expect(steps(next_actions)).toEqual([`get GET ${path}`, `get GET ${path}/stats`]);
  const { missed_since } = resumed.ok<{ readonly missed_since: string }>().data;
  const body = { since: missed_since };
  const asked = await service.api("POST", `${path}/replay-missing`, { agent, body });
  expect(asked.status).toBeLessThan(300);
  await until("what was missed has come", () => holdIds().includes(missed));
});

test("an endpoint that is gone is disabled with its time and gets its dead letters once back", async () => {
  await endpointAt("notices", {
    events: ["webhook.endpoint_disabled", "webhook.endpoint_recovered"],
  });
  const broken = new RawReceiver();
  try {
    const body = { url: broken.url, events: ["hold.created"] };
    const { endpoint_id } = await post<Made>(WEBHOOKS, body, 201);
    const path = `${WEBHOOKS}/${endpoint_id}`;
    const agent = service.demo.admin;
    const show = async () => (await service.api("GET", path, { agent })).ok<Standing>();
    broken.answer = () => new Response(null, { status: 500 });
    const { hold_id } = await newHold(service, stayRequest(one));
    await until("it fails", async () => (await show()).data.failing_since !== null);
    await until("a delivery has died", async () => {
      return (await show()).data.oldest_dead_letter_at !== null;
    });
    broken.answer = () => new Response(null, { status: 410 });
    await newHold(service, stayRequest(one));
    await until("it is disabled", async () => (await show()).data.state === "disabled");
    const { data, next_actions: ways } = await show();
    expect(data).toMatchObject({ disabled_reason: "gone", failing_since: null });
    expect(ways.map(({ rel }) => rel)).not.toContain("retry");
    broken.answer = () => new Response();
    const back = (await service.api("POST", `${path}/resume`, { agent })).ok<Standing>();
    expect(back.data).toMatchObject({ state: "active", disabled_reason: null });
    const recover = (dry_run: boolean) => {
      const body = { since: back.data.oldest_dead_letter_at, dry_run };
      return service.api("POST", `${path}/recover`, { agent, body });
    };
    const counted = (await recover(true)).ok<{ deliveries: number }>();
    expect(counted.data).toMatchObject({ state: "dry_run", deliveries: 2 } as never);
    const came = () => broken.received.filter(({ body }) => body.includes(hold_id)).length;
    const before = came();
    (await recover(false)).ok();
    await until("what died has come", () => came() > before);
    // Of the endpoint of the test before, too: it may have recovered only now.
    const told = () => eventsAt("notices").filter(({ event }) => event.subject.id === endpoint_id);
    await until("both are told", () => told().length === 2);
    expect(told().map(({ event }) => event.type)).toEqual([
      "webhook.endpoint_disabled",
      "webhook.endpoint_recovered",
    ]);
  } finally {
    await broken.stop();
  }
});

test("that tenants may have this network called is said by every process that calls", () => {
  const lines = service.log.split("\n").filter((line) => line.includes("WEBHOOKS_ALLOW_PRIVATE"));
  const roles = lines.map((line) => (JSON.parse(line) as { role: string }).role);
  expect([...new Set(roles)].sort()).toEqual(["api", "worker"]);
});
