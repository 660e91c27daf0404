/**
 * Lines of an import that become one update: those of one property that follow each other, all of
 * them or none. Errors of the update are reported at the line and column that caused them.
 */
import type { OversoldNight } from "../../../engine/core/outcomes.ts";
import type { NamedAri } from "../../../engine/core/supply.ts";
import { compile, type FieldError } from "../../http/validate.ts";
import { columnOf, type LineError, type List, type ReadLine } from "./import-columns.ts";
import { AriRanges, type AriRequest, ariOf, ariProblems } from "./requests.ts";

/** Lines of one update: far below the limit of an update, and few to repeat. */
const GROUP_LINES_MAX = 500;
/** Errors reported per line: a line may have a thousand. */
const ERRORS_MAX = 20;
/** Longest property name: the answer repeats it for each line. */
const PROPERTY_CHARS_MAX = 120;

const checkAri = compile(AriRanges);
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
 * All errors of a line: those of its cells, then those of its ranges as an update. A column has at
 * most one error.
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

/** The result of a line. */
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

  /** The property's name in the lines. */
  constructor(property: string) {
    this.#named = property;
  }

  /** Its name, shortened when it is too long. */
  get property(): string {
    return this.#named.slice(0, PROPERTY_CHARS_MAX);
  }

  /** Whether a line belongs to the property of the earlier lines. */
  takes(property: string): boolean {
    return property === this.#named;
  }

  get firstLine(): number {
    return this.#lines[0]!;
  }

  get isFull(): boolean {
    return this.#lines.length >= GROUP_LINES_MAX;
  }

  /** Adds a line and its errors. */
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

  /**
   * Maps errors of the update to their lines; an error of the whole update applies to every line.
   */
  refused(faults: readonly FieldError[]): void {
    for (const { path, message, expected } of faults) {
      const [, list = "", index = "", member = ""] = path.split("/");
      const of = this.#ari[list as List]?.[Number(index)];
      const error = { column: columnOf(member, of?.isOneDate ?? false), message, expected };
      for (const line of of ? [of.line] : this.#lines) this.#fault(line, error);
    }
  }

  /** Adds oversold nights to the lines that set them. */
  oversold(nights: readonly OversoldNight[]): void {
    for (const { range, ...night } of nights) {
      const { line } = this.#ari.inventory[range]!;
      const known = this.#oversold.get(line);
      if (known === undefined) this.#oversold.set(line, [night]);
      else known.push(night);
    }
  }

  /** The update changes no night. */
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

  /** The result of each line; valid lines of a rejected group are not applied either. */
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
