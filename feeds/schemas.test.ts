/** The schemas refuse what partners refuse: twelve kinds of broken documents. */
import { expect, test } from "bun:test";
import { BuiltFeed, liveState, oddHotels } from "../test/support/feeds.ts";
import { type FeedSchema, validate } from "../test/support/xmllint.ts";
import { profileOf } from "./partners.ts";
import { emptyAri, emptyList } from "./stored.ts";

using feed = new BuiltFeed(liveState(oddHotels().slice(2)));
const GOOD = { "hotel-list": await feed.text("list"), transaction: await feed.text(2) } as const;
type Broken = keyof typeof GOOD;

/** The document with the first match changed, which must be there. */
function changed(kind: Broken, from: RegExp | string, to: string): string {
  const xml = GOOD[kind].replace(from, to);
  if (xml === GOOD[kind]) throw new Error(`nothing like ${from} in ${kind}`);
  return xml;
}

function refusal(schema: FeedSchema, xml: string): string {
  try {
    validate(schema, xml);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const [RESULT = ""] = /<Result>.*<\/Result>\n/.exec(GOOD.transaction)!;

test("the unbroken originals of the broken documents below are valid", () => {
  for (const kind of Object.keys(GOOD) as Broken[]) expect(refusal(kind, GOOD[kind])).toBe("");
});

test.each([
  [
    "a timestamp without a zone",
    "transaction",
    changed("transaction", /(timestamp="[^"]*)Z/, "$1"),
  ],
  ["an itinerary twice", "transaction", changed("transaction", RESULT, RESULT + RESULT)],
  ["a thousands separator", "transaction", changed("transaction", />\d+\.\d\d</, ">1,234.00<")],
  ["an amount without currency", "transaction", changed("transaction", / currency="\w+"/, "")],
  ["room for twenty-four", "transaction", changed("transaction", /<Capacity>\d+/, "<Capacity>24")],
  [
    "a rate of one adult",
    "transaction",
    changed(
      "transaction",
      "</OtherFees><RoomBundle>",
      "</OtherFees><Occupancy>1</Occupancy><RoomBundle>",
    ),
  ],
  ["no price and no property", "transaction", emptyAri()],
  ["a country in small letters", "hotel-list", changed("hotel-list", ">ES<", ">es<")],
  ["an empty line of an address", "hotel-list", changed("hotel-list", ">Madrid<", "><")],
  ["a latitude alone", "hotel-list", changed("hotel-list", /<longitude>[^<]*<\/longitude>/, "")],
  ["no listing", "hotel-list", emptyList(profileOf("google")!)],
  ["an ampersand as it is", "hotel-list", changed("hotel-list", "<name>", "<name>Bed & ")],
] as const)("%s is refused", (_, schema, xml) => {
  expect(refusal(schema, xml)).not.toBe("");
});
