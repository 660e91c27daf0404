/**
 * Idempotency keys of long ago: sealed refusals, the smallest rows that hold a key. What slows a
 * journal down is the index over the keys, and that is the same whatever the rows say.
 */

import { randomBytes } from "node:crypto";
import { refusal } from "../engine/core/decision.ts";
import { RenderedOutcome } from "../engine/core/outcomes.ts";
import type { Journal } from "../engine/log/journal.ts";
import { prepareRow } from "../engine/log/stored-row.ts";

const BATCH_ROWS = 5_000;
const META = { trace_id: "0".repeat(32), docs: "https://docs.example" };
const OUTCOME = refusal(META, { code: "quote_not_found", detail: {} });
const TOLD = new RenderedOutcome(OUTCOME);

/** Appends `count` rows with random keys of `tenantId`. The caller has taken the epoch. */
export function addKeys(journal: Journal, tenantId: string, count: number): void {
  const { trace_id } = META;
  const actor = { kind: "agent", id: "agt_filler" } as const;
  const about = { tenant_id: tenantId, mode: "live", actor, trace_id, phase: "sealed" } as const;
  for (let left = count; left > 0; left -= BATCH_ROWS) {
    const first = journal.head.row + 1;
    const rows = Array.from({ length: Math.min(BATCH_ROWS, left) }, (_, i) => {
      const key = randomBytes(16).toString("hex");
      const ref = { key, body_hash: "0".repeat(32), agent_id: actor.id };
      const row = { ...about, row: first + i, stamp: Date.now(), key: ref, events: [] };
      return prepareRow(row, TOLD);
    });
    journal.append(rows);
    journal.maybeCheckpoint(performance.now());
  }
}
