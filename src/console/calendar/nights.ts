/** The nights of a hotel as the calendar shows and changes them. */
import type { Static } from "@sinclair/typebox";
import type { AriNights } from "../../api/ari/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import type { Visit } from "../frame/visit.ts";
import type { Field, Value } from "./changes.ts";

export type Nights = Static<typeof AriNights>;
export type RoomNight = Nights["room_types"][number]["nights"][number];
export type PlanNight = RoomNight["rate_plans"][number];

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
