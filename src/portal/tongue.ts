/** The words of guests' pages. */
import type { PublicCall } from "../http/call.ts";
import type { Locale } from "../languages/languages.ts";
import { type Tongue as TongueWith, tongueOf as tongueWith } from "../page-parts/tongue.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { it } from "./words/it.ts";
import { pt } from "./words/pt.ts";
import type { PortalWords } from "./words/words.ts";

/** Words of guests' pages by language. */
export const PORTAL_WORDS: Readonly<Record<Locale["language"], PortalWords>> = {
  ...{ en, de, es, fr, it, pt },
};

export type Tongue = TongueWith<PortalWords>;

/** The language of a guest's page. */
export function tongueOf(call: PublicCall): Tongue {
  return tongueWith(call, PORTAL_WORDS);
}
