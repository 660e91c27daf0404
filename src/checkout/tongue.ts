/** The words of checkout pages. */
import type { PublicCall } from "../http/call.ts";
import type { Locale } from "../languages/languages.ts";
import { type Tongue as TongueWith, tongueOf as tongueWith } from "../page-parts/tongue.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { it } from "./words/it.ts";
import { pt } from "./words/pt.ts";
import type { CheckoutWords } from "./words/words.ts";

/** Words of checkout pages by language. */
export const CHECKOUT_WORDS: Readonly<Record<Locale["language"], CheckoutWords>> = {
  ...{ en, de, es, fr, it, pt },
};

export type Tongue = TongueWith<CheckoutWords>;

/** The language of a checkout page. */
export function tongueOf(call: PublicCall): Tongue {
  return tongueWith(call, CHECKOUT_WORDS);
}
