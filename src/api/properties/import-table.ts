/**
 * Properties as a table: a line for each rate plan, with what its room type and property are beside
 * it. Lines that follow each other with one slug are one property; what is said of it, or of a room
 * type, stands in its first line and need not be said again.
 */
import type { CsvFault, CsvRow } from "../../base/csv-reader.ts";
import { LINE_BYTES_MAX } from "../../http/lines.ts";
import type { FieldError } from "../../http/validate.ts";

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

/** Of one property, as of a line of NDJSON: what is longer is no property, and is not gathered. */
const LINES_MAX = 5_000;

type Part = Record<string, unknown>;

/** A property of a table: its body, where each part of it was said, and what is wrong already. */
export class TableProperty {
  readonly slug: string;
  readonly line: number;
  readonly body: Part = {};
  readonly errors: FieldError[] = [];
  /** Pointer in the body → line and column. */
  readonly #origins = new Map<string, string>();
  #lines = 0;
  #chars = 0;

  constructor(slug: string, line: number) {
    this.slug = slug;
    this.line = line;
  }

  /** Takes a line of it in, as far as a property goes. */
  add(line: number, chars: number, said: (column: string) => string): void {
    if (this.#isTooLong) return;
    this.#lines += 1;
    this.#chars += chars;
    if (this.#isTooLong) {
      const expected = `≤ ${LINES_MAX} lines and ≤ ${LINE_BYTES_MAX} characters of one property`;
      this.errors.unshift({ path: `/line/${line}`, message: "is too much", expected });
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
        this.errors.push({ path: origin, message: "differs from an earlier line", expected });
      }
    }
  }

  /** A fault of the body where it was said: the nearest part of it that a line told. */
  placed({ path, message, expected }: FieldError): FieldError {
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

/** The properties of a table one by one; a fault is the last. */
export async function* tableProperties(
  rows: AsyncIterable<CsvRow | CsvFault>,
): AsyncGenerator<TableProperty | CsvFault> {
  let header: readonly string[] | null = null;
  let property = null as TableProperty | null;
  for await (const row of rows) {
    if ("message" in row) {
      if (property) yield property;
      yield row;
      return;
    }
    const { line, cells } = row;
    if (!header) {
      header = cells.map((name) => name.trim().toLowerCase());
      const fault = headerFault(header);
      if (fault) {
        yield { line, ...fault };
        return;
      }
      continue;
    }
    const columns: readonly string[] = header;
    const said = (column: string) => cells[columns.indexOf(column)] ?? "";
    const slug = said("slug");
    if (!property || property.slug !== slug) {
      if (property) yield property;
      property = new TableProperty(slug, line);
    }
    const chars = cells.reduce((sum, cell) => sum + cell.length, 0);
    property.add(line, chars, said);
  }
  if (property) yield property;
}

function headerFault(header: readonly string[]) {
  const strange = header.find((name, i) => {
    return name !== "" && (!PROPERTY_COLUMNS.includes(name) || header.indexOf(name) !== i);
  });
  if (strange === undefined && header.includes("slug")) return null;
  const place =
    strange === undefined ? "lacks slug" : `names ${JSON.stringify(strange.slice(0, 64))}`;
  return { message: place, expected: `each once of ${PROPERTY_COLUMNS.join(", ")}` };
}
