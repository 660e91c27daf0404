/** The language of a guest's page: words, amounts and times, and addresses that keep it. */
import type { PublicCall } from "../http/call.ts";
import { type Formats, formatsOf } from "../languages/formats.ts";
import { LANGUAGES, type Locale, localeFor } from "../languages/languages.ts";
import { STAY_WORDS } from "../languages/stay/stay-words.ts";
import type { StayWords } from "../languages/stay/words.ts";
import type { Words } from "../languages/words.ts";
import { rootPath } from "../pages/frame.ts";
import { textQuery } from "./page-contract.ts";

/** Query of the routes of such pages. */
export const LANG = { lang: textQuery("Language of the page.") };

/** `W`: words that some pages alone need. */
export interface Tongue<W extends object = object> extends Locale {
  /** About the stay, and those of these pages. */
  readonly words: StayWords & W;
  /** Of all pages. */
  readonly shared: Words;
  readonly formats: Formats;
  /** `?lang=…` if the visitor chose the language; else empty. */
  readonly query: string;
  /** Address of a page in this language, if the visitor chose it. */
  readonly to: (path: string) => string;
}

/** By `?lang=`, else by what the browser asks for, else English. */
export function tongueOf<W extends object>(
  { context, query: sent, request }: PublicCall,
  own: Readonly<Record<Locale["language"], W>>,
): Tongue<W> {
  const asked = sent.get("lang");
  const locale = localeFor(asked, request.headers.get("accept-language"));
  const { language, tag } = locale;
  const root = rootPath(context.config);
  const query = asked === undefined ? "" : `?lang=${tag}`;
  return {
    ...locale,
    words: { ...STAY_WORDS[language], ...own[language] },
    shared: LANGUAGES[language],
    formats: formatsOf(locale),
    query,
    to: (path) => root + path + query,
  };
}
