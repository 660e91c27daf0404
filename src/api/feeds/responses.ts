/** Partner feeds, for operators. */

import { Type } from "@sinclair/typebox";
import { PARTNERS } from "../../../feeds/partners.ts";
import { vocabulary } from "../../http/schema/annotations.ts";
import { Id, Instant, listOf, named, orNull, Seq, Uuid } from "../../http/schema/answer-parts.ts";

const Count = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0, description: "Size of the plain document." });
const GzipBytes = Type.Integer({ minimum: 0, description: "Its size as it is sent compressed." });
const Partner = vocabulary("FeedPartner", PARTNERS, "Whom a feed is for.");

/** Why a feed was built. */
export const FeedTrigger = vocabulary(
  "FeedTrigger",
  ["first", "nightly", "made_up", "age", "change", "operator"],
  "Why: somebody asked and there was none, the night, a night that was missed, its age, a " +
    "change of what it tells, or an operator's word.",
);

const FeedRunState = vocabulary(
  "FeedRunState",
  ["queued", "running", "published", "failed"],
  "`failed`: what was published before is served on.",
);

/** Why a build failed. */
export const FeedFailure = vocabulary(
  "FeedFailure",
  ["no_property", "shrunken", "invalid", "timed_out", "crashed"],
  "Why it failed: nothing to list; more than a tenth fewer listings than before, which an " +
    "operator may accept; what was built is not right; too long; or it broke off.",
);

export const FeedRun = named("FeedRun", "One build of a tenant's feed for a partner.", {
  run_id: Id,
  partner: Partner,
  trigger: FeedTrigger,
  state: FeedRunState,
  accept_shrink: Type.Boolean({ description: "Published even with far fewer listings." }),
  attempts: Count,
  phase: orNull(Type.String({ description: "What it is doing." })),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  created_at: Instant,
  started_at: orNull(Instant),
  ended_at: orNull(Instant),
  seq: orNull(Seq),
  at: orNull(Instant),
  listings: orNull(Count),
  reason: orNull(FeedFailure),
  detail: orNull(Type.String()),
});
export const FeedRunList = listOf(FeedRun);

const Skipped = named("FeedSkipped", "Properties that are not listed.", {
  count: Count,
  properties: Type.Array(
    named("FeedSkippedProperty", "One of them, with what it lacks.", {
      property_id: Uuid,
      reasons: Type.Array(Type.String()),
    }),
    {
      description: "The first of them, with what each lacks.",
    },
  ),
});

const Ari = named("FeedAri", "A document of prices.", {
  days: Type.Integer({ minimum: 0, description: "Of arrivals that it tells." }),
  step: Type.String({
    description:
      "`all_rates`, or what was left out so that it stays below 100 MB: `two_rates_per_room`, " +
      "`lowest_rate`, `lowest_rate_3` and `lowest_rate_1` (stays of so many nights only).",
  }),
  results: Type.Integer({ minimum: 0, description: "Itineraries: property, arrival and nights." }),
  bundles: Type.Integer({ minimum: 0, description: "Rooms with a rate that can be had." }),
  bytes: Bytes,
  gzip_bytes: GzipBytes,
});

const Published = named("PublishedFeed", "What is served now.", {
  run_id: Id,
  seq: Type.Integer({ minimum: 0, description: "Number of the tenant's last event in it." }),
  at: Type.String({ format: "date-time", description: "When that position was read." }),
  age_s: Count,
  hotel_list: named("FeedHotelList", "The document of properties.", {
    listings: Count,
    bytes: Bytes,
    gzip_bytes: GzipBytes,
    skipped: Skipped,
  }),
  ari: Type.Array(Ari, { description: "Of 30 days and of all." }),
});

const FeedAlarm = vocabulary(
  "FeedAlarm",
  ["wrong", "stale"],
  "`wrong`: it differs although nothing has moved since; `stale`: more than a fifth differs.",
);

const Accuracy = named(
  "FeedAccuracy",
  "Itineraries of the document that were quoted again, by what they came to.",
  {
    checked_at: Instant,
    run_id: Id,
    equal: Count,
    price_changed: Count,
    no_longer_sellable: Count,
    now_sellable: Count,
    alarm: orNull(FeedAlarm),
  },
);

const Feed = named("Feed", "A partner, and what is kept for it.", {
  partner: Partner,
  title: Type.String(),
  about: Type.String({ description: "What the partner does with the documents." }),
  nights_max: Type.Integer({ minimum: 1, description: "The longest stay that is told." }),
  needs_credential: Type.Boolean({ description: "The partner has a user and a password." }),
  documents: named("FeedAddresses", "Where the partner reads.", {
    hotel_list: Type.String({ format: "uri" }),
    ari: Type.String({ format: "uri" }),
    point_of_sale: Type.String({ format: "uri" }),
  }),
  asked_at: orNull(
    Type.String({
      format: "date-time",
      description: "When it was last asked for, to the hour; a feed that nobody asks for sleeps.",
    }),
  ),
  next_nightly_at: orNull(Instant),
  published: orNull(Published),
  open_run: orNull(FeedRun),
  failed_run: orNull(FeedRun),
  accuracy: orNull(Accuracy),
});

export const FeedList = named("FeedList", "All partners.", {
  items: Type.Array(Feed),
  note: orNull(Type.String({ description: "Why there are none." })),
});
