/** `as_of`, an event number or an instant, and its journal row. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { instantIso } from "../../engine/core/calendar.ts";
import type { Row } from "../../engine/core/events/event.ts";
import { MARKED_ROWS, notedBefore } from "../../engine/core/state/event-rows.ts";
import type { Realm } from "../../engine/core/supply.ts";
import { isOfRealm } from "../../engine/core/visibility.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { invalid, type Refusal } from "../http/answer.ts";
import type { Call } from "../http/call.ts";
import type { QueryParameter } from "../http/contract.ts";
import { Instant, named } from "../http/schema/answer-parts.ts";
import { instantParameter } from "./parameters.ts";

/** Rows per turn of the loop. */
const SLICE_ROWS = 512;

/** A position in the journal: all events of a tenant up to `seq`. */
interface AsOf {
  readonly row: number;
  /** 0 before the first event. */
  readonly seq: number;
}

export interface Moment extends AsOf {
  readonly atMs: number;
}

export const MomentShown = named("KpiMoment", "The last event counted, and its instant.", {
  seq: Type.Integer({ minimum: 0, description: "Number of the last event counted." }),
  at: Instant,
});

/** A moment as answers show it. */
export function shownMoment({ seq, atMs }: Moment) {
  return { seq, at: instantIso(atMs) };
}

const INSTANT = instantParameter("");

/** The parameter; `description` says what is given as of then. */
export function asOfParameter(description: string): QueryParameter {
  return {
    schema: Type.String({ minLength: 1, maxLength: 40 }),
    description: `An event number (\`seq\`) or an RFC 3339 instant: ${description} as of then. Now unless given.`,
    isValid: (value) => /^\d{1,15}$/.test(value) || INSTANT.isValid(value),
    fault: {
      message: "is neither an event number nor an instant",
      expected: "a whole number, or an RFC 3339 instant such as 2026-12-18T14:00:00Z",
    },
  };
}

/** The number of the realm's last event; 0 without events. */
export function headSeqOf({ state }: Replica, { tenant_id, mode }: Realm): number {
  return state.tenants.get(tenant_id)?.seq[mode] ?? 0;
}

/** The moment of a checked `as_of`, now without one; refused after the last event. */
export async function momentOf(call: Call, asked: string | undefined): Promise<Moment | Refusal> {
  const { replica, engineNow } = call.context;
  if (asked === undefined) {
    const { row } = replica.head;
    return { row, seq: headSeqOf(replica, call.principal), atMs: engineNow() };
  }
  if (!/^\d+$/.test(asked)) return momentAt(call, Date.parse(asked));
  const last = headSeqOf(replica, call.principal);
  const seq = Number(asked);
  if (seq > last) {
    const expected = `0 to ${last}, the number of the last event`;
    return invalid([{ path: "?as_of", message: "is after the last event", expected }]);
  }
  if (seq === 0) return { row: 0, seq, atMs: 0 };
  const found = await rowOfEvent(replica, call.principal, seq);
  return { ...found, atMs: replica.row(found.row)!.stamp };
}

/** The moment of an instant, epoch milliseconds. */
export async function momentAt(call: Call, atMs: number): Promise<Moment> {
  const { replica, kpis } = call.context;
  const row = kpis.rowAt(atMs);
  return { ...(await lastEventUpTo(replica, call.principal, row)), atMs };
}

/** The row of the realm's event `seq`, from 1 to its last one. */
async function rowOfEvent(replica: Replica, realm: Realm, seq: number): Promise<AsOf> {
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
async function lastEventUpTo(replica: Replica, realm: Realm, row: number): Promise<AsOf> {
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
  realm: Realm,
  first: number,
  end: number,
): AsyncGenerator<Row> {
  const words = { word: realm.tenant_id, oneOf: [realm.mode] };
  for (let next = first; next <= end; next += SLICE_ROWS) {
    const last = Math.min(end, next + SLICE_ROWS - 1);
    for (const { row } of replica.rowsBetween(next, last, words)) {
      if (isOfRealm(row, realm) && row.events.length > 0) yield row;
    }
    await nextTurn();
  }
}
