/**
 * Nights as a table, one line for each night of a room type, a rate plan and a ceiling of an agent.
 */
import { type Restriction, RULE_NAMES } from "../../../engine/core/rules.ts";
import { type Cell, csvLine } from "../../lib/csv.ts";
import type { RoomNights } from "./nights.ts";

/** Rules that had a column before the ceilings got theirs. */
const FIRST_RULES = 7;

/** The order is part of the contract: readers may go by position. */
export const COLUMNS = [
  ...(["property", "room_type", "rate_plan", "agent_id", "date"] as const),
  ...(["capacity", "out_of_order", "overbooking_limit"] as const),
  ...(["effective", "sold", "held", "left"] as const),
  ...(["amount", "extra_adult", "currency", "rate_source"] as const),
  ...RULE_NAMES.slice(0, FIRST_RULES),
  ...(["ceiling", "ceiling_used"] as const),
  ...(["changed_at", "changed_by", "changed_fields", "changed_seq"] as const),
  "ceiling_release",
  ...RULE_NAMES.slice(FIRST_RULES),
] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], Cell>>;

/** The first line. */
export const HEADER = csvLine(COLUMNS);

function lineOf(line: Line): string {
  return csvLine(COLUMNS.map((column) => line[column]));
}

type Night = RoomNights["nights"][number];

/** The lines of a room type. */
export function* linesOf(property: string, room: RoomNights): Generator<string> {
  const codes = new Map(room.nights[0]?.rate_plans.map((each) => [each.rate_plan_id, each.code]));
  for (const night of room.nights) {
    const at = { property, room_type: room.code, date: night.date };
    const { capacity, out_of_order, overbooking_limit, effective, sold, held, left } = night;
    yield lineOf({
      ...at,
      ...{ capacity, out_of_order, overbooking_limit, effective, sold, held, left },
      ...restricted(night.restrictions),
      ...ceilingOf(night, null),
      ...changedBy(night),
    });
    for (const plan of night.rate_plans) {
      const { code: rate_plan, amount, extra_adult, currency, rate_source } = plan;
      yield lineOf({
        ...{ ...at, rate_plan, amount, extra_adult, currency, rate_source },
        ...restricted(plan.restrictions),
        ...ceilingOf(night, plan.rate_plan_id),
        ...changedBy(plan),
      });
    }
    for (const ceiling of night.ceilings) {
      const { agent_id, rate_plan_id } = ceiling;
      if (agent_id === null) continue;
      const rate_plan = rate_plan_id && codes.get(rate_plan_id);
      yield lineOf({ ...at, rate_plan, agent_id, ...limited(ceiling) });
    }
  }
}

function restricted(restrictions: Restriction): Line {
  return Object.fromEntries(RULE_NAMES.map((name) => [name, restrictions[name]]));
}

/** The ceiling of every agent together. */
function ceilingOf({ ceilings }: Night, planId: string | null): Line {
  const found = ceilings.find((each) => each.agent_id === null && each.rate_plan_id === planId);
  return found ? limited(found) : {};
}

/** A release is a date, or a number of days before the night. */
function limited({ limit, used, release }: Night["ceilings"][number]): Line {
  const said = release?.strategy === "fixed" ? release.at : release?.days_before;
  return { ceiling: limit, ceiling_used: used, ceiling_release: said };
}

function changedBy({ changed }: Pick<Night, "changed">): Line {
  if (!changed) return {};
  const { at, actor, fields, seq } = changed;
  const line = { changed_at: at, changed_by: `${actor.kind}:${actor.id}` };
  return { ...line, changed_fields: fields.join(" "), changed_seq: seq };
}
