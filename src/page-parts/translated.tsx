/** The document around what a guest sees: no script, and a link for each language. */
import type { VNode } from "preact";
import { LANGUAGES } from "../languages/languages.ts";
import { renderedPlain } from "./document.tsx";
import type { Tongue } from "./tongue.ts";

interface Translated {
  /** Nothing of a guest. */
  readonly title: string;
  readonly main: VNode;
  readonly isTest: boolean;
  /** Path that shows the page: not always that of the form that it answers. */
  readonly path: string;
  /** Query that the links of the languages keep. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** The document in a language; `root` is from `rootPath`. */
export function renderedIn(
  root: string,
  tongue: Tongue,
  { title, main, isTest, path, kept = {} }: Translated,
): Promise<string> {
  const { words, language: lang } = tongue;
  const body = (
    <>
      {main}
      <Languages path={root + path} kept={kept} tongue={tongue} />
    </>
  );
  return renderedPlain(root, { title, main: body, isTest: isTest && words.test, lang });
}

interface LanguagesOf {
  readonly path: string;
  readonly kept: Readonly<Record<string, string>>;
  readonly tongue: Tongue;
}

function Languages({ path, kept, tongue: { language, shared } }: LanguagesOf) {
  return (
    <nav class="languages" aria-label={shared.language}>
      {Object.entries(LANGUAGES).map(([lang, { name }]) => (
        <a
          href={`${path}?${new URLSearchParams({ ...kept, lang })}`}
          lang={lang}
          hreflang={lang}
          aria-current={lang === language ? "true" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
