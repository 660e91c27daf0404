/**
 * How far the projections are: journal, row and chain, in `meta`, written in the transaction that
 * writes both. A journal that ends before it has lost rows that the records contain, even when
 * every other file is gone.
 */
import type { Database } from "bun:sqlite";
import { Damage } from "./care/damage.ts";
import type { Head } from "./head.ts";

const NAME = "projected";

/** The journal and head of the projections; null before 0.3 and in an empty journal. */
export function projectedHead(db: Database): (Head & { readonly journalId: string }) | null {
  const sql = "SELECT value FROM meta WHERE name = ?";
  const stored = db.query<{ value: string }, [string]>(sql).get(NAME)?.value;
  if (stored === undefined) return null;
  const match = /^([0-9a-f]{32}) (\d+) ([0-9a-f]{64})$/.exec(stored);
  if (!match) throw new Damage("journal_unreadable", `meta ${NAME} is damaged`);
  const [, journalId, row, chain] = match as unknown as [string, string, string, string];
  return { journalId, row: Number(row), chain };
}

/** Notes the head of the projections; call in their transaction. */
export function noteProjected(db: Database, { row, chain }: Head): void {
  // Updated in place: a replacement would also move its index entry, which is another page.
  db.query(
    `INSERT INTO meta(name, value)
     SELECT ?, value || ? FROM meta WHERE name = 'journal_id'
     ON CONFLICT(name) DO UPDATE SET value = excluded.value`,
  ).run(NAME, ` ${row} ${chain}`);
}
