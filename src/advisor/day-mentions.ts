/** Days in a text, in order: dates, weekdays, weekends, tomorrow. */
import { dateOf, dayOf, weekdayOf } from "../../engine/core/calendar.ts";
import { type Lexicon, numberOf, numberPattern } from "./lexicon.ts";
import { blanked } from "./text.ts";

export type DayProblem = "no_such_date" | "ambiguous_date";

/** A day, or a range of days. */
export interface Mention {
  readonly at: number;
  readonly kind: "date" | "weekday" | "weekend";
  readonly day: number;
  readonly endDay?: number;
  /** No year was given, so the end of a stay may be a year later. */
  readonly isYearless?: boolean;
}

export interface Mentions {
  readonly found: readonly Mention[];
  readonly problem: DayProblem | null;
  /** The text without the mentions. */
  readonly rest: string;
}

/** Compiled date patterns of a language. */
interface Forms {
  readonly range: RegExp;
  readonly rangeAfterMonth: RegExp;
  readonly dayMonth: RegExp;
  readonly monthDay: RegExp;
  readonly inDays: RegExp;
  readonly inWeeks: RegExp;
  readonly weekday: RegExp;
}

const ISO = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/;
const NUMERIC = /(?<![\d.,:/])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])/;
const DOTTED = /(?<![\d.,:])(\d{1,2})\.\s?(\d{1,2})\.(?!\d)/;
const BARE =
  /(?<![\d.,:/])(\d{1,2})([./])(\d{1,2})(?![\d.:/%]|\s*(?:uhr|h\b|am\b|pm\b|eur|€|stars|qm|m2|m²))/;
const ORDINAL = "(?:st|nd|rd|th|er|\\.|º|ª|°)?";
/** Words between the two days of a range. */
const TO =
  "\\s*(?:-|to|until|till|through|and|bis|und|al|hasta|y|au|jusqu'?au|et|fino al|e|a|ao|ate)\\s*" +
  "(?:the |den |dem |zum |el |le |il |o |dia |ao |al |au )?";
/** Text before the weekday of departure; not before `6 December, a Sunday`. */
const TO_WEEKDAY = /(?:-|(?<!,)\s(?:to|through|al|au|a|ao))\s*$/;
const RANGE_NUMERIC = new RegExp(
  `(?<![\\d.,:/])(\\d{1,2})\\.?${TO}(\\d{1,2})([./])(\\d{1,2})(?:\\3(\\d{4}|\\d{2}))?(?![\\d:])`,
);
const YEAR = "(?:\\s*,?\\s*(?:de |del |of )?(\\d{4})\\b(?!-))?";

const compiled = new Map<Lexicon, Forms>();

function formsOf(lexicon: Lexicon): Forms {
  const known = compiled.get(lexicon);
  if (known) return known;
  const month = `(${lexicon.months.join("|")})\\b\\.?`;
  const day = `(?<![\\d.,:/])(\\d{1,2})${ORDINAL}`;
  const of = "\\s*(?:of |de |di |d'|del )?\\s*";
  const number = numberPattern(lexicon);
  const filled = (source: string) => new RegExp(source.replace("#", `(${number})`));
  const forms = {
    range: new RegExp(`${day}${TO}(\\d{1,2})${ORDINAL}${of}\\b${month}${YEAR}`),
    rangeAfterMonth: new RegExp(
      `\\b${month}\\s*(\\d{1,2})${ORDINAL}${TO}(\\d{1,2})${ORDINAL}(?!\\d)(?! (?:nights|adults|people|guests|rooms))${YEAR}`,
    ),
    dayMonth: new RegExp(`${day}${of}\\b${month}${YEAR}`),
    monthDay: new RegExp(`\\b${month}\\s*(?:the )?(\\d{1,2})${ORDINAL}(?![\\d:])${YEAR}`),
    inDays: filled(lexicon.dates.inDays),
    inWeeks: filled(lexicon.dates.inWeeks),
    weekday: new RegExp(`\\b(?:${lexicon.weekdays.map((each) => `(${each})`).join("|")})\\b`),
  };
  compiled.set(lexicon, forms);
  return forms;
}

class Reader {
  readonly #lexicon: Lexicon;
  readonly #todayDay: number;
  readonly #dayFirst: boolean | null;
  #text: string;
  #problem: DayProblem | null = null;
  readonly #found: Mention[] = [];

  constructor(
    text: string,
    lexicon: Lexicon,
    today: { todayDay: number; dayFirst: boolean | null },
  ) {
    this.#text = text;
    this.#lexicon = lexicon;
    this.#todayDay = today.todayDay;
    this.#dayFirst = today.dayFirst;
  }

  read(): Mentions {
    this.#readDates();
    this.#readRelative();
    const all = this.#found.sort((a, b) => a.at - b.at);
    const dates = all.filter(({ kind }) => kind === "date");
    const found = dates.length === 0 ? all : [...dates, ...this.#endOf(dates, all.at(-1)!)];
    return { found, problem: this.#problem, rest: this.#text };
  }

  /** A weekday beside a date repeats it, unless it is the departure: `tomorrow to Sunday`. */
  #endOf(dates: readonly Mention[], last: Mention): Mention[] {
    const [start] = dates;
    if (dates.length > 1 || start!.endDay !== undefined || last.kind !== "weekday") return [];
    const before = this.#text.slice(0, last.at);
    const isEnd = TO_WEEKDAY.test(before) || this.#lexicon.dates.until.test(before.slice(-12));
    return isEnd ? [last] : [];
  }

  /** Takes every match of `pattern`; matches without a result of `make` stay in the text. */
  #take(pattern: RegExp, make: (match: RegExpExecArray) => Omit<Mention, "at"> | null): void {
    let from = 0;
    for (;;) {
      const match = pattern.exec(this.#text.slice(from));
      if (match === null) return;
      const at = from + match.index;
      const made = make(match);
      from = at + Math.max(1, match[0].length);
      if (made === null) continue;
      this.#found.push({ at, ...made });
      this.#text = blanked(this.#text, at, match[0].length);
    }
  }

  #readDates(): void {
    const forms = formsOf(this.#lexicon);
    const month = (name: string) => {
      return this.#lexicon.months.findIndex((each) => new RegExp(`^(?:${each})$`).test(name)) + 1;
    };
    this.#take(ISO, ([, y, m, d]) => this.#date(Number(y), Number(m), Number(d)));
    this.#take(forms.range, ([, from, to, name, year]) =>
      this.#range(Number(from), Number(to), month(name!), year),
    );
    this.#take(forms.rangeAfterMonth, ([, name, from, to, year]) =>
      this.#range(Number(from), Number(to), month(name!), year),
    );
    this.#take(forms.dayMonth, ([, d, name, year]) => this.#date(year, month(name!), Number(d)));
    this.#take(forms.monthDay, ([, name, d, year]) => this.#date(year, month(name!), Number(d)));
    this.#take(NUMERIC, ([, a, , b, year]) => this.#numeric(Number(a), Number(b), year));
    this.#take(RANGE_NUMERIC, ([, from, to, mark, m, year]) =>
      mark === "." || this.#dayFirst
        ? this.#range(Number(from), Number(to), Number(m), year)
        : null,
    );
    this.#take(DOTTED, ([, d, m]) => this.#date(undefined, Number(m), Number(d)));
    this.#take(BARE, ([, a, mark, b]) => {
      if (Number(a) > 31 || Number(b) > 31 || Math.min(Number(a), Number(b)) > 12) return null;
      if (mark === ".") return Number(b) > 12 ? null : this.#date(undefined, Number(b), Number(a));
      return this.#numeric(Number(a), Number(b), undefined);
    });
  }

  #readRelative(): void {
    const { dates } = this.#lexicon;
    const forms = formsOf(this.#lexicon);
    const today = this.#todayDay;
    const value = (text: string | undefined) => numberOf(this.#lexicon, text!);
    const date = (day: number) => ({ kind: "date", day }) as const;
    this.#take(dates.dayAfterTomorrow, () => date(today + 2));
    this.#take(dates.tomorrow, () => date(today + 1));
    this.#take(dates.today, () => date(today));
    this.#take(forms.inDays, ([, count]) => date(today + value(count)));
    this.#take(forms.inWeeks, ([, count]) => date(today + 7 * value(count)));
    const weekend = (day: number) => ({ kind: "weekend", day, endDay: sundayOf(day) }) as const;
    this.#take(dates.weekendAfter, () => weekend(fridayFrom(today + 1) + 7));
    this.#take(dates.nextWeekend, () => weekend(fridayFrom(today + 1)));
    this.#take(dates.weekend, () => weekend(thisWeekend(today)));
    this.#take(forms.weekday, (match) => {
      const weekday = match.slice(1).findIndex((each) => each !== undefined);
      // Two-letter weekdays count only in capitals, which folded text does not have.
      if (match[0].length <= 2) return null;
      return { kind: "weekday", day: today + ((weekday - weekdayOf(today) + 7) % 7) };
    });
  }

  #numeric(a: number, b: number, year: string | undefined) {
    if (a > 12) return this.#date(year, b, a);
    if (b > 12) return this.#date(year, a, b);
    if (this.#dayFirst === null && a !== b) this.#problem = "ambiguous_date";
    return this.#dayFirst ? this.#date(year, b, a) : this.#date(year, a, b);
  }

  #date(year: string | number | undefined, month: number, day: number) {
    const found = this.#dayOn(year, month, day, this.#todayDay);
    return found === null ? null : { kind: "date" as const, day: found, isYearless: !year };
  }

  #range(from: number, to: number, month: number, year: string | undefined) {
    const end = this.#dayOn(year, month, to, this.#todayDay);
    const start = this.#dayOn(year ?? (end === null ? undefined : yearOf(end)), month, from, 0);
    if (end === null || start === null || end <= start) return null;
    return { kind: "date" as const, day: start, endDay: end };
  }

  /** Without a year the next such day from `fromDay` on. */
  #dayOn(
    year: string | number | undefined,
    month: number,
    day: number,
    fromDay: number,
  ): number | null {
    if (year !== undefined) {
      const full = Number(year) < 100 ? 2000 + Number(year) : Number(year);
      return this.#real(full, month, day);
    }
    const first = yearOf(fromDay);
    for (let each = first; each <= first + 4; each += 1) {
      const found = dayOf(`${each}-${two(month)}-${two(day)}`);
      if (found >= fromDay) return found;
    }
    return this.#real(first, month, day);
  }

  #real(year: number, month: number, day: number): number | null {
    const found = dayOf(`${year}-${two(month)}-${two(day)}`);
    if (!Number.isNaN(found)) return found;
    this.#problem = "no_such_date";
    return null;
  }
}

const FRIDAY = 4;
const SUNDAY = 6;
const two = (value: number) => String(value).padStart(2, "0");

function yearOf(day: number): number {
  return Number(dateOf(day).slice(0, 4));
}

/** The first Friday from a day on. */
function fridayFrom(day: number): number {
  return day + ((FRIDAY - weekdayOf(day) + 7) % 7);
}

/** The Friday of the current or coming weekend; on Saturday and Sunday, the day itself. */
function thisWeekend(today: number): number {
  const weekday = weekdayOf(today);
  return weekday > FRIDAY ? today : fridayFrom(today);
}

/** The Sunday of a weekend, at least one night later. */
function sundayOf(day: number): number {
  return Math.max(day + 1, day + (SUNDAY - weekdayOf(day)));
}

/** The days in folded `text`, relative to `todayDay` at the property. */
export function mentionsIn(
  text: string,
  lexicon: Lexicon,
  today: { readonly todayDay: number; readonly dayFirst: boolean | null },
): Mentions {
  return new Reader(text, lexicon, today).read();
}
