import { expect, test } from "bun:test";
import { LANGUAGES } from "../../languages/languages.ts";
import { STAY_WORDS } from "../../languages/stay/stay-words.ts";
import { CHECKOUT_WORDS } from "../tongue.ts";

/** Every text of one language by its path, functions called with the same values. */
function textsOf(words: object): Map<string, string> {
  const texts = Object.entries(words).flatMap(([name, value]): [string, string][] => {
    if (typeof value === "function") return [[name, String(value("12", "13"))]];
    if (typeof value === "string") return [[name, value]];
    return [...textsOf(value)].map(([inner, text]) => [`${name}.${inner}`, text]);
  });
  return new Map(texts);
}

/** Words that English has in common with a language. */
const COMMON: ReadonlySet<string> = new Set([
  ...["de hotel", "es hotel", "it hotel", "pt hotel"],
  "fr receiptKinds.booking_confirmed",
]);

test("no language has a text of English, except words that they have in common", () => {
  for (const all of [CHECKOUT_WORDS, STAY_WORDS]) {
    const english = textsOf(all.en);
    for (const language of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
      const texts = textsOf(all[language]);
      expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
      if (language === "en") continue;
      const same = [...texts].filter(([name, text]) => text === english.get(name));
      const unknown = same.map(([name]) => `${language} ${name}`).filter((at) => !COMMON.has(at));
      expect(unknown).toEqual([]);
    }
  }
});
