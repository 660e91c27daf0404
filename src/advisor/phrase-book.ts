/** The sentences of all six languages. */
import type { Language } from "./language.ts";
import { de } from "./phrases/de.ts";
import { en } from "./phrases/en.ts";
import { es } from "./phrases/es.ts";
import { fr } from "./phrases/fr.ts";
import { it } from "./phrases/it.ts";
import { pt } from "./phrases/pt.ts";
import type { Phrases } from "./phrases.ts";

export const PHRASES: Readonly<Record<Language, Phrases>> = { en, de, es, fr, it, pt };
