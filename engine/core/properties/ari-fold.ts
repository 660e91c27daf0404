/** Folds the ranges of an ARI update, night by night. */
import { dayOf } from "../calendar.ts";
import type { EventOf } from "../events/event.ts";
import type { CeilingUsage } from "../events/properties.ts";
import type { Folds } from "../fold.ts";
import { eachDay } from "../ranges.ts";
import {
  type RestrictedNight,
  type Restriction,
  type RestrictionFields,
  RULE_NAMES,
  type RuleValue,
  restrictedNight,
} from "../rules.ts";
import { type Nights, pageStart } from "../state/nights.ts";
import {
  type Ceiling,
  type PlanState,
  type RealmSheets,
  type RoomState,
  type Scope,
  scopeKey,
  UNSET_U16,
  UNSET_U32,
} from "../state/room-state.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import type { CeilingRange, RateRange, Realm, Release, RestrictionRange } from "../supply.ts";
import { ceilingsByScope, firstKept, plansById, releaseIn } from "./ari-ranges.ts";
import { noteAri } from "./changed-cells.ts";

/** Undefined keeps the value, null clears it to `unset`. */
function assign(nights: Nights, day: number, value: number | null | undefined, unset: number) {
  if (value !== undefined) nights.set(day, value ?? unset);
}

/** Applies inventory, rates, restrictions and ceilings, in this order. */
export function applyAri(state: State, event: EventOf<"ari.changed">, realm: Realm): void {
  const property = state.property(realm, event.data.property_id)!;
  const { inventory, rates, restrictions, ceilings } = event.data.ari;
  const index = state.tenant(property.tenant_id).index[property.mode];
  const kept = firstKept(state);
  for (const entry of inventory ?? []) {
    const { from, to } = entry;
    const room = property.rooms.get(entry.room_type_id)!;
    const { capacity, outOfOrder, overbooking } = room;
    eachDay(entry, kept, (day) => {
      assign(capacity, day, entry.capacity, UNSET_U16);
      assign(outOfOrder, day, entry.out_of_order, 0);
      assign(overbooking, day, entry.overbooking_limit, UNSET_U16);
    });
    index?.unitsChanged(room, Math.max(dayOf(from), kept), dayOf(to) + 1);
  }
  const changed = index && (restrictions || ceilings) ? new ChangedNights() : null;
  if (rates) applyRates(state, property, rates);
  for (const entry of restrictions ?? []) applyRestriction(state, property, entry, changed);
  const usage = event.secret?.usage ?? [];
  if (ceilings) applyCeilings(state, property, { entries: ceilings, usage }, changed);
  for (const [room, days] of changed?.byRoom() ?? []) index!.limitsChanged(room, days);
  noteAri(event, property, kept);
}

/** Nights whose restrictions or ceilings an update changes. */
class ChangedNights {
  readonly #rooms: RoomState[] = [];
  readonly #days: number[] = [];

  add(room: RoomState, day: number): void {
    this.#rooms.push(room);
    this.#days.push(day);
  }

  /**
   * Each night once, although an update may set it for every rate plan. Usually there is one room
   * type.
   */
  byRoom(): Iterable<readonly [RoomState, Iterable<number>]> {
    const [room] = this.#rooms;
    if (room && this.#rooms.length === 1) return [[room, this.#days]];
    const byRoom = new Map<RoomState, Set<number>>();
    this.#rooms.forEach((each, i) => {
      const days = byRoom.get(each);
      if (days) days.add(this.#days[i]!);
      else byRoom.set(each, new Set([this.#days[i]!]));
    });
    return byRoom;
  }
}

function applyRates(state: State, property: PropertyEntry, entries: readonly RateRange[]): void {
  const plans = plansById(property);
  for (const entry of entries) {
    const plan = plans.get(entry.rate_plan_id);
    if (!plan) throw new Error(`journaled rate plan ${entry.rate_plan_id} is not its property's`);
    eachDay(entry, firstKept(state), (day) => {
      assign(plan.amount, day, entry.amount, UNSET_U32);
      assign(plan.extraAdult, day, entry.extra_adult, UNSET_U32);
    });
  }
}

function applyRestriction(
  state: State,
  property: PropertyEntry,
  entry: RestrictionRange,
  changed: ChangedNights | null,
): void {
  const room = property.rooms.get(entry.room_type_id)!;
  const target = entry.rate_plan_id ? room.plans.get(entry.rate_plan_id)! : room;
  // Nights with equal restrictions share one object, which is never changed.
  const after = new Map<RestrictedNight | undefined, RestrictedNight | null>();
  eachDay(entry, firstKept(state), (day) => {
    changed?.add(room, day);
    const before = target.restrictions.get(day);
    let merged = after.get(before);
    if (merged === undefined) {
      const values = mergedValues(before?.values, entry);
      merged = values && restrictedNight(values);
      after.set(before, merged);
    }
    target.restrict(day, merged);
  });
}

/** The values after the update; null for none. */
function mergedValues(
  before: Restriction | undefined,
  entry: RestrictionFields,
): Restriction | null {
  const merged: Record<string, RuleValue> = { ...before };
  for (const field of RULE_NAMES) {
    const value = entry[field];
    if (value === null) delete merged[field];
    else if (value !== undefined) merged[field] = value;
  }
  return Object.keys(merged).length === 0 ? null : (merged as Restriction);
}

function applyCeilings(
  state: State,
  property: PropertyEntry,
  {
    entries,
    usage,
  }: Record<"entries", readonly CeilingRange[]> & Record<"usage", readonly CeilingUsage[]>,
  changed: ChangedNights | null,
): void {
  const byScope = ceilingsByScope(entries, property);
  const counted = new Map(usage.map((each) => [scopeKey(each), each]));
  for (const entry of entries) {
    const key = scopeKey(entry);
    let ceiling = byScope.get(key);
    if (!ceiling) {
      const sheets = state.tenant(property.tenant_id).sheets[property.mode];
      ceiling = newCeiling(sheets, entry, counted.get(key));
      property.rooms.get(entry.room_type_id)!.ceilings.push(ceiling);
      byScope.set(key, ceiling);
    }
    const { limit } = ceiling;
    const room = property.rooms.get(entry.room_type_id)!;
    eachDay(entry, firstKept(state), (day) => {
      changed?.add(room, day);
      assign(limit, day, entry.ceiling, UNSET_U16);
      setRelease(ceiling, day, releaseIn(entry));
    });
  }
}

function setRelease(ceiling: Ceiling, day: number, release: Release | null | undefined): void {
  if (release === undefined) return;
  if (release === null) ceiling.releases?.delete(day);
  else {
    ceiling.releases ??= new Map();
    ceiling.releases.set(day, release);
  }
}

function newCeiling(sheets: RealmSheets, scope: Scope, counted: CeilingUsage | undefined): Ceiling {
  const { rate_plan_id = null, agent_id = null } = scope;
  const isWidest = rate_plan_id === null && agent_id === null;
  const used = isWidest ? null : sheets.ceilingUsed.take();
  for (const [day, units] of counted?.used ?? []) used?.set(day, units);
  const limit = sheets.ceilingLimit.take();
  return { rate_plan_id, agent_id, limit, used, releases: null, changes: null };
}

/** Moves the base day on and forgets past pages of nights. */
function applyHorizon(state: State, baseDay: number): void {
  const isFirst = state.baseDay === 0;
  const before = pageStart(state.keptDay);
  if (pageStart(state.baseDay) !== pageStart(baseDay)) state.forgetIndexes();
  state.baseDay = baseDay;
  state.keptDay = isFirst ? baseDay : Math.min(baseDay, state.keptDay + 1);
  const start = pageStart(state.keptDay);
  if (isFirst || start === before) return;
  state.forgottenDay = Math.max(state.forgottenDay, start);
  for (const { sheets } of state.tenants.values()) {
    sheets.live.forgetBefore(start);
    sheets.test.forgetBefore(start);
  }
  for (const property of state.allProperties()) {
    for (const room of [...property.rooms.values(), ...property.retired.values()]) {
      forgetBefore(room, start);
      for (const { releases, changes } of room.ceilings) {
        for (const day of releases?.keys() ?? []) if (day < start) releases!.delete(day);
        changes?.forgetBefore(start);
      }
      for (const plan of room.plans.values()) forgetBefore(plan, start);
    }
  }
}

function forgetBefore(of: RoomState | PlanState, start: number): void {
  for (const day of of.restrictions.keys()) if (day < start) of.restrict(day, null);
  of.changes?.forgetBefore(start);
}

export const ARI_FOLDS = {
  "ari.changed": applyAri,
  "horizon.advanced": (state, { data }) => applyHorizon(state, data.base_day),
  "fx.changed": (state, { data }, row) => {
    state.tenant(row.tenant_id).fx = data;
  },
} satisfies Partial<Folds>;
