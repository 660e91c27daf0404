/**
 * Comma-separated values (RFC 4180), as spreadsheets write and read them. What is written never
 * starts a formula: such text gets an apostrophe before it, which reading takes away again.
 */

/**
 * Spreadsheets take a cell that begins so for a formula, which may send what it sees elsewhere;
 * those of East Asia the wide signs too.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;

/** A cell: nothing, a number, or text. */
export type Cell = string | number | boolean | null | undefined;

/** One line with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(",")}\r\n`;
}

function written(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
