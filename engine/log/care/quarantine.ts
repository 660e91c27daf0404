/**
 * The quarantine: a table of known damaged records beside the projections, written by the engine. A
 * record is listed when it is met and removed when it is found intact, by a rebuild or by a start
 * that reads it again.
 */
import type { Database } from "bun:sqlite";
import type { Family } from "../../../src/lib/metrics.ts";
import { RECORD_KINDS, type RecordDamaged, type RecordKind } from "../../core/record-damage.ts";

export interface Finding {
  readonly kind: RecordKind;
  readonly id: string;
  readonly problem: string;
  readonly found_at: number;
}

/** Lists a finding, unless its record is already listed. */
export function listFinding(db: Database, { kind, id, problem, found_at }: Finding): void {
  db.query(
    `INSERT INTO quarantine(kind, id, problem, found_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  ).run(kind, id, problem, found_at);
}

/** All findings, oldest first; none in a file that no present engine has opened. */
export function findingsIn(db: Database): Finding[] {
  const table = "SELECT 1 FROM sqlite_schema WHERE name = 'quarantine'";
  if (!db.query(table).get()) return [];
  const sql = "SELECT kind, id, problem, found_at FROM quarantine ORDER BY found_at, kind, id";
  return db.query<Finding, []>(sql).all();
}

/**
 * Replaces the list by the findings of a check of all records. Data keys stay listed: that check
 * does not test them.
 */
export function relist(db: Database, found: readonly RecordDamaged[], atMs: number): void {
  const all = db.transaction(() => {
    db.run("DELETE FROM quarantine WHERE kind <> 'subject_key'");
    for (const { kind, id, problem } of found)
      listFinding(db, { kind, id, problem, found_at: atMs });
  });
  all.immediate();
}

/** Empties the list: rebuilt records are intact, other damage is found again. */
export function unlistAll(db: Database): void {
  db.run("DELETE FROM quarantine");
}

/** The metric of listed records by kind. */
export function quarantineFamily(db: Database): Family {
  const counts = new Map<RecordKind, number>(RECORD_KINDS.map((kind) => [kind, 0]));
  for (const { kind } of findingsIn(db)) counts.set(kind, counts.get(kind)! + 1);
  return {
    name: "innkeep_quarantined_records",
    type: "gauge",
    help: "Damaged records; a rebuild repairs them.",
    samples: [...counts].map(([kind, value]) => ({ labels: `kind="${kind}"`, value })),
  };
}
