/** Payments and refunds of the projections by state and age; ids sort by creation. */
import type { Database } from "bun:sqlite";
import { KINDS } from "./stored-record.ts";

/** Names the index, because SQLite would rather scan all ids; its condition must be repeated. */
const OPEN_SQL = {
  payment: `SELECT id FROM payments INDEXED BY payments_open
    WHERE state IN ('pending', 'unknown') AND id >= ?`,
  refund: `SELECT id FROM refunds INDEXED BY refunds_open
    WHERE state IN ('pending', 'failed') AND state = 'pending' AND id >= ?`,
} as const;

/** The states of money that is in transit or stuck. */
const OPEN_STATES = [
  ["payment", "pending"],
  ["payment", "unknown"],
  ["refund", "pending"],
  ["refund", "failed"],
] as const;

/** How many ids an alarm lists. */
const OLDEST_MAX = 10;

/** Payments or refunds of one open state; `oldest`: the ids of the oldest, oldest first. */
export interface OpenMoney {
  readonly kind: "payment" | "refund";
  readonly state: string;
  readonly count: number;
  readonly oldest: readonly string[];
}

function openIn(kind: "payment" | "refund"): string {
  const states = OPEN_STATES.filter(([of]) => of === kind).map(([, state]) => `'${state}'`);
  const { table } = KINDS[kind];
  return `FROM ${table} INDEXED BY ${table}_open WHERE state IN (${states.join(", ")}) AND state = ?`;
}

function idsOf(db: Database, sql: string, ...given: (string | number)[]): string[] {
  const found = db.query<{ id: string }, (string | number)[]>(sql).all(...given);
  return found.map(({ id }) => id);
}

/** Ids of open payments or refunds from `fromId` on, oldest first, by an index alone. */
export function findOpen(db: Database, kind: "payment" | "refund", fromId: string): string[] {
  return idsOf(db, OPEN_SQL[kind], fromId).sort();
}

/** Ids of the refunds in an open state before `beforeId`, newest first. */
export function findOpenRefunds(
  db: Database,
  state: "pending" | "failed",
  beforeId: string,
): string[] {
  const sql = `SELECT id ${openIn("refund")} AND id < ? ORDER BY id DESC`;
  return idsOf(db, sql, state, beforeId);
}

/** At most `limit` ids of payments or refunds in any state after `afterId`, oldest first. */
export function findMoney(
  db: Database,
  kind: "payment" | "refund",
  afterId: string,
  limit: number,
): string[] {
  const { table } = KINDS[kind];
  return idsOf(db, `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`, afterId, limit);
}

/** Open payments and refunds by kind and state, by an index alone. */
export function countOpenMoney(db: Database): OpenMoney[] {
  return OPEN_STATES.map(([kind, state]) => {
    const counted = db.query<{ count: number }, [string]>(
      `SELECT count(*) AS count ${openIn(kind)}`,
    );
    const oldest = idsOf(db, `SELECT id ${openIn(kind)} ORDER BY id LIMIT ?`, state, OLDEST_MAX);
    return { kind, state, count: counted.get(state)!.count, oldest };
  });
}
