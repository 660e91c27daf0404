/**
 * Resolves the codes of an ARI update: senders name room types and rate plans by id or code, the
 * journal has only ids.
 */

import type { AriUpdate, NamedAri, PropertyTree, UnitsLeftRange } from "../supply.ts";
import { IdOrCodeLookup } from "./lookup-by-id-or-code.ts";

/** Codes listed in one error, at most. */
const CODES_MAX = 20;

export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly expected: string;
}

interface Named {
  readonly room_type_id?: string;
  readonly rate_plan_id?: string | null;
}

/** The update with ids instead of codes, and an error for each unknown name. */
export function withIds(
  named: NamedAri,
  tree: PropertyTree,
): {
  readonly ari: AriUpdate;
  readonly unitsLeft: readonly UnitsLeftRange[];
  readonly errors: readonly FieldError[];
} {
  const finder = new Finder(tree);
  const { inventory, rates, restrictions, ceilings, units_left = [] } = named;
  const ari: AriUpdate = {
    ...(inventory && { inventory: finder.each(inventory, "/inventory") }),
    ...(rates && { rates: finder.each(rates, "/rates").map(withoutRoomType) }),
    ...(restrictions && { restrictions: finder.each(restrictions, "/restrictions") }),
    ...(ceilings && { ceilings: finder.each(ceilings, "/ceilings") }),
  };
  const unitsLeft = finder.each(units_left, "/units_left");
  return { ari, unitsLeft, errors: finder.errors };
}

/** The room type of a rate only qualifies the rate plan. */
function withoutRoomType<T extends Named>({
  room_type_id: _room,
  ...rate
}: T): Omit<T, "room_type_id"> {
  return rate;
}

class Finder {
  readonly errors: FieldError[] = [];
  readonly #tree: PropertyTree;
  readonly #names: IdOrCodeLookup;

  constructor(tree: PropertyTree) {
    this.#tree = tree;
    this.#names = new IdOrCodeLookup(tree);
  }

  /** Keeps the order of members: an update that has ids is journaled unchanged. */
  each<T extends Named>(ranges: readonly T[], at: string): T[] {
    return ranges.map((range, i) => {
      const { room_type_id, rate_plan_id } = range;
      const room = room_type_id === undefined ? undefined : this.#room(room_type_id, `${at}/${i}`);
      const plan = rate_plan_id ? this.#plan(rate_plan_id, room, `${at}/${i}`) : rate_plan_id;
      return {
        ...range,
        ...(room_type_id !== undefined && { room_type_id: room ?? room_type_id }),
        ...(rate_plan_id && { rate_plan_id: plan }),
      };
    });
  }

  /** The id of a room type; null for an unknown one, after adding its error. */
  #room(name: string, at: string): string | null {
    const room = this.#names.room(name);
    if (room && "id" in room) return room.id;
    const codes = this.#tree.room_types.map(({ code }) => code);
    const expected = `id or code of a room type of this property${listed(codes)}`;
    this.#fault(`${at}/room_type_id`, room, expected);
    return null;
  }

  /**
   * The id of a rate plan of the room type, or of any; not checked when the room type is unknown.
   */
  #plan(name: string, roomId: string | null | undefined, at: string): string {
    if (roomId === null) return name;
    const placed = this.#names.plan(name, roomId);
    if (placed && "plan" in placed) return placed.plan.id;
    const room = this.#tree.room_types.find(({ id }) => id === roomId);
    const codes = room?.rate_plans.map(({ code }) => code) ?? [];
    const whose = room ? "that room type" : "this property";
    const expected = `id or code of a rate plan of ${whose}${listed(codes)}`;
    this.#fault(`${at}/rate_plan_id`, placed, expected);
    return name;
  }

  #fault(path: string, found: { readonly candidates: readonly string[] } | null, none: string) {
    if (found === null) {
      this.errors.push({ path, message: "is not part of this property", expected: none });
      return;
    }
    const expected = `an id, or a code with its room_type_id: ${found.candidates.join(", ")}`;
    this.errors.push({ path, message: "is ambiguous: several have this code", expected });
  }
}

function listed(codes: readonly string[]): string {
  if (codes.length === 0) return "";
  const more = codes.length > CODES_MAX ? ", …" : "";
  return `: ${codes.slice(0, CODES_MAX).join(", ")}${more}`;
}
