/** The feeds part of a worker process: from what is due to what is published. */
import type { Database } from "bun:sqlite";
import type { Replica } from "../../engine/shell/replica.ts";
import { type Log, type Role, roleOf } from "../../engine/shell/service.ts";
import type { Connections } from "../connections.ts";
import type { MessageMacs } from "../message-macs.ts";
import { throttledWarnings } from "../throttled-warnings.ts";
import { AccuracyCheck, type AccuracyFigures } from "./accuracy.ts";
import { AccuracyBook } from "./accuracy-book.ts";
import type { FeedTerms } from "./due.ts";
import { FeedPlanner } from "./planner.ts";
import { FeedQueue } from "./queue.ts";
import { FeedRetention } from "./retention.ts";
import { RunBook } from "./run-book.ts";
import { FeedRunner } from "./runner.ts";
import { FeedStore } from "./store.ts";
import { type TellRun, telling } from "./telling.ts";
import { FeedWatch, type PartnerFigures } from "./watch.ts";

export interface FeedsOptions {
  readonly connections: Connections<"producer" | "blocking">;
  readonly prefix: string;
  readonly macs: MessageMacs;
  /** Of `feeds.db`; closed with this. */
  readonly db: Database;
  /** Where the files are. */
  readonly directory: string;
  readonly journalPath: string;
  readonly replica: Replica;
  readonly siteUrl: string;
  readonly terms: FeedTerms;
  /** `HH:mm`, in the zone of each tenant. */
  readonly nightlyAt: string;
  readonly tell: TellRun;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export interface Feeds extends Role {
  readonly figures: () => PartnerFigures[];
  readonly accuracy: () => AccuracyFigures;
}

/** Builds feeds from its start on. Connections and replica must outlive it. */
export function feedsOf(options: FeedsOptions): Feeds {
  const { connections, db, directory, tell, log } = options;
  const { producer, blocking } = connections;
  const onError = throttledWarnings(log, "feeds");
  const store = new FeedStore(db, directory);
  const shared = { ...options, producer, blocking, onError, store, book: new RunBook(db) };
  const queue = new FeedQueue(shared);
  const planner = new FeedPlanner({ ...shared, queue });
  const watch = new FeedWatch(shared);
  const teller = telling(
    db,
    (run, servedRunId) => {
      tell(run, servedRunId);
      watch.noteEnded(run);
    },
    onError,
  );
  const accuracy = new AccuracyCheck({ ...shared, queue, book: new AccuracyBook(db) });
  const runner = new FeedRunner({ ...shared, onNightly: planner.nightly });
  const parts = [
    { id: "feeds file", stop: () => store.close() },
    ...[new FeedRetention(options), watch, teller, queue, runner, planner, accuracy],
  ];
  return {
    ...roleOf("feeds", parts, log),
    figures: () => watch.figures(),
    accuracy: () => accuracy.figures(),
  };
}
