/** Reads a stay from a text: days in any usual form, with a length or an end. */
import { isWithinHorizon } from "../../engine/core/availability/horizon.ts";
import { STAY_NIGHTS_MAX } from "../../engine/core/price/quote.ts";
import { type DayProblem, type Mention, mentionsIn } from "./day-mentions.ts";
import { type Lexicon, numberOf, numberPattern } from "./lexicon.ts";

export interface AskedStay {
  readonly checkInDay: number;
  readonly nights: number;
  /** True when neither end nor length was given. */
  readonly isNightAssumed: boolean;
}

/** Why the dates are not a valid stay. */
export type StayProblem = DayProblem | "past" | "far" | "long" | "order" | "vague" | "end_only";

export type StayReading =
  | { readonly is: "none" }
  | { readonly is: "stay"; readonly stay: AskedStay }
  /** A length without a day. */
  | { readonly is: "nights"; readonly nights: number }
  | { readonly is: "unclear"; readonly problem: StayProblem };

/** A reading, and the text without the words it used. */
export interface StayRead {
  readonly reading: StayReading;
  readonly rest: string;
}

interface Lengths {
  readonly nights: RegExp;
  readonly days: RegExp;
  readonly weeks: RegExp;
}

const compiled = new Map<Lexicon, Lengths>();

function lengthsOf(lexicon: Lexicon): Lengths {
  const known = compiled.get(lexicon);
  if (known) return known;
  const number = numberPattern(lexicon);
  const { nights, days, forWeeks } = lexicon.dates;
  const lengths = {
    nights: new RegExp(`\\b(${number})[- ](?:${nights})\\b`),
    days: new RegExp(`\\b(${number}) (?:${days})\\b`),
    weeks: new RegExp(forWeeks.replace("#", `(${number})`)),
  };
  compiled.set(lexicon, lengths);
  return lengths;
}

/** Reads folded `text`; `todayDay` is today at the property. */
export function readStay(
  text: string,
  lexicon: Lexicon,
  today: { readonly todayDay: number; readonly dayFirst: boolean | null },
): StayRead {
  const { found, problem, rest } = mentionsIn(text, lexicon, today);
  const { nights, days, weeks } = lengthsOf(lexicon);
  const night = nights.exec(rest);
  const week = weeks.exec(rest);
  const length = night
    ? numberOf(lexicon, night[1]!)
    : week && (found.length > 0 || /\d|fur|fuer|for|por|pour|per|durante/.test(week[0]))
      ? 7 * numberOf(lexicon, week[1]!)
      : null;
  const left = rest.replace(nights, " ").replace(weeks, " ");
  const unclear = (is: StayProblem): StayRead => {
    return { reading: { is: "unclear", problem: is }, rest: left };
  };
  if (problem) return unclear(problem);
  if (found.length === 0) {
    if (length !== null) return { reading: { is: "nights", nights: length }, rest: left };
    if (lexicon.dates.vague.test(rest)) return unclear("vague");
    return { reading: { is: "none" }, rest };
  }
  const stay = stayOf(found, length, { text, rest, days, lexicon });
  if (typeof stay === "string") return unclear(stay);
  const fault = faultOf(stay, today.todayDay);
  return fault ? unclear(fault) : { reading: { is: "stay", stay }, rest: left };
}

function stayOf(
  found: readonly Mention[],
  length: number | null,
  { text, rest, days, lexicon }: { text: string; rest: string; days: RegExp; lexicon: Lexicon },
): AskedStay | StayProblem {
  const [first, second, ...more] = found as [Mention, Mention | undefined, ...Mention[]];
  if (more.length > 0) return "vague";
  const from = first.day;
  if (second) {
    if (first.endDay !== undefined || second.endDay !== undefined) return "vague";
    const checkOut = endAfter(from, second);
    return { checkInDay: from, nights: checkOut - from, isNightAssumed: false };
  }
  if (length !== null) return { checkInDay: from, nights: length, isNightAssumed: false };
  if (first.endDay !== undefined) {
    return { checkInDay: from, nights: first.endDay - from, isNightAssumed: false };
  }
  // Only an end, or a length in days, which may mean one night less.
  if (lexicon.dates.until.test(text.slice(Math.max(0, first.at - 12), first.at))) return "end_only";
  if (days.test(rest)) return "vague";
  return { checkInDay: from, nights: 1, isNightAssumed: true };
}

const WEEK_DAYS = 7;
const YEAR_DAYS = 365;

/** The end of a stay: a weekday is the first after its start, a day without year the next. */
function endAfter(from: number, { kind, day, isYearless }: Mention): number {
  if (day > from) return day;
  if (kind === "weekday") return day + WEEK_DAYS * Math.ceil((from + 1 - day) / WEEK_DAYS);
  return isYearless && day < from ? day + YEAR_DAYS : day;
}

function faultOf({ checkInDay, nights }: AskedStay, todayDay: number): StayProblem | null {
  if (nights <= 0) return "order";
  if (nights > STAY_NIGHTS_MAX) return "long";
  if (checkInDay < todayDay) return "past";
  return isWithinHorizon(checkInDay, nights, todayDay) ? null : "far";
}
