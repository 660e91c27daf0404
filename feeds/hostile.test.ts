/**
 * Goal: no text of a hotel can break a document or be read as another text. Method: 2,000 names and
 * descriptions of the worst kinds in whole documents, read back by two independent parsers.
 */
import { expect, test } from "bun:test";
import { XMLParser } from "fast-xml-parser";
import { propertyTree, ratePlan, roomType, TENANT } from "../test/support/builders.ts";
import { rewritten, validate } from "../test/support/xmllint.ts";
import { LIST_TAIL, listing, listOpening } from "./hotel-list.ts";
import { profileOf } from "./partners.ts";
import { propertyDataSet } from "./property-data.ts";
import { TRANSACTION_TAIL, transactionOpening } from "./transaction.ts";

const COUNT = 2_000;
const SEED = 20_261_122;

const PARTS = [
  ...[
    "]]>",
    "<![CDATA[",
    "]]&gt;",
    "<!--",
    "-->",
    "<?xml?>",
    "<!DOCTYPE a>",
    "&amp;",
    "&#0;",
    "&x;",
  ],
  ...[
    "<b>",
    "</listing>",
    '"',
    "'",
    "`",
    "\u0000",
    "\u0001",
    "\u0008",
    "\u000b",
    "\u001f",
    "\u007f",
  ],
  ...[
    "\u0085",
    "\u2028",
    "\uFFFE",
    "\uFFFF",
    "\uD800",
    "\uDC00",
    "\uDBFF\uDFFF",
    "\u{1F3E8}",
    "e\u0301",
  ],
  ...[
    "\u202Egnp.exe",
    "\u200F",
    "فندق",
    "酒店",
    "\t",
    "\r",
    "\n",
    "\r\n",
    "  ",
    "\u00a0",
    "%zz",
    "{}",
  ],
  ...["a", "Hotel", "ÿ", "Ω", "--", "\\", "\u{10FFFF}", "\u{1FFFE}"],
];

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomFrom(SEED);

function hostile(parts: number): string {
  const text = Array.from({ length: parts }, () => PARTS[Math.floor(random() * PARTS.length)]!);
  return text.join("");
}

/** What a reader must be told of a text: every character of XML 1.0, on one line. */
function readable(text: string): string {
  const kept = [...text].filter((character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return code === 9 || code === 10 || code === 13;
    return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
  return kept.join("").trim().replace(/\s+/g, " ");
}

const TEXTS = Array.from({ length: COUNT }, (_, n) => {
  const isLong = n % 100 === 0;
  return { name: `N${hostile(6)}`, description: `D${hostile(isLong ? 3_000 : 12)}` };
});

/** A hotel of each text. */
const HOTELS = TEXTS.map((text, n) => propertyTree({ id: `h${n}`, slug: `h${n}`, ...text }));
/** A hotel with a room and a rate of each: there the texts are attributes. */
const LARGE = propertyTree({
  room_types: TEXTS.map((text, n) =>
    roomType({ id: `r${n}`, ...text, rate_plans: [ratePlan({ id: `p${n}`, name: text.name })] }),
  ),
});

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: "", trimValues: false },
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: true },
});

interface Localised {
  readonly Text: { readonly text: string };
}
interface Parsed {
  readonly listings: {
    readonly listing: readonly { readonly id: string; readonly name: string }[];
  };
  readonly Transaction: {
    readonly PropertyDataSet: {
      readonly RoomData: readonly { readonly Name: Localised; readonly Description: Localised }[];
      readonly PackageData: readonly { readonly Name: Localised }[];
    };
  };
}

const POSITION = { seq: 1, at: "2026-09-01T12:00:00Z" };
const OF = { profile: profileOf("google")!, siteUrl: "https://s.example", language: "en" };

test(`names and descriptions survive both parsers unchanged (seed ${SEED})`, () => {
  const listings = HOTELS.map((tree) => listing({ tenant_id: TENANT, tree }, OF));
  const list = listOpening(OF, POSITION) + listings.join("");
  const data = propertyDataSet(LARGE, { language: "en", refundEnds: () => null });
  const documents = [list + LIST_TAIL, transactionOpening(POSITION, "a") + data + TRANSACTION_TAIL];
  validate("hotel-list", documents[0]!);
  validate("transaction", documents[1]!);
  for (const rewrite of [(xml: string) => xml, rewritten]) {
    const { listings } = parser.parse(rewrite(documents[0]!)) as Parsed;
    expect(listings.listing.map(({ name }) => name)).toEqual(
      TEXTS.map(({ name }) => [...readable(name)].slice(0, 200).join("")),
    );
    const { Transaction } = parser.parse(rewrite(documents[1]!)) as Parsed;
    const { RoomData, PackageData } = Transaction.PropertyDataSet;
    expect(
      RoomData.map(({ Name, Description }) => [Name.Text.text, Description.Text.text]),
    ).toEqual(TEXTS.map(({ name, description }) => [readable(name), readable(description)]));
    expect(PackageData.map(({ Name }) => Name.Text.text)).toEqual(
      TEXTS.map(({ name }) => readable(name)),
    );
  }
});
