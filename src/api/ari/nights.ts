/** The nights of a property for its operator: values set, units taken, and who set them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { dateOf } from "../../../engine/core/calendar.ts";
import { planCells, roomCell } from "../../../engine/core/properties/cells.ts";
import { findOffer, type PropertyEntry } from "../../../engine/core/state/state.ts";
import type { RoomType } from "../../../engine/core/supply.ts";
import { History } from "./history.ts";
import type { AskedNights } from "./query.ts";

/** The requested room types with their nights, and how far back changes are known. */
export async function nightsOf(
  property: PropertyEntry,
  asked: AskedNights,
  replica: Parameters<History["read"]>[0],
  signal: AbortSignal,
) {
  const { firstDay, nights, rooms } = asked;
  const ids = rooms.flatMap(({ id, rate_plans }) => [id, ...rate_plans.map((plan) => plan.id)]);
  const history = new History(property, ids, firstDay, nights);
  await history.read(replica, signal);
  const room_types = [];
  for (const roomType of rooms) {
    room_types.push(roomNights(property, roomType, asked, history));
    await nextTurn();
  }
  const { isComplete: is_complete, since } = history;
  return { room_types, changes: { is_complete, since } };
}

/** `data` of the nights found. */
export function nightsData(
  { tree }: PropertyEntry,
  { from, to, forgottenBefore: forgotten_before, roomsFound }: AskedNights,
  { room_types, changes }: Awaited<ReturnType<typeof nightsOf>>,
) {
  const { id: property_id, slug } = tree;
  const found = roomsFound === null ? {} : { room_types_found: roomsFound };
  return { property_id, slug, from, to, forgotten_before, changes, ...found, room_types };
}

export type NightsData = ReturnType<typeof nightsData>;

export type RoomNights = ReturnType<typeof roomNights>;

function roomNights(
  property: PropertyEntry,
  { id, code, name, rate_plans }: RoomType,
  { firstDay, nights }: AskedNights,
  history: History,
) {
  const plans = rate_plans.flatMap((plan) => {
    const offer = findOffer(property, id, plan.id);
    return typeof offer === "string" ? [] : [{ plan, cells: planCells(offer, firstDay, nights) }];
  });
  const roomType = property.tree.room_types.find((each) => each.id === id)!;
  const room = property.rooms.get(id)!;
  const isShown = (planId: string | null) => {
    return planId === null || rate_plans.some((plan) => plan.id === planId);
  };
  return {
    ...{ room_type_id: id, code, name },
    nights: Array.from({ length: nights }, (_, i) => {
      const day = firstDay + i;
      const { ceilings, ...cell } = roomCell(roomType, room, day);
      return {
        date: dateOf(day),
        ...cell,
        ceilings: ceilings.filter(({ rate_plan_id }) => isShown(rate_plan_id)),
        changed: history.of(id, day),
        rate_plans: plans.map(({ plan, cells }) => ({
          ...{ rate_plan_id: plan.id, code: plan.code, currency: plan.currency, ...cells[i]! },
          changed: history.of(plan.id, day),
        })),
      };
    }),
  };
}
