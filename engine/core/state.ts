/**
 * The in-memory state: a fold over the journal and nothing else. The engine holds the one that
 * decides; every replica holds an equal one. Only `evolve.ts` (and `codec.ts`, restoring a
 * snapshot) may change it.
 */
import { type EventRows, noEventRows } from "./event-rows.ts";
import type { KeyRef } from "./events.ts";
import type { FxTable } from "./money.ts";
import { OpenHolds } from "./open-holds.ts";
import type { Payment } from "./records.ts";
import { type PlanState, RealmSheets, type RoomState } from "./room-state.ts";
import type { Mode, PropertyState, PropertyTree, RatePlan, Realm, RoomType } from "./supply.ts";

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
  /** `mode:external code` → property id, of the properties that have one. */
  readonly externalCodes: Map<string, string>;
  /** By id, in the order they were created. An id is unique within its tenant and mode only. */
  readonly properties: Readonly<Record<Mode, Map<string, PropertyEntry>>>;
  /** Where their nights lie. */
  readonly sheets: Readonly<Record<Mode, RealmSheets>>;
  /** Derived, from the first search on (`index.ts`); null also when it must be made anew. */
  readonly index: Record<Mode, SupplyIndex | null>;
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
  readonly holds: OpenHolds;
  /** The tenant asked for last: mostly the next one is the same, and is told without a hash. */
  #latestId: string | null = null;
  #latest: TenantEntry | null = null;
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

  /** Only where decisions are made is it known when holds fall due. */
  constructor(options: { readonly tracksExpiry: boolean }) {
    this.holds = new OpenHolds(options);
  }

  /** The tenant's entry, made at first sight. */
  tenant(tenantId: string): TenantEntry {
    if (tenantId === this.#latestId) return this.#latest!;
    let entry = this.tenants.get(tenantId);
    if (!entry) {
      entry = {
        seq: { live: 0, test: 0 },
        rows: { live: noEventRows(), test: noEventRows() },
        fx: null,
        slugs: new Map(),
        externalCodes: new Map(),
        properties: { live: new Map(), test: new Map() },
        sheets: { live: new RealmSheets(), test: new RealmSheets() },
        index: { live: null, test: null },
      };
      this.tenants.set(tenantId, entry);
    }
    this.#latestId = tenantId;
    this.#latest = entry;
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

  /** The property that has an external code in a realm. */
  propertyCoded(realm: Realm, externalCode: string): PropertyEntry | undefined {
    const codes = this.tenants.get(realm.tenant_id)?.externalCodes;
    const id = codes?.get(`${realm.mode}:${externalCode}`);
    return id === undefined ? undefined : this.property(realm, id);
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
