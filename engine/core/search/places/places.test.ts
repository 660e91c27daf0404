import { expect, test } from "bun:test";
import fc from "fast-check";
import { cpuMsOf } from "../../../../test/support/cpu.ts";
import { PlaceBook } from "./place-book.ts";
import { resolve } from "./resolve.ts";
import { completions, slipsBetween, suggestionsFor } from "./suggestions.ts";

type Written = readonly [city: string, region: string | null, country: string, line2?: string];

function addressOf([city, region, country, line2]: Written) {
  return {
    address: { line1: "1", city, country, ...(region && { region }), ...(line2 && { line2 }) },
  };
}

/** By what they are called in the tests below. */
const SUPPLY = {
  madrid: ["Madrid", "Comunidad de Madrid", "ES", "Malasaña"],
  palma: ["Palma de Mallorca", "Illes Balears", "ES"],
  donostia: ["Donostia-San Sebastián", "Euskadi", "ES"],
  coruna: ["A Coruña", "Galicia", "ES"],
  munich: ["München", "Bayern", "DE"],
  munichToo: ["Munich", "Bavaria", "DE", "Floor 3"],
  cologne: ["Koeln", null, "DE"],
  newYork: ["New York", "NY", "US", "Greenwich Village"],
  austin: ["Austin", "TX", "US"],
  springfield: ["Springfield", "IL", "US"],
  otherSpringfield: ["Springfield", "MO", "US"],
  moritz: ["St. Moritz", "Graubünden", "CH"],
  geneva: ["Genève", null, "CH"],
  london: ["London", "England", "GB", "Southwark"],
  aix: ["Aix-en-Provence", "Provence-Alpes-Côte d'Azur", "FR"],
  nice: ["Nice", "Provence-Alpes-Côte d'Azur", "FR"],
  prague: ["Praha", null, "CZ"],
  copenhagen: ["København", null, "DK"],
  lodz: ["Łódź", null, "PL"],
  istanbul: ["İstanbul", null, "TR"],
  tokyo: ["Tokyo", null, "JP"],
  laquila: ["L'Aquila", "Abruzzo", "IT"],
  bolzano: ["Bolzano/Bozen", "Südtirol", "IT"],
  seoul: ["서울", null, "KR"],
} as const satisfies Record<string, Written>;
type Name = keyof typeof SUPPLY;
const NAMES = Object.keys(SUPPLY) as Name[];

const BOOK = new PlaceBook();
NAMES.forEach((name, ordinal) => {
  BOOK.put(ordinal, addressOf(SUPPLY[name]));
});

const seenAll = ({ ordinals }: { readonly ordinals: ReadonlySet<number> }) => ordinals.size;

function namesAt(text: string): Name[] | null {
  const found = resolve(BOOK, text);
  return found && [...found].map((ordinal) => NAMES[ordinal]!);
}

const SPANISH: readonly Name[] = ["madrid", "palma", "donostia", "coruna"];
const GERMAN: readonly Name[] = ["munich", "munichToo", "cologne"];
const AMERICAN: readonly Name[] = ["newYork", "austin", "springfield", "otherSpringfield"];

test.each<[string, readonly Name[]]>([
  ["Madrid", ["madrid"]],
  ["  mADRID ", ["madrid"]],
  ["Madrid, Spain", ["madrid"]],
  ["madrid spain", ["madrid"]],
  ["Madrid (España)", ["madrid"]],
  ["Madrid/ES", ["madrid"]],
  ["MAD", ["madrid"]],
  ["Madrid-Barajas Airport", ["madrid"]],
  ["Malasaña", ["madrid"]],
  ["Malasana, Madrid", ["madrid"]],
  ["28013 Madrid", ["madrid"]],
  ["hotels in downtown Madrid", ["madrid"]],
  ["centro de Madrid", ["madrid"]],
  ["Madrid city center", ["madrid"]],
  ["Spain", SPANISH],
  ["España", SPANISH],
  ["spanien", SPANISH],
  ["Espagne", SPANISH],
  ["ESP", SPANISH],
  ["es", SPANISH],
  ["Palma", ["palma"]],
  ["palma-de-mallorca", ["palma"]],
  ["Palma Spain", ["palma"]],
  ["PMI", ["palma"]],
  ["Islas Baleares", ["palma"]],
  ["San Sebastian", ["donostia"]],
  ["Donostia", ["donostia"]],
  ["Basque Country, Spain", ["donostia"]],
  ["La Coruña", ["coruna"]],
  ["Coruna", ["coruna"]],
  ["Munich", ["munich", "munichToo"]],
  ["München", ["munich", "munichToo"]],
  ["MUENCHEN", ["munich", "munichToo"]],
  ["Mu\u0308nchen, Deutschland", ["munich", "munichToo"]],
  ["Monaco di Baviera", ["munich", "munichToo"]],
  ["Bavaria", ["munich", "munichToo"]],
  ["Germany", GERMAN],
  ["Alemania", GERMAN],
  ["Köln", ["cologne"]],
  ["Cologne, Germany", ["cologne"]],
  ["USA", AMERICAN],
  ["U.S.A.", AMERICAN],
  ["United States of America", AMERICAN],
  ["EE.UU.", AMERICAN],
  ["NYC", ["newYork"]],
  ["new-york", ["newYork"]],
  ["Nueva York", ["newYork"]],
  ["New York, NY, USA", ["newYork"]],
  ["JFK airport", ["newYork"]],
  ["Greenwich Village, New York", ["newYork"]],
  ["Austin, Texas", ["austin"]],
  ["Austin TX", ["austin"]],
  ["Springfield", ["springfield", "otherSpringfield"]],
  ["Springfield, Illinois, United States", ["springfield"]],
  ["Saint Moritz", ["moritz"]],
  ["Sankt Moritz, Switzerland", ["moritz"]],
  ["Ginebra", ["geneva"]],
  ["Genf, Schweiz", ["geneva"]],
  ["Suisse", ["moritz", "geneva"]],
  ["UK", ["london"]],
  ["Great Britain", ["london"]],
  ["Londres", ["london"]],
  ["LHR", ["london"]],
  ["London, England", ["london"]],
  ["Aix en Provence", ["aix"]],
  ["French Riviera", []],
  ["PACA, France", ["aix", "nice"]],
  ["Niza", ["nice"]],
  ["Prague", ["prague"]],
  ["Praga, Czech Republic", ["prague"]],
  ["Kopenhagen", ["copenhagen"]],
  ["Koebenhavn", ["copenhagen"]],
  ["Lodz", ["lodz"]],
  ["Istanbul", ["istanbul"]],
  ["東京", ["tokyo"]],
  ["L Aquila", ["laquila"]],
  ["l’aquila", ["laquila"]],
  ["Bozen", ["bolzano"]],
  ["South Tyrol", ["bolzano"]],
  ["Seoul, South Korea", ["seoul"]],
  ["대한민국", ["seoul"]],
])("%s is where it should be", (text, names) => {
  expect(namesAt(text) ?? []).toEqual([...names]);
});

test.each([
  ...["", " , ", "Atlantis", "Madrid, France", "Springfield, Texas", "New", "San", "Floor 3"],
  ...["hotel", "the", "28013", "Gran Vía 1, Madrid", "x ".repeat(4_000), "Madrid ".repeat(13)],
])("the text of case %# is not a known place", (text) => {
  expect(resolve(BOOK, text)).toBeNull();
});

test("names with small typos are suggested, those that match from the start first", () => {
  const suggested = (text: string) => suggestionsFor(BOOK, text, seenAll).map(({ value }) => value);
  expect(suggested("Madird")).toEqual(["Madrid, Spain"]);
  expect(suggested("Springfeild, United Sates").slice(0, 2)).toEqual([
    ...["Springfield, United States", "United States"],
  ]);
  expect(suggested("Munchn")).toEqual(["Munich, Germany"]);
  expect(suggested("Cope")).toEqual(["København, Denmark"]);
  expect(suggested("Gran Vía 1, Madrid")[0]).toBe("Madrid, Spain");
});

test("for an unknown place in a known country, the country and its cities are suggested", () => {
  const suggested = suggestionsFor(BOOK, "Sevilla, España", seenAll);
  expect(suggested.map(({ value }) => value)).toEqual([
    ...["Spain", "A Coruña, Spain", "Donostia-San Sebastián, Spain", "Madrid, Spain"],
    "Palma de Mallorca, Spain",
  ]);
});

test("if no name is similar, the cities with the most offers are suggested", () => {
  const suggested = suggestionsFor(BOOK, "Xyzzy", seenAll);
  expect(suggested.slice(0, 2)).toEqual([
    { value: "Munich, Germany", name: "Munich", kind: "city", country: "DE", properties: 2 },
    {
      ...{ value: "Springfield, United States", name: "Springfield" },
      ...({ kind: "city", country: "US", properties: 2 } as const),
    },
  ]);
  expect(suggested).toHaveLength(5);
});

test("a place with only hidden properties is not suggested", () => {
  const seen = ({ ordinals }: { readonly ordinals: ReadonlySet<number> }) => +ordinals.has(0);
  const values = suggestionsFor(BOOK, "Munch", seen).map(({ value }) => value);
  expect(values).toEqual(["Madrid, Spain"]);
  expect(completions(BOOK, "m", 9, seen).map(({ value }) => value)).toEqual([
    ...["Madrid, Spain", "Malasaña, Madrid, Spain", "Comunidad de Madrid, Spain"],
  ]);
});

test("names are completed in any language, those with the most offers first", () => {
  const begun = (text: string, limit = 10) =>
    completions(BOOK, text, limit, seenAll).map(({ value }) => value);
  expect(begun("mün")).toEqual(["Munich, Germany"]);
  expect(begun("Allem")).toEqual(["Germany"]);
  expect(begun("new y")).toEqual(["New York, United States"]);
  expect(begun("sebas")).toEqual(["Donostia-San Sebastián, Spain"]);
  expect(begun("s", 2)).toEqual(["Spain", "United States"]);
  expect(begun("Kopenhgaen")).toEqual(["København, Denmark"]);
  expect(begun("zzz")).toEqual([]);
});

test("a place is among the completions of its name from the first letter to the last", () => {
  const names = [
    ...new Set(Object.values(SUPPLY).flatMap(([city, region]) => [city, region ?? city])),
  ];
  const others = ["Stuttgart", "Stevenage", "Mtwara", "Saint-Malo", "St Albans", "Aue", "Muenster"];
  const book = new PlaceBook();
  [...names, ...others].forEach((city, i) => {
    book.put(i, addressOf([city, null, "DE"]));
  });
  const missed = [...names, ...others].flatMap((name) => {
    const begun = [...name].map((_, i) => [...name].slice(0, i + 1).join(""));
    return begun.filter((text) => {
      const found = completions(book, text, 1_000, seenAll);
      const [ordinal] = resolve(book, name)!;
      return !found.some(({ value }) => resolve(book, value)!.includes(ordinal!));
    });
  });
  expect(missed).toEqual([]);
});

test.each([
  ["madrid", "madrid", 0],
  ["madird", "madrid", 1],
  ["mdrid", "madrid", 1],
  ["maddrid", "madrid", 1],
  ["nadrid", "madrid", 1],
  ["", "abc", 3],
])("%s and %s differ by %d typos", (a, b, slips) => {
  expect(slipsBetween(a, b, 3)).toBe(slips);
  expect(slipsBetween(b, a, 3)).toBe(slips);
});

/** The same by its definition, each letter of one with each of the other. */
function slipsByDefinition(a: string, b: string): number {
  const at = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const change = a[i - 1] === b[j - 1] ? 0 : 1;
    const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
    return Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change, swapped);
  };
  return at(a.length, b.length);
}

test("the number of typos equals the definition, or exceeds the limit asked for", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(name, name, fc.nat({ max: 3 }), (a, b, most) => {
      const slips = slipsByDefinition(a, b);
      const found = slipsBetween(a, b, most);
      if (slips <= most) expect(found).toBe(slips);
      else expect(found).toBeGreaterThan(most);
    }),
  );
});

test.each([
  ["words that can be told apart in thousands of ways", "santa ".repeat(11), "zzzz"],
  ["a sign that stands for eighteen letters", "\uFDFA".repeat(190), "zz"],
])("a text of %s takes little time", (_, start, end) => {
  const book = new PlaceBook();
  const letter = (at: number) => String.fromCharCode(97 + (at % 26));
  for (let i = 0; i < 3_000; i += 1) {
    const last = letter(i) + letter(i / 26) + letter(i / 676);
    const city = start.length > 100 ? start + last : start.slice(0, 6 * (1 + (i % 11))) + last;
    book.put(i, addressOf([city, null, "ES"]));
  }
  const ask = () => {
    resolve(book, start + end);
    suggestionsFor(book, start + end, seenAll);
    completions(book, start + end, 10, seenAll);
  };
  expect(cpuMsOf(ask)).toBeLessThan(3_000);
});

const written = fc
  .record({
    city: fc.constantFrom("Munich", "München", "MÜNCHEN", "Bozen/Bolzano", "Palma, Mallorca", "?"),
    region: fc.constantFrom(null, "Bayern", "BY", "CA"),
    country: fc.constantFrom("DE", "IT", "US"),
    line2: fc.constantFrom("", "Altstadt", "old town", "Floor 2"),
  })
  .map(({ city, region, country, line2 }): Written => [city, region, country, line2]);

/** All that a book says, in an order that does not depend on how it came to be. */
function factsOf(book: PlaceBook) {
  const places = [...book.all()].map(({ kind, keys, spaced, ordinals, spellings }) => {
    const lies = [...ordinals].sort((a, b) => a - b);
    const named = keys.every((key) => [...book.named(key)].some((each) => each.keys === keys));
    return { kind, keys, spaced, lies, spellings: [...spellings].sort(), named };
  });
  return places.map((place) => JSON.stringify(place)).sort();
}

test("a place book kept through changes equals a rebuilt one, and every name resolves", () => {
  const change = fc.tuple(fc.nat({ max: 5 }), fc.option(written));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const kept = new PlaceBook();
      const now = new Map<number, Written>();
      for (const [ordinal, address] of changes) {
        kept.drop(ordinal);
        now.delete(ordinal);
        if (!address) continue;
        kept.put(ordinal, addressOf(address));
        now.set(ordinal, address);
      }
      const anew = new PlaceBook();
      for (const [ordinal, address] of now) anew.put(ordinal, addressOf(address));
      expect(factsOf(kept)).toEqual(factsOf(anew));
      for (const text of ["Munich", "Palma", "Bavaria", "Altstadt, Munich"]) {
        expect(resolve(kept, text)).toEqual(resolve(anew, text));
      }
      const all = suggestionsFor(kept, "", seenAll);
      for (const { value, properties } of [...all, ...completions(kept, "a", 20, seenAll)]) {
        expect(resolve(kept, value)?.length ?? 0).toBeGreaterThanOrEqual(properties);
      }
    }),
  );
});

test("properties that a caller does not see never change the meaning of a text", () => {
  const texts = ["Palma", "Palma de Mallorca", "Munich", "Bavaria", "Munich, BY", "old town"];
  const cities = fc.constantFrom("Palma", "Palma de Mallorca", "Munich", "Munich West");
  const regions = fc.constantFrom(null, "Bayern", "BY");
  const lines = fc.constantFrom("", "Old Town", "Munich");
  const place = fc.tuple(cities, regions, fc.constantFrom("DE", "ES"), lines, fc.boolean());
  fc.assert(
    fc.property(fc.array(place, { maxLength: 8 }), (places) => {
      const [all, own, seen] = [new PlaceBook(), new PlaceBook(), new Set<number>()];
      places.forEach(([city, region, country, line2, isSeen], ordinal) => {
        const address = addressOf([city, region, country, line2]);
        all.put(ordinal, address);
        if (isSeen) own.put(ordinal, address);
        if (isSeen) seen.add(ordinal);
      });
      for (const text of texts) expect(resolve(all, text, seen)).toEqual(resolve(own, text));
    }),
  );
});
