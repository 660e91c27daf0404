/** Bugs in the index, in what a destination means and in how its answers are sent. */
import type { Mutant } from "./mutant.ts";

export const IN_SEARCH: readonly Mutant[] = [
  {
    name: "a realm that grows forgets which rooms were free",
    file: "engine/core/search/index/night-bits.ts",
    find: "words.set(this.#words.subarray(at * this.#length, (at + 1) * this.#length), at * length);",
    replace: "void at;",
    killer: "engine/core/search/index/night-bits.test.ts",
    test: "the bits are those that were set, for any number of rooms, and none beyond the window",
  },
  {
    name: "ordinals that nobody has are never counted",
    file: "engine/core/search/index/realm-index.ts",
    find: "    this.#deadRooms += rooms;\n",
    replace: "",
    killer: "engine/core/search/index/large-realm.test.ts",
    test: "unused ordinals are reused, and too many of them rebuild the index",
  },
  {
    name: "the total of a stay is made of the nights of another plan",
    file: "engine/core/search/best-offer.ts",
    find: "    this.#amounts.fits(room);\n    this.#amounts.of(plan);\n",
    replace: "",
    killer: "engine/core/search/index/large-realm.test.ts",
    test: "the index of a large realm equals asking each room, after any changes",
  },
  {
    name: "a place that a caller may not see gives its name to it",
    file: "engine/core/search/places/resolve.ts",
    find: "all && seen ? all.intersection(seen) : all",
    replace: "all",
    killer: "engine/core/search/places/places.test.ts",
    test: "properties that a caller does not see never change the meaning of a text",
  },
  {
    name: "a page is let in whose origin begins like one that may",
    file: "src/http/cors.ts",
    find: "config.corsOrigins.has(origin)",
    replace: "[...config.corsOrigins].some((each) => origin.startsWith(each))",
    killer: "src/http/cors.test.ts",
    test: "an origin that resembles a configured one is refused",
  },
  {
    name: "a cache is not told that others get the answer compressed",
    file: "src/http/compress.ts",
    find: '  headers.set("vary", varying(',
    replace: '  if (request.headers.has("accept-encoding")) headers.set("vary", varying(',
    killer: "src/http/compress.test.ts",
    test: "a read's answer has the encoding its caller prefers, and a Vary header",
  },
];
