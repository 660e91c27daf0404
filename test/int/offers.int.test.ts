/**
 * Goal: offers of searches and properties agree with their quotes. Method: 200 random searches of
 * the demo hotels and the offers of random ones; each offered quote is requested and compared with
 * the offer to the cent. The seed is printed.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { Random } from "../sim/random.ts";
import type { Success } from "../support/answer.ts";
import { createHotel, dateIn, type Hotel } from "../support/client.ts";
import { McpCaller } from "../support/mcp-client.ts";
import { asPublished } from "../support/published.ts";
import { freeUntil, type QuotedTerms } from "../support/quoted-terms.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";
import { threeWays } from "../support/ways.ts";

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const SEARCHES = 200;
const LISTS = 40;
/** Calls that are on their way at once. */
const AT_ONCE = 10;

let service: Service;

beforeAll(async () => {
  console.log(`offers: SEED=${SEED}`);
  service = await Service.start({ ...WHOLE_DEMO, API_PROCESSES: "1" });
});
afterAll(() => service.stop());

interface Priced {
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly price_per_night: { readonly amount: number; readonly currency: string };
  readonly currency: string;
  readonly total: number;
  readonly due_now: number;
  readonly due_at_property: number;
  readonly sellable: number;
  readonly cancellation: {
    readonly refundability: string;
    readonly free_until: string | null;
    readonly description?: string;
  };
}

interface Found {
  readonly results: readonly { readonly hotel_id: string; readonly best_offer: Priced }[];
}

interface Listed extends Priced {
  readonly quote: object | null;
  readonly display: { readonly currency: string; readonly total: number } | null;
  readonly blocking: readonly { readonly reason: string }[];
  readonly alternatives: readonly { readonly quote: object }[];
}

interface Offers {
  readonly hotel_id: string;
  readonly items: readonly Listed[];
}

interface Quoted {
  readonly hotel_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly price_breakdown: Omit<Priced, "price_per_night"> & {
    readonly per_night_average: number;
    readonly display: { readonly total: number } | null;
  };
  readonly policy_snapshot: QuotedTerms & {
    readonly refundability: string;
    readonly description: string;
  };
  readonly availability: { readonly sellable: number };
}

/** Does as many things as there are, some at once. */
async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things];
  const hand = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hand));
}

async function quoted(body: unknown, query = ""): Promise<Quoted> {
  return (await service.api("POST", `/v1/quotes${query}`, { body })).ok<Quoted>(201).data;
}

/** What the quote of an offer says, in the words of the offer. */
function inOffersWords({ price_breakdown, policy_snapshot, ...rest }: Quoted) {
  const { currency, total, due_now, due_at_property, per_night_average } = price_breakdown;
  const { room_type_id, rate_plan_id } = rest;
  return {
    ...{ room_type_id, rate_plan_id, currency, total, due_now, due_at_property },
    price_per_night: { amount: per_night_average, currency },
    cancellation: {
      refundability: policy_snapshot.refundability,
      free_until: freeUntil(policy_snapshot),
    },
  };
}

function randomStay(random: Random) {
  const first = random.between(2, 300);
  return { check_in: dateIn(first), check_out: dateIn(first + random.between(1, 6)) };
}

function randomParty(random: Random) {
  const ages = Array.from({ length: random.pick([0, 0, 1, 2]) }, () => random.between(0, 17));
  return { adults: random.between(1, 3), children: ages.map((age) => ({ age })) };
}

type Place = { readonly id: string; readonly address: { city: string; country: string } } & {
  readonly geo: { readonly lat: number; readonly lng: number };
};

function randomSearch(random: Random, { id, address, geo }: Place) {
  const area = (value: string) => ({ destination: { type: "area", value } });
  const around = area(`geo:${geo.lat},${geo.lng};u=${random.pick([500, 20_000])}`);
  const property = { destination: { type: "property", value: id } };
  const { city, country } = address;
  const most = { amount: random.between(8_000, 30_000), currency: random.pick(["EUR", "USD"]) };
  const constraints = random.pick([
    { meal_plan: "breakfast" },
    { cancellation: "free_cancellation" },
    { max_price_per_night: most },
    { max_price_per_night: most, meal_plan: "breakfast", cancellation: "free_cancellation" },
  ]);
  return {
    ...random.pick([{}, area(city), area(country), area(`${city}, ${country}`), around, property]),
    ...random.pick([{}, {}, { constraints }]),
    ...{ stay: randomStay(random), guests: randomParty(random) },
  };
}

test(`every quote that ${SEARCHES} searches offer is accepted at the offered price`, async () => {
  const random = new Random(SEED);
  const listed = await service.api("GET", "/v1/properties");
  const hotels = listed.ok<{ items: Place[] }>().data.items;
  const { ways, close } = await threeWays(service, { search: "/v1/search", quote: "/v1/quotes" });
  const searches = Array.from({ length: SEARCHES }, (_, i) => {
    return { way: ways[i % ways.length]!, body: randomSearch(random, random.pick(hotels)) };
  });
  const quotes: Record<string, number> = {};
  await each(searches, async ({ way, body }) => {
    const { data, next_actions } = await way.ask<Found>("search", body);
    const offered = next_actions.filter(({ rel }) => rel === "quote");
    const isEmpty = data.results.length === 0;
    if (!isEmpty) expect(offered.length).toBe(Math.min(5, data.results.length));
    for (const [i, { body_hint }] of offered.entries()) {
      const quote = (await way.ask<Quoted>("quote", body_hint)).data;
      // Where nothing is free, quotes of the nearest dates are offered, which no result shows.
      if (isEmpty) continue;
      const { hotel_id, best_offer } = data.results[i]!;
      expect(quote.hotel_id).toBe(hotel_id);
      expect(best_offer).toMatchObject(inOffersWords(quote));
      expect(best_offer.sellable).toBe(Math.min(9, quote.availability.sellable));
      quotes[way.name] = (quotes[way.name] ?? 0) + 1;
    }
  });
  await close();
  expect(Object.keys(quotes).sort()).toEqual(ways.map(({ name }) => name).sort());
  expect(Math.min(...Object.values(quotes))).toBeGreaterThan(SEARCHES / ways.length);
});

test("each hotel of a search has the data to compare it, in the contract's shape", async () => {
  const body = { stay: { check_in: dateIn(40), check_out: dateIn(42) }, guests: { adults: 2 } };
  const found = asPublished("search", await service.api("POST", "/v1/search", { body }));
  const { results } = found.ok<{ results: readonly Record<string, unknown>[] }>().data;
  expect(results.length).toBeGreaterThan(10);
  for (const result of results) {
    const shown = await service.api("GET", `/v1/properties/${result.hotel_id}/full`);
    const { slug, star_rating, geo, address, images } = shown.ok<{
      readonly slug: string;
      readonly star_rating: number | null;
      readonly geo: object | null;
      readonly address: { readonly city: string; readonly country: string };
      readonly images: readonly string[];
    }>().data;
    const { city, country } = address;
    const image = images[0] ?? null;
    const place = { slug, star_rating, geo, address: { city, country }, image };
    expect(result).toMatchObject({ ...place, distance_m: null });
    expect(result).toContainAllKeys([
      ...["hotel_id", "name", "rank_score", "explanation", "best_offer"],
      ...Object.keys(place),
      "distance_m",
    ]);
  }
});

async function offersOf(property: string, query: Record<string, string>): Promise<Success<Offers>> {
  const path = `/v1/properties/${property}/offers?${new URLSearchParams(query)}`;
  return asPublished("list_offers", await service.api("GET", path)).ok<Offers>();
}

test("each offer of a hotel says what its quote says, and all that it sells is there", async () => {
  const random = new Random(SEED + 1);
  const { data } = (await service.api("GET", "/v1/properties")).ok<{ items: { slug: string }[] }>();
  let open = 0;
  await each(
    Array.from({ length: LISTS }, () => random.pick(data.items).slug),
    async (slug) => {
      const { adults, children } = randomParty(random);
      const ages = children.map(({ age }) => age).join(",");
      const party = { adults: String(adults), children: ages };
      const { data } = await offersOf(slug, { ...randomStay(random), ...party, currency: "USD" });
      const shown = await service.api("GET", `/v1/properties/${slug}`);
      const { room_types } = shown.ok<{ room_types: { rate_plans: { id: string }[] }[] }>().data;
      const plans = room_types.flatMap(({ rate_plans }) => rate_plans.map(({ id }) => id));
      expect(data.items.map(({ rate_plan_id }) => rate_plan_id).sort()).toEqual(plans.sort());
      for (const offer of data.items) {
        expect(offer.quote !== null).toBe(offer.sellable > 0);
        expect(offer.blocking.length > 0).toBe(offer.sellable === 0);
        if (offer.quote === null) continue;
        const quote = await quoted(offer.quote, "?currency=USD");
        expect(offer).toMatchObject(inOffersWords(quote));
        const { availability, policy_snapshot, price_breakdown } = quote;
        expect(offer.sellable).toBe(availability.sellable);
        expect(offer.cancellation.description).toBe(policy_snapshot.description);
        expect(offer.display).toEqual(price_breakdown.display as never);
        open += 1;
      }
    },
  );
  expect(open).toBeGreaterThan(LISTS);
});

/** A hotel whose second room type is closed to arrival on one day, and sold out on it. */
async function shutOn(inDays: number): Promise<Hotel> {
  const hotel = await createHotel(service, { units: [5, 3] });
  const at = { room_type_id: "R1", from: dateIn(inDays), to: dateIn(inDays) };
  const body = { inventory: [{ ...at, capacity: 0 }], restrictions: [{ ...at, cta: true }] };
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  (await service.api("PUT", path, { agent: service.demo.admin, body })).ok();
  return hotel;
}

test("an offer that cannot be held says why and when it can, also by its tool", async () => {
  const hotel = await shutOn(60);
  const query = { check_in: dateIn(60), check_out: dateIn(61) };
  const { data, next_actions } = await offersOf(hotel.slug, query);
  expect(data.items.map(({ sellable }) => sellable)).toEqual([5, 5, 0, 0]);
  expect(next_actions.map(({ rel }: NextAction) => rel)).toEqual(["quote", "quote"]);
  expect(next_actions.map(({ body_hint }) => body_hint)).toEqual(
    data.items.flatMap(({ quote }) => quote ?? []) as never,
  );
  for (const { blocking, alternatives } of data.items.slice(2)) {
    expect(blocking.map(({ reason }) => reason)).toEqual(["cta", "no_vacancy"]);
    expect(alternatives.length).toBeGreaterThan(0);
    for (const { quote } of alternatives) {
      expect((await quoted(quote)).availability.sellable).toBe(3);
    }
  }
  const mcp = await McpCaller.connect(service, { agent: service.demo.agent });
  const asked = { property: hotel.id, ...query, adults: 2, children: [] };
  const told = (await mcp.ok("list_offers", asked)) as unknown as Success<Offers>;
  await mcp.close();
  expect(told.data).toEqual(data);
  expect(told.next_actions[0]).toMatchObject({ tool: "quote", arguments: data.items[0]!.quote! });
});

test("a party that does not fit is offered the general search with the nearest dates", async () => {
  const hotel = await shutOn(80);
  const query = { check_in: dateIn(80), check_out: dateIn(82), adults: "9" };
  const { data, next_actions } = await offersOf(hotel.id, query);
  const reasons = data.items.flatMap(({ blocking }) => blocking.map(({ reason }) => reason));
  expect(reasons).toContain("occupancy_exceeded");
  expect(next_actions.map(({ rel }) => rel)).toEqual(["search"]);
});

test("an impossible stay is refused at its parameters, like a quote of it", async () => {
  const { id } = await createHotel(service);
  const faultsOf = async (query: Record<string, string>) => {
    const path = `/v1/properties/${id}/offers?${new URLSearchParams(query)}`;
    return (await service.api("GET", path)).faults();
  };
  expect(await faultsOf({})).toEqual(["?check_in", "?check_out"]);
  const dates = (first: number, last: number) => {
    return { check_in: dateIn(first), check_out: dateIn(last) };
  };
  expect(await faultsOf(dates(5, 5))).toEqual(["?check_out"]);
  expect(await faultsOf(dates(-2, 1))).toEqual(["?check_in"]);
  expect(await faultsOf(dates(729, 735))).toEqual(["?check_out"]);
  expect(await faultsOf({ ...dates(5, 6), adults: "0", children: "5,18", rooms: "2" })).toEqual([
    ...["?adults", "?children", "?rooms"],
  ]);
  const unknown = await service.api(
    "GET",
    "/v1/properties/none/offers?check_in=2027-06-01&check_out=2027-06-02",
  );
  unknown.refused("property_not_found");
});
