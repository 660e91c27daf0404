/**
 * The scenario property of test mode (domain §19): six room types whose codes say how a booking of
 * them goes. What availability can bring about is in the ARI; `price_changed_at_quote` and
 * `oversold` are ordinary rooms to begin with.
 */
import type { PropertyTree, RoomType } from "../../engine/core/supply.ts";
import { type DateWindow, lastDate } from "./ari.ts";
import { type GeneratedProperty, generateProperties } from "./generator.ts";
import { demoUuid } from "./random.ts";

export const SCENARIO_SLUG = "scenario-hotel";

/** Codes of its room types. */
export const SCENARIO_CODES = [
  "ok",
  "sold_out_at_hold",
  "price_changed_at_quote",
  "ceiling_reached",
  "restricted",
  "oversold",
] as const;

type ScenarioCode = (typeof SCENARIO_CODES)[number];

const UNITS = 10;

/** A room type without a unit for 18 months could not be promoted (domain §9). */
const CLOSED_NIGHTS_MAX = 500;

/** The scenario property and its ARI for the window; the same seed gives the same ids. */
export function scenarioProperty(
  options: DateWindow & { readonly seed: number },
): GeneratedProperty {
  const [model] = generateProperties({ ...options, count: 1, tenantSalt: "scenario" });
  const property = scenarioTree(model!.property);
  const { startDate, nights } = options;
  const to = lastDate({ startDate, nights: Math.min(nights, CLOSED_NIGHTS_MAX) });
  const range = { from: startDate, to };
  const at = (code: ScenarioCode) => ({
    room_type_id: scenarioRoomTypeId(property, code),
    ...range,
  });
  return {
    property,
    ari: {
      inventory: SCENARIO_CODES.map((code) => ({
        ...at(code),
        capacity: code === "sold_out_at_hold" ? 0 : UNITS,
      })),
      restrictions: [{ ...at("restricted"), stop_sell: true }],
      ceilings: [{ ...at("ceiling_reached"), rate_plan_id: null, agent_id: null, ceiling: 0 }],
    },
  };
}

function scenarioRoomTypeId(property: PropertyTree, code: ScenarioCode): string {
  return demoUuid(property.id, code);
}

/** An ordinary hotel whose standard double appears once per scenario, under its own ids. */
function scenarioTree(hotel: PropertyTree): PropertyTree {
  const double = hotel.room_types.find((roomType) => roomType.code === "double")!;
  const room_types = SCENARIO_CODES.map((code): RoomType => {
    const id = scenarioRoomTypeId(hotel, code);
    return {
      ...double,
      id,
      code,
      name: `Scenario: ${code.replaceAll("_", " ")}`,
      default_inventory: UNITS,
      rate_plans: double.rate_plans.map((plan) => ({ ...plan, id: demoUuid(id, plan.code) })),
    };
  });
  return {
    ...hotel,
    slug: SCENARIO_SLUG,
    name: "Scenario Hotel",
    email: `reservations@${SCENARIO_SLUG}.example`,
    number_of_rooms: UNITS * room_types.length,
    room_types,
  };
}
