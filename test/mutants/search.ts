/** Bugs in the index, in what a destination means and in how its answers are sent. */
import type { ByKiller } from "./mutant.ts";

export const IN_SEARCH: ByKiller = {
  "engine/core/search/index/night-bits.test.ts": [
    {
      name: "a realm that grows forgets which rooms were free",
      in: "engine/core/search/index/night-bits.ts NightBits.#reach",
      drop: "words.set",
      test: "the bits are those that were set, for any number of rooms, and none beyond the window",
    },
  ],
  "engine/core/search/index/large-realm.test.ts": [
    {
      name: "ordinals that nobody has are never counted",
      in: "engine/core/search/index/realm-index.ts RealmIndex.#drop",
      drop: "this.#deadRooms += rooms",
      test: "unused ordinals are reused, and too many of them rebuild the index",
    },
    {
      name: "the total of a stay is made of the nights of another plan",
      in: "engine/core/search/best-offer.ts BestOffers.#chargeBest",
      drop: "this.#amounts.of",
      test: "the index of a large realm equals asking each room, after any changes",
    },
  ],
  "engine/core/search/search-index.test.ts": [
    {
      name: "search prices a derived plan by amounts of its own",
      in: "engine/core/search/index/columns.ts PlanColumns.put",
      instead: ["followed.state.number", "number"],
      test: "the index equals a rebuilt one after any change, and search finds what a full scan finds",
    },
    {
      name: "search leaves discounts out of plans without adjustments",
      in: "engine/core/search/index/columns.ts PlanColumns.put",
      instead: ["plan.adjustments.length > 0 || plan.discounts", "plan.adjustments.length > 0"],
      test: "the index equals a rebuilt one after any change, and search finds what a full scan finds",
    },
  ],
  "engine/core/search/places/places.test.ts": [
    {
      name: "a place that a caller may not see gives its name to it",
      in: "engine/core/search/places/resolve.ts anyOf",
      instead: ["all.intersection(seen)", "all"],
      test: "properties that a caller does not see never change the meaning of a text",
    },
  ],
  "src/http/cors.test.ts": [
    {
      name: "a page is let in whose origin begins like one that may",
      in: "src/http/cors.ts allowedOrigin",
      instead: [
        "config.corsOrigins.has(origin)",
        "[...config.corsOrigins].some((each) => origin.startsWith(each))",
      ],
      test: "an origin that resembles a configured one is refused",
    },
  ],
  "src/http/compress.test.ts": [
    {
      name: "a page with a secret is compressed with what others have written on it",
      in: "src/http/render-private-page.ts renderPrivatePage",
      instead: ['"html" in show && hasSecret', "false"],
      test: "a page that shows a secret is sent unchanged, other pages of its visitor are not",
    },
    {
      name: "a cache is not told that others get the answer compressed",
      in: "src/http/compress.ts coded",
      instead: [
        'headers.set("vary"',
        'if (request.headers.has("accept-encoding")) headers.set("vary"',
      ],
      test: "a read's answer has the encoding its caller prefers, and a Vary header",
    },
  ],
};
