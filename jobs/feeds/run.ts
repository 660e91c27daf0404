/** What a run is: one build of a feed, which is what one tenant offers to one partner. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { deriveId } from "../../engine/core/ids.ts";

/**
 * Why a feed is built: it was asked for and there was none (`first`), every night, for a night that
 * was missed, because it is old, because what it tells has changed, or because an operator says so.
 */
export type FeedTrigger = "first" | "nightly" | "made_up" | "age" | "change" | "operator";

/** Somebody waits for the end of a run that these have triggered. */
export const AWAITED: ReadonlySet<FeedTrigger> = new Set(["first", "operator"] as const);

/** `running` from its first attempt until it ends, also while it waits for another one. */
export type FeedRunState = "queued" | "running" | "published" | "failed";

/** Why a run has failed; the feed that was published before stays. */
export type FeedFailure =
  /** The tenant has no property that a feed may list. */
  | "no_property"
  /** Too many properties fewer than in the published feed, and no operator has accepted that. */
  | "shrunken"
  /** What was built is not what it should be. */
  | "invalid"
  /** It took too long. */
  | "timed_out"
  /** The build, or the worker with it, ended before it was done. */
  | "crashed";

/** Instants are engine time, epoch milliseconds. */
export interface FeedRun {
  readonly run_id: string;
  readonly tenant_id: string;
  readonly partner: string;
  readonly trigger: FeedTrigger;
  readonly state: FeedRunState;
  /** Published even when it lists far fewer properties than before. */
  readonly accept_shrink: boolean;
  readonly attempts: number;
  /** What it is doing; null before and after. */
  readonly phase: string | null;
  /** How much of the phase is done, from 0 to 1. */
  readonly progress: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** The position in the journal that it was built at, once that is known. */
  readonly journal_id: string | null;
  readonly seq: number | null;
  readonly row: number | null;
  readonly at: number | null;
  readonly listings: number | null;
  readonly reason: FeedFailure | null;
  /** For operators. */
  readonly detail: string | null;
}

/** All but the manifest, which is large. */
export const RUN_COLUMNS = `run_id, tenant_id, partner, trigger, state, accept_shrink, attempts,
  phase, progress, created_at, started_at, ended_at, journal_id, seq, row, at, listings,
  reason, detail`;

export type StoredRun = Omit<FeedRun, "accept_shrink"> & { readonly accept_shrink: number };

/** A run as it is told. */
export function runOf(stored: StoredRun): FeedRun {
  return { ...stored, accept_shrink: stored.accept_shrink === 1 };
}

/** The run that is found where `where` says, which has a `?` for each value. */
export function runWhere(
  db: Database,
  where: string,
  ...values: readonly SQLQueryBindings[]
): FeedRun | null {
  const select = `SELECT ${RUN_COLUMNS} FROM run WHERE ${where}`;
  const found = db.query<StoredRun, SQLQueryBindings[]>(select).get(...values);
  return found && runOf(found);
}

/** A run's id; `run_…`, sorted by creation. */
export function newRunId(nowMs: number): string {
  return deriveId("run", nowMs, randomBytes(16).toString("hex"));
}
