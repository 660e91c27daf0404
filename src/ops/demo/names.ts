/** Names, slugs and texts of demo hotels. */
import type { City, District } from "./catalogue.ts";
import { Random } from "./random.ts";
import names from "./tables/names.json" with { type: "json" };

interface NameWords {
  /** `{}` stands for the theme; the district follows. */
  readonly patterns: readonly string[];
  readonly themes: readonly string[];
}

/** By country. */
const WORDS: Readonly<Record<string, NameWords>> = names.words;

/** By stars. */
const CHARACTER: Readonly<Record<number, string>> = names.character;

/** A prime that divides no number of combinations, hence a step that visits each exactly once. */
const STEP = 7927;

export interface NamedPlace {
  readonly name: string;
  readonly slug: string;
  readonly district: District;
}

/**
 * Name and slug of the `position`-th hotel (from 0) of a city, unique within the city: after the
 * last combination the next round is numbered.
 */
export function namePlace(city: City, position: number): NamedPlace {
  const { patterns, themes } = WORDS[city.country]!;
  const combinations = patterns.length * themes.length * city.districts.length;
  const round = Math.floor(position / combinations);
  // Cities of one country start at different words.
  const start = new Random(city.name).int(0, combinations - 1);
  const index = (start + position * STEP) % combinations;
  const district = city.districts[index % city.districts.length]!;
  const rest = Math.floor(index / city.districts.length);
  const theme = themes[rest % themes.length]!;
  const pattern = patterns[Math.floor(rest / themes.length)]!;
  const number = round === 0 ? "" : ` ${round + 1}`;
  const name = `${pattern.replace("{}", theme)} ${district[0]}${number}`;
  return { name, slug: slugOf(`${name} ${city.name}`), district };
}

/** Lower-case ASCII with single hyphens. */
function slugOf(text: string): string {
  return text
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Two plain sentences a search page could show. */
export function describeHotel(city: City, district: District, stars: number): string {
  // A Japanese number has several parts: `5-{} Ueno`.
  const street = district[4].replace(/(?:\d+-)?\{\}/, "").trim();
  const near = street === district[0] ? "Close" : `Near ${street}, close`;
  return (
    `${CHARACTER[stars]} in ${district[0]}, ${city.name}. ` +
    `${near} to public transport, with staff at the desk day and night.`
  );
}
