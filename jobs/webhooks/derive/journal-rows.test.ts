/** Goal: the first row of a search's time is found in a journal of any length. */
import { expect, test } from "bun:test";
import type { Row } from "../../../engine/core/events/event.ts";
import { firstRowSince } from "./journal-rows.ts";

/** A journal of so many rows, a millisecond between any two. */
const journalOf = (rows: number) => ({
  head: { row: rows, chain: "" },
  row: (row: number) => ({ stamp: row }) as Row,
});

test("the first row of a time is found, however many rows there are", () => {
  for (const rows of [1, 10, 2 ** 31 + 10, 2 ** 40]) {
    for (const row of [1, Math.ceil(rows / 2), rows]) {
      expect(firstRowSince(journalOf(rows), row)).toBe(row);
    }
    expect(firstRowSince(journalOf(rows), 0)).toBe(1);
    expect(firstRowSince(journalOf(rows), rows + 1)).toBe(rows + 1);
  }
  expect(firstRowSince(journalOf(0), 5)).toBe(1);
});
