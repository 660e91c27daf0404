import type { Language } from "../language.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import type { Phrases } from "./phrases.ts";
import { pt } from "./pt.ts";

export const PHRASES: Readonly<Record<Language, Phrases>> = { en, de, es, fr, it, pt };
