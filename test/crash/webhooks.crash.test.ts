/**
 * Goal: every event reaches every endpoint that accepts it, always with the same id, after any
 * fault of Redis and the worker; undeliverable events, and only those, are dead letters; slow,
 * silent and removed endpoints delay no other. Method: 1,000 events for 20 endpoints, FLUSHALL and
 * SIGKILL of the worker at places that the seed chooses; then the verified deliveries of the
 * receivers are compared with the events of the journal.
 *
 * The delay of healthy endpoints by the others is a measurement, not a verdict: it is
 * made by `npm run bench -- --only webhooks`.
 */
import { afterEach, expect, test } from "bun:test";
import { openConnections } from "../../jobs/redis/connections.ts";
import { privateSocketPath } from "../../src/config.ts";
import { Random } from "../sim/random.ts";
import { createHotel, dateIn } from "../support/client.ts";
import { eventsInJournal } from "../support/event-pages.ts";
import type { Behaviour } from "../support/receivers.ts";
import { Service, until } from "../support/service.ts";
import { kill } from "./faults.ts";
import { seeds } from "./seeds.ts";
import { Fleet, MAX_IN_FLIGHT, type Member, type Outcome, TAKING } from "./webhook-fleet.ts";

const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 1_000);
const KIND = "ari.changed";
const HOTELS = 10;
const WRITERS = 16;
const DELIVERY_LIMIT_MS = 60_000 + EVENTS * 60;
/** Nobody waits until they are done, this test neither. */
const PATIENT: readonly Behaviour[] = ["dripping", "silent"];
/** What has failed for longer than the six seconds of these attempts is given up. */
const SETTINGS = { WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,1,5" };

let service: Service | null = null;
let fleet: Fleet;
afterEach(async () => {
  await service?.stop();
  await fleet.stop();
});

test.each(seeds())(
  `${EVENTS} events reach all endpoints that accept them, and no others, after any fault, seed %d`,
  async (seed) => {
    const random = new Random(seed);
    fleet = new Fleet();
    service = await Service.start({ ...SETTINGS, ...fleet.env });
    await fleet.join(service, KIND);
    const [healthy, taking] = [fleet.of("ok"), fleet.of(...TAKING)];
    const changed = changeRates(service);
    await untilArrived(healthy, (EVENTS * random.between(10, 30)) / 100);
    await flushRedis(service);
    await untilArrived(healthy, (EVENTS * random.between(40, 60)) / 100);
    await kill(service, "worker");
    await changed;
    await untilArrived(healthy, EVENTS);
    checkNobodyWaited();
    await untilArrived(taking, EVENTS);
    await until("all is settled", () => isSettled(), DELIVERY_LIMIT_MS);
    checkArrivals(taking);
    checkOutcomes();
    expect(fleet.members.flatMap(({ receiver }) => receiver.faults)).toEqual([]);
    expect(fleet.addresses.filter((each) => each && !isLoopback(each))).toEqual([]);
  },
);

/** Makes the events: each a change of rates that differs from those before. */
async function changeRates(of: Service): Promise<void> {
  const hotels = await Promise.all(Array.from({ length: HOTELS }, () => createHotel(of)));
  let made = 0;
  const write = async () => {
    while (made < EVENTS) {
      const n = made++;
      const hotel = hotels[n % HOTELS]!;
      const [from, to] = [dateIn(10), dateIn(12)];
      const rates = [{ rate_plan_id: hotel.rooms[0]!.planIds[0]!, from, to, amount: 10_000 + n }];
      const path = `/v1/admin/properties/${hotel.id}/ari`;
      (await of.api("PUT", path, { agent: of.demo.admin, body: { rates } })).ok();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

async function flushRedis({ dataDir }: Service): Promise<void> {
  const target = { path: privateSocketPath(dataDir) };
  const connections = await openConnections(target, ["producer"], () => {});
  await connections.producer.flushall();
  await connections.stop();
}

function untilArrived(members: readonly Member[], count: number): Promise<void> {
  const haveAll = () => members.every((member) => member.receiver.taken.size >= count);
  return until(`${count} events at ${members.length} receivers`, haveAll, DELIVERY_LIMIT_MS);
}

/** Whoever had waited for those two would have waited for all that they get. */
function checkNobodyWaited(): void {
  const [dripping, silent] = fleet.of("dripping", "silent");
  expect(dripping!.receiver.taken.size).toBeLessThan(EVENTS);
  expect(fleet.count(silent!, "succeeded")).toBe(0);
  expect(fleet.openCount(silent!)).toBeGreaterThan(0);
}

/** All but what takes its time: a second for each answer, a quarter of a minute for none. */
function isSettled(): boolean {
  const others = fleet.members.filter(({ behaviour }) => !PATIENT.includes(behaviour));
  return others.every((member) => fleet.openCount(member) === 0);
}

/** Every event of the journal, in one chain, under its id wherever it came and however often. */
function checkArrivals(taking: readonly Member[]): void {
  const made = eventsInJournal(service!).filter(({ type }) => type === KIND);
  // What was on sale before has had its own.
  const ids = new Map(made.slice(-EVENTS).map(({ seq, id }) => [seq, id]));
  expect(ids.size).toBe(EVENTS);
  const seqs = [...ids.keys()];
  for (const member of taking) {
    const { arrivals, name } = member.receiver;
    const events = arrivals.filter(({ seq }) => seq !== null);
    expect(events.filter(({ seq, id }) => ids.get(seq!) !== id)).toEqual([]);
    const previous = new Map(events.map(({ seq, prev_seq }) => [seq, prev_seq]));
    expect(seqs.map((seq) => previous.get(seq))).toEqual([0, ...seqs.slice(0, -1)]);
    // Sent again is what was under way when the worker was killed, and nothing else.
    const taken = events.filter(({ status }) => status !== null && status < 300);
    console.log(`${name}: ${taken.length - EVENTS} came again`);
    expect(taken.length - EVENTS).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  }
}

function checkOutcomes(): void {
  const all = { state: "succeeded", reason: null, count: EVENTS };
  const dead = { ...all, state: "dead_lettered" };
  const expected: Partial<Record<Behaviour, Outcome>> = {
    dead: { ...dead, reason: "connect" },
    failing: { ...dead, reason: "http_5xx" },
    untrusted: { ...dead, reason: "tls" },
    redirecting: { ...dead, reason: "too_many_redirects" },
  };
  for (const member of fleet.members) {
    const { behaviour } = member;
    if (behaviour === "gone" || PATIENT.includes(behaviour)) continue;
    expect(fleet.outcomes(member)).toEqual([expected[behaviour] ?? all]);
  }
  const [ok, gone, dripping, silent] = (["ok", "gone", "dripping", "silent"] as const).map(
    (behaviour) => fleet.of(behaviour)[0]!,
  );
  // Disabled at once: the events until then are dead, of those after it is told nothing.
  const { length } = fleet.seqs(gone!);
  expect(length).toBeGreaterThan(0);
  expect(fleet.seqs(gone!)).toEqual(fleet.seqs(ok!).slice(0, length));
  expect(fleet.count(gone!, "dead_lettered")).toBe(length);
  // These have only come less far.
  expect(fleet.openCount(dripping!, "succeeded")).toBe(EVENTS);
  expect(fleet.openCount(silent!, "dead_lettered")).toBe(EVENTS);
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
