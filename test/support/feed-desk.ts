/**
 * Everything of a worker's feeds but the process that builds: a real engine and journal, `feeds.db`
 * and a queue on a real Redis. What a build would have brought is given.
 */
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Command } from "../../engine/core/commands.ts";
import { Replica } from "../../engine/log/replica.ts";
import type { FeedManifest } from "../../feeds/manifest.ts";
import { FeedPlanner } from "../../jobs/feed-runs/planner.ts";
import { FeedQueue } from "../../jobs/feed-runs/queue.ts";
import type { FeedRun } from "../../jobs/feed-runs/run.ts";
import { RunBook } from "../../jobs/feed-runs/run-book.ts";
import { FeedRunner } from "../../jobs/feed-runs/runner.ts";
import { openFeeds } from "../../jobs/feed-runs/schema.ts";
import { FeedStore } from "../../jobs/feed-runs/store.ts";
import { type Connections, openConnections } from "../../jobs/redis/connections.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { LoneEngine } from "./lone-engine.ts";
import { macsOf } from "./macs.ts";

const PREFIX = "desk";
const TERMS = { maxAgeMs: 6 * 3_600_000, debounceMs: 120_000 };

/** What a build at a position would say. */
export function manifestAt(
  { tenant_id, run_id }: Pick<FeedRun, "tenant_id" | "run_id">,
  position: Pick<FeedManifest, "journal_id" | "row" | "seq" | "at">,
  listings = 12,
): FeedManifest {
  const skipped = { count: 0, properties: [] };
  const text = { file: "hotel-list.xml", gzip_file: "hotel-list.deflate", crcs: [0] };
  const sizes = { ends: [9], gzip_ends: [5], bytes: 9, gzip_bytes: 25 };
  return {
    ...{ format: 1, partner: "google", tenant_id, run_id, ...position },
    list: { ...text, ...sizes, listings, skipped, issues: [] },
    ari: { sets: [], properties: listings },
    timings: { open_ms: 1, build_ms: 1, verify_ms: 1, cpu_ms: 1, peak_rss_bytes: 1 },
  };
}

export class FeedDesk {
  readonly lone: LoneEngine;
  readonly replica: Replica;
  readonly directory: string;
  readonly db: Database;
  readonly store: FeedStore;
  readonly book: RunBook;
  readonly queue: FeedQueue;
  readonly macs = macsOf();
  readonly errors: unknown[] = [];
  readonly #redis: RedisProcess;
  readonly #connections: Connections<"producer" | "blocking">;

  private constructor(
    lone: LoneEngine,
    redis: RedisProcess,
    connections: Connections<"producer" | "blocking">,
  ) {
    this.lone = lone;
    this.#redis = redis;
    this.#connections = connections;
    this.replica = new Replica(lone.journalPath);
    this.directory = join(lone.dataDir, "feeds");
    this.db = openFeeds(join(lone.dataDir, "feeds.db"), "normal");
    this.store = new FeedStore(this.db, this.directory);
    this.book = new RunBook(this.db);
    const { producer } = connections;
    const { macs } = this;
    this.queue = new FeedQueue({ producer, prefix: PREFIX, macs, onError: this.#onError });
  }

  readonly #onError = (error: unknown) => void this.errors.push(error);

  static async open(): Promise<FeedDesk> {
    const lone = new LoneEngine();
    const { dataDir, logger } = lone;
    const redis = await startRedis({ dataDir, maxMemoryMb: 32, log: logger });
    return new FeedDesk(
      lone,
      redis,
      await openConnections(redis, ["producer", "blocking"], () => {}),
    );
  }

  /** A planner that has looked at nothing yet. */
  planner(nightlyAt: string): FeedPlanner {
    const { store, book, queue, replica, lone } = this;
    const onError = this.#onError;
    const now = () => Math.floor(lone.now());
    const given = { store, book, queue, replica, nightlyAt, terms: TERMS };
    return new FeedPlanner({ ...given, now, log: lone.log, onError });
  }

  /** The worker's end of the queue, which has `program` build. */
  runner(program: string): FeedRunner {
    const { book, directory, lone } = this;
    const { producer, blocking } = this.#connections;
    const now = () => Math.floor(lone.now());
    return new FeedRunner({
      ...{
        producer,
        blocking,
        prefix: PREFIX,
        macs: this.macs,
        book,
        directory,
        program,
        now,
        log: lone.log,
      },
      ...{ journalPath: lone.journalPath, siteUrl: "https://inn.example" },
      onNightly: () => Promise.resolve(),
      onError: this.#onError,
    });
  }

  /** Has commands decided, and the replica know it. */
  decide(...commands: readonly Command[]): void {
    for (const outcome of this.lone.decide(commands)) {
      if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    }
    this.replica.catchUp(1_000);
  }

  /** Ends a run as if it had been built from the journal as it stands. */
  publish(run: Pick<FeedRun, "tenant_id" | "partner" | "run_id">, listings = 12): FeedRun {
    const { replica, lone, book, store } = this;
    const nowMs = Math.floor(lone.now());
    const attempt = book.begin(run.run_id, nowMs)!;
    const seq = replica.state.tenants.get(run.tenant_id)?.seq.live ?? 0;
    const position = { journal_id: replica.journalId, row: replica.head.row, seq };
    const at = new Date(nowMs).toISOString();
    book.publish(attempt, manifestAt(run, { ...position, at }, listings), nowMs);
    return store.run(run.run_id)!;
  }

  async close(): Promise<void> {
    await this.queue.stop();
    await this.#connections.stop();
    await this.#redis.stop();
    this.replica.close();
    this.store.close();
    this.lone.close();
  }
}
