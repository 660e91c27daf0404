/** The language of a guest's page: words, amounts and times, and addresses that keep it. */
import type { PublicCall } from "../http/call.ts";
import { type Formats, formatsOf } from "../languages/formats.ts";
import { LANGUAGES, type Locale, localeFor, localeNamed } from "../languages/languages.ts";
import type { Words } from "../languages/words.ts";
import { rootPath } from "../pages/frame.ts";
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

export interface Tongue extends Locale {
  readonly words: PortalWords;
  /** Words of all pages. */
  readonly shared: Words;
  readonly formats: Formats;
  /** Address of a page in this language, if the visitor chose it. */
  readonly to: (path: string) => string;
}

/** By `?lang=`, else by what the browser asks for, else English. */
export function tongueOf({ context, query, request }: PublicCall): Tongue {
  const asked = query.get("lang");
  const chosen = localeNamed(asked ?? "")?.tag;
  const locale = localeFor(asked, request.headers.get("accept-language"));
  const root = rootPath(context.config);
  return {
    ...locale,
    words: PORTAL_WORDS[locale.language],
    shared: LANGUAGES[locale.language],
    formats: formatsOf(locale),
    to: (path) => root + path + (chosen === undefined ? "" : `?lang=${chosen}`),
  };
}
