/** Sentences of answers, each with its supporting facts. */
import type { PropertyTree } from "../../engine/core/supply.ts";
import type { Formats } from "../languages/formats.ts";
import type { Locale } from "../languages/languages.ts";
import type { Words } from "../languages/words.ts";
import { fact } from "./facts.ts";
import type { Phrases, Subject } from "./phrases/phrases.ts";

export interface Sentence {
  readonly text: string;
  readonly facts: readonly string[];
  /** Nothing is published about it; the answer refers to the hotel. */
  readonly isUnknown?: boolean;
}

/** A hotel and the language of the conversation. */
export interface Speech {
  readonly tree: PropertyTree;
  readonly phrases: Phrases;
  readonly words: Words;
  readonly formats: Formats;
  readonly locale: Locale;
}

/** A sentence with its facts. */
export function sentence(text: string, ...facts: string[]): Sentence {
  return { text, facts };
}

/** Says that nothing is published about a subject. */
export function unpublished({ phrases }: Pick<Speech, "phrases">, subject: Subject): Sentence {
  const text = phrases.unpublished(phrases.subjects[subject]);
  return { text, facts: [fact(subject, "not published")], isUnknown: true };
}
