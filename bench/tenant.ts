/**
 * What the benchmark sells, in the demo tenant and through the admin API: as much as its peers
 * have, so that all sides do the same work.
 */
import { dateOf } from "../engine/core/calendar.ts";
import type { QuoteRequest } from "../engine/core/price/quote.ts";
import type { AriUpdate, PropertyTree, RatePlan, RoomType } from "../engine/core/supply.ts";
import { AdminClient } from "../src/ops/demo/admin-client.ts";
import type { DemoFile } from "../src/ops/demo/demo-file.ts";
import { demoUuid } from "../src/ops/demo/random.ts";
import { CAPACITY, NIGHTS, ROOM_TYPES } from "./baselines/peer2-seed.ts";

const PROPERTIES = 20;
const ROOM_TYPES_EACH = ROOM_TYPES / PROPERTIES;
const DAY_MS = 86_400_000;
/** Read once: a run over midnight keeps its stays. */
export const TODAY = Math.floor(Date.now() / DAY_MS);

/** The city of all properties of the benchmark: a search there looks at 20 of them. */
export const CITY = "Benchmark";

/** `spread`: all room types in turn. `hot`: every quote is for the same room type. */
export type Crowd = "spread" | "hot";

function ratePlan(id: string): RatePlan {
  return {
    id,
    code: "FLEX",
    name: "Flexible",
    currency: "EUR",
    base_rate_per_night: 12_000,
    meal_plan: "breakfast",
    cancellation_kind: "free_until_cutoff",
    extra_adult_per_night: 2_000,
    adjustments: [],
  };
}

function roomType(property: string, index: number): RoomType {
  const id = demoUuid(property, "room", index);
  return {
    id,
    code: `R${index}`,
    name: `Room ${index}`,
    description: null,
    max_occupancy: 3,
    included_occupancy: 2,
    bed_type: null,
    floor_size_sqm: null,
    amenities: ["desk"],
    images: [],
    smoking_allowed: false,
    default_inventory: CAPACITY,
    overbooking_limit: 0,
    rate_plans: [ratePlan(demoUuid(id, "plan"))],
  };
}

function property(index: number): PropertyTree {
  const id = demoUuid("benchmark", index);
  return {
    id,
    slug: `benchmark-${index}`,
    name: `Benchmark ${index}`,
    description: null,
    star_rating: 3,
    address: { line1: `${index} Main Street`, city: CITY, country: "ES" },
    geo: { lat: 41.4, lng: 2.2 },
    default_currency: "EUR",
    timezone: "Europe/Madrid",
    amenities: ["wifi"],
    images: ["https://images.example/benchmark.jpg"],
    phone: "+34931234567",
    email: "desk@benchmark.example",
    pets_allowed: false,
    number_of_rooms: null,
    checkin_time: "15:00",
    checkout_time: "11:00",
    policies: [
      {
        version: "1",
        cancellation_kind: "free_until_cutoff",
        free_cancellation_hours_before_checkin: 48,
        cancellation_fee_pct_after_cutoff: 50,
        child_policy_text: null,
        no_show_fee_pct: 100,
      },
    ],
    tax_rules: [
      {
        code: "VAT",
        name: "VAT 10%",
        kind: "tax",
        basis: "percent",
        rate_bps: 1_000,
        included_in_rate: true,
        collect: "prepaid",
      },
    ],
    child_bands: [],
    room_types: Array.from({ length: ROOM_TYPES_EACH }, (_, room) => roomType(id, room)),
  };
}

/** The properties of the benchmark in their admin form; ids are the same in every run. */
export const BENCH_PROPERTIES: readonly PropertyTree[] = Array.from(
  { length: PROPERTIES },
  (_, index) => property(index),
);

/** The whole window on sale with `CAPACITY` units a night. */
export function openInventory(tree: PropertyTree): AriUpdate {
  const range = { from: dateOf(TODAY), to: dateOf(TODAY + NIGHTS), capacity: CAPACITY };
  return { inventory: tree.room_types.map(({ id }) => ({ room_type_id: id, ...range })) };
}

/** A property with everything that puts it on sale. */
export interface Supply {
  readonly tree: PropertyTree;
  readonly ari: AriUpdate;
}

/** Creates, fills and promotes a property. Throws when a call is refused, naming it. */
export async function sell(client: AdminClient, { tree, ari }: Supply): Promise<void> {
  const path = `/v1/admin/properties/${tree.id}`;
  await client.call({ method: "POST", path: "/v1/admin/properties", body: JSON.stringify(tree) });
  await client.call({ method: "PUT", path: `${path}/ari`, body: JSON.stringify(ari) });
  await client.call({ method: "POST", path: `${path}/promote`, body: "{}" });
}

/** Puts the properties of the benchmark on sale. */
export async function seedSupply(baseUrl: string, demo: DemoFile): Promise<void> {
  const client = new AdminClient({ baseUrl, secret: demo.admin.secret, keyPrefix: "bench" });
  for (const tree of BENCH_PROPERTIES) await sell(client, { tree, ari: openInventory(tree) });
}

/**
 * The stay of the `i`-th quote: one to four nights within the next year, on the `i`-th room type,
 * which is how the peers seed theirs.
 */
export function requestOf(i: number, crowd: Crowd): QuoteRequest {
  const room = crowd === "hot" ? 0 : i % ROOM_TYPES;
  const { id, room_types } = BENCH_PROPERTIES[Math.floor(room / ROOM_TYPES_EACH)]!;
  const { id: room_type_id, rate_plans } = room_types[room % ROOM_TYPES_EACH]!;
  const first = TODAY + 1 + ((i * 37) % 360);
  return {
    hotel_id: id,
    room_type_id,
    rate_plan_id: rate_plans[0]!.id,
    stay: { check_in: dateOf(first), check_out: dateOf(first + 1 + (i % 4)) },
    guests: { adults: 2, children: [] },
  };
}
