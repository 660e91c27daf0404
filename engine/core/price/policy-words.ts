/**
 * Cancellation terms in words, from the time of the quote on; past rows are left out. Words and
 * fees use the same shares and instants.
 */
import { localTime } from "../calendar.ts";

/** Until `until_ms` (null: for ever) cancelling costs this share. */
export interface CostRow {
  readonly bps: number;
  readonly until_ms: number | null;
}

const FULL_BPS = 10_000;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function percentText(bps: number): string {
  return `${bps / 100} %`;
}

/** By zone and instant: many quotes share check-in and cut-off. */
const knownTexts = new Map<string, Map<number, string>>();
const TEXTS_KEPT_MAX = 1_000;

/**
 * `18 Dec 2026, 15:00 (Madrid time)`: local date and time with the city of the zone's name. A time
 * that the clock shows twice that day carries its offset: `02:30 (Madrid time, UTC+01:00)`.
 */
export function timeText(ms: number, zone: string): string {
  let texts = knownTexts.get(zone);
  if (texts === undefined) {
    texts = new Map();
    knownTexts.set(zone, texts);
  }
  let text = texts.get(ms);
  if (text === undefined) {
    text = timeInWords(ms, zone);
    if (texts.size >= TEXTS_KEPT_MAX) texts.clear();
    texts.set(ms, text);
  }
  return text;
}

function timeInWords(ms: number, zone: string): string {
  const { text, offset, isTwice } = localTime(ms, zone);
  const month = MONTHS[Number(text.slice(5, 7)) - 1]!;
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  const seconds = text.endsWith(":00") ? "" : text.slice(16);
  const which = isTwice ? `, UTC${offset}` : "";
  const time = `${text.slice(11, 16)}${seconds} (${city} time${which})`;
  return `${Number(text.slice(8, 10))} ${month} ${text.slice(0, 4)}, ${time}`;
}

/** The rows from `nowMs` on without empty ones; equal neighbours are merged. */
export function rowsFrom(rows: readonly CostRow[], nowMs: number): CostRow[] {
  const left: CostRow[] = [];
  let fromMs = nowMs;
  for (const row of rows) {
    if (row.until_ms !== null && row.until_ms <= fromMs) continue;
    if (left.at(-1)?.bps === row.bps) left.pop();
    left.push(row);
    fromMs = row.until_ms ?? fromMs;
  }
  return left;
}

/** The cost of cancelling now, in a few words; `rows` from `rowsFrom`. */
export function costNow([now]: readonly CostRow[], zone: string): string {
  const { bps, until_ms } = now!;
  if (bps === 0) {
    return until_ms === null
      ? "Free cancellation at any time"
      : `Free cancellation until ${timeText(until_ms, zone)}`;
  }
  if (bps === FULL_BPS && until_ms === null) return "Non-refundable";
  return `Cancellation costs ${percentText(bps)} from now`;
}

/**
 * All costs of cancelling in one sentence: `Free cancellation until 18 Dec 2026, 15:00 (Madrid
 * time); then it costs 50 % of the prepaid amount, and 100 % from 20 Dec 2026, …`.
 */
export function termsText(rows: readonly CostRow[], zone: string): string {
  const [now, ...later] = rows;
  const start = costNow(rows, zone);
  const prepaid = "of the prepaid amount";
  if (start === "Non-refundable") return "Non-refundable: the prepaid amount is kept.";
  if (later.length === 0) return now!.bps === 0 ? `${start}.` : `${start}, ${prepaid}.`;
  const steps = later.map(({ bps }, i) => {
    const share = bps === 0 ? "nothing" : percentText(bps);
    const from = rows[i]!.until_ms!;
    // The end of free cancellation was named just before.
    if (i === 0 && now!.bps === 0) return `then it costs ${share} ${prepaid}`;
    return `${share} from ${timeText(from, zone)}`;
  });
  return now!.bps === 0
    ? `${start}; ${steps.join(", and ")}.`
    : `${start}, ${[prepaid, ...steps].join(", ")}.`;
}
