/** The query of a call and its errors. */
import type { Contract } from "./contract.ts";
import type { FieldError } from "./validate.ts";

/** Where every name must be known and stand once; elsewhere probes and caches add their own. */
const STRICT = /^\/(?:v1|feeds)\//;

/** The parameters by name, with the names that were given more than once: no value is theirs. */
export interface SentQuery {
  readonly query: ReadonlyMap<string, string>;
  readonly repeated: ReadonlySet<string>;
  /** One thing told twice and differently; see `aliases.ts`. */
  readonly contradictions: readonly FieldError[];
}

const NOTHING: SentQuery = { query: new Map(), repeated: new Set(), contradictions: [] };

/** Reads the query of an address; of a name that was given more than once it has the last value. */
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
 * Names the route does not know, those it needs, those that were given more than once, and values
 * that are not what they should be. Two values of one name are never a list: whoever goes by the
 * first and whoever goes by the last would answer the same call differently.
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
