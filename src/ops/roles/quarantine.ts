/** Damaged records: found at the engine's start, shown in metrics until a rebuild. */
import { RECORD_KINDS, type RecordKind } from "../../../engine/core/record-damage.ts";
import { findingsIn, relist } from "../../../engine/log/care/quarantine.ts";
import {
  countRecords,
  damagedRecords,
  stillDamaged,
} from "../../../engine/log/care/record-check.ts";
import type { Journal } from "../../../engine/log/journal.ts";
import type { Family } from "../../lib/metrics.ts";
import type { Log } from "../../lib/service.ts";

/** With more finished records a start does not check all (5 µs each), to stay short. */
const CHECKED_RECORDS_MAX = 200_000;
/** Damaged records named in the log. */
const NAMED_MAX = 20;

/** Lists the damaged records at a start. They fail only the calls that need them. */
export function listDamaged(db: Journal["db"], stampMs: number, log: Log): void {
  const records = countRecords(db);
  const isSmall = records <= CHECKED_RECORDS_MAX;
  if (!isSmall) log("info", "too many records for a check at the start", { records });
  relist(db, isSmall ? damagedRecords(db) : stillDamaged(db), stampMs);
  const damaged = findingsIn(db);
  if (damaged.length === 0) return;
  const named = damaged.slice(0, NAMED_MAX).map(({ kind, id, problem }) => ({ kind, id, problem }));
  const remedy = "stop the service, then npm run admin -- projections rebuild";
  log("error", "records are damaged", { count: damaged.length, damaged: named, remedy });
}

/** Damaged records by kind. */
export function quarantineFamily(db: Journal["db"]): Family {
  const counts = new Map<RecordKind, number>(RECORD_KINDS.map((kind) => [kind, 0]));
  for (const { kind } of findingsIn(db)) counts.set(kind, counts.get(kind)! + 1);
  return {
    name: "innkeep_quarantined_records",
    type: "gauge",
    help: "Damaged records; a rebuild repairs them.",
    samples: [...counts].map(([kind, value]) => ({ labels: `kind="${kind}"`, value })),
  };
}
