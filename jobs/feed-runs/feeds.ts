/** The feeds of a worker process: planning, building and publishing. */
import type { Database } from "bun:sqlite";
import type { Replica } from "../../engine/log/replica.ts";
import { type Log, type Role, roleOf } from "../../src/lib/service.ts";
import { throttledWarnings } from "../redis/throttled-warnings.ts";
import { AccuracyCheck, type AccuracyFigures } from "./accuracy.ts";
import { AccuracyBook } from "./accuracy-book.ts";
import type { FeedTerms } from "./due.ts";
import { FeedMetrics, type PartnerFigures } from "./feed-metrics.ts";
import { FeedPlanner } from "./planner.ts";
import { FeedRetention } from "./retention.ts";
import { RunBook } from "./run-book.ts";
import { type NotifyRun, runNotices } from "./run-notices.ts";
import { FeedRunner } from "./runner.ts";
import { FeedStore } from "./store.ts";

export interface FeedsOptions {
  /** `feeds.db`; closed with this. */
  readonly db: Database;
  /** Root directory of the files. */
  readonly directory: string;
  readonly journalPath: string;
  readonly replica: Replica;
  readonly siteUrl: string;
  readonly terms: FeedTerms;
  /** `HH:mm`, in the zone of each tenant. */
  readonly nightlyAt: string;
  readonly notify: NotifyRun;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export interface Feeds extends Role {
  readonly figures: () => PartnerFigures[];
  readonly accuracy: () => AccuracyFigures;
}

/** Builds feeds after its start. The replica must outlive it. */
export function feedsOf(options: FeedsOptions): Feeds {
  const { db, directory, notify, log } = options;
  const onError = throttledWarnings(log, "feeds");
  const store = new FeedStore(db, directory);
  const shared = { ...options, onError, store, book: new RunBook(db) };
  const planner = new FeedPlanner(shared);
  const metrics = new FeedMetrics(shared);
  const notices = runNotices(
    db,
    (run, servedRunId) => {
      notify(run, servedRunId);
      metrics.noteEnded(run);
    },
    onError,
  );
  const accuracy = new AccuracyCheck({ ...shared, book: new AccuracyBook(db) });
  const runner = new FeedRunner(shared);
  const parts = [
    { id: "feeds file", stop: () => store.close() },
    ...[new FeedRetention(options), metrics, notices, runner, planner, accuracy],
  ];
  return {
    ...roleOf("feeds", parts, log),
    figures: () => metrics.figures(),
    accuracy: () => accuracy.figures(),
  };
}
