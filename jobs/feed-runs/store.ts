/**
 * `feeds.db` for api processes and operators: published feeds, runs, and requests for a run. The
 * worker builds and publishes (`run-book.ts`).
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { join } from "node:path";
import type { FeedManifest } from "../../feeds/manifest.ts";
import { type Accuracy, AccuracyBook } from "./accuracy-book.ts";
import {
  type FeedRun,
  type FeedTrigger,
  newRunId,
  RUN_COLUMNS,
  runOf,
  runWhere,
  type StoredRun,
} from "./run.ts";

/** A request for a feed is recorded at most this often. */
const ASKED_EVERY_MS = 3_600_000;
/** Size of the manifest cache. */
const MANIFESTS_MAX = 1_000;

/** The document that is served. */
export interface PublishedFeed {
  readonly run_id: string;
  /** Directory of its files. */
  readonly directory: string;
  readonly manifest: FeedManifest;
}

/** A feed, for operators. Instants are engine time, epoch milliseconds. */
export interface Feed {
  readonly tenant_id: string;
  readonly partner: string;
  readonly asked_at: number;
  readonly next_nightly_at: number | null;
  /** The published run; null before the first. */
  readonly published: FeedRun | null;
  /** The running run, else the queued one. */
  readonly open: FeedRun | null;
  /** The last ended run if it failed. */
  readonly failed: FeedRun | null;
  /** The last accuracy check. */
  readonly accuracy: Accuracy | null;
}

export interface RunRequest {
  readonly accept_shrink?: boolean;
  /** Repeating a key returns its first run. */
  readonly requestKey?: string | null;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * After a failed first run, requests get that failure for a while instead of a new run. Without a
 * property for longer, because a change of supply triggers a run.
 */
const FAILED_STANDS_MS = 60_000;
const EMPTY_STANDS_MS = 3_600_000;

/** Triggers that a running build satisfies too, because it reads current data. */
const MET_BY_RUNNING: ReadonlySet<FeedTrigger> = new Set([
  ...(["first", "nightly", "made_up", "age"] as const),
]);

/** Identifies the directory of an attempt. */
export type RunDirectory = Pick<StoredRun, "tenant_id" | "partner" | "run_id" | "attempts">;

/** The directory of an attempt; each attempt has its own. */
export function runDirectory(root: string, run: RunDirectory): string {
  return join(root, run.tenant_id, run.partner, `${run.run_id}-${run.attempts}`);
}

export class FeedStore {
  readonly #db: Database;
  readonly #accuracy: AccuracyBook;
  readonly #root: string;
  readonly #current;
  readonly #manifests = new Map<string, PublishedFeed>();
  /** By feed: when its last request was recorded. */
  readonly #askedAt = new Map<string, number>();

  /** `db`: a connection of `openFeeds`; `root`: directory of all files. */
  constructor(db: Database, root: string) {
    this.#db = db;
    this.#accuracy = new AccuracyBook(db);
    this.#root = root;
    this.#current = db.prepare<{ run_id: string }, [string, string]>(
      `SELECT published_run AS run_id FROM feed
       WHERE tenant_id = ? AND partner = ? AND published_run IS NOT NULL`,
    );
  }

  /** The published document of a feed; null without one. */
  current(tenantId: string, partner: string): PublishedFeed | null {
    const found = this.#current.get(tenantId, partner);
    if (found === null) return null;
    const known = this.#manifests.get(found.run_id);
    return known ?? this.#remember(found.run_id);
  }

  /** Cached, because the manifest of a published run never changes. */
  #remember(runId: string): PublishedFeed | null {
    const select =
      "SELECT run_id, tenant_id, partner, attempts, manifest FROM run WHERE run_id = ?";
    type Found = RunDirectory & { readonly manifest: string | null };
    const run = this.#db.query<Found, [string]>(select).get(runId);
    if (run === null || run.manifest === null) return null;
    const published: PublishedFeed = {
      run_id: runId,
      directory: runDirectory(this.#root, run),
      manifest: JSON.parse(run.manifest) as FeedManifest,
    };
    if (this.#manifests.size >= MANIFESTS_MAX) this.#manifests.clear();
    this.#manifests.set(runId, published);
    return published;
  }

  /**
   * Requests a run, coordinated over all processes: a queued run is shared, and a running one if
   * any running build satisfies the trigger. The worker builds the result if it is open. `first`
   * returns a run that failed recently instead of a new one.
   */
  request(
    tenantId: string,
    partner: string,
    trigger: FeedTrigger,
    { accept_shrink = false, requestKey = null, nowMs }: RunRequest,
  ): FeedRun {
    const insert = `INSERT INTO run (run_id, tenant_id, partner, trigger, state, accept_shrink,
      created_at, request_key) VALUES (?, ?, ?, ?, 'queued', ?, ?, ?)`;
    return this.#write(() => {
      const asked = requestKey === null ? null : this.#one("request_key = ?", requestKey);
      if (asked) return asked;
      this.#keep(tenantId, partner, nowMs);
      const open = `tenant_id = ? AND partner = ? AND state = ?`;
      const running = this.#one(open, tenantId, partner, "running");
      if (running && MET_BY_RUNNING.has(trigger)) return running;
      const failed = trigger === "first" ? this.#failed(tenantId, partner) : null;
      const standsMs = failed?.reason === "no_property" ? EMPTY_STANDS_MS : FAILED_STANDS_MS;
      if (failed && nowMs - failed.ended_at! < standsMs) return failed;
      const queued = this.#one(open, tenantId, partner, "queued");
      if (queued) return this.#share(queued, trigger, accept_shrink);
      const runId = newRunId(nowMs);
      const given = [runId, tenantId, partner, trigger, accept_shrink ? 1 : 0, nowMs] as const;
      this.#db.query(insert).run(...given, requestKey);
      return this.run(runId)!;
    });
  }

  /** Of any tenant; null if unknown or deleted. */
  run(runId: string): FeedRun | null {
    return this.#one("run_id = ?", runId);
  }

  /** Newest first; null for all partners. */
  runsOf(tenantId: string, partner: string | null, limit: number): FeedRun[] {
    const select = `SELECT ${RUN_COLUMNS} FROM run
      WHERE tenant_id = ?1 AND (?2 IS NULL OR partner = ?2) ORDER BY run_id DESC LIMIT ?3`;
    type Given = [string, string | null, number];
    return this.#db.query<StoredRun, Given>(select).all(tenantId, partner, limit).map(runOf);
  }

  /** The feeds of a tenant, by partner. */
  feedsOf(tenantId: string): Feed[] {
    return this.#feeds("tenant_id = ?", tenantId);
  }

  /** Feeds of all tenants with a request since `sinceMs`. */
  feedsAskedSince(sinceMs: number): Feed[] {
    return this.#feeds("asked_at >= ?", sinceMs);
  }

  /** Records a request, which keeps the feed fresh. */
  noteAsked(tenantId: string, partner: string, nowMs: number): void {
    const name = `${tenantId} ${partner}`;
    const before = this.#askedAt.get(name);
    if (before !== undefined && nowMs - before < ASKED_EVERY_MS) return;
    this.#write(() => this.#keep(tenantId, partner, nowMs));
    if (this.#askedAt.size >= MANIFESTS_MAX) this.#askedAt.clear();
    this.#askedAt.set(name, nowMs);
  }

  close(): void {
    this.#db.close();
  }

  #keep(tenantId: string, partner: string, nowMs: number): void {
    const upsert = `INSERT INTO feed (tenant_id, partner, asked_at) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET asked_at = ?3 WHERE asked_at < ?3 - ${ASKED_EVERY_MS}`;
    this.#db.query(upsert).run(tenantId, partner, nowMs);
  }

  /** Upgrades a queued run for an operator: trigger and accepted shrinking. */
  #share(queued: FeedRun, trigger: FeedTrigger, acceptShrink: boolean): FeedRun {
    if (trigger !== "operator") return queued;
    const update = `UPDATE run SET trigger = 'operator', accept_shrink = max(accept_shrink, ?)
      WHERE run_id = ?`;
    this.#db.query(update).run(acceptShrink ? 1 : 0, queued.run_id);
    return this.run(queued.run_id)!;
  }

  #feeds(where: string, value: SQLQueryBindings): Feed[] {
    const select = `SELECT tenant_id, partner, asked_at, next_nightly_at, published_run FROM feed
      WHERE ${where} ORDER BY tenant_id, partner`;
    type Found = Omit<Feed, "published" | "open" | "failed" | "accuracy"> & {
      readonly published_run: string | null;
    };
    const found = this.#db.query<Found, [SQLQueryBindings]>(select).all(value);
    return found.map(({ published_run, ...feed }) => {
      const own = [feed.tenant_id, feed.partner] as const;
      const open = `tenant_id = ? AND partner = ? AND state = ?`;
      return {
        ...feed,
        published: published_run === null ? null : this.run(published_run),
        open: this.#one(open, ...own, "running") ?? this.#one(open, ...own, "queued"),
        failed: this.#failed(...own),
        accuracy: this.#accuracy.last(...own),
      };
    });
  }

  /** The last ended run if it failed. */
  #failed(tenantId: string, partner: string): FeedRun | null {
    const last =
      "tenant_id = ? AND partner = ? AND ended_at IS NOT NULL ORDER BY run_id DESC LIMIT 1";
    const ended = this.#one(last, tenantId, partner);
    return ended?.state === "failed" ? ended : null;
  }

  #one(where: string, ...values: readonly SQLQueryBindings[]): FeedRun | null {
    return runWhere(this.#db, where, ...values);
  }

  #write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}
