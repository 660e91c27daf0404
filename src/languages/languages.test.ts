import { expect, test } from "bun:test";
import fc from "fast-check";
import { type CostRow, rowsFrom, termsText } from "../../engine/core/price/policy-words.ts";
import { formatsOf } from "./formats.ts";
import { LANGUAGES, localeFor } from "./languages.ts";
import { termsIn } from "./terms.ts";

const ZONE = "Europe/Madrid";
const AT = Date.UTC(2026, 8, 1, 12);
const ALL = Object.keys(LANGUAGES).map((tag) => localeFor(tag, null));

test("the language is that of the address, else of the browser, else English", () => {
  const tag = (lang: string | undefined, accept: string | null = null) =>
    localeFor(lang, accept).tag;
  expect([tag("de"), tag("DE-ch"), tag("pt_br"), tag("en-US"), tag(" fr ")]).toEqual([
    "de",
    "de-CH",
    "pt-BR",
    "en-US",
    "fr",
  ]);
  expect([tag(undefined, "ja, it-IT;q=0.9, de"), tag(undefined, "ja"), tag(undefined)]).toEqual([
    "it-IT",
    "en",
    "en",
  ]);
  // A partner that names a language we do not have means no other that the browser likes.
  expect([tag("ja", "de"), tag("(USER-LANGUAGE)"), tag(""), tag("constructor")]).toEqual(
    Array(4).fill("en"),
  );
});

test("amounts show every minor unit of their currency, exactly", () => {
  const { money } = formatsOf(localeFor("en", null));
  expect(money(9_007_199_254_740_991, "EUR")).toBe("€90,071,992,547,409.91");
  expect([money(12_000, "JPY"), money(1_250, "KWD"), money(5, "USD")]).toEqual([
    "JP¥12,000",
    "KWD\u00a01.250",
    "US$0.05",
  ]);
  expect(formatsOf(localeFor("de", null)).money(123_456, "EUR")).toBe("1.234,56\u00a0€");
});

test("in English the terms are the text of a quote", () => {
  const row = fc.record({
    bps: fc.constantFrom(0, 2_500, 5_000, 10_000),
    until_ms: fc.integer({ min: AT + 1, max: AT + 90 * 86_400_000 }),
  });
  const rows = fc.array(row, { maxLength: 3 }).map((some): CostRow[] => {
    const dated = some.toSorted((a, b) => a.until_ms - b.until_ms);
    return rowsFrom([...dated, { bps: 10_000, until_ms: null }], AT);
  });
  const formats = formatsOf(localeFor("en", null));
  fc.assert(
    fc.property(rows, (rows) => {
      expect(termsIn(LANGUAGES.en, formats, rows, ZONE).full).toBe(termsText(rows, ZONE));
    }),
  );
});

test("in every language the terms name each percentage and each instant", () => {
  const free: CostRow[] = [
    { bps: 0, until_ms: Date.UTC(2026, 11, 18, 14) },
    { bps: 5_000, until_ms: Date.UTC(2026, 11, 20, 14) },
    { bps: 10_000, until_ms: null },
  ];
  for (const locale of ALL) {
    const words = LANGUAGES[locale.language];
    const formats = formatsOf(locale);
    const { full, short, isFree } = termsIn(words, formats, free, ZONE);
    expect(isFree).toBeTrue();
    expect(full).toStartWith(short);
    // 15:00 in Madrid; the share of the middle and of the end.
    for (const part of ["18", "20", "15:00", "50", "100", "Madrid"]) expect(full).toContain(part);
    const lost = termsIn(words, formats, [{ bps: 10_000, until_ms: null }], ZONE);
    expect(lost.isFree).toBeFalse();
    expect(lost.full).toStartWith(lost.short);
    expect(lost.full).not.toMatch(/\d/);
    const always = termsIn(words, formats, [{ bps: 0, until_ms: null }], ZONE);
    expect(always.isFree).toBeTrue();
    expect(always.full).not.toMatch(/\d/);
    const part = termsIn(words, formats, [{ bps: 2_500, until_ms: null }], ZONE);
    expect(part.full).toMatch(/25\s?%/u);
  }
});

test("no two languages share a text, except words that they have in common", () => {
  const shared = new Set(["adults", "agentCard", "total"]);
  const { en, ...others } = LANGUAGES;
  for (const [language, words] of Object.entries(others)) {
    const same = Object.entries(words).filter(
      ([name, text]) => typeof text === "string" && text === en[name as keyof typeof en],
    );
    expect({ language, same: same.filter(([name]) => !shared.has(name)) }).toEqual({
      language,
      same: [],
    });
  }
});
