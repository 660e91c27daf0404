/**
 * Goal: properties and search answer in exactly the contract's shapes for the demo supply as a
 * newcomer finds it. Method: every property is read in all three shapes under id and slug; every
 * search runs in both forms.
 */
import { expect, test } from "bun:test";
import { exponentOf } from "../../engine/core/price/money.ts";
import { type Answer, keysOf } from "../support/answer.ts";
import { createHotel, dateIn, type Hotel, newQuote, stayRequest } from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { SecondApi } from "../support/second-api.ts";
import { until, WHOLE_DEMO } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile(WHOLE_DEMO);

const LIST_KEYS = [
  ...["address", "default_currency", "description", "geo", "id", "name", "slug", "star_rating"],
  "timezone",
];
const DETAIL_KEYS = [...LIST_KEYS, "room_types"].sort();
const FULL_KEYS = [
  ...[...DETAIL_KEYS, "amenities", "images", "phone", "email", "pets_allowed"],
  ...["number_of_rooms", "checkin_time", "checkout_time", "policies"],
].sort();
const ROOM_KEYS = [
  ...["amenities", "bed_type", "code", "default_inventory", "description", "floor_size_sqm"],
  ...["id", "images", "max_occupancy", "name", "rate_plans", "smoking_allowed"],
];
const PLAN_KEYS = [
  ...["base_rate_per_night", "cancellation_kind", "code", "currency", "id", "meal_plan", "name"],
];
const POLICY_KEYS = [
  ...["cancellation_fee_pct_after_cutoff", "cancellation_kind", "child_policy_text"],
  ...["free_cancellation_hours_before_checkin", "version"],
];

interface Plan {
  readonly currency: string;
  readonly base_rate_per_night: number;
  readonly display?: {
    readonly currency: string;
    readonly base_rate_per_night: number;
    readonly fx_rate: string;
  } | null;
}

interface Property {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly address: Readonly<Record<string, string>>;
  readonly room_types: readonly { readonly rate_plans: readonly Plan[] }[];
  readonly policies?: readonly object[];
}

const get = (path: string) => service.api("GET", path);

function plansOf(property: Property): Plan[] {
  return property.room_types.flatMap(({ rate_plans }) => rate_plans);
}

test("the list holds every live property of the demo in the list's shape", async () => {
  const { items } = (await get("/v1/properties")).ok<{ items: readonly Property[] }>().data;
  const live = service.demo.properties.filter(({ mode }) => mode === "live");
  expect(items.length).toBeGreaterThanOrEqual(60);
  expect(items.map(({ id }) => id).sort()).toEqual(live.map(({ id }) => id).sort());
  for (const item of items) {
    expect(keysOf(item)).toEqual(LIST_KEYS);
    for (const value of Object.values(item.address)) expect(value).toBeString();
    expect(item.address.country).toMatch(/^[A-Z]{2}$/);
  }
});

test("a property is the same by id and by slug, and complete in both full forms", async () => {
  for (const { id, slug } of service.demo.properties.filter(({ mode }) => mode === "live")) {
    const detail = (await get(`/v1/properties/${id}`)).ok<Property>().data;
    expect(keysOf(detail)).toEqual(DETAIL_KEYS);
    expect((await get(`/v1/properties/${slug}`)).ok<Property>().data).toEqual(detail);
    for (const room of detail.room_types) expect(keysOf(room)).toEqual(ROOM_KEYS);
    for (const plan of plansOf(detail)) expect(keysOf(plan)).toEqual(PLAN_KEYS);
    const full = (await get(`/v1/properties/${slug}/full`)).ok<Property>().data;
    expect(keysOf(full)).toEqual(FULL_KEYS);
    for (const policy of full.policies ?? []) expect(keysOf(policy)).toEqual(POLICY_KEYS);
    expect((await get(`/v1/properties/${id}/full`)).ok<Property>().data).toEqual(full);
    expect((await get(`/v1/properties/${id}?full=true`)).ok<Property>().data).toEqual(full);
    expect(full).toMatchObject(detail);
  }
});

test("a display currency adds amounts at the table's rate and changes none", async () => {
  const { items } = (await get("/v1/properties")).ok<{ items: readonly Property[] }>().data;
  const currencies = new Set<string>();
  for (const { id } of items) {
    const plain = plansOf((await get(`/v1/properties/${id}`)).ok<Property>().data);
    const shown = plansOf((await get(`/v1/properties/${id}?currency=JPY`)).ok<Property>().data);
    shown.forEach(({ display, ...plan }, i) => {
      expect(plan).toEqual(plain[i]!);
      currencies.add(plan.currency);
      const scale = 10 ** exponentOf(plan.currency);
      const exact = (plan.base_rate_per_night / scale) * Number(display!.fx_rate);
      // The rate is shown with six decimals; the amount is rounded once from the exact one.
      expect(Math.abs(display!.base_rate_per_night - exact)).toBeLessThan(0.6);
    });
  }
  expect([...currencies].sort()).toEqual(["CHF", "EUR", "GBP", "JPY", "USD"]);
  const unknown = (await get(`/v1/properties/${items[0]!.id}/full?currency=XAU`)).ok<Property>();
  for (const plan of plansOf(unknown.data)) expect(plan.display).toBeNull();
});

interface Result {
  readonly hotel_id: string;
  readonly rank_score: number;
  readonly explanation: readonly string[];
  readonly best_offer: {
    readonly room_type_id: string;
    readonly rate_plan_id: string;
    readonly price_per_night: { readonly amount: number; readonly currency: string };
  };
}

const STAY = { check_in: dateIn(40), check_out: dateIn(42) };
const GUESTS = { adults: 2 };

function search(body: object): Promise<Answer> {
  return service.api("POST", "/v1/search", { body });
}

async function resultsOf(body: object): Promise<readonly Result[]> {
  const answer = await search({ stay: STAY, guests: GUESTS, ...body });
  return answer.ok<{ results: readonly Result[] }>().data.results;
}

test("both forms of a search find the same, best first, in the contract's shape", async () => {
  const destination = { type: "area", value: "BARCELONA" };
  const typed = (await search({ destination, stay: STAY, guests: GUESTS })).ok<{
    results: readonly Result[];
  }>();
  expect(keysOf(typed.data)).toEqual(["no_results", "results"]);
  const flat = await search({ destination: "barcelona", ...STAY, guests: GUESTS });
  expect(flat.ok<unknown>().data).toEqual(typed.data);
  const { results } = typed.data;
  expect(results.length).toBeGreaterThan(2);
  for (const result of results) {
    const { best_offer, explanation } = result;
    const own = ["best_offer", "explanation", "hotel_id", "name", "rank_score"];
    expect(keysOf(result)).toEqual(expect.arrayContaining(own));
    const named = ["price_per_night", "rate_plan_id", "room_type_id"];
    expect(keysOf(best_offer)).toEqual(expect.arrayContaining(named));
    expect(keysOf(best_offer.price_per_night)).toEqual(["amount", "currency"]);
    for (const line of explanation) expect(line).toBeString();
  }
  const scores = results.map(({ rank_score }) => rank_score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test("the price of a result is the per-night average of its quote", async () => {
  for (const { hotel_id, best_offer } of (await resultsOf({})).slice(0, 12)) {
    const { room_type_id, rate_plan_id, price_per_night } = best_offer;
    const body = { hotel_id, room_type_id, rate_plan_id, stay: STAY, guests: GUESTS };
    const { price_breakdown } = await newQuote(service, body);
    expect(price_breakdown).toMatchObject({
      per_night_average: price_per_night.amount,
      currency: price_per_night.currency,
    });
  }
});

test("constraints hold in any case of letters and across currencies", async () => {
  const all = await resultsOf({});
  const capped = await resultsOf({
    constraints: { max_price_per_night: { amount: 15_000, currency: "EUR" } },
  });
  expect(capped.length).toBeGreaterThan(0);
  expect(capped.length).toBeLessThan(all.length);
  expect(new Set(capped.map(({ best_offer }) => best_offer.price_per_night.currency)).size).toBe(5);
  for (const { best_offer } of capped) {
    const { amount, currency } = best_offer.price_per_night;
    if (currency === "EUR") expect(amount).toBeLessThanOrEqual(15_000);
  }
  const unknown = { max_price_per_night: { amount: 99_000_000, currency: "XAU" } };
  expect(await resultsOf({ constraints: unknown })).toEqual([]);
  const brunch = { stay: STAY, guests: GUESTS, constraints: { meal_plan: "brunch" } };
  const { data, next_actions } = (await search(brunch)).ok<{
    results: readonly Result[];
    no_results: {
      reasons: readonly { reason: string }[];
      nearest: { constraints: { meal_plan: readonly string[] } };
    };
  }>();
  const { results, no_results } = data;
  expect([results.length, no_results.reasons[0]!.reason]).toEqual([0, "meal_plan"]);
  for (const meal_plan of no_results.nearest.constraints.meal_plan) {
    expect((await resultsOf({ constraints: { meal_plan } })).length).toBeGreaterThan(0);
  }
  const offered = next_actions.find(({ changes }) => changes?.join() === "/constraints/meal_plan");
  const sent = offered?.body_hint as { constraints: unknown };
  expect(sent.constraints).toEqual({ meal_plan: no_results.nearest.constraints.meal_plan[0] });
  expect(await resultsOf(sent)).not.toEqual([]);
  const breakfast = await resultsOf({ constraints: { meal_plan: "Breakfast" } });
  expect(breakfast.length).toBeGreaterThan(0);
  const free = await resultsOf({ constraints: { cancellation: "FREE_cancellation" } });
  for (const { hotel_id, best_offer } of [...breakfast.slice(0, 3), ...free.slice(0, 3)]) {
    const { room_types } = (await get(`/v1/properties/${hotel_id}`)).ok<{
      room_types: readonly { rate_plans: readonly { id: string; meal_plan: string }[] }[];
    }>().data;
    const plans = room_types.flatMap(({ rate_plans }) => rate_plans);
    const plan = plans.find(({ id }) => id === best_offer.rate_plan_id);
    if (breakfast.some((each) => each.hotel_id === hotel_id && each.best_offer === best_offer)) {
      expect(plan).toMatchObject({ meal_plan: "breakfast" });
    } else expect(plan).toMatchObject({ cancellation_kind: "free_until_cutoff" });
  }
});

test("a search without a match is empty and not an error", async () => {
  for (const body of [
    { destination: { type: "area", value: "Atlantis" } },
    { destination: { type: "property", value: "no-such-hotel" } },
    { guests: { adults: 20 } },
  ]) {
    expect(await resultsOf(body)).toEqual([]);
  }
});

test("areas are found in any spelling, properties by id, slug or name", async () => {
  const area = (value: string) => resultsOf({ destination: { type: "area", value } });
  expect(await area("spain")).toEqual(await area("ES"));
  expect((await area("Île-de-France")).length).toBeGreaterThan(0);
  expect(await area("ile-de-france")).toEqual(await area("Paris"));
  const { items } = (await get("/v1/properties")).ok<{ items: readonly Property[] }>().data;
  const { id, slug, name } = items.find((each) => /[^\x20-\x7e]/.test(each.name))!;
  const property = (value: string) => resultsOf({ destination: { type: "property", value } });
  expect(await property(slug)).toEqual(await property(id));
  expect(await property(name.toLowerCase())).toEqual(await property(id));
});

test("a property that cannot be sold says why per night, and what to hold instead", async () => {
  const hotel: Hotel = await createHotel(service, { units: [3, 3] });
  const room = hotel.rooms[0]!.id;
  const [from, to] = [STAY.check_in, STAY.check_in];
  const ari = {
    inventory: [{ room_type_id: hotel.rooms[1]!.id, from, to: dateIn(41), capacity: 0 }],
    restrictions: [{ room_type_id: room, from, to, stop_sell: true }],
  };
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  (await service.api("PUT", path, { agent: service.demo.admin, body: ari })).ok();
  const destination = { type: "property", value: hotel.id };
  const { data, next_actions } = (await search({ destination, stay: STAY, guests: GUESTS })).ok<{
    results: readonly Result[];
    misses: readonly { hotel_id: string; blocking: readonly object[]; alternatives: object[] }[];
  }>();
  expect(data.results).toEqual([]);
  const [miss] = data.misses;
  expect(keysOf(miss)).toEqual(["alternatives", "blocking", "hotel_id"]);
  expect(miss!.blocking).toEqual([expect.objectContaining({ date: from, reason: "stop_sell" })]);
  expect(miss!.alternatives.length).toBeGreaterThan(0);
  (await follow(service, next_actions[0]!)).ok(201);
  (await follow(service, next_actions.at(-1)!)).ok();
  const quote = (
    await service.api("POST", "/v1/quotes", { body: stayRequest(hotel, { inDays: 40, room: 1 }) })
  ).ok<{ availability: { blocking: readonly object[] } }>(201).data;
  expect(quote.availability.blocking).toMatchObject([
    { date: from, reason: "no_vacancy", capacity: 0, sold: 0, held: 0 },
    { date: dateIn(41), reason: "no_vacancy" },
  ]);
});

test("a hotel's name as a place, and a place as a hotel's name, lead to what was meant", async () => {
  const hotel = await createHotel(service);
  const constraints = { cancellation: "free_cancellation" };
  const asked = { stay: STAY, guests: GUESTS, constraints };
  const shown = (await service.api("GET", `/v1/properties/${hotel.id}`)).ok<{
    name: string;
    address: { city: string };
  }>().data;
  for (const [type, value, meant] of [
    ["area", shown.name, "property"],
    ["area", hotel.slug, "property"],
    ["property", shown.address.city, "area"],
    ["property", "geo:40.4,-3.7;u=100", "area"],
  ] as const) {
    const { data, next_actions } = (await search({ ...asked, destination: { type, value } })).ok<{
      results: readonly Result[];
    }>();
    expect(data.results).toEqual([]);
    const other = next_actions.find(({ rel }) => rel === "search")!;
    expect(other).toMatchObject({
      body_hint: { destination: { type: meant, value }, ...asked },
    });
    const found = (await follow(service, other)).ok<{ results: Result[] }>().data;
    expect(found.results.map(({ hotel_id }) => hotel_id)).toContain(hotel.id);
  }
});

test("of supply of before, a stay whose price is not exact is not found, and a quote names its plan", async () => {
  const hotel = await createHotel(service);
  const api = await SecondApi.start(service);
  try {
    const at = `/v1/properties/${hotel.id}`;
    await until("it knows the hotel", async () => (await api.api("GET", at)).status === 200);
    const doubling = {
      ...({ name: "Tax on taxes", kind: "tax", basis: "percent", rate_bps: 10_000 } as const),
      ...({ included_in_rate: false, collect: "prepaid", compound: true } as const),
    };
    // Such taxes are refused now, when a property is made and when it is put on sale.
    const tax_rules = Array.from({ length: 39 }, (_, n) => ({ ...doubling, code: `T${n}` }));
    api.asOfBefore(hotel.id, (tree) => ({ ...tree, tax_rules }));
    const quote = (nights: number) =>
      api.api("POST", "/v1/quotes", { body: stayRequest(hotel, { nights }) });
    const { price_breakdown } = (await quote(1)).ok<{ price_breakdown: { total: number } }>(
      201,
    ).data;
    expect(price_breakdown.total).toBe(10_000 * 2 ** 39);
    const refused = await quote(2);
    const { detail } = refused.refused("validation_failed", 400);
    expect(detail).toEqual({
      field_errors: [
        {
          path: "/rate_plan_id",
          message: "cannot be priced: the total is too large",
          expected: "fewer nights or guests, or another rate",
        },
      ],
    });
    const destination = { type: "property", value: hotel.id };
    const { stay } = stayRequest(hotel);
    const body = { destination, stay, guests: GUESTS };
    const { results } = (await api.api("POST", "/v1/search", { body })).ok<{ results: object[] }>()
      .data;
    expect(results).toEqual([]);
    const asked = new URLSearchParams({
      ...{ property: hotel.id, room_type: "R0", rate_plan: "FLEX", ...stay, adults: "2" },
    });
    const why = await api.api("GET", `/v1/admin/availability/explain?${asked}`, {
      agent: service.demo.admin,
    });
    const { checks, price } = why.ok<{
      checks: readonly { check: string; passed: boolean }[];
      price: object | null;
    }>().data;
    expect(checks.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(["price"]);
    expect(price).toBeNull();
  } finally {
    await api.stop();
  }
});
