/** Amounts, dates and times in a locale. */
import { dateOf, localTime } from "../../engine/core/calendar.ts";
import { exponentOf } from "../../engine/core/price/money.ts";
import { decimalOf } from "../../feeds/amounts.ts";
import type { Locale } from "./languages.ts";

export interface Formats {
  /** To the minor unit, so that the price equals the feed's. */
  readonly money: (amountMinor: number, currency: string) => string;
  readonly percent: (bps: number) => string;
  /** `Fri, 4 – Sun, 6 Dec 2026`. */
  readonly days: (fromDay: number, toDay: number) => string;
  /** Date and time in a zone. */
  readonly instant: (ms: number, zone: string) => string;
  /** The same with the zone's short name. */
  readonly zoned: (ms: number, zone: string) => string;
  /** Short name of a zone at an instant: `CET`, `GMT+9`. */
  readonly zoneName: (ms: number, zone: string) => string;
  /** `15:00` as the locale writes it. */
  readonly time: (text: string) => string;
  /** `4 Dec 2026`. */
  readonly date: (ms: number) => string;
  readonly decimal: (value: number) => string;
  /** Name of an ISO 3166-1 country. */
  readonly country: (code: string) => string;
}

const DAY_MS = 86_400_000;
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
const TIME = { hour: "numeric", minute: "2-digit" } as const;
const INSTANT = { day: "numeric", month: "short", year: "numeric", ...TIME } as const;
/** Instants are shifted and formatted as UTC: one formatter for every zone. */
const UTC = { timeZone: "UTC" } as const;

/** Formatters are slow to create, and addresses choose among hundreds of locales. */
const KEPT_MAX = 64;

/** What `make` makes of a name, kept for the next time. */
function keeping<T>(make: (name: string) => T): (name: string) => T {
  const kept = new Map<string, T>();
  return (name) => {
    let made = kept.get(name);
    if (made === undefined) {
      if (kept.size >= KEPT_MAX) kept.clear();
      made = make(name);
      kept.set(name, made);
    }
    return made;
  };
}

/** Without a region, English is formatted like cancellation terms: `4 Dec, 15:00`. */
const PLAIN_ENGLISH = "en-GB";

const formatsIn = keeping((tag) => newFormats(tag === "en" ? PLAIN_ENGLISH : tag));

/** The formats of a locale; cached. */
export function formatsOf({ tag }: Locale): Formats {
  return formatsIn(tag);
}

function newFormats(tag: string): Formats {
  const days = new Intl.DateTimeFormat(tag, { ...DAY, ...UTC });
  const instants = new Intl.DateTimeFormat(tag, { ...INSTANT, ...UTC });
  const times = new Intl.DateTimeFormat(tag, { ...TIME, ...UTC });
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: "medium", ...UTC });
  const countries = new Intl.DisplayNames(tag, { type: "region" });
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 2 });
  const percents = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 2 });
  const amountsOf = keeping((currency) => {
    const digits = exponentOf(currency);
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(tag, { style: "currency", currency, ...fraction });
  });
  const zonesOf = keeping((timeZone) => {
    return new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: "short" });
  });
  const instantText = (localText: string) => instants.format(Date.parse(`${localText}Z`));
  const zoneName = (ms: number, zone: string) => {
    const parts = zonesOf(zone).formatToParts(ms);
    return parts.find(({ type }) => type === "timeZoneName")!.value;
  };
  return {
    money: (amountMinor, currency) => {
      const decimal = decimalOf(amountMinor, currency) as Intl.StringNumericLiteral;
      return amountsOf(currency).format(decimal);
    },
    percent: (bps) => percents.format(bps / 10_000),
    days: (fromDay, toDay) => days.formatRange(fromDay * DAY_MS, toDay * DAY_MS),
    instant: (ms, zone) => {
      const { text, offset, isTwice } = localTime(ms, zone);
      const shown = instantText(text);
      return isTwice ? `${shown} (UTC${offset})` : shown;
    },
    zoned: (ms, zone) => `${instantText(localTime(ms, zone).text)} ${zoneName(ms, zone)}`,
    zoneName,
    time: (text) => times.format(Date.parse(`${dateOf(0)}T${text}Z`)),
    date: (ms) => dates.format(ms),
    decimal: (value) => numbers.format(value),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
  };
}
