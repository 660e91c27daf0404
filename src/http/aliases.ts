/**
 * Synonymous names: a route that declares one of a pair accepts the other one too. Two different
 * values are refused.
 */
import type { Contract } from "./contract.ts";
import type { SentQuery } from "./query.ts";
import type { FieldError } from "./validate.ts";

/** Names of a hotel in the flow and in administration; `state` and `states`. */
const PAIRS = [
  ["hotel_id", "property_id"],
  ["state", "states"],
] as const;

/** The declared names that were sent under their other name: `[sent, declared]`. */
function* aliasesIn(
  declared: Readonly<Record<string, unknown>>,
  isSent: (name: string) => boolean,
): Generator<readonly [string, string]> {
  for (const [one, other] of PAIRS) {
    for (const [name, alias] of [
      [one, other],
      [other, one],
    ] as const) {
      if (name in declared && !(alias in declared) && isSent(alias)) yield [alias, name];
    }
  }
}

function contradiction(path: string, other: string): FieldError {
  return { path, message: `differs from ${other}`, expected: `${other} alone` };
}

/** The query with the names that the route declares. */
export function queryAsDeclared(
  { query: declared }: Pick<Contract, "query">,
  sent: SentQuery,
): SentQuery {
  if (declared === undefined || sent.query.size === 0) return sent;
  const query = new Map(sent.query);
  const contradictions: FieldError[] = [];
  for (const [alias, name] of aliasesIn(declared, (each) => query.has(each))) {
    const value = query.get(alias)!;
    if (query.has(name) && query.get(name) !== value)
      contradictions.push(contradiction(`?${alias}`, `?${name}`));
    query.delete(alias);
    query.set(name, value);
  }
  return { ...sent, query, contradictions };
}

/** A body with its schema's names; adds contradictions to `errors`. */
export function bodyAsDeclared(
  schema: NonNullable<Contract["body"]>["schema"],
  sent: unknown,
  errors: FieldError[],
): unknown {
  const declared = schema.properties as Readonly<Record<string, unknown>> | undefined;
  if (declared === undefined || typeof sent !== "object" || sent === null) return sent;
  let body = sent as Readonly<Record<string, unknown>>;
  for (const [alias, name] of aliasesIn(declared, (each) => Object.hasOwn(body, each))) {
    const { [alias]: value, ...others } = body;
    if (Object.hasOwn(body, name) && body[name] !== value)
      errors.push(contradiction(`/${alias}`, `/${name}`));
    body = { ...others, [name]: value };
  }
  return body;
}
