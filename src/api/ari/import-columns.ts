/**
 * A table of rates and inventory: what its lines set, in the terms of an update. Columns are those
 * of the table that `GET …/ari` answers; what only says how things are is passed over.
 */
import type { FieldError } from "../../http/validate.ts";
import { COLUMNS, RESTRICTIONS } from "./columns.ts";

const INVENTORY = ["capacity", "out_of_order", "overbooking_limit"] as const;
const RATES = ["amount", "extra_adult"] as const;
const SWITCHES: readonly string[] = ["stop_sell", "cta", "ctd"];
const NAMES = [
  ...(["property", "room_type", "rate_plan", "agent_id"] as const),
  ...(["date", "from", "to", "days_of_week"] as const),
] as const;
const TAKEN: readonly string[] = [...NAMES, ...INVENTORY, ...RATES, ...RESTRICTIONS, "ceiling"];
const KNOWN = new Set<string>([...TAKEN, ...COLUMNS]);

/** What is wrong with a line: the column, or "" where it is the line as a whole. */
export interface LineError {
  readonly column: string;
  readonly message: string;
  readonly expected: string;
}

/** Faults of the first line, which names the columns. */
export function headerProblems(header: readonly string[]): FieldError[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const path = "/line/1";
  const errors: FieldError[] = names.flatMap((name, i) => {
    if (name !== "" && !KNOWN.has(name)) {
      const expected = `some of ${TAKEN.join(", ")}`;
      return [{ path: `${path}/${i + 1}`, message: "is not a known column", expected }];
    }
    if (names.indexOf(name) === i || name === "") return [];
    return [{ path: `${path}/${i + 1}`, message: "is there twice", expected: "each column once" }];
  });
  const has = (name: string) => names.includes(name);
  const hasDates = has("date") || (has("from") && has("to"));
  if (!has("property") || !hasDates) {
    const expected = "property, and date or from and to, among the columns of the first line";
    errors.push({ path, message: "lacks a column", expected });
  }
  return errors;
}

export type List = "inventory" | "rates" | "restrictions" | "ceilings";

/** A range of an update, before it is checked. */
type Entry = Readonly<Record<string, unknown>>;

export interface ReadLine {
  readonly property: string;
  readonly entries: readonly { readonly list: List; readonly entry: Entry }[];
  readonly errors: readonly LineError[];
  /** Its nights are of one column, where an update has a first and a last. */
  readonly isOneDate: boolean;
}

/** What a line says, by the columns of the first. */
export function readLine(header: readonly string[], cells: readonly string[]): ReadLine {
  const line = new Map(header.map((name, i) => [name.trim().toLowerCase(), cells[i] ?? ""]));
  const said = (name: string) => line.get(name) ?? "";
  const errors: LineError[] = [];
  const fault = (column: string, message: string, expected: string) => {
    errors.push({ column, message, expected });
  };
  if (cells.length > header.length) fault("", "has more cells than columns", `${header.length}`);
  const [property, room, plan, agent] = ["property", "room_type", "rate_plan", "agent_id"].map(
    said,
  );
  if (!property) fault("property", "is missing", "the id or slug of a property");
  const set = (names: readonly string[]): Entry =>
    Object.fromEntries(names.flatMap((name) => (said(name) === "" ? [] : [[name, value(name)]])));
  const value = (name: string) => valued(name, said(name), fault);
  const range = rangeOf(said, fault);
  const rooms = { ...(room && { room_type_id: room }), ...range };
  const entries: { list: List; entry: Entry }[] = [];
  const add = (list: List, entry: Entry, ids: Entry) => {
    if (Object.keys(entry).length > 0) entries.push({ list, entry: { ...ids, ...entry } });
  };
  add("inventory", set(INVENTORY), rooms);
  add("rates", set(RATES), { ...(plan && { rate_plan_id: plan }), ...rooms });
  add("restrictions", set(RESTRICTIONS), { ...rooms, ...(plan && { rate_plan_id: plan }) });
  add("ceilings", set(["ceiling"]), {
    ...rooms,
    ...{ rate_plan_id: plan || null, agent_id: agent || null },
  });
  const lists = entries.map(({ list }) => list);
  if (lists.includes("inventory") && (plan || agent)) {
    const expected = "a line of its own for the room type: no rate_plan, no agent_id";
    fault("capacity", "is the room type's, not a plan's or an agent's", expected);
  }
  if (agent && lists.some((list) => list === "rates" || list === "restrictions")) {
    fault("agent_id", "has a ceiling only", "no agent_id in a line of rates or restrictions");
  }
  if (lists.some((list) => list !== "rates") && !room) {
    fault("room_type", "is missing", "the id or code of a room type");
  }
  if (lists.includes("rates") && !plan) {
    fault("rate_plan", "is missing", "the id or code of a rate plan");
  }
  return { property: property ?? "", entries, errors, isOneDate: said("date") !== "" };
}

type Fault = (column: string, message: string, expected: string) => void;

function rangeOf(said: (name: string) => string, fault: Fault): Entry {
  const from = said("date") || said("from");
  const to = said("date") || said("to");
  const column = said("from") === "" ? "date" : "to";
  if (from === "" || to === "") fault(column, "is missing", "a date as YYYY-MM-DD");
  const days = said("days_of_week").toLowerCase().split(/\s+/).filter(Boolean);
  return { from, to, ...(days.length > 0 && { days_of_week: days }) };
}

const MONEY: readonly string[] = RATES;

/** A value as an update has it; what is no number stays text, which the update's schema refuses. */
function valued(name: string, text: string, fault: Fault): unknown {
  if (text.toLowerCase() === "null") return null;
  if (SWITCHES.includes(name)) {
    const lower = text.toLowerCase();
    return lower === "true" || lower === "false" ? lower === "true" : text;
  }
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, units, decimals] = /^(\d{1,13})[.,](\d{1,3})$/.exec(text) ?? [];
  if (units !== undefined && decimals !== undefined) {
    const whole = `${Number(units + decimals)}`;
    const expected = MONEY.includes(name)
      ? `minor units, a whole number: ${whole} for ${text}`
      : "a whole number";
    fault(name, "has decimals", expected);
    // The fault is said: the schema need not say it again.
    return 0;
  }
  return text;
}

/** The column in which a member of an update stands. */
export function columnOf(member: string, isOneDate: boolean): string {
  switch (member) {
    case "from":
    case "to":
      return isOneDate ? "date" : member;
    case "room_type_id":
      return "room_type";
    case "rate_plan_id":
      return "rate_plan";
    default:
      return member;
  }
}
