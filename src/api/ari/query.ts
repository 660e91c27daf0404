/** Query of a property's nights: the range, room type and rate plan. */
import { Type } from "@sinclair/typebox";
import { dateOf, dayOf, todayIn } from "../../../engine/core/calendar.ts";
import { firstKept } from "../../../engine/core/properties/ari-ranges.ts";
import { lastKeptDay } from "../../../engine/core/properties/cells.ts";
import { IdOrCodeLookup } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import type { PropertyEntry, State } from "../../../engine/core/state/state.ts";
import type { PropertyTree, RoomType } from "../../../engine/core/supply.ts";
import { invalid, type Refusal, refuse } from "../../http/answer.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { FORMAT } from "../../http/render-table.ts";
import type { FieldError } from "../../http/validate.ts";
import { asOfParameter } from "../as-of.ts";
import { numberParameter } from "../parameters.ts";

const NIGHTS = 31;
const NIGHTS_MAX = 366;
const ROOMS_MAX = 1_000;
/** A night of a room type, of a rate plan or under a ceiling is a cell. */
export const CELLS_MAX = 20_000;

/** A date of the query. */
export function dateParameter(description: string): QueryParameter {
  return {
    schema: Type.String({ format: "date" }),
    description,
    isValid: (value) => !Number.isNaN(dayOf(value)),
    fault: { message: "is not a calendar date", expected: "a date as YYYY-MM-DD" },
  };
}

/** A room type or rate plan of the query. */
export function nameParameter(description: string): QueryParameter {
  return {
    schema: Type.String({ minLength: 1, maxLength: 64 }),
    description,
    isValid: (value) => value.length >= 1 && value.length <= 64,
    fault: {
      message: "is not an id or code",
      expected: "text of 1 to 64 characters: an id or a code",
    },
  };
}

export const ARI_QUERY = {
  from: dateParameter("The first night; today at the property by default."),
  to: dateParameter(`The last night, included; ${NIGHTS} nights from the first by default.`),
  nights: numberParameter(1, NIGHTS_MAX, "Instead of `to`: how many nights from the first."),
  room_type: nameParameter("Only this room type: its id or code."),
  rate_plan: nameParameter("Only this rate plan: its id or code, of every room type that has it."),
  room_name: nameParameter("Only room types with this text in their name or code, in any case."),
  room_limit: numberParameter(
    ...([1, ROOMS_MAX] as const),
    "Largest number of room types; `room_types_found` then counts all of them.",
  ),
  room_offset: numberParameter(0, 1_000_000, "How many of them to leave out before the first."),
  as_of: asOfParameter("the nights"),
  format: FORMAT,
} as const satisfies Readonly<Record<string, QueryParameter>>;

/** Nights of room types, each with its selected rate plans. */
export interface AskedNights {
  readonly ok: true;
  /** Requested range, both ends included. */
  readonly from: string;
  readonly to: string;
  /** The stored nights of that range; empty when all have been dropped. */
  readonly firstDay: number;
  readonly nights: number;
  /** Nights before it have been dropped and are left out; null when none has. */
  readonly forgottenBefore: string | null;
  readonly rooms: readonly RoomType[];
  /** How many there are beside them, of a query with a limit. */
  readonly roomsFound: number | null;
}

/** The nights of a checked query in a state of `nowMs`, or the refusal. */
export function askedNights(
  query: ReadonlyMap<string, string>,
  property: PropertyEntry,
  { state, nowMs }: { readonly state: State; readonly nowMs: number },
): AskedNights | Refusal {
  const today = todayIn(property.tree.timezone, nowMs);
  const lastDay = lastKeptDay(state);
  const from = query.has("from") ? dayOf(query.get("from")!) : Math.min(today, lastDay);
  const asked = Number(query.get("nights") ?? NIGHTS);
  const to = query.has("to") ? dayOf(query.get("to")!) : Math.min(from + asked - 1, lastDay);
  const errors = rangeProblems(from, to, lastDay);
  if (errors.length > 0) return invalid(errors);
  const found = askedRooms(property.tree, query.get("room_type"), query.get("rate_plan"));
  if ("code" in found) return found;
  const { rooms, roomsFound } = limited(found, query);
  const kept = firstKept(state);
  const firstDay = Math.min(Math.max(from, kept), to + 1);
  const nights = to + 1 - firstDay;
  const cells = nights * rooms.reduce((sum, room) => sum + cellsOf(property, room), 0);
  if (cells > CELLS_MAX) return invalid([tooMany(cells)]);
  const forgottenBefore = from < kept ? dateOf(kept) : null;
  const range = { from: dateOf(from), to: dateOf(to) };
  return { ok: true, ...range, firstDay, nights, forgottenBefore, rooms, roomsFound };
}

/** Those of the name, and of them a page. */
function limited(
  all: readonly RoomType[],
  query: ReadonlyMap<string, string>,
): Pick<AskedNights, "rooms" | "roomsFound"> {
  const text = query.get("room_name")?.toLowerCase() ?? "";
  const named = all.filter(({ name, code }) => {
    return name.toLowerCase().includes(text) || code.toLowerCase().includes(text);
  });
  const first = Number(query.get("room_offset") ?? 0);
  const limit = query.get("room_limit");
  if (limit === undefined) return { rooms: named.slice(first), roomsFound: null };
  return { rooms: named.slice(first, first + Number(limit)), roomsFound: named.length };
}

function cellsOf({ rooms }: PropertyEntry, { id, rate_plans }: RoomType): number {
  return 1 + rate_plans.length + (rooms.get(id)?.ceilings.length ?? 0);
}

function tooMany(cells: number): FieldError {
  const message = `requests ${cells} cells: a cell is a night of a room type, rate plan or ceiling`;
  const expected = `at most ${CELLS_MAX}: fewer nights, or one room_type or rate_plan`;
  return { path: "?to", message, expected };
}

function rangeProblems(from: number, to: number, lastDay: number): FieldError[] {
  const errors: FieldError[] = [];
  if (to < from) errors.push({ path: "?to", message: "is before from", expected: "from or later" });
  if (to - from >= NIGHTS_MAX) {
    const expected = `at most ${NIGHTS_MAX} nights: ${dateOf(from + NIGHTS_MAX - 1)} or earlier`;
    errors.push({ path: "?to", message: "is too far after from", expected });
  }
  if (Math.max(from, to) > lastDay) {
    const path = to > lastDay ? "?to" : "?from";
    const expected = `${dateOf(lastDay)} or earlier`;
    errors.push({ path, message: "is beyond the dates that can be sold", expected });
  }
  return errors;
}

function askedRooms(
  tree: PropertyTree,
  roomName: string | undefined,
  planName: string | undefined,
): readonly RoomType[] | Refusal {
  const property_id = tree.id;
  const names = new IdOrCodeLookup(tree);
  const room = roomName === undefined ? null : names.room(roomName);
  if (roomName !== undefined && !room) {
    return refuse("room_type_not_found", { property_id, room_type_id: roomName });
  }
  if (room && "candidates" in room) {
    const expected = `the id, or the code as it is written: ${room.candidates.join(", ")}`;
    return invalid([
      { path: "?room_type", message: "is ambiguous: several have this code", expected },
    ]);
  }
  const rooms = room ? [room] : tree.room_types;
  if (planName === undefined) return rooms;
  const plans = new Set(names.plans(planName, room?.id).map(({ plan }) => plan));
  if (plans.size === 0) {
    const named = roomName === undefined ? {} : { room_type_id: roomName };
    return refuse("rate_plan_not_found", { property_id, ...named, rate_plan_id: planName });
  }
  return rooms.flatMap((each) => {
    const rate_plans = each.rate_plans.filter((plan) => plans.has(plan));
    return rate_plans.length > 0 ? [{ ...each, rate_plans }] : [];
  });
}
