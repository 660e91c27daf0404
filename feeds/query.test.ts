/**
 * Goal: the answer to a query equals the document of the same position, to the byte. Method: build
 * the document, query its content, and compare line by line.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dateOf } from "../engine/core/calendar.ts";
import type { PropertyTree } from "../engine/core/supply.ts";
import {
  createProperty,
  NOON,
  OTHER_TENANT,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  TENANT,
  updateAri,
} from "../test/support/builders.ts";
import { dayIn, given } from "../test/support/given.ts";
import { singleRoom, smallHotel } from "../test/support/small-hotel.ts";
import { validate } from "../test/support/xmllint.ts";
import { build } from "./build.ts";
import { PARTNERS, profileOf } from "./partners.ts";
import { answerTo, pricesIn } from "./query.ts";
import { readQuery } from "./query-parser.ts";

const MADRID = propertyTree();
const AUCKLAND = smallHotel({
  ...{ id: "property-far", slug: "far", timezone: "Pacific/Auckland" },
  room_types: [
    singleRoom(),
    roomType({
      id: "room-far",
      rate_plans: [ratePlan({ id: "plan-far", cancellation_kind: "non_refundable" })],
    }),
  ],
});
const PLACELESS = propertyTree({ id: "property-lost", slug: "lost" });
const DRAFT = propertyTree({ id: "property-draft", slug: "draft" });

const created = (tree: PropertyTree) => [createProperty(tree), promoteProperty(tree)];
const SOLD_OUT = updateAri(MADRID, {
  inventory: [
    { room_type_id: "room-double", from: dateOf(dayIn(3)), to: dateOf(dayIn(4)), capacity: 0 },
  ],
});
const { state } = given(
  ...[...created(MADRID), ...created(AUCKLAND), ...created(PLACELESS)],
  ...[createProperty(DRAFT), SOLD_OUT],
);

// What no promotion lets through, but a journal may hold.
state.property(REALM, PLACELESS.id)!.tree = { ...PLACELESS, geo: null, phone: "0" };

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "query-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

function answer(partner: string, xml: string, tenantId = TENANT): string[] {
  const profile = profileOf(partner)!;
  const reading = readQuery(`<Query>${xml}</Query>`, profile.nightsKnown);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  const asking = { state, tenantId, profile, nowMs: NOON, messageId: "query-1" };
  const { pieces, ...position } = answerTo(reading.query, asking);
  const all = [...{ [Symbol.iterator]: () => pieces }];
  expect(all[0]).toContain(`seq=${position.seq} at=${position.at}`);
  if (all.length > 2) validate("transaction", all.join(""));
  return all.slice(1, -1);
}

/** The lines between the opening and the tail of the whole document. */
function documentLines(partner: string): string[] {
  const profile = profileOf(partner)!;
  const order = {
    ...{ profile, tenantId: TENANT, runId: "run_1", directory, nowMs: NOON },
    ...{ siteUrl: "https://example.com", language: "en" },
  };
  const building = build(order, { state, row: state.row, journalId: "j" });
  let next = building.next();
  while (!next.done) next = building.next();
  const text = readFileSync(join(directory, next.value.ari.sets[0]!.file), "utf8");
  return text.split(/(?<=\n)/);
}

const list = (...ids: string[]) => ids.map((id) => `<Property>${id}</Property>`).join("");
const PROPERTIES = `<PropertyList>${list(MADRID.id, AUCKLAND.id)}</PropertyList>`;
const DATES = `<FirstDate>${dateOf(dayIn(-3))}</FirstDate><LastDate>${dateOf(dayIn(95))}</LastDate>`;

test.each(PARTNERS)(
  "every result and all data of %s's document are equal in a query's answer",
  (partner) => {
    const lines = documentLines(partner);
    const results = lines.filter((line) => line.startsWith("<Result>"));
    const { nightsMax } = profileOf(partner)!;
    const answered = answer(partner, `${DATES}<Nights>${nightsMax}</Nights>${PROPERTIES}`);
    const missing = new Set(results);
    for (const line of answered) missing.delete(line);
    expect([...missing]).toEqual([]);
    expect(results.length).toBe(2 * 90 * nightsMax);
    expect(results.join("")).toMatch(/<NoVacancy\/>|>-1\.00</);
    const described = answer(
      partner,
      `<HotelInfoProperties>${list("property-far", "property-one")}</HotelInfoProperties>`,
    );
    const data = lines.filter((line) => line.startsWith("<PropertyDataSet>"));
    expect(described.sort()).toEqual(data.sort());
    expect(data).toHaveLength(2);
  },
);

test("a query without rooms and rates gets them with the prices if the partner needs them", () => {
  const asked = `<Checkin>${dateOf(dayIn(9))}</Checkin><Nights>2</Nights>${PROPERTIES}`;
  const kinds = (partner: string) =>
    answer(partner, asked).map((line) => /^<(\w+)>/.exec(line)?.[1]);
  expect(kinds("google")).toEqual(["Result", "Result"]);
  expect(kinds("bing")).toEqual(["PropertyDataSet", "PropertyDataSet", "Result", "Result"]);
});

/** Ids that no document has: not listable, not live, unknown. */
const UNLISTED = ["property-lost", "property-draft", "nobody", "__proto__"];

function stayAsked(day: number, ...ids: string[]): string {
  const dates = `<Checkin>${dateOf(dayIn(day))}</Checkin><Nights>1</Nights>`;
  return `${dates}<PropertyList>${list(...ids)}</PropertyList>`;
}

test("unlisted properties and too distant arrivals are unavailable; past days are left out", () => {
  const of = (day: number) => answer("google", stayAsked(day, ...UNLISTED, MADRID.id));
  const none = (id: string, day: number, currency: string) =>
    `<Result><Property>${id}</Property><Checkin>${dateOf(dayIn(day))}</Checkin><Nights>1</Nights>` +
    `<Unavailable><NoVacancy/></Unavailable><Tax currency="${currency}">0</Tax>` +
    `<OtherFees currency="${currency}">0</OtherFees></Result>\n`;
  const unlisted = (day: number) => UNLISTED.map((id) => none(id, day, "USD"));
  expect(of(5)).toEqual([...unlisted(5), expect.stringContaining("<RoomBundle>")]);
  expect(of(800)).toEqual([...unlisted(800), none(MADRID.id, 800, "EUR")]);
  expect(of(-1)).toEqual([]);
});

test("an unlisted property has no rooms and no rates", () => {
  const asked = `<HotelInfoProperties>${list(...UNLISTED)}</HotelInfoProperties>`;
  expect(answer("google", asked)).toEqual(
    UNLISTED.map((id) => `<PropertyDataSet><Property>${id}</Property></PropertyDataSet>\n`),
  );
});

test.each(PARTNERS)(
  "%s gets the same answer for an unknown tenant and for one without the hotel",
  (p) => {
    const of = (tenantId: string) => answer(p, stayAsked(5, "x"), tenantId);
    expect(of(TENANT)).toHaveLength(1);
    expect(of(OTHER_TENANT)).toEqual(of(TENANT));
  },
);

test("the prices of an answer are counted before the first is computed", () => {
  const count = (tenantId: string, ...ids: readonly string[]) => {
    const asking = { state, tenantId, profile: profileOf("google")!, nowMs: NOON, messageId: "m" };
    const stays = [1, 2, 3].map((nights) => ({ checkInDay: dayIn(5), nights }));
    return pricesIn({ described: [MADRID.id], priced: ids, stays }, asking);
  };
  const plans = MADRID.room_types.flatMap(({ rate_plans }) => rate_plans).length;
  expect(count(TENANT, MADRID.id, AUCKLAND.id)).toBe((plans + 2) * 3);
  // Of each stay that cannot be had it is told once.
  expect(count(TENANT, PLACELESS.id, DRAFT.id, "none")).toBe(3 * 3);
  expect(count(OTHER_TENANT, MADRID.id)).toBe(3);
});
