/**
 * Dead letters replayed in bulk. What was asked for is a row with its counts; the worker does it in
 * slices, each of which is one transaction with the counts, so whoever is killed in the middle goes
 * on where it was, and nothing is replayed twice: a dead letter that was is one no more.
 */
import type { Database } from "bun:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { every, type Service } from "../../engine/shell/service.ts";
import { isBusy } from "../store-file.ts";
import { newRecoveryId } from "./ids.ts";
import { type DeliveryFilter, DeliveryStore } from "./store.ts";

/** Which dead letters of one endpoint; the end is told, so what dies later is none of them. */
export interface BulkReplayFilter extends DeliveryFilter {
  readonly endpoint_id: string;
  readonly since: number;
  readonly until: number;
}

/** All instants are engine time, epoch milliseconds. */
export interface BulkReplay {
  /** `rcv_…`. */
  readonly recovery_id: string;
  readonly filter: BulkReplayFilter;
  /** Dead letters that there were when it was asked for. */
  readonly total: number;
  readonly replayed: number;
  readonly created_at: number;
  /** Null until none is left. */
  readonly done_at: number | null;
}

type StoredRecovery = Omit<BulkReplay, "filter"> & { readonly filter: string };

const COLUMNS = "recovery_id, filter, total, replayed, created_at, done_at";
const SLICE = 200;
const LOOK_EVERY_MS = 200;

export class BulkReplays {
  readonly #db: Database;
  readonly #deliveries: DeliveryStore;

  constructor(db: Database) {
    this.#db = db;
    this.#deliveries = new DeliveryStore(db);
  }

  /** Has the dead letters of the filter replayed; the same request key finds what it has asked. */
  request(filter: BulkReplayFilter, nowMs: number, requestKey: string | null = null): BulkReplay {
    return this.#db
      .transaction(() => {
        const select = `SELECT ${COLUMNS} FROM recovery WHERE request_key = ?`;
        const known = this.#db.query<StoredRecovery, [string | null]>(select).get(requestKey);
        if (known) return recoveryOf(known);
        const recovery_id = newRecoveryId(nowMs);
        const total = this.count(filter);
        const insert = `INSERT INTO recovery
          (recovery_id, endpoint_id, filter, total, replayed, created_at, request_key)
          VALUES (?, ?, ?, ?, 0, ?, ?)`;
        const text = JSON.stringify(filter);
        this.#db.query(insert).run(recovery_id, filter.endpoint_id, text, total, nowMs, requestKey);
        return { recovery_id, filter, total, replayed: 0, created_at: nowMs, done_at: null };
      })
      .immediate();
  }

  /** How many dead letters it would replay. */
  count(filter: BulkReplayFilter): number {
    return this.#deliveries.count({ ...filter, is_unhandled: true });
  }

  get(recoveryId: string): BulkReplay | null {
    const select = `SELECT ${COLUMNS} FROM recovery WHERE recovery_id = ?`;
    const found = this.#db.query<StoredRecovery, [string]>(select).get(recoveryId);
    return found && recoveryOf(found);
  }

  /** A slice of the oldest that is not done; the endpoint it was for, null when all are done. */
  step(nowMs: number): string | null {
    const select = `SELECT ${COLUMNS} FROM recovery WHERE done_at IS NULL
      ORDER BY recovery_id LIMIT 1`;
    if (this.#db.query(select).get() === null) return null;
    return this.#db
      .transaction(() => {
        const found = this.#db.query<StoredRecovery, []>(select).get();
        if (!found) return null;
        const { recovery_id, filter } = recoveryOf(found);
        const replayed = this.#deliveries.recover(filter, { limit: SLICE, nowMs });
        const doneAt = replayed < SLICE ? nowMs : null;
        const update = `UPDATE recovery SET replayed = replayed + ?, done_at = ?
          WHERE recovery_id = ?`;
        this.#db.query(update).run(replayed, doneAt, recovery_id);
        return filter.endpoint_id;
      })
      .immediate();
  }
}

function recoveryOf({ filter, ...stored }: StoredRecovery): BulkReplay {
  return { ...stored, filter: JSON.parse(filter) };
}

export interface RunnerOptions {
  /** The worker's connection. */
  readonly db: Database;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Endpoints that have something due. */
  readonly onReplayed: (endpointIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Does what was asked for, from its start on. */
export function bulkReplayRunner({ db, now, onReplayed, onError }: RunnerOptions): Service {
  const id = "webhook recoveries";
  const recoveries = new BulkReplays(db);
  let isRunning = false;
  let isEnding = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      for (let at = recoveries.step(now()); at !== null; at = recoveries.step(now())) {
        onReplayed([at]);
        await nextTurn();
        if (isEnding) return;
      }
    } catch (error) {
      // Nothing is lost: the slice that failed comes again.
      if (!isBusy(error)) onError(error);
    } finally {
      isRunning = false;
    }
  };
  const timer = every(id, LOOK_EVERY_MS, () => void run());
  const stop = () => {
    isEnding = true;
    timer.stop();
  };
  return { id, start: timer.start, drain: stop, stop };
}
