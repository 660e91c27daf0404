/** Names, slugs and texts of demo hotels. */
import type { City, Country, District } from "./catalogue.ts";
import { Random } from "./random.ts";

interface NameWords {
  /** With `{}` for the theme; the district follows. */
  readonly patterns: readonly string[];
  readonly themes: readonly string[];
}

const WORDS: Readonly<Record<Country, NameWords>> = {
  ES: {
    patterns: ["Hotel {}", "Casa {}", "Gran Hotel {}", "Hotel Boutique {}"],
    themes: ["Aurora", "Mirador", "Olivar", "Alameda", "Solana", "Azahar", "Naranjo", "Lucero"],
  },
  DE: {
    patterns: ["Hotel {}", "{} Hotel", "Haus {}", "Stadthotel {}"],
    themes: ["Linden", "Morgenstern", "Adler", "Kastanie", "Brunnen", "Kranich", "Ahorn", "Falke"],
  },
  FR: {
    patterns: ["Hôtel {}", "Maison {}", "Grand Hôtel {}", "Hôtel Particulier {}"],
    themes: ["Lumière", "Jasmin", "Mirabeau", "Colombe", "Lavande", "Voltige", "Tilleul", "Minuit"],
  },
  IT: {
    patterns: ["Hotel {}", "Albergo {}", "Residenza {}", "Palazzo {}"],
    themes: [
      "Aurelia",
      "Ginestra",
      "Belvedere",
      "Fontana",
      "Oleandro",
      "Giardino",
      "Luna",
      "Cedro",
    ],
  },
  GB: {
    patterns: ["The {} Hotel", "{} House Hotel", "The {}", "The {} Rooms"],
    themes: [
      "Lantern",
      "Kingfisher",
      "Foxglove",
      "Garrick",
      "Larch",
      "Heron",
      "Thistle",
      "Harbour",
    ],
  },
  US: {
    patterns: ["The {} Hotel", "Hotel {}", "{} House", "The {}"],
    themes: ["Foundry", "Beacon", "Mercer", "Juniper", "Sterling", "Hudson", "Prairie", "Langston"],
  },
  JP: {
    patterns: ["Hotel {}", "{} Inn", "{} Grand Hotel", "Ryokan {}"],
    themes: ["Sakura", "Kaede", "Hoshi", "Asahi", "Tsubaki", "Midori", "Kawa", "Yuki"],
  },
  CH: {
    patterns: ["Hotel {}", "Gasthaus {}", "Hotel zum {}", "{} Stadthotel"],
    themes: ["Limmat", "Enzian", "Storchen", "Edelweiss", "Seeblick", "Rössli", "Arve", "Gipfel"],
  },
};

/** A prime that divides no number of combinations, hence a step that meets each exactly once. */
const STEP = 7927;

export interface NamedPlace {
  readonly name: string;
  readonly slug: string;
  readonly district: District;
}

/**
 * The `position`-th hotel (from 0) of a city. Names and slugs are unique within a city for any
 * number of hotels: when every combination is used, the next round carries its number.
 */
export function namePlace(city: City, position: number): NamedPlace {
  const { patterns, themes } = WORDS[city.country];
  const combinations = patterns.length * themes.length * city.districts.length;
  const round = Math.floor(position / combinations);
  // Cities of one country start elsewhere in the same words.
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

/** Lower-case ASCII with single hyphens, as rules §5 ask of a slug. */
export function slugOf(text: string): string {
  return text
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

const CHARACTER: Readonly<Record<number, string>> = {
  2: "A simple, well-kept house",
  3: "A friendly mid-size hotel",
  4: "An upscale hotel with generous rooms",
  5: "A luxury hotel with attentive service",
};

/** Two plain sentences a search page could show. */
export function describeHotel(city: City, district: District, stars: number): string {
  const street = district[4].replace("{}", "").trim();
  return (
    `${CHARACTER[stars]} in ${district[0]}, ${city.name}. ` +
    `Near ${street}, close to public transport, with staff at the desk day and night.`
  );
}
