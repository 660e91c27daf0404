/**
 * Reads a tenant's events from the journal, page by page, however old. It stores only the positions
 * of some events, so a page starts near its first event, is read in slices that yield to others,
 * and reads a bounded number of rows.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { textsOf } from "../../../engine/core/codec/row-codec.ts";
import { publicEvents, type UnlistedEvent } from "../../../engine/core/public-events.ts";
import { MARKED_ROWS, notedBefore } from "../../../engine/core/state/event-rows.ts";
import type { Realm } from "../../../engine/core/supply.ts";
import type { ChainedRow, RowWords } from "../../../engine/log/journal-port.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { headSeqOf } from "../as-of.ts";

/** Rows per slice. */
const SLICE_ROWS = 128;
/** Rows per page; a page without matches still advances. */
const PAGE_ROWS = 16_384;
/** Characters per page; few events are large. */
const PAGE_CHARS = 2_000_000;

/** Requested events; null: all. */
export interface Filter {
  readonly kinds: ReadonlySet<string> | null;
  readonly subject: { readonly type: string; readonly id: string } | null;
  /** Properties of a limited credential, which hides events without a property too. */
  readonly property_ids: ReadonlySet<string> | null;
}

export interface EventsAsked {
  readonly realm: Realm;
  readonly afterSeq: number;
  readonly filter: Filter;
  readonly limit: number;
}

export interface FoundEvents {
  readonly items: readonly UnlistedEvent["event"][];
  /** All events up to this one were read. */
  readonly lastSeq: number;
}

function isAskedFor({ event, property_id }: UnlistedEvent, filter: Filter): boolean {
  const { kinds, subject, property_ids } = filter;
  if (kinds !== null && !kinds.has(event.type)) return false;
  const isVisible =
    property_ids === null || (property_id !== null && property_ids.has(property_id));
  if (!isVisible || subject === null) return isVisible;
  return event.subject.type === subject.type && event.subject.id === subject.id;
}

/** Collects the events of rows until the page is full. */
class PageOf {
  readonly items: UnlistedEvent["event"][] = [];
  lastSeq: number;
  #chars = 0;
  readonly #replica: Replica;
  readonly #asked: EventsAsked;

  constructor(replica: Replica, asked: EventsAsked) {
    this.#replica = replica;
    this.#asked = asked;
    this.lastSeq = asked.afterSeq;
  }

  get isFull(): boolean {
    return this.items.length >= this.#asked.limit || this.#chars >= PAGE_CHARS;
  }

  take({ row, chain }: ChainedRow): void {
    const { realm, filter } = this.#asked;
    if (row.tenant_id !== realm.tenant_id || row.mode !== realm.mode) return;
    const { kinds } = filter;
    if (this.isFull || (row.events.at(-1)?.seq ?? 0) <= this.lastSeq) return;
    const isWanted = kinds === null || row.events.some(({ type }) => kinds.has(type));
    const events = isWanted ? publicEvents(row, chain, this.#replica.eventLookups) : [];
    for (const each of events) {
      if (this.isFull) return;
      const { seq } = each.event;
      if (seq <= this.lastSeq) continue;
      this.lastSeq = seq;
      if (!isAskedFor(each, filter)) continue;
      this.items.push(each.event);
      this.#chars += JSON.stringify(each.event).length;
    }
    if (!isWanted) this.passed(row.events.at(-1)?.seq ?? 0);
  }

  /** All events up to this one are included. */
  passed(seq: number): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
  }
}

/** Byte patterns that a row must contain to be decoded; `take` then checks its events. */
function wordsOf({ realm, filter: { subject, kinds } }: EventsAsked): RowWords {
  const oneOf = kinds ? [...kinds].flatMap(textsOf) : [realm.mode];
  // As in JSON, without the surrounding quotes.
  const inText = (id: string) => JSON.stringify(id).slice(1, -1);
  return { word: realm.tenant_id, oneOf: subject ? [inText(subject.id)] : oneOf };
}

/**
 * At most `limit` of the events after `afterSeq`, in order, as far as this replica has
 * read. A short page is not the end: `lastSeq` says how far it was read.
 *
 * @throws RecordDamaged when a record that an event is about is missing.
 */
export async function readEvents(replica: Replica, asked: EventsAsked): Promise<FoundEvents> {
  const { tenant_id, mode } = asked.realm;
  const noted = replica.state.tenants.get(tenant_id)?.rows[mode];
  const page = new PageOf(replica, asked);
  const headSeq = headSeqOf(replica, asked.realm);
  if (!noted || asked.afterSeq >= headSeq) return page;
  const words = wordsOf(asked);
  const { seqs, rows, last } = noted;
  let looked = 0;
  for (let nth = notedBefore(noted, asked.afterSeq + 1); nth < seqs.length; nth += 1) {
    const first = rows[nth]!;
    // Later rows are not folded here yet.
    const end = Math.min(rows[nth + 1] ?? last, last, first + MARKED_ROWS - 1);
    for (let next = first; next <= end; next += SLICE_ROWS) {
      const found = replica.rowsBetween(next, Math.min(end, next + SLICE_ROWS - 1), words);
      for (const row of found) page.take(row);
      if (page.isFull) return page;
      await nextTurn();
    }
    page.passed(Math.min(headSeq, (seqs[nth + 1] ?? Infinity) - 1));
    looked += Math.max(0, end - first + 1);
    if (looked >= PAGE_ROWS || page.lastSeq >= headSeq) break;
  }
  return page;
}
