/** Partner feeds, for operators. */
import { Type } from "@sinclair/typebox";
import { PARTNERS } from "../../../feeds/partners.ts";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import { Id, Instant, listOf, named, orNull, Seq, Uuid } from "../../http/schema/answer-parts.ts";

const Count = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0, description: "Size of the plain document." });
const GzipBytes = Type.Integer({ minimum: 0, description: "Size compressed with gzip." });
const Partner = vocabulary("FeedPartner", PARTNERS, "The partner of a feed.");

/** Why a feed was built. */
export const FeedTrigger = vocabulary(
  "FeedTrigger",
  ["first", "nightly", "made_up", "age", "change", "operator"],
  "Cause: a request without a feed, the nightly build, a missed nightly build, its age, a change " +
    "of its contents, or an operator.",
);

const FeedRunState = vocabulary(
  "FeedRunState",
  ["queued", "running", "published", "failed"],
  "`failed`: the previous feed stays published.",
);

/** Why a build failed. */
export const FeedFailure = vocabulary(
  "FeedFailure",
  ["no_property", "shrunken", "invalid", "timed_out", "crashed"],
  "Why it failed: nothing to list; more than a tenth fewer listings than before, which an " +
    "operator may accept; failed checks; timeout; or an interrupted build.",
);

export const FeedRun = named("FeedRun", "One build of a tenant's feed for a partner.", {
  run_id: Id,
  partner: Partner,
  trigger: FeedTrigger,
  state: FeedRunState,
  accept_shrink: Type.Boolean({ description: "Published even with far fewer listings." }),
  attempts: documented(Count, "Number of attempts."),
  phase: orNull(Type.String({ description: "Current phase." })),
  progress: documented(Type.Number({ minimum: 0, maximum: 1 }), "Progress from 0 to 1."),
  created_at: Instant,
  started_at: orNull(Instant),
  ended_at: orNull(Instant),
  seq: orNull(Seq),
  at: orNull(Instant),
  listings: documented(orNull(Count), "Properties in it."),
  reason: orNull(FeedFailure),
  detail: documented(orNull(Type.String()), "The error, in words; null without one."),
});
export const FeedRunList = listOf(FeedRun);

const Skipped = named("FeedSkipped", "Properties that are not listed.", {
  count: documented(Count, "Number of properties."),
  properties: Type.Array(
    named("FeedSkippedProperty", "A property and what it lacks.", {
      property_id: Uuid,
      reasons: documented(Type.Array(Type.String()), "Missing facts, in words."),
    }),
    {
      description: "The first of them, with what each lacks.",
    },
  ),
});

const Ari = named("FeedAri", "A document of prices.", {
  days: Type.Integer({ minimum: 0, description: "Days of arrivals." }),
  step: Type.String({
    description:
      "`all_rates`, or the reduction that keeps it below 100 MB: `two_rates_per_room`, " +
      "`lowest_rate`, `lowest_rate_3` and `lowest_rate_1` (stays of at most 3 nights, or 1).",
  }),
  results: Type.Integer({ minimum: 0, description: "Itineraries: property, arrival and nights." }),
  bundles: Type.Integer({ minimum: 0, description: "Rooms with a sellable rate." }),
  bytes: Bytes,
  gzip_bytes: GzipBytes,
});

const Published = named("PublishedFeed", "The published feed.", {
  run_id: Id,
  seq: Type.Integer({ minimum: 0, description: "Number of the tenant's last event in it." }),
  at: Type.String({ format: "date-time", description: "Time of that position." }),
  age_s: documented(Count, "Seconds since it was built."),
  hotel_list: named("FeedHotelList", "The document of properties.", {
    listings: documented(Count, "Properties in it."),
    bytes: Bytes,
    gzip_bytes: GzipBytes,
    skipped: Skipped,
  }),
  ari: Type.Array(Ari, { description: "Of 30 days and of all days." }),
});

const FeedAlarm = vocabulary(
  "FeedAlarm",
  ["wrong", "stale"],
  "`wrong`: prices differ without a change since; `stale`: more than a fifth differs.",
);

const Accuracy = named(
  "FeedAccuracy",
  "Itineraries of the document that were quoted again, by result.",
  {
    checked_at: Instant,
    run_id: Id,
    equal: documented(Count, "Unchanged itineraries."),
    price_changed: documented(Count, "Itineraries with another price."),
    no_longer_sellable: documented(Count, "Itineraries that can no longer be held."),
    now_sellable: documented(Count, "Itineraries that can be held now and could not before."),
    alarm: orNull(FeedAlarm),
  },
);

const Feed = named("Feed", "A partner and its feed.", {
  partner: Partner,
  title: documented(Type.String(), "Display name of the partner."),
  about: Type.String({ description: "How the partner uses the documents." }),
  nights_max: Type.Integer({ minimum: 1, description: "The longest stay in it." }),
  needs_credential: Type.Boolean({ description: "The partner has a user and a password." }),
  documents: named("FeedAddresses", "Addresses for the partner.", {
    hotel_list: documented(Type.String({ format: "uri" }), "The properties."),
    ari: documented(Type.String({ format: "uri" }), "Prices and availability."),
    point_of_sale: Type.String({ format: "uri" }),
  }),
  asked_at: orNull(
    Type.String({
      format: "date-time",
      description: "Last request, to the hour; a feed without requests is not rebuilt.",
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
