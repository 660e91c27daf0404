/**
 * The scenario property of test mode: six room types whose codes name the outcome of a
 * booking. Availability outcomes are in the ARI; `price_changed_at_quote` and `oversold` start as
 * ordinary rooms.
 */
import type { PropertyTree, RoomType } from "../../../engine/core/supply.ts";
import { type DateWindow, lastDate } from "./ari.ts";
import { type GeneratedProperty, generateProperties } from "./generator.ts";
import { demoUuid } from "./random.ts";
import rows from "./tables/scenario.json" with { type: "json" };

/** Differences from ordinary units and limits. */
interface Scenario {
  readonly code: string;
  readonly capacity?: number;
  readonly ceiling?: number;
  readonly stop_sell?: boolean;
}

const SCENARIOS: readonly Scenario[] = rows;

const SCENARIO_SLUG = "scenario-hotel";

/** Codes of its room types. */
export const SCENARIO_CODES = SCENARIOS.map(({ code }) => code);

const UNITS = 10;

/** A room type without a unit for 18 months could not be promoted. */
const CLOSED_NIGHTS_MAX = 500;

/** The scenario property and its ARI for the window; the same seed gives the same ids. */
export function scenarioProperty(
  options: DateWindow & { readonly seed: number },
): GeneratedProperty {
  const [model] = generateProperties({ ...options, count: 1, tenantSalt: "scenario" });
  const property = scenarioTree(model!.property);
  const { startDate, nights } = options;
  const to = lastDate({ startDate, nights: Math.min(nights, CLOSED_NIGHTS_MAX) });
  const at = (code: string) => ({ room_type_id: demoUuid(property.id, code), from: startDate, to });
  const everyone = { rate_plan_id: null, agent_id: null };
  const inventory = SCENARIOS.map(({ code, capacity = UNITS }) => ({ ...at(code), capacity }));
  const restrictions = SCENARIOS.flatMap(({ code, stop_sell }) =>
    stop_sell === undefined ? [] : [{ ...at(code), stop_sell }],
  );
  const ceilings = SCENARIOS.flatMap(({ code, ceiling }) =>
    ceiling === undefined ? [] : [{ ...at(code), ...everyone, ceiling }],
  );
  return { property, ari: { inventory, restrictions, ceilings } };
}

/** An ordinary hotel with its standard double once per scenario, under new ids. */
function scenarioTree(hotel: PropertyTree): PropertyTree {
  const double = hotel.room_types.find((roomType) => roomType.code === "double")!;
  const room_types = SCENARIO_CODES.map((code): RoomType => {
    const id = demoUuid(hotel.id, code);
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
