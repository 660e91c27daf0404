/** Reads the party: number of adults and ages of children. */
import { type Lexicon, numberOf, numberPattern } from "./lexicon.ts";

/** The party in a text; null members are not mentioned. */
export interface PartyReading {
  readonly adults: number | null;
  readonly ages: readonly number[];
  /** Number of children without an age. */
  readonly agesMissing: number;
}

const CHILD_AGE_MAX = 17;
const PARTY_MAX = 60;

interface Forms {
  readonly adults: RegExp;
  readonly people: RegExp;
  readonly children: RegExp;
  readonly childrenOnly: RegExp;
  readonly forParty: RegExp;
  readonly ofUs: RegExp;
  readonly ages: readonly RegExp[];
}

const compiled = new Map<Lexicon, Forms>();

function formsOf(lexicon: Lexicon): Forms {
  const known = compiled.get(lexicon);
  if (known) return known;
  const number = numberPattern(lexicon);
  const { adults, people, children, forParty, ofUs, ages } = lexicon.party;
  const { nights, days } = lexicon.dates;
  const count = (nouns: string) => new RegExp(`\\b(${number}) (?:\\w+ )?(?:${nouns})\\b`);
  const notLength = `(?! ?(?:${nights}|${days}|weeks?|wochen?|semanas?|semaines?|settiman[ae]|stars?|sterne?|rooms?|zimmer|habitaci\\w+|chambres?|camer[ae]|quartos?|people|%|eur|€)\\b)`;
  const forms = {
    adults: count(adults),
    people: count(people),
    children: count(children),
    childrenOnly: new RegExp(`\\b(?:${children})\\b`),
    forParty: new RegExp(
      `\\b(?:${forParty}) (${numeral(lexicon)})\\b${notLength}(?![.:/-]?\\d)(?! ?(?:${lexicon.months.join("|")})\\b)`,
    ),
    ofUs: new RegExp(ofUs.replaceAll("#", number)),
    ages: ages.map((source) => new RegExp(source, "g")),
  };
  compiled.set(lexicon, forms);
  return forms;
}

/** A number that is not an article: `for a` is no count. */
function numeral({ numbers }: Lexicon): string {
  return ["\\d{1,2}", ...numbers.slice(1)].join("|");
}

/** Reads folded `text` without its dates and lengths. */
export function readParty(text: string, lexicon: Lexicon): PartyReading | null {
  const forms = formsOf(lexicon);
  const number = (match: RegExpExecArray | null) => {
    const found = match?.slice(1).find((each) => each !== undefined);
    return found === undefined ? null : numberOf(lexicon, found);
  };
  const ages = agesIn(text, forms.ages);
  const spoken = number(forms.children.exec(text));
  const hasChildren = spoken !== null || (ages.length > 0 && forms.childrenOnly.test(text));
  const count = Math.max(spoken ?? 0, hasChildren ? ages.length : 0);
  const withoutChildren = text.replace(forms.children, " ");
  const known = hasChildren || /\d[- ]?(?:years?|yr|jahrig)/.test(text) ? ages : [];
  const children = Math.max(count, known.length);
  const adults = adultsIn(withoutChildren, lexicon, forms, number, children);
  const isFamily = lexicon.party.family.test(text);
  if (adults === null && children === 0) {
    return isFamily ? { adults: null, ages: [], agesMissing: 1 } : null;
  }
  const agesMissing = Math.max(0, children - known.length);
  return { adults, ages: known.slice(0, children), agesMissing };
}

function adultsIn(
  text: string,
  lexicon: Lexicon,
  forms: Forms,
  number: (match: RegExpExecArray | null) => number | null,
  children: number,
): number | null {
  const { couple, alone, including } = lexicon.party;
  const adults = number(forms.adults.exec(text));
  if (adults !== null) return bounded(adults);
  const people = number(forms.people.exec(text)) ?? number(forms.ofUs.exec(text));
  if (people !== null) {
    return bounded(including.test(text) && people > children ? people - children : people);
  }
  const forParty = number(forms.forParty.exec(text));
  if (forParty !== null) return bounded(forParty);
  if (couple.test(text)) return 2;
  return alone.test(text) ? 1 : null;
}

function bounded(count: number): number | null {
  return count >= 1 && count <= PARTY_MAX ? count : null;
}

function agesIn(text: string, patterns: readonly RegExp[]): number[] {
  const found = new Map<number, number>();
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const at = match.index + match[0].indexOf(match[1]!);
      found.set(at, Number(match[1]));
      // `4 and 7 years`: numbers joined to an age are ages.
      const before = /((?:\d{1,2}\s*(?:,|&|and|und|y|e|et)\s*)+)$/.exec(text.slice(0, at));
      for (const each of before?.[1]?.matchAll(/\d{1,2}/g) ?? []) {
        found.set(at - before![1]!.length + each.index, Number(each[0]));
      }
      const end = match.index + match[0].length;
      const after = /^((?:\s*(?:,|&|and|und|y|e|et)\s*\d{1,2})+)(?![\d.:/])/.exec(text.slice(end));
      for (const each of after?.[1]?.matchAll(/\d{1,2}/g) ?? []) {
        found.set(end + each.index, Number(each[0]));
      }
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b).map(([, age]) => age);
  return sorted.filter((age) => age <= CHILD_AGE_MAX);
}

/** The numbers of a text with nothing else, as an answer to the question for ages. */
export function bareAges(text: string): number[] {
  const ages = (text.match(/\b\d{1,2}\b/g) ?? []).map(Number);
  return ages.every((age) => age <= CHILD_AGE_MAX) ? ages : [];
}
