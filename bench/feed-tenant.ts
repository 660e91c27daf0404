/**
 * What feeds are measured on: hotels of the demo with four room types of three plans each, with
 * their texts, taxes, currencies, zones and restrictions, and a price for every night.
 */
import type { Command } from "../engine/core/commands.ts";
import { AdminClient } from "../src/ops/demo/admin-client.ts";
import { type GeneratedProperty, generateProperties } from "../src/ops/demo/generator.ts";
import { CoreRig, sellingCommands } from "./core-rig.ts";
import type { Installation } from "./installation.ts";
import { sell } from "./tenant.ts";

/** Days of the document that T8 names. */
export const DAYS = 30;
const ROOM_TYPES = 4;
const PLANS = 3;
const SEED = 1;
const NIGHTS = 400;
/** Far more than are looked at: about one demo hotel in four is of the wanted kind. */
const DEMO_HOTELS = 1_000_000;
/** Commands of one transaction. */
const GROUP = 96;
/** Hotels that are put on sale at once. */
const LANES = 8;

function isWanted({ property: { room_types } }: GeneratedProperty): boolean {
  return (
    room_types.length === ROOM_TYPES &&
    room_types.every(({ rate_plans }) => rate_plans.length === PLANS)
  );
}

/** The first `count` hotels of the wanted kind, on sale from the day before today on. */
export function* feedProperties(count: number): Generator<GeneratedProperty> {
  const startDate = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const window = { startDate, nights: NIGHTS };
  const hotels = { ...window, count: DEMO_HOTELS, seed: SEED, tenantSalt: "feeds" };
  let found = 0;
  for (const hotel of generateProperties(hotels)) {
    if (found === count) return;
    if (!isWanted(hotel)) continue;
    found += 1;
    // The demo itself has hotels of the same names.
    const slug = `feeds-${hotel.property.slug}`;
    yield { ...hotel, property: { ...hotel.property, slug } };
  }
}

/**
 * Writes the journal of a tenant with `count` hotels by the engine's own commands; its path. Throws
 * when one is refused.
 */
export function writeFeedTenant(directory: string, count: number): string {
  const rig = new CoreRig(directory);
  let group: Command[] = [];
  for (const hotel of feedProperties(count)) {
    group.push(...sellingCommands({ tree: hotel.property, ari: hotel.ari }));
    if (group.length < GROUP) continue;
    rig.decide(group);
    group = [];
  }
  rig.decide(group);
  rig.close();
  return rig.path;
}

/** Puts `count` hotels on sale in the demo tenant of an installation, as its operator. */
export async function sellFeedHotels(of: Installation, count: number): Promise<void> {
  const { baseUrl, demo } = of;
  const client = new AdminClient({ baseUrl, secret: demo.admin.secret, keyPrefix: "feeds" });
  const hotels = feedProperties(count);
  const lane = async () => {
    for (const { property, ari } of hotels) await sell(client, { tree: property, ari });
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
