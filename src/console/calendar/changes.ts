/**
 * Staged changes of nights, and the update of the API that makes them: ranges of following nights
 * with one value. Pure.
 */
import { dateOf, dayOf, weekdayOf } from "../../../engine/core/calendar.ts";
import type { AriRequest } from "../../api/ari/requests.ts";

/** Fields of a night that the calendar changes; the rules are those of the API. */
export const FIELDS = {
  amount: { name: "Price", of: "plan" },
  capacity: { name: "Rooms for sale", of: "room" },
  out_of_order: { name: "Rooms out of order", of: "room" },
  stop_sell: { name: "Closed", of: "room" },
  cta: { name: "Closed to arrival", of: "room" },
  ctd: { name: "Closed to departure", of: "room" },
  min_los_arrival: { name: "Shortest stay of an arrival", of: "room" },
} as const;

export type Field = keyof typeof FIELDS;
export type Value = number | boolean | null;

export interface Change {
  readonly room_type_id: string;
  /** Null for a field of the room. */
  readonly rate_plan_id: string | null;
  readonly field: Field;
  readonly date: string;
  readonly before: Value;
  /** Null removes the value by date: the property's own applies. */
  readonly after: Value;
}

/** Changes of following nights with one value. */
export interface Run extends Omit<Change, "date" | "before"> {
  readonly from: string;
  readonly to: string;
  readonly before: readonly Value[];
}

export type Ranges = Pick<AriRequest, "inventory" | "rates" | "restrictions">;

/** The changes as runs, in the order of rooms, plans and fields, then by date. */
export function runsOf(changes: readonly Change[]): Run[] {
  const keyOf = ({ room_type_id, rate_plan_id, field }: Change) =>
    JSON.stringify([room_type_id, rate_plan_id, field]);
  const runs: Run[] = [];
  for (const group of Map.groupBy(changes, keyOf).values()) {
    for (const { date, before, ...change } of group.toSorted((a, b) =>
      a.date < b.date ? -1 : 1,
    )) {
      const last = runs.at(-1);
      const isNext =
        last !== undefined &&
        keyOf({ ...last, date, before }) === keyOf({ ...change, date, before }) &&
        last.after === change.after &&
        dayOf(last.to) + 1 === dayOf(date);
      if (isNext) runs[runs.length - 1] = { ...last, to: date, before: [...last.before, before] };
      else runs.push({ ...change, from: date, to: date, before: [before] });
    }
  }
  return runs;
}

/** The update that makes the changes. */
export function updateOf(changes: readonly Change[]): Ranges {
  const lists = { inventory: [], rates: [], restrictions: [] } as {
    inventory: NonNullable<Ranges["inventory"]>;
    rates: NonNullable<Ranges["rates"]>;
    restrictions: NonNullable<Ranges["restrictions"]>;
  };
  for (const { room_type_id, rate_plan_id, field, from, to, after } of runsOf(changes)) {
    const range = { room_type_id, from, to };
    if (field === "amount") {
      lists.rates.push({ ...range, rate_plan_id: rate_plan_id!, amount: after as number | null });
    } else if (field === "capacity" || field === "out_of_order") {
      lists.inventory.push({ ...range, [field]: after });
    } else {
      lists.restrictions.push({ ...range, rate_plan_id, [field]: after });
    }
  }
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** The changes that an update of `updateOf` makes, each with what the cell is now. */
export function changesOf(
  { inventory = [], rates = [], restrictions = [] }: Ranges,
  currentAt: (cell: Omit<Change, "before" | "after">) => Value,
): Change[] {
  return [...rates, ...inventory, ...restrictions].flatMap(({ from, to, ...range }) => {
    const {
      room_type_id = "",
      rate_plan_id = null,
      ...values
    } = {
      rate_plan_id: null,
      ...range,
    } as Pick<Run, "rate_plan_id"> & { room_type_id?: string } & Partial<Record<Field, Value>>;
    return datesWithin(from, to, new Set()).flatMap((date) =>
      (Object.keys(values) as Field[])
        .filter((field) => Object.hasOwn(FIELDS, field))
        .map((field) => {
          const cell = { room_type_id, rate_plan_id, field, date };
          return { ...cell, before: currentAt(cell), after: values[field]! };
        }),
    );
  });
}

/** Dates from `from` to `to` on these days of the week (0: Monday); all days for an empty set. */
export function datesWithin(from: string, to: string, weekdays: ReadonlySet<number>): string[] {
  const days = [];
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    if (weekdays.size === 0 || weekdays.has(weekdayOf(day))) days.push(dateOf(day));
  }
  return days;
}
