/** Names of hotels, rooms, rate plans and agents, which most answers of the desk give by id. */
import type { Static } from "@sinclair/typebox";
import type { Agent } from "../../api/agents/responses.ts";
import type { AdminProperty } from "../../api/properties/admin-responses.ts";
import { ask } from "./api.ts";
import type { Visit } from "./visit.ts";

export type Hotel = Static<typeof AdminProperty>;
export type Hotels = ReadonlyMap<string, Hotel>;

/** Of a list; others are shown by their ids. */
const READ_MAX = 20;

/** Those of a list that the visitor may read, by id. */
async function readEach<T>(visit: Visit, route: string, ids: readonly string[]) {
  const asked = [...new Set(ids)].slice(0, READ_MAX);
  const found = await Promise.all(
    asked.map(async (id) => [id, await ask<T>(visit, { id: route, params: { id } })] as const),
  );
  return new Map(found.flatMap(([id, each]) => (each.ok ? [[id, each.data] as const] : [])));
}

/** The hotels of a list. */
export function hotelsOf(visit: Visit, ids: readonly string[]): Promise<Hotels> {
  return readEach(visit, "admin_get_property", ids);
}

type Agents = ReadonlyMap<string, Pick<Static<typeof Agent>, "name">>;

/** The agents of a list. */
export function agentsOf(visit: Visit, ids: readonly string[]): Promise<Agents> {
  return readEach(visit, "get_agent", ids);
}

/** Where hotels have no zone that the visitor may read. */
const UTC = "UTC";

interface Place {
  readonly property_id: string;
  readonly room_type_id?: string;
  readonly rate_plan_id?: string;
}

/** The names of a place; ids for what cannot be read, or is no longer there. */
export function placeNames(hotels: Hotels, { property_id, room_type_id, rate_plan_id }: Place) {
  const hotel = hotels.get(property_id);
  const room = hotel?.room_types.find(({ id }) => id === room_type_id);
  const plan = room?.rate_plans.find(({ id }) => id === rate_plan_id);
  return {
    hotel: hotel?.name ?? property_id,
    room: room?.name ?? room_type_id ?? "",
    plan: plan?.name ?? rate_plan_id ?? "",
    zone: hotel?.timezone ?? UTC,
  };
}

interface Party {
  readonly room_type_id: string;
  readonly guests: { readonly adults: number; readonly children?: readonly unknown[] };
}

/** The room types besides the booked one that have beds for the party. */
export function otherRoomsFor<Room extends { id: string; max_occupancy: number }>(
  { room_type_id, guests: { adults, children = [] } }: Party,
  rooms: readonly Room[],
): Room[] {
  const persons = adults + children.length;
  return rooms.filter(({ id, max_occupancy }) => id !== room_type_id && max_occupancy >= persons);
}
