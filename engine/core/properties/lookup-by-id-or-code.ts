/**
 * Looks up room types and rate plans by id or by the hotel's code (`DBL`, `FLEX`): exact first,
 * else in either case when that is unambiguous. All callers use this lookup, so that quotes,
 * updates and reads accept the same names.
 */
import { findOffer, type Offer, type PropertyEntry } from "../state/state.ts";
import type { PropertyTree, RatePlan, RoomType } from "../supply.ts";

/** A rate plan with its room type. */
export interface PlacedPlan {
  readonly room: RoomType;
  readonly plan: RatePlan;
}

/** An ambiguous name, with the ids that it may mean. */
export interface Ambiguous {
  readonly candidates: readonly string[];
}

/** Candidates listed in one error, at most. */
const CANDIDATES_MAX = 10;

/** Items by id and by code; several may share a code, like rate plans of different room types. */
class Index<T> {
  readonly #byId = new Map<string, T>();
  readonly #byCode = new Map<string, T[]>();
  readonly #byFolded = new Map<string, T[]>();

  add({ id, code }: { readonly id: string; readonly code: string }, thing: T): void {
    this.#byId.set(id, thing);
    listed(this.#byCode, code).push(thing);
    listed(this.#byFolded, code.toLowerCase()).push(thing);
  }

  /** All items with the name for which `isMeant`; an exact match hides others. */
  find(name: string, isMeant: (thing: T) => boolean): readonly T[] {
    const byId = this.#byId.get(name);
    if (byId !== undefined && isMeant(byId)) return [byId];
    const exact = this.#byCode.get(name)?.filter(isMeant) ?? [];
    if (exact.length > 0) return exact;
    return this.#byFolded.get(name.toLowerCase())?.filter(isMeant) ?? [];
  }
}

function listed<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (!list) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

/** Lookup in one property; made once for many names. */
export class IdOrCodeLookup {
  readonly #rooms = new Index<RoomType>();
  readonly #plans = new Index<PlacedPlan>();

  constructor({ room_types }: Pick<PropertyTree, "room_types">) {
    for (const room of room_types) {
      this.#rooms.add(room, room);
      for (const plan of room.rate_plans) this.#plans.add(plan, { room, plan });
    }
  }

  /** The room type with that id or code; null for none. */
  room(name: string): RoomType | Ambiguous | null {
    const found = this.#rooms.find(name, () => true);
    return one(found, ({ id, code }) => `${code} (${id})`);
  }

  /** The rate plan with that id or code, of the given room type or of any. */
  plan(name: string, roomTypeId?: string): PlacedPlan | Ambiguous | null {
    return one(
      this.plans(name, roomTypeId),
      ({ room, plan }) => `${plan.code} of ${room.code} (${plan.id})`,
    );
  }

  /** Every rate plan with that name: one, or one per room type with that code. */
  plans(name: string, roomTypeId?: string): readonly PlacedPlan[] {
    const isMeant = ({ room }: PlacedPlan) => roomTypeId === undefined || room.id === roomTypeId;
    return this.#plans.find(name, isMeant);
  }
}

function one<T>(found: readonly T[], words: (thing: T) => string): T | Ambiguous | null {
  if (found.length <= 1) return found[0] ?? null;
  const left = found.length - CANDIDATES_MAX;
  const candidates = found.slice(0, CANDIDATES_MAX).map(words);
  return { candidates: left > 0 ? [...candidates, `${left} more`] : candidates };
}

/** An ambiguous name and its field. */
export interface AmbiguousName extends Ambiguous {
  readonly field: "room_type_id" | "rate_plan_id";
}

/** The offer of a room type and rate plan by name; else the missing or ambiguous name. */
export function namedOffer(
  property: PropertyEntry,
  roomName: string,
  planName: string,
): Offer | AmbiguousName | "room_type_not_found" | "rate_plan_not_found" {
  // Callers usually send ids from an answer: those need no index.
  const byIds = findOffer(property, roomName, planName);
  if (typeof byIds !== "string") return byIds;
  const names = new IdOrCodeLookup(property.tree);
  const room = names.room(roomName);
  if (!room) return "room_type_not_found";
  if ("candidates" in room) return { field: "room_type_id", ...room };
  const placed = names.plan(planName, room.id);
  if (!placed) return "rate_plan_not_found";
  if ("candidates" in placed) return { field: "rate_plan_id", ...placed };
  return findOffer(property, room.id, placed.plan.id);
}
