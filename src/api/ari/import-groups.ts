/**
 * Lines of an import that become one update: those of one property that follow each other, all of
 * them or none. What is wrong with the update is said of the line and column that it came from.
 */
import type { OversoldNight } from "../../../engine/core/outcomes.ts";
import type { NamedAri } from "../../../engine/core/supply.ts";
import { compile, type FieldError } from "../../http/validate.ts";
import { columnOf, type LineError, type List, type ReadLine } from "./import-columns.ts";
import { AriBody, type AriRequest, ariOf, ariProblems } from "./requests.ts";

/** Lines of one update: far below what an update may hold, and few to do again. */
const GROUP_LINES_MAX = 500;
/** Of a line: who has mended these is told the next. A line may have a thousand faults. */
const ERRORS_MAX = 20;
/** No property is named in more characters; the answer repeats the name for each line. */
const PROPERTY_CHARS_MAX = 120;

const checkAri = compile(AriBody);
const LISTS: readonly List[] = ["inventory", "rates", "restrictions", "ceilings"];

type Listed = ReadLine["entries"][number];

/** Ranges as the body of an update has them. */
function bodyOf(entries: readonly Listed[]): AriRequest {
  const lists = LISTS.map((list) => {
    return [list, entries.filter((each) => each.list === list).map(({ entry }) => entry)] as const;
  });
  return Object.fromEntries(lists.filter(([, found]) => found.length > 0)) as AriRequest;
}

/**
 * All that is wrong with a line: what its reading has found, and what its ranges lack as an update.
 * What is said of a column already is not said of it in other words.
 */
function faultsOf({ entries, errors, isOneDate }: ReadLine): LineError[] {
  const isSaid = new Set(errors.map(({ column }) => column).filter((column) => column !== ""));
  const body = bodyOf(entries);
  const found = new Map<string, LineError>();
  for (const { path, message, expected } of [...checkAri(body), ...ariProblems(ariOf(body))]) {
    const column = columnOf(path.split("/")[3] ?? "", isOneDate);
    // One cell is the first and the last night of several ranges.
    if (!isSaid.has(column)) found.set(`${column} ${message}`, { column, message, expected });
  }
  return [...errors, ...found.values()];
}

/** What became of a line. */
export interface LineItem {
  readonly line: number;
  readonly property: string;
  readonly ok: boolean;
  /** False where the whole update changes no night; else absent. */
  readonly changed?: false;
  readonly oversold?: readonly Omit<OversoldNight, "range">[];
  readonly errors?: readonly LineError[];
}

export class Group {
  readonly #named: string;
  readonly #lines: number[] = [];
  readonly #errors = new Map<number, LineError[]>();
  readonly #oversold = new Map<number, Omit<OversoldNight, "range">[]>();
  #isUnchanged = false;
  readonly #ari: Record<List, { line: number; entry: Listed["entry"]; isOneDate: boolean }[]> = {
    inventory: [],
    rates: [],
    restrictions: [],
    ceilings: [],
  };

  /** `property` as its lines name it. */
  constructor(property: string) {
    this.#named = property;
  }

  /** Its name, shortened where it can be none. */
  get property(): string {
    return this.#named.slice(0, PROPERTY_CHARS_MAX);
  }

  /** Whether a line is of the property of those before it. */
  takes(property: string): boolean {
    return property === this.#named;
  }

  get firstLine(): number {
    return this.#lines[0]!;
  }

  get isFull(): boolean {
    return this.#lines.length >= GROUP_LINES_MAX;
  }

  /** Takes a line in, and notes all that is wrong with it. */
  add(line: number, read: ReadLine): void {
    this.#lines.push(line);
    const { entries, isOneDate } = read;
    for (const { list, entry } of entries) this.#ari[list].push({ line, entry, isOneDate });
    for (const error of faultsOf(read)) this.#fault(line, error);
    if (this.#named.length <= PROPERTY_CHARS_MAX) return;
    const expected = `≤ ${PROPERTY_CHARS_MAX} characters`;
    this.#fault(line, { column: "property", message: "is too long", expected });
  }

  /** The update; null when a line is wrong. */
  update(): NamedAri | null {
    if (this.#errors.size > 0) return null;
    const all = LISTS.flatMap((list) => this.#ari[list].map(({ entry }) => ({ list, entry })));
    return ariOf(bodyOf(all));
  }

  /** Notes faults of the update where they came from; one of the whole is one of every line. */
  refused(faults: readonly FieldError[]): void {
    for (const { path, message, expected } of faults) {
      const [, list = "", index = "", member = ""] = path.split("/");
      const of = this.#ari[list as List]?.[Number(index)];
      const error = { column: columnOf(member, of?.isOneDate ?? false), message, expected };
      for (const line of of ? [of.line] : this.#lines) this.#fault(line, error);
    }
  }

  /** Notes nights that the update leaves oversold with the lines that have set them. */
  oversold(nights: readonly OversoldNight[]): void {
    for (const { range, ...night } of nights) {
      const { line } = this.#ari.inventory[range]!;
      const known = this.#oversold.get(line);
      if (known === undefined) this.#oversold.set(line, [night]);
      else known.push(night);
    }
  }

  /** Every night is as the update would have it. */
  unchanged(): void {
    this.#isUnchanged = true;
  }

  /** The whole group is refused. */
  refusedWith(column: string, message: string, expected: string): void {
    for (const line of this.#lines) this.#fault(line, { column, message, expected });
  }

  #fault(line: number, error: LineError): void {
    const known = this.#errors.get(line);
    if (known === undefined) this.#errors.set(line, [error]);
    else if (known.length < ERRORS_MAX) known.push(error);
  }

  /** What became of each line; a good one beside a wrong one came to nothing either. */
  items(): LineItem[] {
    const { property } = this;
    const [wrong] = this.#errors.keys();
    return this.#lines.map((line) => {
      if (wrong === undefined) {
        const oversold = this.#oversold.get(line);
        const unchanged = this.#isUnchanged && ({ changed: false } as const);
        return { line, property, ok: true, ...unchanged, ...(oversold && { oversold }) };
      }
      const message = `was not applied because line ${wrong} is invalid`;
      const beside = { column: "", message, expected: "no invalid line in the same update" };
      return { line, property, ok: false, errors: this.#errors.get(line) ?? [beside] };
    });
  }
}
