/** Bugs in what partners are told: prices, vacancies, slices, and what may be published. */
import type { ByKiller } from "./mutant.ts";

export const IN_FEEDS: ByKiller = {
  "feeds/inbound/loop-back.test.ts": [
    {
      name: "a status of the arrival closes the night",
      in: "feeds/inbound/availability.ts STATUSES",
      instead: ['"cta"', '"stop_sell"'],
      test: "another tenant that receives what is pushed sells the same stays at the same prices",
    },
    {
      name: "an open status is no news",
      in: "feeds/inbound/availability.ts readRestriction",
      instead: ["isClosed ? true : null", "isClosed ? true : undefined"],
      test: "another tenant that receives what is pushed sells the same stays at the same prices",
    },
  ],
  "feeds/inbound/message.test.ts": [
    {
      name: "a price for one guest is the rate of two",
      in: "feeds/inbound/rates.ts RateReader.#baseOf",
      instead: ["guests !== included", "false"],
      test: "prices for other guests and for children are ignored with a warning",
    },
    {
      name: "weekdays that are not sent apply beside those that are",
      in: "feeds/inbound/values.ts weekdaysOf",
      instead: ["!given.includes(true)", "true"],
      test: "days, offsets and patterns in their other forms",
    },
  ],
  "feeds/reading/untrusted.test.ts": [
    {
      name: "the depth of an untrusted document has no limit",
      in: "feeds/reading/untrusted.ts Reader.#openTag",
      instead: ["this.#open.length <= this.#depthMax", "true"],
      test: "32 levels are read, 33 are refused before the rest",
    },
  ],
  "jobs/feed-runs/planner.test.ts": [
    {
      name: "a midnight after which a ceiling is released makes no feed due",
      in: "jobs/feed-runs/day-turns.ts isTimedIn",
      instead: ["(releases?.size ?? 0) > 0", "false"],
      test: "the midnight of a property is a change where stays depend on the day",
    },
    {
      name: "a midnight after which a discount ends makes no feed due",
      in: "jobs/feed-runs/day-turns.ts isTimedIn",
      instead: ["discounts?.some(isTimedDiscount)", "false"],
      test: "the midnight of a property is a change where stays depend on the day",
    },
  ],
  "feeds/bundles.test.ts": [
    {
      name: "stays of all lengths cost what the longest costs",
      in: "feeds/bundles.ts bundlesBetween",
      instead: ["priceShares(input, nights)", "priceShares(input, longest)"],
      test: "a query for stays of every length gives the bundles of each length alone",
    },
    {
      name: "a limit that was set for the partner does not count",
      in: "feeds/bundles.ts bundlesBetween",
      instead: ["party, agentId, todayDay }", 'party, agentId: "", todayDay }'],
      test: "ceilings of the partner and of all agents count, those of other agents do not",
    },
    {
      name: "prices are told of a tree that has changed",
      in: "feeds/bundles.ts candidates",
      instead: ["known?.tree === tree", "known"],
      test: "a changed tree is written in its current version",
    },
  ],
  "feeds/ota.test.ts": [
    {
      name: "a new rate is not told of the plans that follow it",
      in: "feeds/changed-cells.ts pricesChanged",
      instead: ["[rate_plan_id, ...followers.map(({ id }) => id)]", "[rate_plan_id]"],
      test: "a new rate is told of every plan that follows it",
    },
  ],
  "feeds/transaction.test.ts": [
    {
      name: "a stay is advertised at what one guest pays alone",
      in: "feeds/transaction.ts cheapestOf",
      drop: "bundle.adults < 2",
      test: "the price of a stay is the lowest for two guests, never the price for one",
    },
  ],
  "feeds/listable.test.ts": [
    {
      name: "a property that is no longer on sale is listed",
      in: "feeds/listable.ts listableOf",
      drop: 'property.state !== "live"',
      test: "live properties are listed by id; drafts and test properties are absent",
    },
  ],
  "feeds/build.test.ts": [
    {
      name: "two encodings of a document have one tag",
      in: "feeds/stored.ts storedAri",
      instead: ["documentOf(", "documentOf(run_id + told ||"],
      test: "every slice and encoding has its own tag, which no other run has",
    },
    {
      name: "a document is older than the rows it is made of",
      in: "feeds/build.ts build",
      instead: ["Math.max(nowMs, state.stamp)", "nowMs"],
      test: "the position is the tenant's own number and an instant at or after the journal's",
    },
  ],
  "feeds/verify.test.ts": [
    {
      name: "a bit that flipped in a file is published",
      in: "feeds/verify.ts counted",
      holds: "sum.crc === part.after.crc",
      test: "one flipped bit is detected anywhere, in the plain files and in the compressed ones",
    },
    {
      name: "a document that is not well formed is published",
      in: "feeds/verify.ts formOf",
      holds: "found === true",
      test: "a malformed document is detected although every byte is as it was written",
    },
  ],
  "jobs/feed-runs/publish.test.ts": [
    {
      name: "an operator's word publishes an empty list",
      in: "jobs/feed-runs/publish.ts refusalOf",
      instead: ["listings === 0", "listings === 0 && !acceptShrink"],
      test: "an empty list is always refused, also when accepted and also as the first list",
    },
  ],
};
