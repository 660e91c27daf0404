/**
 * Deletes files of replaced runs, except the last refused one, which an operator may inspect; rows
 * of old runs; and feeds that are no longer fetched.
 */
import type { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { timeDigits } from "../../engine/core/ids.ts";
import { MANIFEST_FILE } from "../../feeds/manifest.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import { KEPT_FRESH_MS } from "./due.ts";
import { type RunDirectory, runDirectory } from "./store.ts";

const LOOK_EVERY_MS = 60_000;
/** A reader that got a run may open and read its files this long. */
const READ_ON_MS = 600_000;
const RUNS_KEPT_MS = 30 * 86_400_000;
/** Longer than feeds are kept fresh, so that none is served that old. */
const FEEDS_KEPT_MS = KEPT_FRESH_MS + 86_400_000;

export interface RetentionOptions {
  readonly db: Database;
  /** Root directory of all feeds' files. */
  readonly directory: string;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export class FeedRetention implements Service {
  readonly id = "feed retention";
  readonly #options: RetentionOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.#tryCut());

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** First unpublishes runs with missing files. */
  start(): void {
    this.#unpublishLost();
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  stop(): void {
    this.#timer.stop();
  }

  async #tryCut(): Promise<void> {
    try {
      await this.cut();
    } catch (error) {
      this.#options.log("warn", "cannot delete old feeds", { error: String(error) });
    }
  }

  /** Deletes rows first; files without a row are not needed. */
  async cut(): Promise<void> {
    const { directory, now } = this.#options;
    const nowMs = now();
    this.#cutRows(nowMs);
    const kept = new Set(this.#keptDirectories(nowMs));
    // Listed before any await: the directory of a later run is not among them.
    for (const path of directoriesIn(directory)) {
      if (!kept.has(path)) await rm(path, { recursive: true, force: true });
    }
  }

  #cutRows(nowMs: number): void {
    const { db } = this.#options;
    const firstKept = `run_${timeDigits(Math.max(0, nowMs - RUNS_KEPT_MS))}`;
    db.transaction(() => {
      const feeds = `DELETE FROM feed WHERE asked_at < ? AND NOT EXISTS (SELECT 1 FROM run
        WHERE run.tenant_id = feed.tenant_id AND run.partner = feed.partner AND ended_at IS NULL)`;
      db.query(feeds).run(nowMs - FEEDS_KEPT_MS);
      const checks = `DELETE FROM accuracy WHERE NOT EXISTS (SELECT 1 FROM feed
        WHERE feed.tenant_id = accuracy.tenant_id AND feed.partner = accuracy.partner)`;
      db.run(checks);
      const runs = `DELETE FROM run WHERE run_id < ? AND ended_at IS NOT NULL AND is_told = 1
        AND run_id NOT IN (SELECT published_run FROM feed WHERE published_run IS NOT NULL)`;
      db.query(runs).run(firstKept);
    }).immediate();
  }

  /** Directories of open, published and recently published runs, and of the last refused run. */
  #keptDirectories(nowMs: number): string[] {
    const select = `SELECT run_id, tenant_id, partner, attempts FROM run WHERE ended_at IS NULL
      OR run_id IN (SELECT published_run FROM feed)
      OR run_id IN (SELECT max(run_id) FROM run WHERE state = 'failed'
        GROUP BY tenant_id, partner)
      OR (state = 'published' AND ? < (SELECT next.ended_at FROM run AS next
        WHERE next.state = 'published' AND next.tenant_id = run.tenant_id
        AND next.partner = run.partner AND next.run_id > run.run_id
        ORDER BY next.run_id LIMIT 1))`;
    const { db, directory } = this.#options;
    const found = db.query<RunDirectory, [number]>(select).all(nowMs - READ_ON_MS);
    return found.map((run) => runDirectory(directory, run));
  }

  /** Its files were deleted; the next request builds it again. */
  #unpublishLost(): void {
    const { db, directory, log } = this.#options;
    const select = `SELECT run_id, tenant_id, partner, attempts FROM run
      WHERE run_id IN (SELECT published_run FROM feed)`;
    for (const run of db.query<RunDirectory, []>(select).all()) {
      if (existsSync(join(runDirectory(directory, run), MANIFEST_FILE))) continue;
      const update = "UPDATE feed SET published_run = NULL WHERE published_run = ?";
      db.query(update).run(run.run_id);
      const { run_id, tenant_id, partner } = run;
      log("warn", "the files of a feed are missing", { run_id, tenant_id, partner });
    }
  }
}

/** Paths `<tenant>/<partner>/<attempt>` under the root. */
function directoriesIn(root: string): string[] {
  let found = [root];
  for (let depth = 0; depth < 3; depth += 1) {
    found = found.flatMap((path) =>
      existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [],
    );
  }
  return found;
}
