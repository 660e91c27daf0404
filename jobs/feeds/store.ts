/**
 * What whoever serves feeds and runs them knows of `feeds.db`: what is published, what is under
 * way, and how to ask for a run. Building and publishing is the worker's (`run-book.ts`).
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

/** That somebody asks for a feed is written down this often. */
const ASKED_EVERY_MS = 3_600_000;
/** Of how many feeds the manifests are remembered. */
const MANIFESTS_MAX = 1_000;

/** What is served. */
export interface PublishedFeed {
  readonly run_id: string;
  /** Where its files are. */
  readonly directory: string;
  readonly manifest: FeedManifest;
}

/** A feed that is kept, as operators see it. Instants are engine time, epoch milliseconds. */
export interface Feed {
  readonly tenant_id: string;
  readonly partner: string;
  readonly asked_at: number;
  readonly next_nightly_at: number | null;
  /** Null until a run has been published. */
  readonly published: FeedRun | null;
  /** The one that runs, or else the one that waits. */
  readonly open: FeedRun | null;
  /** The last run to end, when it has failed. */
  readonly failed: FeedRun | null;
  /** How what was served compared with quotes when that was looked at last. */
  readonly accuracy: Accuracy | null;
}

export interface RunRequest {
  readonly accept_shrink?: boolean;
  /** The same key finds the run that it has asked for before. */
  readonly requestKey?: string | null;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * Who asks first after a run has failed is told so for a while, and none is run again at once; what
 * lacks a property for longer, for it is built by itself when there is one.
 */
const FAILED_STANDS_MS = 60_000;
const EMPTY_STANDS_MS = 3_600_000;

/** Triggers that any build that has begun meets as well: it reads what is true now. */
const MET_BY_RUNNING: ReadonlySet<FeedTrigger> = new Set([
  ...(["first", "nightly", "made_up", "age"] as const),
]);

/** What names the directory of an attempt. */
export type RunDirectory = Pick<StoredRun, "tenant_id" | "partner" | "run_id" | "attempts">;

/** The directory of an attempt: one that was given up for dead never writes into another. */
export function runDirectory(root: string, run: RunDirectory): string {
  return join(root, run.tenant_id, run.partner, `${run.run_id}-${run.attempts}`);
}

export class FeedStore {
  readonly #db: Database;
  readonly #accuracy: AccuracyBook;
  readonly #root: string;
  readonly #current;
  readonly #manifests = new Map<string, PublishedFeed>();
  /** Feed → when it was last written down that somebody asks for it. */
  readonly #askedAt = new Map<string, number>();

  /** On a connection of `openFeeds`; `root` is where the files are. */
  constructor(db: Database, root: string) {
    this.#db = db;
    this.#accuracy = new AccuracyBook(db);
    this.#root = root;
    this.#current = db.prepare<{ run_id: string }, [string, string]>(
      `SELECT published_run AS run_id FROM feed
       WHERE tenant_id = ? AND partner = ? AND published_run IS NOT NULL`,
    );
  }

  /** What is published of a feed; null when nothing is. */
  current(tenantId: string, partner: string): PublishedFeed | null {
    const found = this.#current.get(tenantId, partner);
    if (found === null) return null;
    const known = this.#manifests.get(found.run_id);
    return known ?? this.#remember(found.run_id);
  }

  /** Of a run that is published its manifest never changes. */
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
   * Asks for a run, over all processes at once: who finds one that waits shares it, and who needs
   * no more than any build that has begun shares the one that runs. Enqueue what it returns when
   * that is open. `first` is answered with a run that has just failed, rather than with another.
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

  /** Whosever it is; null when there is none, or none any more. */
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

  /** The feeds of a tenant that are kept, by partner. */
  feedsOf(tenantId: string): Feed[] {
    return this.#feeds("tenant_id = ?", tenantId);
  }

  /** All feeds of all tenants that somebody has asked for since. */
  feedsAskedSince(sinceMs: number): Feed[] {
    return this.#feeds("asked_at >= ?", sinceMs);
  }

  /** Somebody fetches it, so it is kept fresh. */
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

  /** An operator's word counts also for a run that others have asked for. */
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

  /** The last run to end, when it has failed. */
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
