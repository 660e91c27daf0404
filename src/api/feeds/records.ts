/** Feeds and their runs as operators see them. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { StoredBody } from "../../../feeds/manifest.ts";
import type { Profile } from "../../../feeds/profiles/profile.ts";
import { storedAri } from "../../../feeds/stored.ts";
import type { Accuracy } from "../../../jobs/feed-runs/accuracy-book.ts";
import type { FeedRun } from "../../../jobs/feed-runs/run.ts";
import type { Feed, PublishedFeed } from "../../../jobs/feed-runs/store.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import type { Call } from "../../http/call.ts";
import { isGuarded } from "./partner.ts";

export const FEEDS = "/v1/admin/feeds";

/** Days of `ari.xml` shown: the default and the maximum. */
const SHOWN_DAYS = [30, 90];

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instantIso(ms);
}

/** A run on the wire; its tenant is the caller's. */
export function runOut(run: FeedRun) {
  const { run_id, partner, trigger, state, accept_shrink, attempts, phase, progress } = run;
  const { seq, listings, reason, detail } = run;
  return {
    ...{ run_id, partner, trigger, state, accept_shrink, attempts, phase, progress },
    created_at: instantIso(run.created_at),
    started_at: instantOrNull(run.started_at),
    ended_at: instantOrNull(run.ended_at),
    ...{ seq, at: instantOrNull(run.at), listings, reason, detail },
  };
}

/** The read of a run. */
function runPath({ partner, run_id }: FeedRun): string {
  return `${FEEDS}/${partner}/runs/${run_id}`;
}

/** The read of an open run; of an ended one, that of the feed. */
export function runActions(call: Call, run: FeedRun): NextAction[] {
  if (run.ended_at === null) return permitted([action("get", "GET", runPath(run))], call.may);
  return permitted([action("get", "GET", FEEDS)], call.may);
}

function sum(counts: readonly number[], days: number): number {
  return counts.slice(0, days).reduce((total, count) => total + count, 0);
}

/** `ari.xml` of so many days, or of as many as fit into a document. */
function ariOut({ directory, manifest }: PublishedFeed, days: number) {
  const { sets } = manifest.ari;
  const set: StoredBody | undefined = sets.find((each) => days <= each.through_days) ?? sets.at(-1);
  if (!set) throw new Error("a published feed has no prices");
  const [plain, coded] = (["identity", "gzip"] as const).map((encoding) => {
    return storedAri(directory, manifest, days, encoding).bytes;
  });
  const counted = Math.min(days, set.through_days);
  return {
    days: counted,
    step: set.step,
    results: sum(set.results, counted),
    bundles: sum(set.bundles, counted),
    bytes: plain!,
    gzip_bytes: coded!,
  };
}

function publishedOut(feed: PublishedFeed, nowMs: number) {
  const { run_id, manifest } = feed;
  const { seq, at, list } = manifest;
  const { listings, skipped, bytes, gzip_bytes } = list;
  return {
    ...{ run_id, seq, at, age_s: Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000)) },
    hotel_list: { listings, bytes, gzip_bytes, skipped },
    ari: SHOWN_DAYS.map((days) => ariOut(feed, days)),
  };
}

function accuracyOut({ checked_at, run_id, outcomes, alarm }: Accuracy) {
  return { checked_at: instantIso(checked_at), run_id, ...outcomes, alarm };
}

/** A partner with its feed, which exists after the first request. */
export function feedOut(call: Call, profile: Profile, feed: Feed | undefined) {
  const { context, principal } = call;
  const { name, title, about, nightsMax } = profile;
  const { baseUrl } = context.config;
  const of = (file: string) => `${baseUrl}/feeds/${name}/${file}`;
  const tenant = `?tenant_id=${principal.tenant_id}`;
  const published = feed?.published && context.feeds.current(principal.tenant_id, name);
  return {
    ...{ partner: name, title, about, nights_max: nightsMax },
    needs_credential: isGuarded(context, profile),
    documents: {
      hotel_list: `${of("hotel-list.xml")}${tenant}`,
      ari: `${of("ari.xml")}${tenant}`,
      point_of_sale: `${of("pointofsale.xml")}${tenant}`,
    },
    asked_at: instantOrNull(feed?.asked_at ?? null),
    next_nightly_at: instantOrNull(feed?.next_nightly_at ?? null),
    published: published ? publishedOut(published, context.engineNow()) : null,
    open_run: feed?.open ? runOut(feed.open) : null,
    failed_run: feed?.failed ? runOut(feed.failed) : null,
    accuracy: feed?.accuracy ? accuracyOut(feed.accuracy) : null,
  };
}
