/** The nights of a hotel as the calendar shows and changes them. */
import type { Static } from "@sinclair/typebox";
import type { AriNights } from "../../api/ari/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import type { Visit } from "../frame/visit.ts";
import type { Field, Value } from "./changes.ts";

/** As the API takes it. */
const ROOM_NAME_MAX = 64;

export type Nights = Static<typeof AriNights>;
export type RoomNight = Nights["room_types"][number]["nights"][number];
export type PlanNight = RoomNight["rate_plans"][number];

/** Room types of a page: 62 nights of so many fit into 80 KB, and their answer into 30 ms. */
const ROOMS_OF_PAGE = 10;

/** Room types of a hotel by a text in their names, in pages. */
export interface RoomPage {
  readonly name: string;
  /** From 1 on. */
  readonly page: number;
}

/** A page of a query or form; the first for what is none. */
export function roomPageOf(fields: Pick<ReadonlyMap<string, string>, "get">): RoomPage {
  const page = fields.get("page") ?? "";
  const name = (fields.get("rooms") ?? "").trim().slice(0, ROOM_NAME_MAX);
  return { name, page: /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1 };
}

/** The page as fields of a form or a query; none for the first page of all. */
export function fieldsOf({ name, page }: RoomPage): Readonly<Record<string, string>> {
  return { ...(name !== "" && { rooms: name }), ...(page > 1 && { page: String(page) }) };
}

/** Pages that there are; one where there is nothing. */
export function pagesOf({ room_types_found: found = 0 }: Nights): number {
  return Math.max(1, Math.ceil(found / ROOMS_OF_PAGE));
}

/** The page as the API is asked for it. */
export function roomsAsked({ name, page }: RoomPage): Readonly<Record<string, string>> {
  return {
    ...(name !== "" && { room_name: name }),
    room_limit: String(ROOMS_OF_PAGE),
    room_offset: String((page - 1) * ROOMS_OF_PAGE),
  };
}

/** Reads nights, both ends included. */
export function readNights(
  visit: Visit,
  property_id: string,
  query: Readonly<Record<string, string>>,
): Promise<Answered<Nights>> {
  return ask<Nights>(visit, { id: "admin_get_ari", params: { id: property_id }, query });
}

/** What a field of a night is now; null for a rule that does not apply. */
export function currentOf(night: RoomNight, plan: PlanNight | null, field: Field): Value {
  switch (field) {
    case "amount":
      return plan?.amount ?? null;
    case "capacity":
    case "out_of_order":
      return night[field];
    default:
      return (plan ?? night).restrictions[field] ?? null;
  }
}
