/**
 * Properties as a table: a line for each rate plan, with what its room type and property are beside
 * it. Lines that follow each other with one slug are one property; what is said of it, or of a room
 * type, stands in its first line and need not be said again.
 */
import type { CsvFault, CsvRow } from "../../base/csv-reader.ts";
import { LINE_BYTES_MAX } from "../../http/lines.ts";
import { columnFaults } from "../../http/table-body.ts";
import type { FieldError } from "../../http/validate.ts";
import { wholeFault } from "../table-values.ts";

type Kind = "text" | "integer" | "number" | "list" | "flag";

/** Column → where it goes in the body, and as what. */
const PROPERTY: Readonly<Record<string, readonly [pointer: string, kind: Kind]>> = {
  slug: ["/slug", "text"],
  name: ["/name", "text"],
  description: ["/description", "text"],
  star_rating: ["/star_rating", "number"],
  line1: ["/address/line1", "text"],
  line2: ["/address/line2", "text"],
  city: ["/address/city", "text"],
  region: ["/address/region", "text"],
  country: ["/address/country", "text"],
  postal_code: ["/address/postal_code", "text"],
  lat: ["/geo/lat", "number"],
  lng: ["/geo/lng", "number"],
  default_currency: ["/default_currency", "text"],
  timezone: ["/timezone", "text"],
  phone: ["/phone", "text"],
  email: ["/email", "text"],
  checkin_time: ["/checkin_time", "text"],
  checkout_time: ["/checkout_time", "text"],
  pets_allowed: ["/pets_allowed", "flag"],
  amenities: ["/amenities", "list"],
  images: ["/images", "list"],
};
const ROOM: typeof PROPERTY = {
  room_type: ["/code", "text"],
  room_name: ["/name", "text"],
  room_description: ["/description", "text"],
  max_occupancy: ["/max_occupancy", "integer"],
  included_occupancy: ["/included_occupancy", "integer"],
  default_inventory: ["/default_inventory", "integer"],
  overbooking_limit: ["/overbooking_limit", "integer"],
  bed_type: ["/bed_type", "text"],
};
const PLAN: typeof PROPERTY = {
  rate_plan: ["/code", "text"],
  plan_name: ["/name", "text"],
  currency: ["/currency", "text"],
  base_rate_per_night: ["/base_rate_per_night", "integer"],
  extra_adult_per_night: ["/extra_adult_per_night", "integer"],
  meal_plan: ["/meal_plan", "text"],
  cancellation_kind: ["/cancellation_kind", "text"],
};
const POLICY: typeof PROPERTY = {
  cancellation_kind: ["/cancellation_kind", "text"],
  free_cancellation_hours: ["/free_cancellation_hours_before_checkin", "integer"],
  cancellation_fee_pct: ["/cancellation_fee_pct_after_cutoff", "number"],
  no_show_fee_pct: ["/no_show_fee_pct", "number"],
};

/** Every column that there is, in the order in which they are told. */
export const PROPERTY_COLUMNS = Object.keys({ ...PROPERTY, ...ROOM, ...PLAN, ...POLICY });
const KNOWN: ReadonlySet<string> = new Set(PROPERTY_COLUMNS);
const MONEY: readonly string[] = ["base_rate_per_night", "extra_adult_per_night"];

/** Of one property, as of a line of NDJSON: what is longer is no property, and is not gathered. */
const LINES_MAX = 5_000;
/** Of one property: nobody is told of more. */
const ERRORS_MAX = 1_000;

type Part = Record<string, unknown>;

/** A property of a table: its body, where each part of it was said, and what is wrong already. */
export class TableProperty {
  readonly slug: string;
  readonly line: number;
  readonly body: Part = {};
  /** Of each cell or line at most one. */
  readonly #errors = new Map<string, FieldError>();
  /** Pointer in the body → line and column. */
  readonly #origins = new Map<string, string>();
  #lines = 0;
  #chars = 0;

  constructor(slug: string, line: number) {
    this.slug = slug;
    this.line = line;
  }

  /** Takes a line of it in, as far as a property goes. */
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
      this.#fault({ path: `/line/${line}`, message: "is too much", expected });
      return;
    }
    this.#fill("", PROPERTY, line, said);
    if (said("room_type") === "") return;
    const rooms = partsOf(this.body, "room_types");
    const room = this.#part(rooms, (each) => each.code === said("room_type"));
    this.#fill(`/room_types/${room}`, ROOM, line, said);
    if (said("rate_plan") === "") return;
    const plans = partsOf(rooms[room]!, "rate_plans");
    plans.push({});
    this.#fill(`/room_types/${room}/rate_plans/${plans.length - 1}`, PLAN, line, said);
    if (said("free_cancellation_hours") === "" && said("cancellation_fee_pct") === "") return;
    const kind = said("cancellation_kind");
    const policies = partsOf(this.body, "policies");
    const policy = this.#part(policies, ({ cancellation_kind }) => cancellation_kind === kind);
    policies[policy]!.version = "1";
    this.#fill(`/policies/${policy}`, POLICY, line, said);
  }

  /** What its lines alone show to be wrong. */
  get errors(): FieldError[] {
    return [...this.#errors.values()];
  }

  /** That, and what is wrong with the body where nothing is said yet. */
  errorsWith(faults: readonly FieldError[]): FieldError[] {
    for (const fault of faults) this.#fault(this.#placed(fault));
    return this.errors;
  }

  #fault(error: FieldError): void {
    if (this.#errors.has(error.path) || this.#errors.size >= ERRORS_MAX) return;
    this.#errors.set(error.path, error);
  }

  get #isTooLong(): boolean {
    return this.#lines > LINES_MAX || this.#chars > LINE_BYTES_MAX;
  }

  /** The place of the part that is meant; a new one when none is. */
  #part(parts: Part[], isMeant: (part: Part) => boolean): number {
    const found = parts.findIndex(isMeant);
    return found < 0 ? parts.push({}) - 1 : found;
  }

  #fill(at: string, columns: typeof PROPERTY, line: number, said: (column: string) => string) {
    for (const [column, [pointer, kind]] of Object.entries(columns)) {
      const text = said(column);
      const path = `${at}${pointer}`;
      const origin = `/line/${line}/${column}`;
      if (!this.#origins.has(path)) this.#origins.set(path, origin);
      if (text === "") continue;
      const unwhole = kind === "integer" && wholeFault(text, MONEY.includes(column));
      if (unwhole) this.#fault({ path: origin, ...unwhole });
      const names = path.slice(1).split("/");
      const owner = names.slice(0, -1).reduce((part: Part, name) => {
        part[name] ??= {};
        return part[name] as Part;
      }, this.body);
      const name = names.at(-1)!;
      const value = valued(text, kind);
      if (owner[name] === undefined) {
        owner[name] = value;
        this.#origins.set(path, origin);
      } else if (JSON.stringify(owner[name]) !== JSON.stringify(value)) {
        const expected = `what ${this.#origins.get(path)} says, or an empty cell`;
        this.#fault({ path: origin, message: "differs from an earlier line", expected });
      }
    }
  }

  /** A fault of the body where it was said: the nearest part of it that a line told. */
  #placed({ path, message, expected }: FieldError): FieldError {
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const origin = this.#origins.get(at);
      if (origin) return { path: origin, message, expected };
    }
    return { path: `/line/${this.line}${path}`, message, expected };
  }
}

function partsOf(part: Part, name: string): Part[] {
  part[name] ??= [];
  return part[name] as Part[];
}

/**
 * What is no number stays text, which the body's schema refuses in its own words. A spreadsheet of
 * many countries writes 41,987 for 41.987. An integer has neither mark: 12.000 may mean twelve
 * thousand, and must not become a price of twelve.
 */
function valued(text: string, kind: Kind): unknown {
  if (kind === "list") return text.split("|").map((each) => each.trim());
  if (kind === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (kind === "number" && /^-?\d{1,15}([.,]\d{1,15})?$/.test(text)) {
    return Number(text.replace(",", "."));
  }
  const lower = text.toLowerCase();
  return kind === "flag" && (lower === "true" || lower === "false") ? lower === "true" : text;
}

/** A line of a property. */
interface TableLine {
  readonly chars: number;
  /** More stands in it than there are columns for. */
  readonly isTooWide: boolean;
  readonly said: (column: string) => string;
}

/** From this line on nothing can be read. */
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
      if (property) yield property;
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
    const slug = read.said("slug");
    if (!property || property.slug !== slug) {
      if (property) yield property;
      property = new TableProperty(slug, line);
    }
    property.add(line, read);
  }
  if (property) yield property;
}

function lineOf(columns: readonly string[], cells: readonly string[]): TableLine {
  return {
    chars: cells.reduce((sum, cell) => sum + cell.length, 0),
    isTooWide: cells.slice(columns.length).some((cell) => cell !== ""),
    said: (column) => cells[columns.indexOf(column)] ?? "",
  };
}

function headerFaults(columns: readonly string[], line: number): FieldError[] {
  const errors = columnFaults(columns, KNOWN, { line, taken: PROPERTY_COLUMNS });
  if (!columns.includes("slug")) {
    const expected = "slug among the columns of the first line";
    errors.push({ path: `/line/${line}`, message: "lacks slug", expected });
  }
  return errors;
}
