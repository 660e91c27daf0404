/** Texts about one stay in every language. */
import type { Locale } from "../languages.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { pt } from "./pt.ts";
import type { StayWords } from "./words.ts";

export const STAY_WORDS: Readonly<Record<Locale["language"], StayWords>> = {
  ...{ en, de, es, fr, it, pt },
};
