/**
 * Cells that others set since an event: a field of a night of a room type, a rate plan or a
 * ceiling. Setting a value counts, also the same one again. A new tree sets its new defaults on
 * nights without a value of their own.
 */
import { dateOf, dayOf } from "../calendar.ts";
import type { EventOf } from "../events/event.ts";
import { eachDay } from "../ranges.ts";
import {
  ALL_FIELDS,
  type ChangedField,
  daysIn,
  fieldBits,
  fieldsOf,
  intersection,
  type LastChanges,
  type NightSet,
  nightsFrom,
  union,
} from "../state/last-changes.ts";
import { type Nights, windowEnd } from "../state/nights.ts";
import { noteChange, scopeKey, UNSET_U16, UNSET_U32 } from "../state/room-state.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import type { AriUpdate, DateRange, PropertyTree, RatePlan } from "../supply.ts";
import { ceilingsByScope, releaseIn } from "./ari-ranges.ts";

/** Cells of a refusal, at most. */
const CELLS_MAX = 100;

/** A cell, and the event that set it last. */
export interface ChangedCell {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  /** Of a ceiling; null for every agent. */
  readonly agent_id: string | null;
  readonly date: string;
  readonly field: ChangedField;
  readonly seq: number;
}

interface Target {
  changes: LastChanges | null;
}

/** A range with what it is of. */
interface Placed {
  /** Undefined for a ceiling that does not exist yet. */
  readonly of: Target | undefined;
  readonly range: DateRange;
  readonly fields: number;
  readonly at: Pick<ChangedCell, "room_type_id" | "rate_plan_id" | "agent_id">;
}

/** The ranges of an update, whose ids the property knows. */
function* placedIn(ari: AriUpdate, property: PropertyEntry): Generator<Placed> {
  const { rooms } = property;
  const { inventory = [], rates = [], restrictions = [], ceilings = [] } = ari;
  const ofAll = { rate_plan_id: null, agent_id: null };
  for (const range of inventory) {
    const { room_type_id } = range;
    const at = { ...ofAll, room_type_id };
    yield { of: rooms.get(room_type_id)!, range, fields: fieldBits(range), at };
  }
  const roomOf = roomsByPlan(rates, rooms);
  for (const range of rates) {
    const { rate_plan_id } = range;
    const room_type_id = roomOf(rate_plan_id);
    const of = rooms.get(room_type_id)!.plans.get(rate_plan_id)!;
    yield { of, range, fields: fieldBits(range), at: { ...ofAll, room_type_id, rate_plan_id } };
  }
  for (const range of restrictions) {
    const { room_type_id, rate_plan_id = null } = range;
    const room = rooms.get(room_type_id)!;
    const of = rate_plan_id === null ? room : room.plans.get(rate_plan_id)!;
    yield { of, range, fields: fieldBits(range), at: { ...ofAll, room_type_id, rate_plan_id } };
  }
  const known = ceilingsByScope(ceilings, property);
  for (const range of ceilings) {
    const { room_type_id, rate_plan_id = null, agent_id = null, ceiling } = range;
    const fields = fieldBits({ ceiling, release: releaseIn(range) });
    const at = { room_type_id, rate_plan_id, agent_id };
    yield { of: known.get(scopeKey(range)), range, fields, at };
  }
}

/** Above this number of ranges a map of all plans costs less than a look at each room type. */
const SEARCHED_MAX = 4;

/** Finds the room type of a rate plan; a property may have thousands. */
function roomsByPlan(
  rates: readonly unknown[],
  rooms: PropertyEntry["rooms"],
): (planId: string) => string {
  if (rates.length <= SEARCHED_MAX) {
    return (planId) => [...rooms].find(([, { plans }]) => plans.has(planId))![0];
  }
  const byPlan = new Map(
    [...rooms].flatMap(([id, { plans }]) => [...plans.keys()].map((plan) => [plan, id])),
  );
  return (planId) => byPlan.get(planId)!;
}

/** The nights of a range from a day on. */
function nightsOf(range: DateRange, kept: number): NightSet {
  const first = Math.max(dayOf(range.from), kept);
  if (!range.days_of_week) return nightsFrom(first, dayOf(range.to) - first + 1);
  let bits = 0n;
  eachDay(range, kept, (day) => {
    bits |= 1n << BigInt(day - first);
  });
  return { first, bits };
}

/**
 * Notes what an update sets: all nights of a target with the same fields are one change, in
 * whichever order its ranges are. One change for each range would soon be the only ones known.
 */
export function noteAri(
  { data, seq }: EventOf<"ari.changed">,
  property: PropertyEntry,
  kept: number,
): void {
  const set = new Map<Target, Map<number, NightSet>>();
  for (const { of, range, fields } of placedIn(data.ari, property)) {
    if (fields === 0 || of === undefined) continue;
    const nights = nightsOf(range, kept);
    const byFields = set.get(of) ?? new Map<number, NightSet>();
    set.set(of, byFields);
    const before = byFields.get(fields);
    byFields.set(fields, before ? union(before, nights) : nights);
  }
  for (const [of, byFields] of set) {
    for (const [fields, nights] of byFields) {
      if (nights.bits !== 0n) noteChange(of, { ...nights, seq, fields });
    }
  }
}

/** Notes the defaults of a new tree that are others than before. */
export function noteTree(
  before: PropertyTree,
  { tree, rooms }: PropertyEntry,
  { seq, state, kept }: { readonly seq: number; readonly state: State; readonly kept: number },
): void {
  const all = nightsFrom(kept, windowEnd(state.baseDay) - kept);
  const unsetOf = (nights: Nights, unset: number): NightSet => {
    let { bits } = all;
    for (const [day, value] of nights.entries()) {
      if (day >= kept && value !== unset) bits &= ~(1n << BigInt(day - kept));
    }
    return { first: kept, bits };
  };
  const note = (of: Target, field: ChangedField, nights: NightSet) => {
    if (nights.bits === 0n) return;
    noteChange(of, { ...nights, seq, fields: fieldBits({ [field]: true }) });
  };
  const roomsBefore = new Map(before.room_types.map((room) => [room.id, room]));
  for (const room of tree.room_types) {
    const was = roomsBefore.get(room.id);
    if (was === room) continue;
    const cells = rooms.get(room.id)!;
    if (was?.default_inventory !== room.default_inventory) {
      note(cells, "capacity", unsetOf(cells.capacity, UNSET_U16));
    }
    if (was?.overbooking_limit !== room.overbooking_limit) {
      note(cells, "overbooking_limit", unsetOf(cells.overbooking, UNSET_U16));
    }
    const plansBefore = new Map(was?.rate_plans.map((plan) => [plan.id, plan]));
    for (const plan of room.rate_plans) {
      const planWas = plansBefore.get(plan.id);
      const of = cells.plans.get(plan.id)!;
      // A plan that returns under its id has lost its nights.
      if (planWas === undefined) noteChange(of, { ...all, seq, fields: ALL_FIELDS });
      else if (planWas !== plan) {
        if (priceOf(planWas) !== priceOf(plan)) note(of, "amount", unsetOf(of.amount, UNSET_U32));
        if (planWas.extra_adult_per_night !== plan.extra_adult_per_night) {
          note(of, "extra_adult", unsetOf(of.extraAdult, UNSET_U32));
        }
      }
    }
  }
}

function priceOf({ base_rate_per_night, currency, derived_from }: RatePlan): string {
  return JSON.stringify([base_rate_per_night, currency, derived_from ?? null]);
}

/** Cells that an update sets and that were set after the event `since`. */
export function changedCells(
  ari: AriUpdate,
  property: PropertyEntry,
  { since, kept }: { readonly since: number; readonly kept: number },
): { readonly cells: readonly ChangedCell[]; readonly hasMore: boolean } {
  const { changesKnownFrom } = property;
  const cells = new Map<string, ChangedCell>();
  for (const { of, range, fields, at } of placedIn(ari, property)) {
    const nights = nightsOf(range, kept);
    const unknown = { ...nights, seq: changesKnownFrom, fields };
    const later = of?.changes?.after(since) ?? [];
    const changes = since < changesKnownFrom ? [unknown, ...later] : later;
    for (const change of changes.toReversed()) {
      for (const field of fieldsOf(change.fields & fields)) {
        for (const day of daysIn(intersection(nights, change))) {
          const key = JSON.stringify([at, field, day]);
          if (cells.has(key)) continue;
          if (cells.size === CELLS_MAX) return { cells: [...cells.values()], hasMore: true };
          cells.set(key, { ...at, date: dateOf(day), field, seq: change.seq });
        }
      }
    }
  }
  return { cells: [...cells.values()], hasMore: false };
}
