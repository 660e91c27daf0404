/**
 * Rates and availability, exchange rates. All of supply goes through the engine, so price and
 * availability at any past point can be recomputed.
 */
import { dayOf, instantIso } from "../calendar.ts";
import type { SetFxRates, UpdateAri } from "../commands.ts";
import { windowEnd } from "../nights.ts";
import type { PropertyEntry } from "../state.ts";
import type { AriUpdate, DateRange } from "../supply.ts";
import { type Context, type Decision, EventList, reject, success } from "./context.ts";
import { NewScopes, SCOPES_MAX } from "./new-scopes.ts";
import { propertyOf } from "./property.ts";

/** Nights that one update may name, a night counting once for each range that has it. */
const ARI_NIGHTS_MAX = 100_000;

interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly expected: string;
}

/** Decides `PUT …/ari`: every range or none of them. An update that says nothing is no event. */
export function updateAri(command: UpdateAri, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const property_id = property.tree.id;
  const tooMany = nightsProblem(command.ari);
  if (tooMany) return reject(command, { code: "validation_failed", detail: tooMany });
  const errors = ariErrors(command.ari, property, windowEnd(ctx.state.baseDay) - 1);
  if (errors.length > 0) {
    return reject(command, { code: "validation_failed", detail: { field_errors: errors } });
  }
  const scopes = new NewScopes(command.ari, property);
  if (scopes.tooMany.length > 0) {
    const field_errors = scopes.tooMany.map(scopeError);
    return reject(command, { code: "validation_failed", detail: { field_errors } });
  }
  const { inventory, rates, restrictions, ceilings } = command.ari;
  const applied = {
    inventory: inventory?.length ?? 0,
    rates: rates?.length ?? 0,
    restrictions: restrictions?.length ?? 0,
    ceilings: ceilings?.length ?? 0,
  };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const usage = scopes.usage(property, ctx);
  const changed = {
    type: "ari.changed",
    data: { property_id, ari: command.ari },
    ...(usage.length > 0 ? { secret: { usage } } : {}),
  } as const;
  const data = { property_id, applied, seq: saysNothing(command.ari) ? null : events.add(changed) };
  return { events: events.list, outcome: success(command, "ari", data), phase: "sealed" };
}

/** What chooses nights; the rest of a range says what they become. */
const CHOOSING = new Set(["room_type_id", "rate_plan_id", "from", "to", "days_of_week"]);

/** Whether an update has no range, or only such that choose nights and change nothing of them. */
function saysNothing({ inventory, rates, restrictions, ceilings }: AriUpdate): boolean {
  return [inventory, rates, restrictions, ceilings].every((list) =>
    (list ?? []).every((range) => Object.keys(range).every((name) => CHOOSING.has(name))),
  );
}

/**
 * One update must not hold everybody up: what it costs to apply, here and in every process that
 * follows, is bounded by the nights of all its ranges together (twenty room types with three plans
 * each, set once for two years, have 44,000).
 */
function nightsProblem(ari: AriUpdate): { field_errors: FieldError[] } | null {
  const lists = [ari.inventory, ari.rates, ari.restrictions, ari.ceilings];
  let nights = 0;
  for (const list of lists) {
    for (const { from, to } of list ?? []) nights += Math.max(0, dayOf(to) - dayOf(from) + 1);
  }
  if (nights <= ARI_NIGHTS_MAX) return null;
  const message = `its ranges name ${nights} nights; split it into several updates`;
  return { field_errors: [{ path: "", message, expected: `≤ ${ARI_NIGHTS_MAX} nights` }] };
}

function scopeError(i: number): FieldError {
  const message = "is one scope of a rate plan or agent too many for its room type";
  return { path: `/ceilings/${i}`, message, expected: `≤ ${SCOPES_MAX} scopes per room type` };
}

/** Ids that are not the property's, and dates beyond what can be stored, all at once. */
function ariErrors(ari: AriUpdate, property: PropertyEntry, lastDay: number): FieldError[] {
  const errors: FieldError[] = [];
  const roomOfPlan = new Map<string, string>();
  for (const [roomTypeId, room] of property.rooms) {
    for (const planId of room.plans.keys()) roomOfPlan.set(planId, roomTypeId);
  }
  const unknown = (path: string, expected: string) =>
    errors.push({ path, message: "is not part of this property", expected });
  type Entry = DateRange & { room_type_id?: string; rate_plan_id?: string | null };
  const check = (entries: readonly Entry[] | undefined, list: string) => {
    entries?.forEach((entry, i) => {
      const { room_type_id, rate_plan_id } = entry;
      if (room_type_id !== undefined && !property.rooms.has(room_type_id)) {
        unknown(`/${list}/${i}/room_type_id`, "id of a room type of this property");
      }
      const planRoom = rate_plan_id ? roomOfPlan.get(rate_plan_id) : undefined;
      const isForeign = rate_plan_id && !planRoom;
      if (isForeign || (planRoom && room_type_id !== undefined && planRoom !== room_type_id)) {
        unknown(`/${list}/${i}/rate_plan_id`, "id of a rate plan of that room type");
      }
      if (dayOf(entry.to) > lastDay) {
        const message = "is beyond the dates that can be sold";
        const expected = `≤ ${instantIso(lastDay * 86_400_000).slice(0, 10)}`;
        errors.push({ path: `/${list}/${i}/to`, message, expected });
      }
    });
  };
  check(ari.inventory, "inventory");
  check(ari.rates, "rates");
  check(ari.restrictions, "restrictions");
  check(ari.ceilings, "ceilings");
  return errors;
}

/** Decides `PUT /v1/admin/fx`: the tenant's display exchange rates. */
export function setFxRates(command: SetFxRates, ctx: Context): Decision {
  const asOf = instantIso(ctx.stamp);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { base, rates } = command;
  const seq = events.add({ type: "fx.changed", data: { base, rates, as_of: asOf } });
  const data = { base, rates, as_of: asOf, seq };
  return { events: events.list, outcome: success(command, "fx", data), phase: "sealed" };
}
