/**
 * Reads in advance the records that a fold will read, so that damage fails the decision. A fold
 * must not throw for a record: memory would be ahead of the journal, and every start that meets the
 * same command would fail again.
 */
import type { Declaration } from "./events/declaration.ts";
import { EVENTS, type Event } from "./events/event.ts";
import { recorded } from "./record-damage.ts";
import type { RecordReader } from "./records.ts";

/** Reads all records that folding `events` needs; throws `RecordDamaged` for a damaged one. */
export function readAhead(events: readonly Event[], records: RecordReader): void {
  /** A payment that an earlier event of the row provides: the fold has it in memory. */
  let captured: string | null = null;
  for (const { type, data } of events) {
    if (type === "payment.captured") captured = data.payment_id;
    const { reads = [] }: Partial<Declaration> =
      (EVENTS as Partial<Record<string, Declaration>>)[type] ?? {};
    for (const kind of reads) {
      const id = (data as Readonly<Record<string, unknown>>)[`${kind}_id`] as string | null;
      if (id !== null && id !== captured) recorded(records[kind](id), kind, id);
    }
  }
}
