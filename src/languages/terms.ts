/** Cancellation terms in a language, from the same rows as the quote's. */
import { type CostRow, costNow, termsText } from "../../engine/core/price/policy-words.ts";
import type { Formats } from "./formats.ts";
import type { Words } from "./words.ts";

const FULL_BPS = 10_000;

export interface Terms {
  readonly short: string;
  readonly full: string;
  readonly isFree: boolean;
}

/** The terms of `costRows` rows. */
export function termsIn(
  { terms: words }: Words,
  formats: Formats,
  rows: readonly CostRow[],
  zone: string,
): Terms {
  const isFree = rows[0]!.bps === 0;
  if (words === null) {
    return { short: costNow(rows, zone), full: termsText(rows, zone), isFree };
  }
  const [now, ...later] = rows as readonly [CostRow, ...CostRow[]];
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  const at = (ms: number) => words.localTime(formats.instant(ms, zone), city);
  const share = (bps: number) => (bps === 0 ? words.nothing : formats.percent(bps));
  const isLost = now.bps === FULL_BPS && now.until_ms === null;
  if (isLost) return { short: words.lost, full: `${words.lostInFull}.`, isFree };
  const costs = words.costsNow(share(now.bps));
  const free = now.until_ms === null ? words.freeAlways : words.freeUntil(at(now.until_ms));
  const start = isFree ? free : costs;
  const steps = later.map(({ bps }, i) =>
    i === 0 && isFree
      ? words.afterwards(share(bps))
      : words.from(share(bps), at(rows[i]!.until_ms!)),
  );
  return { short: start, full: `${[start, ...steps].join("; ")}.`, isFree };
}
