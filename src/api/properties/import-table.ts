/**
 * Properties as a table: a line for each rate plan, with its room type and property beside it.
 * Consecutive lines with the same slug (or external code, in a table without slugs) are one
 * property; the cells of a property or room type need not be repeated after its first line.
 */

import { LINE_BYTES_MAX } from "../../http/lines.ts";
import { columnFaults } from "../../http/table-body.ts";
import type { FieldError } from "../../http/validate.ts";
import type { CsvFault, CsvRow } from "../../lib/csv-reader.ts";
import {
  type Columns,
  cellFault,
  cellValue,
  KNOWN_COLUMNS,
  PLAN,
  POLICY,
  PROPERTY,
  PROPERTY_COLUMNS,
  ROOM,
  TAX,
  TERMS,
} from "./import-columns.ts";

/** Per property, as for a line of NDJSON; longer ones are not collected. */
const LINES_MAX = 5_000;
/** Errors per property. */
const ERRORS_MAX = 1_000;

type Part = Record<string, unknown>;

/** The column that starts a part. */
const FIRST_COLUMNS = {
  "/address": "line1",
  "/geo": "lat",
  "/policies": "cancellation_kind",
  "/tax_rules": "tax_code",
  "/room_types": "room_type",
};

/** A property of a table: its body, the origin of each part, and its errors so far. */
export class TableProperty {
  /** Its slug or external code, which groups its lines. */
  readonly name: string;
  readonly line: number;
  readonly body: Part = {};
  /** At most one per cell or line. */
  readonly #errors = new Map<string, FieldError>();
  /** Pointer in the body → line and column. */
  readonly #origins = new Map<string, string>();
  #lines = 0;
  #chars = 0;

  constructor(name: string, line: number) {
    this.name = name;
    this.line = line;
    for (const [pointer, column] of Object.entries(FIRST_COLUMNS)) {
      this.#origins.set(pointer, `/line/${line}/${column}`);
    }
  }

  /** Adds a line, up to the limits of a property. */
  add(line: number, { chars, isTooWide, said }: TableLine): void {
    if (this.#isTooLong) return;
    if (isTooWide) {
      const expected = "no more cells than columns";
      this.#fault({ path: `/line/${line}`, message: "has more cells than columns", expected });
    }
    this.#lines += 1;
    this.#chars += chars;
    if (this.#isTooLong) {
      const expected = `≤ ${LINES_MAX} lines and ≤ ${LINE_BYTES_MAX} characters of one property`;
      this.#fault({ path: `/line/${line}`, message: "makes the property too large", expected });
      return;
    }
    this.#fill("", PROPERTY, line, said);
    this.#addTax(line, said);
    if (said("room_type") !== "") this.#addRoom(line, said);
    else this.#refuseUnnamed(line, said, "room_type", { ...ROOM, ...PLAN, ...TERMS });
  }

  #addRoom(line: number, said: Said): void {
    const rooms = partsOf(this.body, "room_types");
    const room = this.#part(rooms, (each) => each.code === said("room_type"));
    this.#fill(`/room_types/${room}`, ROOM, line, said);
    if (said("rate_plan") === "") {
      this.#refuseUnnamed(line, said, "rate_plan", { ...PLAN, ...TERMS });
      return;
    }
    const plans = partsOf(rooms[room]!, "rate_plans");
    plans.push({});
    this.#fill(`/room_types/${room}/rate_plans/${plans.length - 1}`, PLAN, line, said);
    if (isBlank(TERMS, said)) return;
    const kind = said("cancellation_kind");
    const policies = partsOf(this.body, "policies");
    const policy = this.#part(policies, ({ cancellation_kind }) => cancellation_kind === kind);
    this.#fill(`/policies/${policy}`, POLICY, line, said);
  }

  #addTax(line: number, said: Said): void {
    if (said("tax_code") === "") {
      this.#refuseUnnamed(line, said, "tax_code", TAX);
      return;
    }
    const taxes = partsOf(this.body, "tax_rules");
    const tax = this.#part(taxes, (each) => each.code === said("tax_code"));
    this.#fill(`/tax_rules/${tax}`, TAX, line, said);
  }

  /** Cells of a part without its code would otherwise be lost silently. */
  #refuseUnnamed(line: number, said: Said, column: string, cells: Columns): void {
    if (isBlank(cells, said)) return;
    const named = Object.keys(cells).find((each) => said(each) !== "");
    const expected = `the code that ${named} belongs to, on each line`;
    this.#fault({ path: `/line/${line}/${column}`, message: "is missing", expected });
  }

  /** Fills in derived values once all lines are read. */
  finish(): this {
    for (const tax of (this.body.tax_rules ?? []) as Part[]) {
      tax.name ??= tax.code;
      tax.kind ??= "tax";
      if (tax.rate_bps !== undefined) tax.basis ??= "percent";
    }
    return this;
  }

  /** Errors of its lines. */
  get errors(): FieldError[] {
    return [...this.#errors.values()];
  }

  /** Those, and errors of the body at cells without one. */
  errorsWith(faults: readonly FieldError[]): FieldError[] {
    for (const fault of faults) this.#fault({ ...fault, path: this.placed(fault.path) });
    return this.errors;
  }

  #fault(error: FieldError): void {
    if (this.#errors.has(error.path) || this.#errors.size >= ERRORS_MAX) return;
    this.#errors.set(error.path, error);
  }

  get #isTooLong(): boolean {
    return this.#lines > LINES_MAX || this.#chars > LINE_BYTES_MAX;
  }

  /** Index of the named part; a new one if unknown. */
  #part(parts: Part[], isMeant: (part: Part) => boolean): number {
    const found = parts.findIndex(isMeant);
    return found < 0 ? parts.push({}) - 1 : found;
  }

  #fill(at: string, columns: Columns, line: number, said: Said) {
    const [first] = Object.keys(columns);
    if (!this.#origins.has(at)) this.#origins.set(at, `/line/${line}/${first}`);
    for (const [column, [pointer, kind]] of Object.entries(columns)) {
      const text = said(column);
      const path = `${at}${pointer}`;
      const origin = `/line/${line}/${column}`;
      if (!this.#origins.has(path)) this.#origins.set(path, origin);
      if (text === "") continue;
      const fault = cellFault(text, kind);
      if (fault) this.#fault({ path: origin, ...fault });
      const names = path.slice(1).split("/");
      const owner = names.slice(0, -1).reduce((part: Part, name) => {
        part[name] ??= {};
        return part[name] as Part;
      }, this.body);
      const name = names.at(-1)!;
      const value = cellValue(text, kind);
      if (owner[name] === undefined) {
        owner[name] = value;
        this.#origins.set(path, origin);
      } else if (JSON.stringify(owner[name]) !== JSON.stringify(value)) {
        const expected = `what ${this.#origins.get(path)} says, or an empty cell`;
        this.#fault({ path: origin, message: "differs from an earlier line", expected });
      }
    }
  }

  /** Line and column of a pointer in the body, or of its nearest known parent. */
  placed(pointer: string): string {
    for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const origin = this.#origins.get(at);
      if (origin) return origin;
    }
    return `/line/${this.line}${pointer}`;
  }
}

/** The text of a line's cell in a column; empty if missing. */
type Said = (column: string) => string;

function isBlank(columns: Columns, said: Said): boolean {
  return Object.keys(columns).every((column) => said(column) === "");
}

function partsOf(part: Part, name: string): Part[] {
  part[name] ??= [];
  return part[name] as Part[];
}

/** A line of a property. */
interface TableLine {
  readonly chars: number;
  /** The line has more cells than columns. */
  readonly isTooWide: boolean;
  readonly said: Said;
}

/** Reading stops at this line. */
export interface TableStop {
  readonly line: number;
  readonly faults: readonly FieldError[];
}

/** The properties of a table one by one; a stop is the last. */
export async function* tableProperties(
  rows: AsyncIterable<CsvRow | CsvFault>,
): AsyncGenerator<TableProperty | TableStop> {
  let columns: readonly string[] | null = null;
  let property = null as TableProperty | null;
  for await (const row of rows) {
    const { line } = row;
    if ("message" in row) {
      const { message, expected } = row;
      if (property) yield property.finish();
      yield { line, faults: [{ path: `/line/${line}`, message, expected }] };
      return;
    }
    if (!columns) {
      columns = row.cells.map((name) => name.trim().toLowerCase());
      const faults = headerFaults(columns, line);
      if (faults.length > 0) {
        yield { line, faults };
        return;
      }
      continue;
    }
    const read = lineOf(columns, row.cells);
    const name = read.said(columns.includes("slug") ? "slug" : "external_code");
    if (!property || property.name !== name) {
      if (property) yield property.finish();
      property = new TableProperty(name, line);
    }
    property.add(line, read);
  }
  if (property) yield property.finish();
}

function lineOf(columns: readonly string[], cells: readonly string[]): TableLine {
  return {
    chars: cells.reduce((sum, cell) => sum + cell.length, 0),
    isTooWide: cells.slice(columns.length).some((cell) => cell !== ""),
    said: (column) => cells[columns.indexOf(column)] ?? "",
  };
}

function headerFaults(columns: readonly string[], line: number): FieldError[] {
  const errors = columnFaults(columns, KNOWN_COLUMNS, { line, taken: PROPERTY_COLUMNS });
  if (!columns.includes("slug") && !columns.includes("external_code")) {
    const expected = "slug or external_code as a column of the first line";
    errors.push({ path: `/line/${line}`, message: "lacks slug or external_code", expected });
  }
  return errors;
}
