/**
 * Goal: what a partner is told a stay costs is what a traveler is asked for it, to the last digit,
 * and what a partner is told is taken cannot be had. Method: stays drawn at random from the served
 * `ari.xml` of the demo tenant, and of a hotel in which everything that is hard comes together, are
 * quoted while nothing is written; the file is read without any code of those who write it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import type { DemoAgent, DemoFile } from "../../src/ops/demo/demo-file.ts";
import { Random } from "../../src/ops/demo/random.ts";
import { type Hotel, sendHold } from "../support/client.ts";
import { CLOSED_SEASON, createHardHotel } from "../support/hard-hotel.ts";
import {
  expectValid,
  type Fetched,
  feedPath,
  fetchBuilt,
  fetchFeed,
  minorOf,
  type Price,
  type ReadBundle,
  type ReadResult,
  readResult,
  resultsIn,
  textOf,
} from "../support/served-feeds.ts";
import { Service } from "../support/service.ts";

const SEED = process.env.SEED ?? crypto.randomUUID();
const PRICED = 500;
const REFUSED = 150;
/** Stays that are looked at in order to find as many. */
const DRAWN_MAX = 10_000;
/** Quotes asked for at once. */
const LANES = 16;
const NIGHTS = 7;
/** Of one hotel every day that can be asked for, of many those that are asked for as a rule. */
const HARD_DAYS = 90;
const DEMO_DAYS = 30;

/** What a tenant's partners are told, and who asks for quotes there. */
interface Source {
  readonly agent: DemoAgent;
  readonly operator: DemoAgent;
  readonly feed: Fetched;
  /** The elements of the file. */
  readonly results: readonly string[];
}

let service: Service;
let hard: Hotel;
let demo: Source;
/** Of the hard hotel alone. */
let one: Source;

async function sourceOf(
  { tenant_id, agent, admin: operator }: Pick<DemoFile, "tenant_id" | "agent" | "admin">,
  days: number,
): Promise<Source> {
  const path = feedPath("google", "ari", { tenant_id, days });
  const feed = await fetchBuilt(service, path);
  return { agent, operator, feed, results: resultsIn(textOf(feed)) };
}

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1" });
  const { second_tenant } = service.demo;
  hard = await createHardHotel(service, second_tenant);
  const all = await sourceOf(second_tenant, HARD_DAYS);
  const isHard = (text: string) => text.includes(`<Property>${hard.id}<`);
  one = { ...all, results: all.results.filter(isHard) };
  demo = await sourceOf(service.demo, DEMO_DAYS);
});
afterAll(() => service.stop());

/** Fails unless nothing has happened since the position that each feed is of but the feeds. */
async function expectSamePosition(): Promise<void> {
  for (const { operator: agent, feed } of [demo, one]) {
    const head = new TextDecoder().decode(feed.bytes.subarray(0, 200));
    const [, told] = /<!-- innkeep seq=(\d+) at=/.exec(head) ?? [];
    expect(feed.headers.get("innkeep-feed-seq")).toBe(told!);
    const since = await service.api("GET", `/v1/admin/events?after_seq=${told}`, { agent });
    const { items } = since.ok<{ readonly items: readonly { readonly type: string }[] }>().data;
    expect(items.filter(({ type }) => type !== "feed.generated")).toEqual([]);
  }
}

interface Line {
  readonly amount: number;
}
interface Quoted {
  readonly quote_id: string;
  readonly availability: { readonly sellable: number };
  readonly price_breakdown: {
    readonly currency: string;
    readonly minor_unit: number;
    readonly total: number;
    readonly taxes: readonly Line[];
    readonly fees: readonly Line[];
  };
}

interface Drawn {
  readonly agent: DemoAgent;
  readonly result: ReadResult;
}

interface Asked extends Drawn, Pick<ReadBundle, "room" | "plan" | "adults"> {}

function quote({ agent, result, room, plan, adults }: Asked) {
  const { property: hotel_id, checkIn, nights } = result;
  const stay = { check_in: checkIn, check_out: dateOf(dayOf(checkIn) + nights) };
  const offer = { hotel_id, room_type_id: room, rate_plan_id: plan };
  const body = { ...offer, stay, guests: { adults } };
  return service.api("POST", "/v1/quotes", { agent, body });
}

/** Works through the cases in lanes; what was wrong with them. */
async function faultsOf<T>(cases: readonly T[], look: (each: T) => Promise<string | null>) {
  const faults: string[] = [];
  const queue = cases.values();
  const lane = async () => {
    for (const each of queue) {
      const fault = await look(each);
      if (fault !== null) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return faults;
}

/** Stays at random, of four one of the hard hotel; ends when too many were looked at. */
function* drawn(random: Random): Generator<Drawn> {
  for (let n = 0; n < DRAWN_MAX; n += 1) {
    const { agent, results } = random.chance(0.25) ? one : demo;
    yield { agent, result: readResult(random.pick(results)) };
  }
}

test(`${PRICED} stays cost in a quote what they cost in the file, seed ${SEED}`, async () => {
  const random = new Random(`priced ${SEED}`);
  const cases: (Asked & { readonly bundle: ReadBundle })[] = [];
  for (const { agent, result } of drawn(random)) {
    if (cases.length === PRICED) break;
    if (result.bundles.length === 0) continue;
    const bundle = random.pick(result.bundles);
    cases.push({ agent, result, bundle, ...bundle });
  }
  expect(cases).toHaveLength(PRICED);
  const faults = await faultsOf(cases, async (asked) => {
    const { data } = (await quote(asked)).ok<Quoted>(201);
    const { currency, minor_unit, total, taxes, fees } = data.price_breakdown;
    const sum = (lines: readonly Line[]) => lines.reduce((all, { amount }) => all + amount, 0);
    const wanted = { base: total - sum(taxes) - sum(fees), tax: sum(taxes), fees: sum(fees) };
    const { bundle } = asked;
    const told = {
      base: minorOf(bundle.base.text, minor_unit),
      tax: minorOf(bundle.tax.text, minor_unit),
      fees: minorOf(bundle.fees.text, minor_unit),
    };
    const currencies = [bundle.base.currency, bundle.tax.currency, bundle.fees.currency];
    const isSame =
      Bun.deepEquals(told, wanted) &&
      currencies.every((each) => each === currency) &&
      data.availability.sellable >= 1;
    return isSame ? null : JSON.stringify({ asked, wanted, sellable: data.availability.sellable });
  });
  expect(faults).toEqual([]);
  await expectSamePosition();
});

interface Offers {
  readonly room_types: readonly {
    readonly id: string;
    readonly max_occupancy: number;
    readonly rate_plans: readonly { readonly id: string }[];
  }[];
}

const offers = new Map<string, Offers>();

async function offersOf({ property }: ReadResult, agent: DemoAgent): Promise<Offers> {
  const known = offers.get(property);
  if (known) return known;
  const { data } = (await service.api("GET", `/v1/properties/${property}`, { agent })).ok<Offers>();
  offers.set(property, data);
  return data;
}

/** Rooms and plans of a result's property that it does not offer. */
async function missingOf({ agent, result }: Drawn): Promise<Asked[]> {
  const { room_types } = await offersOf(result, agent);
  const all = room_types.flatMap(({ id: room, max_occupancy, rate_plans }) => {
    const adults = Math.min(2, max_occupancy);
    return rate_plans.map(({ id: plan }) => ({ agent, result, room, plan, adults }));
  });
  return all.filter(({ plan }) => !result.bundles.some((bundle) => bundle.plan === plan));
}

test(`${REFUSED} stays that the file does not offer cannot be quoted, seed ${SEED}`, async () => {
  const random = new Random(`refused ${SEED}`);
  const cases: Asked[] = [];
  for (const each of drawn(random)) {
    if (cases.length === REFUSED) break;
    const missing = await missingOf(each);
    if (missing.length > 0) cases.push(random.pick(missing));
  }
  expect(cases).toHaveLength(REFUSED);
  expect(cases.some(({ result }) => result.isUnavailable)).toBe(true);
  expect(cases.some(({ result }) => !result.isUnavailable)).toBe(true);
  const faults = await faultsOf(cases, async (asked) => {
    const answer = await quote(asked);
    if (answer.status !== 201) return null;
    const { data } = answer.ok<Quoted>(201);
    if (data.availability.sellable === 0) return null;
    return JSON.stringify({ asked, sellable: data.availability.sellable });
  });
  expect(faults).toEqual([]);
  await expectSamePosition();
  const [first] = cases;
  const { quote_id } = (await quote(first!)).ok<Quoted>(201).data;
  (await sendHold(service, quote_id, { agent: first!.agent })).anyRefusal();
});

test("the file has each stay once, marked unavailable where none can be sold", () => {
  const all = one.results.map(readResult);
  const stays = new Set(all.map(({ checkIn, nights }) => `${checkIn} ${nights}`));
  expect([all.length, stays.size]).toEqual([HARD_DAYS * NIGHTS, HARD_DAYS * NIGHTS]);
  const [from, to] = [dayOf(CLOSED_SEASON.from), dayOf(CLOSED_SEASON.to)];
  const inSeason = all.filter(({ checkIn, nights }) => {
    return dayOf(checkIn) <= to && dayOf(checkIn) + nights > from;
  });
  expect(inSeason.length).toBeGreaterThan(NIGHTS * (to - from));
  expect(inSeason.filter(({ isUnavailable }) => !isUnavailable)).toEqual([]);
  expect(all.filter(({ isUnavailable }) => !isUnavailable).length).toBeGreaterThan(HARD_DAYS);
});

test("the price of a stay is that of its least for two", () => {
  const digits = 3;
  const totalOf = ({ base, tax, fees }: Price) =>
    [base, tax, fees].reduce((sum, { text }) => sum + minorOf(text, digits), 0);
  const priced = one.results.map(readResult).filter(({ price }) => price !== null);
  expect(priced.length).toBeGreaterThan(HARD_DAYS);
  for (const { price, bundles } of priced) {
    const forTwo = bundles.filter(({ adults }) => adults === 2).map(totalOf);
    expect(totalOf(price!)).toBe(Math.min(...forTwo));
  }
});

test("the file is valid and contains no data of test mode", async () => {
  expectValid("ari", demo.feed.bytes);
  const { tenant_id, properties } = service.demo;
  const list = textOf(await fetchFeed(service, feedPath("google", "hotel-list", { tenant_id })));
  expectValid("hotel-list", list);
  const idsOf = (mode: string) =>
    properties.filter((each) => each.mode === mode).map(({ id }) => id);
  expect(idsOf("test").filter((id) => list.includes(id))).toEqual([]);
  const listed = [...list.matchAll(/<id>([^<]+)<\/id>/g)].map(([, id]) => id!);
  expect(listed).toEqual(idsOf("live").sort());
});
