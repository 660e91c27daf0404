/** Reads the amounts and the dates out of a text in one of the advisor's languages. */
import { LANGUAGES } from "./advisor-facts.ts";

const CURRENCY = "(?:EUR|GBP|USD|JPY|CHF|US\\$|€|£|\\$|¥|euros?\\b)";
const NUMBER = "\\d[\\d.,'’\\s]*\\d|\\d";
const PRICED = new RegExp(`${CURRENCY}\\s?(${NUMBER})|(${NUMBER})\\s?${CURRENCY}`, "giu");

/** Amounts that stand beside a currency, in minor units; yen have none. */
export function amountsIn(text: string, currency: string): number[] {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, " ");
  return [...plain.matchAll(PRICED)].map(([, after, before]) =>
    minorOf((after ?? before)!, currency),
  );
}

function minorOf(written: string, currency: string): number {
  const compact = written.replaceAll(/['’\s]/g, "");
  const decimals = currency !== "JPY" && /[.,]\d\d$/.test(compact) ? compact.slice(-2) : "";
  const whole = decimals === "" ? compact : compact.slice(0, -3);
  const units = Number(whole.replaceAll(/[.,]/g, ""));
  return currency === "JPY" ? units : units * 100 + Number(decimals);
}

/** Lower case names and short names of months, with the number of the month. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((language) =>
    Array.from({ length: 12 }, (_, month) => month).flatMap((month) =>
      (["long", "short"] as const).map((style): [string, number] => {
        const format = new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" });
        const name = format
          .format(Date.UTC(2026, month, 15))
          .toLowerCase()
          .replace(/\.$/, "");
        return [name, month + 1];
      }),
    ),
  ),
);

const NAMES = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join("|");
const NAMED = new RegExp(
  `(\\d{1,2})(?:\\.|º|er)?\\s(?:de\\s)?(${NAMES})(?![\\p{L}])\\.?(?:,?\\s(?:de\\s)?(\\d{4}))?`,
  "giu",
);
const NAMED_FIRST = new RegExp(`\\b(${NAMES})\\.?\\s(\\d{1,2})\\b(?:,\\s(\\d{4}))?`, "giu");
const ISO = /\b(\d{4})-(\d\d)-(\d\d)\b/g;
const NUMERIC = /\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/g;

/** Dates as `YYYY-MM-DD`, or `MM-DD` where no year is said. */
export function datesIn(text: string): string[] {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, " ").toLowerCase();
  const found = (day: string, month: number, year?: string) =>
    `${year ? `${year}-` : ""}${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return [
    ...[...plain.matchAll(ISO)].map(([all]) => all),
    ...[...plain.matchAll(NUMERIC)].map(([, day, month, year]) => found(day!, Number(month), year)),
    ...[...plain.matchAll(NAMED)].map(([, day, name, year]) =>
      found(day!, MONTHS.get(name!)!, year),
    ),
    ...[...plain.matchAll(NAMED_FIRST)].map(([, name, day, year]) =>
      found(day!, MONTHS.get(name!)!, year),
    ),
  ];
}
