/**
 * A table of rates and inventory: what its lines set, in the terms of an update. Columns are those
 * of the CSV of `GET …/ari`; read-only columns are ignored.
 */
import { RULE_NAMES, RULES } from "../../../engine/core/rules.ts";
import { columnFaults } from "../../http/table-body.ts";
import type { FieldError } from "../../http/validate.ts";
import { dateFault, wholeFault } from "../table-values.ts";
import { COLUMNS } from "./columns.ts";

const INVENTORY = ["capacity", "out_of_order", "overbooking_limit"] as const;
const RATES = ["amount", "extra_adult"] as const;
const SWITCHES: readonly string[] = RULE_NAMES.filter((name) => RULES[name].kind === "closed");
const TEXTS: readonly string[] = RULE_NAMES.filter((name) => RULES[name].kind === "pattern");
const CEILING = ["ceiling", "ceiling_release"] as const;
const NAMES = [
  ...(["property", "room_type", "rate_plan", "agent_id"] as const),
  ...(["date", "from", "to", "days_of_week"] as const),
] as const;
const TAKEN: readonly string[] = [...NAMES, ...INVENTORY, ...RATES, ...RULE_NAMES, ...CEILING];
const KNOWN = new Set<string>([...TAKEN, ...COLUMNS]);

/** An error of a line: its column, or "" for the whole line. */
export interface LineError {
  readonly column: string;
  readonly message: string;
  readonly expected: string;
}

/** The columns that the first line names. */
export function columnsOf(cells: readonly string[]): string[] {
  return cells.map((name) => name.trim().toLowerCase());
}

/** Their errors; `line` is the number of the header line. */
export function headerProblems(columns: readonly string[], line: number): FieldError[] {
  const errors = columnFaults(columns, KNOWN, { line, taken: TAKEN });
  const has = (name: string) => columns.includes(name);
  const hasDates = has("date") || (has("from") && has("to"));
  if (!has("property") || !hasDates) {
    const expected = "property, and date or from and to, as columns of the first line";
    errors.push({ path: `/line/${line}`, message: "lacks a column", expected });
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
  /** A line has one date column; an update has a first and a last night. */
  readonly isOneDate: boolean;
}

/** The cells of a line by column. */
export function readLine(columns: readonly string[], cells: readonly string[]): ReadLine {
  const line = new Map(columns.map((name, i) => [name, cells[i] ?? ""]));
  const said = (name: string) => line.get(name) ?? "";
  const errors: LineError[] = [];
  const fault = (column: string, message: string, expected: string) => {
    errors.push({ column, message, expected });
  };
  if (cells.slice(columns.length).some((cell) => cell !== "")) {
    fault("", "has more cells than columns", `≤ ${columns.length} cells`);
  }
  const [property, room, plan, agent] = ["property", "room_type", "rate_plan", "agent_id"].map(
    said,
  );
  if (!property) fault("property", "is missing", "the id or slug of a property");
  const set = (names: readonly string[]): Entry =>
    Object.fromEntries(names.flatMap((name) => (said(name) === "" ? [] : [[name, value(name)]])));
  const value = (name: string) => valued(name, said(name), fault);
  const { isOneDate, range } = rangeOf(said, fault);
  const rooms = { ...(room && { room_type_id: room }), ...range };
  const entries: { list: List; entry: Entry }[] = [];
  const add = (list: List, entry: Entry, ids: Entry) => {
    if (Object.keys(entry).length > 0) entries.push({ list, entry: { ...ids, ...entry } });
  };
  add("inventory", set(INVENTORY), rooms);
  add("rates", set(RATES), { ...(plan && { rate_plan_id: plan }), ...rooms });
  add("restrictions", set(RULE_NAMES), { ...rooms, ...(plan && { rate_plan_id: plan }) });
  const { ceiling_release: release, ...ceiling } = set(CEILING);
  add(
    "ceilings",
    { ...ceiling, ...(release !== undefined && { release: releaseOf(release) }) },
    {
      ...rooms,
      ...{ rate_plan_id: plan || null, agent_id: agent || null },
    },
  );
  const lists = entries.map(({ list }) => list);
  if (lists.includes("inventory") && (plan || agent)) {
    const expected = "a separate line for the room type, without rate_plan and agent_id";
    for (const name of INVENTORY) {
      if (said(name)) fault(name, "applies to room types, not to plans or agents", expected);
    }
  }
  if (agent && lists.some((list) => list === "rates" || list === "restrictions")) {
    fault(
      "agent_id",
      "applies to ceilings only",
      "no agent_id in lines with rates or restrictions",
    );
  }
  if (lists.some((list) => list !== "rates") && !room) {
    fault("room_type", "is missing", "the id or code of a room type");
  }
  if (lists.includes("rates") && !plan) {
    fault("rate_plan", "is missing", "the id or code of a rate plan");
  }
  return { property: property ?? "", entries, errors, isOneDate };
}

type Fault = (column: string, message: string, expected: string) => void;

function rangeOf(said: (name: string) => string, fault: Fault) {
  const isOneDate = said("date") !== "" || (said("from") === "" && said("to") === "");
  const [from, to] = (isOneDate ? ["date", "date"] : ["from", "to"]).map(said) as [string, string];
  for (const column of isOneDate ? ["date"] : ["from", "to"]) {
    const found = said(column) === "" ? MISSING_DATE : dateFault(said(column));
    if (found) fault(column, found.message, found.expected);
  }
  const days = said("days_of_week").toLowerCase().split(/\s+/).filter(Boolean);
  const range: Entry = { from, to, ...(days.length > 0 && { days_of_week: days }) };
  return { isOneDate, range };
}

const MISSING_DATE = { message: "is missing", expected: "a date as YYYY-MM-DD" } as const;
const MONEY: readonly string[] = RATES;

/**
 * A cell as a value of an update; text that is not a number stays text for the schema to reject.
 */
function valued(name: string, text: string, fault: Fault): unknown {
  if (text.toLowerCase() === "null") return null;
  if (SWITCHES.includes(name)) {
    const lower = text.toLowerCase();
    return lower === "true" || lower === "false" ? lower === "true" : text;
  }
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (TEXTS.includes(name) || name === "ceiling_release") return text;
  const found = wholeFault(text, MONEY.includes(name));
  if (found) fault(name, found.message, found.expected);
  return text;
}

/** A date, or a number of days before the night; null for none. */
function releaseOf(value: unknown): unknown {
  if (value === null) return null;
  return typeof value === "number"
    ? { strategy: "rolling", days_before: value }
    : { strategy: "fixed", at: value };
}

/** The column of a member of an update. */
export function columnOf(member: string, isOneDate: boolean): string {
  switch (member) {
    case "from":
    case "to":
      return isOneDate ? "date" : member;
    case "room_type_id":
      return "room_type";
    case "rate_plan_id":
      return "rate_plan";
    case "release":
      return "ceiling_release";
    default:
      return member;
  }
}
