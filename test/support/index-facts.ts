/**
 * All that an index says, whatever ordinals it says it by: two that are of the same state have the
 * same facts.
 */

import type { RealmIndex } from "../../engine/core/search/index/realm-index.ts";
import { indexOf } from "../../engine/core/search/search-index.ts";
import type { State } from "../../engine/core/state/state.ts";
import type { Realm } from "../../engine/core/supply.ts";

/** The facts of an index by property, in the order of their ids. */
function indexFacts(index: RealmIndex) {
  const { rooms, roomColumns, planColumns, free, marked } = index;
  const facts = index.all().map((ordinal) => {
    const { tree, firstRoom, firstPlan, name, terms, isOneCurrency } = index.properties[ordinal]!;
    const isFound = index.ordinalOf(tree.id) === ordinal && index.named(name).has(ordinal);
    let plan = firstPlan;
    const ofRooms = tree.room_types.map((roomType, i) => {
      const at = firstRoom + i;
      const days = (bits: typeof free) => {
        const set: number[] = [];
        for (let day = index.firstDay; day < index.endDay; day += 1) {
          if (bits.get(at, day)) set.push(day);
        }
        return set.join(" ");
      };
      const isItsOwn = rooms[at]!.room.ordinal === at && roomColumns.firstPlan[at] === plan;
      const plans = roomType.rate_plans.map(() => {
        const { plan: plans, traits, nights, followed, amount, extraAdult } = planColumns;
        const facts = [traits[plan], nights[plan], amount[plan], extraAdult[plan]];
        const rules = [followed[plan], planColumns.ruleOf(plan), planColumns.adjustments[plan]];
        const all = [...facts, ...rules, plans[plan]];
        plan += 1;
        return all;
      });
      const { maxOccupancy, included, nights, inventory, overbookingLimit } = roomColumns;
      const persons = [maxOccupancy[at], included[at]];
      const units = [nights[at], inventory[at], overbookingLimit[at]];
      const isOfTree = roomColumns.roomType[at] === roomType;
      const counted = roomColumns.plans[at];
      return {
        isItsOwn,
        room: rooms[at],
        persons,
        units,
        isOfTree,
        counted,
        plans,
        free: days(free),
        marked: days(marked),
      };
    });
    return { id: tree.id, tree, isFound, name, terms, isOneCurrency, rooms: ofRooms };
  });
  return facts.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The facts of the index that a realm has kept, and of one that is made anew of the same state. */
export function keptAndAnew(state: State, realm: Realm) {
  const index = indexOf(state, realm);
  const kept = indexFacts(index);
  const tenant = state.tenant(realm.tenant_id);
  // Making one numbers the cells anew; they get the numbers of the one that goes on back.
  const ordinals = index.rooms.map((indexed) => indexed?.room.ordinal);
  tenant.index[realm.mode] = null;
  const anew = indexFacts(indexOf(state, realm));
  tenant.index[realm.mode] = index;
  index.rooms.forEach((indexed, i) => {
    if (indexed) indexed.room.ordinal = ordinals[i]!;
  });
  return { kept, anew };
}
