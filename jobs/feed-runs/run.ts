/** A run: one build of a feed, which is a tenant's document for a partner. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { deriveId } from "../../engine/core/ids.ts";

/**
 * Why a feed is built. `first`: it was requested and missing. `nightly`, `made_up`: a night, or a
 * missed one. `age`: it is old. `change`: its content has changed. `operator`: on request.
 */
export type FeedTrigger = "first" | "nightly" | "made_up" | "age" | "change" | "operator";

/** Triggers whose caller waits for the end of the run. */
export const AWAITED: ReadonlySet<FeedTrigger> = new Set(["first", "operator"] as const);

/** `running` from the first attempt to the end, also between attempts. */
export type FeedRunState = "queued" | "running" | "published" | "failed";

/** Why a run has failed; the previously published feed stays. */
export type FeedFailure =
  /** The tenant has no property to list. */
  | "no_property"
  /** The list lost too many properties, and no operator has accepted that. */
  | "shrunken"
  /** The build is not valid. */
  | "invalid"
  /** The build took too long. */
  | "timed_out"
  /** The build or the worker ended early. */
  | "crashed";

/** Instants are engine time, epoch milliseconds. */
export interface FeedRun {
  readonly run_id: string;
  readonly tenant_id: string;
  readonly partner: string;
  readonly trigger: FeedTrigger;
  readonly state: FeedRunState;
  /** Publish even if the list lost many properties. */
  readonly accept_shrink: boolean;
  readonly attempts: number;
  /** The current phase; null before and after. */
  readonly phase: string | null;
  /** Progress of the phase, from 0 to 1. */
  readonly progress: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** The journal position of the build, once known. */
  readonly journal_id: string | null;
  readonly seq: number | null;
  readonly row: number | null;
  readonly at: number | null;
  readonly listings: number | null;
  readonly reason: FeedFailure | null;
  /** For operators. */
  readonly detail: string | null;
}

/** All columns except the large manifest. */
export const RUN_COLUMNS = `run_id, tenant_id, partner, trigger, state, accept_shrink, attempts,
  phase, progress, created_at, started_at, ended_at, journal_id, seq, row, at, listings,
  reason, detail`;

export type StoredRun = Omit<FeedRun, "accept_shrink"> & { readonly accept_shrink: number };

/** Converts a stored run. */
export function runOf(stored: StoredRun): FeedRun {
  return { ...stored, accept_shrink: stored.accept_shrink === 1 };
}

/** The run matched by `where`, which has a `?` for each value. */
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
