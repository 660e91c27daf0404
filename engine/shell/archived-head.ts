/**
 * Where the database begins: the last row that left it for a segment and the chain up to it, in
 * `meta`, written in the transaction in which rows leave or come back. So the rows of the database
 * always go on from this place, and what lies before it must be found in segments.
 */
import type { Database } from "bun:sqlite";
import { Damage } from "./damage.ts";
import { BEGINNING, type Head } from "./head.ts";

const NAME = "sealed";

/** The place after which the rows of the database begin. */
export function archivedHead(db: Database): Head {
  const sql = "SELECT value FROM meta WHERE name = ?";
  const stored = db.query<{ value: string }, [string]>(sql).get(NAME)?.value;
  if (stored === undefined) return BEGINNING;
  const match = /^(\d+) ([0-9a-f]{64})$/.exec(stored);
  if (!match) throw new Damage("journal_unreadable", `meta ${NAME} is not what was written`);
  return { row: Number(match[1]), chain: match[2]! };
}

/** Notes that the database begins after `place`; call in the transaction that makes it so. */
export function noteArchived(db: Database, { row, chain }: Head): void {
  const sql = "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)";
  db.query(sql).run(NAME, `${row} ${chain}`);
}
