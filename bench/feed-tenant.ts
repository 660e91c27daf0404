/**
 * What feeds are measured on: hotels of the demo with four room types of three plans each, with
 * their texts, taxes, currencies, zones and restrictions, and a price for every night.
 */
import type { Command, CommandMeta } from "../engine/core/commands.ts";
import { type GeneratedProperty, generateProperties } from "../src/demo/generator.ts";
import { CoreRig, freshMeta } from "./core-rig.ts";

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
    yield hotel;
  }
}

/** What puts a hotel on sale, as an operator of the tenant would. */
function commandsOf({ property, ari }: GeneratedProperty): Command[] {
  const meta = (): CommandMeta => ({
    ...freshMeta(),
    actor: { kind: "operator", id: "agt_feeds" },
  });
  const property_id = property.id;
  return [
    { ...meta(), type: "CreateProperty", tree: property },
    { ...meta(), type: "UpdateAri", property_id, ari },
    { ...meta(), type: "PromoteProperty", property_id, dry_run: false, payments_configured: true },
  ];
}

/**
 * Writes the journal of a tenant with so many hotels by the engine's own commands; its path. Throws
 * when one is refused.
 */
export function writeFeedTenant(directory: string, count: number): string {
  const rig = new CoreRig(directory);
  let group: Command[] = [];
  for (const hotel of feedProperties(count)) {
    group.push(...commandsOf(hotel));
    if (group.length < GROUP) continue;
    rig.decide(group);
    group = [];
  }
  rig.decide(group);
  rig.close();
  return rig.path;
}
