/**
 * Other names of places: in other languages, by code and by airport. Maintained by hand in
 * `cities.json`, `regions.json` and `countries.json` (the names of one place, separated by ` / `).
 * It only adds names to places of the supply and makes no place.
 */
import cities from "./cities.json" with { type: "json" };
import countries from "./countries.json" with { type: "json" };
import regions from "./regions.json" with { type: "json" };
import { keyOf, wordsOf } from "./spelling.ts";

type Names = readonly string[];
type Table = Readonly<Record<string, readonly string[]>>;

const TABLES: Readonly<Record<"city" | "region", Table>> = { city: cities, region: regions };
/** Languages of travelers; the language of the country is added. */
const LANGUAGES = ["en", "de", "es", "fr", "it", "pt", "nl"];

const namesOf = (line: string) => line.split(" / ");

/** By kind and country, then by the key of each name; built at a country's first use. */
const known = new Map<string, ReadonlyMap<string, Names>>();

/** All names of a well-known city or region, the English one first. */
export function namesOfPlace(kind: "city" | "region", country: string, name: string): Names | null {
  const id = `${kind} ${country}`;
  let ofCountry = known.get(id);
  if (!ofCountry) {
    ofCountry = keyed(TABLES[kind][country] ?? []);
    known.set(id, ofCountry);
  }
  return ofCountry.get(keyOf(wordsOf(name))) ?? null;
}

/** When two share a name, the first one has it. */
function keyed(lines: readonly string[]): ReadonlyMap<string, Names> {
  const found = new Map<string, Names>();
  for (const names of lines.map(namesOf)) {
    for (const key of names.map((name) => keyOf(wordsOf(name)))) {
      if (!found.has(key)) found.set(key, names);
    }
  }
  return found;
}

const displayNames = new Map<string, Intl.DisplayNames>();

/** The name in a language, else the code itself. */
function nameIn(language: string, code: string, style: "long" | "short"): string {
  const id = `${language} ${style}`;
  let names = displayNames.get(id);
  if (!names) {
    names = new Intl.DisplayNames([language], { type: "region", style });
    displayNames.set(id, names);
  }
  return names.of(code) ?? code;
}

/** All names of a country, the English one first, the codes last. */
export function namesOfCountry(code: string): Names {
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const languages = [...LANGUAGES, ...(language === "und" ? [] : [language])];
  const names = languages.map((each) => nameIn(each, code, "long"));
  const others = (countries as Readonly<Record<string, string>>)[code];
  return [...names, nameIn("en", code, "short"), code, ...(others ? namesOf(others) : [])];
}

/** The English name of a country. */
export function countryName(code: string): string {
  return nameIn("en", code, "long");
}
