/**
 * The in-memory state: a fold over the journal and nothing else. The engine holds the one that
 * decides; every replica holds an equal one. Only `evolve.ts` (and `codec.ts`, restoring a
 * snapshot) may change it.
 *
 * Counting rule: a hold in `held` or `confirming` counts in `held`, a confirmed booking in `sold`,
 * for every night of the stay, check-out excluded.
 */
import { assert } from "./assert.ts";
import { type EventRows, noEventRows } from "./event-rows.ts";
import type { KeyRef } from "./events.ts";
import { ExpiryHeap } from "./expiry-heap.ts";
import { HoldsByQuote } from "./holds-by-quote.ts";
import type { FxTable } from "./money.ts";
import { Lanes, type Nights } from "./nights.ts";
import type { Hold, Payment } from "./records.ts";
import type { Mode, PropertyState, PropertyTree, RatePlan, Realm, RoomType } from "./supply.ts";

/** Stored in `Nights` where a date has no value of its own. */
export const UNSET_U16 = 0xffff;
export const UNSET_U32 = 0xffffffff;

export interface Restriction {
  stop_sell?: boolean;
  cta?: boolean;
  ctd?: boolean;
  min_los_arrival?: number;
  max_los_arrival?: number;
  min_stay_through?: number;
  max_stay_through?: number;
}

/** A daily limit for one scope; null in a scope means every plan or every agent. */
export interface Ceiling {
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly limit: Nights;
  /** Units sold + held in the scope; null for the widest scope, where the cell itself says it. */
  readonly used: Nights | null;
  /**
   * The first night that `used` counts: 0 when it counts what the cells do, which it must go on
   * doing when the clock is set back; later for a scope of before, which left nights out.
   */
  readonly usedFrom: number;
}

/** Lanes of a sheet of numbers that nearly every night has, and of those that few nights have. */
const DENSE_LANES = 256;
const SPARSE_LANES = 16;

/**
 * Where the nights of a realm's rooms and plans lie. How they lie follows from the order in which
 * they came and is no part of the state.
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

/** The one number of lanes that are taken together, one of each kind. */
function takeAll([first, ...others]: readonly [Lanes, ...Lanes[]]): number {
  const { number } = first.take();
  for (const lanes of others) assert(lanes.take().number === number, "lanes are taken together");
  return number;
}

const UNRESTRICTED: ReadonlyMap<number, Restriction> = new Map();

/** What may be restricted, night by night; hardly anything is, so it has a map only then. */
class Restrictable {
  #restrictions: Map<number, Restriction> | null = null;

  get restrictions(): ReadonlyMap<number, Restriction> {
    return this.#restrictions ?? UNRESTRICTED;
  }

  /** Null takes what stands on the night away. */
  restrict(day: number, restriction: Restriction | null): void {
    if (restriction === null) this.#restrictions?.delete(day);
    else {
      this.#restrictions ??= new Map();
      this.#restrictions.set(day, restriction);
    }
  }
}

/**
 * Rates and restrictions of a rate plan, night by night. It has a number and its realm's sheets,
 * and `Nights` are made where they are asked for: those of a large tenant would be a fifth of all
 * objects in memory.
 */
export class PlanState extends Restrictable {
  readonly #sheets: RealmSheets;
  /** Its number among the lanes of every kind. */
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

  /** Of a plan that is no more. */
  giveBack(): void {
    this.#sheets.amount.giveBack(this.amount);
    this.#sheets.extraAdult.giveBack(this.extraAdult);
  }
}

/** What is counted of a room type. */
export type Units = Pick<RoomState, "capacity" | "outOfOrder" | "overbooking" | "sold" | "held">;

/** The cells of a room type: counts, restrictions and ceilings, night by night. */
export class RoomState extends Restrictable {
  readonly #sheets: RealmSheets;
  /** Its number among the lanes of every kind. */
  readonly number: number;
  readonly ceilings: Ceiling[] = [];
  readonly plans = new Map<string, PlanState>();
  /** Derived: when the held holds of this room type fall due; null before the first. */
  expiries: ExpiryHeap | null = null;
  /** Derived: its number in the index of its realm; -1 while it has none. */
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

  /** All of them, for whoever asks for many nights. */
  units(): Units {
    const { capacity, outOfOrder, overbooking, sold, held } = this;
    return { capacity, outOfOrder, overbooking, sold, held };
  }

  /** Of a room type that is no more, with its plans. */
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

/** A version of a property's tree: the journal has it, and memory what decisions need of it. */
export interface TreeVersion {
  /** The row that made it. */
  readonly row: number;
  /** The zone that stays were sold by while it was the present one. */
  readonly timezone: string;
}

export interface PropertyEntry {
  readonly tenant_id: string;
  readonly mode: Mode;
  state: PropertyState;
  /** Bumped by every change of the tree or the state. */
  version: number;
  /** The row that put it on sale for the first time; null before. */
  first_live_row: number | null;
  /** The present tree, the only one in memory, and its number among `versions`. */
  tree: PropertyTree;
  supply_version: number;
  /** All there ever were, from number 1 on: frozen quotes and bookings name theirs for ever. */
  readonly versions: TreeVersion[];
  /** Cells of the tree's room types, in its order. */
  readonly rooms: Map<string, RoomState>;
  /**
   * Cells of room types that the tree has no more. What was sold of them is given back when it is
   * cancelled, and a room type that comes back under its id is sold beside it.
   */
  readonly retired: Map<string, RoomState>;
}

/** The cells of a room type that the property has or had. */
export function cellsOf(
  { rooms, retired }: Pick<PropertyEntry, "rooms" | "retired">,
  roomTypeId: string,
): RoomState | undefined {
  return rooms.get(roomTypeId) ?? retired.get(roomTypeId);
}

/**
 * What is derived from a realm's supply so that it can be searched. Whoever changes what it goes by
 * tells it afterwards; where nobody searches there is none, and nobody pays.
 */
export interface SupplyIndex {
  /** It came on sale or went off it, has another tree, or is no more. */
  propertyChanged(property: PropertyEntry): void;
  /**
   * Units of a room type were set, taken or given back, from a day up to, not including, another.
   */
  unitsChanged(room: RoomState, firstDay: number, endDay: number): void;
  /** Restrictions or ceilings of a room type or its plans were set on these days. */
  limitsChanged(room: RoomState, days: Iterable<number>): void;
}

export interface TenantEntry {
  readonly seq: { live: number; test: number };
  readonly rows: Readonly<Record<Mode, EventRows>>;
  fx: FxTable | null;
  /** `mode:slug` → property id. */
  readonly slugs: Map<string, string>;
  /** By id, in the order they were created. An id is unique within its tenant and mode only. */
  readonly properties: Readonly<Record<Mode, Map<string, PropertyEntry>>>;
  /** Where their nights lie. */
  readonly sheets: Readonly<Record<Mode, RealmSheets>>;
  /** Derived, from the first search on (`index.ts`); null also when it must be made anew. */
  readonly index: Record<Mode, SupplyIndex | null>;
  /** Open holds (held or confirming) by agent; only where decisions are made. */
  readonly openHolds: Map<string, Set<string>>;
}

/** A cancellation whose key waits for its refund to settle. */
export interface AwaitedRefund extends Realm {
  readonly refund_id: string;
  readonly key: KeyRef;
  readonly since: number;
}

/** Everything that decisions and reads are made from. */
export class State {
  row = 0;
  stamp = 0;
  baseDay = 0;
  /**
   * Nights from here on are remembered. It follows the base day by one night for each of its moves,
   * which is one a day: by days that were lived through, not by what a clock said. However far a
   * start was ahead, the nights that it jumped over are there when the clock is corrected.
   */
  keptDay = 0;
  /** Nights before it were forgotten once: those that come again, by a clock, count anew. */
  forgottenDay = 0;
  readonly tenants = new Map<string, TenantEntry>();
  /** Open holds only: held and confirming. */
  readonly holds = new Map<string, Hold>();
  readonly holdsByQuote = new HoldsByQuote();
  /** Payments without a verdict: pending and unknown. */
  readonly payments = new Map<string, Payment>();
  /** Confirmation codes that these payments have taken, as `codeOf` names them; derived. */
  readonly openCodes = new Set<string>();
  /** Idempotency keys whose booking waits for its payment → payment id, longest waiting first. */
  readonly runningKeys = new Map<string, string>();
  /** Cancellations whose answer waits for a refund, by refund id. */
  readonly awaitingRefund = new Map<string, AwaitedRefund>();
  /** Their keys → refund id; derived. */
  readonly refundsByKey = new Map<string, string>();
  /** Derived: when held holds fall due. Only the engine keeps this one and those of the rooms. */
  readonly expiries: ExpiryHeap | null;

  constructor(options: { readonly tracksExpiry: boolean }) {
    this.expiries = options.tracksExpiry ? new ExpiryHeap() : null;
  }

  /** The tenant's entry, made at first sight. */
  tenant(tenantId: string): TenantEntry {
    let entry = this.tenants.get(tenantId);
    if (!entry) {
      entry = {
        seq: { live: 0, test: 0 },
        rows: { live: noEventRows(), test: noEventRows() },
        fx: null,
        slugs: new Map(),
        properties: { live: new Map(), test: new Map() },
        sheets: { live: new RealmSheets(), test: new RealmSheets() },
        index: { live: null, test: null },
        openHolds: new Map(),
      };
      this.tenants.set(tenantId, entry);
    }
    return entry;
  }

  /** The property of that id in a realm; for it, those of other realms do not exist. */
  property({ tenant_id, mode }: Realm, id: string): PropertyEntry | undefined {
    return this.tenants.get(tenant_id)?.properties[mode].get(id);
  }

  /** The property that a caller names by its id or slug, in letters of either case. */
  propertyNamed(realm: Realm, idOrSlug: string): PropertyEntry | undefined {
    const exact = this.property(realm, idOrSlug);
    if (exact) return exact;
    // Ids and slugs are made in lower case alone, so nothing else can be meant.
    const name = idOrSlug.toLowerCase();
    const slugs = this.tenants.get(realm.tenant_id)?.slugs;
    return this.property(realm, slugs?.get(`${realm.mode}:${name}`) ?? name);
  }

  /** Their window is another one: whoever searches next makes them anew. */
  forgetIndexes(): void {
    for (const { index } of this.tenants.values()) {
      index.live = null;
      index.test = null;
    }
  }

  /** Every property of every realm. */
  *allProperties(): Generator<PropertyEntry> {
    for (const { properties } of this.tenants.values()) {
      yield* properties.live.values();
      yield* properties.test.values();
    }
  }
}

/** A room type of a property with its plan and cells, as every decision needs them together. */
export interface Offer {
  readonly property: PropertyEntry;
  readonly roomType: RoomType;
  readonly plan: RatePlan;
  readonly room: RoomState;
  readonly planState: PlanState;
}

/** Finds an offer of the current tree; names what is missing otherwise. */
export function findOffer(
  property: PropertyEntry,
  roomTypeId: string,
  ratePlanId: string,
): Offer | "room_type_not_found" | "rate_plan_not_found" {
  const roomType = property.tree.room_types.find((candidate) => candidate.id === roomTypeId);
  const room = property.rooms.get(roomTypeId);
  if (!roomType || !room) return "room_type_not_found";
  const plan = roomType.rate_plans.find((candidate) => candidate.id === ratePlanId);
  const planState = room.plans.get(ratePlanId);
  if (!plan || !planState) return "rate_plan_not_found";
  return { property, roomType, plan, room, planState };
}

/** `capacity − out_of_order + overbooking_limit` of a night (rules §5). */
export function effectiveCapacity(roomType: RoomType, room: Units, day: number): number {
  const own = room.capacity.get(day);
  const extra = room.overbooking.get(day);
  return (
    (own === UNSET_U16 ? roomType.default_inventory : own) -
    room.outOfOrder.get(day) +
    (extra === UNSET_U16 ? roomType.overbooking_limit : extra)
  );
}

/** Units sold + held on a night within a ceiling's scope. */
export function ceilingUsed(ceiling: Ceiling, room: RoomState, day: number): number {
  return ceiling.used ? ceiling.used.get(day) : room.sold.get(day) + room.held.get(day);
}

/** Whether a ceiling counts units of this plan and agent. */
export function ceilingApplies(ceiling: Ceiling, ratePlanId: string, agentId: string): boolean {
  return (
    (ceiling.rate_plan_id === null || ceiling.rate_plan_id === ratePlanId) &&
    (ceiling.agent_id === null || ceiling.agent_id === agentId)
  );
}
