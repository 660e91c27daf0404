/**
 * Goal: a document passes if and only if a partner accepts it. Method: three good documents; each
 * broken one is a good one with a single change.
 */
import { expect, test } from "bun:test";
import {
  ARI,
  changed,
  HOUSE,
  inPieces,
  LIST,
  POINT_OF_SALE,
} from "../../test/support/feed-documents.ts";
import { documentKindIn } from "../reading/document.ts";
import { type Checked, checkDocument, checkTogether } from "./check.ts";

const NOW_MS = Date.parse("2026-03-01T03:00:00Z");

const check = (text: string): Promise<Checked> => checkDocument(inPieces(text), NOW_MS);

const kindsOf = (findings: Checked["faults"]): string[] => findings.map(({ kind }) => kind);

test("good documents are valid, and their content is counted", async () => {
  const [list, ari, pointOfSale] = await Promise.all([LIST, ARI, POINT_OF_SALE].map(check));
  for (const each of [list!, ari!, pointOfSale!]) {
    expect(each.faults).toEqual([]);
    expect(each.warnings).toEqual([]);
    expect(each.position).toEqual({ seq: 4711, at: "2026-03-01T02:15:00Z" });
  }
  expect(list!.facts).toEqual({ listings: 1, language: "en" });
  expect(ari!.facts).toEqual({
    ...{ properties: 1, itineraries: 4, unavailable: 2, bundles: 3, currencies: ["EUR"] },
    ...{ first_check_in: "2026-03-01", last_check_in: "2026-03-02", nights_max: 2 },
  });
  expect(pointOfSale!.facts).toEqual({ points_of_sale: 1 });
  expect([LIST, ARI, POINT_OF_SALE].map(documentKindIn)).toEqual([
    ...(["hotel-list", "ari", "pointofsale"] as const),
  ]);
});

const LISTING = LIST.slice(LIST.indexOf("<listing>"), LIST.indexOf("</listings>"));
const RESULT = ARI.slice(ARI.indexOf("<Result>"), ARI.indexOf("</Result>") + "</Result>".length);
const BUNDLE = ARI.slice(
  ARI.indexOf("<RoomBundle>"),
  ARI.indexOf("</RoomBundle>") + "</RoomBundle>".length,
);
const EUR = ' currency="EUR"';
const TIMESTAMP = 'timestamp="2026-03-01T02:15:00Z"';

/** The twelve of the formats' own negative tests. */
const TWELVE: readonly (readonly [what: string, text: string, kind: string])[] = [
  ["naive timestamp", changed(ARI, '02:15:00Z"', '02:15:00"'), "timestamp"],
  ["itinerary twice", changed(ARI, RESULT, RESULT + RESULT), "repeated_itinerary"],
  ["thousands separator", changed(ARI, "120.00", "1,120.00"), "amount"],
  ["no currency", changed(ARI, EUR, ""), "amount"],
  ["capacity 24", changed(ARI, "<Capacity>4<", "<Capacity>24<"), "invalid"],
  ["occupancy 1 for all", changed(ARI, BUNDLE, `<Occupancy>1</Occupancy>${BUNDLE}`), "invalid"],
  ["nothing in it", `<Transaction ${TIMESTAMP} id="x"/>`, "empty"],
  ["country in small letters", changed(LIST, ">PT<", ">pt<"), "invalid"],
  ["empty component", changed(LIST, ">Lisboa<", "><"), "empty_element"],
  ["latitude alone", changed(LIST, "<longitude>-9.14</longitude>", ""), "invalid"],
  ["no listing", changed(LIST, LISTING, ""), "empty"],
  ["a bare &", changed(LIST, "&amp;", "&"), "not_well_formed"],
];

const OTHERS: readonly (readonly [what: string, text: string, kind: string])[] = [
  ["another document", "<urlset/>", "unknown_document"],
  ["bundles under the root", changed(ARI, RESULT, BUNDLE + RESULT), "unknown_element"],
  ["a listing twice", changed(LIST, LISTING, LISTING + LISTING), "repeated_id"],
  ["a bundle twice", changed(ARI, BUNDLE, BUNDLE + BUNDLE), "repeated_bundle"],
  [
    "a property that is not described",
    changed(ARI, `<Result><Property>${HOUSE}`, "<Result><Property>other"),
    "unknown_property",
  ],
  [
    "a room that is not described",
    changed(ARI, "<RoomBundle><RoomID>a3", "<RoomBundle><RoomID>b3"),
    "unknown_room",
  ],
  ["a fraction of a cent", changed(ARI, "7.20<", "7.201<"), "amount"],
  ["a negative tax", changed(ARI, "7.20<", "-7.20<"), "amount"],
  ["two currencies", changed(ARI, `Tax${EUR}`, 'Tax currency="USD"'), "currency"],
  ["a base price of no bundle", changed(ARI, "120.00", "119.00"), "base_price"],
  ["a bundle below the base price", changed(ARI, ">180.00", ">100.00"), "cheaper_bundle"],
  ["no such date", changed(ARI, "2026-03-01<", "2026-02-30<"), "invalid"],
  ["a night too many", changed(ARI, "<Nights>1<", "<Nights>31<"), "invalid"],
  ["half a document", ARI.slice(0, -20), "not_well_formed"],
  ["plain http", changed(POINT_OF_SALE, "https:", "http:"), "invalid"],
];

test("every broken document is rejected for its own fault and no other", async () => {
  for (const [what, text, kind] of [...TWELVE, ...OTHERS]) {
    expect({ what, kinds: kindsOf((await check(text)).faults) }).toEqual({ what, kinds: [kind] });
  }
  expect(TWELVE).toHaveLength(12);
});

test("content that partners accept but operators should know of gives a warning", async () => {
  const second = changed(LISTING, HOUSE, "second");
  for (const [text, kinds] of [
    [changed(ARI, TIMESTAMP, 'timestamp="2026-02-27T02:15:00Z"'), ["old"]],
    [changed(ARI, TIMESTAMP, 'timestamp="2026-03-03T02:15:00Z"'), ["past"]],
    [changed(ARI, RESULT, ""), ["gap"]],
    [changed(LIST, LISTING, LISTING + second), ["repeated_address", "repeated_place"]],
    [changed(POINT_OF_SALE, "(VERIFICATION)", "(VERIFIED)"), ["unknown_variable"]],
  ] as const) {
    const { faults, warnings } = await check(text);
    expect({ faults, kinds: kindsOf(warnings) }).toEqual({ faults: [], kinds: [...kinds] });
  }
});

test("Microsoft's -1 is an unavailable stay; yen have no decimals, dinars three", async () => {
  const minus = ["Baserate", "Tax", "OtherFees"].map((name) => `<${name}${EUR}>-1.00</${name}>`);
  const sold = ARI.slice(
    ARI.indexOf("<Unavailable>"),
    ARI.indexOf("</Result>", ARI.indexOf("<Unavailable>")),
  );
  const bing = await check(ARI.replaceAll(sold, minus.join("")));
  expect(bing.faults).toEqual([]);
  expect(bing.facts).toMatchObject({ unavailable: 2, itineraries: 4 });
  const in_ = (currency: string) => check(ARI.replaceAll("EUR", currency));
  expect(kindsOf((await in_("JPY")).faults)).toEqual(["amount"]);
  expect((await in_("KWD")).faults).toEqual([]);
});

test("all findings are counted and a few are listed", async () => {
  const { faults } = await check(ARI.replaceAll("7.20", "7,20"));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatchObject({ kind: "amount", count: 5 });
  expect(faults[0]!.places.length).toBeLessThanOrEqual(5);
});

test("a matching list and prices have the same properties", async () => {
  const [list, ari] = await Promise.all([check(LIST), check(ARI)]);
  expect(checkTogether(list, ari)).toEqual({ faults: [], warnings: [] });
  const other = await check(LIST.replaceAll(HOUSE, "other"));
  const { faults, warnings } = checkTogether(other, ari);
  expect(faults).toMatchObject([{ kind: "not_listed", places: [HOUSE] }]);
  expect(warnings).toMatchObject([{ kind: "no_prices", places: ["other"] }]);
});
