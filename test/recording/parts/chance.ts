/** Seeded random searches, quotes, holds and bookings, and bodies with one thing broken. */
import { OFFERS } from "../hotels.ts";
import { Random } from "../random.ts";
import type { World } from "../world.ts";

const ROUNDS = 120;

const ODD: readonly unknown[] = [
  ...[null, "", "x", 0, -1, 1.5, 1e21, true, [], {}, [null], { a: 1 }, "2027-02-30", "ä\u0000"],
  ...["__proto__", "x".repeat(300), 9_007_199_254_740_992],
];

/** Drops, replaces or adds one member somewhere in a value. */
function broken(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null) return random.pick(ODD);
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length === 0 || random.next() < 0.1) return random.pick(ODD);
  const at = random.integer(0, entries.length - 1);
  const [name, inner] = entries[at]!;
  const kind = random.next();
  if (kind < 0.15) entries.splice(at, 1);
  else if (kind < 0.25) entries.push(["nonsense", random.pick(ODD)]);
  else entries[at] = [name, broken(inner, random)];
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** Asks with chance; `seed` decides everything. */
export async function tryLuck(world: World, seed = 20_261_122): Promise<void> {
  const random = new Random(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    await shopAround(world, random);
    if (round % 3 === 0) await bookSomething(world, random);
    await breakSomething(world, random);
  }
}

function anyStay(world: World, random: Random) {
  return {
    stay: world.stay(random.integer(0, 120), random.integer(1, 9)),
    guests: {
      adults: random.integer(1, 4),
      ...(random.next() < 0.3 ? { children: [{ age: random.integer(0, 17) }] } : {}),
    },
  };
}

async function shopAround(world: World, random: Random): Promise<void> {
  const places = ["Sevilla", "Lisboa", "JP", "ES", "casa", "Berlin"];
  const { stay, guests } = anyStay(world, random);
  const currency = random.pick(["EUR", "GBP", "JPY", "USD"]);
  const limit = { max_price_per_night: { amount: random.integer(5_000, 30_000), currency } };
  const body = {
    ...(random.next() < 0.6 ? { destination: { type: "area", value: random.pick(places) } } : {}),
    ...{ stay, guests },
    ...(random.next() < 0.4 ? { constraints: limit } : {}),
  };
  await world.ask("chance: search", "POST /v1/search", { body });
  if (random.next() < 0.3) {
    const flat = { destination: random.pick(places), ...stay, guests };
    await world.ask("chance: flat search", "POST /v1/search", { body: flat });
  }
  await world.quote("chance: quote", { ...random.pick(OFFERS), ...anyStay(world, random) });
}

async function bookSomething(world: World, random: Random): Promise<void> {
  const body = { ...random.pick(OFFERS), ...anyStay(world, random) };
  const held = await world.hold("chance: hold", body);
  const path = `/v1/holds/${held.hold_id}`;
  if (random.next() < 0.3) await world.ask("chance: extend", `POST ${path}/extend`);
  if (random.next() < 0.2) await world.ask("chance: release", `POST ${path}/release`);
  const token = random.pick(["tok_visa", "tok_visa", "tok_test_declined"]);
  const booked = await world.book("chance: book", held, token);
  await world.ask("chance: show", `GET ${path}`);
  const id = booked.data.booking_id;
  if (id === undefined) return;
  await world.ask("chance: booking", `GET /v1/bookings/${id}`);
  const at = `${world.day(random.integer(-10, 130))}T12:00:00Z`;
  await world.ask("chance: terms", `GET /v1/bookings/${id}/cancellation-quote?at=${at}`);
  if (random.next() < 0.5) await world.cancel("chance: cancel", id);
  await world.ask("chance: audit", `GET /v1/bookings/${id}/audit`);
}

async function breakSomething(world: World, random: Random): Promise<void> {
  const bodies: readonly (readonly [string, unknown])[] = [
    ["POST /v1/search", { ...anyStay(world, random), destination: { type: "area", value: "x" } }],
    ["POST /v1/quotes", { ...random.pick(OFFERS), ...anyStay(world, random) }],
    ["POST /v1/holds", { quote_id: "qt_unknown" }],
    ["POST /v1/bookings", world.bookingBody({ hold_id: "hld_none", quote_id: "qt_none" })],
  ];
  const headers = await world.agreed();
  for (const [call, body] of bodies) {
    const ask = { headers, body: broken(body, random) };
    await world.ask("chance: broken", call, ask);
  }
}
