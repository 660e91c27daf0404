/** Figures as people read them. */
import { exponentOf } from "../../../engine/core/price/money.ts";
import { formatsOf } from "../../languages/formats.ts";

const FORMATS = formatsOf({ language: "en", tag: "en" });
const COMPACT = new Intl.NumberFormat("en-GB", {
  ...{ notation: "compact", maximumFractionDigits: 1 },
});
/** A share is shown to a tenth of a percent. */
const PARTS = 1_000;
const PART_BPS = 10;
/** What there is none of. */
export const NONE = "—";

/** `71.2%`. */
export function percentText(share: number | null): string {
  return share === null ? NONE : FORMATS.percent(Math.round(share * PARTS) * PART_BPS);
}

/** `1,204`. */
export function countText(count: number | null): string {
  return count === null ? NONE : FORMATS.decimal(count);
}

/** `€118.20`, also below nothing. */
export function moneyText(amount: number | null, currency: string): string {
  if (amount === null) return NONE;
  return `${amount < 0 ? "−" : ""}${FORMATS.money(Math.abs(amount), currency)}`;
}

/** `1.2k`: amounts in a place that has no room for all digits, without the currency. */
export function shortText(amount: number, currency: string): string {
  return COMPACT.format(amount / 10 ** exponentOf(currency));
}

/** `+42`, `−3`, `0`. */
export function signedText(count: number): string {
  const sign = count > 0 ? "+" : count < 0 ? "−" : "";
  return sign + FORMATS.decimal(Math.abs(count));
}

/** How a share differs from the one before: `+6.2 points`; null where one of them is missing. */
export function pointsText(now: number | null, then: number | null): string | null {
  if (now === null || then === null) return null;
  const points = (Math.round(now * PARTS) - Math.round(then * PARTS)) / (PARTS / 100);
  return `${signedText(points)} points`;
}

/** How an amount differs from the one before: `+12.5%`; null where there was none. */
export function changeText(now: number | null, then: number | null): string | null {
  if (now === null || then === null || then <= 0) return null;
  const parts = Math.round(((now - then) / then) * PARTS);
  const sign = parts > 0 ? "+" : parts < 0 ? "−" : "";
  return sign + FORMATS.percent(Math.abs(parts) * PART_BPS);
}
