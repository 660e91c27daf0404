/** Searches and quotes: what they find, and what they refuse. */
import { DRAFT, LISBOA, SEVILLA, TOKYO } from "../hotels.ts";
import type { World } from "../world.ts";

type Json = Readonly<Record<string, unknown>>;

/** Searches of both forms, then quotes. */
export async function shop(world: World): Promise<void> {
  await search(world);
  await searchBadly(world);
  await quote(world);
  await quoteBadly(world);
  await quoteAsOthers(world);
}

async function search(world: World): Promise<void> {
  const plain = { stay: world.stay(30), guests: { adults: 2 } };
  const at = (type: string, value: string) => ({ destination: { type, value } });
  const variants: readonly Json[] = [
    {},
    ...["Sevilla", "sevilla", "ES", "Lisboa", "Japan", "Nowhere", ""].map((v) => at("area", v)),
    ...[SEVILLA.id, LISBOA.slug, TOKYO.name, "unknown"].map((v) => at("property", v)),
    { guests: { adults: 5 } },
    { guests: { adults: 2, children: [{ age: 1 }, { age: 8 }, { age: 15 }] } },
    { stay: world.stay(60, 5) },
    { stay: world.stay(90, 1) },
    { stay: world.stay(900) },
    { stay: { check_in: world.today(), check_out: world.today(1) } },
    { constraints: {} },
    { constraints: { meal_plan: "breakfast" } },
    { constraints: { meal_plan: "caviar" } },
    { constraints: { min_star_rating: 4, amenities: ["wifi"], bed_type: "bed" }, sort: "price" },
    { constraints: { refundability: "refundable", amenities: ["helipad"] }, sort: "distance" },
    { constraints: { cancellation: "free_cancellation" } },
    { constraints: { cancellation: "non_refundable" } },
    { constraints: { max_price_per_night: { amount: 10_000, currency: "EUR" } } },
    { constraints: { max_price_per_night: { amount: 12_000, currency: "USD" } } },
    { constraints: { max_price_per_night: { amount: 1, currency: "XXX" } } },
  ];
  for (const body of variants) {
    await world.ask("search", "POST /v1/search", { body: { ...plain, ...body } });
  }
  const flat = { ...world.stay(30), guests: { adults: 2 } };
  for (const more of [{}, { destination: "Sevilla" }, { destination: "x" }, { constraints: {} }]) {
    await world.ask("search: flat", "POST /v1/search", { body: { ...flat, ...more } });
  }
  for (const name of ["confined", "landless", "test", "other", "service", "unscoped"]) {
    const ask = { as: world.agent(name), body: plain };
    await world.ask("search: as others", "POST /v1/search", ask);
  }
}

async function searchBadly(world: World): Promise<void> {
  const good = { stay: world.stay(30), guests: { adults: 2 } };
  const variants: readonly Json[] = [
    { stay: { check_in: world.day(32), check_out: world.day(30) } },
    { stay: { check_in: world.day(30), check_out: world.day(30) } },
    { stay: { check_in: world.day(0), check_out: world.day(200) } },
    { stay: { check_in: "2020-01-01", check_out: "2020-01-02" } },
    { stay: { check_in: "2027-02-30", check_out: "2027-03-02" } },
    { stay: { check_in: "30.01.2027", check_out: "" } },
    { stay: {} },
    { guests: { adults: 0 } },
    { guests: { adults: 21 } },
    { guests: { adults: 1.5 } },
    { guests: { adults: 2, children: [{ age: 18 }] } },
    { guests: { adults: 2, children: 2 } },
    { destination: { type: "planet", value: "Mars" } },
    { destination: "Sevilla" },
    { destination: { type: "area" } },
    { constraints: { max_price_per_night: { amount: -1, currency: "eur" } } },
    { check_in: world.day(30) },
  ];
  for (const body of variants) {
    await world.ask("search: bad", "POST /v1/search", { body: { ...good, ...body } });
  }
  const flat = { check_in: world.day(30), check_out: world.day(29), guests: { adults: 2 } };
  await world.ask("search: bad", "POST /v1/search", { body: flat });
  await world.ask("search: bad", "POST /v1/search", { body: { ...flat, destination: {} } });
}

async function quote(world: World): Promise<void> {
  for (let offer = 0; offer < 6; offer += 1) {
    for (const [days, nights] of [
      [30, 2],
      [60, 5],
      [64, 2],
      [70, 1],
      [90, 2],
      [20, 14],
    ] as const) {
      await world.quote("quote", world.quoteBody(offer, days, nights));
    }
    for (const currency of ["USD", "JPY", "XXX", "EUR"]) {
      const call = `POST /v1/quotes?currency=${currency}`;
      await world.ask("quote: in a currency", call, { body: world.quoteBody(offer) });
    }
  }
  const body = world.quoteBody();
  const children = [{ age: 1 }, { age: 8 }, { age: 15 }];
  for (const guests of [{ adults: 1, children }, { adults: 3 }, { adults: 4 }, { adults: 9 }]) {
    await world.quote("quote: for a party", { ...body, guests });
  }
  for (const days of [0, 1, 5]) {
    const stay = { check_in: world.today(days), check_out: world.today(days + 2) };
    await world.quote("quote: soon", { ...body, stay });
  }
  const headers = world.session.keyed();
  await world.ask("quote: keyed", "POST /v1/quotes", { headers, body });
  await world.ask("quote: keyed", "POST /v1/quotes", { headers, body });
}

async function quoteBadly(world: World): Promise<void> {
  const good = world.quoteBody();
  const ids = [world.unknownUuid, "x", SEVILLA.slug, DRAFT.id, "", "y".repeat(65), 7];
  for (const id of ids) {
    for (const name of ["hotel_id", "room_type_id", "rate_plan_id"]) {
      await world.quote("quote: unknown id", { ...good, [name]: id });
    }
  }
  const variants: readonly Json[] = [
    { room_type_id: TOKYO.room_types[0]!.id },
    { rate_plan_id: SEVILLA.room_types[1]!.rate_plans[0]!.id },
    { stay: world.stay(900) },
    { stay: { check_in: world.today(-3), check_out: world.today() } },
    { stay: { check_in: world.day(3), check_out: world.day(2) } },
    { stay: { check_in: world.day(3), check_out: world.day(120) } },
    { stay: null },
    { guests: { adults: 0 } },
    { guests: {} },
    { idempotency_key: "a" },
    { currency: "USD" },
  ];
  for (const body of variants) await world.quote("quote: bad", { ...good, ...body });
  for (const query of ["currency=usd", "currency=", "nonsense=1", "currency=usd&nonsense=1"]) {
    await world.ask("quote: bad query", `POST /v1/quotes?${query}`, { body: good });
    await world.ask("quote: bad query and body", `POST /v1/quotes?${query}`, { body: {} });
  }
}

async function quoteAsOthers(world: World): Promise<void> {
  const [sevilla, lisboa] = [world.quoteBody(0), world.quoteBody(3)];
  for (const name of ["confined", "landless", "test", "other", "service", "unscoped", "partner"]) {
    await world.quote("quote: as others", sevilla, world.agent(name));
    await world.quote("quote: as others", lisboa, world.agent(name));
  }
  for (const as of [world.operator, world.agent("agents-operator")]) {
    await world.quote("quote: as an operator", sevilla, as);
  }
  for (let i = 0; i < 3; i += 1) {
    await world.quote("quote: one only", sevilla, world.agent("one-quote"));
  }
}
