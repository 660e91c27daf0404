/** The row of any event is found from a noted row near it. */
import { expect, test } from "bun:test";
import {
  MARKED_EVENTS,
  MARKED_ROWS,
  noEventRows,
  notedBefore,
  noteEventRow,
} from "./event-rows.ts";

function noted(rows: readonly number[]) {
  const events = noEventRows();
  rows.forEach((row, nth) => void noteEventRow(events, nth + 1, row));
  return events;
}

test("few rows lie between a noted row and the row of an event, however far apart events are", () => {
  const gaps = [1, 1, 3, MARKED_ROWS - 1, MARKED_ROWS, MARKED_ROWS + 1, 1, 10 * MARKED_ROWS];
  let at = 5_000_000;
  const rows = Array.from({ length: 900 }, (_, nth) => {
    if (nth % 50 === 0) at += gaps[(nth / 50) % gaps.length]!;
    at += nth % 3;
    return at;
  });
  const events = noted(rows);
  for (const [nth, row] of rows.entries()) {
    const near = events.rows[notedBefore(events, nth + 1)]!;
    expect(near).toBeLessThanOrEqual(row);
    expect(row - near).toBeLessThan(MARKED_ROWS);
  }
});

test("among adjacent events only some are noted", () => {
  const events = noted(Array.from({ length: 10 * MARKED_EVENTS }, (_, nth) => nth + 1));
  expect(events.seqs).toHaveLength(10);
  expect(events.last).toBe(10 * MARKED_EVENTS);
});
