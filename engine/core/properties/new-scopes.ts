/**
 * Counts the units in use of new ceiling scopes. A scope counts its own units from the moment it
 * exists; the units in use by then are counted here once and journaled, so that a replay reads no
 * other table. Every hold and booking is read once, however many scopes an update adds.
 */
import { assert } from "../assert.ts";
import { dayOf } from "../calendar.ts";
import type { Context } from "../decision.ts";
import type { CeilingUsage } from "../events/properties.ts";
import { type Hold, soldNights } from "../records.ts";
import { pageStart } from "../state/nights.ts";
import type { RoomState } from "../state/room-state.ts";
import type { PropertyEntry } from "../state/state.ts";
import type { AriUpdate } from "../supply.ts";

/** Each hold of a room type is checked against all of its scopes. */
export const SCOPES_MAX = 1_000;

interface NewScope {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly unitsByDay: Map<number, number>;
}

/** The scopes of a room type, known and new. */
interface RoomScopes {
  readonly known: ReadonlySet<string>;
  readonly added: Map<string, NewScope>;
}

/** New scopes by room type, in the order of the update. */
export class NewScopes {
  readonly #rooms = new Map<string, RoomScopes>();
  readonly #all: NewScope[] = [];
  /** Indexes of the update's ceilings that exceed the limit of scopes. */
  readonly tooMany: number[] = [];

  /** The scopes of the update that are new to the property; it must know the room types. */
  constructor(ari: Pick<AriUpdate, "ceilings">, property: PropertyEntry) {
    ari.ceilings?.forEach(({ room_type_id, rate_plan_id = null, agent_id = null }, i) => {
      const scopes = this.#scopesOf(room_type_id, property.rooms.get(room_type_id)!);
      const key = keyOf(rate_plan_id, agent_id);
      const isWidest = rate_plan_id === null && agent_id === null;
      if (isWidest || scopes.known.has(key) || scopes.added.has(key)) return;
      if (scopes.known.size + scopes.added.size >= SCOPES_MAX) {
        this.tooMany.push(i);
        return;
      }
      const scope = { room_type_id, rate_plan_id, agent_id, unitsByDay: new Map() };
      scopes.added.set(key, scope);
      this.#all.push(scope);
    });
  }

  #scopesOf(roomTypeId: string, room: RoomState): RoomScopes {
    const found = this.#rooms.get(roomTypeId);
    if (found) return found;
    const known = new Set(room.ceilings.map((each) => keyOf(each.rate_plan_id, each.agent_id)));
    const scopes = { known, added: new Map() };
    this.#rooms.set(roomTypeId, scopes);
    return scopes;
  }

  /** The units in use of each new scope. */
  usage(property: PropertyEntry, ctx: Context): CeilingUsage[] {
    if (this.#all.length === 0) return [];
    const { tenant_id, mode, tree } = property;
    const from = pageStart(ctx.state.keptDay);
    // Ids of room types and rate plans are unique only within their property.
    const count = ({ quote, agent_id }: Pick<Hold, "quote" | "agent_id">, end: number) => {
      if (quote.tenant_id !== tenant_id || quote.mode !== mode) return;
      if (quote.property_id !== tree.id) return;
      const added = this.#rooms.get(quote.room_type_id)?.added;
      for (const scope of added ? scopesWith(added, quote.rate_plan_id, agent_id) : []) {
        addNights(scope.unitsByDay, Math.max(dayOf(quote.stay.check_in), from), end);
      }
    };
    for (const hold of ctx.state.holds.values()) count(hold, dayOf(hold.quote.stay.check_out));
    for (const [roomTypeId, { added }] of this.#rooms) {
      if (added.size === 0) continue;
      for (const booking of ctx.records.soldBookings(roomTypeId)) {
        count(booking, soldNights(booking).end);
      }
    }
    return this.#all.map(({ unitsByDay, ...ids }) => {
      const used = [...unitsByDay].sort((a, b) => a[0] - b[0]);
      assertPart(used, property.rooms.get(ids.room_type_id)!);
      return { ...ids, used };
    });
  }
}

function keyOf(ratePlanId: string | null, agentId: string | null): string {
  return JSON.stringify([ratePlanId, agentId]);
}

/** The scopes, at most three, to which units of this rate plan and agent count. */
function scopesWith(added: ReadonlyMap<string, NewScope>, plan: string, agent: string): NewScope[] {
  const keys = [keyOf(plan, null), keyOf(null, agent), keyOf(plan, agent)];
  return keys.flatMap((key) => added.get(key) ?? []);
}

/** A scope counts the nights that its room type still keeps: those from `from` on. */
function addNights(unitsByDay: Map<number, number>, from: number, end: number): void {
  for (let day = from; day < end; day += 1) {
    unitsByDay.set(day, (unitsByDay.get(day) ?? 0) + 1);
  }
}

function assertPart(used: readonly [day: number, units: number][], room: RoomState): void {
  for (const [day, units] of used) {
    const taken = room.sold.get(day) + room.held.get(day);
    assert(units <= taken, "a part of a room type has no more units taken than the whole");
  }
}
