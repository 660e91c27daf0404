/**
 * The day at the properties of a desk, each in its own time zone: who arrives, stays and leaves,
 * and the rooms of tonight.
 */
import { unitsLeft } from "../../../engine/core/availability/availability.ts";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import { nightOf } from "../../../engine/core/oversell/nights.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { DeskStay } from "../../../engine/log/desk-index.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";

/** Guests who are longer overdue do not come any more. */
export const LATE_DAYS_MAX = 30;

/** Today at a property. */
export interface Today {
  readonly day: number;
  readonly date: string;
  /** The first check-in date of the arrivals that are still expected. */
  readonly expectedFrom: string;
}

/** Today at each property, by its id. */
export function todaysAt(
  properties: readonly PropertyEntry[],
  atMs: number,
): ReadonlyMap<string, Today> {
  const known = new Map<number, Today>();
  const of = (day: number) => {
    let today = known.get(day);
    if (!today) {
      today = { day, date: dateOf(day), expectedFrom: dateOf(day - LATE_DAYS_MAX) };
      known.set(day, today);
    }
    return today;
  };
  return new Map(properties.map(({ tree }) => [tree.id, of(todayIn(tree.timezone, atMs))]));
}

/** Today's dates by time zone, with the number of properties; most properties first. */
export function daysOf(
  properties: readonly PropertyEntry[],
  todays: ReadonlyMap<string, Today>,
): { date: string; timezone: string; properties: number }[] {
  const byZone = Map.groupBy(properties, ({ tree }) => tree.timezone);
  const days = [...byZone].map(([timezone, there]) => {
    const { date } = todays.get(there[0]!.tree.id)!;
    return { date, timezone, properties: there.length };
  });
  return days.sort((a, b) => b.properties - a.properties || (a.timezone < b.timezone ? -1 : 1));
}

/** A stay in a list of the day. */
export interface DueStay extends DeskStay {
  /** Due before today; absent where nothing is due. */
  readonly is_late?: boolean;
}

/** The stays of the desk's lists, by property and then by booking. */
export interface DayLists {
  readonly arrivals: readonly DueStay[];
  readonly in_house: readonly DueStay[];
  readonly departures: readonly DueStay[];
}

/**
 * The lists of the day from stays that were found for all properties at once. Who is not checked
 * in is expected until the stay ends, who is checked in is in the house until checked out.
 */
export function dayLists(
  todays: ReadonlyMap<string, Today>,
  { confirmed, checkedIn }: Readonly<Record<"confirmed" | "checkedIn", readonly DeskStay[]>>,
): DayLists {
  const lists = {
    arrivals: [] as DueStay[],
    in_house: [] as DueStay[],
    departures: [] as DueStay[],
  };
  for (const stay of confirmed) {
    const today = todays.get(stay.property_id);
    if (!today) continue;
    const { date, expectedFrom } = today;
    const { check_in, check_out } = stay;
    if (check_in < expectedFrom || check_in > date || check_out < date) continue;
    lists.arrivals.push({ ...stay, is_late: check_in < date });
  }
  for (const stay of checkedIn) {
    const today = todays.get(stay.property_id);
    if (!today) continue;
    const { check_out } = stay;
    if (check_out > today.date) lists.in_house.push(stay);
    else lists.departures.push({ ...stay, is_late: check_out < today.date });
  }
  for (const list of Object.values(lists)) list.sort(byPlace);
  return lists;
}

function byPlace(a: DeskStay, b: DeskStay): number {
  if (a.property_id !== b.property_id) return a.property_id < b.property_id ? -1 : 1;
  return a.booking_id < b.booking_id ? -1 : 1;
}

/**
 * Units of tonight: those that can still be sold at live properties, null without any, and those
 * that are sold or held above capacity.
 */
export async function tonightAt(
  properties: readonly PropertyEntry[],
  todays: ReadonlyMap<string, Today>,
): Promise<{ free_tonight: number | null; oversold_tonight: number }> {
  let free: number | null = null;
  let oversold = 0;
  for await (const property of nextTurnEach(properties)) {
    const { day } = todays.get(property.tree.id)!;
    if (property.state === "live") free = (free ?? 0) + unitsFree(property, day);
    for (const roomType of property.tree.room_types) {
      oversold += nightOf({ roomType, room: property.rooms.get(roomType.id)! }, day).excess;
    }
  }
  return { free_tonight: free, oversold_tonight: oversold };
}

/** Units of a night, each room type by the plan that can sell the most; by no agent's ceiling. */
function unitsFree({ tree, rooms }: PropertyEntry, day: number): number {
  const party = { adults: 1, children: [] };
  const night = { checkInDay: day, nights: 1, party, agentId: "", todayDay: day };
  return tree.room_types.reduce((sum, roomType) => {
    const room = rooms.get(roomType.id)!;
    const left = roomType.rate_plans.map((plan) => unitsLeft({ roomType, room, plan }, night));
    return sum + Math.max(0, ...left);
  }, 0);
}
