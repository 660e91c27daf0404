/**
 * Supply as the domain rules tell it, kept the naive way: one entry per
 * thing and night in plain maps, and usage counted afresh from the claims whenever it is asked for.
 */
import { dateOf, dayOf, todayIn, WEEKDAYS, weekdayOf } from "../../engine/core/calendar.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { RULE_NAMES } from "../../engine/core/rules.ts";
import type {
  AriUpdate,
  DateRange,
  Mode,
  NamedAri,
  PropertyState,
  PropertyTree,
  Release,
  RoomType,
} from "../../engine/core/supply.ts";

/** What someone wants of the supply. */
export type Wanted = Pick<
  FrozenQuote,
  "property_id" | "room_type_id" | "rate_plan_id" | "stay" | "guests"
>;

/** A hold or booking that takes one unit of every night of its stay. */
export interface Claim {
  readonly agent: string;
  readonly quote: Wanted;
}

export interface ModelProperty {
  tree: PropertyTree;
  readonly tenant: string;
  readonly mode: Mode;
  state: PropertyState;
  version: number;
}

interface Night {
  capacity?: number | null;
  out_of_order?: number | null;
  overbooking_limit?: number | null;
}

export interface Refused {
  readonly code: "allocation_failed" | "allotment_exhausted";
  readonly reason: "restriction" | "no_units" | null;
  /** `date reason`, sorted, each once. */
  readonly blocking: readonly string[];
}

type Rules = Record<string, boolean | number | string>;

/** Who asks, and when. */
export interface Asker {
  readonly agent: string;
  readonly stamp: number;
}

interface Limit {
  readonly units: number;
  readonly release: Release | null;
}

function isReleased({ release }: Limit, day: number, today: number): boolean {
  if (release === null) return false;
  if (release.strategy === "fixed") return dateOf(today) >= release.at;
  return day - today <= release.days_before;
}

/** Days of the stay's nights; check-out is none of them. */
export function nightsOf({ stay }: Wanted): number[] {
  const first = dayOf(stay.check_in);
  return Array.from({ length: dayOf(stay.check_out) - first }, (_, i) => first + i);
}

/** The nights that a changed booking has already, with the plan that its ceilings count. */
export interface KeptNights extends Pick<Wanted, "room_type_id" | "rate_plan_id" | "stay"> {
  /** Whether the guest is there, so that no rule is asked about these nights. */
  readonly isInHouse: boolean;
}

function isKept(kept: KeptNights | undefined, wanted: Wanted, at: { day: number; plan: string }) {
  if (!kept || kept.room_type_id !== wanted.room_type_id) return false;
  const date = dateOf(at.day);
  const isOwn = kept.stay.check_in <= date && date < kept.stay.check_out;
  return isOwn && (at.plan === "*" || at.plan === kept.rate_plan_id);
}

export class ModelSupply {
  readonly properties = new Map<string, ModelProperty>();
  readonly #nights = new Map<string, Night>();
  readonly #rules = new Map<string, Rules>();
  /** `room|plan|agent|field|day` → the event that set it last. */
  readonly #changes = new Map<string, number>();
  /** `room|plan|agent` → limit by day. */
  readonly #ceilings = new Map<string, Map<number, Limit>>();

  room(propertyId: string, roomTypeId: string): RoomType | undefined {
    const property = this.properties.get(propertyId);
    return property?.tree.room_types.find((room) => room.id === roomTypeId);
  }

  /** What a quote names and the property has no more. */
  goneOf(quote: Wanted): "room_type_not_found" | "rate_plan_not_found" | null {
    const room = this.room(quote.property_id, quote.room_type_id);
    if (!room) return "room_type_not_found";
    const isThere = room.rate_plans.some(({ id }) => id === quote.rate_plan_id);
    return isThere ? null : "rate_plan_not_found";
  }

  effective(room: RoomType, day: number): number {
    const night = this.#nights.get(`${room.id}|${day}`);
    const capacity = night?.capacity ?? room.default_inventory;
    return (
      capacity - (night?.out_of_order ?? 0) + (night?.overbooking_limit ?? room.overbooking_limit)
    );
  }

  /** What was said of a plan that is gone is forgotten with it. */
  forgetPlans(before: PropertyTree, after: PropertyTree): void {
    for (const { id, rate_plans } of before.room_types) {
      const room = after.room_types.find((each) => each.id === id);
      if (!room) continue;
      for (const plan of rate_plans) {
        if (room.rate_plans.some((each) => each.id === plan.id)) continue;
        const prefix = `${id}|${plan.id}|`;
        for (const key of this.#rules.keys()) if (key.startsWith(prefix)) this.#rules.delete(key);
      }
    }
  }

  /** Notes a new tree's defaults on the nights of these days that have no value of their own. */
  noteTree(before: PropertyTree, after: PropertyTree, seq: number, days: readonly number[]): void {
    const was = new Map(before.room_types.map((room) => [room.id, room]));
    for (const { id, rate_plans, default_inventory } of after.room_types) {
      const room = was.get(id);
      for (const day of days) {
        const { capacity = null, overbooking_limit = null } =
          this.#nights.get(`${id}|${day}`) ?? {};
        if (room?.default_inventory !== default_inventory && capacity === null) {
          this.#changes.set(`${id}|*|*|capacity|${day}`, seq);
        }
        if (!room && overbooking_limit === null) {
          this.#changes.set(`${id}|*|*|overbooking_limit|${day}`, seq);
        }
        for (const plan of rate_plans) {
          if (room?.rate_plans.some((each) => each.id === plan.id)) continue;
          for (const name of RULE_NAMES)
            this.#changes.set(`${id}|${plan.id}|*|${name}|${day}`, seq);
        }
      }
    }
  }

  /** Whether a cell that an update sets, from a day on, was set after an event. */
  isOutdated(ari: AriUpdate, since: number, firstDay: number): boolean {
    return keysOf(ari, firstDay).some((key) => (this.#changes.get(key) ?? 0) > since);
  }

  noteAri(ari: AriUpdate, seq: number, firstDay: number): void {
    for (const key of keysOf(ari, firstDay)) this.#changes.set(key, seq);
  }

  applyAri(ari: AriUpdate): void {
    for (const entry of ari.inventory ?? []) {
      for (const day of daysOf(entry)) {
        const { capacity, out_of_order, overbooking_limit } = entry;
        const told = { capacity, out_of_order, overbooking_limit };
        const given = Object.entries(told).filter(([, value]) => value !== undefined);
        const key = `${entry.room_type_id}|${day}`;
        this.#nights.set(key, { ...this.#nights.get(key), ...Object.fromEntries(given) });
      }
    }
    for (const {
      from,
      to,
      days_of_week,
      room_type_id,
      rate_plan_id,
      ...fields
    } of ari.restrictions ?? []) {
      for (const day of daysOf({ from, to, ...(days_of_week && { days_of_week }) })) {
        const key = `${room_type_id}|${rate_plan_id ?? "*"}|${day}`;
        const merged = { ...this.#rules.get(key), ...fields };
        const kept = Object.entries(merged).filter(([, value]) => value !== null);
        this.#rules.set(key, Object.fromEntries(kept) as Rules);
      }
    }
    for (const entry of ari.ceilings ?? []) {
      const scope = `${entry.room_type_id}|${entry.rate_plan_id ?? "*"}|${entry.agent_id ?? "*"}`;
      const limits = this.#ceilings.get(scope) ?? new Map<number, Limit>();
      this.#ceilings.set(scope, limits);
      for (const day of daysOf(entry)) {
        const { ceiling: units, release: sent } = entry;
        const known = limits.get(day)?.release ?? null;
        const release = sent === undefined ? known : sent?.strategy === "none" ? null : sent;
        if (units === null) limits.delete(day);
        else limits.set(day, { units, release });
      }
    }
  }

  /** Units left as capacities and ceilings, night by night, that leave them beside the claims. */
  resolved({ units_left = [], ...ari }: NamedAri, claims: readonly Claim[]): AriUpdate {
    const inventory = [...(ari.inventory ?? [])];
    const ceilings = [...(ari.ceilings ?? [])];
    for (const { room_type_id, rate_plan_id = null, left, ...range } of units_left) {
      for (const day of daysOf(range)) {
        const date = dateOf(day);
        const on = { room_type_id, from: date, to: date };
        const taken = claims.filter(
          ({ quote: { room_type_id: room, rate_plan_id: plan, stay } }) => {
            const isOn = stay.check_in <= date && date < stay.check_out;
            return (
              isOn && room === room_type_id && (rate_plan_id === null || plan === rate_plan_id)
            );
          },
        );
        // An oversold night has none left as it is.
        if (!rate_plan_id && left === 0 && this.#isShort(room_type_id, day, taken.length)) continue;
        const units = taken.length + left;
        if (rate_plan_id) ceilings.push({ ...on, rate_plan_id, agent_id: null, ceiling: units });
        else inventory.push({ ...on, ...this.#unitsFor(units, room_type_id, day) });
      }
    }
    return { ...ari, inventory, ceilings };
  }

  #isShort(roomTypeId: string, day: number, taken: number): boolean {
    return taken > this.effective(this.#roomType(roomTypeId), day);
  }

  #roomType(roomTypeId: string): RoomType {
    const all = [...this.properties.values()].flatMap(({ tree }) => tree.room_types);
    return all.find(({ id }) => id === roomTypeId)!;
  }

  /** What makes `effective` so many units, with a lower overbooking limit where it must be. */
  #unitsFor(effective: number, roomTypeId: string, day: number): Night {
    const room = this.#roomType(roomTypeId);
    const night = this.#nights.get(`${roomTypeId}|${day}`);
    const out = night?.out_of_order ?? 0;
    const capacity = effective + out - (night?.overbooking_limit ?? room.overbooking_limit);
    return capacity >= 0 ? { capacity } : { capacity: 0, overbooking_limit: effective + out };
  }

  /** Whether an update of one room type leaves any of its nights from a day on different. */
  isChangedBy(ari: AriUpdate, firstDay: number): boolean {
    const [range] = [
      ...(ari.inventory ?? []),
      ...(ari.restrictions ?? []),
      ...(ari.ceilings ?? []),
    ];
    if (!range) return false;
    const copy = new ModelSupply();
    for (const [key, night] of this.#nights) copy.#nights.set(key, night);
    for (const [key, rules] of this.#rules) copy.#rules.set(key, rules);
    for (const [scope, limits] of this.#ceilings) copy.#ceilings.set(scope, new Map(limits));
    copy.applyAri(ari);
    const { room_type_id } = range;
    return copy.#told(room_type_id, firstDay) !== this.#told(room_type_id, firstDay);
  }

  /** Everything that is set for a room type's nights from a day on, as one text. */
  #told(roomTypeId: string, firstDay: number): string {
    const lines: string[] = [];
    const isKept = (key: string) => Number(key.split("|").at(-1)) >= firstDay;
    for (const [key, { capacity, out_of_order, overbooking_limit }] of this.#nights) {
      const set = [capacity ?? "", out_of_order || "", overbooking_limit ?? ""].join();
      if (set !== ",," && isKept(key)) lines.push(`${key} ${set}`);
    }
    for (const [key, rules] of this.#rules) {
      if (!isKept(key)) continue;
      for (const [name, value] of Object.entries(rules)) lines.push(`${key} ${name} ${value}`);
    }
    for (const [scope, limits] of this.#ceilings) {
      for (const [day, { units, release }] of limits) {
        if (day < firstDay) continue;
        lines.push(`${scope} ${day} ${units} ${JSON.stringify(release)}`);
      }
    }
    return lines
      .filter((line) => line.startsWith(`${roomTypeId}|`))
      .sort()
      .join("\n");
  }

  /** Why a stay cannot be claimed beside these claims: restriction, then ceiling, then units. */
  refusal(wanted: Wanted, by: Asker, claims: readonly Claim[], kept?: KeptNights): Refused | null {
    const restricted = this.#restrictions(wanted, by).filter((each) => {
      if (!kept?.isInHouse || each.endsWith("property_not_live")) return true;
      return each >= kept.stay.check_out;
    });
    if (restricted.length > 0) {
      return { code: "allocation_failed", reason: "restriction", blocking: sorted(restricted) };
    }
    const ceilings: string[] = [];
    const units: string[] = [];
    for (const { day, left, isCeiling, plan } of this.#margins(wanted, by, claims)) {
      if (left > 0 || isKept(kept, wanted, { day, plan })) continue;
      if (isCeiling) ceilings.push(`${dateOf(day)} ceiling_reached`);
      else units.push(`${dateOf(day)} no_vacancy`);
    }
    if (ceilings.length > 0) {
      return { code: "allotment_exhausted", reason: null, blocking: sorted(ceilings) };
    }
    if (units.length === 0) return null;
    return { code: "allocation_failed", reason: "no_units", blocking: sorted(units) };
  }

  /** Units left for the stay, restrictions aside. */
  left(wanted: Wanted, by: Asker, claims: readonly Claim[]): number {
    return Math.min(...this.#margins(wanted, by, claims).map(({ left }) => left));
  }

  #today({ property_id }: Wanted, { stamp }: Asker): number {
    return todayIn(this.properties.get(property_id)!.tree.timezone, stamp);
  }

  #margins(wanted: Wanted, by: Asker, claims: readonly Claim[]) {
    const room = this.room(wanted.property_id, wanted.room_type_id);
    if (!room) throw new Error(`no room ${wanted.room_type_id}`);
    const found: { day: number; left: number; isCeiling: boolean; plan: string }[] = [];
    for (const day of nightsOf(wanted)) {
      const date = dateOf(day);
      const there = claims.filter(
        ({ quote: { room_type_id, stay } }) =>
          room_type_id === room.id && stay.check_in <= date && date < stay.check_out,
      );
      found.push({
        day,
        left: this.effective(room, day) - there.length,
        isCeiling: false,
        plan: "*",
      });
      for (const [scope, limits] of this.#ceilings) {
        const [roomTypeId, plan, ofAgent] = scope.split("|");
        const limit = limits.get(day);
        if (roomTypeId !== room.id || limit === undefined) continue;
        const counts = (claim: Claim) =>
          (plan === "*" || plan === claim.quote.rate_plan_id) &&
          (ofAgent === "*" || ofAgent === claim.agent);
        if (!counts({ agent: by.agent, quote: wanted })) continue;
        const isGone = isReleased(limit, day, this.#today(wanted, by));
        const left = isGone ? 0 : limit.units - there.filter(counts).length;
        found.push({ day, left, isCeiling: true, plan: plan! });
      }
    }
    return found;
  }

  #restrictions(wanted: Wanted, by: Asker): string[] {
    const { property_id, room_type_id, rate_plan_id, guests, stay } = wanted;
    const found: string[] = [];
    if (this.properties.get(property_id)?.state !== "live") {
      found.push(`${stay.check_in} property_not_live`);
    }
    const most = this.room(property_id, room_type_id)?.max_occupancy ?? 0;
    if (guests.adults > most) found.push(`${stay.check_in} occupancy_exceeded`);
    const nights = nightsOf(wanted);
    const rulesOn = (day: number): Rules => ({
      ...this.#rules.get(`${room_type_id}|*|${day}`),
      ...this.#rules.get(`${room_type_id}|${rate_plan_id}|${day}`),
    });
    const under = (limit: unknown) => typeof limit === "number" && nights.length < limit;
    const over = (limit: unknown) => {
      return typeof limit === "number" && limit > 0 && nights.length > limit;
    };
    const arrival = rulesOn(dayOf(stay.check_in));
    if (arrival.cta) found.push(`${stay.check_in} cta`);
    if (under(arrival.min_los_arrival)) found.push(`${stay.check_in} min_los`);
    if (over(arrival.max_los_arrival)) found.push(`${stay.check_in} max_los`);
    const { min_advance_days: early, max_advance_days: late, los_pattern: letters } = arrival;
    const ahead = dayOf(stay.check_in) - this.#today(wanted, by);
    if (typeof early === "number" && ahead < early) found.push(`${stay.check_in} min_advance`);
    if (typeof late === "number" && ahead > late) found.push(`${stay.check_in} max_advance`);
    const letter =
      typeof letters === "string" ? (letters[nights.length - 1] ?? letters.at(-1)) : "";
    if (letter === "N") found.push(`${stay.check_in} stay_pattern`);
    for (const day of nights) {
      const rules = rulesOn(day);
      if (rules.stop_sell) found.push(`${dateOf(day)} stop_sell`);
      if (under(rules.min_stay_through)) found.push(`${dateOf(day)} min_stay_through`);
      if (over(rules.max_stay_through)) found.push(`${dateOf(day)} max_stay_through`);
    }
    if (rulesOn(dayOf(stay.check_out)).ctd) found.push(`${stay.check_out} ctd`);
    return found;
  }
}

/** The cells that an update sets. */
function keysOf(ari: AriUpdate, firstDay: number): string[] {
  const { inventory = [], restrictions = [], ceilings = [] } = ari;
  const released = ceilings.map((range) =>
    range.ceiling === null ? { release: null, ...range } : range,
  );
  return [...inventory, ...restrictions, ...released].flatMap((range) => {
    const { room_type_id, rate_plan_id, agent_id, ...rest } = range as DateRange & {
      readonly room_type_id: string;
      readonly rate_plan_id?: string | null;
      readonly agent_id?: string | null;
    };
    const at = `${room_type_id}|${rate_plan_id ?? "*"}|${agent_id ?? "*"}`;
    const fields = Object.entries(rest).filter(([name, value]) => {
      return value !== undefined && !["from", "to", "days_of_week"].includes(name);
    });
    const days = daysOf(rest).filter((day) => day >= firstDay);
    return fields.flatMap(([name]) => days.map((day) => `${at}|${name}|${day}`));
  });
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function daysOf({ from, to, days_of_week }: DateRange): number[] {
  const days: number[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    const name = WEEKDAYS[weekdayOf(day)];
    if (!days_of_week || (name && days_of_week.includes(name))) days.push(day);
  }
  return days;
}
