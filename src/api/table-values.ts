/**
 * Errors of cells in spreadsheet formats, with the expected form. Nothing is guessed: 01/02/2026
 * and 12.000 mean different values in different countries.
 */
import { dateOf, dayOf } from "../../engine/core/calendar.ts";

/** What is wrong with a cell. */
export interface CellFault {
  readonly message: string;
  readonly expected: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** The day that spreadsheets count from, in days before 1970. */
const DAYS_TO_1970 = 25_569;

/** The error of a cell that is not YYYY-MM-DD; the date itself is not checked. */
export function dateFault(text: string): CellFault | null {
  if (DATE.test(text)) return null;
  const message = "is not a date as YYYY-MM-DD";
  const time = /^(\d{4}-\d{2}-\d{2})[T ][\d:.,+Z-]{1,40}$/i.exec(text)?.[1];
  if (time !== undefined) return { message, expected: `${time}, without a time` };
  const found = readingsOf(text);
  if (found.length === 0) return { message, expected: "a date as 2026-12-31" };
  const choice = found.length > 1 ? ", whichever is meant" : "";
  return { message, expected: `${found.join(" or ")} for ${text}${choice}` };
}

/** Possible dates of a text of digits and separators. */
function readingsOf(text: string): string[] {
  const [, a = "", mark = "", b = "", year = ""] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  const [, first = "", month = "", day = ""] =
    /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(text) ?? [];
  const dates = [`${first}-${padded(month)}-${padded(day)}`, `${year}-${padded(b)}-${padded(a)}`];
  // With dots the day comes first.
  if (mark !== ".") dates.push(`${year}-${padded(a)}-${padded(b)}`);
  if (/^\d{5}$/.test(text)) dates.push(dateOf(Number(text) - DAYS_TO_1970));
  return [...new Set(dates)].filter((date) => DATE.test(date) && !Number.isNaN(dayOf(date)));
}

function padded(digits: string): string {
  return digits.padStart(2, "0");
}

/** A number with separators and perhaps a currency at either end. */
const MARKED = /^(?:[A-Z]{3}|\p{Sc})?\s?(-?\d[\d.,'’\s]{0,24}?)\s?(?:[A-Z]{3}|\p{Sc})?$/u;
const WITH_CENTS = /^(\d{1,3}(?:[.,'’\s]\d{3})*|\d{1,12})[.,](\d{1,2})$/u;

/** The error of a number that is not whole; null otherwise. */
export function wholeFault(text: string, isMoney: boolean): CellFault | null {
  if (/^-?\d{1,15}$/.test(text)) return null;
  const [, number] = MARKED.exec(text) ?? [];
  if (number === undefined) return null;
  const [, units, decimals] = WITH_CENTS.exec(number) ?? [];
  const message = decimals === undefined ? "is not only digits" : "has decimals";
  if (!isMoney) return { message, expected: "a whole number, digits only" };
  const minor = "minor units, a whole number";
  if (units === undefined || decimals === undefined) {
    return { message, expected: `${minor}, digits only: 12000 for 120.00` };
  }
  const whole = Number(units.replace(/\D/g, "") + decimals.padEnd(2, "0"));
  return { message, expected: `${minor}: ${whole} for ${text}` };
}
