/** Where in the journal a realm's events are: of some the row is noted, and others are near it. */

/** Of so many events of a realm the row of one is noted at least, */
export const MARKED_EVENTS = 256;
/** and of events that are this many rows apart each: others write many rows between them. */
export const MARKED_ROWS = 4_096;

/** Where a realm's events stand in the journal. */
export interface EventRows {
  /** The row of the last event; 0 while there is none. */
  last: number;
  /** Numbers of the events that are noted, ascending: the first, and others by the bounds. */
  readonly seqs: number[];
  /** Their rows. */
  readonly rows: number[];
}

/** Of a realm without events. */
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
 * Which of the noted events is the last up to number `seq`, from 1 on: event `seq` is in its row or
 * one of the `MARKED_ROWS` from it on.
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
