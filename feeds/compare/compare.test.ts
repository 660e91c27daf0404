/**
 * Goal: every change that partners will see is classified correctly, and no other is reported.
 * Method: a document against itself with single changes; random stays against a naive model.
 */
import { expect, test } from "bun:test";
import { dateOf } from "../../engine/core/calendar.ts";
import {
  ARI,
  changed,
  HOUSE,
  inPieces,
  LIST,
  POINT_OF_SALE,
} from "../../test/support/feed-documents.ts";
import { compareDocuments } from "./compare.ts";
import type { EntriesCompared } from "./entries.ts";
import type { PricesCompared } from "./prices.ts";

const FIRST = 3;

async function compare(old: string, now: string) {
  const compared = await compareDocuments(inPieces(old), inPieces(now), FIRST);
  if ("which" in compared) throw new Error(`${compared.which}: ${compared.what}`);
  return compared;
}

async function entries(old: string, now: string): Promise<EntriesCompared & { shrunken: boolean }> {
  const compared = await compare(old, now);
  if (!("entries" in compared)) throw new Error("these are prices");
  return { ...compared.entries, shrunken: compared.shrunken };
}

async function prices(old: string, now: string): Promise<PricesCompared & { shrunken: boolean }> {
  const compared = await compare(old, now);
  if (!("prices" in compared)) throw new Error("these are no prices");
  return { ...compared.prices, shrunken: compared.shrunken };
}

test("a document compared with itself has no changes", async () => {
  for (const text of [LIST, POINT_OF_SALE]) {
    const found = await entries(text, text);
    expect(found).toMatchObject({ added: 0, removed: 0, changed: 0, changes: [], shrunken: false });
  }
  expect(await prices(ARI, ARI)).toMatchObject({
    ...{ old_properties: 1, new_properties: 1, properties_changed: 0, compared: 4, changes: [] },
    ...{ dearer: 0, cheaper: 0, sold_out: 0, available: 0, offers: 0, vanished: 0 },
  });
  expect((await compare(ARI, ARI)).old).toEqual({ seq: 4711, at: "2026-03-01T02:15:00Z" });
});

const LISTING = /<listing>.*?<\/listing>/.exec(LIST)![0];

test("changed fields of a listing are listed with their old values", async () => {
  const text = "x".repeat(1_000);
  const now = changed(changed(LIST, ">Lisboa<", ">Porto<"), "By the river.", text);
  const { changes, ...counts } = await entries(LIST, now);
  expect(counts).toMatchObject({ added: 0, removed: 0, changed: 1 });
  const long = expect.stringMatching(/^x{400}… \(1000 characters, \w+\)$/);
  expect(changes).toEqual([
    {
      ...{ id: HOUSE, change: "changed", name: "Casa & Sol" },
      fields: [
        { field: "address[simple]/component[city]", old: "Lisboa", new: "Porto" },
        { field: "content/text[description]/body", old: "By the river.", new: long },
      ],
    },
  ]);
  const other = changed(now, "x<", "y<");
  expect((await entries(now, other)).changed).toBe(1);
});

test("added and removed entries are listed by name", async () => {
  const next = changed(LISTING, HOUSE, "next");
  const { changes, ...counts } = await entries(LIST, changed(LIST, LISTING, next));
  expect(counts).toMatchObject({ old_entries: 1, new_entries: 1, added: 1, removed: 1 });
  expect(changes.map(({ id, change }) => [id, change])).toEqual([
    [HOUSE, "removed"],
    ["next", "added"],
  ]);
});

test("a list that shrinks by more than a tenth is marked as one that partners stop at", async () => {
  const listings = Array.from({ length: 20 }, (_, i) => changed(LISTING, HOUSE, `house-${i}`));
  const of = (count: number) => changed(LIST, LISTING, listings.slice(0, count).join(""));
  expect(await entries(of(20), of(18))).toMatchObject({ removed: 2, shrunken: false });
  const found = await entries(of(20), of(17));
  expect(found).toMatchObject({ removed: 3, shrunken: true });
  expect((await entries(of(20), of(0))).changes).toHaveLength(FIRST);
});

const RESULTS = [...ARI.matchAll(/<Result>.*?<\/Result>/g)].map(([text]) => text);
const EACH = { dearer: 0, cheaper: 0, sold_out: 0, available: 0, offers: 0, vanished: 0 };
const SOLD_OUT = /<Unavailable>.*?(?=<\/Result>)/.exec(ARI)![0];
const PRICED = /<Baserate.*?(?=<\/Result>)/.exec(ARI)![0];

test("a stay's change is classified and listed with both amounts", async () => {
  const stay = { property: HOUSE, check_in: "2026-03-01", nights: 1 };
  for (const [now, change, amounts] of [
    [ARI.replaceAll("120.00", "120.01"), "dearer", ["131.20 EUR", "131.21 EUR"]],
    [ARI.replaceAll("120.00", "99.00"), "cheaper", ["131.20 EUR", "110.20 EUR"]],
    [changed(ARI, PRICED, SOLD_OUT), "sold_out", ["131.20 EUR", null]],
    [changed(ARI, "180.00", "181.00"), "offers", ["131.20 EUR", "131.20 EUR"]],
  ] as const) {
    const { changes, ...counts } = await prices(ARI, now);
    expect({ change, counts }).toMatchObject({ change, counts: { ...EACH, [change]: 1 } });
    expect(changes).toEqual([{ ...stay, change, old: amounts[0], new: amounts[1] }]);
  }
  expect(await prices(changed(ARI, PRICED, SOLD_OUT), ARI)).toMatchObject({
    ...EACH,
    available: 1,
  });
});

test("windows are compared on their common days; a missing day within is reported", async () => {
  const later = ARI.replace(RESULTS[0]!, "").replace(RESULTS[1]!, "");
  const moved = await prices(ARI, later);
  expect(moved).toMatchObject({ ...EACH, old_stays: 4, new_stays: 2, compared: 2, changes: [] });
  const holed = await prices(ARI, changed(ARI, RESULTS[2]!, ""));
  expect(holed).toMatchObject({ ...EACH, vanished: 1 });
  expect(holed.changes).toMatchObject([{ check_in: "2026-03-02", nights: 1, new: null }]);
});

test("added, removed and redescribed properties are counted", async () => {
  const gone = await prices(ARI, ARI.replaceAll(HOUSE, "next"));
  expect(gone).toMatchObject({ properties_added: 1, properties_removed: 1, shrunken: false });
  expect(gone).toMatchObject({ ...EACH, compared: 0 });
  const described = await prices(ARI, changed(ARI, '"Double"', '"Twin"'));
  expect(described).toMatchObject({ ...EACH, properties_changed: 1 });
});

test("a thousand stays in any order are compared with the result of a naive model", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.info(`seed ${seed}`);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const stays = () => {
    const found = new Map<string, number | null>();
    for (let i = 0; i < 1_500; i += 1) {
      const key = `p${random(5)} ${dateOf(20_500 + random(20))} ${1 + random(30)}`;
      found.set(key, random(4) === 0 ? null : 10_000 + random(3));
    }
    return found;
  };
  const document = (found: ReadonlyMap<string, number | null>) => {
    const results = [...found].map(([key, cents]) => {
      const [property, checkIn, nights] = key.split(" ");
      const ids = `<Property>${property}</Property><Checkin>${checkIn}</Checkin>`;
      const base = `<Baserate currency="EUR">${(cents ?? 0) / 100}</Baserate>`;
      return `<Result>${ids}<Nights>${nights}</Nights>${cents === null ? SOLD_OUT : base}</Result>`;
    });
    return `<Transaction timestamp="2026-03-01T02:15:00Z" id="x">${results.join("")}</Transaction>`;
  };
  const [old, now] = [stays(), stays()];
  const expected = { ...EACH, compared: 0 };
  const days = new Set([...now.keys()].map((key) => key.slice(0, 13)));
  for (const [key, before] of old) {
    const after = now.get(key);
    if (after === undefined) {
      if (days.has(key.slice(0, 13))) expected.vanished += 1;
      continue;
    }
    expected.compared += 1;
    if (before === after) continue;
    if (before === null) expected.available += 1;
    else if (after === null) expected.sold_out += 1;
    else expected[after > before ? "dearer" : "cheaper"] += 1;
  }
  expect(await prices(document(old), document(now))).toMatchObject(expected);
});

test("an uncomparable document is refused with which one and why", async () => {
  for (const [old, now, which, what] of [
    [LIST, ARI, "new", "ari, the old one hotel-list"],
    [ARI.slice(0, -5), ARI, "old", "breaks off"],
    [ARI, "<urlset/>", "new", "<urlset> is not the root of a feed"],
  ] as const) {
    const found = await compareDocuments(inPieces(old), inPieces(now), FIRST);
    expect(found).toEqual({ which, what: expect.stringContaining(what) });
  }
});
