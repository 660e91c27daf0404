/** Reads the changes that a form stages, against the nights as they are now. */
import { dayOf } from "../../../engine/core/calendar.ts";
import { scaleHalfUp } from "../../../engine/core/price/money.ts";
import { minorTyped } from "../frame/amounts.ts";
import type { Form } from "../frame/form.ts";
import { type Change, datesWithin, FIELDS, type Field, type Value } from "./changes.ts";
import { currentOf, type Nights, type PlanNight, type RoomNight } from "./nights.ts";

/** A cell that a form names. */
interface Cell {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  readonly field: Field;
  readonly date: string;
}

export interface Staged {
  readonly changes: readonly Change[];
  /** What cannot be, in words. */
  readonly problems: readonly string[];
}

const PREFIX = "cell:";
/** As many as a year of a hotel of twenty plans; the API refuses more as well. */
const CHANGES_MAX = 10_000;
const PERCENT = /^[+-]?\d{1,3}(?:[.,]\d{1,2})?$/;
const BPS = 10_000;

/** The name of a cell's field in a form. */
export function cellName({ room_type_id, rate_plan_id, field, date }: Cell): string {
  return `${PREFIX}${field}:${room_type_id}:${rate_plan_id ?? ""}:${date}`;
}

/** The dates of the cells that a form has; null without any. */
export function datesOf(form: Form): { readonly from: string; readonly to: string } | null {
  const dates = [...form.keys()].flatMap((name) => cellOf(name)?.date ?? []).sort();
  return dates.length === 0 ? null : { from: dates[0]!, to: dates.at(-1)! };
}

/** Cells whose value is another one now. */
export function cellChanges(form: Form, nights: Nights): Staged {
  const changes: Change[] = [];
  const problems: string[] = [];
  for (const [name, text] of form) {
    const cell = cellOf(name);
    const found = cell && foundIn(nights, cell);
    if (!cell || !found) continue;
    const before = currentOf(found.night, found.plan, cell.field);
    const after = parsed(cell.field, text, found.plan);
    if (after === undefined) {
      const place = [found.room.name, found.plan?.code, cell.date].filter(Boolean).join(", ");
      problems.push(`${place}: "${text}" is no ${wordsOf(cell.field)}`);
    } else if (after !== before) changes.push({ ...cell, before, after });
  }
  return limited(changes, problems);
}

function cellOf(name: string): Cell | null {
  if (!name.startsWith(PREFIX)) return null;
  const [field = "", room_type_id = "", plan = "", date = ""] = name
    .slice(PREFIX.length)
    .split(":");
  if (!Object.hasOwn(FIELDS, field) || Number.isNaN(dayOf(date))) return null;
  return { field: field as Field, room_type_id, rate_plan_id: plan === "" ? null : plan, date };
}

/** Where a cell is; null when its room, night or plan is not there. */
export function foundIn(
  nights: Nights,
  { room_type_id, rate_plan_id, date }: Pick<Cell, "room_type_id" | "rate_plan_id" | "date">,
) {
  const room = nights.room_types.find((each) => each.room_type_id === room_type_id);
  const night = room?.nights.find((each) => each.date === date);
  if (!room || !night) return null;
  const plan = night.rate_plans.find((each) => each.rate_plan_id === rate_plan_id) ?? null;
  return rate_plan_id !== null && plan === null ? null : { room, night, plan };
}

/** The value of a text; null for an empty one, undefined for one that cannot be. */
function parsed(field: Field, given: string, plan: PlanNight | null): Value | undefined {
  const text = given.trim();
  if (text === "") return null;
  if (field === "amount") return minorTyped(text, plan!.currency) ?? undefined;
  if (field === "stop_sell" || field === "cta" || field === "ctd") return text === "yes";
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

function wordsOf(field: Field): string {
  return field === "amount" ? "price" : "whole number";
}

/** What the form for many nights asks for. */
export interface Bulk {
  readonly from: string;
  readonly to: string;
  readonly weekdays: ReadonlySet<number>;
  /** `room` or `room:plan`, by id; empty for all. */
  readonly target: string;
  readonly field: Field;
  readonly how: "set" | "percent";
  readonly value: string;
}

/** The fields of the form; a text says what is wrong with them. */
export function bulkOf(form: Form): Bulk | string {
  const [from = "", to = ""] = [form.get("from"), form.get("to")];
  if (Number.isNaN(dayOf(from)) || Number.isNaN(dayOf(to)) || to < from) {
    return "Give the first and the last night, in order.";
  }
  const [field = "", fixed] = (form.get("field") ?? "").split("=");
  if (!Object.hasOwn(FIELDS, field)) return "Choose what to change.";
  const how = form.get("how") === "percent" ? "percent" : "set";
  if (how === "percent" && field !== "amount") return "Only prices change by a percentage.";
  const weekdays = new Set([0, 1, 2, 3, 4, 5, 6].filter((day) => form.has(`weekday_${day}`)));
  const value = (fixed ?? form.get("value") ?? "").trim();
  if (how === "percent" && !PERCENT.test(value)) return "Give a percentage, such as +10 or -7.5.";
  const target = form.get("target") ?? "";
  return { from, to, weekdays, target, field: field as Field, how, value };
}

/** The nights that the form means and whose value is another one then. */
export function bulkChanges(bulk: Bulk, nights: Nights): Staged {
  const { from, to, weekdays, target, field, how, value } = bulk;
  const dates = new Set(datesWithin(from, to, weekdays));
  const [roomId = "", planId = ""] = target.split(":");
  const changes: Change[] = [];
  const problems = new Set<string>();
  for (const { room_type_id, nights: ofRoom } of nights.room_types) {
    if (roomId !== "" && roomId !== room_type_id) continue;
    for (const night of ofRoom.filter(({ date }) => dates.has(date))) {
      for (const plan of plansMeant(night, field, planId)) {
        const before = currentOf(night, plan, field);
        const after =
          how === "percent" ? scaled(Number(before), value) : parsed(field, value, plan);
        const { date } = night;
        const rate_plan_id = plan?.rate_plan_id ?? null;
        if (after === undefined) problems.add(`"${value}" is no ${wordsOf(field)}`);
        else if (after !== before) {
          changes.push({ room_type_id, rate_plan_id, field, date, before, after });
        }
      }
    }
  }
  return limited(changes, [...problems]);
}

/** The plans of a price; the room itself for its units, and for rules unless a plan is chosen. */
function plansMeant(night: RoomNight, field: Field, planId: string): (PlanNight | null)[] {
  const chosen = night.rate_plans.filter(({ rate_plan_id }) => {
    return planId === "" || rate_plan_id === planId;
  });
  if (field === "amount") return chosen;
  return planId === "" || FIELDS[field].of === "room" ? [null] : chosen;
}

/** The amount changed by this percentage, rounded half up. */
function scaled(amount: number, percent: string): number {
  const bps = Math.round(Number(percent.replace(",", ".")) * 100);
  return Math.max(0, scaleHalfUp(amount, BPS + bps, BPS));
}

function limited(changes: readonly Change[], problems: readonly string[]): Staged {
  if (changes.length <= CHANGES_MAX) return { changes, problems };
  const tooMany = `${changes.length} nights would change; at most ${CHANGES_MAX} can at once.`;
  return { changes: [], problems: [...problems, tooMany] };
}
