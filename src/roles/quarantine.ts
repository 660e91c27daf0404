/** What the engine knows of damaged records: found at its start, told as long as they are. */
import { RECORD_KINDS, type RecordKind } from "../../engine/core/record-damage.ts";
import type { Journal } from "../../engine/shell/journal.ts";
import { findingsIn, relist } from "../../engine/shell/quarantine.ts";
import { countRecords, damagedRecords, stillDamaged } from "../../engine/shell/record-check.ts";
import type { Log } from "../../engine/shell/service.ts";
import type { Family } from "../base/metrics.ts";

/** Up to here the start reads every finished record (5 µs each); a start must stay short. */
const CHECKED_RECORDS_MAX = 200_000;
/** How many damaged records a start names. */
const NAMED_MAX = 20;

/** Lists the damaged records at a start. They cost whoever names them, and never the start. */
export function listDamaged(db: Journal["db"], stampMs: number, log: Log): void {
  const records = countRecords(db);
  const isSmall = records <= CHECKED_RECORDS_MAX;
  if (!isSmall) log("info", "records are checked as they are read", { records });
  relist(db, isSmall ? damagedRecords(db) : stillDamaged(db), stampMs);
  const damaged = findingsIn(db);
  if (damaged.length === 0) return;
  const named = damaged.slice(0, NAMED_MAX).map(({ kind, id, problem }) => ({ kind, id, problem }));
  const remedy = "stop the service, then npm run admin -- projections rebuild";
  log("error", "records are damaged", { count: damaged.length, damaged: named, remedy });
}

/** How many damaged records of each kind wait for a rebuild. */
export function quarantineFamily(db: Journal["db"]): Family {
  const counts = new Map<RecordKind, number>(RECORD_KINDS.map((kind) => [kind, 0]));
  for (const { kind } of findingsIn(db)) counts.set(kind, counts.get(kind)! + 1);
  return {
    name: "innkeep_quarantined_records",
    type: "gauge",
    help: "Damaged records that wait for a rebuild.",
    samples: [...counts].map(([kind, value]) => ({ labels: `kind="${kind}"`, value })),
  };
}
