/** State of a session from earlier questions: stay, party and missing ages. */
import { todayIn } from "../../engine/core/calendar.ts";
import type { Party } from "../../engine/core/price/quote.ts";
import { localeNamed } from "../languages/languages.ts";
import { type Language, languageOf } from "./language.ts";
import { bareAges, type PartyReading } from "./party.ts";
import type { AskedStay } from "./stay.ts";
import { folded, spaced } from "./text.ts";
import { type Understanding, understand } from "./understand.ts";

/** A question and its time. */
export interface Asked {
  readonly text: string;
  /** Engine time, epoch milliseconds. */
  readonly atMs: number;
}

/** The state so far. */
export interface Standing {
  readonly stay: AskedStay | null;
  readonly adults: number | null;
  readonly ages: readonly number[];
  readonly agesMissing: number;
  /** Of the last question with a recognizable language. */
  readonly language: Language | null;
}

export interface Turn {
  readonly understood: Understanding;
  readonly standing: Standing;
  /** True when this question changed stay or party. */
  readonly isChanged: boolean;
}

/** Bounds the cost of long sessions. */
const EARLIER_CHARACTERS_MAX = 6_000;

const NOTHING: Standing = { stay: null, adults: null, ages: [], agesMissing: 0, language: null };

/** Reads the last question after earlier ones; days are in the property's zone. */
export function readTurn(
  questions: readonly Asked[],
  { timezone, locale }: { readonly timezone: string; readonly locale: string | null },
): Turn {
  const session = locale === null ? null : localeNamed(locale);
  let standing = NOTHING;
  let turn: Turn | null = null;
  for (const { text: written, atMs } of latest(questions)) {
    const text = spaced(written);
    const found = languageOf(text, folded(text));
    const language = found ?? session?.language ?? standing.language ?? "en";
    const dayFirst = isDayFirst(language, session?.tag ?? language);
    const reader = { language, todayDay: todayIn(timezone, atMs), dayFirst };
    const understood = understand(text, reader);
    turn = advanced({ ...standing, language: found ?? standing.language }, understood, text);
    standing = turn.standing;
  }
  return turn!;
}

/** The last question and the latest earlier ones within the limit. */
function latest(questions: readonly Asked[]): readonly Asked[] {
  let first = questions.length - 1;
  let left = EARLIER_CHARACTERS_MAX;
  while (first > 0) {
    left -= questions[first - 1]!.text.length;
    if (left < 0) break;
    first -= 1;
  }
  return questions.slice(first);
}

/** Only English has both orders; the region decides. */
function isDayFirst(language: Language, tag: string): boolean | null {
  if (language !== "en") return true;
  return tag === "en-US" ? false : tag.startsWith("en-") ? true : null;
}

function advanced(before: Standing, understood: Understanding, text: string): Turn {
  const { stay: reading } = understood;
  const stay =
    reading.is === "stay"
      ? reading.stay
      : reading.is === "nights" && before.stay
        ? { ...before.stay, nights: reading.nights, isNightAssumed: false }
        : before.stay;
  const ages = understood.party === null ? answeredAges(before, understood, text) : null;
  const party = understood.party ?? ages;
  const standing = {
    ...{ stay, language: before.language },
    adults: party?.adults ?? before.adults,
    ages: party && (party.ages.length > 0 || party.agesMissing > 0) ? party.ages : before.ages,
    agesMissing: party ? party.agesMissing : before.agesMissing,
  };
  const isChanged = stay !== before.stay || party !== null;
  return { understood: ages ? { ...understood, unknown: 0 } : understood, standing, isChanged };
}

/** Bare numbers after ages were asked for. */
function answeredAges(
  { agesMissing }: Standing,
  { stay }: Understanding,
  text: string,
): PartyReading | null {
  if (agesMissing === 0 || stay.is !== "none") return null;
  const ages = bareAges(folded(text));
  return ages.length === 0 ? null : { adults: null, ages, agesMissing: 0 };
}

/** The party; two adults by default. */
export function partyIn({ adults, ages }: Standing): Party {
  return { adults: adults ?? 2, children: ages.map((age) => ({ age })) };
}
