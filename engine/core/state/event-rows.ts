/** An index from event numbers of a realm to journal rows. Only some events are noted. */

/**
 * Largest distance between noted rows, in events. A page reads from a noted row on, so it decodes
 * at most this number of rows before its first one. A row of a large update has 64 KB. Ten million
 * events have 2.5 MB of notes.
 */
export const MARKED_EVENTS = 64;
/** The same in rows: other realms may write many rows in between. */
export const MARKED_ROWS = 4_096;

/** The noted rows of a realm. */
export interface EventRows {
  /** The row of the last event; 0 without events. */
  last: number;
  /** Numbers of the noted events, ascending. */
  readonly seqs: number[];
  /** Their rows. */
  readonly rows: number[];
}

/** For a realm without events. */
export function noEventRows(): EventRows {
  return { last: 0, seqs: [], rows: [] };
}

/** Notes the row of the realm's next event. */
export function noteEventRow(noted: EventRows, seq: number, row: number): void {
  const { seqs, rows } = noted;
  noted.last = row;
  const last = seqs.length - 1;
  const isNear = last >= 0 && seq - seqs[last]! < MARKED_EVENTS && row - rows[last]! < MARKED_ROWS;
  if (isNear) return;
  seqs.push(seq);
  rows.push(row);
}

/**
 * The index of the last noted event up to number `seq`, from 1 on: event `seq` is in its row or
 * within the `MARKED_ROWS` after it.
 */
export function notedBefore({ seqs }: EventRows, seq: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (seqs[middle]! <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
