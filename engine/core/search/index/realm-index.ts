/**
 * The search index of a realm. Everything on sale has an ordinal (properties, room types, rate
 * plans; those of a property are consecutive), and each room type has two bits per night of a
 * window:
 *
 * - `free`: a unit is left;
 * - `marked`: a restriction of the room type or one of its rate plans, or a ceiling, is set.
 *
 * A room type that is free on every night of a stay and marked on none of its days, including the
 * departure, can be sold with every rate plan. Marked ones, and stays beyond the window, are
 * checked against the state. The index also has the places of the properties and a grid of their
 * coordinates.
 *
 * Maintained invariant: an updated index equals a rebuilt one.
 */

import { normalizeText } from "../../normalize-text.ts";
import { followedPlan } from "../../price/derived.ts";
import { policyFor } from "../../price/policy.ts";
import { pageStart, windowEnd } from "../../state/nights.ts";
import {
  effectiveCapacity,
  type RealmSheets,
  type RoomState,
  UNSET_U16,
  type Units,
} from "../../state/room-state.ts";
import type { PropertyEntry, SupplyIndex } from "../../state/state.ts";
import type { CancellationKind, PolicyTerms, PropertyTree, RoomType } from "../../supply.ts";
import { Grid } from "../places/grid.ts";
import { PlaceBook } from "../places/place-book.ts";
import { type PropertyCard, propertyCard } from "./cards.ts";
import { KINDS, PlanColumns, RoomColumns } from "./columns.ts";
import { NightBits } from "./night-bits.ts";
import { SharedValues } from "./shared-values.ts";

/** Terms with their place; one object for all that are equal. */
export interface LocalTerms {
  readonly terms: PolicyTerms;
  readonly place: Pick<PropertyTree, "timezone" | "checkin_time">;
}

/** A property on sale. */
export interface IndexedProperty {
  readonly property: PropertyEntry;
  readonly tree: PropertyTree;
  readonly card: PropertyCard;
  readonly timezone: string;
  readonly firstRoom: number;
  readonly rooms: number;
  readonly firstPlan: number;
  readonly plans: number;
  /** Normalized name. */
  readonly name: string;
  /** All rate plans have one currency. */
  readonly isOneCurrency: boolean;
  /** By cancellation kind, in the order of `KINDS`. */
  readonly terms: readonly (LocalTerms | null)[];
  readonly taxRules: PropertyTree["tax_rules"];
}

export interface IndexedRoom {
  readonly roomType: RoomType;
  readonly room: RoomState;
}

/** Unused ordinals before a rebuild: a third of all, and at least this many. */
const DEAD_ROOMS_MIN = 1_024;

export class RealmIndex implements SupplyIndex {
  readonly sheets: RealmSheets;
  readonly firstDay: number;
  /** First day after the window. */
  readonly endDay: number;
  readonly free: NightBits;
  readonly marked: NightBits;
  /** By ordinal; null for an unused one. */
  readonly properties: (IndexedProperty | null)[] = [];
  readonly rooms: (IndexedRoom | null)[] = [];
  readonly roomColumns = new RoomColumns();
  readonly planColumns = new PlanColumns();
  readonly places = new PlaceBook();
  readonly grid = new Grid();
  readonly #ordinals = new Map<string, number>();
  readonly #named = new Map<string, Set<number>>();
  /** Unused ordinals of properties, and unused ranges by numbers of room types and rate plans. */
  readonly #freeOrdinals: number[] = [];
  readonly #freeRanges = new Map<string, { firstRoom: number; firstPlan: number }[]>();
  readonly #common = new SharedValues();
  #plans = 0;
  #deadRooms = 0;
  readonly #column;

  /** For days from the page of `baseDay` on; `sheets` hold the realm's nights. */
  constructor(baseDay: number, sheets: RealmSheets) {
    this.sheets = sheets;
    this.firstDay = pageStart(baseDay);
    this.endDay = windowEnd(baseDay);
    const nights = this.endDay - this.firstDay;
    this.free = new NightBits(this.firstDay, nights);
    this.marked = new NightBits(this.firstDay, nights);
    const column = () => new Int32Array(nights);
    this.#column = { bits: column(), free: column() };
  }

  /** Whether the index has too many unused ordinals and should be rebuilt. */
  get isSparse(): boolean {
    return this.#deadRooms > Math.max(DEAD_ROOMS_MIN, this.rooms.length / 3);
  }

  /** Ordinals of all properties, ascending. */
  all(): number[] {
    const found: number[] = [];
    for (let at = 0; at < this.properties.length; at += 1) if (this.properties[at]) found.push(at);
    return found;
  }

  /** The ordinal of a property by its id. */
  ordinalOf(propertyId: string): number | undefined {
    return this.#ordinals.get(propertyId);
  }

  /** Ordinals of the properties with a normalized name. */
  named(name: string): ReadonlySet<number> {
    return this.#named.get(name) ?? NONE;
  }

  propertyChanged(property: PropertyEntry): void {
    this.#drop(property.tree.id);
    if (property.state === "live") this.#put(property);
  }

  unitsChanged(room: RoomState, firstDay: number, endDay: number): void {
    const { ordinal } = room;
    const indexed = this.rooms[ordinal];
    if (indexed?.room !== room) return;
    const units = room.units();
    for (let day = firstDay; day < endDay; day += 1) {
      this.free.set(ordinal, day, isFree(indexed.roomType, units, day));
    }
  }

  limitsChanged(room: RoomState, days: Iterable<number>): void {
    const { ordinal } = room;
    if (this.rooms[ordinal]?.room !== room) return;
    for (const day of days) this.marked.set(ordinal, day, isMarked(room, day));
  }

  #put(property: PropertyEntry): void {
    const { tree } = property;
    const plans = tree.room_types.flatMap(({ rate_plans }) => rate_plans);
    const range = this.#rangeOf(tree.room_types.length, plans.length);
    const name = normalizeText(tree.name);
    const terms = this.#shared(KINDS.map((kind) => this.#termsOf(tree, kind)));
    const taxRules = this.#shared(tree.tax_rules);
    const ordinal = this.#freeOrdinals.pop() ?? this.properties.length;
    this.properties[ordinal] = {
      ...{ property, tree, name, terms, taxRules },
      ...{ card: propertyCard(tree), timezone: tree.timezone },
      ...{ ...range, rooms: tree.room_types.length, plans: plans.length },
      isOneCurrency: plans.every(({ currency }) => currency === plans[0]!.currency),
    };
    this.#ordinals.set(tree.id, ordinal);
    this.places.put(ordinal, tree);
    if (tree.geo) this.grid.put(ordinal, tree.geo);
    const named = this.#named.get(name);
    if (named) named.add(ordinal);
    else this.#named.set(name, new Set([ordinal]));
    let { firstPlan } = range;
    tree.room_types.forEach((roomType, i) => {
      const room = property.rooms.get(roomType.id)!;
      this.#putRoom(range.firstRoom + i, roomType, room, firstPlan);
      for (const plan of roomType.rate_plans) {
        const hasTerms = terms[KINDS.indexOf(plan.cancellation_kind)] !== null;
        const adjustments = this.#shared(plan.adjustments);
        const source = followedPlan(roomType, plan);
        const followed = { plan: source, state: room.plans.get(source.id)! };
        const facts = { adjustments, hasTerms, followed };
        this.planColumns.put(firstPlan, plan, room.plans.get(plan.id)!, facts);
        firstPlan += 1;
      }
    });
  }

  #putRoom(ordinal: number, roomType: RoomType, room: RoomState, firstPlan: number): void {
    this.rooms[ordinal] = { roomType, room };
    this.roomColumns.put(ordinal, roomType, room, firstPlan);
    room.ordinal = ordinal;
    const { bits, free } = this.#column;
    const { default_inventory, overbooking_limit } = roomType;
    const { firstDay } = this;
    free.fill(0);
    room.capacity.addTo(free, firstDay, 1, default_inventory);
    room.overbooking.addTo(free, firstDay, 1, overbooking_limit);
    for (const less of [room.outOfOrder, room.sold, room.held]) less.addTo(free, firstDay, -1, 0);
    for (let i = 0; i < bits.length; i += 1) bits[i] = free[i]! > 0 ? 1 : 0;
    this.free.setAll(ordinal, bits);
    bits.fill(0);
    const mark = (day: number) => {
      bits[day - firstDay] = 1;
    };
    for (const day of room.restrictions.keys()) mark(day);
    for (const plan of room.plans.values()) for (const day of plan.restrictions.keys()) mark(day);
    for (const { limit } of room.ceilings) for (const [day] of limit.entries()) mark(day);
    this.marked.setAll(ordinal, bits);
  }

  #shared<T>(value: T): T {
    return this.#common.of(value, JSON.stringify(value));
  }

  #termsOf(tree: PropertyTree, kind: CancellationKind): LocalTerms | null {
    const terms = policyFor(tree, { cancellation_kind: kind });
    if (!terms) return null;
    const { timezone, checkin_time } = tree;
    const said = [
      ...[kind, timezone, checkin_time, terms.free_cancellation_hours_before_checkin],
      ...[terms.cancellation_fee_pct_after_cutoff, terms.no_show_fee_pct],
    ];
    const place = { timezone, checkin_time };
    return this.#common.of({ terms, place }, JSON.stringify(said));
  }

  #drop(id: string): void {
    const ordinal = this.#ordinals.get(id);
    if (ordinal === undefined) return;
    const { name, firstRoom, rooms, firstPlan, plans } = this.properties[ordinal]!;
    const named = this.#named.get(name)!;
    if (named.size === 1) this.#named.delete(name);
    else named.delete(ordinal);
    this.#ordinals.delete(id);
    this.places.drop(ordinal);
    this.grid.drop(ordinal);
    this.properties[ordinal] = null;
    this.#freeOrdinals.push(ordinal);
    for (let room = firstRoom; room < firstRoom + rooms; room += 1) this.rooms[room] = null;
    const key = `${rooms} ${plans}`;
    const ranges = this.#freeRanges.get(key);
    if (ranges) ranges.push({ firstRoom, firstPlan });
    else this.#freeRanges.set(key, [{ firstRoom, firstPlan }]);
    this.#deadRooms += rooms;
  }

  /** Consecutive ordinals: a free range of the same size, else new ones. */
  #rangeOf(rooms: number, plans: number): { firstRoom: number; firstPlan: number } {
    const range = this.#freeRanges.get(`${rooms} ${plans}`)?.pop();
    if (range) {
      this.#deadRooms -= rooms;
      return range;
    }
    const firstRoom = this.rooms.length;
    const firstPlan = this.#plans;
    for (let i = 0; i < rooms; i += 1) this.rooms.push(null);
    this.#plans += plans;
    return { firstRoom, firstPlan };
  }
}

const NONE: ReadonlySet<number> = new Set();

function isFree(roomType: RoomType, units: Units, day: number): boolean {
  return effectiveCapacity(roomType, units, day) > units.sold.get(day) + units.held.get(day);
}

function isMarked(room: RoomState, day: number): boolean {
  if (room.restrictions.has(day)) return true;
  for (const { limit } of room.ceilings) if (limit.get(day) !== UNSET_U16) return true;
  for (const { restrictions } of room.plans.values()) if (restrictions.has(day)) return true;
  return false;
}
