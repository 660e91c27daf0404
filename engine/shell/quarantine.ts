/**
 * The damaged records that are known, in a table beside the projections: written by the engine,
 * read by whoever tells of them. A record is listed when it is met and taken off when it is found
 * whole: by a start that reads it again, or by a rebuild.
 */
import type { Database } from "bun:sqlite";
import type { RecordDamaged, RecordKind } from "../core/record-damage.ts";

/** A damaged record. `found_at`: epoch milliseconds, engine time. */
export interface Finding {
  readonly kind: RecordKind;
  readonly id: string;
  readonly problem: string;
  readonly found_at: number;
}

/** Lists a finding, unless its record is listed already. */
export function listFinding(db: Database, { kind, id, problem, found_at }: Finding): void {
  db.query(
    `INSERT INTO quarantine(kind, id, problem, found_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  ).run(kind, id, problem, found_at);
}

/** All that is listed, the oldest first; none in a file that no engine of today has opened yet. */
export function findingsIn(db: Database): Finding[] {
  const table = "SELECT 1 FROM sqlite_schema WHERE name = 'quarantine'";
  if (!db.query(table).get()) return [];
  const sql = "SELECT kind, id, problem, found_at FROM quarantine ORDER BY found_at, kind, id";
  return db.query<Finding, []>(sql).all();
}

/**
 * Lists exactly what a reading of the records has found. A data key that does not open stays: no
 * reading of the records can tell.
 */
export function relist(db: Database, found: readonly RecordDamaged[], atMs: number): void {
  const all = db.transaction(() => {
    db.run("DELETE FROM quarantine WHERE kind <> 'subject_key'");
    for (const { kind, id, problem } of found)
      listFinding(db, { kind, id, problem, found_at: atMs });
  });
  all.immediate();
}

/** Takes everything off the list: what is written anew is whole, the rest is found again. */
export function unlistAll(db: Database): void {
  db.run("DELETE FROM quarantine");
}
