/** Finds an event in the journal by its number, from the nearest known row. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Row } from "../../../engine/core/events/event.ts";
import { notedBefore } from "../../../engine/core/state/event-rows.ts";
import type { Realm } from "../../../engine/core/supply.ts";
import type { Replica } from "../../../engine/log/replica.ts";

/** Rows per turn of the loop. */
const PAGE_ROWS = 128;

/** The row of the realm's event `seq`; null when it has no such event. */
export async function rowOfEvent(replica: Replica, realm: Realm, seq: number): Promise<Row | null> {
  const { tenant_id, mode } = realm;
  const noted = replica.state.tenants.get(tenant_id)?.rows[mode];
  const near = noted?.rows[notedBefore(noted, seq)];
  if (!noted || near === undefined) return null;
  const { last } = noted;
  const words = { word: tenant_id, oneOf: [mode] };
  for (let next = near; next <= last; next += PAGE_ROWS) {
    const found = replica
      .rowsBetween(next, Math.min(last, next + PAGE_ROWS - 1), words)
      .find(({ row }) => {
        const isOwn = row.tenant_id === tenant_id && row.mode === mode;
        return isOwn && row.events.some((event) => event.seq === seq);
      });
    if (found) return found.row;
    await nextTurn();
  }
  return null;
}
