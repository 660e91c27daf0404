/** Opens incidents: one for each run of nights of a room type that a change leaves oversold. */
import { dateOf } from "../calendar.ts";
import type { CommandMeta } from "../commands.ts";
import type { Context, EventList } from "../decision.ts";
import { deriveId } from "../ids.ts";
import type { SuccessOf } from "../outcomes.ts";
import { type Cause, type ExcessNight, LISTED_NIGHTS_MAX } from "../oversell-terms.ts";
import type { PropertyEntry } from "../state/state.ts";
import { excessOf, incidentOn, roomIn } from "./nights.ts";
import type { Oversold } from "./oversold.ts";

/** Of one command; a scan opens those that are left. */
const OPENED_MAX = 200;
/** Ids of one command that other aggregates may take. */
const FIRST_COUNTER = 16;
/** Most ids of opened incidents that an answer lists. */
const NAMED_MAX = 20;

/** Consecutive nights of a room type. */
export interface Run {
  readonly room_type_id: string;
  readonly firstDay: number;
  readonly nights: ExcessNight[];
}

/**
 * Opens incidents for the nights that a change takes units from, unless one is open there. Nights
 * that were oversold before and keep their units are known: an accepted one stays accepted.
 */
export function addDetected(
  command: CommandMeta,
  property: PropertyEntry,
  { cause, oversold }: { readonly cause: Cause; readonly oversold: readonly Oversold[] },
  ctx: Context,
  events: EventList,
): Pick<SuccessOf<"ari">["data"], "incident_ids" | "incidents"> {
  const ids = runsOf(property, oversold)
    .slice(0, OPENED_MAX)
    .map((run, nth) => addRun(command, property, { cause, run, nth }, ctx, events));
  return ids.length > 0 ? { incident_ids: ids.slice(0, NAMED_MAX), incidents: ids.length } : {};
}

/** Opens one incident; returns its id. */
export function addRun(
  { random }: Pick<CommandMeta, "random">,
  { tree }: PropertyEntry,
  { cause, run, nth }: { readonly cause: Cause; readonly run: Run; readonly nth: number },
  ctx: Context,
  events: EventList,
): string {
  const { room_type_id, firstDay, nights } = run;
  const incident_id = deriveId("osi", ctx.now, random, FIRST_COUNTER + nth);
  events.add({
    type: "inventory.oversell_detected",
    data: {
      ...{ incident_id, property_id: tree.id, room_type_id, cause },
      from: dateOf(firstDay),
      until: dateOf(firstDay + nights.length),
      nights: nights.slice(0, LISTED_NIGHTS_MAX),
    },
  });
  return incident_id;
}

function runsOf(property: PropertyEntry, oversold: readonly Oversold[]): Run[] {
  const open = oversold.filter(({ night, day, isCut }) => {
    const at = roomIn(property, night.room_type_id);
    return isCut && at !== null && incidentOn(at.room, day) === null;
  });
  const byRoom = Map.groupBy(open, ({ night }) => night.room_type_id);
  return [...byRoom].flatMap(([room_type_id, nights]) => {
    const runs: Run[] = [];
    for (const { day, night } of nights.sort((a, b) => a.day - b.day)) {
      const last = runs.at(-1);
      const excess = excessOf(day, Math.max(0, night.effective), night);
      if (last && last.firstDay + last.nights.length === day) last.nights.push(excess);
      else runs.push({ room_type_id, firstDay: day, nights: [excess] });
    }
    return runs;
  });
}
