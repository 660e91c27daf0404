/**
 * The in-memory state: a fold over the journal. The engine's decides; every replica has an equal
 * one. Only `evolve.ts` (and `codec.ts`, loading a snapshot) may change it.
 */

import type { AuthorizationPolicy } from "../authorization-terms.ts";
import type { KeyRef } from "../events/event.ts";
import type { OpenIncident } from "../oversell-terms.ts";
import type { FxTable } from "../price/money.ts";
import type { Payment } from "../records.ts";
import type { Mode, PropertyState, PropertyTree, RatePlan, Realm, RoomType } from "../supply.ts";
import { type EventRows, noEventRows } from "./event-rows.ts";
import { OpenHolds } from "./open-holds.ts";
import { type PlanState, RealmSheets, type RoomState } from "./room-state.ts";

/** A version of a property's tree: the tree is in the journal, memory has what decisions need. */
export interface TreeVersion {
  /** The row that made it. */
  readonly row: number;
  /** The time zone in which stays were sold while it was the present version. */
  readonly timezone: string;
}

export interface PropertyEntry {
  readonly tenant_id: string;
  readonly mode: Mode;
  state: PropertyState;
  /** Incremented by every change of the tree or the state. */
  version: number;
  /** The row that put it on sale first; null before. */
  first_live_row: number | null;
  /** The present tree, the only one in memory, and its number among `versions`. */
  tree: PropertyTree;
  supply_version: number;
  /** All versions, from number 1 on: frozen quotes and bookings refer to them for ever. */
  readonly versions: TreeVersion[];
  /** Number of the event from which on changes of its nights are known; 0 for all of them. */
  changesKnownFrom: number;
  /** Cells of the tree's room types, in its order. */
  readonly rooms: Map<string, RoomState>;
  /**
   * Cells of removed room types. Their sold units are freed by cancellations, and a room type that
   * returns under its id continues with them.
   */
  readonly retired: Map<string, RoomState>;
}

/** The cells of a present or former room type. */
export function cellsOf(
  { rooms, retired }: Pick<PropertyEntry, "rooms" | "retired">,
  roomTypeId: string,
): RoomState | undefined {
  return rooms.get(roomTypeId) ?? retired.get(roomTypeId);
}

/**
 * An index derived from a realm's supply for search. The fold notifies it after each change; a
 * realm that is not searched has none.
 */
export interface SupplyIndex {
  /** It came on sale or went off sale, has a new tree, or was deleted. */
  propertyChanged(property: PropertyEntry): void;
  /** Units of a room type changed from a day up to, not including, another. */
  unitsChanged(room: RoomState, firstDay: number, endDay: number): void;
  /** Restrictions or ceilings of a room type or its rate plans changed on these days. */
  limitsChanged(room: RoomState, days: Iterable<number>): void;
}

export interface TenantEntry {
  readonly seq: { live: number; test: number };
  readonly rows: Readonly<Record<Mode, EventRows>>;
  fx: FxTable | null;
  /** Which bookings need an authorization; null for none but those above agents' own limits. */
  readonly authorizationPolicy: Record<Mode, AuthorizationPolicy | null>;
  /** `mode:slug` → property id. */
  readonly slugs: Map<string, string>;
  /** `mode:external code` → property id. */
  readonly externalCodes: Map<string, string>;
  /** By id, in the order of creation. An id is unique within its tenant and mode only. */
  readonly properties: Readonly<Record<Mode, Map<string, PropertyEntry>>>;
  /** The storage of their nights. */
  readonly sheets: Readonly<Record<Mode, RealmSheets>>;
  /** Derived, from the first search on (`index.ts`); null when it must be built. */
  readonly index: Record<Mode, SupplyIndex | null>;
}

export interface AwaitedRefund extends Realm {
  readonly refund_id: string;
  readonly key: KeyRef;
  /** Engine time: payment providers have no test clock. */
  readonly since: number;
}

/** The clock of a tenant's test mode. */
export interface TestClock {
  /** Milliseconds that it is ahead of the engine. */
  readonly offset_ms: number;
  /** Engine time of its last reset; 0 without one. */
  readonly reset_at: number;
}

/** The state of all tenants. */
export class State {
  row = 0;
  stamp = 0;
  baseDay = 0;
  /**
   * Nights from here on are kept. It follows the base day by one night per move, which is one a
   * day: it counts days that passed, not what a clock showed. So nights that a clock too far ahead
   * jumped over still exist when it is corrected.
   */
  keptDay = 0;
  /**
   * Nights before it were forgotten once: after a clock correction they are counted again from
   * zero.
   */
  forgottenDay = 0;
  readonly tenants = new Map<string, TenantEntry>();
  /** Test clocks that were ever moved, by tenant; see `test-clock.ts`. */
  readonly testClocks = new Map<string, TestClock>();
  readonly holds: OpenHolds;
  /** The tenant of the last look-up: the next one is usually the same and needs no hash. */
  #latestId: string | null = null;
  #latest: TenantEntry | null = null;
  /** Payments without a verdict: pending and unknown. */
  readonly payments = new Map<string, Payment>();
  /** Confirmation codes of these payments, in the form of `codeOf`; derived. */
  readonly openCodes = new Set<string>();
  /** Idempotency keys whose booking waits for its payment → payment id, longest waiting first. */
  readonly runningKeys = new Map<string, string>();
  /** Cancellations whose answer waits for a refund, by refund id. */
  readonly awaitingRefund = new Map<string, AwaitedRefund>();
  /** Their keys → refund id; derived. */
  readonly refundsByKey = new Map<string, string>();
  /** Oversell incidents that are not ended, oldest first. */
  readonly incidents = new Map<string, OpenIncident>();

  /** `tracksExpiry`: only where decisions are made. */
  constructor(options: { readonly tracksExpiry: boolean }) {
    this.holds = new OpenHolds({ ...options, clockOffsetMs: (of) => this.clockOffsetMs(of) });
  }

  /** The tenant's entry; created on first use. */
  tenant(tenantId: string): TenantEntry {
    if (tenantId === this.#latestId) return this.#latest!;
    let entry = this.tenants.get(tenantId);
    if (!entry) {
      entry = {
        seq: { live: 0, test: 0 },
        rows: { live: noEventRows(), test: noEventRows() },
        fx: null,
        authorizationPolicy: { live: null, test: null },
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

  /** Milliseconds that a realm is ahead of the engine; 0 in live mode. */
  clockOffsetMs(realm: Realm): number {
    return this.#testClockOf(realm)?.offset_ms ?? 0;
  }

  /** Quotes of a realm from before this instant have ended with a reset of its clock. */
  quotesFromMs(realm: Realm): number {
    return this.#testClockOf(realm)?.reset_at ?? 0;
  }

  #testClockOf({ tenant_id, mode }: Realm): TestClock | undefined {
    // Every decision asks: without any moved clock it costs no hash.
    if (mode === "live" || this.testClocks.size === 0) return undefined;
    return this.testClocks.get(tenant_id);
  }

  /** The property with that id in a realm; properties of other realms are not found. */
  property({ tenant_id, mode }: Realm, id: string): PropertyEntry | undefined {
    return this.tenants.get(tenant_id)?.properties[mode].get(id);
  }

  /** The property that a caller names by its id or slug, in either case. */
  propertyNamed(realm: Realm, idOrSlug: string): PropertyEntry | undefined {
    const exact = this.property(realm, idOrSlug);
    if (exact) return exact;
    // Ids and slugs are always lower case, so this is unambiguous.
    const name = idOrSlug.toLowerCase();
    const slugs = this.tenants.get(realm.tenant_id)?.slugs;
    return this.property(realm, slugs?.get(`${realm.mode}:${name}`) ?? name);
  }

  /** The property with an external code in a realm. */
  propertyCoded(realm: Realm, externalCode: string): PropertyEntry | undefined {
    const codes = this.tenants.get(realm.tenant_id)?.externalCodes;
    const id = codes?.get(`${realm.mode}:${externalCode}`);
    return id === undefined ? undefined : this.property(realm, id);
  }

  /** After a move of the window the next search builds the indexes again. */
  forgetIndexes(): void {
    for (const { index } of this.tenants.values()) {
      index.live = null;
      index.test = null;
    }
  }

  *allProperties(): Generator<PropertyEntry> {
    for (const { properties } of this.tenants.values()) {
      yield* properties.live.values();
      yield* properties.test.values();
    }
  }
}

/** A room type of a property with a rate plan and its cells. */
export interface Offer {
  readonly property: PropertyEntry;
  readonly roomType: RoomType;
  readonly plan: RatePlan;
  readonly room: RoomState;
  readonly planState: PlanState;
}

/** The offer in the current tree, or what is missing. */
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
