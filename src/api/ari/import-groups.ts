/**
 * Lines of an import that become one update: those of one property that follow each other, all of
 * them or none. What is wrong with the update is said of the line and column that it came from.
 */
import type { NamedAri } from "../../../engine/core/supply.ts";
import { compile, type FieldError } from "../../http/validate.ts";
import { columnOf, type LineError, type List, type ReadLine } from "./import-columns.ts";
import { AriBody, type AriRequest, ariOf, ariProblems } from "./schemas.ts";

/** Lines of one update: far below what an update may hold, and few to do again. */
const GROUP_LINES_MAX = 500;
/** Of a line: who has mended these is told the next. A line may have a thousand faults. */
const ERRORS_MAX = 20;
/** No property is named in more characters; the answer repeats the name for each line. */
const PROPERTY_CHARS_MAX = 120;

const checkAri = compile(AriBody);
const LISTS: readonly List[] = ["inventory", "rates", "restrictions", "ceilings"];

/** What became of a line. */
export interface LineItem {
  readonly line: number;
  readonly property: string;
  readonly ok: boolean;
  readonly errors?: readonly LineError[];
}

export class Group {
  readonly #named: string;
  readonly #lines: number[] = [];
  readonly #errors = new Map<number, LineError[]>();
  readonly #ari: Record<List, { line: number; entry: object; isOneDate: boolean }[]> = {
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

  add(line: number, { entries, errors, isOneDate }: ReadLine): void {
    this.#lines.push(line);
    for (const { list, entry } of entries) this.#ari[list].push({ line, entry, isOneDate });
    for (const error of errors) this.#fault(line, error);
    if (this.#named.length <= PROPERTY_CHARS_MAX) return;
    const expected = `≤ ${PROPERTY_CHARS_MAX} characters`;
    this.#fault(line, { column: "property", message: "is too long", expected });
  }

  /** The update; null when a line is wrong, which is noted then. */
  update(): NamedAri | null {
    const body = Object.fromEntries(
      LISTS.flatMap((list) => {
        const entries = this.#ari[list].map(({ entry }) => entry);
        return entries.length > 0 ? [[list, entries]] : [];
      }),
    ) as AriRequest;
    const faults = checkAri(body);
    this.refused(faults.length > 0 ? faults : ariProblems(ariOf(body)));
    return this.#errors.size > 0 ? null : ariOf(body);
  }

  /** Notes faults of the update where they came from; one of the whole is one of every line. */
  refused(faults: readonly FieldError[]): void {
    const isSaid = new Set(this.#errors.keys());
    for (const { path, message, expected } of faults) {
      const [, list = "", index = "", member = ""] = path.split("/");
      const of = this.#ari[list as List]?.[Number(index)];
      const error = { column: columnOf(member, of?.isOneDate ?? false), message, expected };
      for (const line of of ? [of.line] : this.#lines) {
        // What could not be read has told why.
        if (!isSaid.has(line)) this.#fault(line, error);
      }
    }
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
      if (wrong === undefined) return { line, property, ok: true };
      const message = `was not applied, because line ${wrong} was not`;
      const beside = { column: "", message, expected: "every line of the update to be right" };
      return { line, property, ok: false, errors: this.#errors.get(line) ?? [beside] };
    });
  }
}
