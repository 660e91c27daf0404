/** The journal row of an `as_of`: an event number or an instant. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Row } from "../../../engine/core/events/event.ts";
import { MARKED_ROWS, notedBefore } from "../../../engine/core/state/event-rows.ts";
import type { Realm } from "../../../engine/core/supply.ts";
import type { Replica } from "../../../engine/log/replica.ts";

/** Rows per turn of the loop. */
const SLICE_ROWS = 512;

/** A position in the journal: all events of a tenant up to `seq`. */
export interface AsOf {
  readonly row: number;
  /** 0 before the first event. */
  readonly seq: number;
}

/** The row of the realm's event `seq`, from 1 to its last one. */
export async function rowOfEvent(replica: Replica, realm: Realm, seq: number): Promise<AsOf> {
  const noted = replica.state.tenants.get(realm.tenant_id)!.rows[realm.mode];
  const nth = notedBefore(noted, seq);
  const end = Math.min(noted.rows[nth + 1] ?? noted.last, noted.last);
  for await (const row of rowsOf(replica, realm, noted.rows[nth]!, end)) {
    const last = row.events.at(-1)!.seq;
    if (last >= seq) return { row: row.row, seq: last };
  }
  throw new Error(`event ${seq} is in no row`);
}

/** The last event of the realm in a row up to `row`. */
export async function lastEventUpTo(replica: Replica, realm: Realm, row: number): Promise<AsOf> {
  const noted = replica.state.tenants.get(realm.tenant_id)?.rows[realm.mode];
  if (!noted || noted.last === 0 || (noted.rows[0] ?? 0) > row) return { row, seq: 0 };
  if (noted.last <= row) {
    return { row, seq: replica.state.tenants.get(realm.tenant_id)!.seq[realm.mode] };
  }
  const after = noted.rows.findIndex((each) => each > row);
  const nth = (after < 0 ? noted.rows.length : after) - 1;
  let seq = noted.seqs[nth]!;
  const first = noted.rows[nth]!;
  const end = Math.min(row, first + MARKED_ROWS - 1);
  for await (const found of rowsOf(replica, realm, first, end)) seq = found.events.at(-1)!.seq;
  return { row, seq };
}

/** The rows of a realm with events, decoded in slices. */
async function* rowsOf(
  replica: Replica,
  { tenant_id, mode }: Realm,
  first: number,
  end: number,
): AsyncGenerator<Row> {
  for (let next = first; next <= end; next += SLICE_ROWS) {
    const last = Math.min(end, next + SLICE_ROWS - 1);
    for (const { row } of replica.rowsBetween(next, last, { word: tenant_id, oneOf: [mode] })) {
      if (row.tenant_id === tenant_id && row.mode === mode && row.events.length > 0) yield row;
    }
    await nextTurn();
  }
}
