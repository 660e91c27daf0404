/**
 * The worker's side of `feeds.db`: progress and end of runs.
 *
 * Invariants: a feed has one running run with one attempt. The result of an attempt counts only
 * while no later attempt has begun. The published run changes in the transaction that ends a run,
 * so a feed always has one good document or none.
 */
import type { Database } from "bun:sqlite";
import type { FeedManifest } from "../../feeds/manifest.ts";
import {
  AWAITED,
  type FeedFailure,
  type FeedRun,
  RUN_COLUMNS,
  runOf,
  runWhere,
  type StoredRun,
} from "./run.ts";

/** One attempt of a run. */
export type Attempt = Pick<FeedRun, "run_id" | "attempts">;

export class RunBook {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Begins an attempt; null when the run has ended or another run of its feed is running. */
  begin(runId: string, nowMs: number): FeedRun | null {
    const update = `UPDATE OR IGNORE run SET state = 'running', attempts = attempts + 1,
      started_at = ifnull(started_at, ?1), phase = 'starting', progress = 0
      WHERE run_id = ?2 AND ended_at IS NULL`;
    return this.#write(() => {
      const { changes } = this.#db.query(update).run(nowMs, runId);
      return changes === 0 ? null : runWhere(this.#db, "run_id = ?", runId);
    });
  }

  progress({ run_id, attempts }: Attempt, phase: string, progress: number): void {
    const update = `UPDATE run SET phase = ?, progress = ?
      WHERE run_id = ? AND attempts = ? AND ended_at IS NULL`;
    this.#db.query(update).run(phase, progress, run_id, attempts);
  }

  /** Uncounts an attempt that was stopped from outside. */
  giveBack({ run_id, attempts }: Attempt): void {
    const update = `UPDATE run SET attempts = attempts - 1, phase = 'waiting', progress = 0
      WHERE run_id = ? AND attempts = ? AND ended_at IS NULL`;
    this.#db.query(update).run(run_id, attempts);
  }

  /** Publishes the build of an attempt; false when it is not the last one any more. */
  publish({ run_id, attempts }: Attempt, manifest: FeedManifest, nowMs: number): boolean {
    const end = `UPDATE run SET state = 'published', ended_at = ?, phase = NULL, progress = 1,
      journal_id = ?, seq = ?, row = ?, at = ?, listings = ?, manifest = ?
      WHERE run_id = ? AND attempts = ? AND ended_at IS NULL`;
    // Manifests are large and only needed for the published run.
    const forget = `UPDATE run SET manifest = NULL WHERE run_id = (SELECT published_run FROM feed
      WHERE (tenant_id, partner) = (SELECT tenant_id, partner FROM run WHERE run_id = ?))`;
    const swap = `UPDATE feed SET published_run = run.run_id FROM run WHERE run.run_id = ?
      AND feed.tenant_id = run.tenant_id AND feed.partner = run.partner`;
    return this.#write(() => {
      const facts = [...factsOf(manifest), JSON.stringify(manifest)] as const;
      const { changes } = this.#db.query(end).run(nowMs, ...facts, run_id, attempts);
      if (changes === 0) return false;
      this.#db.query(forget).run(run_id);
      this.#db.query(swap).run(run_id);
      return true;
    });
  }

  /** Ends a run as failed; false as in `publish`. */
  fail(
    { run_id, attempts }: Attempt,
    reason: FeedFailure,
    { detail, manifest, nowMs }: { detail: string; manifest: FeedManifest | null; nowMs: number },
  ): boolean {
    const facts = manifest === null ? NO_FACTS : factsOf(manifest);
    const end = `UPDATE run SET state = 'failed', ended_at = ?, phase = NULL, reason = ?,
      detail = ?, journal_id = ?, seq = ?, row = ?, at = ?, listings = ?
      WHERE run_id = ? AND attempts = ? AND ended_at IS NULL`;
    const given = [nowMs, reason, detail, ...facts, run_id, attempts] as const;
    return this.#db.query(end).run(...given).changes > 0;
  }

  /** The published run of a feed, or null. */
  published(tenantId: string, partner: string): FeedRun | null {
    return runWhere(
      this.#db,
      "run_id = (SELECT published_run FROM feed WHERE tenant_id = ? AND partner = ?)",
      ...[tenantId, partner],
    );
  }

  /** Runs that have not ended, oldest first. */
  open(): FeedRun[] {
    const select = `SELECT ${RUN_COLUMNS} FROM run WHERE ended_at IS NULL ORDER BY run_id`;
    return this.#db.query<StoredRun, []>(select).all().map(runOf);
  }

  /** Whether a caller waits for a queued run, and so for the running one to end. */
  isAwaited(): boolean {
    return this.open().some(({ state, trigger }) => state === "queued" && AWAITED.has(trigger));
  }

  noteNextNightly(tenantId: string, partner: string, nextAtMs: number): void {
    const update = "UPDATE feed SET next_nightly_at = ? WHERE tenant_id = ? AND partner = ?";
    this.#db.query(update).run(nextAtMs, tenantId, partner);
  }

  #write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}

const NO_FACTS = [null, null, null, null, null] as const;

/** Position, time and size, in column order. */
function factsOf({ journal_id, seq, row, at, list }: FeedManifest) {
  return [journal_id, seq, row, Date.parse(at), list.listings] as const;
}
