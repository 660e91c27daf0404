import { expect, test } from "bun:test";
import { type Language, LEXICONS } from "./language.ts";
import { readParty } from "./party.ts";
import { folded } from "./text.ts";

/** Adults, ages of children, and `?` for each age that is missing. */
function partyOf(language: Language, text: string): string {
  const read = readParty(folded(text), LEXICONS[language]);
  if (read === null) return "none";
  const { adults, ages, agesMissing } = read;
  return [adults ?? "-", ...ages, ..."?".repeat(agesMissing)].join(" ");
}

const SAID: readonly (readonly [Language, string, string])[] = [
  ["en", "a room for two", "2"],
  ["en", "2 adults and a child of 6", "2 6"],
  ["en", "two adults with kids aged 4 and 7", "2 4 7"],
  ["en", "my wife and I with our 6-year-old son", "2 6"],
  ["en", "4 people including 2 children (3 and 5 years old)", "2 3 5"],
  ["en", "two adults and two children", "2 ? ?"],
  ["en", "for me alone", "1"],
  ["en", "for two nights", "none"],
  ["en", "Is there a room for 12 December", "none"],
  ["de", "für zwei Personen", "2"],
  ["de", "zu zweit", "2"],
  ["de", "2 Erwachsene und ein Kind von 6 Jahren", "2 6"],
  ["de", "2 Erwachsene und 1 Kind (6 Jahre)", "2 6"],
  ["de", "wir sind zu dritt", "3"],
  ["es", "para dos adultos y un niño de 6 años", "2 6"],
  ["es", "una familia con dos niños", "- ? ?"],
  ["es", "somos tres", "3"],
  ["fr", "pour deux personnes", "2"],
  ["fr", "2 adultes et 1 enfant de 6 ans", "2 6"],
  ["it", "per due adulti e due bambini di 4 e 7 anni", "2 4 7"],
  ["it", "siamo in tre", "3"],
  ["pt", "para dois adultos e uma criança de 6 anos", "2 6"],
  ["pt", "um casal", "2"],
];

test.each(SAID)("%s: %s", (language, text, expected) => {
  expect(partyOf(language, text)).toBe(expected);
});
