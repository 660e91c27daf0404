/**
 * Everything of a worker's feeds but the process that builds: a real engine and journal, and
 * `feeds.db`. What a build would have brought is given.
 */
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Command } from "../../engine/core/commands.ts";
import { Replica } from "../../engine/log/replica.ts";
import type { FeedManifest } from "../../feeds/manifest.ts";
import { FeedPlanner } from "../../jobs/feed-runs/planner.ts";
import type { FeedRun } from "../../jobs/feed-runs/run.ts";
import { RunBook } from "../../jobs/feed-runs/run-book.ts";
import { FeedRunner } from "../../jobs/feed-runs/runner.ts";
import { openFeeds } from "../../jobs/feed-runs/schema.ts";
import { FeedStore } from "../../jobs/feed-runs/store.ts";
import { LoneEngine } from "./lone-engine.ts";

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
  readonly lone = new LoneEngine();
  readonly replica = new Replica(this.lone.journalPath);
  readonly directory = join(this.lone.dataDir, "feeds");
  readonly db: Database = openFeeds(join(this.lone.dataDir, "feeds.db"), "normal");
  readonly store = new FeedStore(this.db, this.directory);
  readonly book = new RunBook(this.db);
  readonly errors: unknown[] = [];
  readonly #onError = (error: unknown) => void this.errors.push(error);

  /** A planner that has looked at nothing yet. */
  planner(nightlyAt: string): FeedPlanner {
    const { store, book, replica, lone } = this;
    const onError = this.#onError;
    const now = () => Math.floor(lone.now());
    const given = { store, book, replica, nightlyAt, terms: TERMS };
    return new FeedPlanner({ ...given, now, log: lone.log, onError });
  }

  /** Has `program` build the runs that are open; retries wait only a moment. */
  runner(program: string): FeedRunner {
    const { book, directory, lone } = this;
    const now = () => Math.floor(lone.now());
    return new FeedRunner({
      ...{ book, directory, program, now, log: lone.log, backoffMs: 10 },
      ...{ journalPath: lone.journalPath, siteUrl: "https://inn.example" },
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

  close(): void {
    this.replica.close();
    this.store.close();
    this.lone.close();
  }
}
