/** Searches for ids in the projections, by conditions that all apply. */
import type { Database, SQLQueryBindings } from "bun:sqlite";

/** A condition, with the values of its marks. */
export type Condition = readonly [sql: string, ...values: SQLQueryBindings[]];

/** The condition that a column has one of the values. */
export function isOneOf(column: string, values: readonly string[]): Condition {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)];
}

/**
 * Ids of a table, with the index to start from, newest first. Of more than `limit` it returns any
 * `limit`, to bound the time.
 */
export function findIds(
  db: Database,
  { id, from }: { readonly id: string; readonly from: string },
  conditions: readonly Condition[],
  limit: number,
): string[] {
  const where = conditions.map(([sql]) => sql).join(" AND ");
  return db
    .query<{ id: string }, SQLQueryBindings[]>(
      `SELECT ${id} AS id FROM ${from} WHERE ${where} LIMIT ?`,
    )
    .all(...conditions.flatMap(([, ...values]) => values), limit)
    .map((found) => found.id)
    .sort()
    .reverse();
}
