/** Properties as their operator makes and changes them, and as agents read them. */
import { DRAFT, LISBOA, SEVILLA, smallHotel, TOKYO, uuid } from "../hotels.ts";
import type { World } from "../world.ts";

const PATH = "/v1/admin/properties";

/** Reads, trees with faults, promotion, rates, exchange rates, import. */
export async function administerSupply(world: World): Promise<void> {
  await readSupply(world);
  await sendTrees(world);
  await promote(world);
  await changeRates(world);
  await exchange(world);
  await importMany(world);
}

/** What agents see. */
async function readSupply(world: World): Promise<void> {
  const ids = [SEVILLA.id, SEVILLA.slug, LISBOA.slug, TOKYO.id, DRAFT.id, world.unknownUuid];
  const queries = ["", "?currency=USD", "?currency=XXX", "?currency=usd", "?currency="];
  for (const id of [...ids, "%20", "a%2Fb", "HOTEL-ALAMEDA"]) {
    for (const query of [...queries, "?full=true", "?full=false", "?full=1", "?full=true&a=1"]) {
      await world.ask("supply: property", `GET /v1/properties/${id}${query}`);
    }
    for (const query of queries) {
      await world.ask("supply: property in full", `GET /v1/properties/${id}/full${query}`);
    }
    for (const as of [world.operator, world.testOperator, world.agent("confined-operator")]) {
      await world.admin("supply: tree", `GET ${PATH}/${id}`, { as });
    }
  }
  for (const as of [world.operator, world.testOperator, world.otherOperator]) {
    await world.admin("supply: trees", `GET ${PATH}`, { as });
  }
  await world.ask("supply: repeated query", `GET /v1/properties/${SEVILLA.id}?full=true&full=2`);
}

/** One change of a good tree each. */
const BAD_TREES: readonly Readonly<Record<string, unknown>>[] = [
  { id: "no-uuid" },
  { slug: "Has Capitals" },
  { slug: uuid(1) },
  { name: "" },
  { star_rating: 8 },
  { address: { line1: "1", city: "C", country: "es" } },
  { address: null },
  { geo: { lat: 91, lng: 0 } },
  { geo: null },
  { default_currency: "eur" },
  { timezone: "Mars/Olympus" },
  { images: ["ftp://example.com/a.jpg"] },
  { checkin_time: "24:00" },
  { policies: [...SEVILLA.policies, ...SEVILLA.policies] },
  { tax_rules: [{ ...SEVILLA.tax_rules[0], amount: 1 }] },
  { tax_rules: [{ ...SEVILLA.tax_rules[0], valid_from: "2027-02-30" }] },
  { tax_rules: [SEVILLA.tax_rules[1], SEVILLA.tax_rules[1]] },
  { child_bands: [{ ...SEVILLA.child_bands[1], value: undefined }] },
  { child_bands: [SEVILLA.child_bands[0], SEVILLA.child_bands[0]] },
  { child_bands: [{ ...SEVILLA.child_bands[0], min_age: 9 }] },
  { room_types: [SEVILLA.room_types[0], SEVILLA.room_types[0]] },
  { room_types: [{ ...SEVILLA.room_types[1], included_occupancy: 9 }] },
  { room_types: [{ ...SEVILLA.room_types[1], default_inventory: 60_001 }] },
  { room_types: [{ ...SEVILLA.room_types[1], rate_plans: [{ code: "X" }] }] },
  { pets_allowed: "yes" },
];

async function sendTrees(world: World): Promise<void> {
  const fresh = smallHotel(0x800, "fresh");
  for (const change of BAD_TREES) {
    await world.admin("supply: bad tree", `POST ${PATH}`, { body: { ...fresh, ...change } });
  }
  await world.admin("supply: id taken", `POST ${PATH}`, { body: { ...SEVILLA, slug: "other" } });
  const taken = { ...smallHotel(0x810, SEVILLA.slug) };
  await world.admin("supply: slug taken", `POST ${PATH}`, { body: taken });
  const { id: _id, ...nameless } = smallHotel(0x820, "id-is-drawn");
  await world.admin("supply: without id", `POST ${PATH}`, { body: nameless });
  const keyed = { headers: world.session.keyed(), body: smallHotel(0x830, "keyed") };
  await world.admin("supply: created", `POST ${PATH}`, keyed);
  await world.admin("supply: created in test", `POST ${PATH}`, {
    as: world.testOperator,
    body: SEVILLA,
  });
}

async function promote(world: World): Promise<void> {
  const own = smallHotel(0x830, "keyed").id;
  for (const id of [DRAFT.id, SEVILLA.id, SEVILLA.slug, world.unknownUuid, own]) {
    for (const body of [{ dry_run: true }, {}, { dry_run: false }, { dry_run: 1 }]) {
      await world.admin("supply: promote", `POST ${PATH}/${id}/promote`, { body });
    }
  }
  const as = world.agent("supply-operator");
  await world.admin("supply: promote", `POST ${PATH}/${own}/promote`, { as });
}

async function changeRates(world: World): Promise<void> {
  const [from, to] = [world.day(60), world.day(80)];
  const [double, suite] = SEVILLA.room_types as [(typeof SEVILLA.room_types)[0], never];
  const room_type_id = double.id;
  const rate_plan_id = double.rate_plans[0]!.id;
  const good = {
    inventory: [{ room_type_id, from, to, capacity: 5, out_of_order: 1 }],
    rates: [{ rate_plan_id, from, to, amount: 15_000, days_of_week: ["fri", "sat"] }],
    restrictions: [
      { room_type_id, from: to, to, cta: true, stop_sell: null },
      { room_type_id, rate_plan_id, from: world.day(70), to, min_los_arrival: 3 },
      { room_type_id, from: world.day(90), to: world.day(92), stop_sell: true },
    ],
    ceilings: [
      { room_type_id, from, to, ceiling: 3 },
      { room_type_id, agent_id: world.main.agent_id, from: to, to, ceiling: 1 },
    ],
  };
  const put = (label: string, body: unknown, id = SEVILLA.id) =>
    world.admin(`supply: ${label}`, `PUT ${PATH}/${id}/ari`, { body });
  await put("ARI", good);
  await put("ARI again", good);
  await put("ARI of nobody", good, world.unknownUuid);
  await put("ARI of a draft", {}, DRAFT.id);
  const rate = { rate_plan_id, from, to, amount: 1 };
  const bad: readonly object[] = [
    { rates: [{ ...rate, from: to, to: from }] },
    { rates: [{ ...rate, from: "2027-02-30" }] },
    { rates: [{ ...rate, to: world.day(2000) }] },
    { rates: [{ ...rate, rate_plan_id: "unknown" }] },
    { rates: [{ ...rate, amount: -1 }] },
    { rates: [{ ...rate, amount: 1.5 }] },
    { rates: [{ ...rate, days_of_week: ["funday"] }] },
    { rates: [{ ...rate, days_of_week: [] }] },
    { inventory: [{ room_type_id: "unknown", from, to, capacity: 1 }] },
    { inventory: [{ room_type_id, from: world.day(-400), to: world.day(-390), capacity: 1 }] },
    { restrictions: [{ room_type_id, from, to, min_los_arrival: 1000 }] },
    { ceilings: [{ room_type_id, from, to }] },
    { ceilings: [{ room_type_id, from, to, ceiling: null }] },
    { ceilings: [{ room_type_id, from, to, ceiling: 0, agent_id: "agt_unknown" }] },
    { rates: {} },
  ];
  for (const body of bad) await put("ARI with a fault", body);
  const { id } = suite as { id: string };
  await put("ARI ceiling", { ceilings: [{ room_type_id: id, from, to, ceiling: 0 }] });
}

async function exchange(world: World): Promise<void> {
  const bodies: readonly object[] = [
    { base: "EUR", rates: { USD: "1.10", GBP: "0.86", JPY: "163.25", CHF: "0.95" } },
    { base: "EUR", rates: { USD: 1.1 } },
    { base: "EUR", rates: { USD: "0" } },
    { base: "EUR", rates: { usd: "1" } },
    { base: "EUR", rates: { EUR: "2" } },
    { base: "EUR", rates: { USD: "1.1234567890123" } },
    { base: "euro", rates: {} },
    { rates: {} },
  ];
  for (const body of bodies) await world.admin("supply: FX", "PUT /v1/admin/fx", { body });
  const as = world.agent("supply-operator");
  await world.admin("supply: FX", "PUT /v1/admin/fx", { as, body: bodies[0] });
}

async function importMany(world: World): Promise<void> {
  const [one, two] = [smallHotel(0x900, "imported-one"), smallHotel(0x910, "imported-two")];
  const { id: _id, ...drawn } = smallHotel(0x920, "imported-drawn");
  const lines = [
    JSON.stringify(one),
    "{broken",
    "",
    JSON.stringify({ slug: "no" }),
    JSON.stringify({ ...two, timezone: "Mars/Olympus" }),
    JSON.stringify(one),
    JSON.stringify({ ...two, slug: one.slug }),
    JSON.stringify(drawn),
    JSON.stringify({ ...two, description: "x".repeat(530_000) }),
    '{"a":"\\ud800"}',
    JSON.stringify(two),
  ];
  const send = (raw: string | null, type = "application/x-ndjson", more = {}) => {
    const headers = { "content-type": type, ...more };
    return world.admin("supply: import", `POST ${PATH}/import`, { raw, headers });
  };
  const key = world.session.keyed();
  await send(lines.join("\n"), "application/x-ndjson", key);
  await send(lines.join("\n"), "application/x-ndjson", key);
  await send(`${JSON.stringify(one)}\r\n${JSON.stringify(two)}\n`, "application/ndjson");
  await send("\n\n\n");
  await send("", "application/x-ndjson");
  await send(null);
  await send(JSON.stringify(one), "application/json");
  await send(JSON.stringify(one), "text/plain");
  await send("{}\n", "application/x-ndjson", { "idempotency-key": "a b" });
  await world.admin("supply: import of nothing", `POST ${PATH}/import?x=1`);
}
