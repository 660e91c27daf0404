/** Bugs in what partners are told: prices, vacancies, slices, and what may be published. */
import type { Mutant } from "./mutant.ts";

const BUNDLES = "feeds/bundles.test.ts";
const TRANSACTION = "feeds/transaction.test.ts";
const BUILD = "feeds/build.test.ts";
const VERIFY = "feeds/verify.test.ts";

export const IN_FEEDS: readonly Mutant[] = [
  {
    name: "stays of all lengths cost what the longest costs",
    file: "feeds/bundles.ts",
    find: "priceShares(input, nights)",
    replace: "priceShares(input, longest)",
    killer: BUNDLES,
    test: "a query for stays of every length gives the bundles of each length alone",
  },
  {
    name: "a limit that was set for the partner does not count",
    file: "feeds/bundles.ts",
    find: "{ checkInDay, nights, party, agentId }) === 0",
    replace: '{ checkInDay, nights, party, agentId: "" }) === 0',
    killer: BUNDLES,
    test: "ceilings of the partner and of all agents count, those of other agents do not",
  },
  {
    name: "prices are told of a tree that has changed",
    file: "feeds/bundles.ts",
    find: "if (known?.tree === tree) return known.all;",
    replace: "if (known) return known.all;",
    killer: BUNDLES,
    test: "a changed tree is written in its current version",
  },
  {
    name: "a stay is advertised at what one guest pays alone",
    file: "feeds/transaction.ts",
    find: "    if (bundle.adults < 2) continue;\n",
    replace: "",
    killer: TRANSACTION,
    test: "the price of a stay is the lowest for two guests, never the price for one",
  },
  {
    name: "a property that is no longer on sale is listed",
    file: "feeds/listable.ts",
    find: '    if (property.state !== "live") continue;\n',
    replace: "",
    killer: "feeds/listable.test.ts",
    test: "live properties are listed by id; drafts and test properties are absent",
  },
  {
    name: "two encodings of a document have one tag",
    file: "feeds/stored.ts",
    find: `\`"\${run_id}-d\${told}-\${encoding}"\``,
    replace: `\`"\${run_id}-d\${told}"\``,
    killer: BUILD,
    test: "every slice and encoding has its own tag, which no other run has",
  },
  {
    name: "a document is older than the rows it is made of",
    file: "feeds/build.ts",
    find: "Math.max(nowMs, state.stamp)",
    replace: "nowMs",
    killer: BUILD,
    test: "the position is the tenant's own number and an instant at or after the journal's",
  },
  {
    name: "a bit that flipped in a file is published",
    file: "feeds/verify.ts",
    find: "return sum.crc === part.after.crc && sum.bytes === part.after.bytes ? null : differs(part);",
    replace: "return null;",
    killer: VERIFY,
    test: "one flipped bit is detected anywhere, in the plain files and in the compressed ones",
  },
  {
    name: "a document that is not well formed is published",
    file: "feeds/verify.ts",
    find: "if (found === true) return null;",
    replace: "if (found !== null) return null;",
    killer: VERIFY,
    test: "a malformed document is detected although every byte is as it was written",
  },
  {
    name: "an operator's word publishes an empty list",
    file: "jobs/feed-runs/publish.ts",
    find: "if (listings === 0) {",
    replace: "if (listings === 0 && !acceptShrink) {",
    killer: "jobs/feed-runs/publish.test.ts",
    test: "an empty list is always refused, also when accepted and also as the first list",
  },
];
