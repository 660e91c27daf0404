/**
 * How far the projections are: journal, row and chain, in `meta`, written in the transaction that
 * writes both. A journal that ends before it has lost rows that the records still tell of, also
 * when every file beside the database is gone.
 */
import type { Database } from "bun:sqlite";
import { Damage } from "./damage.ts";
import type { Head } from "./head.ts";

const NAME = "projected";

/** Whose rows the projections are of, and up to which; null before 0.3 and in an empty journal. */
export function projectedHead(db: Database): (Head & { readonly journalId: string }) | null {
  const sql = "SELECT value FROM meta WHERE name = ?";
  const stored = db.query<{ value: string }, [string]>(sql).get(NAME)?.value;
  if (stored === undefined) return null;
  const match = /^([0-9a-f]{32}) (\d+) ([0-9a-f]{64})$/.exec(stored);
  if (!match) throw new Damage("journal_unreadable", `meta ${NAME} is not what was written`);
  const [, journalId, row, chain] = match as unknown as [string, string, string, string];
  return { journalId, row: Number(row), chain };
}

/** Notes that the projections are those of the journal up to `head`; call in their transaction. */
export function noteProjected(db: Database, { row, chain }: Head): void {
  // Changed where it stands: to replace it would move its entry in the index as well, another page.
  db.query(
    `INSERT INTO meta(name, value)
     SELECT ?, value || ? FROM meta WHERE name = 'journal_id'
     ON CONFLICT(name) DO UPDATE SET value = excluded.value`,
  ).run(NAME, ` ${row} ${chain}`);
}
