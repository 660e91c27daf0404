/** Numbers in words and digits, as patterns and values of a language. */
import type { Lexicon } from "./lexicon.ts";

/** Source of a pattern for a number of a language, without groups that capture. */
export function numberPattern({ numbers }: Lexicon): string {
  return `(?:\\d{1,2}|${numbers.join("|")}|zweit|dritt|viert|funft)`;
}

const GERMAN_COLLECTIVES = ["zweit", "dritt", "viert", "funft"];

/** The value of what `numberPattern` has found. */
export function numberOf({ numbers }: Lexicon, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const collective = GERMAN_COLLECTIVES.indexOf(text);
  if (collective >= 0) return collective + 2;
  return numbers.findIndex((variants) => new RegExp(`^(?:${variants})$`).test(text)) + 1;
}
