/**
 * The archived head: the last row that moved to a segment, and the chain up to it. It is in `meta`
 * and is written in the transaction that moves rows, so the rows of the database always continue
 * from it and earlier rows are in segments.
 */
import type { Database } from "bun:sqlite";
import { Damage } from "../care/damage.ts";
import { BEGINNING, type Head } from "../head.ts";

const NAME = "sealed";

/** The head after which the rows of the database begin. */
export function archivedHead(db: Database): Head {
  const sql = "SELECT value FROM meta WHERE name = ?";
  const stored = db.query<{ value: string }, [string]>(sql).get(NAME)?.value;
  if (stored === undefined) return BEGINNING;
  const match = /^(\d+) ([0-9a-f]{64})$/.exec(stored);
  if (!match) throw new Damage("journal_unreadable", `meta ${NAME} is damaged`);
  return { row: Number(match[1]), chain: match[2]! };
}

/** Notes the head; call in the transaction that moves rows. */
export function noteArchived(db: Database, { row, chain }: Head): void {
  const sql = "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)";
  db.query(sql).run(NAME, `${row} ${chain}`);
}
