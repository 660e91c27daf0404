/**
 * The cells of a realm: counts, rates, restrictions and ceilings of room types and rate plans,
 * night by night.
 *
 * Counting rule: a hold in `held` or `confirming` counts in `held`, a confirmed booking in `sold`,
 * for every night of the stay, check-out excluded.
 */
import { assert } from "../assert.ts";
import { dayOf } from "../calendar.ts";
import type { OpenIncident } from "../oversell-terms.ts";
import type { RestrictedNight } from "../rules.ts";
import type { Release, RoomType } from "../supply.ts";
import type { ExpiryHeap } from "./expiry-heap.ts";
import { type Change, LastChanges } from "./last-changes.ts";
import { Lanes, type Nights } from "./nights.ts";

/** Stored in `Nights` where a date has no value of its own. */
export const UNSET_U16 = 0xffff;
export const UNSET_U32 = 0xffffffff;

/** A daily limit for one scope; null in a scope means every rate plan or every agent. */
export interface Ceiling {
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly limit: Nights;
  /** Units sold + held in the scope; null for the widest scope, which uses the cell itself. */
  readonly used: Nights | null;
  /** When unsold units of a night are released, by day; null before the first. */
  releases: Map<number, Release> | null;
  /** Which events set it; null before the first. */
  changes: LastChanges | null;
}

/** What a ceiling is of. */
export type Scope = {
  readonly room_type_id: string;
  readonly rate_plan_id?: string | null;
  readonly agent_id?: string | null;
};

/** Equal for two ceilings exactly when their scopes are equal. */
export function scopeKey({ room_type_id, rate_plan_id = null, agent_id = null }: Scope): string {
  return JSON.stringify([room_type_id, rate_plan_id, agent_id]);
}

/** Lanes of a sheet for numbers that nearly every night has, and for those that few nights have. */
const DENSE_LANES = 256;
const SPARSE_LANES = 16;

/**
 * The storage of a realm's nights. Its layout depends on the order of creation and is not part of
 * the state.
 */
export class RealmSheets {
  readonly capacity = new Lanes(UNSET_U16, DENSE_LANES);
  readonly sold = new Lanes(0, DENSE_LANES);
  readonly held = new Lanes(0, DENSE_LANES);
  readonly amount = new Lanes(UNSET_U32, DENSE_LANES);
  readonly outOfOrder = new Lanes(0, SPARSE_LANES);
  readonly overbooking = new Lanes(UNSET_U16, SPARSE_LANES);
  readonly extraAdult = new Lanes(UNSET_U32, SPARSE_LANES);
  readonly ceilingLimit = new Lanes(UNSET_U16, SPARSE_LANES);
  readonly ceilingUsed = new Lanes(0, SPARSE_LANES);

  forgetBefore(day: number): void {
    for (const lanes of Object.values(this) as Lanes[]) lanes.forgetBefore(day);
  }
}

/** The common number of lanes that are taken together, one of each kind. */
function takeAll([first, ...others]: readonly [Lanes, ...Lanes[]]): number {
  const { number } = first.take();
  for (const lanes of others) assert(lanes.take().number === number, "lanes are taken together");
  return number;
}

const UNRESTRICTED: ReadonlyMap<number, RestrictedNight> = new Map();

/** Restrictions night by night; the map is made at the first one. */
class Restrictable {
  #restrictions: Map<number, RestrictedNight> | null = null;
  /** Which events set its nights; null before the first. */
  changes: LastChanges | null = null;

  get restrictions(): ReadonlyMap<number, RestrictedNight> {
    return this.#restrictions ?? UNRESTRICTED;
  }

  /** Null removes the night's restriction. */
  restrict(day: number, night: RestrictedNight | null): void {
    if (night === null) this.#restrictions?.delete(day);
    else {
      this.#restrictions ??= new Map();
      this.#restrictions.set(day, night);
    }
  }
}

/**
 * Rates and restrictions of a rate plan, night by night. It has a number and its realm's sheets;
 * `Nights` are made on demand, because those of a large tenant would be a fifth of all objects in
 * memory.
 */
export class PlanState extends Restrictable {
  readonly #sheets: RealmSheets;
  /** Its number in the lanes of every kind. */
  readonly number: number;

  constructor(sheets: RealmSheets) {
    super();
    this.#sheets = sheets;
    this.number = takeAll([sheets.amount, sheets.extraAdult]);
  }

  get amount(): Nights {
    return this.#sheets.amount.at(this.number);
  }

  get extraAdult(): Nights {
    return this.#sheets.extraAdult.at(this.number);
  }

  /** Frees the nights of a removed rate plan. */
  giveBack(): void {
    this.#sheets.amount.giveBack(this.amount);
    this.#sheets.extraAdult.giveBack(this.extraAdult);
  }
}

export type Units = Pick<RoomState, "capacity" | "outOfOrder" | "overbooking" | "sold" | "held">;

/** The cells of a room type: counts, restrictions and ceilings, night by night. */
export class RoomState extends Restrictable {
  readonly #sheets: RealmSheets;
  /** Its number in the lanes of every kind. */
  readonly number: number;
  readonly ceilings: Ceiling[] = [];
  readonly plans = new Map<string, PlanState>();
  /** Derived: expiries of the held holds of this room type; null before the first. */
  expiries: ExpiryHeap | null = null;
  /** Derived: its open oversell incidents, oldest first; null for none. */
  incidents: readonly OpenIncident[] | null = null;
  /** Derived: its ordinal in the index of its realm; -1 for none. */
  ordinal = -1;

  constructor(sheets: RealmSheets) {
    super();
    this.#sheets = sheets;
    const { capacity, outOfOrder, overbooking, sold, held } = sheets;
    this.number = takeAll([capacity, outOfOrder, overbooking, sold, held]);
  }

  get capacity(): Nights {
    return this.#sheets.capacity.at(this.number);
  }

  get outOfOrder(): Nights {
    return this.#sheets.outOfOrder.at(this.number);
  }

  get overbooking(): Nights {
    return this.#sheets.overbooking.at(this.number);
  }

  get sold(): Nights {
    return this.#sheets.sold.at(this.number);
  }

  get held(): Nights {
    return this.#sheets.held.at(this.number);
  }

  /** All of them, for loops over many nights. */
  units(): Units {
    const { capacity, outOfOrder, overbooking, sold, held } = this;
    return { capacity, outOfOrder, overbooking, sold, held };
  }

  /** Frees the nights of a removed room type and its rate plans. */
  giveBack(): void {
    const sheets = this.#sheets;
    sheets.capacity.giveBack(this.capacity);
    sheets.outOfOrder.giveBack(this.outOfOrder);
    sheets.overbooking.giveBack(this.overbooking);
    sheets.sold.giveBack(this.sold);
    sheets.held.giveBack(this.held);
    for (const { limit, used } of this.ceilings) {
      sheets.ceilingLimit.giveBack(limit);
      if (used) sheets.ceilingUsed.giveBack(used);
    }
    for (const plan of this.plans.values()) plan.giveBack();
  }
}

/** `capacity − out_of_order + overbooking_limit` of a night. */
export function effectiveCapacity(roomType: RoomType, room: Units, day: number): number {
  const own = room.capacity.get(day);
  const extra = room.overbooking.get(day);
  return (
    (own === UNSET_U16 ? roomType.default_inventory : own) -
    room.outOfOrder.get(day) +
    (extra === UNSET_U16 ? roomType.overbooking_limit : extra)
  );
}

/** Notes what an event sets of a room type, a rate plan or a ceiling. */
export function noteChange(of: { changes: LastChanges | null }, change: Change): void {
  of.changes ??= new LastChanges();
  of.changes.note(change);
}

/** Units sold + held on a night within a ceiling's scope. */
export function ceilingUsed(ceiling: Ceiling, room: RoomState, day: number): number {
  return ceiling.used ? ceiling.used.get(day) : room.sold.get(day) + room.held.get(day);
}

/** Whether a night's unsold units are released: then its ceiling is reached. */
export function isReleased({ releases }: Ceiling, day: number, todayDay: number): boolean {
  const release = releases?.get(day);
  if (release === undefined) return false;
  const releaseDay = release.strategy === "fixed" ? dayOf(release.at) : day - release.days_before;
  return todayDay >= releaseDay;
}

/** Units that a ceiling leaves on a night; below 0 when more are used. Large without a limit. */
export function ceilingLeft(
  ceiling: Ceiling,
  room: RoomState,
  day: number,
  todayDay: number,
): number {
  if (isReleased(ceiling, day, todayDay)) return 0;
  return ceiling.limit.get(day) - ceilingUsed(ceiling, room, day);
}

/** Whether a ceiling counts units of this plan and agent. */
export function ceilingApplies(ceiling: Ceiling, ratePlanId: string, agentId: string): boolean {
  return (
    (ceiling.rate_plan_id === null || ceiling.rate_plan_id === ratePlanId) &&
    (ceiling.agent_id === null || ceiling.agent_id === agentId)
  );
}
