/**
 * What a caller means by a name. A room type or rate plan is named by its id or by the code that
 * the hotel knows it by (`DBL`, `FLEX`): exactly as it is written, else in letters of either case
 * when that means one thing alone. Every place that takes such a name asks here, so that a name
 * which quotes understand is one that updates and reads understand too.
 */
import { findOffer, type Offer, type PropertyEntry } from "./state.ts";
import type { PropertyTree, RatePlan, RoomType } from "./supply.ts";

/** A rate plan with the room type that it is of. */
export interface PlacedPlan {
  readonly room: RoomType;
  readonly plan: RatePlan;
}

/** Several things have the name. Each with the id to send in its place. */
export interface Ambiguous {
  readonly candidates: readonly string[];
}

/** Candidates that an error names at most. */
const CANDIDATES_MAX = 10;

/** Things by id and by code; a code may be one of several, a plan's in several room types. */
class Index<T> {
  readonly #byId = new Map<string, T>();
  readonly #byCode = new Map<string, T[]>();
  readonly #byFolded = new Map<string, T[]>();

  add({ id, code }: { readonly id: string; readonly code: string }, thing: T): void {
    this.#byId.set(id, thing);
    listed(this.#byCode, code).push(thing);
    listed(this.#byFolded, code.toLowerCase()).push(thing);
  }

  /** Everything of those that `isMeant` which has the name; an exact one hides all others. */
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

/** The names of a property's room types and plans; made once for as many as are asked for. */
export class IdOrCodeLookup {
  readonly #rooms = new Index<RoomType>();
  readonly #plans = new Index<PlacedPlan>();

  constructor({ room_types }: PropertyTree) {
    for (const room of room_types) {
      this.#rooms.add(room, room);
      for (const plan of room.rate_plans) this.#plans.add(plan, { room, plan });
    }
  }

  /** The room type of that id or code; null when there is none. */
  room(name: string): RoomType | Ambiguous | null {
    const found = this.#rooms.find(name, () => true);
    return one(found, ({ id, code }) => `${code} (${id})`);
  }

  /** The rate plan of that id or code: of the room type, or of any when none is given. */
  plan(name: string, roomTypeId?: string): PlacedPlan | Ambiguous | null {
    return one(
      this.plans(name, roomTypeId),
      ({ room, plan }) => `${plan.code} of ${room.code} (${plan.id})`,
    );
  }

  /** Every rate plan of that name: one, or one in each room type that has its code. */
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

/** A name that means several things, and the field that has it. */
export interface AmbiguousName extends Ambiguous {
  readonly field: "room_type_id" | "rate_plan_id";
}

/** The offer of a room type and plan by their names; names what is missing or unclear otherwise. */
export function namedOffer(
  property: PropertyEntry,
  roomName: string,
  planName: string,
): Offer | AmbiguousName | "room_type_not_found" | "rate_plan_not_found" {
  // Whoever acts on an answer sends its ids back: those need no index.
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
