/** The query of a call and its errors. */
import type { Contract } from "./contract.ts";
import type { FieldError } from "./validate.ts";

/** Paths where names must be known and unique; elsewhere probes and caches add their own. */
const STRICT = /^\/(?:v1|feeds)\//;

/** Parameters by name; repeated names have no value. */
export interface SentQuery {
  readonly query: ReadonlyMap<string, string>;
  readonly repeated: ReadonlySet<string>;
  /** Synonyms with different values; see `aliases.ts`. */
  readonly contradictions: readonly FieldError[];
}

const NOTHING: SentQuery = { query: new Map(), repeated: new Set(), contradictions: [] };

/** Reads the query of a URL. */
export function readQuery(url: string): SentQuery {
  const queryAt = url.indexOf("?");
  if (queryAt < 0) return NOTHING;
  const query = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(url.slice(queryAt + 1))) {
    if (query.has(name)) repeated.add(name);
    query.set(name, value);
  }
  return { query, repeated, contradictions: [] };
}

/**
 * Faults of unknown, missing and repeated names and of invalid values. A repeated name is never a
 * list: readers disagree on which value counts.
 */
export function queryErrors(
  { path, query: known = {} }: Pick<Contract, "path" | "query">,
  { query: sent, repeated, contradictions }: SentQuery,
): FieldError[] {
  const errors: FieldError[] = [...contradictions];
  const names = Object.keys(known);
  if (sent.size === 0 && names.length === 0) return errors;
  const isStrict = STRICT.test(path);
  for (const name of isStrict ? sent.keys() : []) {
    if (names.includes(name)) continue;
    const expected = names.length > 0 ? `one of ${names.join(", ")}` : "no parameters";
    errors.push({ path: `?${name}`, message: "is not a known parameter", expected });
  }
  for (const [name, { isRequired = false, isValid, fault }] of Object.entries(known)) {
    const value = sent.get(name);
    if (value === undefined) {
      if (!isRequired) continue;
      errors.push({ path: `?${name}`, message: "is missing", expected: fault.expected });
    } else if (isStrict && repeated.has(name)) {
      const expected = `given once: ${fault.expected}`;
      errors.push({ path: `?${name}`, message: "is given more than once", expected });
    } else if (!isValid(value)) errors.push({ path: `?${name}`, ...fault });
  }
  return errors;
}
