/** The feed builder with its connection to the control store. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Notice } from "../../../engine/core/events/event.ts";
import { type FeedsOptions, feedsOf } from "../../../jobs/feed-runs/feeds.ts";
import type { FeedRun } from "../../../jobs/feed-runs/run.ts";
import { openFeeds } from "../../../jobs/feed-runs/schema.ts";
import { writeNotice } from "../../access/control/notices.ts";
import { openControlStore } from "../../access/control/store.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, controlPath, feedsDirectory, feedsPath } from "../../config.ts";
import type { Family } from "../../lib/metrics.ts";
import type { Service } from "../../lib/service.ts";
import { startingOn, withRemoval } from "../../lib/store-file.ts";
import { newTrace } from "../../lib/trace.ts";
import { accuracyFamilies, feedFamilies } from "./feed-metrics.ts";

type Given = Pick<FeedsOptions, "replica" | "journalPath" | "now" | "log">;

/** The services in start order, and their metrics. */
export function feedParts(
  config: Config,
  secrets: Secrets,
  given: Given,
): { readonly parts: readonly Service[]; readonly families: () => Family[] } {
  const { dataDir, siteUrl, feedMaxAgeMs, feedDebounceMs, feedNightlyAt } = config;
  const directory = feedsDirectory(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = feedsPath(dataDir);
  const db = openFeeds(path, "normal");
  const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
  const feeds = feedsOf({
    ...{ ...given, db, directory, siteUrl, nightlyAt: feedNightlyAt },
    terms: { maxAgeMs: feedMaxAgeMs, debounceMs: feedDebounceMs },
    notify(run, servedRunId) {
      const { tenant_id, run_id, ended_at } = run;
      const actor = { kind: "system", id: "feeds" } as const;
      const cause = { tenant_id, mode: "live", actor, trace_id: newTrace() } as const;
      writeNotice(store, cause, noticeOf(run, servedRunId), noticeIdOf(run_id, ended_at!));
    },
  });
  return {
    parts: [
      { id: "control store", stop: () => store.close() },
      { ...feeds, start: () => startingOn(withRemoval(path), feeds.start) },
    ],
    families: () => [...feedFamilies(feeds.figures()), ...accuracyFamilies(feeds.accuracy())],
  };
}

function noticeOf(run: FeedRun, servedRunId: string | null): Notice {
  const { partner, run_id, trigger, reason, seq, at, listings } = run;
  const about = { partner, run_id, trigger };
  if (reason !== null) {
    const data = { ...about, reason, listings, published_run_id: servedRunId };
    return { type: "feed.failed", data };
  }
  const position = { as_of_seq: seq!, as_of: instantIso(at!) };
  return { type: "feed.generated", data: { ...about, ...position, listings: listings! } };
}

/** The same UUID for repeated notices of a run; sorts by the end of the run. */
function noticeIdOf(runId: string, endedAtMs: number): string {
  const time = endedAtMs.toString(16).padStart(12, "0");
  const mix = createHash("sha256").update(runId).digest("hex");
  const [a, b] = [mix.slice(0, 3), mix.slice(3, 6)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a}-8${b}-${mix.slice(6, 18)}`;
}
