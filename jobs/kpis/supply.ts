/**
 * The supply of a property per night: units by room type, minus units out of order, while the
 * property is live. A change affects nights from the day of the change on, in the property's zone;
 * past nights keep their supply.
 */
import { dayOf, todayIn } from "../../engine/core/calendar.ts";
import type { Event } from "../../engine/core/events/event.ts";
import { eachDay } from "../../engine/core/ranges.ts";
import type { AriUpdate, PropertyTree } from "../../engine/core/supply.ts";
import { type Step, Steps } from "./steps.ts";

/** Past nights are kept this long, because a clock may be set back. */
const KEPT_DAYS = 400;
/** Marks a night without its own value. */
const UNSET = -1;

interface StoredRoom {
  readonly units: number;
  readonly isSold: boolean;
  readonly capacity: readonly Step[];
  readonly outOfOrder: readonly Step[];
}

/** As stored in `kpi.db`. */
export interface StoredSupply {
  readonly zone: string;
  readonly isLive: boolean;
  readonly rooms: Readonly<Record<string, StoredRoom>>;
  readonly available: readonly Step[];
  readonly outOfOrder: readonly Step[];
}

/** Change of available and out-of-order units from a day on. */
export interface SupplyStep {
  readonly day: number;
  readonly available: number;
  readonly outOfOrder: number;
}

interface Room {
  /** For nights without their own capacity. */
  units: number;
  /** False when the tree no longer has the room type. */
  isSold: boolean;
  readonly capacity: Steps;
  readonly outOfOrder: Steps;
}

/** Events that change the supply. */
export type SupplyEvent = Extract<Event, { readonly type: `property.${string}` | "ari.changed" }>;

/** Whether an event may change the supply. */
export function isSupplyEvent(event: Event): event is SupplyEvent {
  return event.type === "ari.changed" || event.type.startsWith("property.");
}

export class PropertySupply {
  #zone: string;
  #isLive: boolean;
  readonly #rooms: Map<string, Room>;
  /** The supply reported so far per night; changes are reported as differences from it. */
  readonly #available: Steps;
  readonly #outOfOrder: Steps;

  /** `null`: a new property. */
  constructor(stored: StoredSupply | null) {
    this.#zone = stored?.zone ?? "UTC";
    this.#isLive = stored?.isLive ?? false;
    this.#available = new Steps(0, stored?.available);
    this.#outOfOrder = new Steps(0, stored?.outOfOrder);
    this.#rooms = new Map(
      Object.entries(stored?.rooms ?? {}).map(([id, { units, isSold, ...steps }]) => {
        const capacity = new Steps(UNSET, steps.capacity);
        return [id, { units, isSold, capacity, outOfOrder: new Steps(0, steps.outOfOrder) }];
      }),
    );
  }

  /** Applies an event at `stamp`; `tree` returns the version that it made. */
  apply(event: SupplyEvent, stamp: number, tree: () => PropertyTree): SupplyStep[] {
    switch (event.type) {
      case "property.created":
      case "property.replaced":
        this.#setTree(tree());
        break;
      case "property.promoted":
      case "property.suspended":
      case "property.archived":
        this.#isLive = event.data.state === "live";
        break;
      case "ari.changed":
        return this.#setNights(event.data.ari.inventory ?? [], todayIn(this.#zone, stamp));
      case "property.deleted":
        this.#rooms.clear();
        break;
    }
    return this.#reportChanges(todayIn(this.#zone, stamp), Number.POSITIVE_INFINITY);
  }

  toJSON(): StoredSupply {
    const rooms = [...this.#rooms].map(([id, { units, isSold, capacity, outOfOrder }]) => {
      const steps = { capacity: capacity.toJSON(), outOfOrder: outOfOrder.toJSON() };
      return [id, { units, isSold, ...steps }];
    });
    return {
      zone: this.#zone,
      isLive: this.#isLive,
      rooms: Object.fromEntries(rooms),
      available: this.#available.toJSON(),
      outOfOrder: this.#outOfOrder.toJSON(),
    };
  }

  /** A room type that returns with its id keeps its nights. */
  #setTree({ timezone, room_types }: PropertyTree): void {
    this.#zone = timezone;
    for (const room of this.#rooms.values()) room.isSold = false;
    for (const { id, default_inventory: units } of room_types) {
      const known = this.#rooms.get(id);
      if (known) Object.assign(known, { units, isSold: true });
      else {
        const nights = { capacity: new Steps(UNSET), outOfOrder: new Steps(0) };
        this.#rooms.set(id, { units, isSold: true, ...nights });
      }
    }
  }

  #setNights(inventory: NonNullable<AriUpdate["inventory"]>, today: number): SupplyStep[] {
    let first = Number.POSITIVE_INFINITY;
    let end = today;
    for (const entry of inventory) {
      const room = this.#rooms.get(entry.room_type_id)!;
      const { capacity, out_of_order } = entry;
      const setFrom = (from: number, to: number) => {
        if (capacity !== undefined) room.capacity.set(from, to, capacity ?? UNSET);
        if (out_of_order !== undefined) room.outOfOrder.set(from, to, out_of_order ?? 0);
      };
      const [from, to] = [Math.max(today, dayOf(entry.from)), dayOf(entry.to) + 1];
      if (entry.days_of_week) eachDay(entry, today, (day) => setFrom(day, day + 1));
      else setFrom(from, to);
      first = Math.min(first, from);
      end = Math.max(end, to);
    }
    return this.#reportChanges(first, end);
  }

  /** Reports how the nights from `from` to before `end` differ from those reported. */
  #reportChanges(from: number, end: number): SupplyStep[] {
    if (end <= from) return [];
    this.#forgetBefore(from - KEPT_DAYS);
    const steps: SupplyStep[] = [];
    let reported = { available: 0, outOfOrder: 0 };
    const days = this.#changingDays(from, end);
    const states = days.map((day, index) => {
      const now = this.#stateOn(day);
      const before = { available: this.#available.at(day), outOfOrder: this.#outOfOrder.at(day) };
      return { day, end: days[index + 1] ?? end, now, before };
    });
    const report = (day: number, more: typeof reported) => {
      const available = more.available - reported.available;
      const outOfOrder = more.outOfOrder - reported.outOfOrder;
      if (available !== 0 || outOfOrder !== 0) steps.push({ day, available, outOfOrder });
      reported = more;
    };
    for (const { day, now, before } of states) {
      report(day, {
        available: now.available - before.available,
        outOfOrder: now.outOfOrder - before.outOfOrder,
      });
    }
    if (end !== Number.POSITIVE_INFINITY) report(end, { available: 0, outOfOrder: 0 });
    for (const state of states) {
      this.#available.set(state.day, state.end, state.now.available);
      this.#outOfOrder.set(state.day, state.end, state.now.outOfOrder);
    }
    return steps;
  }

  #stateOn(day: number): { readonly available: number; readonly outOfOrder: number } {
    let available = 0;
    let outOfOrder = 0;
    if (!this.#isLive) return { available, outOfOrder };
    for (const room of this.#rooms.values()) {
      if (!room.isSold) continue;
      const own = room.capacity.at(day);
      const units = own === UNSET ? room.units : own;
      const out = Math.min(units, room.outOfOrder.at(day));
      available += units - out;
      outOfOrder += out;
    }
    return { available, outOfOrder };
  }

  #changingDays(from: number, end: number): number[] {
    const days = new Set([from]);
    const all = [this.#available, this.#outOfOrder];
    for (const { capacity, outOfOrder } of this.#rooms.values()) all.push(capacity, outOfOrder);
    for (const steps of all) for (const day of steps.changesBetween(from, end)) days.add(day);
    return [...days].sort((a, b) => a - b);
  }

  #forgetBefore(day: number): void {
    this.#available.forgetBefore(day);
    this.#outOfOrder.forgetBefore(day);
    for (const { capacity, outOfOrder } of this.#rooms.values()) {
      capacity.forgetBefore(day);
      outOfOrder.forgetBefore(day);
    }
  }
}
