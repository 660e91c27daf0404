/** Exact bytes of results, and the id of a message. */
import { expect, test } from "bun:test";
import { ratePlan, roomType } from "../test/support/builders.ts";
import { demoHotels } from "../test/support/feeds.ts";
import type { Bundle } from "./bundles.ts";
import { profileOf } from "./partners.ts";
import { ResultWriter, transactionId } from "./transaction.ts";

const TREE = { ...demoHotels(1)[0]!.property, id: "p&1", default_currency: "EUR" };

function bundle(
  over: Partial<Bundle> & { readonly room?: string; readonly plan?: string },
): Bundle {
  const { room = "r1", plan = "f1", ...rest } = over;
  const offer = {
    roomType: roomType({ id: room }),
    plan: ratePlan({ id: plan }),
  } as Bundle["offer"];
  const price = { base: 12_000, tax: 720, fees: 400, currency: "EUR" };
  return { offer, adults: 2, isRefundable: true, ...price, ...rest };
}

function result(partner: string, bundles: readonly Bundle[], hasBundles = true): string {
  const writer = new ResultWriter(profileOf(partner)!);
  return writer.result(TREE, "2026-03-01", 2, { bundles, hasBundles });
}

const ITINERARY =
  "<Result><Property>p&amp;1</Property><Checkin>2026-03-01</Checkin><Nights>2</Nights>";
const PRICE =
  '<Baserate currency="EUR">120.00</Baserate><Tax currency="EUR">7.20</Tax>' +
  '<OtherFees currency="EUR">4.00</OtherFees>';

test("a rate is written once for the itinerary and once for its room and plan", () => {
  const told = (ids: string) =>
    `${ITINERARY}${PRICE}<RoomBundle><RoomID>r1</RoomID>${ids}<Occupancy>2</Occupancy>` +
    `${PRICE}</RoomBundle></Result>\n`;
  const [plan, both] = ["<PackageID>f1</PackageID>", "<RatePlanID>f1</RatePlanID>"];
  expect(result("google", [bundle({})])).toBe(told(both + plan));
  expect(result("bing", [bundle({})])).toBe(told(plan));
  expect(result("google", [bundle({})], false)).toBe(`${ITINERARY}${PRICE}</Result>\n`);
});

test("an unavailable stay is written in each partner's way", () => {
  expect(result("google", [])).toBe(
    `${ITINERARY}<Unavailable><NoVacancy/></Unavailable><Tax currency="EUR">0</Tax>` +
      '<OtherFees currency="EUR">0</OtherFees></Result>\n',
  );
  expect(result("bing", [])).toBe(
    `${ITINERARY}<Baserate currency="EUR">-1.00</Baserate><Tax currency="EUR">-1.00</Tax>` +
      '<OtherFees currency="EUR">-1.00</OtherFees></Result>\n',
  );
});

/** The amounts that the itinerary is told by, before the first bundle. */
function shown(...bundles: Bundle[]): string[] {
  const [head = ""] = result("google", bundles).split("<RoomBundle>");
  return [...head.matchAll(/currency="(\w+)">([^<]*)</g)].map((match) => `${match[1]} ${match[2]}`);
}

test("an itinerary has the lowest total for two adults, not the lowest base", () => {
  const lowBase = bundle({ plan: "f2", base: 11_000, tax: 0, fees: 3_000 });
  expect(shown(lowBase, bundle({}), bundle({ plan: "f3", base: 12_001 }))).toEqual([
    ...["EUR 120.00", "EUR 7.20", "EUR 4.00"],
  ]);
});

test("an id contains tenant, instant and days in characters that partners accept", () => {
  const position = { seq: 1, at: "2026-03-01T02:15:00Z" };
  const id = transactionId("3b9d4c1e-90b4-4c1d-8a6f-7b2c9d4e0001", position, 30);
  expect(id).toBe("ari-3b9d4c1e-20260301T021500Z-d30");
});
